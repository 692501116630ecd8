"""The doors of the fleet: begin searches at games under way, and go on with all of them.

They trust their arguments; `coatl.search.batched.search.Fleet` checks them.
"""

from __future__ import annotations

from coatl.compiler.arrays import FloatGrid, Int8Grid, Int16Grid
from coatl.compiler.jit import long_entry
from coatl.compiler.packages import describe
from coatl.compiler.records import Int64s
from coatl.encode.observe import Memories
from coatl.encode.reach import Reaches
from coatl.rules.chance import Chances
from coatl.rules.compiled import ChoiceLists
from coatl.rules.knowledge import redact
from coatl.rules.state import States
from coatl.rules.tables import CardTables
from coatl.search.batched.simulation import BEGIN, DONE, Walks, advance, is_answer, note_visits
from coatl.search.simulation import KNOWN, NOW, ROOT, Growth, Table, look
from coatl.search.tree import Edges, Nodes, Plans, Trees

describe(__name__, "many searches", 25)

Searches = tuple[States, States, Walks, Plans, Nodes, Edges, Int64s, Trees, Int64s, Int64s, Chances]
"""A row each, of trees and ways several: roots, positions, walks, plans, nodes, edges, slots,
trees, paths, ways, and chance."""
Papers = tuple[Int8Grid, Int8Grid, Int16Grid, FloatGrid, FloatGrid, Int8Grid, FloatGrid]
"""A row each: observations, masks and decisions of the positions, the network's logits and values,
masks of the roots, and the shares of their visits."""
Desk = tuple[States, Int64s, ChoiceLists, Int64s, Memories]
"""What one thread needs: states, the last of them as words, choices, scores and a memory."""

ALL_ANSWERED = -1


@long_entry
def begin_searches(searches: Searches, picks: Int64s, states: States) -> None:
    """Search i, if it is done, is for the seat to move in game `picks[i]`."""
    roots, _, walks, plans, _, _, _, _, _, _, _ = searches
    for i in range(len(walks)):
        if walks[i].waits_for == DONE:
            game = int(picks[i])
            seat = int(states[game].current)
            roots[i] = states[game]
            redact(roots[i], seat)
            plans[i].seat = seat
            walks[i].waits_for = BEGIN


@long_entry
def advance_searches(
    tables: CardTables,
    reaches: Reaches,
    searches: Searches,
    papers: Papers,
    desk: Desk,
    room: Int64s,
    first: int,
    last: int,
    simulations: int,
    only_new: bool,
) -> int:
    """Go on with searches, or the new ones of them, until each needs the network or is done.

    `room`: nodes, edges, slots and steps of one search. Returns the last search whose answer is not
    made of numbers, and which goes on waiting; ALL_ANSWERED if there is none.
    """
    unanswered = ALL_ANSWERED
    roots, nows, walks, plans, nodes, edges, slots, trees, paths, ways, chances = searches
    observations, masks, decisions, logits, values, root_masks, shares = papers
    states, words, choices, scores, memories = desk
    n_nodes, n_edges, n_slots, n_steps = int(room[0]), int(room[1]), int(room[2]), int(room[3])
    for i in range(first, last):
        walk = walks[i]
        if walk.waits_for == DONE or (only_new and walk.waits_for != BEGIN):
            continue
        if walk.waits_for != BEGIN and not is_answer(masks[i], logits[i], values[i]):
            unanswered = i
            continue
        states[ROOT], states[NOW] = roots[i], nows[i]
        table: Table = (states, words, choices, masks[i], decisions[i], scores)
        growth: Growth = (
            nodes[i * n_nodes : (i + 1) * n_nodes],
            edges[i * n_edges : (i + 1) * n_edges],
            slots[i * n_slots : (i + 1) * n_slots],
            trees[i : i + 1],
            plans[i : i + 1],
            paths[i * n_steps : (i + 1) * n_steps],
            ways[i * n_steps : (i + 1) * n_steps],
        )
        advance(tables[0], table, growth, walk, chances[i], logits[i], values[i], simulations)
        nows[i] = states[NOW]
        if walk.waits_for == DONE:
            note_visits(growth, root_masks[i], shares[i])
        else:
            look(tables, reaches, memories, states[KNOWN], observations[i])
    return unanswered
