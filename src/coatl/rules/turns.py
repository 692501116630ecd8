"""The order of turns (S2, E2, E3).

Plain functions: Python calls them, and the kernel compiles its own copy of `next_seat`.
"""

from __future__ import annotations

from typing import NamedTuple

from coatl.rules.state import END_NONE, END_THIRD, StateRecord


class TurnOrder(NamedTuple):
    """The fields of a state that the order of turns depends on."""

    n_players: int
    current: int
    end: int
    trigger: int
    turns_left: int


def next_seat(seat: int, players: int) -> int:
    """S2: clockwise."""
    return (seat + 1) % players


def seats_to_come(state: StateRecord | TurnOrder) -> tuple[int, ...]:
    """Whose turns follow this one: the next, or all that are left once the end is triggered."""
    turns = 1 if state.end == END_NONE else int(state.turns_left)
    seats = [int(state.current)]
    for _ in range(turns):
        seats.append(next_seat(seats[-1], int(state.n_players)))
    return tuple(seats[1:])


def seats_since_third(state: StateRecord | TurnOrder) -> tuple[int, ...]:
    """E2: who has had the last turn, from the seat that completed a third Cóatl on."""
    if state.end != END_THIRD:
        return ()
    seats, seat = [], int(state.trigger)
    while seat != state.current:
        seats.append(seat)
        seat = next_seat(seat, int(state.n_players))
    return tuple(seats)
