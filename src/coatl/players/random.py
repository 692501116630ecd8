"""Every legal move is as likely as any other."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from coatl.moves import Move
from coatl.rules.chance import Chances, numbers_below
from coatl.view import View


class RandomPlayer:
    """Draws once a decision, and not at all where there is no choice.

    `coatl.simulate` plays the very same games in compiled code.
    """

    def __init__(self, chances: Chances) -> None:
        self._chances = chances
        self._number = np.zeros(1, np.int64)

    def choose(self, view: View, moves: Sequence[Move]) -> Move:
        if len(moves) == 1:
            return moves[0]
        numbers_below(self._chances, len(moves), self._number)
        return moves[int(self._number[0])]
