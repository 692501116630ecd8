"""The ladder: opponents that were taught by self-play, from the easiest to the hardest.

What they learnt lies in a file of weights. Where it is missing or cannot be used `planner` stands
in, and whoever lists or seats them says so (`registry.stand_in_note`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from importlib import import_module
from typing import Any, ClassVar

from coatl.moves import Move
from coatl.players.base import Player
from coatl.players.planner import PlannerPlayer
from coatl.rules.chance import Chances
from coatl.view import View

STAND_IN = "planner"
MOST_SIMULATIONS = 1_000_000  # under a clock
_NETWORK, _SEARCH = "coatl.players.network", "coatl.players.search"


def why_no_weights() -> str | None:
    """Why the taught bots cannot play, in one line; None if they can."""
    try:
        network: Any = import_module(_NETWORK)
    except ModuleNotFoundError as error:
        if error.name != _NETWORK:
            raise
        return "this version has no network"
    try:
        network.load_policy()
    except network.WeightsError as error:
        return " ".join(str(error).split())
    return None


class Rung:
    """A player of the ladder, or its stand-in."""

    stand_in: bool

    def __init__(self, chances: Chances) -> None:
        self.stand_in = why_no_weights() is not None
        self._player: Player = PlannerPlayer(chances) if self.stand_in else self.taught(chances)

    def choose(self, view: View, moves: Sequence[Move]) -> Move:
        return self._player.choose(view, moves)

    def taught(self, chances: Chances) -> Player:
        raise NotImplementedError


class Artisan(Rung):
    """The network alone."""

    strength: ClassVar[str | None] = None  # the name of a `Strength`; None: as well as it can

    def taught(self, chances: Chances) -> Player:
        network: Any = import_module(_NETWORK)
        strength = None if self.strength is None else getattr(network, self.strength)
        player: Player = network.NetworkPlayer(chances, strength=strength)
        return player


class Apprentice(Artisan):
    strength = "APPRENTICE"


class Novice(Artisan):
    strength = "NOVICE"


class Priest(Rung):
    """The network and a little search."""

    searcher: ClassVar[str] = "Priest"
    simulations: ClassVar[int | None] = None  # None: as many as suit it
    seconds: ClassVar[float] = 0.0  # a decision; 0: no clock

    @classmethod
    def with_number(cls, simulations: int) -> type[Priest]:
        """What ``priest:100`` means."""
        return type(cls.__name__, (cls,), {"simulations": simulations})

    @classmethod
    def with_seconds(cls, seconds: float) -> type[Priest]:
        """What ``priest:2.5s`` means: as many simulations as fit into that time."""
        clocked = {"simulations": MOST_SIMULATIONS, "seconds": seconds}
        return type(cls.__name__, (cls,), clocked)

    def taught(self, chances: Chances) -> Player:
        searcher: Any = getattr(import_module(_SEARCH), self.searcher)
        settings = replace(searcher.settings, seconds=self.seconds)
        if self.simulations is not None:
            settings = replace(settings, simulations=self.simulations)
        player: Player = searcher(chances, settings=settings)
        return player


class HighPriest(Priest):
    searcher = "HighPriest"
