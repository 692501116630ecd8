"""The search tree: a node is what the searching seat knows when it has to choose.

A node is found by a hash of the known state, so that paths through a turn that lead to the same
position meet in one node. What is drawn, and what others do, leads from one edge to several nodes;
an edge that has led to one node only has the value of that node, over all paths to it.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from coatl.compiler.functions import kernel
from coatl.compiler.records import Float64, Int16, Int64, Int64s, RecordArray

NO_NODE = -1
MANY = -2  # an edge that has led to several nodes
ANY = -1  # no decision is forced at the root
LEAST_SPREAD = 0.01  # of values
SURE, SOON = 0.95, 6  # an edge with this share of visits is chosen after 1/6 of the budget


class Node:
    key: Int64
    visits: Int64
    total: Float64  # of the values of all simulations through it
    first: Int64  # its first edge
    n: Int64  # number of edges


class Edge:
    decision: Int16
    prior: Float64
    visits: Int64
    total: Float64
    child: Int64  # a node, NO_NODE so far, or MANY


class TreeStatistics:
    """How much of the arrays of a tree is used, and how the values of its simulations spread."""

    n_nodes: Int64
    n_edges: Int64
    root: Int64  # the node that is being decided
    simulations: Int64
    evaluations: Int64  # by the network
    total: Float64
    squares: Float64


class OpponentReply:
    """What another seat did in a position, given the random number that it decided by."""

    key: Int64  # a hash of both
    decision: Int16


class SearchParameters:
    """How to search; see `coatl.search.settings.SearchSettings`."""

    seat: Int64
    explore: Float64
    reduce: Float64
    points: Float64
    others: Int64  # decisions of others to play before their position is evaluated
    scenarios: Int64  # that simulations take turns with; 0: each deals and draws anew
    forced: Int64  # the decision that every simulation makes at the root; ANY: whichever it selects


Nodes = RecordArray[Node]
Edges = RecordArray[Edge]
TreeStatisticsArray = RecordArray[TreeStatistics]
OpponentReplies = RecordArray[OpponentReply]
SearchParametersArray = RecordArray[SearchParameters]


class SearchTree(NamedTuple):
    """A tree, how it is searched, and the path of the simulation under way.

    Many trees of one size may lie one after another (`coatl.search.batched`).
    """

    nodes: Nodes
    edges: Edges
    slots: Int64s  # a hash table: 1 + node, or 0
    statistics: TreeStatisticsArray  # one
    parameters: SearchParametersArray  # one
    path: Int64s  # the nodes from the root on
    path_edges: Int64s  # the edge chosen at each of them


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
def find_node(tree: SearchTree, key: int) -> int:
    """The node with a key; if there is none, ~slot for it."""
    slots = tree.slots
    mask = len(slots) - 1
    slot = key & mask
    while slots[slot] != 0:
        node = int(slots[slot]) - 1
        if tree.nodes[node].key == key:
            return node
        slot = (slot + 1) & mask
    return ~slot


@kernel
def spread(statistics: TreeStatistics) -> float:
    """The standard deviation of the simulations' values."""
    n = statistics.simulations
    if n < 2:
        return LEAST_SPREAD
    mean = statistics.total / n
    return max(math.sqrt(max(statistics.squares / n - mean * mean, 0.0)), LEAST_SPREAD)


@kernel
def edge_value(nodes: Nodes, edge: Edge) -> float:
    """The mean value behind a visited edge."""
    if edge.child >= 0:
        return float(nodes[edge.child].total / nodes[edge.child].visits)
    return float(edge.total / edge.visits)


@kernel
def select(tree: SearchTree, node: int) -> int:
    """PUCT: the edge of a node with the best sum of value and bonus for few visits."""
    nodes, edges, parameters = tree.nodes, tree.edges, tree.parameters[0]
    unit = spread(tree.statistics[0])
    first, n = int(nodes[node].first), int(nodes[node].n)
    tried, visits = 0.0, 0
    for k in range(first, first + n):
        visits += int(edges[k].visits)
        if edges[k].visits > 0:
            tried += edges[k].prior
    untried = nodes[node].total / nodes[node].visits - parameters.reduce * unit * math.sqrt(tried)
    bonus = parameters.explore * unit * math.sqrt(visits + 1.0)
    best, best_score = first, -1e9
    for k in range(first, first + n):
        score = untried if edges[k].visits == 0 else edge_value(nodes, edges[k])
        score += bonus * edges[k].prior / (1.0 + edges[k].visits)
        if score > best_score:
            best, best_score = k, score
    return best


@kernel
def is_decided(tree: SearchTree, budget: int) -> bool:
    """The root's best edge cannot be overtaken, or has had nearly all visits for a while."""
    if tree.statistics[0].n_nodes == 0:
        return False
    root, edges = tree.nodes[tree.statistics[0].root], tree.edges
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
def note_child(tree: SearchTree, depth: int, node: int) -> None:
    """Note which node the last edge of the path has led to; no node at all counts as many."""
    if depth > 0:
        edge = tree.edges[tree.path_edges[depth - 1]]
        if node < 0 or (edge.child != NO_NODE and edge.child != node):
            edge.child = MANY
        else:
            edge.child = node


@kernel
def find_edge(tree: SearchTree, node: int, decision: int) -> int:
    """The edge of a node that makes a decision, which has to be one of them."""
    edge = int(tree.nodes[node].first)
    while tree.edges[edge].decision != decision:
        edge += 1
    return edge


@kernel
def take_edge(tree: SearchTree, node: int, depth: int) -> int:
    """Choose an edge of a node and put both on the path; the edge's decision."""
    note_child(tree, depth, node)
    forced = int(tree.parameters[0].forced)
    edge = find_edge(tree, node, forced) if depth == 0 and forced >= 0 else select(tree, node)
    tree.path[depth], tree.path_edges[depth] = node, edge
    return int(tree.edges[edge].decision)


@kernel
def back_up(tree: SearchTree, depth: int, value: float) -> None:
    """Add a simulation's value to all nodes and edges of its path."""
    nodes, edges, statistics = tree.nodes, tree.edges, tree.statistics[0]
    for k in range(depth):
        node, edge = nodes[tree.path[k]], edges[tree.path_edges[k]]
        node.visits += 1
        node.total += value
        edge.visits += 1
        edge.total += value
    statistics.simulations += 1
    statistics.total += value
    statistics.squares += value * value


@kernel
def clear_tree(tree: SearchTree) -> None:
    """Begin with an empty tree; `evaluations` go on counting."""
    for slot in range(len(tree.slots)):
        tree.slots[slot] = 0
    statistics = tree.statistics[0]
    statistics.root, statistics.n_nodes, statistics.n_edges = 0, 0, 0
    statistics.simulations = 0
    statistics.total, statistics.squares = np.float64(0), np.float64(0)
