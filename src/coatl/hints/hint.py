"""A hint as plain data: what to do, the chance of winning with it, and what speaks for it."""

from __future__ import annotations

from enum import StrEnum

import msgspec


class FactKind(StrEnum):
    """What speaks for a move. The values stand in messages."""

    COMPLETES = "completes"  # `coatl` is complete then, worth `points`
    FULFILS = "fulfils"  # `card` is laid on `coatl`, for `points`
    CLOSING = (
        "closing"  # `coatl` could be closed for `points` then; now for `before`, or not (None)
    )
    NEARER = "nearer"  # `card` would lack `missing` pieces on `coatl`, and lacks `before` now
    FITS = "fits"  # a card that is picked: `coatl` meets it already, for `points`
    TAKES_FROM = "takes_from"  # `seat` lacks one of `pieces` for a card on its Cóatl
    SUITS_NEXT = "suits_next"  # a Cóatl of `seat` meets `card` already, for `points`
    KEEPS_FROM_ADAM = "keeps_from_adam"  # A.D.A.M. lacks `pieces` for `card`


class Fact(msgspec.Struct, frozen=True, omit_defaults=True):
    """One thing that speaks for a move; which fields count depends on its kind."""

    kind: FactKind
    coatl: int | None = None  # the seat's own, counted from 0
    card: str | None = None
    points: int | None = None
    missing: int | None = None
    before: int | None = None
    seat: int | None = None
    pieces: tuple[str, ...] = ()


class Advice(msgspec.Struct, frozen=True, omit_defaults=True):
    """What to do, to the end of the turn or to where something unknown is drawn."""

    moves: tuple[str, ...]  # in the notation
    facts: tuple[Fact, ...] = ()  # the weightiest first
    chance: float | None = None  # of winning, after it; a shared win counts in part


class Hint(msgspec.Struct, frozen=True, omit_defaults=True):
    """The best thing to do in a position, and the second best if anything comes near it."""

    seat: int
    best: Advice
    second: Advice | None = None
    # of winning, before it: over all moves, each as likely as the network plays it; None where
    # there is only one thing to do
    chance: float | None = None
