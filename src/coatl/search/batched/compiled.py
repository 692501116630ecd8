"""The entries of batched search: begin searches at games under way, and go on with all of them.

They trust their arguments; `coatl.search.batched.search.BatchedSearch` checks them.
"""

from __future__ import annotations

from typing import NamedTuple

from coatl.compiler.arrays import FloatGrid, Int8Grid, Int16Grid
from coatl.compiler.functions import kernel
from coatl.compiler.jit import long_entry
from coatl.compiler.packages import describe
from coatl.compiler.records import Int64s
from coatl.encode.observe import ReadingCaches
from coatl.encode.reach import EncodingTables
from coatl.rules.chance import Chances
from coatl.rules.compiled import ChoiceLists
from coatl.rules.knowledge import redact
from coatl.rules.state import States
from coatl.search.batched.simulation import (
    BEGIN,
    DONE,
    Simulations,
    advance,
    is_finite,
    write_shares,
)
from coatl.search.simulation import KNOWN, NOW, ROOT, Workspace, observe_anew
from coatl.search.tree import SearchTree

describe(__name__, "many searches", 25)

ALL_ANSWERED = -1


class Searches(NamedTuple):
    """What is kept of each search, in a row of its own."""

    roots: States  # as the searching seat knows them
    positions: States  # that the simulations have come to
    simulations: Simulations
    trees: SearchTree  # all of them, one after another
    chances: Chances
    root_masks: Int8Grid
    shares: FloatGrid  # of the root's visits, by action


class NetworkBatch(NamedTuple):
    """A row for each search: what the network is shown, and what it answers."""

    observations: Int8Grid
    masks: Int8Grid
    decisions: Int16Grid
    logits: FloatGrid
    values: FloatGrid


class ThreadWorkspace(NamedTuple):
    """What one thread needs; see `coatl.search.simulation.Workspace`."""

    states: States
    words: Int64s
    choices: ChoiceLists
    scores: Int64s
    caches: ReadingCaches


@kernel
def tree_of(searches: Searches, i: int) -> SearchTree:
    """The tree of one search."""
    trees, n = searches.trees, len(searches.roots)
    nodes, edges, slots = len(trees.nodes) // n, len(trees.edges) // n, len(trees.slots) // n
    depth = len(trees.path) // n
    return SearchTree(
        trees.nodes[i * nodes : (i + 1) * nodes],
        trees.edges[i * edges : (i + 1) * edges],
        trees.slots[i * slots : (i + 1) * slots],
        trees.statistics[i : i + 1],
        trees.parameters[i : i + 1],
        trees.path[i * depth : (i + 1) * depth],
        trees.path_edges[i * depth : (i + 1) * depth],
    )


@long_entry
def begin_searches(searches: Searches, picks: Int64s, states: States) -> None:
    """Search i, if it is done, is for the seat to move in game `picks[i]`."""
    roots, simulations, parameters = searches.roots, searches.simulations, searches.trees.parameters
    for i in range(len(simulations)):
        if simulations[i].waits_for == DONE:
            game = int(picks[i])
            seat = int(states[game].current)
            roots[i] = states[game]
            redact(roots[i], seat)
            parameters[i].seat = seat
            simulations[i].waits_for = BEGIN


@long_entry
def advance_searches(
    tables: EncodingTables,
    searches: Searches,
    batch: NetworkBatch,
    room: ThreadWorkspace,
    first: int,
    last: int,
    budget: int,
    only_new: bool,
) -> int:
    """Go on with searches, or the new ones of them, until each needs the network or is done.

    Returns the last search whose answer is not made of finite numbers, and which goes on waiting;
    ALL_ANSWERED if there is none.
    """
    unanswered, states = ALL_ANSWERED, room.states
    for i in range(first, last):
        simulation, mask = searches.simulations[i], batch.masks[i]
        logits, values = batch.logits[i], batch.values[i]
        if simulation.waits_for == DONE or (only_new and simulation.waits_for != BEGIN):
            continue
        if simulation.waits_for != BEGIN and not is_finite(mask, logits, values):
            unanswered = i
            continue
        states[ROOT], states[NOW] = searches.roots[i], searches.positions[i]
        workspace = Workspace(
            states, room.words, room.choices, mask, batch.decisions[i], room.scores
        )
        tree, chance = tree_of(searches, i), searches.chances[i]
        advance(tables.cards[0], workspace, tree, simulation, chance, logits, values, budget)
        searches.positions[i] = states[NOW]
        if simulation.waits_for == DONE:
            write_shares(tree, searches.root_masks[i], searches.shares[i])
        else:
            observe_anew(tables, room.caches, states[KNOWN], batch.observations[i])
    return unanswered
