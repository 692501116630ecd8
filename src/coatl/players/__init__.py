"""Whoever chooses moves from a view: the interface, a registry by name, and our own bots."""

from typing import TYPE_CHECKING

from coatl.players.base import Player
from coatl.players.registry import UnknownPlayer, make_player, player_names

if TYPE_CHECKING:
    from coatl.players.randomness import PlayerRandom

__all__ = ["Player", "PlayerRandom", "UnknownPlayer", "make_player", "player_names"]

if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        """The generator needs the kernel, which a list of names does not."""
        if name == "PlayerRandom":
            from coatl.players.randomness import PlayerRandom

            return PlayerRandom
        raise AttributeError(f"module 'coatl.players' has no attribute {name!r}")
