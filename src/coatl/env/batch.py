"""Many games in step: observations, legal actions and rewards as arrays."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from coatl.encode.layout import N_OBSERVED
from coatl.encode.meanings import N_ACTIONS
from coatl.encode.observe import Memory
from coatl.encode.reach import both_ways, reaches
from coatl.env.stepping import (
    AT_THE_TABLE,
    IN_SOLO,
    Deal,
    Result,
    Weights,
    random_actions,
    step_games,
)
from coatl.options import Options
from coatl.rules import jit
from coatl.rules.actions import Choices
from coatl.rules.chance import Chances, new_chance
from coatl.rules.records import record_array
from coatl.rules.state import MAX_PLAYERS, States, new_states

Allocate = Callable[[tuple[int, ...], Any], npt.NDArray[Any]]


def cores() -> int:
    """Those this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class Slices:
    """Rows of a batch, cut into one piece for each thread."""

    def __init__(self, n: int, threads: int) -> None:
        self.threads = max(1, min(threads, n))
        self._bounds = list(pairwise(n * k // self.threads for k in range(self.threads + 1)))
        self._pool = ThreadPoolExecutor(self.threads) if self.threads > 1 else None

    def run(self, job: Callable[[int, int, int], None]) -> None:
        """Call `job` with first row, end and number of each piece, and wait for all of them."""
        if self._pool is None:
            job(*self._bounds[0], 0)
            return
        waiting = [
            self._pool.submit(job, first, last, place)
            for place, (first, last) in enumerate(self._bounds)
        ]
        for done in waiting:
            done.result()


class Batch:
    """Games with the options given, one a place; a finished game is dealt anew at once.

    After `reset` and each `step`, row i of the arrays is about the seat to move in game i:

    * `observations` (`encode.layout`), `masks` (1: legal; `encode.meanings`), `movers` (the seat);
    * `dones`: a game ended in this step; its `results` and `shares` (of the win, by seat) are there
      until the next one ends;
    * `rewards`: what this step brought each seat, as `weights` say.

    The same seed gives the same games, whatever the number of threads.
    """

    def __init__(
        self,
        options: Sequence[Options],
        seed: int | str = 0,
        threads: int = 1,
        allocate: Allocate = np.zeros,
    ) -> None:
        jit.load_all("coatl.env")  # before threads meet there
        n = len(options)
        self.n = n
        self.places = list(options)
        self.modes = list(dict.fromkeys(options))  # what `results.mode` counts
        self._slices = Slices(n, threads)
        self.threads = self._slices.threads
        self.observations = allocate((n, N_OBSERVED), np.int8)
        self.masks = allocate((n, N_ACTIONS), np.int8)
        self.movers = allocate((n,), np.int8)
        self.dones = allocate((n,), np.int8)
        self.rewards = allocate((n, MAX_PLAYERS), np.float32)
        self.shares = allocate((n, MAX_PLAYERS), np.float32)
        self.results: Any = record_array(Result, n)
        self.weights = record_array(Weights, 2)
        self.set_weights(win=1.0)
        self.states = new_states(n)
        self.decisions = np.zeros((n, N_ACTIONS), np.int16)
        self._prepare(options, seed)

    def _prepare(self, options: Sequence[Options], seed: int | str) -> None:
        n, places = self.n, self.threads
        numbers = {option: mode for mode, option in enumerate(self.modes)}
        self._blanks = cast("States", np.concatenate([o.blank_states() for o in self.modes]))
        self._deals = record_array(Deal, n)
        self._deals["mode"] = [numbers[option] for option in options]
        self._deals["bodies"] = [option.bodies for option in options]
        self._deals["stream"] = np.arange(n)
        self._memories = record_array(Memory, n)
        self._chances = cast("Chances", np.repeat(new_chance(f"batch {seed}"), n))
        self._known = new_states(places)
        self._choices = record_array(Choices, places)
        self._scores = np.zeros(12 * places, np.int64)
        self._random = new_chance(f"batch {seed} random")

    def set_weights(
        self,
        win: float = 0.0,
        points: float = 0.0,
        open_points: float = 0.0,
        rivals: float = 0.0,
        convex: float = 0.0,
        complete: float = 0.0,
        solo_points: float | None = None,
        solo_complete: float | None = None,
    ) -> None:
        """What the next steps reward (`stepping.Weights`), in solo the last two differently."""
        self.weights[AT_THE_TABLE] = (win, points, open_points, rivals, convex, complete)
        points = points if solo_points is None else solo_points
        complete = complete if solo_complete is None else solo_complete
        self.weights[IN_SOLO] = (win, points, open_points, rivals, convex, complete)

    def reset(self) -> None:
        """Deal all games anew."""
        self._run(np.zeros(self.n, np.int16), True)

    def step(self, actions: npt.NDArray[np.int16]) -> None:
        """One legal action a game."""
        self._run(actions, False)

    def random_actions(self, out: npt.NDArray[np.int16]) -> None:
        """A legal action for each game, at random."""
        random_actions(self.masks, self._random, out)

    def _run(self, actions: npt.NDArray[np.int16], fresh: bool) -> None:
        self._slices.run(
            lambda first, last, place: self._run_slice(actions, fresh, first, last, place)
        )

    def _run_slice(
        self, actions: npt.NDArray[np.int16], fresh: bool, first: int, last: int, place: int
    ) -> None:
        step_games(
            both_ways(),
            reaches(),
            self._blanks,
            self._deals,
            self.states,
            self._known,
            self._memories,
            self._chances,
            self._choices,
            self.weights,
            actions,
            self.observations,
            self.masks,
            self.decisions,
            self.movers,
            self.dones,
            self.rewards,
            self.shares,
            self.results,
            self._scores,
            first,
            last,
            place,
            fresh,
        )
