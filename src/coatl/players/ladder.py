"""The ladder: bots that learnt by self-play, from the easiest to the hardest.

What they learnt is in a file of weights. Where that file is missing or cannot be used, the fallback
bot plays in their place, and whoever lists or seats them says so (`registry.stand_in_note`).
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Self

from coatl.net.weights import Policy, WeightsError, load_policy
from coatl.players.base import Player
from coatl.players.bots import FALLBACK_BOT
from coatl.players.network import APPRENTICE, ARTISAN, NOVICE, NetworkPlayer, Strength
from coatl.players.registry import make_player
from coatl.players.search import HIGH_PRIEST, PRIEST, SearchPlayer
from coatl.rules.chance import Chances
from coatl.search.settings import SearchSettings

SIMULATIONS_UNDER_A_CLOCK = 1_000_000  # more than there is time for


def why_no_weights() -> str | None:
    """Why the bots of the ladder cannot play, in one line; None if they can."""
    try:
        load_policy()
    except WeightsError as error:
        return " ".join(str(error).split())
    return None


@dataclass(frozen=True)
class LadderBot:
    """Makes players that ask the shipped network, or one in a file of its own."""

    weights: Path | None = field(default=None, kw_only=True)

    def __call__(self, chances: Chances) -> Player:
        if self.weights is not None:
            return self._player(chances, load_policy(self.weights))
        if why_no_weights() is not None:
            return make_player(FALLBACK_BOT, chances)
        return self._player(chances, load_policy())

    def _player(self, chances: Chances, policy: Policy) -> Player:
        raise NotImplementedError

    def with_weights(self, file: str) -> Self:
        """What ``artisan@FILE`` means, such as an earlier edition; raises `WeightsError`."""
        path = Path(file).absolute()
        load_policy(path)
        return replace(self, weights=path)


@dataclass(frozen=True)
class NetworkBot(LadderBot):
    """Does not search."""

    strength: Strength

    def _player(self, chances: Chances, policy: Policy) -> Player:
        return NetworkPlayer(chances, policy, self.strength)


@dataclass(frozen=True)
class SearchBot(LadderBot):
    """Searches with the network."""

    settings: SearchSettings

    def _player(self, chances: Chances, policy: Policy) -> Player:
        return SearchPlayer(chances, policy, self.settings)

    def with_number(self, simulations: int) -> SearchBot:
        """What ``priest:100`` means."""
        return replace(self, settings=replace(self.settings, simulations=simulations))

    def with_seconds(self, seconds: float) -> SearchBot:
        """What ``priest:2.5s`` means: as many simulations as fit into that time."""
        settings = replace(self.settings, simulations=SIMULATIONS_UNDER_A_CLOCK, seconds=seconds)
        return replace(self, settings=settings)


# The table in `coatl.players.bots` refers to these by their names.
novice = NetworkBot(NOVICE)
apprentice = NetworkBot(APPRENTICE)
artisan = NetworkBot(ARTISAN)
priest = SearchBot(PRIEST)
high_priest = SearchBot(HIGH_PRIEST)
