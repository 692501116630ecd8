"""The truth of a game, for tests that change it behind the game's back."""

from __future__ import annotations

from coatl import Game
from coatl.game import states_of
from coatl.rules.state import StateRecord, States


def truth_of(game: Game) -> StateRecord:
    return states_of(game)[0]


def replace_truth(game: Game, states: States) -> None:
    """Let a game stand somewhere else; its log stays, with the events made so far."""
    game.all_events()
    game._state.restore(states[:1].tobytes())
    game._moves = game._read = None
