"""Many searches at the games of a batch: what a short search would play in each of them."""

from __future__ import annotations

from typing import Any, cast

import numpy as np
import numpy.typing as npt

from coatl.compiler import jit
from coatl.compiler.arguments import check_array, check_seed, check_whole
from coatl.compiler.records import record_array
from coatl.encode.layout import N_OBSERVED
from coatl.encode.meanings import N_ACTIONS
from coatl.encode.observe import ReadingCache
from coatl.encode.reach import encoding_tables
from coatl.env.batch import Allocate, Batch, Slices
from coatl.net.layers import N_VALUES
from coatl.rules.chance import Chances, new_chance
from coatl.rules.decisions import new_choices
from coatl.rules.state import new_states
from coatl.search.batched.compiled import (
    ALL_ANSWERED,
    NetworkBatch,
    Searches,
    ThreadWorkspace,
    advance_searches,
    begin_searches,
)
from coatl.search.batched.simulation import DONE, Simulation
from coatl.search.search import new_search_states, new_tree
from coatl.search.settings import SearchSettings
from coatl.search.tree import ANY


class BatchedSearch:
    """`n` searches with `settings.simulations` each, at games of a batch.

    `begin` starts those that are done at other games; each `advance` goes on with all of them until
    they need the network, whose answers to `observations` are put into `logits` and `values` before
    the next. Those that are `done` have `shares`: how often each action was tried. `seen` and
    `root_masks` are the observations and legal actions at their roots.
    """

    def __init__(
        self,
        n: int,
        settings: SearchSettings,
        seed: int | str,
        threads: int = 1,
        allocate: Allocate = np.zeros,
    ) -> None:
        if not isinstance(settings, SearchSettings):
            raise TypeError(f"a batched search needs SearchSettings, not {settings!r}")
        if settings.simulations < 2:
            raise ValueError("a search has at least two simulations: the first is the root's")
        n = check_whole(n, "the number of searches", 1)
        check_seed(seed)
        self.n, self.settings = n, settings

        def make(name: str, dtype: Any, width: int) -> Any:
            array = allocate((n, width), dtype)
            return check_array(array, f"{name} of `allocate`", (n, width), dtype)

        self.observations = make("observations", np.int8, N_OBSERVED)
        self.logits = make("logits", np.float32, N_ACTIONS)
        self.values = make("values", np.float32, N_VALUES)
        self.seen = np.zeros((n, N_OBSERVED), np.int8)
        self.root_masks = np.zeros((n, N_ACTIONS), np.int8)
        self.shares = np.zeros((n, N_ACTIONS), np.float32)
        self._searches = self._make_searches(seed)
        self._batch = NetworkBatch(
            self.observations,
            np.zeros((n, N_ACTIONS), np.int8),
            np.zeros((n, N_ACTIONS), np.int16),
            self.logits,
            self.values,
        )
        self._slices = Slices(n, threads)
        self._workspaces = [_new_workspace() for _ in range(self._slices.threads)]
        self._draw = np.random.default_rng(0)
        jit.load_all("coatl.search.batched")  # before threads meet there

    def _make_searches(self, seed: int | str) -> Searches:
        n, settings, size = self.n, self.settings, self.settings.simulations + 1
        trees = new_tree(size, size, n)
        trees.parameters[:] = (
            0,  # the seat, until a search begins
            settings.explore,
            settings.reduce,
            settings.points,
            settings.others,
            0,  # no scenarios: they are for long searches
            ANY,
        )
        simulations = record_array(Simulation, n)
        simulations["waits_for"] = DONE
        chances = cast("Chances", np.repeat(new_chance(f"fleet {seed}"), n))  # an earlier name
        chances["stream"] = np.arange(n)
        return Searches(
            new_states(n),
            new_states(n),
            simulations,
            trees,
            chances,
            self.root_masks,
            self.shares,
        )

    @property
    def done(self) -> npt.NDArray[np.intp]:
        return np.flatnonzero(self._searches.simulations["waits_for"] == DONE)

    def begin(self, batch: Batch) -> None:
        """Start those that are done at games of the batch, picked at random."""
        if not isinstance(batch, Batch):
            raise TypeError(f"searches are for the games of a coatl.env.Batch, not {batch!r}")
        batch.check_dealt()
        free = self.done
        picks = np.zeros(self.n, np.int64)
        picks[free] = self._draw.integers(batch.n, size=len(free))
        self.seen[free] = batch.observations[picks[free]]
        self.root_masks[free] = batch.masks[picks[free]]
        begin_searches(self._searches, picks, batch._games.states)
        self._advance(only_new=True)  # the others still wait for an answer

    def advance(self) -> None:
        """Use the network's answers, and go on until another is needed or all is done.

        A search whose answer is infinite or not a number goes on waiting, and ValueError names it.
        """
        self._advance(only_new=False)

    def _advance(self, only_new: bool) -> None:
        tables = encoding_tables()
        unanswered = [ALL_ANSWERED] * self._slices.threads

        def advance_slice(first: int, last: int, thread: int) -> None:
            unanswered[thread] = advance_searches(
                tables,
                self._searches,
                self._batch,
                self._workspaces[thread],
                first,
                last,
                self.settings.simulations,
                only_new,
            )

        self._slices.run(advance_slice)
        search = max(unanswered)
        if search != ALL_ANSWERED:
            raise ValueError(f"search {search}: the network's answer is infinite or not a number")


def _new_workspace() -> ThreadWorkspace:
    states, words = new_search_states()
    scores, caches = np.zeros(12, np.int64), record_array(ReadingCache, 1)
    return ThreadWorkspace(states, words, new_choices(), scores, caches)
