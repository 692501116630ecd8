"""All settings of a training run, with defaults for a GPU and for a laptop."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass


@dataclass(frozen=True)
class NetSize:
    """Widths of the network; the default has 2.9 M weights, 5.8 MB as half floats."""

    width: int = 528
    blocks: int = 3
    open_width: int = 192  # features of one open Cóatl
    other_width: int = 64  # features of another seat
    value_width: int = 192


@dataclass(frozen=True)
class TrainingSettings:
    """How to train. Times are minutes; shares of the plan run from 0 to 1."""

    minutes: float = 9.0  # this run, including set-up and evaluation
    plan: float = 0.0  # all runs together (0: only this one); sets learning rate and rewards
    updates: int = 0  # stop after this many updates (0: when the time is up)
    warm_up: int = 20  # updates with a rising learning rate
    games: int = 16384  # in parallel
    steps: int = 48  # of every game between two updates
    epochs: int = 2
    minibatch: int = 32768
    learning_rate: float = 5e-4
    clip: float = 0.2
    reinforce: float = 1.0  # weight of PPO's policy loss
    gae: float = 0.96  # λ for the values; nothing is discounted
    policy_gae: float = 0.7  # λ for the policy: a lower one trusts the values more
    entropy: float = 0.015
    entropy_last: float = 0.002
    target_kl: float = 0.012  # the learning rate is adjusted towards it
    pool_share: float = 0.2  # share of the games with one seat played by a snapshot
    snapshot_seconds: float = 20.0
    evaluate_seconds: float = 60.0
    evaluate_games: int = 1024
    ladder_games: int = 32  # against each fast bot of the ladder at the end; compiles more
    reserve: float = 1.0  # minutes kept for the evaluation at the end
    ramp_from: float = 0.15  # share of the plan at which rewards start to shift to winning
    ramp_to: float = 0.5  # ... and have shifted, if scores never fell below the gate
    gate: float = 20.0  # rewards shift only while the mean score is above this
    last_points: float = 0.1  # what remains of the reward for points at the end
    last_solo_points: float = 0.5  # ... in solo, where some levels are hardly ever won
    complete: float = 0.0  # reward for completing any Cóatl; trains a racer
    solo_complete: float = 0.0  # ... in solo
    spar: str = ""  # sparring partners: the folder of another run, or a policy.npz
    spar_share: float = 0.35  # how often a snapshot is one of theirs
    teacher: str = ""  # a policy.npz to learn from, or two: with others, solo
    teaching: float = 1.0  # weight of the distance from the teacher
    searches: int = 0  # concurrent searches that the policy imitates (0: none)
    simulations: int = 48  # of each search
    search_points: float = 0.1  # weight of 20 points against a win in these searches
    search_rounds: int = 96  # network evaluations for the searches between two updates
    examples: int = 1 << 19  # capacity for search results
    imitated: int = 4096  # examples added to each minibatch
    imitation: float = 1.0  # weight of the imitation loss
    players: str = ""  # such as "2" or "2,3,4,1" (1: solo) in equal shares; empty: the usual mix
    levels: str = ""  # of solo games, such as "12345,12345,base,any" in equal shares; empty: any
    threads: int = 0  # 0: all cores, minus one if there are many
    seed: int = 1
    size: NetSize = NetSize()


def laptop(settings: TrainingSettings) -> TrainingSettings:
    """The same for a few cores without a GPU: a small network and small batches."""
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
