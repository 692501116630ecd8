"""Writes what a seat knows as the JSON of a view, in compiled code.

The server sends two views for every decision, and putting one together in Python took more than
everything else. `coatl.view.parts` says the same in Python, for solo games and where nothing is
compiled; a test compares both. The texts that JSON is made of (names, moves, what a card lacks) are
prepared by `coatl.view.texts`. A function that writes gets the place to write at, and returns the
place after what it has written.
"""

from __future__ import annotations

from typing import Annotated, Any

import numpy as np

from coatl.compiler.functions import kernel
from coatl.compiler.records import Int8s, Int16s
from coatl.rules.closing import best_closing
from coatl.rules.decisions import N_DECISIONS, PICK, Choices
from coatl.rules.pieces import N_COLOURS, N_KINDS, N_SPACES
from coatl.rules.scoring import (
    coatl_value,
    colours_laid,
    pieces_of,
    requirement_met,
    temple_points,
    times_met,
)
from coatl.rules.state import (
    ADAM,
    MAX_LENGTH,
    MAX_PROPHECIES,
    MAX_TEMPLES,
    N_PILES,
    N_TOKENS,
    NONE,
    OVER,
    ROW_SIZE,
    Coatl,
    PlayerRecord,
    StateRecord,
    States,
)
from coatl.rules.tables import MAX_TIMES, Cards

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
FIRST_FREE = PICK_TEXT + PICKS


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


# ---------------------------------------------------------------- matches


@kernel
def accepts(texts: ViewTexts, card: int, item: int, colour: int) -> bool:
    wanted = int(texts.item_colour[card, item])
    return wanted in (NONE, colour)


@kernel
def is_match(texts: ViewTexts, card: int, coatl: Coatl, start: int, end: int) -> bool:
    """Do the pieces from `start` to before `end` match as a whole, with neighbours as Q5 wants?

    Bit i of `reached`: after these pieces a match may have passed i items.
    """
    before, after = int(texts.not_before[card]), int(texts.not_after[card])
    if start > 0 and before != NONE and int(coatl.colours[start - 1]) == before:
        return False
    if end < coatl.length and after != NONE and int(coatl.colours[end]) == after:
        return False
    n = int(texts.n_items[card])
    reached = 1
    for position in range(start, end):
        colour = int(coatl.colours[position])
        passed = 0
        for i in range(n + 1):
            if (reached >> i) & 1:
                if i < n and accepts(texts, card, i, colour):
                    passed |= 1 << (i + 1)
                if (
                    i > 0
                    and texts.item_repeats[card, i - 1]
                    and accepts(texts, card, i - 1, colour)
                ):
                    passed |= 1 << i
        reached = passed
    return (reached >> n) & 1 == 1


@kernel
def put_matches(texts: ViewTexts, card: int, coatl: Coatl, times: int, out: Bytes, at: int) -> int:
    """The positions of each match: earliest end, then fewest pieces."""
    n = int(texts.n_items[card])
    if n == 0:
        return put_set_matches(texts, card, coatl, times, out, at)
    free = 0
    for end in range(n, int(coatl.length) + 1):
        start = end - n
        while start >= free and not is_match(texts, card, coatl, start, end):
            start -= 1
        if start >= free:
            at = put(texts, OPEN, out, at)
            for position in range(start, end):
                at = put(texts, COMMA, out, put_number(position, out, at))
            at = put(texts, COMMA, out, put(texts, CLOSE, out, at - 1))
            free = end
    return at - 1


