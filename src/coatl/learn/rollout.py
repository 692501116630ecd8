"""Collecting rollouts: two halves of the batch alternate between CPU and GPU."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np
import torch

from coatl.encode.layout import N_OBSERVED
from coatl.encode.meanings import N_ACTIONS
from coatl.env.batch import Batch, cores
from coatl.env.modes import solo_levels, training_mix
from coatl.learn.net import (
    N_VALUES,
    POINTS,
    POINTS_UNIT,
    REWARD,
    WIN,
    Net,
    expectations,
    log_policy,
    mixed_precision,
)
from coatl.learn.settings import TrainingSettings
from coatl.options import Options
from coatl.rules.state import MAX_PLAYERS

HALVES = 2
POOL_NETS = 2  # snapshots that play at the same time, one per half


class Rollout:
    """What happened in `steps` steps of all games, on the device."""

    def __init__(self, steps: int, games: int, device: Any) -> None:
        def zeros(*shape: int, dtype: Any = torch.float32) -> Any:
            return torch.zeros(shape, dtype=dtype, device=device)

        self.observations = zeros(steps, games, N_OBSERVED, dtype=torch.int8)
        self.masks = zeros(steps, games, N_ACTIONS, dtype=torch.int8)
        self.actions = zeros(steps, games, dtype=torch.int64)
        self.log_probs = zeros(steps, games)
        self.values = zeros(steps, games, N_VALUES)
        self.movers = zeros(steps, games, dtype=torch.int8)
        self.dones = zeros(steps, games, dtype=torch.int8)
        self.rewards = zeros(steps, games, MAX_PLAYERS, N_VALUES)
        self.learns = torch.ones(steps, games, device=device)  # 0: a snapshot's decision
        self.last_values = zeros(games, N_VALUES)
        self.last_movers = zeros(games, dtype=torch.int8)
        self.finished: np.ndarray[Any, Any] | None = None  # results of the games that ended
        self.decisions = 0  # that were collected
        self.seconds = 0.0
        self.env_seconds = 0.0


@torch.no_grad()
def sample_actions(net: Net, observations: Any, masks: Any) -> tuple[Any, Any, Any]:
    """Actions drawn from the policy, their log-probabilities, and the values."""
    with mixed_precision(observations.device):
        logits, values = net(observations)
    logs = log_policy(logits, masks)
    noise = torch.empty_like(logs).exponential_().clamp_min_(1e-20).log()
    actions = (logs - noise).argmax(-1)
    return actions, logs.gather(1, actions[:, None]).squeeze(1), expectations(values)


@torch.no_grad()
def best_actions(net: Net, observations: Any, masks: Any) -> Any:
    with mixed_precision(observations.device):
        logits, _ = net(observations)
    return logits.masked_fill(masks == 0, -1e9).argmax(-1)


def env_threads(settings: TrainingSettings) -> int:
    """If there are many cores, one is left for the training thread."""
    available = cores()
    return settings.threads or (available - 1 if available > 8 else available)


def mix_of(settings: TrainingSettings, games: int, seed: int) -> list[Options]:
    wanted = [int(size) for size in settings.players.split(",") if size]
    shares: dict[int, float] = {size: wanted.count(size) for size in set(wanted)}
    levels = [solo_levels(name) for name in settings.levels.split(",") if name]
    return training_mix(games, seed, shares or None, levels)


class Collector:
    """Plays `steps` steps of every game with the current policy, some seats with past ones."""

    def __init__(self, settings: TrainingSettings, device: Any, seed: int) -> None:
        self.settings, self.device = settings, device
        self.half = settings.games // HALVES
        self.games = HALVES * self.half
        self.cuda = device.type == "cuda"
        self.batches = [self._batch(seed * 10 + half) for half in range(HALVES)]
        self.actions = [self.allocate((self.half,), np.int16) for _ in range(HALVES)]
        shape = (self.half, MAX_PLAYERS)
        self.points = [self.allocate(shape, np.float32) for _ in range(HALVES)]
        self.ready = [torch.cuda.Event() for _ in range(HALVES)] if self.cuda else []
        self.stream = torch.cuda.Stream(priority=-1) if self.cuda else None
        self.pool_games = int(self.half * settings.pool_share)
        self.pool_nets = [self._idle_net() for _ in range(POOL_NETS)]
        self.pool_seats = [self._pool_seats(batch) for batch in self.batches]
        self.has_pool = False

    def _batch(self, seed: int) -> Batch:
        options = mix_of(self.settings, self.half, seed)
        threads = env_threads(self.settings)
        batch = Batch(options, seed, threads, allocate=self.allocate)
        batch.reset()
        return batch

    def allocate(self, shape: tuple[int, ...], dtype: Any) -> Any:
        """Pinned memory, if there is a GPU."""
        array = torch.from_numpy(np.zeros(shape, dtype))
        return (array.pin_memory() if self.cuda else array).numpy()

    def _idle_net(self) -> Net:
        net = Net(self.settings.size).to(self.device).eval()
        net.requires_grad_(False)
        return net

    def _pool_seats(self, batch: Batch) -> Any:
        """Which seat a snapshot plays in the last games of a half; -1 (none) in solo."""
        tail = batch.places[self.half - self.pool_games :]
        seats = [i % o.players if o.players > 1 else -1 for i, o in enumerate(tail)]
        return torch.tensor(seats, dtype=torch.int8, device=self.device)

    def reward(self, weights: Mapping[str, float]) -> None:
        for batch in self.batches:
            batch.set_weights(**weights)

    def oppose(self, snapshots: Sequence[Mapping[str, Any]]) -> None:
        """Let these snapshots play, one per half."""
        for net, state in zip(self.pool_nets, snapshots, strict=True):
            net.load_state_dict(state)
        self.has_pool = True

    def close(self) -> None:
        """Nothing to release."""

    @contextmanager
    def own_stream(self) -> Iterator[None]:
        """GPU work inside this context does not wait for training."""
        if self.stream is None:
            yield
            return
        with torch.cuda.stream(self.stream):
            yield
        self.stream.synchronize()

    def collect(self, rollout: Rollout, net: Net) -> None:
        with self.own_stream():
            self._collect(rollout, net)

    @torch.no_grad()
    def _collect(self, rollout: Rollout, net: Net) -> None:
        began, finished = time.perf_counter(), []
        rollout.env_seconds = 0.0
        rollout.learns.fill_(1.0)
        for half in range(HALVES):
            self._choose(rollout, net, 0, half)
        for step in range(self.settings.steps):
            for half in range(HALVES):
                finished += self._play(rollout, step, half)
                if step + 1 < self.settings.steps:
                    self._choose(rollout, net, step + 1, half)
                else:
                    self._look_ahead(rollout, net, half)
        rollout.finished = np.concatenate(finished) if finished else None
        rollout.decisions = self.games * self.settings.steps
        rollout.seconds = time.perf_counter() - began

    def _choose(self, rollout: Rollout, net: Net, step: int, half: int) -> None:
        """Copy what half the games show to the device, and choose actions there."""
        batch, games = self.batches[half], self._games(half)
        observations, masks = rollout.observations[step, games], rollout.masks[step, games]
        movers = rollout.movers[step, games]
        self._copy(observations, batch.observations)
        self._copy(masks, batch.masks)
        self._copy(movers, batch.movers)
        actions, logs, values = sample_actions(net, observations, masks)
        if self.has_pool and self.pool_games:
            tail = self.half - self.pool_games
            others, _, _ = sample_actions(self.pool_nets[half], observations[tail:], masks[tail:])
            theirs = movers[tail:] == self.pool_seats[half]
            actions[tail:] = torch.where(theirs, others, actions[tail:])
            rollout.learns[step, games][tail:] = (~theirs).float()
        rollout.actions[step, games] = actions
        rollout.log_probs[step, games] = logs
        rollout.values[step, games] = values
        self._copy(torch.from_numpy(self.actions[half]), actions.to(torch.int16))
        if self.cuda:
            self.ready[half].record()

    def _play(self, rollout: Rollout, step: int, half: int) -> list[np.ndarray[Any, Any]]:
        """Carry the actions out; returns results of games that ended."""
        batch, games = self.batches[half], self._games(half)
        if self.cuda:
            self.ready[half].synchronize()
        began = time.perf_counter()
        batch.step(self.actions[half])
        rollout.env_seconds += time.perf_counter() - began
        np.divide(batch.results["points"], POINTS_UNIT, out=self.points[half])
        rewards, dones = rollout.rewards[step, games], rollout.dones[step, games]
        self._copy(dones, batch.dones)
        self._copy(rewards[..., REWARD], batch.rewards)
        self._copy(rewards[..., WIN], batch.shares)
        self._copy(rewards[..., POINTS], self.points[half])
        rewards[..., WIN:] *= dones[:, None, None]  # of games that go on they are an earlier game's
        ended = np.flatnonzero(batch.dones)
        return [batch.results[ended]] if len(ended) else []

    def _look_ahead(self, rollout: Rollout, net: Net, half: int) -> None:
        """What the games are worth after the last step."""
        batch, games = self.batches[half], self._games(half)
        observations = torch.from_numpy(batch.observations).to(self.device)
        with mixed_precision(self.device):
            _, values = net(observations)
        rollout.last_values[games] = expectations(values)
        self._copy(rollout.last_movers[games], batch.movers)

    def _games(self, half: int) -> slice:
        return slice(half * self.half, (half + 1) * self.half)

    @staticmethod
    def _copy(into: Any, source: Any) -> None:
        tensor = torch.from_numpy(source) if isinstance(source, np.ndarray) else source
        into.copy_(tensor, non_blocking=True)
