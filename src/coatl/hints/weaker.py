"""Facts that are told only where none in `coatl.hints.facts` can be.

Each is true of some moves and not of others. They come in the order in which they say most about
a move; the first one is told.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from coatl.hints.change import Change
from coatl.hints.hint import Fact, FactKind
from coatl.hints.needs import (
    cards_needed,
    fewest_for_hand,
    fewest_for_row,
    nearer_cards,
    nearer_row_cards,
)
from coatl.hints.opponents import kept_from_adam, taken_from_next
from coatl.moves import MoveKind, Token
from coatl.rules.pieces import COLOURS
from coatl.rules.state import MAX_COATLS

FAR = 99  # more pieces than any card lacks
FEW = 3  # cards in hand, or pieces on the board
FAR_ROW = 2  # pieces that each card of the row lacks, or more


def weaker_facts(change: Change) -> Iterator[Fact]:
    yield from nearer_cards(change, most=FAR)
    yield from cards_needed(change, most=FAR)
    yield from _ends_on_coatls(change)
    yield from kept_from_adam(change, most=FAR)
    yield from taken_from_next(change, most=FAR)
    yield from nearer_row_cards(change)
    yield from _temples(change)
    yield from _cards_kept(change)
    yield from _left_for_later(change)
    yield from _row_not_wanted(change)
    yield from _ends_needed(change)
    yield from _last_pieces(change)
    yield from _few_pieces(change)


def _ends_on_coatls(change: Change) -> Iterator[Fact]:
    """A head or a tail that is added to a Cóatl."""
    for move in change.moves:
        if move.kind == MoveKind.ADD and move.pieces[0] not in COLOURS:
            yield Fact(FactKind.GETS_END, coatl=move.coatl, pieces=move.pieces)


def _temples(change: Change) -> Iterator[Fact]:
    """More Temple cards to choose from when a Cóatl is completed."""
    before, after = (data.seats[change.seat] for data in (change.before, change.after))
    if after.temple_count > before.temple_count:
        yield Fact(FactKind.TEMPLES, count=after.temple_count, before=before.temple_count)


def _cards_kept(change: Change) -> Iterator[Fact]:
    """What those cards have in common that are not discarded, and those that are have not."""
    dropped = [move.card for move in change.moves if move.kind == MoveKind.DROP and move.card]
    kept = list((Counter(change.before.seats[change.seat].hand) - Counter(dropped)).elements())
    if not dropped or not kept:
        return
    missing = fewest_for_hand(change)
    most_kept = max(missing.get(card, 0) for card in kept)
    farthest = max(dropped, key=lambda card: missing.get(card, 0))
    if missing.get(farthest, 0) > most_kept:
        yield Fact(
            FactKind.DROPS_FARTHEST, card=farthest, missing=missing[farthest], before=most_kept
        )
    yield from _shared_colour(change, kept, dropped)


def _shared_colour(change: Change, kept: list[str], dropped: list[str]) -> Iterator[Fact]:
    """The colour that most of the kept cards ask for, if not all of the others do."""
    asking, not_asking = (
        [sum(colour in _colours(change, card) for card in cards) for colour in COLOURS]
        for cards in (kept, dropped)
    )
    shares = [
        (count, colour)
        for count, others, colour in zip(asking, not_asking, COLOURS, strict=True)
        if count > 1 and count * len(dropped) > others * len(kept)
    ]
    if shares:
        count, colour = max(shares, key=lambda share: share[0])
        yield Fact(FactKind.SHARE_COLOUR, count=count, pieces=(colour,))


def _colours(change: Change, card: str) -> str:
    """The colours that a card asks for."""
    needs = change.prophecy(card).pattern.needs
    return "".join(colour for colour, need in zip(COLOURS, needs, strict=False) if need)


def _left_for_later(change: Change) -> Iterator[Fact]:
    """Why nothing is assembled, or nothing more, though something could be."""
    if not change.moves or change.moves[0].kind != MoveKind.DONE:
        return
    legal = change.before.moves
    kinds = {move.kind for move in legal}
    if kinds & {MoveKind.BEGIN, MoveKind.ADD} and not kinds & {MoveKind.FULFIL, MoveKind.TEMPLE}:
        yield Fact(FactKind.NOTHING_TO_LAY)
    coatls = change.before.seats[change.seat].coatls
    for move in legal:  # A9(i): cards are laid when a Cóatl is completed, too
        is_open = move.coatl is not None and not coatls[move.coatl].complete
        if move.kind == MoveKind.FULFIL and is_open and move.coatl != change.before.pending:
            yield Fact(FactKind.LATER, coatl=move.coatl, card=move.card)


def _row_not_wanted(change: Change) -> Iterator[Fact]:
    """Why a card is drawn, or none taken, rather than one of those in the row."""
    first = change.moves[0] if change.moves else None
    if first is None:
        return
    kinds = {move.kind for move in change.before.moves}
    ends = first.kind == MoveKind.DONE and MoveKind.PICK in kinds
    draws = first.kind == MoveKind.DRAW or first.token == Token.FUTURE
    if draws or ends:
        fewest = fewest_for_row(change)
        if fewest is not None and fewest >= FAR_ROW:
            yield Fact(FactKind.ROW_FAR, missing=fewest)
        hand_size = change.before.seats[change.seat].hand_size
        if draws and hand_size <= FEW:
            yield Fact(FactKind.FEW_CARDS, count=hand_size)
        if first.token == Token.FUTURE and not kinds & {MoveKind.PICK, MoveKind.DRAW}:
            yield Fact(FactKind.HAND_FULL)


def _ends_needed(change: Change) -> Iterator[Fact]:
    """A head or a tail that a later Cóatl will need, if not one that has been begun."""
    seat = change.before.seats[change.seat]
    for piece in sorted(change.gained):
        mark = _mark(piece)
        has_one = sum(mark in coatl.pieces for coatl in seat.coatls)
        needed, had = MAX_COATLS - has_one, sum(mark in other for other in seat.board)
        if mark and had < needed:
            yield Fact(FactKind.ENDS_NEEDED, pieces=(piece,), count=needed, before=had)


def _mark(piece: str) -> str:
    """`<` of a head, `>` of a tail; nothing of a body segment."""
    return piece.strip(COLOURS)


def _last_pieces(change: Change) -> Iterator[Fact]:
    """Body segments of a colour that nothing else in the supply has, or its last head or tail."""
    taken = [move.space for move in change.moves if move.kind == MoveKind.TAKE]
    rest = {
        _mark(piece) or piece
        for space, colours in change.before.supply.items()
        if space not in taken
        for piece in _pieces_in(space, colours)
    }
    pieces = tuple(sorted(piece for piece in change.gained if (_mark(piece) or piece) not in rest))
    if taken and pieces:
        yield Fact(FactKind.LAST_PIECES, pieces=pieces)


def _pieces_in(space: str, colours: str) -> list[str]:
    """The pieces on a space of the supply, in the notation."""
    forms = {"h": "<{}", "t": "{}>"}
    return [forms.get(space[0], "{}").format(colour) for colour in colours]


def _few_pieces(change: Change) -> Iterator[Fact]:
    """A board that has room for much more."""
    pieces = len(change.before.seats[change.seat].board)
    if change.gained and pieces <= FEW:
        yield Fact(FactKind.FEW_PIECES, count=pieces)
