"""What Python calls of the solver."""

from __future__ import annotations

from coatl.compiler.jit import entry
from coatl.compiler.packages import describe
from coatl.rules.state import NONE, States
from coatl.rules.tables import CardTables
from coatl.solver.arrangements import walk_through
from coatl.solver.means import set_up
from coatl.solver.search import fill_all, find_best_closing, find_best_sum
from coatl.solver.workspace import Rooms

describe(__name__, "the solver", 15)

SUM = NONE  # goal: the most points from all Cóatl together


@entry
def prepare(cards: CardTables, states: States, seat: int, rooms: Rooms) -> int:
    """Look at every way to close each Cóatl of a seat; returns how many may be closed (targets)."""
    set_up(cards[0], states[0], seat, rooms[0])
    fill_all(cards[0], rooms[0])
    return int(rooms[0].n_targets)


@entry
def find_plan(cards: CardTables, rooms: Rooms, goal: int) -> bool:
    """The best plan for `goal`, a target or SUM, into `rooms[0].best`; False if there is none."""
    if goal == SUM:
        return find_best_sum(cards[0], rooms[0])
    return find_best_closing(cards[0], rooms[0], goal)


@entry
def arrange(cards: CardTables, rooms: Rooms, k: int) -> int:
    """An arrangement for target `k` of the best plan, into `rooms[0].walk.path`; its length."""
    room = rooms[0]
    walk, best = room.walk, room.best[k]
    walk.goal, walk.goal_cards, walk.goal_points = best.pieces, best.cards, best.points
    walk_through(cards[0], room, room.targets[k])
    return int(walk.n_path) if walk.is_found else NONE
