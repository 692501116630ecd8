"""One simulation: through the tree on a completion of what the seat knows, to a judged position."""

from __future__ import annotations

import math

import numpy as np

from coatl.compiler.arrays import FloatGrid, FloatRow, Int8Row, Int16Row
from coatl.compiler.functions import kernel
from coatl.compiler.records import Int64s
from coatl.encode.meanings import N_ACTIONS, mark_legal
from coatl.encode.observe import Memories, observe
from coatl.encode.reach import Reaches
from coatl.net.layers import LOGITS, POINTS, VALUES, WIN, SizesArray, judge_actions, judge_values
from coatl.rules.apply import apply
from coatl.rules.chance import Chance, next_word, restart
from coatl.rules.compiled import ChoiceLists
from coatl.rules.decisions import Choices
from coatl.rules.knowledge import complete, redact
from coatl.rules.listing import list_legal
from coatl.rules.scoring import POINTS as SCORED
from coatl.rules.scoring import final_scores, winners
from coatl.rules.state import OVER, StateRecord, States
from coatl.rules.tables import Cards, CardTables
from coatl.search.tree import (
    MANY,
    NO_NODE,
    Answers,
    Edges,
    Nodes,
    Plan,
    Plans,
    Tree,
    Trees,
    back_up,
    find_node,
    hash_words,
    select,
    spread,
)

Oracle = tuple[
    CardTables, Reaches, Memories, FloatRow, SizesArray, FloatGrid, Int64s, Int8Row, Answers
]
"""What it takes to ask the network: the cards and their reaches, a memory, weights and sizes, room
for the layers and for the rows that count, an observation, and what it made others do before."""
Table = tuple[States, Int64s, ChoiceLists, Int8Row, Int16Row, Int64s]
"""Where a simulation plays: the states, the last of them as words, what is legal, the same as a
mask of actions and as decisions by action, and scores."""
Growth = tuple[Nodes, Edges, Int64s, Trees, Plans, Int64s, Int64s]
"""A tree and the plan for it, with the way of a simulation: nodes, and the edges taken there."""

MAX_DEPTH = 512  # own decisions on one way
ROOT, NOW, KNOWN = 0, 1, 2  # the states: what the seat knows, a completion, what the mover knows
N_STATES = 3
POINTS_UNIT = 20.0
NO_ACTION = -1


@kernel
def final_value(cards: Cards, state: StateRecord, plan: Plan, scores: Int64s) -> float:
    """What the end of a game is worth for the searching seat."""
    final_scores(cards, state, scores)
    best = winners(state, scores)
    tied = 0
    for seat in range(state.n_players):
        tied += (best >> seat) & 1
    share = 1.0 / tied if (best >> int(plan.seat)) & 1 else 0.0
    return share + plan.points * int(scores[3 * int(plan.seat) + SCORED]) / POINTS_UNIT


@kernel
def look(
    tables: CardTables, reaches: Reaches, memories: Memories, known: StateRecord, x: Int8Row
) -> None:
    """The observation of the seat to move; what is remembered is of another position."""
    for k in range(len(memories[0].readings)):
        memories[0].readings[k].length = 0
    observe(tables[0], tables[1], reaches[0], reaches[1], known, memories[0], x)


@kernel
def ask(oracle: Oracle, known: StateRecord, mask: Int8Row, values_only: bool) -> None:
    """The network about the seat to move; the legal actions' probabilities in row LOGITS."""
    tables, reaches, memories, weights, sizes, work, rows, x, _ = oracle
    look(tables, reaches, memories, known, x)
    place = judge_values(x, weights, sizes[0], work, rows)
    if not values_only:
        judge_actions(weights, place, sizes[0], work, rows)
        make_probabilities(work[LOGITS], mask)


@kernel
def make_probabilities(logits: FloatRow, mask: Int8Row) -> None:
    """Logits of the legal actions to probabilities, in place; the others get 0."""
    highest = -math.inf
    for action in range(N_ACTIONS):
        if mask[action] and logits[action] > highest:
            highest = float(logits[action])
    total = 0.0
    for action in range(N_ACTIONS):
        odds = math.exp(float(logits[action]) - highest) if mask[action] else 0.0
        logits[action] = odds
        total += odds
    for action in range(N_ACTIONS):
        logits[action] = logits[action] / total


