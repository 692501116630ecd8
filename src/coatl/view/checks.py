"""What players and searches ask of a view before they choose."""

from __future__ import annotations

from collections.abc import Sequence

from coatl.moves import Move
from coatl.rules.cards import standard_deck
from coatl.view.view import View


def check_turn(view: View) -> None:
    """Raises ValueError if it is not the turn of the view's seat."""
    if not view.moves:
        raise ValueError("nothing is to be decided here: it is not the turn of this view's seat")


def check_standard(view: View) -> None:
    """Raises ValueError if a view is of another deck: the network knows the standard cards only."""
    if view.deck != standard_deck():
        raise ValueError("the network knows the standard cards only")


def check_moves(view: View, moves: Sequence[Move]) -> None:
    """Raises ValueError if these are not the legal moves of a view, in their order."""
    check_turn(view)
    if moves is not view.moves and list(moves) != list(view.moves):
        raise ValueError("a player chooses from `view.moves`, all of them")
