"""Facts about the pieces that cards still lack, on a Cóatl as it lies or on one to be begun."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from coatl.hints.change import NEAR, Change
from coatl.hints.hint import Fact, FactKind
from coatl.rules.state import MAX_COATLS
from coatl.view.data import SeatView

Missing = dict[str, int]  # pieces, by card


def nearer_cards(change: Change, most: int = NEAR) -> Iterator[Fact]:
    """Cards in hand or on a Cóatl that lack fewer pieces than before, the nearest first.

    None that lacks more than `most`. Pieces on the board count as if they lay there, but not where
    pieces go from the board.
    """
    kind = FactKind.GROWS if change.assembles else FactKind.NEARER
    old, new = change.before.seats[change.seat], change.after.seats[change.seat]
    found: dict[str, Fact] = {}
    for number in _open_places(new):
        before = _missing(change, old, _place_in(old, number))
        for card, missing in _missing(change, new, number).items():
            was = before.get(card)
            if was is None or card in change.laid or missing >= was or missing > most:
                continue
            if card not in found or missing < (found[card].missing or 0):
                found[card] = Fact(kind, coatl=number, card=card, missing=missing, before=was)
    yield from sorted(found.values(), key=lambda fact: fact.missing or 0)


def cards_needed(change: Change) -> Iterator[Fact]:
    """Cards that were picked and that no Cóatl meets yet: where they lack the fewest pieces."""
    seat = change.after.seats[change.seat]
    for card in change.picked:
        if any(one.card == card and one.points for coatl in seat.coatls for one in coatl.hand):
            continue
        found = [
            (missing[card], number)
            for number in _open_places(seat)
            if card in (missing := _missing(change, seat, number))
        ]
        if found:
            fewest, number = min(found, key=lambda one: one[0])
            if fewest <= NEAR:
                yield Fact(FactKind.NEEDS, coatl=number, card=card, missing=fewest)


def _open_places(seat: SeatView) -> list[int | None]:
    """Its open Cóatl, and None for one to be begun (A1)."""
    begun: list[int | None] = [k for k, coatl in enumerate(seat.coatls) if not coatl.complete]
    return [*begun, None] if len(seat.coatls) < MAX_COATLS else begun


def _place_in(seat: SeatView, number: int | None) -> int | None:
    """A Cóatl that was begun since then was still to be begun."""
    return number if number is not None and number < len(seat.coatls) else None


def _missing(change: Change, seat: SeatView, number: int | None) -> Missing:
    """By card: pieces to its next level."""
    bodies: Counter[str] = Counter() if change.assembles else Counter(seat.board)
    return {
        card: (Counter(lacks) - bodies).total()
        for card, lacks in _lacks(change, seat, number)
        if lacks is not None
    }


def _lacks(change: Change, seat: SeatView, number: int | None) -> Iterator[tuple[str, str | None]]:
    """Cards with the colours that they lack; None: nothing would help."""
    if number is None:
        for card in seat.hand:
            lack = change.prophecy(card).matches("").lacks
            yield card, None if lack is None else lack.left + lack.right
        return
    coatl = seat.coatls[number]
    for progress in (*coatl.cards, *coatl.hand):
        yield progress.card, None if progress.lacks is None else "".join(progress.lacks)