@kernel
def set_times(texts: ViewTexts, card: int, coatl: Coatl) -> int:
    """How often a Cóatl has all pieces of a set; the automaton stops at the highest level."""
    times = MAX_LENGTH
    for colour in range(N_COLOURS):
        need = int(texts.needs[card, colour])
        if need > 0:
            times = min(times, pieces_of(coatl, colour, NONE) // need)
    return times


@kernel
def put_set_matches(
    texts: ViewTexts, card: int, coatl: Coatl, times: int, out: Bytes, at: int
) -> int:
    for match in range(times):
        at = put(texts, OPEN, out, at)
        for position in range(coatl.length):
            colour = int(coatl.colours[position])
            need = int(texts.needs[card, colour])
            earlier = 0
            for other in range(position):
                if int(coatl.colours[other]) == colour:
                    earlier += 1
            if need > 0 and earlier // need == match:
                at = put(texts, COMMA, out, put_number(position, out, at))
        at = put(texts, COMMA, out, put(texts, CLOSE, out, at - 1))
    return at - 1


# ---------------------------------------------------------------- how cards stand to a Cóatl


@kernel
def put_progress(
    cards: Cards, texts: ViewTexts, card: int, coatl: Coatl, out: Bytes, at: int
) -> int:
    """How a Prophecy card stands to a Cóatl, with a comma after it."""
    effect = int(texts.first_effect[card])
    for position in range(coatl.length):
        effect = int(texts.following[effect, coatl.colours[position]])
    times = times_met(cards, card, coatl, NONE, NONE)
    if times > 0 and texts.n_items[card] == 0:
        times = set_times(texts, card, coatl)
    at = put_named(texts, PROPHECY_BEGIN + card, times, out, at)
    at = put_named(texts, CARD_POINTS, int(cards.points[card, min(times, MAX_TIMES)]), out, at)
    at = put(texts, int(texts.next_points[effect]), out, at)
    if times > 0:
        at = put(texts, MATCHES, out, at)
        at = put_matches(texts, card, coatl, times, out, at)
        at = put(texts, CLOSE, out, at)
    ends = (0 if coatl.has_head else 2) + (0 if coatl.has_tail else 1)
    at = put(texts, int(texts.lacks[effect, ends]), out, at)
    return put(texts, COMMA, out, at)


@kernel
def put_temple(
    cards: Cards, texts: ViewTexts, temple: int, coatl: Coatl, out: Bytes, at: int
) -> int:
    """How a Temple card stands to a Cóatl (Q7), with a comma after it."""
    laid = colours_laid(cards, coatl)
    at = put(texts, TEMPLE_BEGIN + temple, out, at)
    for which in range(cards.n_requirements[temple]):
        met = requirement_met(cards, temple, which, coatl, NONE, laid)
        at = put(texts, COMMA, out, put(texts, TRUE if met else FALSE, out, at))
    if cards.n_requirements[temple] > 0:
        at -= 1
    at = put_named(texts, MET_POINTS, temple_points(cards, temple, coatl, NONE, laid), out, at)
    return put(texts, COMMA, out, put(texts, END_OBJECT, out, at))


@kernel
def put_coatl(cards: Cards, texts: ViewTexts, coatl: Coatl, out: Bytes, at: int) -> int:
    """A Cóatl with its cards, as everybody sees it; its object stays open."""
    at = put(texts, PIECES, out, at)
    if coatl.has_head:
        at = put(texts, BEGIN_HEAD, out, at)
    for position in range(coatl.length):
        at = put(texts, COLOUR + int(coatl.colours[position]), out, at)
    if coatl.has_tail:
        at = put(texts, END_TAIL, out, at)
    value = OPEN_VALUE if not coatl.complete else COMPLETE_VALUE
    at = put_named(texts, value, coatl_value(cards, coatl), out, at)
    if coatl.n_cards > 0:
        at = put(texts, CARDS, out, at)
        for k in range(coatl.n_cards):
            at = put_progress(cards, texts, int(coatl.cards[k]), coatl, out, at)
        at = put(texts, CLOSE, out, at - 1)
    if coatl.temple != NONE:
        at = put(texts, TEMPLE, out, at)
        at = put_temple(cards, texts, int(coatl.temple), coatl, out, at) - 1
    return at


@kernel
def put_reach(
    cards: Cards,
    texts: ViewTexts,
    state: StateRecord,
    player: PlayerRecord,
    coatl: Coatl,
    out: Bytes,
    at: int,
) -> int:
    """The cards within the owner's reach, held against an open Cóatl."""
    if player.n_hand > 0:
        at = put(texts, HAND, out, at)
        for k in range(player.n_hand):
            at = put_progress(cards, texts, int(player.hand[k]), coatl, out, at)
        at = put(texts, CLOSE, out, at - 1)
    begin = put(texts, HELD_ROW, out, at)
    end = begin
    for place in range(ROW_SIZE):
        if state.row[place] != NONE:
            end = put_progress(cards, texts, int(state.row[place]), coatl, out, end)
    if end > begin:
        at = put(texts, CLOSE, out, end - 1)
    begin = put(texts, TEMPLES, out, at)
    end = begin
    for k in range(player.n_temples):
        end = put_temple(cards, texts, int(player.temples[k]), coatl, out, end)
    for pile in range(N_PILES):
        if state.pile_top[pile] != NONE:
            end = put_temple(cards, texts, int(state.pile_top[pile]), coatl, out, end)
    return put(texts, CLOSE, out, end - 1) if end > begin else at


# ---------------------------------------------------------------- seats


@kernel
def put_pieces(texts: ViewTexts, counts: Int8s, out: Bytes, at: int) -> int:
    """Pieces that are known as counts by kind."""
    begin = at
    for kind in range(N_KINDS):
        for _ in range(counts[kind]):
            at = put(texts, COMMA, out, put(texts, KIND + kind, out, at))
    return end_list(texts, begin, out, at)


@kernel
def put_cards(texts: ViewTexts, first: int, cards: Int8s, n: int, out: Bytes, at: int) -> int:
    """The names of the cards that are known."""
    begin = at
    for k in range(n):
        if cards[k] != NONE:
            at = put(texts, COMMA, out, put(texts, first + int(cards[k]), out, at))
    return end_list(texts, begin, out, at)


@kernel
def put_coatls(
    cards: Cards, texts: ViewTexts, known: States, seat: int, mine: bool, scratch: States,
    out: Bytes, at: int,
) -> int:  # fmt: skip
    state, player = known[0], known[0].players[seat]
    begin = at
    pending = int(state.pending) if state.current == seat else NONE
    for which in range(player.n_coatls):
        coatl = player.coatls[which]
        at = put_coatl(cards, texts, coatl, out, at)
        if mine and not coatl.complete:
            at = put_reach(cards, texts, state, player, coatl, out, at)
            # While one of a seat's Cóatl is being completed the others have to wait (A9).
            has_to_wait = pending != NONE and pending != which
            if not has_to_wait:
                closing = best_closing(cards, known, 0, seat, which, scratch)
                if closing != NONE:
                    at = put_named(texts, CLOSING, closing, out, at)
        at = put(texts, COMMA, out, put(texts, END_OBJECT, out, at))
    return end_list(texts, begin, out, at)


@kernel
def put_seat(
    cards: Cards, texts: ViewTexts, known: States, seat: int, mine: bool, scratch: States,
    out: Bytes, at: int,
) -> int:  # fmt: skip
    player = known[0].players[seat]
    at = put_pieces(texts, player.pieces, out, put(texts, BOARD, out, at))
    at = put_named(texts, HAND_SIZE, int(player.n_hand), out, at)
    at = put(texts, HAND, out, at)
    at = put_cards(texts, PROPHECY, player.hand, int(player.n_hand), out, at)
    at = put_named(texts, TEMPLE_COUNT, int(player.n_temples), out, at)
    at = put(texts, TEMPLES, out, at)
    at = put_cards(texts, TEMPLE_NAME, player.temples, int(player.n_temples), out, at)
    at = put(texts, TOKENS, out, at)
    begin = at
    for token in range(N_TOKENS):
        if player.tokens[token]:
            at = put(texts, COMMA, out, put(texts, TOKEN_NAME + token, out, at))
    at = put(texts, COATLS, out, end_list(texts, begin, out, at))
    at = put_coatls(cards, texts, known, seat, mine, scratch, out, at)
    points = 0
    for which in range(player.n_coatls):
        if player.coatls[which].complete:
            points += coatl_value(cards, player.coatls[which])
    at = put_named(texts, POINTS, points, out, at)
    if player.n_buried > 0:
        begin = put(texts, BURIED, out, at)
        end = put_cards(texts, PROPHECY, player.buried, int(player.n_buried), out, begin)
        if end > begin:
            at = put(texts, CLOSE, out, end)
    return put(texts, COMMA, out, put(texts, END_OBJECT, out, at))


# ---------------------------------------------------------------- the table


@kernel
def put_turn(texts: ViewTexts, state: StateRecord, out: Bytes, at: int) -> int:
    """What was agreed on, and whose turn it is."""
    at = put_named(texts, PLAYERS, int(state.n_players), out, at)
    begin = at = put(texts, OPTIONS, out, at)
    if state.with_tokens:
        at = put(texts, COMMA, out, put(texts, WITH_TOKENS, out, at))
    if state.with_promo:
        at = put(texts, COMMA, out, put(texts, WITH_PROMO, out, at))
    if state.fewer_bodies:
        at = put(texts, COMMA, out, put(texts, FEWER, out, at))
    at = end_list(texts, begin, out, at)
    at = put_named(texts, LEVELS, int(state.turn), out, at)
    at = put(texts, PHASE_NAME + int(state.phase), out, put(texts, PHASE, out, at))
    at = put(texts, TO_MOVE, out, at)
    if state.phase in (OVER, ADAM):
        at = put(texts, NULL, out, at)
    else:
        at = put_number(int(state.current), out, at)
    return put_named(texts, ACTIONS_LEFT, int(state.actions_left), out, at)


@kernel
def put_supply(texts: ViewTexts, state: StateRecord, out: Bytes, at: int) -> int:
    at = put(texts, SUPPLY, out, at)
    for space in range(N_SPACES):
        at = put(texts, COLON, out, put(texts, SPACE + space, out, at))
        at = put(texts, QUOTE, out, at)
        for k in range(2):
            if state.supply[space, k] != NONE:
                at = put(texts, COLOUR + int(state.supply[space, k]), out, at)
        at = put(texts, COMMA, out, put(texts, QUOTE, out, at))
    begin = at = put(texts, BAG, out, at - 1)
    for kind in range(N_KINDS):
        if state.bag[kind] > 0:
            at = put(texts, COLON, out, put(texts, KIND + kind, out, at))
            at = put(texts, COMMA, out, put_number(int(state.bag[kind]), out, at))
    return end_list(texts, begin, out, at)


@kernel
def put_middle_cards(texts: ViewTexts, state: StateRecord, out: Bytes, at: int) -> int:
    """The row, the deck, the discards and the piles."""
    at = put(texts, ROW, out, at)
    for place in range(ROW_SIZE):
        at = put_card(texts, PROPHECY, int(state.row[place]), out, at)
        at = put(texts, COMMA, out, at)
    at = put_named(texts, DECK, int(state.n_deck), out, at - 1)
    begin = at = put(texts, DISCARDS, out, at)
    for card in range(MAX_PROPHECIES):
        for _ in range(state.discard[card]):
            at = put(texts, COMMA, out, put(texts, PROPHECY + card, out, at))
    at = end_list(texts, begin, out, at)
    at = put_named(texts, DISCARD_COUNT, int(state.n_discard), out, at)
    at = put(texts, PILES, out, at)
    for pile in range(N_PILES):
        at = put(texts, TOP, out, at)
        at = put_card(texts, TEMPLE_NAME, int(state.pile_top[pile]), out, at)
        at = put_named(texts, SIZE, int(state.pile_size[pile]), out, at)
        at = put(texts, COMMA, out, put(texts, END_OBJECT, out, at))
    return at - 1


@kernel
def put_last(texts: ViewTexts, state: StateRecord, out: Bytes, at: int) -> int:
    """What is mostly not there."""
    if state.pending != NONE:
        at = put_named(texts, PENDING, int(state.pending), out, at)
    if state.second_action:
        at = put(texts, SECOND_ACTION, out, at)
    begin = put(texts, GONE, out, at)
    end = put_pieces(texts, state.gone, out, begin)
    if end > begin:
        at = put(texts, CLOSE, out, end)
    if state.end:
        at = put(texts, END_NAME + int(state.end), out, put(texts, END, out, at))
    if state.trigger != NONE:
        at = put_named(texts, TRIGGER, int(state.trigger), out, at)
    if state.end:
        at = put_named(texts, TURNS_LEFT, int(state.turns_left), out, at)
    return put(texts, END_OBJECT, out, at)


# ---------------------------------------------------------------- moves


@kernel
def put_decision(
    texts: ViewTexts, state: StateRecord, decision: int, fixed: int, picks: int, out: Bytes, at: int
) -> int:
    """A move or its text, with a comma after it; what a pick names lies in the row."""
    text = fixed + decision
    if PICK <= decision < PICK + ROW_SIZE:
        place = decision - PICK
        card = int(state.row[place])
        copies = 0
        for other in range(ROW_SIZE):
            if state.row[other] == card:
                copies += 1
        if card == NONE:
            card = MAX_PROPHECIES
        text = picks + (place * (MAX_PROPHECIES + 1) + card) * 2 + (1 if copies == 1 else 0)
    return put(texts, COMMA, out, put(texts, text, out, at))


@kernel
def put_decisions(
    texts: ViewTexts, state: StateRecord, choices: Choices, n: int, fixed: int, picks: int,
    out: Bytes, at: int,
) -> int:  # fmt: skip
    begin = at
    for k in range(n):
        at = put_decision(texts, state, int(choices.items[k]), fixed, picks, out, at)
    return end_list(texts, begin, out, at)


@kernel
def put_before_moves(
    cards: Cards, texts: ViewTexts, known: States, seat: int, scratch: States, out: Bytes
) -> int:
    """All of a view up to its moves."""
    state = known[0]
    at = put(texts, SEAT, out, 0)
    at = put(texts, NULL, out, at) if seat == NONE else put_number(seat, out, at)
    at = put_turn(texts, state, out, at)
    at = put_supply(texts, state, out, at)
    at = put_middle_cards(texts, state, out, at)
    at = put(texts, SEATS, out, at)
    for other in range(state.n_players):
        at = put_seat(cards, texts, known, other, other == seat, scratch, out, at)
    return put(texts, MOVES, out, at - 1)
