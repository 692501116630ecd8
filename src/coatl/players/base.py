"""The interface of a player."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from coatl.rules.cards import standard_deck

if TYPE_CHECKING:  # so that the registry can be asked for names without loading the kernel
    from coatl.moves import Move
    from coatl.rules.chance import Chances
    from coatl.view import View


class Player(Protocol):
    """Anything with `choose` can play. A bot sees a view, never the truth.

    The constructor takes the generator that the player may draw from, so that a seed fixes a game.
    """

    def __init__(self, chances: Chances) -> None: ...

    def choose(self, view: View, moves: Sequence[Move]) -> Move:
        """One of `moves`, which are the legal ones and never empty."""
        ...


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
