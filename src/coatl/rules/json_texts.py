"""The texts that the JSON of a view is made of, and how compiled code writes them.

`coatl.view.texts` fills the tables for each deck. A function that writes gets the place to write
at, and returns the place after what it has written.
"""

from __future__ import annotations

from typing import Annotated, Any

import numpy as np

from coatl.compiler.functions import kernel
from coatl.compiler.records import Int8s, Int16s
from coatl.rules.decisions import N_DECISIONS
from coatl.rules.pieces import N_COLOURS, N_KINDS, N_SPACES
from coatl.rules.state import (
    MAX_COATLS,
    MAX_PROPHECIES,
    MAX_TEMPLES,
    N_PILES,
    N_TOKENS,
    NONE,
    OVER,
    ROW_SIZE,
)

Bytes = np.ndarray[tuple[int], np.dtype[np.uint8]]
UInt8s = np.ndarray[tuple[Any, ...], np.dtype[np.uint8]]
Int32s = np.ndarray[tuple[Any, ...], np.dtype[np.int32]]

MOST_BYTES = 1 << 18  # of a view: several times what the largest can have
MAX_ITEMS = 16  # of a pattern
MAX_EFFECTS = 8192  # of all cards together
MAX_TEXT_BYTES = 1 << 18
MAX_TEXTS = 8192

_texts: list[bytes] = []


def _text(content: bytes) -> int:
    _texts.append(content)
    return len(_texts) - 1


OPEN, CLOSE, COMMA, END_LIST, END_OBJECT = map(_text, (b"[", b"]", b",", b"]", b"}"))
NULL, TRUE, FALSE, QUOTE, COLON = map(_text, (b"null", b"true", b"false", b'"', b":"))
BEGIN_HEAD, END_TAIL = map(_text, (b"<", b">"))
SEAT = _text(b'{"seat":')
PLAYERS = _text(b',"players":')
OPTIONS = _text(b',"options":[')
WITH_TOKENS, WITH_PROMO, FEWER = map(_text, (b'"tokens"', b'"promo"', b'"fewer_bodies"'))
LEVELS = _text(b'],"levels":[],"turn":')  # those of the solo game
PHASE = _text(b',"phase":')
TO_MOVE = _text(b',"to_move":')
ACTIONS_LEFT = _text(b',"actions_left":')
SUPPLY = _text(b',"supply":{')
BAG = _text(b'},"bag":{')
ROW = _text(b'},"row":[')
DECK = _text(b'],"deck":')
DISCARDS = _text(b',"discards":[')
DISCARD_COUNT = _text(b'],"discard_count":')
PILES = _text(b',"piles":[')
TOP, SIZE = map(_text, (b'{"top":', b',"size":'))
SEATS = _text(b'],"seats":[')
BOARD = _text(b'{"board":[')
HAND_SIZE = _text(b'],"hand_size":')
HAND = _text(b',"hand":[')
TEMPLE_COUNT = _text(b'],"temple_count":')
TEMPLES = _text(b',"temples":[')
TOKENS = _text(b'],"tokens":[')
COATLS = _text(b'],"coatls":[')
POINTS = _text(b'],"points":')
BURIED = _text(b',"buried":[')
PIECES = _text(b'{"pieces":"')
OPEN_VALUE = _text(b'","complete":false,"value":')
COMPLETE_VALUE = _text(b'","complete":true,"value":')
CARDS = _text(b',"cards":[')
TEMPLE = _text(b',"temple":')
HELD_ROW = _text(b',"row":[')
CLOSING = _text(b',"closing":')
CARD_POINTS = _text(b',"points":')
MATCHES = _text(b',"matches":[')
MET_POINTS = _text(b'],"points":')
MOVES = _text(b'],"moves":[')
FINAL = _text(b'],"final":[')
PENDING = _text(b',"pending":')
SECOND_ACTION = _text(b',"second_action":true')
GONE = _text(b',"gone":[')
END = _text(b',"end":')
TRIGGER = _text(b',"trigger":')
TURNS_LEFT = _text(b',"turns_left":')
FIXED = tuple(_texts)

