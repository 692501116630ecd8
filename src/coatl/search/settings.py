"""How to search: the budget, and what weighs how much."""

from __future__ import annotations

from dataclasses import dataclass

from coatl.compiler.arguments import check_finite, check_whole

MOST_SIMULATIONS = 1_000_000_000
MOST_THREADS = 1024


@dataclass(frozen=True)
class SearchSettings:
    """How a player searches."""

    simulations: int = 500  # a decision, at most, with two players (see `budget`)
    solo_factor: int = 8  # times as many in solo, where nobody else's decisions take time
    seconds: float = 0.0  # a decision, at most; 0: however long it takes, so that a seed decides
    explore: float = 1.5  # how much prior and few visits count against the values
    reduce: float = 0.5  # how much worse than its node an untried move is assumed to be
    points: float = 0.0  # what 20 points count beside winning
    others: int = 99  # decisions of others to play before evaluating; many: up to the own next turn
    scenarios: int = 0  # in solo: ways chance may go, which simulations share; 0: each its own
    scenarios_with_others: int = 0  # the same where others play
    threads: int = 1  # trees side by side, whose visits are added

    def __post_init__(self) -> None:
        check_whole(self.simulations, "the number of simulations", 1, MOST_SIMULATIONS)
        check_whole(self.solo_factor, "the factor in solo", 1, MOST_SIMULATIONS)
        check_whole(self.others, "the number of others' decisions", 0, MOST_SIMULATIONS)
        check_whole(self.scenarios, "the number of scenarios", 0, MOST_SIMULATIONS)
        check_whole(self.scenarios_with_others, "the number of scenarios", 0, MOST_SIMULATIONS)
        check_whole(self.threads, "the number of threads", 1, MOST_THREADS)
        for name in ("seconds", "explore", "reduce", "points"):
            check_finite(getattr(self, name), name)

    def budget(self, players: int) -> int:
        """Simulations at a table: the more others play in between, the longer one takes."""
        if players == 1:
            return self.solo_factor * self.simulations
        return max(1, self.simulations // (players - 1))
