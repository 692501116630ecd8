"""One numbered space of decisions for all modes. A decision is one small step (P1, A1-A9, K1-K3).

Cards are named by id, not by place in the hand, so that a number means the same thing whatever
else is held. The functions here put numbers together; `decode` takes them apart, for everybody:
legality, effects, texts, events and the encoding ask it (compiled code reads its table, `DECODED`).
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import IntEnum
from typing import Annotated, NamedTuple

import numpy as np

from coatl.compiler.records import Int16, Int16s, RecordArray, record_array
from coatl.rules.pieces import BODY, N_COLOURS, N_KINDS, N_SPACES, TAIL
from coatl.rules.state import MAX_COATLS, MAX_PROPHECIES, MAX_TEMPLES, N_PILES, NONE, ROW_SIZE

N_ENDS = 4 * N_COLOURS  # ways to add a piece: head, tail, body on the left, body on the right
N_PAIRS = 15  # unordered pairs of colours

TAKE = 0  # + supply space (T1)
PICK = TAKE + N_SPACES  # + place in the row (P1)
DRAW = PICK + ROW_SIZE  # the top card of the deck (P1)
BEGIN = DRAW + 1  # + kind (A1)
ADD = BEGIN + N_KINDS  # + N_ENDS * Cóatl + end (A2)
FULFIL = ADD + N_ENDS * MAX_COATLS  # + MAX_PROPHECIES * Cóatl + card (A3, A9(i))
TEMPLE_FROM_HAND = FULFIL + MAX_PROPHECIES * MAX_COATLS  # + Temple card (A9(ii))
TEMPLE_FROM_PILE = TEMPLE_FROM_HAND + MAX_TEMPLES  # + pile (A9(ii))
PERFECT_END = TEMPLE_FROM_PILE + N_PILES  # + kind of a head or tail (K1)
PERFECT_PAIR = PERFECT_END + BODY  # + pair of body segments (K1, R7)
FUTURE_TOKEN = PERFECT_PAIR + N_PAIRS  # K2
PRIEST = FUTURE_TOKEN + 1  # + pile (K3)
DISCARD = PRIEST + N_PILES  # + card (S5, K2)
DONE = DISCARD + MAX_PROPHECIES  # end what you are doing
PASS = DONE + 1  # R5
STEP = PASS + 1  # A.D.A.M.'s next automatic step (D4-D6)
N_DECISIONS = STEP + 1

# Ends of a Cóatl a piece can be added to, by what is added.
ADD_HEAD, ADD_TAIL, ADD_LEFT, ADD_RIGHT = 0, 5, 10, 15  # + colour

PAIR_FIRST = tuple(a for a in range(N_COLOURS) for b in range(a, N_COLOURS))
PAIR_SECOND = tuple(b for a in range(N_COLOURS) for b in range(a, N_COLOURS))


class DecisionKind(IntEnum):
    """What a decision does, in the order of the numbers."""

    TAKE = 0  # T1
    PICK = 1  # P1: a face-up card
    DRAW = 2  # P1: the top card of the deck
    BEGIN = 3  # A1
    ADD = 4  # A2
    FULFIL = 5  # A3, A9(i)
    TEMPLE_FROM_HAND = 6  # A9(ii)
    TEMPLE_FROM_PILE = 7  # A9(ii)
    PERFECT_END = 8  # K1: a head or a tail
    PERFECT_PAIR = 9  # K1: two body segments
    FUTURE = 10  # K2
    PRIEST = 11  # K3
    DISCARD = 12  # S5, K2
    DONE = 13
    PASS = 14  # R5
    STEP = 15  # D4-D6


class Decision(NamedTuple):
    """What a decision number names; ``NONE`` where it names nothing of the sort."""

    kind: DecisionKind
    at: int = NONE  # supply space, place in the row, or Temple pile
    coatl: int = NONE
    piece: int = NONE  # kind of piece
    end: int = NONE  # of an addition: which of the N_ENDS ways to add a piece
    is_left: bool = False  # of an addition: at the left end
    card: int = NONE  # Prophecy card, or Temple card from the hand
    pair: int = NONE  # of body segments (`PAIR_FIRST`, `PAIR_SECOND`)


def _all_decisions() -> Iterator[Decision]:
    """Every decision, in the order of the numbers."""
    kinds = DecisionKind
    yield from (Decision(kinds.TAKE, at=space) for space in range(N_SPACES))
    yield from (Decision(kinds.PICK, at=place) for place in range(ROW_SIZE))
    yield Decision(kinds.DRAW)
    yield from (Decision(kinds.BEGIN, piece=piece) for piece in range(N_KINDS))
    for coatl in range(MAX_COATLS):
        yield from (_addition(coatl, end) for end in range(N_ENDS))
    for coatl in range(MAX_COATLS):
        for card in range(MAX_PROPHECIES):
            yield Decision(kinds.FULFIL, coatl=coatl, card=card)
    yield from (Decision(kinds.TEMPLE_FROM_HAND, card=card) for card in range(MAX_TEMPLES))
    yield from (Decision(kinds.TEMPLE_FROM_PILE, at=pile) for pile in range(N_PILES))
    yield from (Decision(kinds.PERFECT_END, piece=piece) for piece in range(BODY))
    yield from (Decision(kinds.PERFECT_PAIR, pair=pair) for pair in range(N_PAIRS))
    yield Decision(kinds.FUTURE)
    yield from (Decision(kinds.PRIEST, at=pile) for pile in range(N_PILES))
    yield from (Decision(kinds.DISCARD, card=card) for card in range(MAX_PROPHECIES))
    yield from (Decision(kinds.DONE), Decision(kinds.PASS), Decision(kinds.STEP))


def _addition(coatl: int, end: int) -> Decision:
    """A4: a head goes on the left, a tail on the right, a body segment on either side."""
    piece = end - N_COLOURS if end >= ADD_RIGHT else end
    is_left = end < ADD_TAIL or ADD_LEFT <= end < ADD_RIGHT
    return Decision(DecisionKind.ADD, coatl=coatl, piece=piece, end=end, is_left=is_left)


DECISIONS = tuple(_all_decisions())
assert len(DECISIONS) == N_DECISIONS

# The same for compiled code: one row a decision, the fields of `Decision` as columns.
KIND, AT, COATL, PIECE, END, IS_LEFT, CARD, PAIR = range(len(Decision._fields))
DECODED = np.array(DECISIONS, np.int16)
DECODED.setflags(write=False)


def decode(decision: int) -> Decision:
    """What a number names; raises `ValueError` for one that is none."""
    if not 0 <= decision < N_DECISIONS:
        raise ValueError(f"decisions are 0 to {N_DECISIONS - 1}, not {decision}")
    return DECISIONS[decision]


class Choices:
    """A list of decisions: the first `n` of `items`."""

    n: Int16
    items: Annotated[Int16s, N_DECISIONS]


def new_choices(n: int = 1) -> RecordArray[Choices]:
    return record_array(Choices, n)


def take(space: int) -> int:
    return TAKE + space


def pick(place: int) -> int:
    return PICK + place


def begin(kind: int) -> int:
    return BEGIN + kind


def add(coatl: int, kind: int, left: bool = False) -> int:
    """Add a piece; `left` matters for body segments only (A4)."""
    colour = kind % N_COLOURS
    if kind < TAIL:
        end = ADD_HEAD
    elif kind < BODY:
        end = ADD_TAIL
    else:
        end = ADD_LEFT if left else ADD_RIGHT
    return ADD + N_ENDS * coatl + end + colour


def fulfil(coatl: int, card: int) -> int:
    return FULFIL + MAX_PROPHECIES * coatl + card


def temple_from_hand(temple: int) -> int:
    return TEMPLE_FROM_HAND + temple


def temple_from_pile(pile: int) -> int:
    return TEMPLE_FROM_PILE + pile


def perfect_pick(first: int, second: int | None = None) -> int:
    """Perfect Pick of a head or tail kind, or of two body kinds."""
    if second is None:
        return PERFECT_END + first
    low, high = sorted((first - BODY, second - BODY))
    return PERFECT_PAIR + list(zip(PAIR_FIRST, PAIR_SECOND, strict=True)).index((low, high))


def priest(pile: int) -> int:
    return PRIEST + pile


def discard(card: int) -> int:
    return DISCARD + card
