"""Seats of many games as columns of numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from coatl.lab.estimates import Bools, Floats, Ints
from coatl.lab.facts import GameFacts, SeatFacts

ALL = 0  # in a column `players`: tables of all sizes together


@dataclass(frozen=True)
class Seats:
    """Seats of games as columns."""

    facts: list[SeatFacts]
    games: list[GameFacts]  # of each seat
    numbers: Ints  # of the games, from 0
    places: Ints  # at their tables, from 0
    share: Floats
    points: Floats

    def __len__(self) -> int:
        return len(self.facts)

    @cached_property
    def players(self) -> Ints:
        return np.array([game.players for game in self.games], np.int64)

    @cached_property
    def kinds(self) -> Ints:
        """Numbers that tell places apart: the second of three, the second of four."""
        return 10 * self.players + self.places

    def where(self, condition: Callable[[SeatFacts], bool]) -> Bools:
        return np.array([condition(seat) for seat in self.facts], bool)

    def at(self, places: Iterable[int]) -> Bools:
        chosen = np.zeros(len(self), bool)
        chosen[list(places)] = True
        return chosen

    def only(self, chosen: Bools) -> Seats:
        at = np.flatnonzero(chosen)
        return Seats(
            facts=[self.facts[number] for number in at],
            games=[self.games[number] for number in at],
            numbers=self.numbers[at],
            places=self.places[at],
            share=self.share[at],
            points=self.points[at],
        )


def read_seats(games: Sequence[GameFacts]) -> Seats:
    """All seats of all games."""
    seats = [(n, game, at) for n, game in enumerate(games) for at in range(game.players)]
    wins = np.array([game.seats[at].share for _, game, at in seats], float)
    points = np.array([game.seats[at].points for _, game, at in seats], float)
    return Seats(
        facts=[game.seats[at] for _, game, at in seats],
        games=[game for _, game, _ in seats],
        numbers=np.array([n for n, _, _ in seats], np.int64),
        places=np.array([at for _, _, at in seats], np.int64),
        share=wins,
        points=points,
    )


def by_table(seats: Seats) -> Iterator[tuple[int, Seats]]:
    """The seats of each size of table and, if there are several, of all."""
    sizes = sorted(set(seats.players.tolist()))
    for players in sizes:
        yield players, seats.only(seats.players == players)
    if len(sizes) > 1:
        yield ALL, seats
