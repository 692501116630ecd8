"""Whoever chooses moves from a view: the interface, a registry by name, and our own bots."""

from coatl.players.base import Player
from coatl.players.registry import make_player, player_names

__all__ = ["Player", "make_player", "player_names"]
