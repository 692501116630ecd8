"""The whole state of a game as one nested record. No chance and no deck order are in it.

What is drawn at random is drawn when it is revealed: bags are counts, the Prophecy deck and what
lies below the tops of the Temple piles are pools (counts by card id). Hands and the cards on a
Cóatl are sorted, so equal positions are equal bytes. Unused places hold 0, "nothing" is ``NONE``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal, get_args

from coatl.compiler.records import Int8, Int8s, Int16, Int64, RecordArray, dtype_of, record_array

NONE = -1

MIN_PLAYERS, MAX_PLAYERS = 2, 4  # besides solo
MAX_COATLS = 3  # A1
MAX_INCOMPLETE = 2  # A1
MAX_LENGTH = 122  # a head, a tail and every body segment of the game
MAX_CARDS_ON_COATL = 4  # A6
MAX_HAND = 6  # the fourth player's cards at setup (S5)
HAND_LIMIT = 5  # P2
KEPT_AT_SETUP = 3  # S5, D2
ROW_SIZE = 6  # S4
N_PILES = 2  # S3
MAX_PROPHECIES = 64  # different Prophecy cards a deck may have
MAX_TEMPLES = 32
MAX_ADAM_CARDS = 4  # D10 level 5

# Phases: which decision is asked for.
SETUP = 0  # S5: discard down to what you keep
MAIN = 1  # choose an action
PICK = 2  # P1: go on choosing Prophecy cards
ASSEMBLE = 3  # A1-A3: go on assembling
FULFIL = 4  # A9(i): Prophecy cards for the Cóatl just closed
TEMPLE = 5  # A9(ii): a Temple card for it
FUTURE = 6  # K2: discard from the hand
ADAM = 7  # D4-D6: A.D.A.M.'s next automatic step
OVER = 8  # E4
Phase = Literal["setup", "main", "pick", "assemble", "fulfil", "temple", "future", "adam", "over"]
PHASES: tuple[Phase, ...] = get_args(Phase)

# How the end was triggered.
END_NONE = 0
END_THIRD = 1  # E2: a third Cóatl
END_BODIES = 2  # E3: no body segments
END_PASSED = 3  # R5: everybody passed
ENDS = ("none", "third", "bodies", "passed")

# Sacrifice tokens (C5).
PERFECT_PICK, SEE_THE_FUTURE, PRIEST_COMMITMENT = 0, 1, 2
N_TOKENS = 3
TOKENS = ("pick", "future", "priest")

# The levels of the solo game as bits (D10).
LEVEL_1 = 1  # solo level 1: every Cóatl is completed with a Temple card
LEVEL_2 = 2  # solo level 2: one card fewer in hand
LEVEL_3 = 4  # solo level 3: the cards on a Cóatl have different card colours
LEVEL_4 = 8  # solo level 4: a Cóatl is completed with four Prophecy cards only
LEVEL_5 = 16  # solo level 5: A.D.A.M. has four cards
LEVELS = (1, 2, 3, 4, 5)

# A.D.A.M.'s next step.
LOOK = 0  # D4: look for the pieces that card `looking` needs
GRAB = 1  # D4: take the content of `space`
PLACE = 2  # D5: lay one collected piece on a card, or discard it
COMPLETE = 3  # D6: fulfil the leftmost filled card and pass its pieces on
REFILL = 4  # D6: take the rightmost card of the row
FINISH = 5  # D3: the row slides and is refilled; the turn ends
AdamStep = Literal["look", "grab", "place", "complete", "refill", "finish"]
ADAM_STEPS: tuple[AdamStep, ...] = get_args(AdamStep)


class Coatl:
    """One Cóatl, complete or not; colours from head to tail (A4)."""

    length: Int8
    has_head: Int8
    has_tail: Int8
    complete: Int8
    n_cards: Int8
    cards: Annotated[Int8s, MAX_CARDS_ON_COATL]  # sorted Prophecy card ids
    temple: Int8  # Temple card id or NONE
    counts: Int64  # pieces of each colour, one byte a colour, so that hopeless cards show at once
    colours: Annotated[Int8s, MAX_LENGTH]


class PlayerRecord:
    """One seat. `seen`, `n_old`, `temples_seen`, `buried`: what others or it alone know (H1)."""

    pieces: Annotated[Int8s, 15]  # on the player board, by kind
    n_pieces: Int8
    n_hand: Int8
    hand: Annotated[Int8s, MAX_HAND]  # sorted Prophecy card ids; a seen copy before an unseen one
    seen: Annotated[Int8s, MAX_HAND]  # 1: everyone saw this card being taken face up
    n_old: Int8  # at least so many of the unseen cards are older than the last reshuffle (R3)
    n_temples: Int8
    temples: Annotated[Int8s, 2]  # Temple cards in hand, sorted
    temples_seen: Annotated[Int8s, 2]
    tokens: Annotated[Int8s, N_TOKENS]  # 1: still there
    n_buried: Int8
    buried: Annotated[Int8s, MAX_HAND]  # cards discarded at setup, known to their owner only
    n_coatls: Int8
    n_complete: Int8
    coatls: Annotated[Sequence[Coatl], MAX_COATLS]


class Adam:
    """A.D.A.M.'s cards and pieces, and where he is in his turn (section 7)."""

    step: Int8
    looking: Int8  # index of the card he looks for
    space: Int8  # the space he found, or NONE
    n_cards: Int8
    cards: Annotated[Int8s, MAX_ADAM_CARDS]  # left to right
    pieces: Annotated[Int8s, MAX_ADAM_CARDS, 15]  # on each card, by kind
    holding: Annotated[Int8s, 15]  # collected, not yet placed
    fulfilled: Annotated[Int8s, MAX_PROPHECIES]  # count by card id


