"""The entry of the search: more simulations in a tree that Python keeps.

It trusts its arguments; `coatl.search.search.Search` checks them.
"""

from __future__ import annotations

from coatl.compiler.arrays import Int8Row
from coatl.compiler.jit import long_entry
from coatl.compiler.packages import describe
from coatl.rules.chance import Chances
from coatl.search.simulation import NetworkEvaluator, Workspace, find_root, simulate
from coatl.search.tree import SearchTree, is_decided

describe(__name__, "the search", 30)


@long_entry
def search(
    evaluator: NetworkEvaluator,
    workspace: Workspace,
    tree: SearchTree,
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
    if fresh:
        find_root(workspace, tree, chances[0])
    for _ in range(more):
        if stop[0] != 0 or is_decided(tree, budget):
            return True
        simulate(evaluator, workspace, tree, chances[0])
    return is_decided(tree, budget)
