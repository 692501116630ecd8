"""The doors of thinking ahead. Each is given a sample of what a seat knows and uses no more."""

from __future__ import annotations

from coatl.compiler.arrays import DoubleRow
from coatl.compiler.jit import long_entry
from coatl.compiler.packages import describe
from coatl.compiler.records import Int64s
from coatl.heuristics.card_potential import Promises
from coatl.heuristics.evaluation import Outlooks, look_round
from coatl.heuristics.planning import ROOT, SPARE, best_decision
from coatl.heuristics.playouts import flat_search
from coatl.rules.chance import Chances
from coatl.rules.compiled import ChoiceLists
from coatl.rules.state import States
from coatl.rules.tables import CardTables

describe(__name__, "the planner", 30)


@long_entry
def planned(
    tables: CardTables,
    promised: Promises,
    states: States,
    outlooks: Outlooks,
    chances: Chances,
    choices: ChoiceLists,
    numbers: DoubleRow,
    wide: int,
    narrow: int,
) -> int:
    """The decision of the planner for the seat to move in `states[0]`; see `plan` for the room."""
    look = outlooks[0]
    look.seat = states[ROOT].current
    look_round(tables[0], states, ROOT, states[SPARE : SPARE + 1], look)
    return best_decision(tables, promised, states, look, chances[0], choices, numbers, wide, narrow)


@long_entry
def searched(
    cards: CardTables,
    states: States,
    playouts: int,
    chances: Chances,
    choices: ChoiceLists,
    scores: Int64s,
    totals: DoubleRow,
) -> int:
    """The place of the decision that flat Monte Carlo likes best; two states, two lists."""
    return flat_search(cards[0], states, playouts, chances[0], choices, scores, totals)