class StateRecord:
    """Everything on the table."""

    # options
    n_players: Int8  # 1: solo
    with_tokens: Int8  # S6
    with_promo: Int8
    fewer_bodies: Int8  # R22
    levels: Int8  # D10, bits LEVEL_1 ... LEVEL_5
    # whose turn, and where in it
    current: Int8
    phase: Int8
    pending: Int8  # index of the Cóatl being completed (A9), or NONE
    picked: Int8  # cards chosen so far in this choose-prophecies action
    actions_left: Int8  # in this turn, this one included (E2)
    second_action: Int8  # 1: this is the second action of a final turn and may be declined (R14)
    passes: Int8  # players who passed one after another (R5)
    end: Int8  # END_NONE ...
    trigger: Int8  # seat that completed the third Cóatl, or NONE
    turns_left: Int8  # turns after the current one, once the end is triggered
    turn: Int16  # turns begun, A.D.A.M.'s included
    # supply
    supply: Annotated[Int8s, 10, 2]  # colours; a pair sorted, NONE where empty
    bag: Annotated[Int8s, 15]
    gone: Annotated[Int8s, 15]  # out of the game (R15)
    # Prophecy cards
    row: Annotated[Int8s, ROW_SIZE]  # face up, left to right, NONE where empty
    n_deck: Int8
    n_discard: Int8
    reshuffled: Int8  # 1: the discards have been shuffled into a new deck (R3)
    deck: Annotated[Int8s, MAX_PROPHECIES]
    discard: Annotated[Int8s, MAX_PROPHECIES]
    recycled: Annotated[Int8s, MAX_PROPHECIES]  # everyone saw them go into the last reshuffle
    # Temple cards
    pile_top: Annotated[Int8s, N_PILES]
    pile_size: Annotated[Int8s, N_PILES]  # top included
    pool: Annotated[Int8s, MAX_TEMPLES]  # below the tops of both piles
    n_pool: Int8
    # seats
    players: Annotated[Sequence[PlayerRecord], MAX_PLAYERS]
    adam: Adam


STATE = dtype_of(StateRecord)
States = RecordArray[StateRecord]


def new_states(n: int = 1) -> States:
    return record_array(StateRecord, n)