@kernel
def drawn_action(probabilities: FloatRow, mask: Int8Row, word: int) -> int:
    """An action, as likely as the network plays it; `word` is what chance gives.

    A network whose sums are too big for numbers gives no probabilities: any legal action then.
    """
    left = float(word) / 4294967296.0
    last = NO_ACTION
    for action in range(N_ACTIONS):
        if probabilities[action] > 0:
            last = action
            left -= probabilities[action]
            if left < 0:
                break
    if last == NO_ACTION:
        for action in range(N_ACTIONS):
            if mask[action]:
                last = action
    return last


@kernel
def judged(values: FloatRow, seat: int, players: int, plan: Plan) -> float:
    """The network's value for the searching seat, asked about `seat`."""
    win = 1.0 / (1.0 + math.exp(-float(values[WIN])))
    if seat == plan.seat:
        return win + plan.points * float(values[POINTS])
    return (1.0 - win) / (players - 1)


@kernel
def add_node(
    table: Table, growth: Growth, key: int, value: float, probabilities: FloatRow, n: int
) -> None:
    """A node with its first value and its edges, if there is room."""
    _, _, _, mask, decisions, _ = table
    nodes, edges, slots, trees, _, _, _ = growth
    tree = trees[0]
    at, first = int(tree.n_nodes), int(tree.n_edges)
    if at >= len(nodes) or first + n > len(edges):
        return
    node = nodes[at]
    node.key, node.visits, node.total = key, 1, np.float64(value)
    node.first, node.n = first, n
    for action in range(N_ACTIONS):
        if mask[action]:
            edge = edges[first]
            edge.decision, edge.prior = decisions[action], probabilities[action]
            edge.visits, edge.total, edge.child = 0, np.float64(0), NO_NODE
            first += 1
    tree.n_nodes += 1
    tree.n_edges = first
    slots[~find_node(nodes, slots, key)] = at + 1


@kernel
def note_child(edges: Edges, ways: Int64s, depth: int, node: int) -> None:
    """Note which node the last edge of a way has led to; no node at all counts as many."""
    if depth > 0:
        edge = edges[ways[depth - 1]]
        if node < 0 or (edge.child != NO_NODE and edge.child != node):
            edge.child = MANY
        else:
            edge.child = node


@kernel
def follow(growth: Growth, node: int, depth: int) -> int:
    """Choose an edge of a node, and note it; its decision."""
    nodes, edges, _, trees, plans, path, ways = growth
    note_child(edges, ways, depth, node)
    sd = spread(trees[0])
    way = select(nodes, edges, node, plans[0].explore * sd, plans[0].reduce * sd)
    path[depth], ways[depth] = node, way
    return int(edges[way].decision)


@kernel
def find_root(table: Table, growth: Growth, chance: Chance) -> None:
    """Go on in the tree of an earlier decision of the turn, or begin with an empty one."""
    states, words, _, _, _, _ = table
    nodes, _, slots, trees, plans, _, _ = growth
    tree, seat = trees[0], int(plans[0].seat)
    states[NOW] = states[ROOT]
    complete(states[NOW], seat, chance)
    states[KNOWN] = states[NOW]
    redact(states[KNOWN], seat)
    tree.root = find_node(nodes, slots, hash_words(words, len(words)))
    if tree.root < 0 or 2 * tree.n_nodes > len(nodes):
        for slot in range(len(slots)):
            slots[slot] = 0
        tree.root, tree.n_nodes, tree.n_edges = 0, 0, 0
        tree.simulations, tree.total, tree.squares = 0, np.float64(0), np.float64(0)


@kernel
def deal(states: States, plan: Plan, tree: Tree, chance: Chance) -> None:
    """A completion of what the seat knows. A scenario has the same one, and the same draws after
    it, whenever its turn comes: `chance` then belongs to this decision alone.
    """
    if plan.scenarios > 0:
        restart(chance, int(tree.simulations % plan.scenarios))
    states[NOW] = states[ROOT]
    complete(states[NOW], int(plan.seat), chance)


