"""One numbered space of decisions for all modes. A decision is one small step (P1, A1-A9, K1-K3).

Cards are named by id, not by place in the hand, so that a number means the same thing whatever
else is held. The functions here put numbers together; the constants take them apart.
"""

from __future__ import annotations

from typing import Annotated

from coatl.rules.pieces import BODY, N_COLOURS, N_KINDS, N_SPACES, TAIL
from coatl.rules.records import Int16, Int16s, RecordArray, record_array
from coatl.rules.state import MAX_COATLS, MAX_PROPHECIES, MAX_TEMPLES, N_PILES, ROW_SIZE

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