# Texts with a number; those of a deck differ. All but colours are in quotes.
COLOUR = len(FIXED)
KIND = COLOUR + N_COLOURS
SPACE = KIND + N_KINDS
PHASE_NAME = SPACE + N_SPACES
END_NAME = PHASE_NAME + OVER + 1
TOKEN_NAME = END_NAME + 4
PROPHECY = TOKEN_NAME + N_TOKENS
TEMPLE_NAME = PROPHECY + MAX_PROPHECIES
PROPHECY_BEGIN = TEMPLE_NAME + MAX_TEMPLES  # of how it stands to a Cóatl: {"card":"KKK","times":
TEMPLE_BEGIN = PROPHECY_BEGIN + MAX_PROPHECIES  # {"card":"noK/8","met":[
MOVE = TEMPLE_BEGIN + MAX_TEMPLES
MOVE_TEXT = MOVE + N_DECISIONS
# By place, card (the last one: none lies there) and whether it lies there only.
PICKS = ROW_SIZE * (MAX_PROPHECIES + 1) * 2
PICK_MOVE = MOVE_TEXT + N_DECISIONS
PICK_TEXT = PICK_MOVE + PICKS
# By where it comes from (the hand; each pile, and whether the name alone tells), Cóatl and card.
TEMPLE_SOURCES = 1 + 2 * N_PILES
LAID_TEMPLES = TEMPLE_SOURCES * MAX_COATLS * MAX_TEMPLES
LAY_MOVE = PICK_TEXT + PICKS
LAY_TEXT = LAY_MOVE + LAID_TEMPLES
FIRST_FREE = LAY_TEXT + LAID_TEMPLES


class ViewTexts:
    """The texts of a deck, and what tells which of them fit a Cóatl."""

    blob: Annotated[UInt8s, MAX_TEXT_BYTES]
    start: Annotated[Int32s, MAX_TEXTS + 1]
    # `coatl.rules.cards.Effects` of each card: which effect pieces have, read piece by piece
    first_effect: Annotated[Int16s, MAX_PROPHECIES]
    following: Annotated[Int16s, MAX_EFFECTS, N_COLOURS]
    next_points: Annotated[Int16s, MAX_EFFECTS]  # a text
    lacks: Annotated[Int16s, MAX_EFFECTS, 4]  # a text, by which ends are open (left 2, right 1)
    # patterns, for the positions of matches
    n_items: Annotated[Int8s, MAX_PROPHECIES]  # 0: a set
    item_colour: Annotated[Int8s, MAX_PROPHECIES, MAX_ITEMS]  # NONE: any
    item_repeats: Annotated[Int8s, MAX_PROPHECIES, MAX_ITEMS]
    not_before: Annotated[Int8s, MAX_PROPHECIES]  # NONE: anything
    not_after: Annotated[Int8s, MAX_PROPHECIES]
    needs: Annotated[Int8s, MAX_PROPHECIES, N_COLOURS]  # of a set


# ---------------------------------------------------------------- texts and numbers


@kernel
def put(texts: ViewTexts, text: int, out: Bytes, at: int) -> int:
    first, last = int(texts.start[text]), int(texts.start[text + 1])
    for k in range(first, last):
        out[at + k - first] = texts.blob[k]
    return at + last - first


@kernel
def put_number(number: int, out: Bytes, at: int) -> int:
    """Whole and not negative."""
    digits, power = 1, 10
    while number >= power:
        digits, power = digits + 1, power * 10
    for k in range(digits):
        power //= 10
        out[at + k] = 48 + number // power % 10
    return at + digits


@kernel
def put_named(texts: ViewTexts, name: int, number: int, out: Bytes, at: int) -> int:
    return put_number(number, out, put(texts, name, out, at))


@kernel
def put_card(texts: ViewTexts, first: int, card: int, out: Bytes, at: int) -> int:
    """The name of a card, or null."""
    return put(texts, NULL if card == NONE else first + card, out, at)


@kernel
def end_list(texts: ViewTexts, begin: int, out: Bytes, at: int) -> int:
    """Take back the comma after the last of a list that began at `begin`."""
    return at - 1 if at > begin else at
