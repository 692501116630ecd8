"""The observation, field by field: the one table that code and docs/observation.md come from.

An observation is a row of signed bytes: first the table and the seat itself, then one block for
each other seat in turn order, then one for each open Cóatl of the seat. Every constant here is
the offset of a field in its block. The scale is what a network multiplies the bytes by.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from coatl.encode.meanings import N_CARDS, N_TEMPLES
from coatl.rules.decisions import N_PAIRS
from coatl.rules.pieces import BOARD_SPACES, N_COLOURS, N_KINDS, N_SPACES
from coatl.rules.state import (
    MAX_ADAM_CARDS,
    MAX_CARDS_ON_COATL,
    MAX_COATLS,
    MAX_HAND,
    MAX_INCOMPLETE,
    MAX_PLAYERS,
    N_PILES,
    N_TOKENS,
)

N_OTHERS = MAX_PLAYERS - 1
N_PHASES = 7  # setup ... future: those in which a seat decides
N_ENDS = 4
LONGEST_SHOWN = 13  # lengths up to here have a flag each
SEEN_ENDS = 6  # pieces at each end of an open Cóatl that are shown one by one
MAX_REQUIREMENTS = 3  # of a Temple card of the standard deck


@dataclass(frozen=True)
class Field:
    """One field of a block: where it is, how long, how it is scaled, and what it means."""

    name: str
    offset: int
    size: int
    scale: float
    meaning: str


@dataclass
class Block:
    """Fields that come together, `times` times one after another."""

    name: str
    meaning: str
    times: int = 1
    fields: list[Field] = field(default_factory=list)
    size: int = 0

    def add(self, name: str, size: int, scale: float, meaning: str) -> int:
        """Append a field; its offset in the block."""
        offset = self.size
        self.fields.append(Field(name, offset, size, scale, meaning))
        self.size += size
        return offset


_own = Block("table", "The table, and what the seat has")
PIECES = _own.add("pieces", N_KINDS, 0.5, "own pieces on the board, by kind (heads, tails, bodies)")
ROOM = _own.add("room", BOARD_SPACES + 1, 1, "free spaces on the own board: one flag")
HAND = _own.add("hand", N_CARDS, 1, "own Prophecy cards, count by card")
HAND_SIZE = _own.add("hand_size", MAX_HAND + 1, 1, "cards in the own hand: one flag")
HAND_SECRET = _own.add("hand_secret", 1, 0.3, "own Prophecy cards that nobody has seen")
TEMPLES = _own.add("temples", N_TEMPLES, 1, "own Temple cards")
TOKENS = _own.add("tokens", N_TOKENS, 1, "own Sacrifice tokens that are left")
PILE_TOPS = _own.add("pile_tops", N_TEMPLES, 1, "Temple cards on top of the piles")
PILE_SIZES = _own.add("pile_sizes", N_PILES, 0.2, "cards in each Temple pile")
TEMPLES_UNSEEN = _own.add("temples_unseen", N_TEMPLES, 1, "Temple cards that may be anywhere")
SUPPLY_PAIRS = _own.add("supply_pairs", N_PAIRS, 1, "body spaces with this pair of colours")
SUPPLY_HEADS = _own.add("supply_heads", N_COLOURS, 1, "heads on the Supply board, by colour")
SUPPLY_TAILS = _own.add("supply_tails", N_COLOURS, 1, "tails on the Supply board, by colour")
SUPPLY_COLOURS = _own.add("supply_colours", N_COLOURS, 0.25, "body segments there, by colour")
SUPPLY_SPACES = _own.add(
    "supply_spaces", 2, 0.25, "filled body spaces; filled head and tail spaces"
)
SUPPLY = _own.add("supply", N_SPACES * N_COLOURS, 0.5, "pieces by space (b1 ... t2) and colour")
BAG = _own.add("bag", N_KINDS, 0.08, "pieces in the bags, by kind")
BAG_BODIES = _own.add("bag_bodies", 1, 0.02, "body segments in the bag")
ROW = _own.add("row", N_CARDS, 1, "face-up Prophecy cards, count by card")
ROW_PLACE = _own.add("row_place", N_CARDS, 0.17, "place of a face-up card, 1 at the left; 0: none")
UNSEEN = _own.add(
    "unseen", N_CARDS, 0.5, "copies of a card that are in the deck or unseen in hands"
)
DECK = _own.add("deck", 2, 0.04, "cards in the deck; discards")
PHASE = _own.add(
    "phase", N_PHASES, 1, "setup, main, pick, assemble, fulfil, temple, future: one flag"
)
PICKED = _own.add("picked", 1, 0.5, "cards chosen so far in this action")
ACTIONS_LEFT = _own.add("actions_left", 1, 0.5, "actions left in this turn, this one included")
SECOND_ACTION = _own.add("second_action", 1, 1, "this is a second action and may be declined (R14)")
PASSES = _own.add("passes", 1, 0.5, "players who have just passed one after another (R5)")
END = _own.add("end", N_ENDS, 1, "none, third Cóatl, bodies, passed: what triggered the end")
TURNS_LEFT = _own.add("turns_left", 1, 0.3, "turns after this one, once the end is triggered")
TRIGGER = _own.add(
    "trigger", MAX_PLAYERS, 1, "who completed the third Cóatl, counted from the seat"
)
TURN = _own.add("turn", 1, 0.02, "turns begun")
SEAT = _own.add("seat", MAX_PLAYERS, 1, "the seat: one flag")
PLAYERS = _own.add("players", MAX_PLAYERS, 1, "1 (solo) to 4 players: one flag")
OPTIONS = _own.add("options", 3, 1, "tokens, promo pack, fewer bodies")
LEVELS = _own.add("levels", 5, 1, "solo levels 1 to 5")
COATLS = _own.add("coatls", MAX_COATLS + 1, 1, "own Cóatl begun: one flag")
COMPLETE = _own.add("complete", MAX_COATLS + 1, 1, "own complete Cóatl: one flag")
POINTS = _own.add("points", 1, 0.04, "points of own complete Cóatl")
LEAD = _own.add("lead", 1, 0.04, "the same less the best rival's (solo: A.D.A.M.'s)")
CARDS_LAID = _own.add("cards_laid", 1, 0.1, "cards on own complete Cóatl (F2)")
BURIED = _own.add("buried", N_CARDS, 1, "own setup discards, as long as they are remembered")
ADAM_CARDS = _own.add("adam_cards", N_CARDS, 0.3, "A.D.A.M.'s card: 1 + its place; 0: not his")
ADAM_MISSING = _own.add(
    "adam_missing", MAX_ADAM_CARDS * N_COLOURS, 0.4, "pieces his cards lack, by card and colour"
)
ADAM_SPACE = _own.add(
    "adam_space", N_SPACES, 1, "the space he would take as things stand: one flag"
)
ADAM_POINTS = _own.add("adam_points", 1, 0.04, "A.D.A.M.'s points")

_other = Block("other", "Another seat, in turn order after this one", N_OTHERS)
OTHER_PRESENT = _other.add("present", 1, 1, "there is such a seat")
OTHER_PIECES = _other.add("pieces", N_KINDS, 0.5, "its pieces, by kind")
OTHER_ROOM = _other.add("n_pieces", 1, 0.2, "how many they are")
OTHER_HAND_SIZE = _other.add("hand_size", 1, 0.3, "its Prophecy cards in hand")
OTHER_HAND = _other.add("hand", N_CARDS, 1, "those everyone saw it take, count by card")
OTHER_TEMPLE_COUNT = _other.add("temple_count", 1, 1, "its Temple cards in hand")
OTHER_TEMPLES = _other.add("temples", N_TEMPLES, 1, "those everyone saw it take")
OTHER_TOKENS = _other.add("tokens", N_TOKENS, 1, "its Sacrifice tokens that are left")
OTHER_COATLS = _other.add("coatls", 1, 0.5, "its Cóatl begun")
OTHER_COMPLETE = _other.add("complete", MAX_COATLS + 1, 1, "its complete Cóatl: one flag")
OTHER_POINTS = _other.add("points", 1, 0.04, "points of its complete Cóatl")
OTHER_LAID = _other.add("laid", N_CARDS, 1, "cards on its open Cóatl")
OTHER_OPEN = _other.size  # + OTHER_OPEN_SIZE * open Cóatl
for _which in range(MAX_INCOMPLETE):
    _of = f"open{_which}_"
    _other.add(_of + "present", 1, 1, "there is such an open Cóatl")
    _other.add(_of + "length", 1, 0.15, "its pieces")
    _other.add(_of + "ends", 2, 1, "it has a head; a tail")
    _other.add(_of + "cards", 1, 0.4, "Prophecy cards on it")
    _other.add(_of + "value", 1, 0.1, "what they are worth now")
    _other.add(_of + "colours", N_COLOURS, 0.3, "its pieces by colour")
OTHER_OPEN_SIZE = (_other.size - OTHER_OPEN) // MAX_INCOMPLETE
OPEN_AT = 0  # offsets in that summary
OPEN_AT_LENGTH, OPEN_AT_ENDS, OPEN_AT_CARDS, OPEN_AT_VALUE, OPEN_AT_COLOURS = 1, 2, 4, 5, 6

_open = Block(
    "open", "An open Cóatl of the seat, in the order in which they were begun", MAX_INCOMPLETE
)
O_PRESENT = _open.add("present", 1, 1, "there is such an open Cóatl")
O_LENGTH_FLAG = _open.add(
    "length_flag", LONGEST_SHOWN + 1, 1, "pieces: one flag, the last for 13 or more"
)
O_LENGTH = _open.add("length", 1, 0.1, "pieces")
O_ENDS = _open.add("ends", 2, 1, "it has a head; a tail")
O_PENDING = _open.add("pending", 1, 1, "it is being completed (A9)")
O_CARDS = _open.add("cards", MAX_CARDS_ON_COATL + 1, 1, "Prophecy cards on it: one flag")
O_COLOURS = _open.add("colours", N_COLOURS, 0.3, "pieces by colour")
O_LEFT = _open.add(
    "left", SEEN_ENDS * N_COLOURS, 1, "the first six pieces from the left, by colour"
)
O_RIGHT = _open.add(
    "right", SEEN_ENDS * N_COLOURS, 1, "the first six pieces from the right, by colour"
)
O_POINTS = _open.add("card_points", N_CARDS, 0.2, "what each card would score on it now")
O_NEAR_RIGHT = _open.add(
    "near_right",
    N_CARDS,
    0.125,
    "8, 4, 2, 1: the card's next level is 1, 2, 3, 4 pieces away at the right end",
)
O_NEAR_LEFT = _open.add("near_left", N_CARDS, 0.125, "the same at the left end")
O_HAND_POINTS = _open.add("hand_points", N_CARDS, 0.3, "card_points of the cards in hand")
O_HAND_RIGHT = _open.add("hand_right", N_CARDS, 0.125, "near_right of the cards in hand")
O_HAND_LEFT = _open.add("hand_left", N_CARDS, 0.125, "near_left of the cards in hand")
O_ROW_POINTS = _open.add("row_points", N_CARDS, 0.2, "card_points of the face-up cards")
O_ROW_NEAR = _open.add("row_near", N_CARDS, 0.125, "the nearer end of the face-up cards")
O_LAID = _open.add("laid", N_CARDS, 1, "cards on it")
O_GAIN_HAND = _open.add(
    "gain_hand",
    2 * N_COLOURS,
    0.25,
    "points the hand's cards gain by one piece: at the right, at the left, by colour",
)
O_GAIN_LAID = _open.add("gain_laid", 2 * N_COLOURS, 0.25, "the same for the cards on it")
O_TEMPLE_MET = _open.add(
    "temple_met", N_TEMPLES * MAX_REQUIREMENTS, 1, "it meets this requirement of the Temple card"
)
O_TEMPLE_BEST = _open.add(
    "temple_best", 1, 0.2, "points of the best Temple card in hand or on a pile, now"
)
O_VALUE = _open.add("value", 1, 0.1, "what its cards are worth now")
O_HAND_VALUE = _open.add("hand_value", 1, 0.1, "what the hand's cards would be worth on it now")

BLOCKS = (_own, _other, _open)
OTHERS = _own.size  # the first of the other seats' blocks
OTHER_SIZE = _other.size
OPENS = OTHERS + N_OTHERS * OTHER_SIZE  # the first of the open Cóatl's blocks
OPEN_SIZE = _open.size
N_USED = OPENS + MAX_INCOMPLETE * OPEN_SIZE
N_OBSERVED = (N_USED + 15) // 16 * 16  # rows begin at whole 16 bytes
VERSION = 1  # of the layout; weights name the one they were trained on


def scales() -> np.ndarray[tuple[int], np.dtype[np.float32]]:
    """What each byte of an observation is multiplied by."""
    out = np.zeros(N_OBSERVED, np.float32)
    at = 0
    for block in BLOCKS:
        for _ in range(block.times):
            for entry in block.fields:
                out[at : at + entry.size] = entry.scale
                at += entry.size
    return out
