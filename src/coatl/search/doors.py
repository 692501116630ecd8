"""The door of the search: more simulations in a tree that Python keeps."""

from __future__ import annotations

from coatl.encode.grids import FloatGrid, FloatRow, Int8Row, Int16Row
from coatl.encode.observe import Memories
from coatl.encode.reach import Reaches
from coatl.net.layers import SizesArray
from coatl.rules.chance import Chances
from coatl.rules.jit import long_entry
from coatl.rules.kernel import ChoiceLists
from coatl.rules.records import Int64s
from coatl.rules.state import States
from coatl.rules.tables import CardTables
from coatl.search.tree import Edges, Nodes, Plans, Trees, is_decided
from coatl.search.walk import find_root, simulate


@long_entry
def search(
    tables: CardTables,
    reaches: Reaches,
    states: States,
    words: Int64s,
    memories: Memories,
    weights: FloatRow,
    sizes: SizesArray,
    work: FloatGrid,
    rows: Int64s,
    x: Int8Row,
    mask: Int8Row,
    decisions: Int16Row,
    choices: ChoiceLists,
    chances: Chances,
    scores: Int64s,
    nodes: Nodes,
    edges: Edges,
    slots: Int64s,
    trees: Trees,
    plans: Plans,
    path: Int64s,
    ways: Int64s,
    stop: Int8Row,
    fresh: bool,
    more: int,
    budget: int,
) -> bool:
    """At most so many `more` simulations; True if the choice is made. `fresh`: a new decision.

    It is made when the root has `budget` visits, or sooner (`tree.is_decided`).
    `stop[0]` ends the search from another thread.
    """
    tree = trees[0]
    if fresh:
        find_root(states, words, nodes, slots, tree, plans[0], chances[0])
    for _ in range(more):
        if stop[0] != 0:
            return True
        if tree.n_nodes > 0 and is_decided(nodes[tree.root], edges, budget):
            return True
        simulate(
            tables,
            reaches,
            states,
            words,
            memories,
            weights,
            sizes,
            work,
            rows,
            x,
            mask,
            decisions,
            choices,
            chances[0],
            scores,
            nodes,
            edges,
            slots,
            tree,
            plans[0],
            path,
            ways,
        )
    return tree.n_nodes > 0 and is_decided(nodes[tree.root], edges, budget)
