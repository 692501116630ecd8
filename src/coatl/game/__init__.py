"""One running game: its log, events, undo and record."""

from coatl.game.game import Game, Outcome, states_of

__all__ = ["Game", "Outcome", "states_of"]
