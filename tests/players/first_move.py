"""A player of one's own, named as ``tests.players.first_move:FirstMove``."""

from __future__ import annotations

from collections.abc import Sequence

from coatl.moves import Move
from coatl.rules.chance import Chances
from coatl.view import View


class FirstMove:
    def __init__(self, chances: Chances) -> None:
        self.chances = chances

    def choose(self, view: View, moves: Sequence[Move]) -> Move:
        assert list(view.moves) == list(moves)
        return moves[0]
