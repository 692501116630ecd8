"""One search of many: it goes on until it needs the network, and from there when that has answered.

The same simulations as in `coatl.search.simulation`, cut where the network is asked.
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
    Growth,
    Table,
    deal,
    drawn_action,
    final_value,
    find_root,
    follow,
    grown,
    make_probabilities,
    note_child,
    to_choice,
)
from coatl.search.tree import NO_NODE, back_up, find_node, hash_words

BEGIN, LEAF, OTHER, DONE = 0, 1, 2, 3  # what a search waits for


class Walk:
    """Where a simulation has come to; see `coatl.search.simulation.simulate`."""

    waits_for: Int64
    depth: Int64
    others: Int64  # decisions of other seats so far
    key: Int64
    node: Int64
    n: Int64  # actions


Walks = RecordArray[Walk]


@kernel
def begin_simulation(table: Table, growth: Growth, walk: Walk, chance: Chance) -> None:
    deal(table[0], growth[4][0], growth[3][0], chance)
    walk.depth, walk.others = 0, 0


@kernel
def note_value(table: Table, growth: Growth, walk: Walk, chance: Chance, value: float) -> None:
    """The end of a simulation is the beginning of the next."""
    nodes, edges, _, trees, _, path, ways = growth
    back_up(nodes, edges, trees[0], path, ways, int(walk.depth), value)
    begin_simulation(table, growth, walk, chance)


@kernel
def hear(
    cards: Cards,
    table: Table,
    growth: Growth,
    walk: Walk,
    chance: Chance,
    logits: FloatRow,
    values: FloatRow,
) -> None:
    """Do what the network's answer was waited for."""
    states, _, choices, mask, decisions, _ = table
    make_probabilities(logits, mask)
    if walk.waits_for == OTHER:
        decision = int(decisions[drawn_action(logits, mask, int(next_word(chance)))])
        apply(cards, states[NOW], decision, chance, choices[0])
        walk.others += 1
        return
    value = grown(
        table, growth, int(walk.key), int(walk.node), int(walk.depth), int(walk.n), values, logits
    )
    note_value(table, growth, walk, chance, value)


@kernel
def go_on(
    cards: Cards, table: Table, growth: Growth, walk: Walk, chance: Chance, simulations: int
) -> None:
    """Simulate until the network is needed or all simulations are made; `waits_for` says which."""
    states, words, choices, mask, decisions, scores = table
    nodes, edges, slots, trees, plans, _, ways = growth
    state, legal, plan, tree = states[NOW], choices[0], plans[0], trees[0]
    while tree.simulations < simulations:
        walk.n = to_choice(cards, states, legal, chance, mask, decisions)
        over, mine = state.phase == OVER, state.current == plan.seat
        walk.node = NO_NODE
        if mine and not over:
            walk.key = hash_words(words, len(words))
            walk.node = find_node(nodes, slots, int(walk.key))
        if over:
            note_child(edges, ways, int(walk.depth), NO_NODE)
            value = final_value(cards, state, plan, scores)
            note_value(table, growth, walk, chance, value)
        elif walk.node >= 0:
            decision = follow(growth, int(walk.node), int(walk.depth))
            walk.depth += 1
            apply(cards, state, decision, chance, legal)
        else:
            walk.waits_for = LEAF if mine or walk.others >= plan.others else OTHER
            return
    walk.waits_for = DONE


@kernel
def is_answer(mask: Int8Row, logits: FloatRow, values: FloatRow) -> bool:
    """Are these numbers, as far as they count?"""
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
    table: Table,
    growth: Growth,
    walk: Walk,
    chance: Chance,
    logits: FloatRow,
    values: FloatRow,
    simulations: int,
) -> None:
    """Go on with one search."""
    if walk.waits_for == BEGIN:
        growth[3][0].n_nodes = len(growth[0])  # an old tree is in the way
        find_root(table, growth, chance)
        begin_simulation(table, growth, walk, chance)
    else:
        hear(cards, table, growth, walk, chance, logits, values)
    go_on(cards, table, growth, walk, chance, simulations)


@kernel
def note_visits(growth: Growth, mask: Int8Row, shares: FloatRow) -> None:
    """The shares of the root's visits by action; its edges are the legal actions in order."""
    nodes, edges, _, trees, _, _, _ = growth
    root = nodes[trees[0].root]
    edge, total = int(root.first), 0
    end = edge + int(root.n)
    for k in range(edge, end):
        total += int(edges[k].visits)
    for action in range(len(mask)):
        shares[action] = 0.0
        if mask[action] and edge < end:  # somebody may have written to the mask
            shares[action] = edges[edge].visits / total
            edge += 1
