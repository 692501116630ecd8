"""Cóatl: the board game, complete. Rules, cards, positions and a fast kernel.

An unofficial fan project; the game is by Pascale Brassard and Etienne Dubois-Roy,
published by Synapses Games.
"""

from coatl._version import __version__
from coatl.errors import IllegalMove, NotationError, PositionError, Problem, RecordError
from coatl.game import Game, Outcome, Reason
from coatl.moves import Move
from coatl.rules.cards import Deck, DeckError, Prophecy, Temple, prophecies, temples
from coatl.rules.deckfile import load_deck

__all__ = [
    "Deck",
    "DeckError",
    "Game",
    "IllegalMove",
    "Move",
    "NotationError",
    "Outcome",
    "PositionError",
    "Problem",
    "Prophecy",
    "Reason",
    "RecordError",
    "Temple",
    "__version__",
    "load_deck",
    "prophecies",
    "temples",
]
