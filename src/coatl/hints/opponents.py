"""Facts about what others could have used: the next player, and in solo A.D.A.M."""

from __future__ import annotations

from collections.abc import Iterator

from coatl.hints.change import NEAR, Change
from coatl.hints.hint import Fact, FactKind
from coatl.view.data import CoatlView


def kept_from_adam(change: Change, most: int = NEAR) -> Iterator[Fact]:
    """Pieces that A.D.A.M. lacks (D4), for cards that lack no more than `most`."""
    if change.before.adam is None:
        return
    for card in change.before.adam.cards:
        wanted = [piece for piece in change.gained if piece.strip("<>") in card.missing]
        pieces = tuple(sorted(wanted))
        if pieces and len(card.missing) <= most:
            yield Fact(FactKind.KEEPS_FROM_ADAM, card=card.card, pieces=pieces)


def taken_from_next(change: Change, most: int = NEAR) -> Iterator[Fact]:
    """What the next player could have used: a piece, or a card that one of its Cóatl meets.

    Pieces count for cards that lack no more than `most`.
    """
    players = change.before.players
    if players == 1:
        return
    seat = (change.seat + 1) % players
    for coatl in change.before.seats[seat].coatls:
        if coatl.complete:
            continue
        yield from _pieces_for(change, seat, coatl, most)
        yield from _cards_for(change, seat, coatl)


def _pieces_for(change: Change, seat: int, coatl: CoatlView, most: int) -> Iterator[Fact]:
    for card in coatl.cards:
        lacks = "" if card.lacks is None else "".join(card.lacks)
        pieces = tuple(sorted(piece for piece in change.gained if piece in lacks))
        if pieces and len(lacks) <= most:
            yield Fact(FactKind.TAKES_FROM, card=card.card, seat=seat, pieces=pieces)


def _cards_for(change: Change, seat: int, coatl: CoatlView) -> Iterator[Fact]:
    for name in change.picked:
        points = change.prophecy(name).matches(coatl.pieces).points
        if points > 0:
            yield Fact(FactKind.SUITS_NEXT, card=name, seat=seat, points=points)
