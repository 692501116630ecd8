"""How games go: seats, ends, lengths of Cóatl, and what winners have more of."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import msgspec
import numpy as np

from coatl.lab.columns import Seats, by_table
from coatl.lab.estimates import Bools, Estimate, Ints, difference, mean, share
from coatl.lab.facts import GameFacts, SeatFacts

# ---------------------------------------------------------------- seats


class SeatRow(msgspec.Struct, frozen=True):
    """A row of `seats.csv`."""

    players: int
    seat: int  # from 1; 1 begins
    games: int
    win_share: Estimate | None
    points: Estimate | None


def seat_rows(seats: Seats) -> list[SeatRow]:
    rows = []
    for players in sorted(set(seats.players.tolist())):
        for number in range(players):
            some = seats.only((seats.players == players) & (seats.places == number))
            rows.append(
                SeatRow(
                    players,
                    number + 1,
                    len(some),
                    share(some.share, some.numbers),
                    mean(some.points, some.numbers),
                )
            )
    return rows


# ---------------------------------------------------------------- Cóatl by length


class LengthRow(msgspec.Struct, frozen=True):
    """A row of `lengths.csv`: complete Cóatl of one length."""

    players: int  # 0: all tables
    pieces: int
    coatls: int
    frequency: float  # of all complete Cóatl
    frequency_winners: float  # of those of the winners
    points: Estimate | None
    points_per_piece: float
    win_share: Estimate | None  # of their owners


def length_rows(seats: Seats) -> list[LengthRow]:
    return [row for players, some in by_table(seats) for row in _length_rows(players, some)]


def _length_rows(players: int, seats: Seats) -> Iterator[LengthRow]:
    coatls = [(at, coatl) for at, seat in enumerate(seats.facts) for coatl in seat.complete]
    owners = np.array([at for at, _ in coatls], np.int64)
    lengths = np.array([coatl.length for _, coatl in coatls], np.int64)
    values = np.array([float(coatl.value) for _, coatl in coatls])
    won = seats.share[owners]
    for length in sorted(set(lengths.tolist())):
        chosen = lengths == length
        numbers = seats.numbers[owners[chosen]]
        yield LengthRow(
            players,
            length,
            int(chosen.sum()),
            round(float(chosen.mean()), 5),
            round(float(won[chosen].sum() / won.sum()), 5),
            mean(values[chosen], numbers),
            round(float(values[chosen].mean()) / length, 3),
            share(won[chosen], numbers),
        )


# ---------------------------------------------------------------- winners and the others


class WinnerRow(msgspec.Struct, frozen=True):
    """A row of `winners.csv`: what winners have more or less of at tables of the same size.

    Games with shared wins are left out.
    """

    players: int  # 0: all tables
    what: str
    winners: Estimate | None
    others: Estimate | None
    difference: Estimate | None


def _per_coatl(number: Callable[[SeatFacts], float]) -> Callable[[SeatFacts], float | None]:
    return lambda seat: number(seat) / len(seat.complete) if seat.complete else None


def _pieces(seat: SeatFacts) -> float:
    return float(sum(coatl.length for coatl in seat.complete))


def _card_points(seat: SeatFacts) -> float:
    return float(sum(card.points for coatl in seat.complete for card in coatl.cards))


def _cards(seat: SeatFacts) -> float:
    return float(sum(len(coatl.cards) for coatl in seat.complete))


MEASURES: dict[str, Callable[[SeatFacts], float | None]] = {
    "points": lambda seat: float(seat.points),
    "complete Cóatl": lambda seat: float(len(seat.complete)),
    "points a complete Cóatl": _per_coatl(lambda seat: float(seat.points)),
    "pieces on complete Cóatl": _pieces,
    "pieces a complete Cóatl": _per_coatl(_pieces),
    "Prophecy cards fulfilled": _cards,
    "points a Prophecy card fulfilled": (
        lambda seat: _card_points(seat) / _cards(seat) if _cards(seat) else None
    ),
    "points by Temple cards": (
        lambda seat: float(sum(c.temple.points for c in seat.complete if c.temple is not None))
    ),
    "Prophecy cards taken": lambda seat: float(len(seat.taken)),
    "Prophecy cards never fulfilled": lambda seat: len(seat.held) - _cards(seat),
    "tokens used": lambda seat: float(len(seat.tokens)),
    "turn of the first complete Cóatl": (
        lambda seat: float(min(c.turn for c in seat.complete if c.turn)) if seat.complete else None
    ),
}


def winner_rows(seats: Seats) -> list[WinnerRow]:
    rows = []
    for players, some in by_table(seats):
        decided = some.only(_single(some))
        for what, measure in MEASURES.items():
            numbers = [measure(seat) for seat in decided.facts]
            known = decided.only(np.array([n is not None for n in numbers], bool))
            values = np.array([n for n in numbers if n is not None], float)
            won = known.share == 1
            rows.append(
                WinnerRow(
                    players,
                    what,
                    mean(values[won], known.numbers[won]),
                    mean(values[~won], known.numbers[~won]),
                    difference(values, won, known.numbers, known.players),
                )
            )
    return rows


def _single(seats: Seats) -> Bools:
    """Seats of games that one alone won."""
    return np.array([max(s.share for s in game.seats) == 1 for game in seats.games], bool)


# ---------------------------------------------------------------- games


class GameRow(msgspec.Struct, frozen=True):
    """A row of `games.csv`, by size of table."""

    players: int
    games: int
    turns: Estimate | None
    by_third: Estimate | None  # share of games that a third Cóatl ended
    by_bodies: Estimate | None
    by_passing: Estimate | None
    shared_wins: Estimate | None
    winner_points: Estimate | None
    margin: Estimate | None  # of the most points over the second most


def game_rows(games: Sequence[GameFacts]) -> list[GameRow]:
    rows = []
    for players in sorted({game.players for game in games}):
        some = [game for game in games if game.players == players]
        numbers = np.arange(len(some), dtype=np.int64)
        ordered = [sorted((seat.points for seat in game.seats), reverse=True) for game in some]

        def rate(flags: list[bool], numbers: Ints = numbers) -> Estimate | None:
            return share(np.array(flags, float), numbers)

        rows.append(
            GameRow(
                players,
                len(some),
                mean(np.array([float(game.turns) for game in some]), numbers),
                rate([game.end == "third" for game in some]),
                rate([game.end == "bodies" for game in some]),
                rate([game.end == "passed" for game in some]),
                rate([max(seat.share for seat in game.seats) < 1 for game in some]),
                mean(np.array([float(points[0]) for points in ordered]), numbers),
                mean(np.array([float(points[0] - points[1]) for points in ordered]), numbers),
            )
        )
    return rows
