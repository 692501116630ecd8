"""What openings, tokens, colours, lengths and the race are worth: seats with it and without it."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator

import msgspec
import numpy as np

from coatl.lab.columns import Seats, by_table
from coatl.lab.estimates import Bools, Estimate, difference, share
from coatl.lab.facts import GameFacts, SeatFacts
from coatl.rules.pieces import COLOUR_NAMES, COLOURS


class Worth(msgspec.Struct, frozen=True):
    """Seats with something beside those without it."""

    seats: int  # with it
    frequency: float  # of all seats
    win_share: Estimate | None
    added_share: Estimate | None  # to seats without it in the same place
    added_points: Estimate | None


class WorthRow(msgspec.Struct, frozen=True):
    """A row of `worth.csv`."""

    players: int  # 0: all tables
    group: str  # such as opening
    name: str
    worth: Worth


def worth_of(seats: Seats, chosen: Bools) -> Worth:
    return Worth(
        int(chosen.sum()),
        round(float(chosen.mean()), 5) if len(seats) else 0.0,
        share(seats.share[chosen], seats.numbers[chosen]),
        difference(seats.share, chosen, seats.numbers, seats.kinds),
        difference(seats.points, chosen, seats.numbers, seats.kinds),
    )


def _rows_of(
    players: int, group: str, seats: Seats, names_of: Callable[[SeatFacts], Iterable[str]]
) -> Iterator[WorthRow]:
    """A row for each name that a seat can have in a group."""
    places = defaultdict(list)
    for at, seat in enumerate(seats.facts):
        for name in set(names_of(seat)):
            places[name].append(at)
    for name in sorted(places):
        yield WorthRow(players, group, name, worth_of(seats, seats.at(places[name])))


GROUPS: dict[str, Callable[[SeatFacts], Iterable[str]]] = {
    "first actions": lambda seat: ["-".join(seat.opening[:3])],
    "first pieces": lambda seat: [_kind_of_take(seat.first_pieces)],
    "token used": lambda seat: [spent.token for spent in seat.tokens],
    "tokens used": lambda seat: [str(len(seat.tokens))],
    "main colour": lambda seat: _main_colours(seat),
    "complete Cóatl": lambda seat: [str(len(seat.complete))],
    "pieces a Cóatl": lambda seat: _length_class(seat),
    "Prophecy cards": lambda seat: [f"{sum(len(c.cards) for c in seat.complete):02}"],
    "Temple cards": lambda seat: [str(sum(c.temple is not None for c in seat.complete))],
}


def _kind_of_take(pieces: tuple[str, ...]) -> str:
    if len(pieces) != 2:
        return "head" if "<" in "".join(pieces) else "tail" if pieces else "nothing"
    return "two of a colour" if pieces[0] == pieces[1] else "two colours"


def _main_colours(seat: SeatFacts) -> list[str]:
    """The colour of most pieces on complete Cóatl; several if they are equally many."""
    counts = Counter("".join(coatl.colours for coatl in seat.complete))
    most = max(counts.values(), default=0)
    return [COLOUR_NAMES[COLOURS.index(c)] for c, n in counts.items() if n == most]


def _length_class(seat: SeatFacts) -> list[str]:
    lengths = [coatl.length for coatl in seat.complete]
    if not lengths:
        return []
    return [f"{round(sum(lengths) / len(lengths)):02}"]


def worth_rows(seats: Seats) -> list[WorthRow]:
    """Openings, tokens, colours, lengths and the race, by size of table."""
    rows: list[WorthRow] = []
    for players, some in by_table(seats):
        for group, names_of in GROUPS.items():
            rows += _rows_of(players, group, some, names_of)
        for name, chosen in _race(some):
            rows.append(WorthRow(players, "race", name, worth_of(some, chosen)))
    return rows


def _race(seats: Seats) -> Iterator[tuple[str, Bools]]:
    """Who was first: to complete a Cóatl, a second one, or the third that ends the game."""
    firsts: dict[str, Callable[[GameFacts], int | None]] = {
        "first to complete one": lambda game: _first_with(game, 1),
        "first to complete two": lambda game: _first_with(game, 2),
        "ended the game": lambda game: game.trigger,
    }
    for name, first in firsts.items():
        yield name, np.array([first(game) for game in seats.games]) == seats.places


def _first_with(game: GameFacts, number: int) -> int | None:
    """The seat that first had so many complete Cóatl; in one round the earlier seat is first."""
    found = []
    for at, seat in enumerate(game.seats):
        turns = sorted(coatl.turn for coatl in seat.complete if coatl.turn is not None)
        if len(turns) >= number:
            found.append((turns[number - 1], at))
    return min(found)[1] if found else None
