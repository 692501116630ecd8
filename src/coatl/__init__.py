"""Cóatl: the board game, complete. Rules, cards, positions and a fast kernel.

An unofficial fan project; the game is by Pascale Brassard and Etienne Dubois-Roy,
published by Synapses Games.
"""

from coatl._version import __version__
from coatl.errors import IllegalMove, NotationError, PositionError, Problem, RecordError
from coatl.events import Event
from coatl.game import Game, Outcome, Reason
from coatl.moves import Move
from coatl.options import OptionsError
from coatl.rules.cards import Deck, DeckError, Prophecy, Temple, prophecies, temples
from coatl.rules.deckfile import load_deck
from coatl.view import View

__all__ = [
    "Deck",
    "DeckError",
    "Event",
    "Game",
    "IllegalMove",
    "Move",
    "NotationError",
    "OptionsError",
    "Outcome",
    "PositionError",
    "Problem",
    "Prophecy",
    "Reason",
    "RecordError",
    "Temple",
    "View",
    "__version__",
    "load_deck",
    "prophecies",
    "temples",
]
