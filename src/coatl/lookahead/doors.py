"""The doors of thinking ahead. Each is given a sample of what a seat knows and uses no more."""

from __future__ import annotations

from coatl.lookahead.grids import Floats
from coatl.lookahead.plan import ROOT, SPARE, best_decision
from coatl.lookahead.playouts import flat_search
from coatl.lookahead.promises import Promises
from coatl.lookahead.worth import Outlooks, look_round
from coatl.rules.chance import Chances
from coatl.rules.jit import long_entry
from coatl.rules.kernel import ChoiceLists
from coatl.rules.records import Int64s
from coatl.rules.state import States
from coatl.rules.tables import CardTables


@long_entry
def planned(
    tables: CardTables,
    promised: Promises,
    states: States,
    outlooks: Outlooks,
    chances: Chances,
    choices: ChoiceLists,
    numbers: Floats,
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
    totals: Floats,
) -> int:
    """The place of the decision that flat Monte Carlo likes best; two states, two lists."""
    return flat_search(cards[0], states, playouts, chances[0], choices, scores, totals)
