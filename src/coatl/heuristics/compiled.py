"""What Python calls of the heuristics. Each uses only what the seat to move knows."""

from __future__ import annotations

from coatl.compiler.jit import long_entry
from coatl.compiler.packages import describe
from coatl.heuristics.card_potential import RIGHT, DeckTables
from coatl.heuristics.evaluation import PositionEvaluators, assess_opponents
from coatl.heuristics.planning import ROOT, SCRATCH, PlanningWorkspace, best_decision
from coatl.heuristics.playouts import PlayoutWorkspace, flat_monte_carlo
from coatl.rules.chance import Chances
from coatl.rules.tables import CardTables

describe(__name__, "the planner", 30)


@long_entry
def planner_decision(
    deck: DeckTables, workspace: PlanningWorkspace, evaluators: PositionEvaluators, chances: Chances
) -> int:
    """The planner's decision for the seat to move in `workspace.states[ROOT]`.

    That state is a sample of what the seat knows.
    """
    states, evaluator = workspace.states, evaluators[0]
    evaluator.seat = states[ROOT].current
    scratch = states[SCRATCH : SCRATCH + 1]
    assess_opponents(deck.cards[RIGHT], states, ROOT, scratch, evaluator)
    return best_decision(deck, workspace, evaluator, chances[0])


@long_entry
def monte_carlo_choice(
    cards: CardTables, workspace: PlayoutWorkspace, playouts: int, chances: Chances
) -> int:
    """The place, among the legal decisions, of the one that flat Monte Carlo prefers."""
    return flat_monte_carlo(cards[0], workspace, playouts, chances[0])
