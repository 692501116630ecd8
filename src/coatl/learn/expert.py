"""Short searches at positions of the running games: examples for the policy to imitate.

The network plays better with search than alone, so it is trained to prefer what a search prefers.
Thousands of searches run in step, so each forward pass on the GPU serves all of them
(`coatl.search.batched`).
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch

from coatl.encode.layout import N_OBSERVED
from coatl.encode.meanings import N_ACTIONS
from coatl.env.batch import Allocate, Batch
from coatl.learn.net import Net, mixed_precision
from coatl.learn.settings import TrainingSettings
from coatl.search.batched.search import BatchedSearch
from coatl.search.settings import SearchSettings


@dataclass(frozen=True)
class Examples:
    """Positions, and how often a search tried each action there."""

    observations: Any
    masks: Any
    shares: Any


class Expert:
    """Searches at games of the collector's batches; the latest examples are kept on the device."""

    def __init__(
        self, settings: TrainingSettings, device: Any, seed: int, threads: int, allocate: Allocate
    ) -> None:
        self.settings, self.device = settings, device
        short = SearchSettings(simulations=settings.simulations, points=settings.search_points)
        self.search = BatchedSearch(settings.searches, short, f"expert {seed}", threads, allocate)
        self._turn = 0
        self._found: list[tuple[Any, Any, Any]] = []
        kept = settings.examples
        self._observations = torch.zeros(kept, N_OBSERVED, dtype=torch.int8, device=device)
        self._masks = torch.zeros(kept, N_ACTIONS, dtype=torch.int8, device=device)
        self._shares = torch.zeros(kept, N_ACTIONS, dtype=torch.float16, device=device)
        self.total = 0  # examples so far, including overwritten ones
        self.seconds = 0.0  # spent in the latest call of `work`

    def work(self, net: Net, batches: Sequence[Batch]) -> None:
        """Advance the searches by `search_rounds` evaluations; `learn` then stores the results."""
        began = time.perf_counter()
        for _ in range(self.settings.search_rounds):
            if len(self.search.done):
                self._harvest()
                self.search.begin(batches[self._turn % len(batches)])
                self._turn += 1
            self._answer(net)
            self.search.advance()
        self.seconds = time.perf_counter() - began

    @torch.no_grad()
    def _answer(self, net: Net) -> None:
        search = self.search
        observations = torch.from_numpy(search.observations).to(self.device, non_blocking=True)
        with mixed_precision(self.device):
            logits, values = net(observations)
        torch.from_numpy(search.logits).copy_(logits, non_blocking=True)
        torch.from_numpy(search.values).copy_(values, non_blocking=True)
        if self.device.type == "cuda":
            torch.cuda.current_stream().synchronize()

    def _harvest(self) -> None:
        search, done = self.search, self.search.done
        done = done[search.shares[done].any(axis=1)]  # at the very start none has searched
        if len(done):
            found = (search.seen[done], search.root_masks[done], search.shares[done])
            self._found.append(found)
            search.shares[done] = 0.0

    def learn(self) -> None:
        """Store new examples in place of the oldest. Not thread-safe with `draw`."""
        for found in self._found:
            rows = (self.total + np.arange(len(found[0]))) % len(self._masks)
            at = torch.from_numpy(rows).to(self.device)
            into = (self._observations, self._masks, self._shares)
            for kept, new in zip(into, found, strict=True):
                kept[at] = torch.from_numpy(new).to(self.device, kept.dtype)
            self.total += len(rows)
        self._found.clear()

    def draw(self, n: int) -> Examples | None:
        """A random sample of the stored examples; None if there are fewer than `n`."""
        there = min(self.total, len(self._masks))
        if there < n:
            return None
        rows = torch.randint(there, (n,), device=self.device)
        return Examples(self._observations[rows], self._masks[rows], self._shares[rows].float())
