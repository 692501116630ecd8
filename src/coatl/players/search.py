"""Players that search before each decision (`coatl.search`)."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from coatl.moves import Move
from coatl.net.weights import Policy, load_policy
from coatl.players.greedy import GreedyPlayer
from coatl.players.last_action import best_last_move
from coatl.players.network import ViewEvaluator, move_of
from coatl.rules.cards import standard_deck
from coatl.rules.chance import Chances
from coatl.search.search import Search, spawn_chances
from coatl.search.settings import SearchSettings
from coatl.view import View
from coatl.view.checks import check_moves

SCENARIOS = 16  # so that a search sees more than one turn ahead
MANY_SCENARIOS = 128  # where there are simulations enough for each


class SearchPlayer:
    """Searches before each decision; a seed gives the same moves on the same machine and build.

    `stop()` from another thread makes it answer at once with the best move so far.
    """

    settings = SearchSettings()
    reckons = True  # works out its last action

    def __init__(
        self,
        chances: Chances,
        policy: Policy | None = None,
        settings: SearchSettings | None = None,
    ) -> None:
        self.settings = settings or self.settings
        policy = policy or load_policy()
        self._evaluator = ViewEvaluator(policy)
        self._chances, self._greedy = chances, GreedyPlayer(chances)
        others = [spawn_chances(chances) for _ in range(1, self.settings.threads)]
        self._searches = [Search(policy, source, self.settings) for source in [chances, *others]]
        self._stop = np.zeros(1, np.int8)
        self.simulations = 0  # of the last decision; none where it needed no search

    def stop(self) -> None:
        self._stop[0] = 1

    def choose(self, view: View, moves: Sequence[Move]) -> Move:
        self._stop[0] = 0
        self.simulations = 0
        if len(moves) == 1:
            return moves[0]
        check_moves(view, moves)
        if view.deck != standard_deck():
            return self._greedy.choose(view, moves)
        if self.reckons and (move := best_last_move(view, self._chances)) is not None:
            return move
        legal = self._evaluator.observe(view)
        if len(legal) == 1:
            return move_of(moves, int(self._evaluator.decisions[legal[0]]))
        if len(self._searches) == 1:
            self._searches[0].run(view, self._stop)
        else:
            with ThreadPoolExecutor(len(self._searches)) as pool:
                list(pool.map(lambda one: one.run(view, self._stop), self._searches))
        self.simulations = sum(one.simulations for one in self._searches)
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
        """What the network would do, where there was no time for a single simulation."""
        logits, _ = self._evaluator.evaluate()
        return int(self._evaluator.decisions[legal[logits[legal].argmax()]])


# A short search: the median turn takes a tenth of a second.
PRIEST = SearchSettings(simulations=600, scenarios=SCENARIOS)
# The longest search: it looks ahead to its next turn, and takes a tenth of a second.
HIGH_PRIEST = SearchSettings(
    simulations=2800, solo_factor=5, scenarios=MANY_SCENARIOS, scenarios_with_others=SCENARIOS
)
