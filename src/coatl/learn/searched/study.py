"""Teaches a network what searches played: their moves, how the games ended, and their guesses."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import nn
from torch.nn import functional as fn

from coatl.encode.layout import N_OBSERVED
from coatl.encode.meanings import N_ACTIONS
from coatl.env.batch import cores
from coatl.learn import checkpoint, net
from coatl.learn.net import POINTS_UNIT, log_policy, mixed_precision
from coatl.learn.ppo import BIGGEST_GRADIENT, VALUE_WEIGHTS, divergence
from coatl.learn.searched import games
from coatl.learn.searched.games import SEARCHED

PATIENCE = 0.2  # seconds between two looks for new files
TESTED = 20  # every so many files only test what was learnt


@dataclass(frozen=True)
class StudySettings:
    minutes: float = 9.0
    once: bool = False  # end when all files that are there have been learnt from
    learning_rate: float = 2e-4
    warm_up: int = 100  # steps with a rising learning rate
    batch: int = 8192
    least: int = 100_000  # examples to wait for, unless `once`
    reuse: float = 4.0  # how often each example is learnt from
    kept: int = 2_000_000  # the latest examples
    guess: float = 0.4  # weight of the search's guess beside the result, in what a value should be
    values: float = 1.0  # weight of the values beside the policy
    average: float = 0.998  # the network that is saved is a moving average
    save_seconds: float = 45.0


class Memory:
    """The latest examples, on the device; it grows up to `kept`."""

    def __init__(self, kept: int, device: Any) -> None:
        self.kept, self.device, self.total = kept, device, 0
        self.columns = self._room(0)

    def _room(self, rows: int) -> tuple[Any, ...]:
        def zeros(width: int, dtype: Any) -> Any:
            return torch.zeros(rows, width, dtype=dtype, device=self.device)

        return (
            zeros(N_OBSERVED, torch.int8),
            zeros(N_ACTIONS, torch.int8),
            zeros(N_ACTIONS, torch.uint8),
            zeros(3, torch.float32),
        )

    def _grow(self, needed: int) -> None:
        room = len(self.columns[0])
        if needed <= room or room == self.kept:
            return
        larger = self._room(min(self.kept, max(2 * room, needed)))
        for column, old in zip(larger, self.columns, strict=True):
            column[:room] = old
        self.columns = larger

    def add(self, examples: games.Examples) -> None:
        """In the place of the oldest, where there is no more room."""
        after = self.total + len(examples.masks)
        self._grow(after)
        rows = torch.arange(self.total, after, device=self.device) % self.kept
        for column, new in zip(self.columns, examples, strict=True):
            column[rows] = torch.from_numpy(np.ascontiguousarray(new)).to(self.device)
        self.total = after

    def draw(self, n: int) -> tuple[Any, ...]:
        there = min(self.total, self.kept)
        rows = torch.randint(there, (n,), device=self.device)
        return tuple(column[rows] for column in self.columns)

    def parts(self, size: int) -> list[tuple[Any, ...]]:
        """All of them, in order."""
        there = min(self.total, self.kept)
        return [
            tuple(column[first : min(first + size, there)] for column in self.columns)
            for first in range(0, there, size)
        ]


@dataclass
class Losses:
    """How far the network is from the searches, and from how the games ended."""

    policy: Any
    win: Any
    points: Any
    result: Any  # the likelihood of the result alone


def losses(network: Any, drawn: tuple[Any, ...], guess: float) -> Losses:
    observations, masks, shares, outcomes = drawn
    with mixed_precision(masks.device):
        logits, values = network(observations)
    wanted = shares.float()
    policy = divergence(log_policy(logits, masks), wanted / wanted.sum(1, keepdim=True))
    won, chance = outcomes[:, games.WIN], values[:, net.WIN]
    target = (1 - guess) * won + guess * outcomes[:, SEARCHED]
    win = fn.binary_cross_entropy_with_logits(chance, target)
    result = fn.binary_cross_entropy_with_logits(chance, won)
    scored = outcomes[:, games.POINTS] / POINTS_UNIT
    points = fn.smooth_l1_loss(values[:, net.POINTS], scored, beta=0.5)
    return Losses(policy, win, points, result)


class Study:
    """Learns from the files of a folder as they come, and saves what players play with."""

    def __init__(
        self,
        start: Path,
        folder: Path,
        out: Path,
        settings: StudySettings,
        device: Any,
        log: Callable[[str], None],
    ) -> None:
        self.settings, self.folder, self.out, self.log = settings, folder, out, log
        torch.set_num_threads(max(1, cores() // 2))  # the others play
        self.net = checkpoint.load_policy(start, device)
        self.mean = checkpoint.load_policy(start, device).requires_grad_(False)
        self.optimiser = torch.optim.AdamW(
            self.net.parameters(), settings.learning_rate, eps=1e-6, weight_decay=1e-4
        )
        self.memory = Memory(settings.kept, device)
        self.tests = Memory(settings.kept // TESTED, device)
        self.read: set[str] = set()
        self.steps = 0
        self.began = time.monotonic()

    def run(self, check_players: Callable[[], None] = lambda: None) -> None:
        """Until the time is up; `check_players` is called while there is nothing to learn."""
        settings = self.settings
        saved = noted = time.monotonic()
        self._take_files()
        if settings.once and not self.memory.total:
            raise ValueError(f"{self.folder} has no games to learn from")
        while self._share() < 1:
            found = self._take_files()
            if self._to_learn() < settings.batch or self._too_few():
                if settings.once:
                    break
                check_players()
                if not found:
                    time.sleep(PATIENCE)
                continue
            self._step()
            now = time.monotonic()
            if now - noted > settings.save_seconds / 3:
                noted = now
                self._note()
            if now - saved > settings.save_seconds:
                saved = now
                self._save()
        self._note()
        self._save()

    def _share(self) -> float:
        """How much of the work is done."""
        if self.settings.once:
            wanted = self.settings.reuse * max(self.memory.total, 1)
            return self.steps * self.settings.batch / wanted
        return (time.monotonic() - self.began) / (60 * self.settings.minutes)

    def _to_learn(self) -> float:
        return self.settings.reuse * self.memory.total - self.steps * self.settings.batch

    def _too_few(self) -> bool:
        """Would the network learn the first games by heart?"""
        return not self.settings.once and self.memory.total < self.settings.least

    def _take_files(self) -> bool:
        """Read what is new."""
        new = sorted({path.name for path in self.folder.glob("*.npz")} - self.read)
        for name in new:
            tested = len(self.read) % TESTED == TESTED - 1
            (self.tests if tested else self.memory).add(games.load(self.folder / name))
            self.read.add(name)
        return bool(new)

    def _step(self) -> None:
        settings = self.settings
        warm = min(1.0, (self.steps + 1) / settings.warm_up)
        rate = settings.learning_rate * warm * max(0.03, 1 - self._share())
        for group in self.optimiser.param_groups:
            group["lr"] = rate
        found = losses(self.net, self.memory.draw(settings.batch), settings.guess)
        loss = found.policy + settings.values * (
            found.win + VALUE_WEIGHTS[net.POINTS] * found.points
        )
        self.optimiser.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(self.net.parameters(), BIGGEST_GRADIENT)
        self.optimiser.step()
        self.steps += 1
        share = min(settings.average, self.steps / (self.steps + 10))
        with torch.no_grad():
            for mean, weight in zip(self.mean.parameters(), self.net.parameters(), strict=True):
                mean.lerp_(weight, 1 - share)

    @torch.no_grad()
    def test(self, network: Any) -> Losses | None:
        """How well a network does on the games that nobody learns from."""
        parts = [losses(network, part, self.settings.guess) for part in self.tests.parts(8192)]
        if not parts:
            return None
        figures = ("policy", "win", "points", "result")
        means = (float(sum(getattr(part, name) for part in parts)) / len(parts) for name in figures)
        return Losses(*means)

    def _note(self) -> None:
        minutes = (time.monotonic() - self.began) / 60
        found = self.test(self.mean)
        tested = (
            f"policy {found.policy:.4f}, win {found.win:.4f}, result {found.result:.4f}"
            if found
            else "no games to test with yet"
        )
        line = f"{minutes:5.2f} min, {self.memory.total:,} examples, {self.steps:,} steps: {tested}"
        self.log(line)

    def _save(self) -> None:
        self.out.parent.mkdir(parents=True, exist_ok=True)
        notes = {"searched": {"examples": self.memory.total, "steps": self.steps}}
        checkpoint.save_policy(self.out, self.mean, notes)
