"""A fleet of searches at the games of a batch: what a little search would play in each of them."""

from __future__ import annotations

from typing import Any, cast

import numpy as np
import numpy.typing as npt

from coatl.compiler import jit
from coatl.compiler.arguments import check_array, check_seed, check_whole
from coatl.compiler.records import record_array
from coatl.encode.layout import N_OBSERVED
from coatl.encode.meanings import N_ACTIONS
from coatl.encode.observe import Memory
from coatl.encode.reach import both_ways, reaches
from coatl.env.batch import Allocate, Batch, Slices
from coatl.net.layers import N_VALUES
from coatl.players.search import EDGES_A_NODE, Plan, states_of_words
from coatl.rules.chance import Chances, new_chance
from coatl.rules.decisions import new_choices
from coatl.rules.state import new_states
from coatl.search import tree as trees
from coatl.search.batched.compiled import (
    ALL_ANSWERED,
    Desk,
    Papers,
    Searches,
    advance_searches,
    begin_searches,
)
from coatl.search.batched.simulation import DONE, Walk


class Fleet:
    """`n` searches with `plan.simulations` each, at games of a batch.

    `begin` lets those that are done search on in other games; each `advance` goes on with all of
    them until they need the network, whose answers to `observations` are put into `logits` and
    `values` before the next. Those that are `done` have `shares`: how often each action
    was tried. `seen` and `root_masks` are the observations and legal actions they are about.
    """

    def __init__(
        self, n: int, plan: Plan, seed: int | str, threads: int = 1, allocate: Allocate = np.zeros
    ) -> None:
        if not isinstance(plan, Plan):
            raise TypeError(f"a fleet needs a Plan, not {plan!r}")
        if plan.simulations < 2:
            raise ValueError("a search has at least two simulations: the first is the root's")
        n = check_whole(n, "the number of searches", 1)
        check_seed(seed)
        self.n, self.plan = n, plan

        def make(name: str, dtype: Any, width: int) -> Any:
            array = allocate((n, width), dtype)
            return check_array(array, f"{name} of `allocate`", (n, width), dtype)

        self.observations = make("observations", np.int8, N_OBSERVED)
        self.logits = make("logits", np.float32, N_ACTIONS)
        self.values = make("values", np.float32, N_VALUES)
        self.seen = np.zeros((n, N_OBSERVED), np.int8)
        self.root_masks = np.zeros((n, N_ACTIONS), np.int8)
        self.shares = np.zeros((n, N_ACTIONS), np.float32)
        self._walks = record_array(Walk, n)
        self._walks["waits_for"] = DONE
        self._searches = self._make_searches(seed)
        self._papers: Papers = (
            self.observations,
            np.zeros((n, N_ACTIONS), np.int8),
            np.zeros((n, N_ACTIONS), np.int16),
            self.logits,
            self.values,
            self.root_masks,
            self.shares,
        )
        self._slices = Slices(n, threads)
        self._desks = [_new_desk() for _ in range(self._slices.threads)]
        self._draw = np.random.default_rng(0)
        jit.load_all("coatl.search.batched")  # before threads meet there

    def _make_searches(self, seed: int | str) -> Searches:
        n, plan, size = self.n, self.plan, self.plan.simulations + 1
        slots, edges = 1 << (2 * size).bit_length(), size * EDGES_A_NODE + N_ACTIONS
        self._room = np.array([size, edges, slots, size])
        plans = record_array(trees.Plan, n)
        no_scenarios = 0  # they are for long searches
        plans[:] = (0, plan.explore, plan.reduce, plan.points, plan.others, no_scenarios)
        chances = cast("Chances", np.repeat(new_chance(f"fleet {seed}"), n))
        chances["stream"] = np.arange(n)
        return (
            new_states(n),
            new_states(n),
            self._walks,
            plans,
            record_array(trees.Node, n * size),
            record_array(trees.Edge, n * edges),
            np.zeros(n * slots, np.int64),
            record_array(trees.Tree, n),
            np.zeros(n * size, np.int64),
            np.zeros(n * size, np.int64),
            chances,
        )

    @property
    def done(self) -> npt.NDArray[np.intp]:
        return np.flatnonzero(self._walks["waits_for"] == DONE)

    def begin(self, batch: Batch) -> None:
        """Those that are done search on in games of the batch, picked at random."""
        if not isinstance(batch, Batch):
            raise TypeError(f"searches are for the games of a coatl.env.Batch, not {batch!r}")
        batch.check_dealt()
        free = self.done
        picks = np.zeros(self.n, np.int64)
        picks[free] = self._draw.integers(batch.n, size=len(free))
        self.seen[free] = batch.observations[picks[free]]
        self.root_masks[free] = batch.masks[picks[free]]
        begin_searches(self._searches, picks, batch._states)
        self._advance(only_new=True)  # the others still wait for an answer

    def advance(self) -> None:
        """Hear the network's answers, and go on until another is needed or all is done.

        A search whose answer is infinite or not a number goes on waiting, and ValueError names it.
        """
        self._advance(only_new=False)

    def _advance(self, only_new: bool) -> None:
        unanswered = [ALL_ANSWERED] * self._slices.threads

        def job(first: int, last: int, place: int) -> None:
            unanswered[place] = self._advance_slice(only_new, first, last, place)

        self._slices.run(job)
        if max(unanswered) != ALL_ANSWERED:
            search = max(unanswered)
            raise ValueError(f"search {search}: the network's answer is infinite or not a number")

    def _advance_slice(self, only_new: bool, first: int, last: int, place: int) -> int:
        return advance_searches(
            both_ways(),
            reaches(),
            self._searches,
            self._papers,
            self._desks[place],
            self._room,
            first,
            last,
            self.plan.simulations,
            only_new,
        )


def _new_desk() -> Desk:
    words, states = states_of_words()
    return (states, words, new_choices(), np.zeros(12, np.int64), record_array(Memory, 1))
