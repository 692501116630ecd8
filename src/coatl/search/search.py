"""A search for one seat: what would come of each move, on many guesses at the hidden cards.

Each simulation plays on a guess at the hidden cards (`view.sample` in compiled code), so that no
choice can rest on knowing them. Own decisions are chosen by PUCT, those of others as the network
would play; where a simulation leaves the tree the network says how likely the seat is to win.

After what is drawn, or what others do, a simulation is hardly ever where another has been: there it
leaves the tree. Where chance goes one of a few ways (scenarios), simulations meet again in later
turns. Within a scenario the search comes to know what will be drawn and done, hence several.
"""

from __future__ import annotations

import time
from typing import cast

import numpy as np

from coatl.compiler.arguments import check_array, check_whole
from coatl.compiler.records import copy_records, record_array
from coatl.encode.layout import N_OBSERVED
from coatl.encode.meanings import N_ACTIONS
from coatl.encode.observe import ReadingCache
from coatl.encode.reach import encoding_tables
from coatl.net.choice import NetworkChoice
from coatl.net.layers import Network
from coatl.net.weights import Policy
from coatl.rules.chance import Chances, check_chances, new_chance, numbers_below
from coatl.rules.decisions import new_choices
from coatl.rules.state import STATE, States
from coatl.search.compiled import search
from coatl.search.settings import SearchSettings
from coatl.search.simulation import MAX_DEPTH, N_STATES, ROOT, NetworkEvaluator, Workspace
from coatl.search.tree import (
    ANY,
    Edge,
    Node,
    OpponentReply,
    SearchParameters,
    SearchTree,
    TreeStatistics,
)
from coatl.view import View
from coatl.view.checks import check_standard, check_turn

SLICE = 32  # simulations between two looks at the clock
TURN = 4  # searches that the room for a tree is meant for
MOST_NODES = 1 << 16  # a longer search goes on, but its tree grows no more
REPLIES = 1 << 16  # of others, kept; a power of two
EDGES_A_NODE = 16  # more than there are on average
UNDECIDED = 1 << 60  # a budget with which a choice is never made before its time


class Search:
    """One tree with its workspace; used again and again, by one thread at a time."""

    def __init__(self, policy: Policy, chances: Chances, settings: SearchSettings) -> None:
        check_chances(chances)
        self.settings, self._chances = settings, chances
        self._source = chances  # of the simulations' deals and draws
        self._before, self._budget = 0, 0
        self._tree = new_tree(_nodes_for(settings.simulations), MAX_DEPTH)
        self._networks = NetworkChoice(policy)
        self._evaluator = new_evaluator(self._networks.usual, REPLIES)
        self._workspace = new_workspace()

    def _take_seat(self, view: View) -> None:
        """Fit network, budget, tree and chance to the table."""
        self._evaluator = self._evaluator._replace(network=self._networks.of(view))
        settings, players = self.settings, int(view.known["n_players"][0])
        scenarios = settings.scenarios if players == 1 else settings.scenarios_with_others
        self._budget = settings.budget(players)
        if len(self._tree.nodes) < _nodes_for(self._budget):
            self._tree = new_tree(_nodes_for(self._budget), MAX_DEPTH)
        self._source = spawn_chances(self._chances) if scenarios else self._chances
        self._tree.parameters[0] = (
            view.seat,
            settings.explore,
            settings.reduce,
            settings.points,
            settings.others,
            scenarios,
            ANY,
        )

    def run(self, view: View, stop: np.ndarray[tuple[int], np.dtype[np.int8]]) -> None:
        """Grow the tree for a view, until the budget, the clock or `stop[0]` ends it.

        What an earlier decision of the same turn has found out counts.
        """
        check_turn(view)
        check_standard(view)
        check_array(stop, "stop", (1,), np.int8)
        seconds = self.settings.seconds
        self._take_seat(view)
        copy_records(self._workspace.states[ROOT : ROOT + 1], view.known)
        self._before = 0
        more = SLICE if seconds else self._budget
        made = self._simulate(stop, True, 0)
        # From here on: the first call of a process loads compiled code, which is no thinking.
        end = time.monotonic() + seconds if seconds else float("inf")
        self._before = int(self._tree.statistics["simulations"][0])
        while not made and time.monotonic() < end:
            made = self._simulate(stop, False, more)

    def force(
        self, decision: int, visits: int, stop: np.ndarray[tuple[int], np.dtype[np.int8]]
    ) -> None:
        """After `run`: more simulations that make one decision, until it has so many visits.

        A search hardly tries what it thinks little of; this tells how good such a decision is.
        """
        check_array(stop, "stop", (1,), np.int8)
        known = self.visits()
        if decision not in known:
            raise ValueError(f"decision {decision} is none of those that were searched")
        self._tree.parameters["forced"] = decision
        self._simulate(stop, False, max(0, visits - known[decision][0]), UNDECIDED)

    def estimate(
        self, view: View, simulations: int, stop: np.ndarray[tuple[int], np.dtype[np.int8]]
    ) -> float:
        """How likely the seat of a view is to win; it need not be its turn.

        Others play as the network would, up to the next choice of the seat.
        """
        check_standard(view)
        check_array(stop, "stop", (1,), np.int8)
        check_whole(view.seat, "the seat of the view", 0)
        self._take_seat(view)
        copy_records(self._workspace.states[ROOT : ROOT + 1], view.known)
        self._forget()
        self._simulate(stop, False, simulations, UNDECIDED)
        statistics = self._tree.statistics
        return float(statistics["total"][0] / max(int(statistics["simulations"][0]), 1))

    def _forget(self) -> None:
        """An empty tree, as `tree.clear_tree` makes it."""
        self._tree.slots[:] = 0
        for name in ("root", "n_nodes", "n_edges", "simulations", "total", "squares"):
            self._tree.statistics[name] = 0

    def _simulate(
        self,
        stop: np.ndarray[tuple[int], np.dtype[np.int8]],
        fresh: bool,
        more: int,
        budget: int | None = None,
    ) -> bool:
        """So many `more` simulations; the budget is that of the table unless another is given."""
        return search(
            self._evaluator,
            self._workspace,
            self._tree,
            self._source,
            stop,
            fresh,
            more,
            self._budget if budget is None else budget,
        )

    @property
    def simulations(self) -> int:
        """Those of the last run."""
        return int(self._tree.statistics["simulations"][0]) - self._before

    @property
    def evaluations(self) -> int:
        """How often the network was evaluated in this tree."""
        return int(self._tree.statistics["evaluations"][0])

    def visits(self) -> dict[int, tuple[int, float, float]]:
        """By decision: visits, mean value and prior of the root's edges."""
        if not self._tree.statistics["n_nodes"][0]:
            return {}
        root = self._tree.nodes[int(self._tree.statistics["root"][0])]
        edges = self._tree.edges[int(root.first) : int(root.first + root.n)]
        return {
            int(e.decision): (int(e.visits), float(e.total / max(e.visits, 1)), float(e.prior))
            for e in edges
        }


