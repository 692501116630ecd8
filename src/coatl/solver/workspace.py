"""What a seat can assemble with, as records for the search.

A *set of pieces* is part of what lies on the board, so many of each kind. A board has 8 spaces
(C5), so there are at most 256 sets, and each has a number: the counts of the kinds are its digits.
A *set of cards* has a bit for each different card in hand.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Annotated

from coatl.compiler.records import (
    Int8,
    Int8s,
    Int16,
    Int16s,
    Int64,
    Int64s,
    RecordArray,
    record_array,
)
from coatl.rules.cards import Deck
from coatl.rules.pieces import BOARD_SPACES
from coatl.rules.state import (
    HAND_LIMIT,
    MAX_CARDS_ON_COATL,
    MAX_COATLS,
    MAX_LENGTH,
    MAX_PROPHECIES,
    N_PILES,
    Coatl,
)

MAX_PIECE_SETS = 1 << BOARD_SPACES
MAX_CARD_SETS = 1 << HAND_LIMIT
TEMPLES_IN_HAND = 2  # S3, K3
N_TEMPLES = TEMPLES_IN_HAND + N_PILES
MAX_TRACKED = HAND_LIMIT + MAX_CARDS_ON_COATL
MAX_STEPS = BOARD_SPACES + 1  # of an arrangement: the pieces, and the Cóatl as it lies
MAX_CLOSED = MAX_LENGTH + BOARD_SPACES


class PieceSet:
    """Some of the pieces on the board."""

    n_pieces: Int8
    bodies: Int8
    counts: Int64  # of each kind (`search.fits`)
    colours: Int64  # as `Coatl.counts`


class Means:
    """What a seat may use in this action."""

    levels: Int8  # D10
    n_kinds: Int8
    kinds: Annotated[Int8s, BOARD_SPACES]  # of the pieces on the board
    counts: Annotated[Int8s, BOARD_SPACES]
    steps: Annotated[Int16s, BOARD_SPACES]  # what one piece adds to the number of a set
    n_piece_sets: Int16
    piece_sets: Annotated[Sequence[PieceSet], MAX_PIECE_SETS]
    n_cards: Int8
    cards: Annotated[Int8s, HAND_LIMIT]  # the different Prophecy cards in hand
    places: Annotated[Int8s, HAND_LIMIT]  # of their first copies in the hand
    copies: Annotated[Int64s, MAX_CARD_SETS]  # of each card in a set (`search.fits`)
    held: Int64  # copies of each card in hand
    breakable: Int8  # set of the cards that a Cóatl may meet, and not meet when it has grown (R1)
    temples: Annotated[Int8s, N_TEMPLES]  # in hand, then on the piles; NONE: no card
    ask_cards: Annotated[Int8s, N_TEMPLES]  # 1: this Temple card asks for card colours (promo)


class Target:
    """A Cóatl that may be closed in this action, and all that can come of it."""

    which: Int8  # its place among the seat's Cóatl
    is_pending: Int8  # 1: it is closed and being completed (A9)
    is_new: Int8  # 1: not begun yet
    coatl: Coatl  # as it lies
    laid: Int8  # bits of the card colours laid
    useful: Int8  # set of the cards in hand that it could ever meet
    allowed: Annotated[Int8s, MAX_CARD_SETS]  # 1: such cards may be laid together (A6, D10)
    # By set of pieces added:
    top: Annotated[Int16s, MAX_PIECE_SETS]  # more points cannot be had; NONE: it does not close
    temple: Annotated[Int8s, MAX_PIECE_SETS, N_TEMPLES]  # points, if no card laid is in the way
    seen: Annotated[Int64s, MAX_PIECE_SETS]  # the points of the cards in the last arrangement
    # By set of pieces added and set of cards laid, the most points of all Prophecy cards, or NONE:
    points: Annotated[Int16s, MAX_PIECE_SETS, MAX_CARD_SETS]
    most: Int16  # of `top`, or NONE


class Walk:
    """An arrangement while it is put together from left to right, and the tracked cards on it."""

    goal: Int16  # a set of pieces of which an arrangement is wanted; NONE: all are looked at
    goal_cards: Int8  # cards to lay with it
    goal_points: Int16
    is_found: Int8
    n_path: Int8
    path: Annotated[Int8s, MAX_STEPS + 2]  # the steps of the arrangement that was found, as `added`
    n_tracked: Int8
    n_hand: Int8  # tracked cards from the hand, which come first; then those laid
    tracked: Annotated[Int8s, MAX_TRACKED]
    in_hand: Annotated[Int8s, HAND_LIMIT]  # place of a tracked card in `Means.cards`
    breakable: Int8  # set of the cards for which it matters that they can be laid early
    left: Annotated[Int8s, BOARD_SPACES]  # pieces of each kind not used yet
    depth: Int8  # steps so far
    added: Annotated[Int8s, MAX_STEPS + 2]  # in each step: place of the kind, NONE: the Cóatl
    piece_set: Annotated[Int16s, MAX_STEPS + 2]
    rows: Annotated[Int16s, MAX_STEPS + 2, MAX_TRACKED]  # of the automata after each step
    times: Annotated[Int16s, MAX_STEPS + 2, MAX_TRACKED]
    points: Annotated[Int16s, HAND_LIMIT]  # of the cards in hand
    sums: Annotated[Int16s, MAX_CARD_SETS]
    # for cards that are laid early (`early`)
    colours: Annotated[Int8s, MAX_CLOSED]
    early_rows: Annotated[Int16s, HAND_LIMIT]
    early_times: Annotated[Int16s, HAND_LIMIT]
    families: Annotated[Int64s, BOARD_SPACES + 1, BOARD_SPACES + 1]


class Closing:
    """How one Cóatl is closed."""

    pieces: Int16  # set of pieces added; NONE: it is not closed
    cards: Int8  # set of cards laid
    temple: Int8  # place in `Means.temples`, or NONE
    points: Int16  # of the Prophecy cards
    value: Int16


class Level:
    """The search at one target: what those before it left, and what it tries."""

    pieces: Int64  # left on the board, counts of each kind
    held: Int64  # left in hand, copies of each card
    score: Int64  # no better one is possible with what the targets before it got
    option: Int64  # set of pieces and set of cards that is tried


class Room:
    """All that one search needs; `new_room` makes one."""

    can_break: Annotated[Int8s, MAX_PROPHECIES]  # by card id
    nodes: Int64  # pieces and cards tried, to measure the search
    means: Means
    n_targets: Int8
    targets: Annotated[Sequence[Target], MAX_COATLS]
    tables: Annotated[Int8s, MAX_COATLS]  # the target whose tables hold for one: new ones are alike
    walk: Walk
    # what is looked for
    weights: Annotated[Int8s, MAX_COATLS]  # 1: the value of this target counts
    may_close: Annotated[Int8s, MAX_COATLS]
    must_close: Annotated[Int8s, MAX_COATLS]
    needs_closed: Int8  # target that can only be begun when another has been closed (A1), or NONE
    to_come: Annotated[Int16s, MAX_COATLS + 1]  # no more points can come of a target and the next
    levels: Annotated[Sequence[Level], MAX_COATLS + 1]
    temple_points: Annotated[Int8s, MAX_COATLS, N_TEMPLES]  # of each card on each target
    # what is found
    tried: Annotated[Sequence[Closing], MAX_COATLS]
    best: Annotated[Sequence[Closing], MAX_COATLS]
    best_score: Int64
    closed: Coatl  # scratch


Rooms = RecordArray[Room]  # of one element


def new_room(deck: Deck) -> Rooms:
    rooms = record_array(Room, 1)
    rooms["can_break"][0, : len(deck.prophecies)] = _can_break(deck)
    return rooms


@lru_cache(maxsize=32)
def _can_break(deck: Deck) -> tuple[bool, ...]:
    """More pieces make a card worse only if it forbids a neighbour (Q5)."""
    patterns = [card.pattern for card in deck.prophecies]
    return tuple([(p.not_before, p.not_after) != (None, None) for p in patterns])
