"""Facts that speak for a line of moves: what the position was before, and what it is after."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from coatl.hints.hint import Fact, FactKind
from coatl.moves import Move, MoveKind
from coatl.rules.cards import Deck, Prophecy
from coatl.view.data import CardProgress, CoatlView, SeatView, ViewData

MOST_FACTS = 3
NEAR = 2  # a card that lacks more pieces than that is not worth a word


Closings = Sequence[int | None]  # by Cóatl: the most for which it could be closed now


@dataclass(frozen=True)
class Change:
    """What a seat sees before a line of moves and after it."""

    deck: Deck
    moves: Sequence[Move]
    before: ViewData
    after: ViewData
    closings_before: Closings = ()
    closings_after: Closings = ()

    @property
    def seat(self) -> int:
        assert self.before.seat is not None
        return self.before.seat

    @property
    def gained(self) -> Counter[str]:
        """Pieces that came from the supply."""
        if not any(move.kind in (MoveKind.TAKE, MoveKind.TOKEN) for move in self.moves):
            return Counter()
        then, now = self.after.seats[self.seat].board, self.before.seats[self.seat].board
        return Counter(then) - Counter(now)

    @property
    def picked(self) -> list[str]:
        return [move.card for move in self.moves if move.kind == MoveKind.PICK and move.card]


def facts_of(change: Change) -> tuple[Fact, ...]:
    """The weightiest facts, at most three."""
    found = [
        *_laid(change),
        *_closings(change),
        *_fitting(change),
        *_nearer(change),
        *_kept_from_adam(change),
        *_taken_from_next(change),
    ]
    return tuple(found[:MOST_FACTS])


def _laid(change: Change) -> Iterator[Fact]:
    """Cóatl that were completed, and cards that were laid on those that were not."""
    old = change.before.seats[change.seat].coatls
    for number, coatl in enumerate(change.after.seats[change.seat].coatls):
        was_complete = number < len(old) and old[number].complete
        if coatl.complete and not was_complete:
            yield Fact(FactKind.COMPLETES, coatl=number, points=coatl.value)
        elif not coatl.complete:
            earlier = old[number].cards if number < len(old) else ()
            had = Counter(card.card for card in earlier)
            for card in coatl.cards:
                if had[card.card]:
                    had[card.card] -= 1
                else:
                    yield Fact(FactKind.FULFILS, coatl=number, card=card.card, points=card.points)


def _closings(change: Change) -> Iterator[Fact]:
    """Open Cóatl that could be closed for more than before."""
    for number, points in enumerate(change.closings_after):
        begun = number < len(change.closings_before)
        before = change.closings_before[number] if begun else None
        if points is not None and points > (before or 0):
            yield Fact(FactKind.CLOSING, coatl=number, points=points, before=before)


def _fitting(change: Change) -> Iterator[Fact]:
    """Picked cards that an open Cóatl meets as it is."""
    for card in change.picked:
        coatls = change.after.seats[change.seat].coatls
        points = [_points_of(coatl.hand, card) for coatl in coatls]
        best = max(range(len(points)), key=lambda number: points[number], default=0)
        if points and points[best] > 0:
            yield Fact(FactKind.FITS, coatl=best, card=card, points=points[best])


def _points_of(held: Sequence[CardProgress], card: str) -> int:
    return max((one.points for one in held if one.card == card), default=0)


def _nearer(change: Change) -> Iterator[Fact]:
    """Cards in hand or on a Cóatl that lack fewer pieces than before, the nearest first."""
    old_seat, new_seat = change.before.seats[change.seat], change.after.seats[change.seat]
    found = []
    for number, coatl in enumerate(new_seat.coatls):
        if coatl.complete or number >= len(old_seat.coatls):
            continue
        before = _missing(old_seat, old_seat.coatls[number])
        for card, missing in _missing(new_seat, coatl).items():
            was = before.get(card)
            if was is not None and missing < was and missing <= NEAR:
                found.append(
                    Fact(FactKind.NEARER, coatl=number, card=card, missing=missing, before=was)
                )
    yield from sorted(found, key=lambda fact: (fact.missing, fact.coatl))


def _missing(seat: SeatView, coatl: CoatlView) -> dict[str, int]:
    """By card: pieces to its next level that are not on the board either."""
    bodies = Counter(seat.board)
    held = [*coatl.cards, *coatl.hand]
    return {
        card.card: (Counter("".join(card.lacks)) - bodies).total()
        for card in held
        if card.lacks is not None
    }


def _kept_from_adam(change: Change) -> Iterator[Fact]:
    """Pieces that A.D.A.M. lacks (D4)."""
    if change.before.adam is None:
        return
    for card in change.before.adam.cards:
        wanted = [piece for piece in change.gained if piece.strip("<>") in card.missing]
        pieces = tuple(sorted(wanted))
        if pieces and len(card.missing) <= NEAR:
            yield Fact(FactKind.KEEPS_FROM_ADAM, card=card.card, pieces=pieces)


def _taken_from_next(change: Change) -> Iterator[Fact]:
    """What the next player could have used: a piece, or a card that one of its Cóatl meets."""
    players = change.before.players
    if players == 1:
        return
    seat = (change.seat + 1) % players
    for coatl in change.before.seats[seat].coatls:
        if coatl.complete:
            continue
        yield from _pieces_for(change, seat, coatl)
        yield from _cards_for(change, seat, coatl)


def _pieces_for(change: Change, seat: int, coatl: CoatlView) -> Iterator[Fact]:
    for card in coatl.cards:
        lacks = "" if card.lacks is None else "".join(card.lacks)
        pieces = tuple(sorted(piece for piece in change.gained if piece in lacks))
        if pieces and len(lacks) <= NEAR:
            yield Fact(FactKind.TAKES_FROM, card=card.card, seat=seat, pieces=pieces)


def _cards_for(change: Change, seat: int, coatl: CoatlView) -> Iterator[Fact]:
    for name in change.picked:
        points = _prophecy(change.deck, name).matches(coatl.pieces).points
        if points > 0:
            yield Fact(FactKind.SUITS_NEXT, card=name, seat=seat, points=points)


def _prophecy(deck: Deck, name: str) -> Prophecy:
    return deck.prophecies[deck.prophecy_ids[name]]