def _nodes_for(simulations: int) -> int:
    """How many nodes a tree has room for if its searches have so many simulations."""
    return min(TURN * simulations + 1, MOST_NODES)


def new_tree(nodes: int, depth: int, n: int = 1) -> SearchTree:
    """Room for a tree of so many nodes, or for `n` such trees; the memory is taken when used."""
    edges, slots = nodes * EDGES_A_NODE + N_ACTIONS, 1 << (2 * nodes).bit_length()
    return SearchTree(
        record_array(Node, n * nodes),
        record_array(Edge, n * edges),
        np.zeros(n * slots, np.int64),
        record_array(TreeStatistics, n),
        record_array(SearchParameters, n),
        np.zeros(n * depth, np.int64),
        np.zeros(n * depth, np.int64),
    )


def new_evaluator(network: Network, replies: int) -> NetworkEvaluator:
    """Asks a network, and remembers so many replies of others; a power of two."""
    return NetworkEvaluator(
        encoding_tables(),
        record_array(ReadingCache, 1),
        network,
        np.zeros(N_OBSERVED, np.int8),
        record_array(OpponentReply, replies),
    )


def new_workspace() -> Workspace:
    """Room for the position that a simulation has come to."""
    states, words = new_search_states()
    return Workspace(
        states,
        words,
        new_choices(),
        np.zeros(N_ACTIONS, np.int8),
        np.zeros(N_ACTIONS, np.int16),
        np.zeros(12, np.int64),
    )


def new_search_states() -> tuple[States, np.ndarray[tuple[int], np.dtype[np.int64]]]:
    """States for a search, and the last of them as whole words to be hashed."""
    length = -(-STATE.itemsize // 16) * 16
    before = (N_STATES - 1) * STATE.itemsize
    room = np.zeros(before + length + 16, np.int8)
    room = room[-(room.ctypes.data + before) % 8 :]
    states = room[: N_STATES * STATE.itemsize].view(STATE)
    words = room[before : before + length].view(np.int64)
    return cast("States", states), words


def spawn_chances(chances: Chances) -> Chances:
    """A generator of its own, seeded by another."""
    numbers = np.zeros(2, np.int64)
    numbers_below(chances, (1 << 32) - 1, numbers)
    return new_chance(f"search {numbers.tolist()}")
