"""The compiled entry point of the encoding: observation and legal actions of one known state.

It trusts its arguments; `coatl.players.network.ViewEvaluator` checks them.
"""

from __future__ import annotations

from typing import NamedTuple

from coatl.compiler.arrays import Int8Row, Int16Row
from coatl.compiler.jit import entry
from coatl.compiler.packages import describe
from coatl.encode.meanings import mark_legal
from coatl.encode.observe import ReadingCaches, observe
from coatl.encode.reach import EncodingTables
from coatl.rules.compiled import ChoiceLists
from coatl.rules.listing import list_legal
from coatl.rules.state import States

describe(__name__, "what bots see", 10)


class NetworkInput(NamedTuple):
    """A network's input for one decision, and what its actions mean."""

    observation: Int8Row
    mask: Int8Row  # 1: the action is legal
    decisions: Int16Row  # of the rules, by legal action


@entry
def encode(
    tables: EncodingTables,
    known: States,
    i: int,
    caches: ReadingCaches,
    choices: ChoiceLists,
    into: NetworkInput,
) -> int:
    """Observation and legal actions of the seat to move, from the state it knows.

    Returns the number of actions. `caches[0]` is zeroed before the first call of a game.
    """
    list_legal(tables.cards[0], known[i], choices[0])
    actions = mark_legal(known[i], choices[0], into.mask, into.decisions)
    observe(tables, known[i], caches[0], into.observation)
    return actions
