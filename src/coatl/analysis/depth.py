"""How deep an analysis goes: how much is sampled and searched, and what counts as noise."""

from __future__ import annotations

from dataclasses import dataclass

from coatl.search.settings import SearchSettings

SCENARIOS = 16  # in solo, so that a search sees more than one turn ahead


@dataclass(frozen=True)
class Depth:
    """A stated effort. The margin was measured (docs/analysis.md)."""

    name: str
    samples: int  # of what is hidden from a spectator, for the chances after a turn
    simulations: int  # of the search before a decision, with two players (`SearchSettings.budget`)
    compared: int  # simulations that the best decision and the one played have at least
    margin: float  # a chance that differs by less is as good
    games: int  # played out after a decision, to see how many points it cost

    @property
    def settings(self) -> SearchSettings:
        return SearchSettings(simulations=self.simulations, scenarios=SCENARIOS)


DEPTHS = {
    depth.name: depth
    for depth in (
        Depth("quick", 8, 60, 24, 0.03, 8),
        Depth("normal", 32, 300, 100, 0.02, 16),
        Depth("deep", 128, 1500, 400, 0.01, 64),
    )
}
NORMAL = "normal"
