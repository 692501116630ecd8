"""Everything a training run can be told, with defaults for a GPU and for a laptop."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass


@dataclass(frozen=True)
class NetSize:
    """Widths of the network; the default has 2.9 M weights, 5.8 MB as half floats."""

    width: int = 528
    blocks: int = 3
    open_width: int = 192  # of what is made of one open Cóatl
    other_width: int = 64  # of what is made of another seat
    value_width: int = 192


@dataclass(frozen=True)
class TrainingSettings:
    """How to train. Times are minutes; shares of the plan run from 0 to 1."""

    minutes: float = 9.0  # this run, set-up and evaluation included
    plan: float = 0.0  # all runs together (0: this one is all); learning rate and rewards follow it
    updates: int = 0  # stop after so many of this run (0: when the time is over)
    warm_up: int = 20  # updates with a rising learning rate
    games: int = 16384  # in parallel
    steps: int = 48  # of every game between two updates
    epochs: int = 2
    minibatch: int = 32768
    learning_rate: float = 5e-4
    clip: float = 0.2
    reinforce: float = 1.0  # how much the policy follows the rewards (below: it follows searches)
    gae: float = 0.96  # λ of what the values learn; nothing is discounted
    policy_gae: float = 0.7  # ... of what the policy learns: lower trusts the values more
    entropy: float = 0.015
    entropy_last: float = 0.002
    target_kl: float = 0.012  # the learning rate follows it
    pool_share: float = 0.2  # of the games have a seat played by a past snapshot
    snapshot_seconds: float = 20.0
    evaluate_seconds: float = 60.0
    evaluate_games: int = 1024
    ladder_games: int = 32  # against each quick bot of the ladder at the end; compiles more
    reserve: float = 1.0  # minutes kept for the evaluation at the end
    ramp_from: float = 0.15  # share of the plan at which rewards begin to turn to winning
    ramp_to: float = 0.5  # ... and have turned, if the gate was never shut
    gate: float = 20.0  # they turn only while the mean score is above this
    last_points: float = 0.1  # what is left of the reward for points at the end
    last_solo_points: float = 0.5  # ... in solo, where some levels are hardly ever won
    complete: float = 0.0  # reward of completing a Cóatl, whatever it is worth: makes a racer
    solo_complete: float = 0.0  # ... in solo
    spar: str = ""  # folder of another run whose snapshots play against this one too
    spar_share: float = 0.35  # of the snapshots that play
    searches: int = 0  # at the same time, whose choices the policy follows too (0: none)
    simulations: int = 48  # of each
    search_points: float = 0.1  # what 20 points count there beside winning
    search_rounds: int = 96  # answers of the network to them between two updates
    examples: int = 1 << 19  # of their choices that are kept
    imitated: int = 4096  # examples beside a minibatch
    imitation: float = 1.0  # how much they count
    players: str = ""  # such as "2" or "2,3,4,1" (1: solo) in equal shares; empty: the usual mix
    threads: int = 0  # 0: all cores, less one if there are many
    seed: int = 1
    size: NetSize = NetSize()


def laptop(settings: TrainingSettings) -> TrainingSettings:
    """The same for a few cores without a GPU: a small network and short turns."""
    return dataclasses.replace(
        settings,
        warm_up=6,
        games=192,
        steps=64,
        epochs=3,
        minibatch=2048,
        learning_rate=7e-4,
        snapshot_seconds=30.0,
        evaluate_games=128,
        ladder_games=8,
        reserve=0.6,
        gate=12.0,
        size=NetSize(width=160, blocks=1, open_width=80, other_width=32, value_width=64),
    )
