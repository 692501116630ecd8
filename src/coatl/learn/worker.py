"""One worker process of a cluster: plays a share of a training run's games."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch

from coatl import __version__
from coatl.encode import layout
from coatl.learn import evaluate
from coatl.learn.checkpoint import StateDict
from coatl.learn.net import Net
from coatl.learn.rollout import Collector, Rollout
from coatl.learn.settings import TrainingSettings
from coatl.options import Options

BY_STEP = (
    "observations",
    "masks",
    "actions",
    "log_probs",
    "values",
    "movers",
    "dones",
    "rewards",
    "learns",
)
BY_GAME = ("last_values", "last_movers")


@dataclass(frozen=True)
class Orders:
    """What all workers receive before they collect; arrays, since workers have no GPU."""

    weights: StateDict
    rewards: Mapping[str, float]
    snapshots: Sequence[StateDict] = ()


@dataclass(frozen=True)
class Collected:
    """A worker's share of a rollout."""

    arrays: StateDict
    finished: Any
    seconds: float
    env_seconds: float


def program() -> tuple[str, int]:
    """Versions that workers and learner must share."""
    return __version__, layout.VERSION


def as_arrays(state: StateDict) -> StateDict:
    return {name: tensor.detach().cpu().numpy() for name, tensor in state.items()}


def as_tensors(state: StateDict) -> StateDict:
    return {name: torch.tensor(array) for name, array in state.items()}


class Worker:
    """Runs on one core, with its own collector, whose games continue across rollouts."""

    def __init__(self, settings: TrainingSettings, seed: int) -> None:
        torch.set_num_threads(1)
        torch.manual_seed(seed)
        self._settings, self._device = settings, torch.device("cpu")
        self._collector = Collector(settings, self._device, seed)
        self._rollout = Rollout(settings.steps, settings.games, self._device)
        self._net = Net(settings.size).eval().requires_grad_(False)

    def program(self) -> tuple[str, int]:
        return program()

    def collect(self, orders: Orders) -> Collected:
        self._net.load_state_dict(as_tensors(orders.weights))
        self._collector.reward(orders.rewards)
        if orders.snapshots:
            self._collector.oppose([as_tensors(state) for state in orders.snapshots])
        rollout = self._rollout
        self._collector.collect(rollout, self._net)
        arrays = {name: getattr(rollout, name).numpy() for name in BY_STEP + BY_GAME}
        return Collected(arrays, rollout.finished, rollout.seconds, rollout.env_seconds)

    def match(
        self,
        weights: StateDict,
        rival: evaluate.Rival,
        options: Sequence[Options],
        seed: str,
        limit: float,
    ) -> tuple[Any, Any]:
        self._net.load_state_dict(as_tensors(weights))
        ours = evaluate.network(self._net, self._device)
        rival = rival if isinstance(rival, str) else as_tensors(rival)
        theirs = evaluate.policy_of(rival, self._settings.size, self._device)
        return evaluate.play_match(ours, theirs, options, seed, 1, limit)


def fill(rollout: Rollout, games: slice, share: Collected | None) -> None:
    """Copy a worker's share into the rollout; a missing share is excluded from learning."""
    if share is None:
        rollout.learns[:, games] = 0.0
        return
    for name in BY_STEP:
        getattr(rollout, name)[:, games] = torch.tensor(share.arrays[name])
    for name in BY_GAME:
        getattr(rollout, name)[games] = torch.tensor(share.arrays[name])


def finished_games(shares: Sequence[Collected]) -> np.ndarray[Any, Any] | None:
    found = [share.finished for share in shares if share.finished is not None]
    return np.concatenate(found) if found else None
