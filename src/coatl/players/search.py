"""Players that search: what would come of each move, on many guesses at the hidden cards.

Each simulation plays on a guess at the hidden cards (`view.sample` in compiled code), so that no
choice can rest on knowing them. Own decisions are chosen by PUCT, those of others as the network
would play; where a simulation leaves the tree the network says how likely the seat is to win.

After what is drawn, or what others do, a simulation is hardly ever where another has been: there it
leaves the tree. Where chance goes one of a few ways (scenarios), simulations meet again in later
turns. Within a scenario the search comes to know what will be drawn and done, hence several.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import cast

import numpy as np

from coatl.compiler.arguments import check_array, check_finite, check_whole
from coatl.compiler.records import copy_records, record_array
from coatl.encode import layout as at
from coatl.encode.meanings import N_ACTIONS
from coatl.encode.observe import Memory
from coatl.encode.reach import both_ways, reaches
from coatl.moves import Move
from coatl.net import layers
from coatl.net.weights import Policy, load_policy
from coatl.players.base import check_moves, check_standard, check_turn
from coatl.players.greedy import GreedyPlayer
from coatl.players.network import Asker, move_of
from coatl.rules.cards import standard_deck
from coatl.rules.chance import Chances, check_chances, new_chance, numbers_below
from coatl.rules.decisions import new_choices
from coatl.rules.state import STATE, States
from coatl.search import tree as trees
from coatl.search.compiled import search
from coatl.search.simulation import MAX_DEPTH, N_STATES, ROOT, Oracle, Table
from coatl.view import View

SOLO = 6  # times as many simulations as with two players
SCENARIOS = 16  # so that a search sees more than one turn ahead
SLICE = 32  # simulations between two looks at the clock
TURN = 4  # searches that the room for a tree is meant for
MOST_NODES = 1 << 16  # a longer search goes on, but its tree grows no more
ANSWERS = 1 << 16  # of others, kept; a power of two
EDGES_A_NODE = 16  # more than there are on average
MOST_SIMULATIONS = 1_000_000_000
MOST_THREADS = 1024


@dataclass(frozen=True)
class Plan:
    """How a player searches."""

    simulations: int = 500  # a decision, at most, with two players (see `budget`)
    seconds: float = 0.0  # a decision, at most; 0: however long it takes, so that a seed decides
    explore: float = 1.5  # how much prior and few visits count against the values
    reduce: float = 0.5  # how much worse an untried move is thought to be
    points: float = 0.0  # what 20 points count beside winning
    others: int = 99  # decisions of others to play before judging; many: up to the own next turn
    scenarios: int = 0  # in solo: ways chance may go, which simulations share; 0: each its own
    scenarios_with_others: int = 0  # the same where others play
    threads: int = 1  # trees side by side, whose visits are added

    def __post_init__(self) -> None:
        check_whole(self.simulations, "the number of simulations", 1, MOST_SIMULATIONS)
        check_whole(self.others, "the number of others' decisions", 0, MOST_SIMULATIONS)
        check_whole(self.scenarios, "the number of scenarios", 0, MOST_SIMULATIONS)
        check_whole(self.scenarios_with_others, "the number of scenarios", 0, MOST_SIMULATIONS)
        check_whole(self.threads, "the number of threads", 1, MOST_THREADS)
        for name in ("seconds", "explore", "reduce", "points"):
            check_finite(getattr(self, name), name)

    def budget(self, players: int) -> int:
        """Simulations at a table: one takes the longer, the more others play in between."""
        if players == 1:
            return SOLO * self.simulations
        return max(1, self.simulations // (players - 1))


class Search:
    """One tree with its room; used again and again, by one thread at a time."""

    def __init__(self, policy: Policy, chances: Chances, plan: Plan) -> None:
        check_chances(chances)
        self.plan, self._chances = plan, chances
        self._source = chances  # of the simulations' deals and draws
        self._make_room(plan.simulations)
        self._before, self._budget = 0, 0
        self._plan = record_array(trees.Plan, 1)
        words, self._states = states_of_words()
        self._oracle: Oracle = (
            both_ways(),
            reaches(),
            record_array(Memory, 1),
            policy.weights,
            policy.sizes,
            np.zeros((layers.N_ROWS, layers.ROOM), np.float32),
            np.zeros(layers.ROOM, np.int64),
            np.zeros(at.N_OBSERVED, np.int8),
            record_array(trees.Answer, ANSWERS),
        )
        self._table: Table = (
            self._states,
            words,
            new_choices(),
            np.zeros(N_ACTIONS, np.int8),
            np.zeros(N_ACTIONS, np.int16),
            np.zeros(12, np.int64),
        )
        self._path = np.zeros(MAX_DEPTH, np.int64)
        self._ways = np.zeros(MAX_DEPTH, np.int64)

    def _make_room(self, simulations: int) -> None:
        """For searches of so many simulations; the memory is taken when it is used."""
        size = _nodes_for(simulations)
        self._nodes = record_array(trees.Node, size)
        self._edges = record_array(trees.Edge, size * EDGES_A_NODE + N_ACTIONS)
        self._slots = np.zeros(1 << (2 * size).bit_length(), np.int64)
        self._tree = record_array(trees.Tree, 1)

    def _take_seat(self, view: View) -> None:
        """Fit budget, room and chance to the table."""
        plan, players = self.plan, int(view.known["n_players"][0])
        scenarios = plan.scenarios if players == 1 else plan.scenarios_with_others
        self._budget = plan.budget(players)
        if len(self._nodes) < _nodes_for(self._budget):
            self._make_room(self._budget)
        self._source = _other_chances(self._chances) if scenarios else self._chances
        self._plan[0] = (
            view.seat,
            plan.explore,
            plan.reduce,
            plan.points,
            plan.others,
            scenarios,
        )

    def run(self, view: View, stop: np.ndarray[tuple[int], np.dtype[np.int8]]) -> None:
        """Grow the tree for a view, until the budget, the clock or `stop[0]` ends it.

        What an earlier decision of the same turn has found out counts.
        """
        check_turn(view)
        check_standard(view)
        check_array(stop, "stop", (1,), np.int8)
        plan = self.plan
        self._take_seat(view)
        copy_records(self._states[ROOT : ROOT + 1], view.known)
        self._before = 0
        more = SLICE if plan.seconds else self._budget
        end = time.monotonic() + plan.seconds if plan.seconds else float("inf")
        made = self._simulate(stop, True, 0)
        self._before = int(self._tree["simulations"][0])
        while not made and time.monotonic() < end:
            made = self._simulate(stop, False, more)

    def _simulate(
        self, stop: np.ndarray[tuple[int], np.dtype[np.int8]], fresh: bool, more: int
    ) -> bool:
        growth = (
            self._nodes,
            self._edges,
            self._slots,
            self._tree,
            self._plan,
            self._path,
            self._ways,
        )
        return search(
            self._oracle, self._table, growth, self._source, stop, fresh, more, self._budget
        )

    @property
    def simulations(self) -> int:
        """Those of the last run."""
        return int(self._tree["simulations"][0]) - self._before

    @property
    def asked(self) -> int:
        """How often the network was, in all."""
        return int(self._tree["asked"][0])

    def visits(self) -> dict[int, tuple[int, float, float]]:
        """By decision: visits, mean value and prior of the root's edges."""
        if not self._tree["n_nodes"][0]:
            return {}
        root = self._nodes[int(self._tree["root"][0])]
        edges = self._edges[int(root.first) : int(root.first + root.n)]
        return {
            int(e.decision): (int(e.visits), float(e.total / max(e.visits, 1)), float(e.prior))
            for e in edges
        }


