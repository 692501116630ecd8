"""One search of many: it runs until it needs the network, and goes on when that has answered.

The same simulations as in `coatl.search.simulation`, interrupted where the network is needed.
"""

from __future__ import annotations

import math

from coatl.compiler.arrays import FloatRow, Int8Row
from coatl.compiler.functions import kernel
from coatl.compiler.records import Int64, RecordArray
from coatl.rules.apply import apply
from coatl.rules.chance import Chance, next_word
from coatl.rules.state import OVER
from coatl.rules.tables import Cards
from coatl.search.simulation import (
    NOW,
    Workspace,
    expand,
    final_value,
    find_root,
    make_probabilities,
    play_to_choice,
    return_to_root,
    sample_action,
)
from coatl.search.tree import (
    NO_NODE,
    SearchTree,
    back_up,
    find_node,
    hash_words,
    note_child,
    take_edge,
)

BEGIN, LEAF, OTHER, DONE = 0, 1, 2, 3  # what a search waits for


class Simulation:
    """How far a simulation has come; see `coatl.search.simulation.simulate`."""

    waits_for: Int64
    depth: Int64
    others: Int64  # decisions of other seats so far
    key: Int64
    node: Int64
    n: Int64  # actions


Simulations = RecordArray[Simulation]


@kernel
def begin_simulation(
    workspace: Workspace, tree: SearchTree, simulation: Simulation, chance: Chance
) -> None:
    return_to_root(workspace, tree, chance)
    simulation.depth, simulation.others = 0, 0


@kernel
def end_simulation(
    workspace: Workspace, tree: SearchTree, simulation: Simulation, chance: Chance, value: float
) -> None:
    """Back its value up, and begin the next one."""
    back_up(tree, int(simulation.depth), value)
    begin_simulation(workspace, tree, simulation, chance)


@kernel
def use_answer(
    cards: Cards,
    workspace: Workspace,
    tree: SearchTree,
    simulation: Simulation,
    chance: Chance,
    logits: FloatRow,
    values: FloatRow,
) -> None:
    """Do what the network's answer was needed for; `logits` become probabilities."""
    make_probabilities(logits, workspace.mask)
    if simulation.waits_for == OTHER:
        action = sample_action(logits, workspace.mask, int(next_word(chance)))
        decision = int(workspace.decisions[action])
        apply(cards, workspace.states[NOW], decision, chance, workspace.choices[0])
        simulation.others += 1
        return
    key, node = int(simulation.key), int(simulation.node)
    depth, n = int(simulation.depth), int(simulation.n)
    value = expand(workspace, tree, key, node, depth, n, values, logits)
    end_simulation(workspace, tree, simulation, chance, value)


@kernel
def simulate_until_waiting(
    cards: Cards,
    workspace: Workspace,
    tree: SearchTree,
    simulation: Simulation,
    chance: Chance,
    budget: int,
) -> None:
    """Simulate until the network is needed or `budget` is spent; `waits_for` says which."""
    words, state, legal = workspace.words, workspace.states[NOW], workspace.choices[0]
    parameters, statistics = tree.parameters[0], tree.statistics[0]
    while statistics.simulations < budget:
        simulation.n = play_to_choice(cards, workspace, chance)
        over, mine = state.phase == OVER, state.current == parameters.seat
        simulation.node = NO_NODE
        if mine and not over:
            simulation.key = hash_words(words, len(words))
            simulation.node = find_node(tree, int(simulation.key))
        if over:
            note_child(tree, int(simulation.depth), NO_NODE)
            value = final_value(cards, state, parameters, workspace.scores)
            end_simulation(workspace, tree, simulation, chance, value)
        elif simulation.node >= 0:
            decision = take_edge(tree, int(simulation.node), int(simulation.depth))
            simulation.depth += 1
            apply(cards, state, decision, chance, legal)
        else:
            at_leaf = mine or simulation.others >= parameters.others
            simulation.waits_for = LEAF if at_leaf else OTHER
            return
    simulation.waits_for = DONE


@kernel
def is_finite(mask: Int8Row, logits: FloatRow, values: FloatRow) -> bool:
    """Are the values and the logits of legal actions finite numbers?"""
    for action in range(len(mask)):
        if mask[action] and not math.isfinite(logits[action]):
            return False
    for k in range(len(values)):
        if not math.isfinite(values[k]):
            return False
    return True


@kernel
def advance(
    cards: Cards,
    workspace: Workspace,
    tree: SearchTree,
    simulation: Simulation,
    chance: Chance,
    logits: FloatRow,
    values: FloatRow,
    budget: int,
) -> None:
    """Begin a search, or go on with the network's answer."""
    if simulation.waits_for == BEGIN:
        tree.statistics[0].n_nodes = len(tree.nodes)  # so that the old tree is not used again
        find_root(workspace, tree, chance)
        begin_simulation(workspace, tree, simulation, chance)
    else:
        use_answer(cards, workspace, tree, simulation, chance, logits, values)
    simulate_until_waiting(cards, workspace, tree, simulation, chance, budget)


@kernel
def write_shares(tree: SearchTree, mask: Int8Row, shares: FloatRow) -> None:
    """The shares of the root's visits by action; its edges are the legal actions in order."""
    edges, root = tree.edges, tree.nodes[tree.statistics[0].root]
    edge, total = int(root.first), 0
    end = edge + int(root.n)
    for k in range(edge, end):
        total += int(edges[k].visits)
    for action in range(len(mask)):
        shares[action] = 0.0
        if mask[action] and edge < end:  # somebody may have written to the mask
            shares[action] = edges[edge].visits / total
            edge += 1
