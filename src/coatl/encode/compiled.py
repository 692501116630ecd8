"""The doors of the encoding: observation and legal actions of one known state.

They trust their arguments; `coatl.players.network.Asker` checks them.
"""

from __future__ import annotations

from coatl.compiler.arrays import Int8Row, Int16Row
from coatl.compiler.jit import entry
from coatl.compiler.packages import describe
from coatl.encode.meanings import mark_legal
from coatl.encode.observe import Memories, observe
from coatl.encode.reach import Reaches
from coatl.rules.compiled import ChoiceLists
from coatl.rules.listing import list_legal
from coatl.rules.state import States
from coatl.rules.tables import CardTables

describe(__name__, "what bots see", 10)


@entry
def encode(
    tables: CardTables,
    reaches: Reaches,
    known: States,
    i: int,
    memories: Memories,
    choices: ChoiceLists,
    observation: Int8Row,
    mask: Int8Row,
    decisions: Int16Row,
) -> int:
    """Observation and legal actions of the seat to move, from the state it knows.

    `decisions` tells for each legal action the decision that carries it out; the number of
    actions is returned. `memories[0]` is zeroed before the first call of a game.
    """
    list_legal(tables[0], known[i], choices[0])
    actions = mark_legal(known[i], choices[0], mask, decisions)
    right, left = reaches[0], reaches[1]
    observe(tables[0], tables[1], right, left, known[i], memories[0], observation)
    return actions
