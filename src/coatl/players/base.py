"""The interface of a player."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

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
