"""Plays games out: how many points a decision is worth, if the network goes on for everybody."""

from __future__ import annotations

import numpy as np

from coatl.compiler.arguments import check_array, check_whole
from coatl.compiler.records import copy_records
from coatl.net.choice import NetworkChoice
from coatl.net.weights import Policy
from coatl.rules.chance import Chances, check_chances
from coatl.search.playouts.compiled import play_out
from coatl.search.search import new_evaluator, new_tree, new_workspace
from coatl.search.simulation import ROOT
from coatl.view import View
from coatl.view.checks import check_standard, check_turn


class Playouts:
    """Used again and again, by one thread at a time."""

    def __init__(self, policy: Policy) -> None:
        self._networks = NetworkChoice(policy)
        self._evaluator = new_evaluator(self._networks.usual, replies=1)
        self._workspace = new_workspace()
        self._tree = new_tree(nodes=1, depth=1)  # only counts evaluations

    def lead(
        self,
        view: View,
        decision: int,
        games: int,
        deals: Chances,
        stop: np.ndarray[tuple[int], np.dtype[np.int8]],
    ) -> float:
        """By how many points the seat of a view leads at the end, on average, after a decision.

        More than the mean of the others, or than A.D.A.M. All seats go on with what the network
        likes best. The same `deals` give other decisions the same hidden cards and draws, so that
        they can be compared. If `stop[0]` is set meanwhile, the number means nothing.
        """
        check_turn(view)
        check_standard(view)
        check_chances(deals)
        check_array(stop, "stop", (1,), np.int8)
        check_whole(games, "the number of games", 1)
        if decision not in {move.decision for move in view.moves}:
            raise ValueError(f"decision {decision} is not legal")
        copy_records(self._workspace.states[ROOT : ROOT + 1], view.known)
        evaluator = self._evaluator._replace(network=self._networks.of(view))
        return play_out(
            evaluator, self._workspace, self._tree, deals, stop, view.seat, decision, games
        )