@kernel
def simulate(oracle: Oracle, table: Table, growth: Growth, chance: Chance) -> None:
    """Play one completion down the tree, judge where it leaves the tree, and note the value."""
    states, words, choices, mask, decisions, _ = table
    nodes, edges, slots, trees, plans, path, ways = growth
    cards, state, legal, plan = oracle[0][0], states[NOW], choices[0], plans[0]
    deal(states, plan, trees[0], chance)
    depth, others = 0, 0
    while True:
        n = to_choice(cards, states, legal, chance, mask, decisions)
        over, mine = state.phase == OVER, state.current == plan.seat
        key, node = 0, NO_NODE
        if mine and not over:
            key = hash_words(words, len(words))
            node = find_node(nodes, slots, key)
        if node >= 0 and depth < MAX_DEPTH:
            decision = follow(growth, node, depth)
            depth += 1
        elif over or mine or others >= plan.others:
            value = leaf(oracle, table, growth, key, node, depth, n)
            back_up(nodes, edges, trees[0], path, ways, depth, value)
            return
        else:
            others += 1
            decision = others_decision(oracle, table, trees[0], chance)
        apply(cards, state, decision, chance, legal)


@kernel
def leaf(
    oracle: Oracle, table: Table, growth: Growth, key: int, node: int, depth: int, n: int
) -> float:
    """The value of the position where a simulation ends."""
    states, _, _, mask, _, scores = table
    _, edges, _, trees, plans, _, ways = growth
    state, plan, work = states[NOW], plans[0], oracle[5]
    if state.phase == OVER:
        note_child(edges, ways, depth, NO_NODE)
        return final_value(oracle[0][0], state, plan, scores)
    ask(oracle, states[KNOWN], mask, state.current != plan.seat)
    trees[0].asked += 1
    return grown(table, growth, key, node, depth, n, work[VALUES], work[LOGITS])


@kernel
def grown(
    table: Table,
    growth: Growth,
    key: int,
    node: int,
    depth: int,
    n: int,
    values: FloatRow,
    probabilities: FloatRow,
) -> float:
    """The value of a position that the network was asked about; an own decision becomes a node."""
    nodes, edges, slots, _, plans, _, ways = growth
    state = table[0][NOW]
    value = judged(values, int(state.current), int(state.n_players), plans[0])
    if state.current == plans[0].seat and node < 0:
        add_node(table, growth, key, value, probabilities, n)
        node = find_node(nodes, slots, key)
    note_child(edges, ways, depth, node)
    return value


@kernel
def others_decision(oracle: Oracle, table: Table, tree: Tree, chance: Chance) -> int:
    """What somebody else does, as likely as the network would.

    A scenario asks the same again whenever its turn comes, so answers are kept: the latest of each
    place. The network never changes, hence they stay true.
    """
    states, words, _, mask, decisions, _ = table
    answers, word = oracle[8], int(next_word(chance))
    question = hash_words(words, len(words)) ^ (word << 31)
    answer = answers[(question ^ (question >> 32)) & (len(answers) - 1)]
    if answer.question != question:
        ask(oracle, states[KNOWN], mask, False)
        tree.asked += 1
        answer.question = question
        answer.decision = decisions[drawn_action(oracle[5][LOGITS], mask, word)]
    return int(answer.decision)


@kernel
def to_choice(
    cards: Cards,
    states: States,
    legal: Choices,
    chance: Chance,
    mask: Int8Row,
    decisions: Int16Row,
) -> int:
    """Play on where there is no choice; the number of actions, and what the mover knows."""
    state = states[NOW]
    while state.phase != OVER:
        list_legal(cards, state, legal)
        if legal.n > 1:
            states[KNOWN] = states[NOW]
            redact(states[KNOWN], int(state.current))
            different = mark_legal(states[KNOWN], legal, mask, decisions)
            if different > 1:
                return different
        apply(cards, state, int(legal.items[0]), chance, legal)
    return 0