def _nodes_for(simulations: int) -> int:
    """How many nodes a tree has room for if its searches have so many simulations."""
    return min(TURN * simulations + 1, MOST_NODES)


def states_of_words() -> tuple[np.ndarray[tuple[int], np.dtype[np.int64]], States]:
    """States for a search, the last of them also seen as whole words to be hashed."""
    length = -(-STATE.itemsize // 16) * 16
    before = (N_STATES - 1) * STATE.itemsize
    room = np.zeros(before + length + 16, np.int8)
    room = room[-(room.ctypes.data + before) % 8 :]
    states = room[: N_STATES * STATE.itemsize].view(STATE)
    words = room[before : before + length].view(np.int64)
    return words, cast("States", states)


class SearchPlayer:
    """Searches before each decision; a seed gives the same moves on the same machine and build.

    `stop()` from another thread makes it answer at once with the best move so far.
    """

    plan = Plan()

    def __init__(
        self, chances: Chances, policy: Policy | None = None, plan: Plan | None = None
    ) -> None:
        self.plan = plan or self.plan
        policy = policy or load_policy()
        self._asker = Asker(policy)
        self._greedy = GreedyPlayer(chances)
        self._searches = [
            Search(policy, source, self.plan)
            for source in [chances, *(_other_chances(chances) for _ in range(1, self.plan.threads))]
        ]
        self._stop = np.zeros(1, np.int8)

    def stop(self) -> None:
        self._stop[0] = 1

    def choose(self, view: View, moves: Sequence[Move]) -> Move:
        self._stop[0] = 0
        if len(moves) == 1:
            return moves[0]
        check_moves(view, moves)
        if view.deck != standard_deck():
            return self._greedy.choose(view, moves)
        legal = self._asker.look(view)
        if len(legal) == 1:
            return move_of(moves, int(self._asker.decisions[legal[0]]))
        if len(self._searches) == 1:
            self._searches[0].run(view, self._stop)
        else:
            with ThreadPoolExecutor(len(self._searches)) as pool:
                list(pool.map(lambda one: one.run(view, self._stop), self._searches))
        decision = self._best()
        return move_of(moves, self._likeliest(legal) if decision is None else decision)

    def _best(self) -> int | None:
        """The decision with the most visits; of equals the one with the better prior."""
        found: dict[int, tuple[int, float]] = {}
        for one in self._searches:
            for decision, (visits, _, prior) in one.visits().items():
                found[decision] = (found.get(decision, (0, 0.0))[0] + visits, prior)
        return max(found, key=lambda decision: found[decision], default=None)

    def _likeliest(self, legal: np.ndarray[tuple[int], np.dtype[np.intp]]) -> int:
        """Where there was no time at all: what the network would do."""
        logits, _ = self._asker.ask()
        return int(self._asker.decisions[legal[logits[legal].argmax()]])

    @property
    def simulations(self) -> int:
        """Those of the last search."""
        return sum(one.simulations for one in self._searches)


def _other_chances(chances: Chances) -> Chances:
    """A generator of its own, seeded by another."""
    numbers = np.zeros(2, np.int64)
    numbers_below(chances, (1 << 32) - 1, numbers)
    return new_chance(f"search {numbers.tolist()}")


# A little search: the median turn takes an eighth of a second.
PRIEST = Plan(simulations=600, scenarios=SCENARIOS)
# The longest search: it looks ahead to its next turn, and takes a quarter of a second.
HIGH_PRIEST = Plan(simulations=4000, scenarios=SCENARIOS, scenarios_with_others=SCENARIOS)
