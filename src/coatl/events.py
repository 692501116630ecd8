"""What happened, as typed events: who, what, from which place to which.

A log, an animation and statistics can be made of them without knowing a rule. They are found by
`coatl.game.observer`; what a seat may not know is taken out for it.
"""

from __future__ import annotations

from enum import StrEnum
from functools import lru_cache

import msgspec

from coatl.moves import Move, Token
from coatl.rules import state as st
from coatl.rules.pieces import KIND_TEXTS, SPACES


class EventKind(StrEnum):
    """What sort of thing happened."""

    MOVE = "move"  # somebody decided `move`; what follows from it comes next
    UNDO = "undo"  # `move` was taken back
    PIECE = "piece"  # `piece` went from `source` to `target`
    PROPHECY = "prophecy"  # the Prophecy card `card` did
    TEMPLE = "temple"  # the Temple card `card` did; from a pile to itself: it was turned up there
    TOKEN = "token"  # `token` was spent
    SHUFFLE = "shuffle"  # the discards became the deck (R3)
    COATL = "coatl"  # the Cóatl `target` was completed: its `pieces`, its `points` (A9(iii))
    LOOK = "look"  # A.D.A.M. looked for his card `card` and found it in `target`, or nothing (D4)
    TURN = "turn"  # turn number `turn` began
    PASS = "pass"  # somebody passed (R5)
    END = "end"  # the end was triggered, by `end`
    OVER = "over"  # the game is over


class End(StrEnum):
    """What triggered the end of the game."""

    THIRD = st.ENDS[st.END_THIRD]  # E2: a third Cóatl
    BODIES = st.ENDS[st.END_BODIES]  # E3: no body segments
    PASSED = st.ENDS[st.END_PASSED]  # R5: everybody passed


class SpotKind(StrEnum):
    """Where something can lie."""

    SUPPLY = "supply"  # `space`
    BAG = "bag"
    GONE = "gone"  # out of the game (R15)
    BOARD = "board"  # of `seat`
    HAND = "hand"  # the Prophecy cards of `seat`
    TEMPLES = "temples"  # the Temple cards in hand of `seat`
    COATL = "coatl"  # number `at` of `seat`
    ROW = "row"  # place `at` of the face-up cards
    DECK = "deck"
    DISCARD = "discard"
    PILE = "pile"  # number `at` of the Temple piles
    ADAM_HOLDING = "adam_holding"  # what A.D.A.M. has taken and not yet placed
    ADAM_CARD = "adam_card"  # his card number `at`
    ADAM_FULFILLED = "adam_fulfilled"  # his pile


class Spot(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """A place on the table; Cóatl, cards and piles are counted from 0."""

    kind: SpotKind
    seat: int | None = None  # board, hand, temples, coatl
    at: int | None = None  # coatl, row, pile, adam_card
    space: str | None = None  # supply: b1 to b6, h1, h2, t1, t2


class Event(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """One thing that happened; its kind says which of the fields tell what."""

    kind: EventKind
    seat: int | None = None  # who did it; None: A.D.A.M. or the table
    piece: str | None = None
    card: str | None = None  # None where it is hidden from the reader
    token: Token | None = None
    source: Spot | None = None
    target: Spot | None = None
    at: int | None = None  # of a piece added to a Cóatl: its position there, head = 0
    pieces: str | None = None  # of a Cóatl completed
    points: int | None = None  # of a Cóatl completed
    turn: int | None = None
    end: End | None = None
    move: Move | None = None  # None where it is hidden from the reader


class Recorded(msgspec.Struct, frozen=True, gc=False):
    """An event and who may know what moved: everybody, or one seat only (H1)."""

    event: Event
    only: int | None = None

    def for_seat(self, seat: int | None) -> Event:
        if self.only is None or self.only == seat:
            return self.event
        return msgspec.structs.replace(self.event, card=None, move=None)


# There are few places: all events share them.


@lru_cache(maxsize=1024)
def place(kind: SpotKind, seat: int | None = None, at: int | None = None) -> Spot:
    return Spot(kind, seat, at)


@lru_cache(maxsize=64)
def supply_place(space: int) -> Spot:
    return Spot(SpotKind.SUPPLY, space=SPACES[space])


BAG, GONE, DECK, DISCARD, ADAM_HOLDING, ADAM_FULFILLED = map(
    place,
    (
        SpotKind.BAG,
        SpotKind.GONE,
        SpotKind.DECK,
        SpotKind.DISCARD,
        SpotKind.ADAM_HOLDING,
        SpotKind.ADAM_FULFILLED,
    ),
)


def board(seat: int) -> Spot:
    return place(SpotKind.BOARD, seat)


def hand(seat: int) -> Spot:
    return place(SpotKind.HAND, seat)


def temples(seat: int) -> Spot:
    return place(SpotKind.TEMPLES, seat)


def coatl_place(seat: int, number: int) -> Spot:
    return place(SpotKind.COATL, seat, number)


def row(number: int) -> Spot:
    return place(SpotKind.ROW, at=number)


def pile(number: int) -> Spot:
    return place(SpotKind.PILE, at=number)


def adam_card(number: int) -> Spot:
    return place(SpotKind.ADAM_CARD, at=number)


def piece_moved(
    seat: int | None, kind: int, source: Spot, target: Spot, at: int | None = None
) -> Recorded:
    event = Event(EventKind.PIECE, seat, KIND_TEXTS[kind], source=source, target=target, at=at)
    return Recorded(event)


def card_moved(
    kind: EventKind,
    seat: int | None,
    card: str,
    source: Spot,
    target: Spot,
    only: int | None = None,
) -> Recorded:
    return Recorded(Event(kind, seat, card=card, source=source, target=target), only)
