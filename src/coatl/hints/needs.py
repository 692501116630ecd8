"""Facts about the pieces that cards still lack, on a Cóatl as it lies or on one to be begun."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator

from coatl.hints.change import NEAR, Change
from coatl.hints.hint import Fact, FactKind
from coatl.rules.state import MAX_COATLS
from coatl.view.data import SeatView

Missing = dict[str, int]  # pieces, by card
Lacks = Iterator[tuple[str, str | None]]
LacksOf = Callable[[Change, SeatView, int | None], Lacks]


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


def nearer_row_cards(change: Change) -> Iterator[Fact]:
    """Cards of the row that lack fewer pieces than before, the nearest first."""
    old, new = change.before.seats[change.seat], change.after.seats[change.seat]
    was, now = (_fewest(change, seat, _row_lacks) for seat in (old, new))
    found = [
        Fact(FactKind.NEARER_ROW, coatl=number, card=card, missing=missing, before=was[card][0])
        for card, (missing, number) in now.items()
        if card in was and missing < was[card][0]
    ]
    yield from sorted(found, key=lambda fact: fact.missing or 0)


def fewest_for_row(change: Change) -> int | None:
    """The pieces that the nearest card of the row lacks; None if no card could be met."""
    found = _fewest(change, change.before.seats[change.seat], _row_lacks)
    return min((missing for missing, _ in found.values()), default=None)


def fewest_for_hand(change: Change) -> Missing:
    """The pieces that each card in hand lacks, where it is nearest."""
    found = _fewest(change, change.before.seats[change.seat], _lacks)
    return {card: missing for card, (missing, _) in found.items()}


def cards_needed(change: Change, most: int = NEAR) -> Iterator[Fact]:
    """Cards that were picked and that no Cóatl meets yet: where they lack the fewest pieces.

    None that lacks more than `most`.
    """
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
            if fewest <= most:
                yield Fact(FactKind.NEEDS, coatl=number, card=card, missing=fewest)


def _open_places(seat: SeatView) -> list[int | None]:
    """Its open Cóatl, and None for one to be begun (A1)."""
    begun: list[int | None] = [k for k, coatl in enumerate(seat.coatls) if not coatl.complete]
    return [*begun, None] if len(seat.coatls) < MAX_COATLS else begun


def _place_in(seat: SeatView, number: int | None) -> int | None:
    """A Cóatl that was begun since then was still to be begun."""
    return number if number is not None and number < len(seat.coatls) else None


def _missing(
    change: Change, seat: SeatView, number: int | None, lacks_of: LacksOf | None = None
) -> Missing:
    """By card: pieces to its next level."""
    bodies: Counter[str] = Counter() if change.assembles else Counter(seat.board)
    return {
        card: (Counter(lacks) - bodies).total()
        for card, lacks in (lacks_of or _lacks)(change, seat, number)
        if lacks is not None
    }


def _fewest(change: Change, seat: SeatView, lacks_of: LacksOf) -> dict[str, tuple[int, int | None]]:
    """By card: the pieces that it lacks where it is nearest, and that place."""
    found: dict[str, tuple[int, int | None]] = {}
    for number in _open_places(seat):
        for card, missing in _missing(change, seat, number, lacks_of).items():
            if card not in found or missing < found[card][0]:
                found[card] = missing, number
    return found


def _lacks(change: Change, seat: SeatView, number: int | None) -> Lacks:
    """Cards with the colours that they lack; None: nothing would help."""
    if number is None:
        yield from _lacks_at_first(change, seat.hand)
        return
    coatl = seat.coatls[number]
    for progress in (*coatl.cards, *coatl.hand):
        yield progress.card, None if progress.lacks is None else "".join(progress.lacks)


def _row_lacks(change: Change, seat: SeatView, number: int | None) -> Lacks:
    """The same of cards in the row that lie there before and after."""
    row = [card for card in change.before.row if card is not None and card in change.after.row]
    if number is None:
        yield from _lacks_at_first(change, row)
        return
    for progress in seat.coatls[number].row:
        if progress.card in row:
            yield progress.card, None if progress.lacks is None else "".join(progress.lacks)


def _lacks_at_first(change: Change, cards: Iterable[str]) -> Lacks:
    """On a Cóatl to be begun."""
    for card in cards:
        lack = change.prophecy(card).matches("").lacks
        yield card, None if lack is None else lack.left + lack.right
