"""Evaluating a policy: many games at once against random, a player, or another policy."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import torch

from coatl.env.batch import Batch
from coatl.learn.net import Net
from coatl.learn.rollout import best_actions
from coatl.learn.settings import NetSize
from coatl.options import Options

Actions = npt.NDArray[np.int16]
ChooseActions = Callable[[Batch, npt.NDArray[np.bool_]], Actions]
"""Given a batch and the games in question, returns an action for (at least) each of those."""
Rival = dict[str, Any] | str
"""Weights of a network, ``random``, or the name of a player."""


def policy_of(rival: Rival, size: NetSize, device: Any) -> ChooseActions:
    if isinstance(rival, str):
        return at_random if rival == "random" else player(rival)
    net = Net(size).to(device).eval()
    net.load_state_dict(rival)
    return network(net, device)


def network(net: Net, device: Any) -> ChooseActions:
    """The policy of a network that always plays its likeliest action."""

    def choose(batch: Batch, asked: npt.NDArray[np.bool_]) -> Actions:
        observations = torch.from_numpy(batch.observations).to(device)
        masks = torch.from_numpy(batch.masks).to(device)
        return best_actions(net, observations, masks).to(torch.int16).cpu().numpy()  # type: ignore[no-any-return]

    return choose


def at_random(batch: Batch, asked: npt.NDArray[np.bool_]) -> Actions:
    actions = np.zeros(batch.n, np.int16)
    batch.random_actions(actions)
    return actions


def player(name: str) -> ChooseActions:
    """A player of the registry; slow, since it plays one game at a time."""
    from coatl.env.seats import choose_with_player
    from coatl.players.registry import make_player
    from coatl.rules.chance import new_chance

    one = make_player(name, new_chance(f"evaluation {name}"))

    def choose(batch: Batch, asked: npt.NDArray[np.bool_]) -> Actions:
        actions = np.zeros(batch.n, np.int16)
        for game in np.flatnonzero(asked):
            actions[game] = choose_with_player(batch, int(game), one)
        return actions

    return choose


def match(
    ours: ChooseActions,
    theirs: ChooseActions,
    options: Sequence[Options],
    seed: int = 0,
    threads: int = 1,
    limit: float = 60.0,
) -> dict[str, float]:
    """How `ours` does against `theirs`; see `play_match`."""
    return summary(*play_match(ours, theirs, options, seed, threads, limit))


def play_match(
    ours: ChooseActions,
    theirs: ChooseActions,
    options: Sequence[Options],
    seed: int | str,
    threads: int,
    limit: float,
) -> tuple[Any, Any]:
    """The first game in each place: we hold one seat, in turn each, `theirs` the others.

    Results and our seats. Games that are not over after `limit` seconds are left out. In solo the
    rival is A.D.A.M.
    """
    batch = Batch(options, f"match {seed}", threads)
    batch.reset()
    players = np.array([option.players for option in options])
    seats = (np.arange(batch.n) // len(set(options)) % players).astype(np.int8)
    running = np.ones(batch.n, bool)
    results = batch.results.copy()
    actions = np.zeros(batch.n, np.int16)
    until = time.monotonic() + limit
    while running.any() and time.monotonic() < until:
        batch.random_actions(actions)  # for slots whose first game is already over
        mine = batch.movers == seats
        for policy, asked in ((ours, mine & running), (theirs, ~mine & running)):
            if asked.any():
                actions[asked] = policy(batch, asked)[asked]
        batch.step(actions)
        ended = running & (batch.dones > 0)
        results[ended] = batch.results[ended]
        running &= ~ended
    return results[~running], seats[~running]


def summary_of(shares: Sequence[tuple[Any, Any]]) -> dict[str, float]:
    """Of a match that was played in several parts."""
    if not shares:
        return {"games": 0}
    return summary(*(np.concatenate(parts) for parts in zip(*shares, strict=True)))


def summary(results: Any, seats: Any) -> dict[str, float]:
    """Share of wins, points of both sides, turns a player."""
    if not len(results):
        return {"games": 0}
    rows = np.arange(len(results))
    players = np.maximum(results["players"], 2)
    points = results["points"].astype(float) * (np.arange(4) < players[:, None])
    won = results["winners"][:, None] >> np.arange(4) & 1
    ours = points[rows, seats]
    return {
        "games": len(results),
        "win": round(float((won[rows, seats] / won.sum(1)).mean()), 4),
        "points": round(float(ours.mean()), 2),
        "their_points": round(float(((points.sum(1) - ours) / (players - 1)).mean()), 2),
        "turns": round(float((results["turns"] / players).mean()), 1),
        "complete": round(float(results["complete"][rows, seats].mean()), 2),
    }
