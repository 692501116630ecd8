"""Plans two actions and an assembly ahead with a hand-written evaluation, in milliseconds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace

from coatl.compiler.arguments import check_finite
from coatl.compiler.records import copy_records, record_array
from coatl.heuristics import compiled
from coatl.heuristics.card_potential import deck_tables
from coatl.heuristics.evaluation import PositionEvaluator, PositionEvaluators
from coatl.heuristics.planning import ROOT, new_planning_workspace
from coatl.moves import Move
from coatl.rules.chance import Chances, check_chances
from coatl.view import View
from coatl.view.checks import check_moves


@dataclass(frozen=True, slots=True)
class PlannerWeights:
    """Weights of the evaluation; `heuristics.evaluation.EvaluationWeights` explains each."""

    complete: float = 8.0
    rush: float = 10.0
    win: float = 12.0
    win_margin: float = 3.0
    open_coatl: float = 0.95
    next_coatl: float = 0.6
    temple: float = 0.4
    card: float = 0.1
    body: float = 0.1
    usable_end: float = 0.8
    placed_end: float = 0.9
    token: float = 1.2
    assemble: float = 0.0
    next_turn: float = 0.9
    opponent_needs_one: float = 0.7
    opponent_can_end: float = 0.3


@dataclass(frozen=True, slots=True)
class PlannerDiscounts:
    """Factors of points not scored yet; `heuristics.projection.ProjectionDiscounts` has them."""

    in_hand: float = 0.9
    on_board: float = 0.96
    elsewhere: float = 0.74


WEIGHTS, DISCOUNTS = PlannerWeights(), PlannerDiscounts()
# No opponent completes Cóatl there, so it is no race: what counts is to be ahead at the end.
SOLO_WEIGHTS = replace(WEIGHTS, complete=3.0, win=30.0, win_margin=1.0)
MISSING_PIECE = 0.75  # what a level's points are multiplied by for each piece a card lacks


class PlannerPlayer:
    """Takes the decision after which its best next action is worth most."""

    def __init__(
        self,
        chances: Chances,
        weights: PlannerWeights = WEIGHTS,
        discounts: PlannerDiscounts = DISCOUNTS,
        missing_piece: float = MISSING_PIECE,
        solo_weights: PlannerWeights = SOLO_WEIGHTS,
    ) -> None:
        check_chances(chances)
        self._chances = chances
        self._missing_piece = check_finite(missing_piece, "the discount of a missing piece")
        self._evaluators = _new_evaluators(weights, discounts)
        self._solo_evaluators = _new_evaluators(solo_weights, discounts)
        self._workspace = new_planning_workspace()

    def choose(self, view: View, moves: Sequence[Move]) -> Move:
        if len(moves) == 1:
            return moves[0]
        check_moves(view, moves)
        root = self._workspace.states[ROOT : ROOT + 1]
        copy_records(root, view.sample(self._chances).records)
        solo = view.known["n_players"][0] == 1
        decision = compiled.planner_decision(
            deck_tables(view.deck, self._missing_piece),
            self._workspace,
            self._solo_evaluators if solo else self._evaluators,
            self._chances,
        )
        return next(move for move in moves if move.decision == decision)


def _new_evaluators(weights: PlannerWeights, discounts: PlannerDiscounts) -> PositionEvaluators:
    """An array of one, as compiled code takes it."""
    evaluators = record_array(PositionEvaluator, 1)
    for name, value in asdict(weights).items():
        evaluators["weights"][name] = check_finite(value, f"the weight {name}")
    for name, value in asdict(discounts).items():
        number = check_finite(value, f"the discount {name}")
        evaluators["projection"]["discounts"][name] = number
    return evaluators
