"""The door of the search: more simulations in a tree that Python keeps.

It trusts its arguments; `coatl.players.search.Search` checks them.
"""

from __future__ import annotations

from coatl.compiler.arrays import Int8Row
from coatl.compiler.jit import long_entry
from coatl.compiler.packages import describe
from coatl.rules.chance import Chances
from coatl.search.simulation import Growth, Oracle, Table, find_root, simulate
from coatl.search.tree import is_decided

describe(__name__, "the search", 30)


@long_entry
def search(
    oracle: Oracle,
    table: Table,
    growth: Growth,
    chances: Chances,
    stop: Int8Row,
    fresh: bool,
    more: int,
    budget: int,
) -> bool:
    """At most so many `more` simulations; True if the choice is made. `fresh`: a new decision.

    It is made when the root has `budget` visits, or sooner (`tree.is_decided`).
    `stop[0]` ends the search from another thread.
    """
    nodes, edges, _, trees, _, _, _ = growth
    tree = trees[0]
    if fresh:
        find_root(table, growth, chances[0])
    for _ in range(more):
        if stop[0] != 0:
            return True
        if tree.n_nodes > 0 and is_decided(nodes[tree.root], edges, budget):
            return True
        simulate(oracle, table, growth, chances[0])
    return tree.n_nodes > 0 and is_decided(nodes[tree.root], edges, budget)
