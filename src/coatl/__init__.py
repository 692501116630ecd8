"""Cóatl: the board game, complete. Rules, cards, positions, bots and a fast engine.

An unofficial fan project; the game is by Pascale Brassard and Etienne Dubois-Roy,
published by Synapses Games.

Names are imported when they are first used, so that ``coatl --help`` need not load the compiler.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from coatl._version import __version__

if TYPE_CHECKING:
    from coatl import svg
    from coatl.assembly import Assembly, ClosedCoatl
    from coatl.errors import IllegalMove, NotationError, PositionError, Problem, RecordError
    from coatl.events import Event, EventKind, Spot, SpotKind
    from coatl.game import Game, Outcome
    from coatl.moves import Move, MoveKind, Side, Token
    from coatl.options import Options, OptionsError
    from coatl.players import Player, PlayerRandom, UnknownPlayer, make_player, player_names
    from coatl.reasons import Reason
    from coatl.rules.cards import Deck, DeckError, Prophecy, Temple, prophecies, temples
    from coatl.rules.deckfile import load_deck
    from coatl.simulate import GameResult, play_out
    from coatl.state import State
    from coatl.view import View

_HOMES = {
    "coatl.assembly": ("Assembly", "ClosedCoatl"),
    "coatl.errors": ("IllegalMove", "NotationError", "PositionError", "Problem", "RecordError"),
    "coatl.events": ("Event", "EventKind", "Spot", "SpotKind"),
    "coatl.game.game": ("Game", "Outcome"),
    "coatl.moves": ("Move", "MoveKind", "Side", "Token"),
    "coatl.options": ("Options", "OptionsError"),
    "coatl.players.base": ("Player",),
    "coatl.players.randomness": ("PlayerRandom",),
    "coatl.players.registry": ("UnknownPlayer", "make_player", "player_names"),
    "coatl.reasons": ("Reason",),
    "coatl.rules.cards": ("Deck", "DeckError", "Prophecy", "Temple", "prophecies", "temples"),
    "coatl.rules.deckfile": ("load_deck",),
    "coatl.simulate": ("GameResult", "play_out"),
    "coatl.state": ("State",),
    "coatl.view.view": ("View",),
}
_MODULES = ("svg",)
_HOME_OF = {name: module for module, names in _HOMES.items() for name in names}

__all__ = [
    "Assembly",
    "ClosedCoatl",
    "Deck",
    "DeckError",
    "Event",
    "EventKind",
    "Game",
    "GameResult",
    "IllegalMove",
    "Move",
    "MoveKind",
    "NotationError",
    "Options",
    "OptionsError",
    "Outcome",
    "Player",
    "PlayerRandom",
    "PositionError",
    "Problem",
    "Prophecy",
    "Reason",
    "RecordError",
    "Side",
    "Spot",
    "SpotKind",
    "State",
    "Temple",
    "Token",
    "UnknownPlayer",
    "View",
    "__version__",
    "load_deck",
    "make_player",
    "play_out",
    "player_names",
    "prophecies",
    "svg",
    "temples",
]

if not TYPE_CHECKING:  # a type checker that saw this would believe in any name

    def __getattr__(name: str) -> object:
        if name in _MODULES:
            return import_module(f"coatl.{name}")
        if name not in _HOME_OF:
            raise AttributeError(f"module 'coatl' has no attribute {name!r}")
        value = getattr(import_module(_HOME_OF[name]), name)
        globals()[name] = value
        return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
