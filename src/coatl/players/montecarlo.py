"""Flat Monte Carlo, the yardstick: random games after every move, on samples of what is hidden."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from coatl.compiler.arguments import check_whole
from coatl.compiler.records import copy_records
from coatl.heuristics import compiled
from coatl.moves import Move
from coatl.rules.chance import Chances, check_chances
from coatl.rules.decisions import N_DECISIONS, new_choices
from coatl.rules.state import new_states
from coatl.view import View
from coatl.view.checks import check_moves

PLAYOUTS = 200
MOST_PLAYOUTS = 1_000_000


class MonteCarloPlayer:
    """Plays out as many random games a decision as it is told, equally many for every move."""

    playouts = PLAYOUTS

    def __init__(self, chances: Chances) -> None:
        check_chances(chances)
        self._chances = chances
        self._states = new_states(2)
        self._choices = new_choices(2)
        self._scores = np.zeros(12, np.int64)
        self._totals = np.zeros(N_DECISIONS)

    @classmethod
    def with_number(cls, playouts: int) -> type[MonteCarloPlayer]:
        """What ``montecarlo:50`` means."""
        number = check_whole(playouts, "the number of playouts", 1, MOST_PLAYOUTS)
        return type(cls.__name__, (cls,), {"playouts": number})

    def choose(self, view: View, moves: Sequence[Move]) -> Move:
        if len(moves) == 1:
            return moves[0]
        check_moves(view, moves)
        copy_records(self._states[:1], view.sample(self._chances).records)
        best = compiled.searched(
            view.cards,
            self._states,
            self.playouts,
            self._chances,
            self._choices,
            self._scores,
            self._totals,
        )
        return moves[best]
