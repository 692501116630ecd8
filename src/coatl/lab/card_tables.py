"""What Prophecy and Temple cards are worth, and which one to take first."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import msgspec
import numpy as np

from coatl.lab.columns import Seats, by_table
from coatl.lab.estimates import Bools, Estimate, difference, mean, share
from coatl.lab.facts import SeatFacts
from coatl.lab.worth import Worth, worth_of
from coatl.rules.cards import Deck


class CardRow(msgspec.Struct, frozen=True):
    """A row of `cards.csv` or, with card colours for names, of `card_colours.csv`."""

    players: int  # 0: all tables
    card: str
    colour: str
    held: int  # times it was kept at setup or came to a hand
    held_per_game: float
    fulfilled: Estimate | None  # share of those that lay on a complete Cóatl at the end
    times: float  # met, when fulfilled
    points_fulfilled: Estimate | None  # when it lay on a complete Cóatl
    points_held: Estimate | None  # each time it was held
    dealt: Worth  # at setup, by chance
    when_held: Worth
    when_fulfilled: Worth


@dataclass
class _Held:
    """Each time a card was held: by which seat, whether it was fulfilled, how often it was met."""

    seats: list[int]
    fulfilled: list[float]
    times: list[float]
    points: list[float]


def card_rows(seats: Seats, deck: Deck) -> list[CardRow]:
    colours = {card.name: card.colour for card in deck.prophecies}
    return [
        row
        for players, some in by_table(seats)
        for row in _card_rows(players, some, colours, lambda card: card)
    ]


def card_colour_rows(seats: Seats, deck: Deck) -> list[CardRow]:
    """The same by card colour."""
    colours = {card.name: card.colour for card in deck.prophecies}
    return [
        row
        for players, some in by_table(seats)
        for row in _card_rows(players, some, colours, colours.__getitem__)
    ]


def _card_rows(
    players: int, seats: Seats, colours: dict[str, str], name_of: Callable[[str], str]
) -> Iterator[CardRow]:
    held: dict[str, _Held] = {}
    dealt: dict[str, set[int]] = defaultdict(set)
    for at, seat in enumerate(seats.facts):
        for card, fulfilled, times, points in _cards_of(seat):
            one = held.setdefault(name_of(card), _Held([], [], [], []))
            one.seats.append(at)
            one.fulfilled.append(fulfilled)
            one.times.append(times)
            one.points.append(points)
        for card in seat.dealt:
            dealt[name_of(card)].add(at)
    n_games = len(set(seats.numbers.tolist()))
    colour_of = {name_of(card): colour for card, colour in colours.items()}
    for name in [name for name in dict.fromkeys(map(name_of, colours)) if name in held]:
        yield _card_row(
            players, name, colour_of[name], seats, held[name], seats.at(dealt[name]), n_games
        )


def _card_row(
    players: int,
    name: str,
    colour: str,
    seats: Seats,
    held: _Held,
    dealt: Bools,
    n_games: int,
) -> CardRow:
    numbers = seats.numbers[held.seats]
    fulfilled, points = np.array(held.fulfilled), np.array(held.points)
    laid = fulfilled > 0
    times = np.array(held.times)[laid]
    return CardRow(
        players,
        name,
        colour,
        len(held.seats),
        round(len(held.seats) / n_games, 4),
        share(fulfilled, numbers),
        round(float(times.mean()), 3) if len(times) else 0.0,
        mean(points[laid], numbers[laid]),
        mean(points, numbers),
        worth_of(seats, dealt),
        worth_of(seats, seats.at(held.seats)),
        worth_of(seats, seats.at(np.array(held.seats, np.int64)[laid])),
    )


def _cards_of(seat: SeatFacts) -> Iterator[tuple[str, float, float, float]]:
    """Each card that a seat held, with whether it was fulfilled, times met, and points."""
    laid = defaultdict(list)
    for coatl in seat.complete:
        for one in coatl.cards:
            laid[one.card].append(one)
    for card in seat.held:
        if laid[card]:
            one = laid[card].pop()
            yield card, 1.0, float(one.times), float(one.points)
        else:
            yield card, 0.0, 0.0, 0.0


# ---------------------------------------------------------------- Temple cards


class TempleRow(msgspec.Struct, frozen=True):
    """A row of `temples.csv`."""

    players: int  # 0: all tables
    card: str
    laid: int
    laid_per_game: float
    all_met: Estimate | None  # share with all requirements met
    points: Estimate | None  # when laid
    dealt: Worth  # at setup, by chance
    when_laid: Worth


def temple_rows(seats: Seats, deck: Deck) -> list[TempleRow]:
    requirements = {card.name: len(card.requirements) for card in deck.temples}
    return [
        row
        for players, some in by_table(seats)
        for row in _temple_rows(players, some, requirements)
    ]


def _temple_rows(players: int, seats: Seats, requirements: dict[str, int]) -> Iterator[TempleRow]:
    places, met, points = defaultdict(list), defaultdict(list), defaultdict(list)
    for at, seat in enumerate(seats.facts):
        for coatl in seat.complete:
            if coatl.temple is not None:
                card = coatl.temple.card
                places[card].append(at)
                met[card].append(float(coatl.temple.met == requirements[card]))
                points[card].append(float(coatl.temple.points))
    n_games = len(set(seats.numbers.tolist()))
    for card in requirements:
        dealt = [at for at, seat in enumerate(seats.facts) if seat.temple == card]
        if not places[card] and not dealt:
            continue
        numbers = seats.numbers[np.array(places[card], np.int64)]
        yield TempleRow(
            players,
            card,
            len(places[card]),
            round(len(places[card]) / n_games, 4),
            share(np.array(met[card]), numbers),
            mean(np.array(points[card]), numbers),
            worth_of(seats, seats.at(dealt)),
            worth_of(seats, seats.at(places[card])),
        )


# ---------------------------------------------------------------- the first card


class FirstPickRow(msgspec.Struct, frozen=True):
    """A row of `first_pick.csv`: the first face-up card that a seat takes."""

    players: int  # 0: all tables
    card: str
    offered: int  # seats that could take it first, and chose
    chosen: Estimate | None  # share of them that took it first
    added_share: Estimate | None  # those who took it first less those who took another
    added_points: Estimate | None
    by_lot: int  # seats that had to take it: drawn by lot
    lot_share: Estimate | None  # those less others whose card was drawn by lot
    lot_points: Estimate | None


def first_pick_rows(seats: Seats, deck: Deck) -> list[FirstPickRow]:
    return [
        row
        for players, some in by_table(seats)
        for row in _first_pick_rows(players, some, deck.prophecy_names)
    ]


def _first_pick_rows(players: int, seats: Seats, names: Sequence[str]) -> Iterator[FirstPickRow]:
    picked = seats.where(lambda seat: seat.first_pick is not None)
    lots = seats.where(lambda seat: seat.first_pick is not None and seat.first_pick.is_random)
    free, bound = seats.only(picked & ~lots), seats.only(lots)
    for card in names:
        offered = free.only(free.where(lambda seat, card=card: card in _offered(seat)))  # type: ignore[misc]
        chosen = offered.where(lambda seat, card=card: _first(seat) == card)  # type: ignore[misc]
        given = bound.where(lambda seat, card=card: _first(seat) == card)  # type: ignore[misc]
        if not len(offered) and not given.any():
            continue
        yield FirstPickRow(
            players,
            card,
            len(offered),
            share(chosen.astype(float), offered.numbers),
            difference(offered.share, chosen, offered.numbers, offered.kinds),
            difference(offered.points, chosen, offered.numbers, offered.kinds),
            int(given.sum()),
            difference(bound.share, given, bound.numbers, bound.kinds),
            difference(bound.points, given, bound.numbers, bound.kinds),
        )


def _offered(seat: SeatFacts) -> tuple[str, ...]:
    return () if seat.first_pick is None else seat.first_pick.offered


def _first(seat: SeatFacts) -> str | None:
    return None if seat.first_pick is None else seat.first_pick.card
