"""Flat Monte Carlo, for comparison: random games after every move, on samples of hidden cards."""

from __future__ import annotations

from collections.abc import Sequence

from coatl.compiler.arguments import check_whole
from coatl.compiler.records import copy_records
from coatl.heuristics import compiled
from coatl.heuristics.playouts import ROOT, new_playout_workspace
from coatl.moves import Move
from coatl.rules.chance import Chances, check_chances
from coatl.view import View
from coatl.view.checks import check_moves

PLAYOUTS = 200
MOST_PLAYOUTS = 1_000_000


class MonteCarloPlayer:
    """Plays `playouts` random games before each decision, equally many after every move."""

    playouts = PLAYOUTS

    def __init__(self, chances: Chances) -> None:
        check_chances(chances)
        self._chances = chances
        self._workspace = new_playout_workspace()

    @classmethod
    def with_number(cls, playouts: int) -> type[MonteCarloPlayer]:
        """What ``montecarlo:50`` means."""
        number = check_whole(playouts, "the number of playouts", 1, MOST_PLAYOUTS)
        return type(cls.__name__, (cls,), {"playouts": number})

    def choose(self, view: View, moves: Sequence[Move]) -> Move:
        if len(moves) == 1:
            return moves[0]
        check_moves(view, moves)
        root = self._workspace.states[ROOT : ROOT + 1]
        copy_records(root, view.sample(self._chances).records)
        best = compiled.monte_carlo_choice(
            view.cards, self._workspace, self.playouts, self._chances
        )
        return moves[best]
