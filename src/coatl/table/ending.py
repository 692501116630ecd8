"""The end of a table's game: who came where, how that was decided, and the rematch."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from coatl.game import Outcome
from coatl.rules import scoring
from coatl.rules.scoring import DecidedBy
from coatl.table.entries import Opened, PlaceKind, PlaceSpec
from coatl.table.places import Place


@dataclass(frozen=True)
class Rank:
    """Where a place stands at the end: rank 1 won; equal ranks share."""

    rank: int
    place: int  # A.D.A.M. is the place after the last
    points: int
    cards: int
    best_coatl: int
    gave_up: bool = False


def standing(outcome: Outcome, seating: Sequence[int], places: Sequence[Place]) -> list[Rank]:
    """Who came where (F2); those who gave up come last, the first to do so at the very end."""
    rows = []
    for seat, rank in enumerate(outcome.ranks):
        left = _gave_up(seat, seating, places)
        rows.append((left is not None, -(left or 0), rank, seat))
    rows.sort()
    ranks: list[Rank] = []
    for n, (gave_up, left, rank, seat) in enumerate(rows):
        tied = n > 0 and rows[n - 1][:3] == (gave_up, left, rank)
        numbers = (outcome.points[seat], outcome.cards[seat], outcome.best_coatl[seat])
        final_rank = ranks[-1].rank if tied else n + 1
        ranks.append(Rank(final_rank, _place_of(seat, seating), *numbers, gave_up=gave_up))
    return ranks


def verdict(
    outcome: Outcome, seating: Sequence[int], places: Sequence[Place]
) -> tuple[DecidedBy, tuple[int, ...]] | None:
    """How the first place was decided between those who stayed (F2), and between which places.

    None if only one stayed.
    """
    seats = range(len(outcome.ranks))
    stayed = [seat for seat in seats if _gave_up(seat, seating, places) is None]
    if len(stayed) < 2:
        return None
    columns = (outcome.points, outcome.cards, outcome.best_coatl)
    scores = np.array([[column[seat] for column in columns] for seat in stayed]).ravel()
    found = scoring.verdict(scores, 1 if len(places) == 1 else len(stayed))
    return found.by, tuple(_place_of(stayed[n], seating) for n in found.between)


def _place_of(seat: int, seating: Sequence[int]) -> int:
    """A.D.A.M., seat 1 in solo, is at the place after the last."""
    return seating[seat] if seat < len(seating) else len(seating)


def _gave_up(seat: int, seating: Sequence[int], places: Sequence[Place]) -> int | None:
    """At which version somebody gave up; None: never."""
    return places[seating[seat]].gave_up if seat < len(seating) else None


def rematch_order(opened: Opened, seating: tuple[int, ...]) -> tuple[int, ...]:
    """The old place of each new one: the next player is first, in practice everybody stays."""
    return seating if opened.practice is not None else seating[1:] + seating[:1]


def rematch_opening(
    opened: Opened, places: Sequence[Place], order: Sequence[int], promise: str, this: str
) -> Opened:
    """The opening of a rematch of the table `this`; practice begins again from its position."""
    return Opened(
        places=tuple(_rematch_place(places[place]) for place in order),
        promise="" if opened.practice is not None else promise,
        tokens=opened.tokens,
        promo=opened.promo,
        fewer_bodies=opened.fewer_bodies,
        levels=opened.levels,
        rematch_of=this,
        practice=opened.practice,
        hints=opened.hints,
    )


def _rematch_place(place: Place) -> PlaceSpec:
    """Who sat there sits there again; everybody has joined, so no place is open any more."""
    return PlaceSpec(place.kind, place.name, place.bot if place.kind == PlaceKind.BOT else None)
