"""One simulation: from the root down the tree, on a guess at the hidden cards, to a leaf."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from coatl.compiler.arrays import FloatRow, Int8Row, Int16Row
from coatl.compiler.functions import kernel
from coatl.compiler.records import Int64s
from coatl.encode.meanings import N_ACTIONS, mark_legal
from coatl.encode.observe import ReadingCaches, forget_readings, observe
from coatl.encode.reach import EncodingTables
from coatl.net.layers import LOGITS, POINTS, VALUES, WIN, Network, compute_logits, compute_values
from coatl.rules.apply import apply
from coatl.rules.chance import Chance, next_word, restart
from coatl.rules.compiled import ChoiceLists
from coatl.rules.knowledge import complete, redact
from coatl.rules.listing import list_legal
from coatl.rules.scoring import POINTS as SCORED
from coatl.rules.scoring import final_scores, winners
from coatl.rules.state import OVER, StateRecord, States
from coatl.rules.tables import Cards
from coatl.search.tree import (
    NO_NODE,
    OpponentReplies,
    SearchParameters,
    SearchTree,
    back_up,
    clear_tree,
    find_node,
    hash_words,
    note_child,
    take_edge,
)

MAX_DEPTH = 512  # own decisions on one path
ROOT, NOW, KNOWN = 0, 1, 2  # the states: what the seat knows, a completion, what the mover knows
N_STATES = 3
POINTS_UNIT = 20.0
NO_ACTION = -1


class NetworkEvaluator(NamedTuple):
    """What it takes to evaluate a position by the network."""

    tables: EncodingTables
    caches: ReadingCaches  # one
    network: Network
    observation: Int8Row
    replies: OpponentReplies  # what other seats were found to do before


class Workspace(NamedTuple):
    """The position that a simulation has come to, and what may be done there."""

    states: States  # ROOT, NOW and KNOWN
    words: Int64s  # the state KNOWN as whole words, to be hashed
    choices: ChoiceLists  # one
    mask: Int8Row  # 1: the action is legal
    decisions: Int16Row  # by legal action
    scores: Int64s


@kernel
def final_value(
    cards: Cards, state: StateRecord, parameters: SearchParameters, scores: Int64s
) -> float:
    """What the end of a game is worth to the searching seat."""
    final_scores(cards, state, scores)
    best = winners(state, scores)
    tied = 0
    for seat in range(state.n_players):
        tied += (best >> seat) & 1
    share = 1.0 / tied if (best >> int(parameters.seat)) & 1 else 0.0
    points = int(scores[3 * int(parameters.seat) + SCORED])
    return share + parameters.points * points / POINTS_UNIT


@kernel
def observe_anew(
    tables: EncodingTables, caches: ReadingCaches, known: StateRecord, x: Int8Row
) -> None:
    """The observation of the seat to move; the cache is of another position."""
    forget_readings(caches[0])
    observe(tables, known, caches[0], x)


@kernel
def evaluate_position(
    evaluator: NetworkEvaluator, workspace: Workspace, tree: SearchTree, values_only: bool
) -> None:
    """Values of the position for the mover, and probabilities of the legal actions (in LOGITS)."""
    network = evaluator.network
    observe_anew(evaluator.tables, evaluator.caches, workspace.states[KNOWN], evaluator.observation)
    place = compute_values(network, evaluator.observation)
    if not values_only:
        compute_logits(network, place)
        make_probabilities(network.activations[LOGITS], workspace.mask)
    tree.statistics[0].evaluations += 1


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
def sample_action(probabilities: FloatRow, mask: Int8Row, word: int) -> int:
    """An action, as likely as the network plays it; `word` is the random number.

    A network whose sums overflow gives no probabilities: any legal action then.
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
def value_for_seat(
    values: FloatRow, mover: int, players: int, parameters: SearchParameters
) -> float:
    """The value for the searching seat, from the network's values for the mover."""
    win = 1.0 / (1.0 + math.exp(-float(values[WIN])))
    if mover == parameters.seat:
        return win + parameters.points * float(values[POINTS])
    return (1.0 - win) / (players - 1)


@kernel
def add_node(
    workspace: Workspace, tree: SearchTree, key: int, value: float, priors: FloatRow, n: int
) -> None:
    """A node with its first value and its `n` edges, if there is room."""
    nodes, edges, statistics = tree.nodes, tree.edges, tree.statistics[0]
    at, first = int(statistics.n_nodes), int(statistics.n_edges)
    if at >= len(nodes) or first + n > len(edges):
        return
    node = nodes[at]
    node.key, node.visits, node.total = key, 1, np.float64(value)
    node.first, node.n = first, n
    for action in range(N_ACTIONS):
        if workspace.mask[action]:
            edge = edges[first]
            edge.decision, edge.prior = workspace.decisions[action], priors[action]
            edge.visits, edge.total, edge.child = 0, np.float64(0), NO_NODE
            first += 1
    statistics.n_nodes += 1
    statistics.n_edges = first
    tree.slots[~find_node(tree, key)] = at + 1


