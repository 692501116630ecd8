"""Facts that speak for a line of moves: what the position was before, and what it is after."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from coatl.assembly import ClosedCoatl
from coatl.hints.change import Change
from coatl.hints.hint import Fact, FactKind
from coatl.hints.needs import cards_needed, nearer_cards
from coatl.hints.opponents import kept_from_adam, taken_from_next
from coatl.hints.weaker import weaker_facts
from coatl.moves import MoveKind, Token
from coatl.rules.cards import Deck
from coatl.rules.pieces import BOARD_SPACES
from coatl.view.data import CardProgress, CoatlView, TempleProgress

MOST_FACTS = 3
FULL = 2  # free spaces of a board, or fewer: more room is worth a word
FEW = 2  # cards in a hand


def facts_of(change: Change) -> tuple[Fact, ...]:
    """The weightiest facts, at most three; where there is none, one weaker fact."""
    return strong_facts(change) or tuple(islice(weaker_facts(change), 1))


def strong_facts(change: Change) -> tuple[Fact, ...]:
    """The weightiest of the facts of this module, at most three.

    Of what scores, all is told; of the rest, a second one of a kind waits for all other kinds.
    """
    scoring = [*_laid(change), *_closings(change), *_fitting(change)]
    others = [
        *nearer_cards(change),
        *cards_needed(change),
        *_ends(change),
        *kept_from_adam(change),
        *taken_from_next(change),
        *_room(change),
        *_cards_wanted(change),
    ]
    return tuple([*scoring, *_one_of_each_kind_first(others)][:MOST_FACTS])


def _one_of_each_kind_first(facts: Iterable[Fact]) -> list[Fact]:
    seen: Counter[FactKind] = Counter()
    ranked = []
    for fact in facts:
        ranked.append((seen[fact.kind], fact))
        seen[fact.kind] += 1
    return [fact for _, fact in sorted(ranked, key=lambda one: one[0])]


def _laid(change: Change) -> Iterator[Fact]:
    """Cóatl that were completed, and cards that were laid on those that were not."""
    old = change.before.seats[change.seat].coatls
    for number, coatl in enumerate(change.after.seats[change.seat].coatls):
        was_complete = number < len(old) and old[number].complete
        if coatl.complete and not was_complete:
            yield Fact(FactKind.COMPLETES, coatl=number, points=coatl.value, becomes=coatl.pieces)
        elif not coatl.complete:
            yield from _newly_laid(number, coatl, old[number].cards if number < len(old) else ())


def _newly_laid(number: int, coatl: CoatlView, earlier: Sequence[CardProgress]) -> Iterator[Fact]:
    had = Counter(card.card for card in earlier)
    for card in coatl.cards:
        if had[card.card]:
            had[card.card] -= 1
        else:
            yield Fact(FactKind.FULFILS, coatl=number, card=card.card, points=card.points)


def _closings(change: Change) -> Iterator[Fact]:
    """Open Cóatl that could be closed for more than before."""
    for number, closed in enumerate(change.closings_after):
        begun = number < len(change.closings_before)
        before = change.closings_before[number] if begun else None
        if closed is not None and (before is None or closed.value > before.value):
            yield Fact(
                FactKind.CLOSING,
                coatl=number,
                points=closed.value,
                before=None if before is None else before.value,
                becomes=closed.pieces,
                lit=_lit(change.deck, closed, before),
            )


def _lit(deck: Deck, closed: ClosedCoatl, before: ClosedCoatl | None) -> tuple[int, ...]:
    """The pieces that count for the cards with which it could not be closed before."""
    fresh = Counter(closed.cards) - Counter(() if before is None else before.cards)
    found = [deck.prophecies[deck.prophecy_ids[card]].matches(closed.pieces) for card in fresh]
    places = {place for matches in found for span in matches.positions for place in span}
    return tuple(sorted(places))


def _fitting(change: Change) -> Iterator[Fact]:
    """Cards that were taken and that an open Cóatl meets as it is."""
    coatls = change.after.seats[change.seat].coatls
    for card in change.picked:
        yield from _best_fit(card, [_points_of(coatl.hand, card) for coatl in coatls])
    for card in change.temples_taken:
        yield from _best_fit(card, [_points_of(coatl.temples, card) for coatl in coatls])


def _best_fit(card: str, points: Sequence[int]) -> Iterator[Fact]:
    """`points` are those on each Cóatl."""
    best = max(points, default=0)
    if best > 0:
        yield Fact(FactKind.FITS, coatl=points.index(best), card=card, points=best)


def _points_of(held: Sequence[CardProgress | TempleProgress], card: str) -> int:
    return max((one.points for one in held if one.card == card), default=0)


def _ends(change: Change) -> Iterator[Fact]:
    """A head or a tail for a Cóatl that lacks one, if the board has too few of them."""
    seat = change.before.seats[change.seat]
    for piece in sorted(change.gained):
        mark = piece.strip("KRBYG")
        had = sum(mark in other for other in seat.board)
        lacking = [
            number
            for number, coatl in enumerate(seat.coatls)
            if not coatl.complete and mark not in coatl.pieces
        ]
        if mark and (had < len(lacking) or not had):
            number = lacking[had] if lacking else None
            yield Fact(FactKind.END, coatl=number, pieces=(piece,))


def _room(change: Change) -> Iterator[Fact]:
    """A board that was as good as full."""
    before, after = [
        BOARD_SPACES - len(data.seats[change.seat].board) for data in (change.before, change.after)
    ]
    if change.assembles and before <= FULL and after > before:
        yield Fact(FactKind.ROOM, count=after, before=before)


def _cards_wanted(change: Change) -> Iterator[Fact]:
    """Why unknown cards may be better than those in the row."""
    first = change.moves[0] if change.moves else None
    if first is None or not (first.kind == MoveKind.DRAW or first.token == Token.FUTURE):
        return
    seat = change.before.seats[change.seat]
    row = [card for coatl in seat.coatls for card in coatl.row]
    if row and not any(card.points for card in row):
        yield Fact(FactKind.NO_CARD_MET)
    if seat.hand_size <= FEW:
        yield Fact(FactKind.FEW_CARDS, count=seat.hand_size)
