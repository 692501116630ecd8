"""The tree: nodes are what the searching seat knows when it has to choose.

A node is found by a hash of the known state, so that ways through a turn that lead to the same
position meet in one node. What is drawn, and what others do, leads from one edge to several nodes;
an edge that has led to one node only is worth what that node is worth, over all ways to it.
"""

from __future__ import annotations

import math

from coatl.compiler.functions import kernel
from coatl.compiler.records import Float64, Int16, Int64, Int64s, RecordArray

NO_NODE = -1
MANY = -2  # an edge that has led to several nodes
LEAST_SPREAD = 0.01  # of values
SURE, SOON = 0.95, 6  # an edge with this share of the visits is chosen after a sixth of them


class Node:
    key: Int64
    visits: Int64
    total: Float64  # of the values of all simulations through it
    first: Int64  # edge
    n: Int64  # edges


class Edge:
    decision: Int16
    prior: Float64
    visits: Int64
    total: Float64
    child: Int64  # a node, NO_NODE so far, or MANY


class Tree:
    """How much of the arrays is used, and how the values of the simulations are spread."""

    n_nodes: Int64
    n_edges: Int64
    root: Int64  # the node that is being decided
    simulations: Int64
    asked: Int64  # times the network was
    total: Float64
    squares: Float64


class Answer:
    """What somebody else did in a position, with what chance gave them to decide by."""

    question: Int64  # both of them, hashed
    decision: Int16


class Plan:
    """How to search; see `coatl.players.search.Plan`."""

    seat: Int64
    explore: Float64
    reduce: Float64
    points: Float64
    others: Int64  # decisions of others to play before their position is judged
    scenarios: Int64  # that simulations take turns with; 0: each deals and draws anew


Nodes = RecordArray[Node]
Edges = RecordArray[Edge]
Trees = RecordArray[Tree]
Answers = RecordArray[Answer]
Plans = RecordArray[Plan]


@kernel
def hash_words(words: Int64s, n: int) -> int:
    """64 bits that depend on each of the words."""
    a, b = 0x1234567, 0x7654321
    for i in range(0, n, 2):
        a = (a ^ words[i]) * 0x2545F4914F6CDD1D
        b = (b ^ words[i + 1]) * 0x369DEA0F31A53F85
        a ^= a >> 29
        b ^= b >> 31
    a = (a ^ (b << 1)) * 0x2545F4914F6CDD1D
    return a ^ (a >> 32)


@kernel
def find_node(nodes: Nodes, slots: Int64s, key: int) -> int:
    """The node with a key; if there is none, ~slot for it."""
    mask = len(slots) - 1
    slot = key & mask
    while slots[slot] != 0:
        node = int(slots[slot]) - 1
        if nodes[node].key == key:
            return node
        slot = (slot + 1) & mask
    return ~slot


@kernel
def spread(tree: Tree) -> float:
    """The standard deviation of the simulations' values."""
    if tree.simulations < 2:
        return LEAST_SPREAD
    mean = tree.total / tree.simulations
    return max(math.sqrt(max(tree.squares / tree.simulations - mean * mean, 0.0)), LEAST_SPREAD)


@kernel
def worth(nodes: Nodes, edge: Edge) -> float:
    """The mean value behind a visited edge."""
    if edge.child >= 0:
        return float(nodes[edge.child].total / nodes[edge.child].visits)
    return float(edge.total / edge.visits)


@kernel
def select(nodes: Nodes, edges: Edges, node: int, scale: float, reduce: float) -> int:
    """PUCT: the edge with the best worth and the most to be found out."""
    first, n = int(nodes[node].first), int(nodes[node].n)
    tried, visits = 0.0, 0
    for k in range(first, first + n):
        visits += int(edges[k].visits)
        if edges[k].visits > 0:
            tried += edges[k].prior
    untried = nodes[node].total / nodes[node].visits - reduce * math.sqrt(tried)
    bonus = scale * math.sqrt(visits + 1.0)
    best, best_score = first, -1e9
    for k in range(first, first + n):
        score = untried if edges[k].visits == 0 else worth(nodes, edges[k])
        score += bonus * edges[k].prior / (1.0 + edges[k].visits)
        if score > best_score:
            best, best_score = k, score
    return best


@kernel
def is_decided(root: Node, edges: Edges, budget: int) -> bool:
    """The root's best edge cannot be overtaken, or has had nearly all visits for a while."""
    first, second, simulations = 0, 0, int(root.visits)
    for k in range(root.first, root.first + root.n):
        visits = int(edges[k].visits)
        if visits > first:
            first, second = visits, first
        elif visits > second:
            second = visits
    if first - second >= budget - simulations:
        return True
    return simulations * SOON >= budget and first >= SURE * simulations


@kernel
def back_up(
    nodes: Nodes, edges: Edges, tree: Tree, path: Int64s, ways: Int64s, depth: int, value: float
) -> None:
    """Note a simulation's value along its way: `path` are nodes, `ways` the edges taken there."""
    for k in range(depth):
        nodes[path[k]].visits += 1
        nodes[path[k]].total += value
        edges[ways[k]].visits += 1
        edges[ways[k]].total += value
    tree.simulations += 1
    tree.total += value
    tree.squares += value * value
