"""A hint as plain data: what to do, the chance of winning with it, and what speaks for it."""

from __future__ import annotations

from enum import StrEnum

import msgspec

from coatl.moves import Move


class FactKind(StrEnum):
    """What speaks for a move. The values stand in messages."""

    COMPLETES = "completes"  # `coatl` is complete then (`becomes`), worth `points`
    FULFILS = "fulfils"  # `card` is laid on `coatl`, for `points`
    # `coatl` could be closed for `points` then (`becomes`), now for `before` (None: not)
    CLOSING = "closing"
    # the board would lack `missing` pieces for `card` on `coatl` (None: a new one), not `before`
    NEARER = "nearer"
    GROWS = "grows"  # `card` lacks `missing` pieces on `coatl` itself then, not `before`
    FITS = "fits"  # a card that is taken: `coatl` meets it already, for `points`
    NEEDS = "needs"  # a card that is picked: the board lacks `missing` pieces for it on `coatl`
    END = "end"  # one of `pieces` is the head or tail that `coatl` lacks (None: the board does)
    ROOM = "room"  # the board has room for `count` pieces then, not `before`
    NO_CARD_MET = "no_card_met"  # of the row, by any Cóatl of the seat
    FEW_CARDS = "few_cards"  # the seat holds `count` cards
    TAKES_FROM = "takes_from"  # `seat` lacks one of `pieces` for a card on its Cóatl
    SUITS_NEXT = "suits_next"  # a Cóatl of `seat` meets `card` already, for `points`
    KEEPS_FROM_ADAM = "keeps_from_adam"  # A.D.A.M. lacks `pieces` for `card`
    # `card` of the row would lack `missing` pieces on `coatl`, not `before`
    NEARER_ROW = "nearer_row"
    NOTHING_TO_LAY = "nothing_to_lay"  # no card can be laid on a Cóatl now
    LATER = "later"  # `card` can still be laid on `coatl` when that is completed
    GETS_END = "gets_end"  # `coatl` gets its head or tail: one of `pieces`
    ROW_FAR = "row_far"  # each card of the row lacks `missing` pieces or more
    DROPS_FARTHEST = "drops_farthest"  # `card` lacks `missing` pieces, those kept up to `before`
    SHARE_COLOUR = "share_colour"  # `count` of the cards that are kept ask for the colour `pieces`
    TEMPLES = "temples"  # the seat would hold `count` Temple cards, not `before`
    # the Cóatl still need `count` heads (or tails) like `pieces`; the board has `before`
    ENDS_NEEDED = "ends_needed"
    LAST_PIECES = "last_pieces"  # no others like `pieces` are in the supply
    HAND_FULL = "hand_full"  # no card could be taken without discarding
    FEW_PIECES = "few_pieces"  # there are `count` pieces on the board
    EQUAL = "equal"  # the chance is nearly the same with other moves


class Fact(msgspec.Struct, frozen=True, omit_defaults=True):
    """One thing that speaks for a move; which fields count depends on its kind."""

    kind: FactKind  # what it says
    coatl: int | None = None  # the seat's own, counted from 0; None: one to be begun
    card: str | None = None  # its name
    points: int | None = None
    missing: int | None = None  # pieces
    before: int | None = None  # points or pieces, without the move
    seat: int | None = None  # another player's
    pieces: tuple[str, ...] = ()  # in the notation
    count: int | None = None
    becomes: str | None = None  # the pieces of `coatl` then, from head to tail
    lit: tuple[int, ...] = ()  # which of these count for the cards that are new then, head = 0


class Advice(msgspec.Struct, frozen=True, omit_defaults=True):
    """What to do, to the end of the turn or to where something unknown is drawn."""

    moves: tuple[Move, ...]  # one after the other
    facts: tuple[Fact, ...] = ()  # the weightiest first
    chance: float | None = None  # of winning, after it; a shared win counts in part


class Hint(msgspec.Struct, frozen=True, omit_defaults=True):
    """The best thing to do in a position, and the second best if one was found in time."""

    seat: int  # whose turn it is
    best: Advice  # what to do
    second: Advice | None = None  # what else
    # of winning, before it: over all moves, each as likely as the network plays it; None where
    # there is only one thing to do
    chance: float | None = None