@kernel
def find_root(workspace: Workspace, tree: SearchTree, chance: Chance) -> None:
    """Go on in the tree of an earlier decision of the turn, or begin with an empty one."""
    states, statistics, seat = workspace.states, tree.statistics[0], int(tree.parameters[0].seat)
    states[NOW] = states[ROOT]
    complete(states[NOW], seat, chance)
    states[KNOWN] = states[NOW]
    redact(states[KNOWN], seat)
    statistics.root = find_node(tree, hash_words(workspace.words, len(workspace.words)))
    if statistics.root < 0 or 2 * statistics.n_nodes > len(tree.nodes):
        clear_tree(tree)


@kernel
def return_to_root(workspace: Workspace, tree: SearchTree, chance: Chance) -> None:
    """Begin a simulation with a completion of what the seat knows.

    A scenario has the same completion, and the same draws after it, whenever its turn comes:
    `chance` then belongs to this decision alone.
    """
    states, parameters = workspace.states, tree.parameters[0]
    if parameters.scenarios > 0:
        restart(chance, int(tree.statistics[0].simulations % parameters.scenarios))
    states[NOW] = states[ROOT]
    complete(states[NOW], int(parameters.seat), chance)


@kernel
def simulate(
    evaluator: NetworkEvaluator, workspace: Workspace, tree: SearchTree, chance: Chance
) -> None:
    """Play one completion down the tree, evaluate the leaf, and back its value up."""
    words, legal, parameters = workspace.words, workspace.choices[0], tree.parameters[0]
    cards, state = evaluator.tables.cards[0], workspace.states[NOW]
    return_to_root(workspace, tree, chance)
    depth, others = 0, 0
    while True:
        n = play_to_choice(cards, workspace, chance)
        over, mine = state.phase == OVER, state.current == parameters.seat
        key, node = 0, NO_NODE
        if mine and not over:
            key = hash_words(words, len(words))
            node = find_node(tree, key)
        if node >= 0 and depth < MAX_DEPTH:
            decision = take_edge(tree, node, depth)
            depth += 1
        elif over or mine or others >= parameters.others:
            value = evaluate_leaf(evaluator, workspace, tree, key, node, depth, n)
            back_up(tree, depth, value)
            return
        else:
            others += 1
            decision = opponent_decision(evaluator, workspace, tree, chance)
        apply(cards, state, decision, chance, legal)


@kernel
def evaluate_leaf(
    evaluator: NetworkEvaluator,
    workspace: Workspace,
    tree: SearchTree,
    key: int,
    node: int,
    depth: int,
    n: int,
) -> float:
    """The value of the position where a simulation ends."""
    state, parameters = workspace.states[NOW], tree.parameters[0]
    if state.phase == OVER:
        note_child(tree, depth, NO_NODE)
        return final_value(evaluator.tables.cards[0], state, parameters, workspace.scores)
    evaluate_position(evaluator, workspace, tree, state.current != parameters.seat)
    activations = evaluator.network.activations
    return expand(workspace, tree, key, node, depth, n, activations[VALUES], activations[LOGITS])


@kernel
def expand(
    workspace: Workspace,
    tree: SearchTree,
    key: int,
    node: int,
    depth: int,
    n: int,
    values: FloatRow,
    priors: FloatRow,
) -> float:
    """The value of a position that the network evaluated; an own decision becomes a node."""
    state, parameters = workspace.states[NOW], tree.parameters[0]
    value = value_for_seat(values, int(state.current), int(state.n_players), parameters)
    if state.current == parameters.seat and node < 0:
        add_node(workspace, tree, key, value, priors, n)
        node = find_node(tree, key)
    note_child(tree, depth, node)
    return value


@kernel
def opponent_decision(
    evaluator: NetworkEvaluator, workspace: Workspace, tree: SearchTree, chance: Chance
) -> int:
    """What another seat does, as likely as the network plays it.

    A scenario comes to the same positions again, so replies are kept: the latest in each place of
    the table. The network never changes, hence they stay true.
    """
    words, replies, word = workspace.words, evaluator.replies, int(next_word(chance))
    key = hash_words(words, len(words)) ^ (word << 31)
    reply = replies[(key ^ (key >> 32)) & (len(replies) - 1)]
    if reply.key != key:
        evaluate_position(evaluator, workspace, tree, False)
        probabilities = evaluator.network.activations[LOGITS]
        reply.key = key
        reply.decision = workspace.decisions[sample_action(probabilities, workspace.mask, word)]
    return int(reply.decision)


@kernel
def play_to_choice(cards: Cards, workspace: Workspace, chance: Chance) -> int:
    """Play on to a position with several actions, or to the end; the number of actions.

    What the mover knows there is the state KNOWN.
    """
    states, legal, state = workspace.states, workspace.choices[0], workspace.states[NOW]
    while state.phase != OVER:
        list_legal(cards, state, legal)
        if legal.n > 1:
            states[KNOWN] = states[NOW]
            redact(states[KNOWN], int(state.current))
            n = mark_legal(states[KNOWN], legal, workspace.mask, workspace.decisions)
            if n > 1:
                return n
        apply(cards, state, int(legal.items[0]), chance, legal)
    return 0
