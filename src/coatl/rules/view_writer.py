"""Writes what a seat knows as the JSON of a view, in compiled code.

The server sends two views for every decision, and putting one together in Python took more than
everything else. `coatl.view.parts` says the same in Python, for solo games and where nothing is
compiled; a test compares both. A function that writes gets the place to write at, and returns the
place after what it has written (`coatl.rules.json_texts`).
"""

from __future__ import annotations

from coatl.compiler.functions import kernel
from coatl.compiler.records import Int8s
from coatl.rules import json_texts as text
from coatl.rules.closing import closing_with_ends
from coatl.rules.decisions import PICK, TEMPLE_FROM_HAND, TEMPLE_FROM_PILE, Choices
from coatl.rules.json_texts import (
    Bytes,
    ViewTexts,
    end_list,
    put,
    put_card,
    put_named,
    put_number,
)
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
    MAX_COATLS,
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
            at = put(texts, text.OPEN, out, at)
            for position in range(start, end):
                at = put(texts, text.COMMA, out, put_number(position, out, at))
            at = put(texts, text.COMMA, out, put(texts, text.CLOSE, out, at - 1))
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
        at = put(texts, text.OPEN, out, at)
        for position in range(coatl.length):
            colour = int(coatl.colours[position])
            need = int(texts.needs[card, colour])
            earlier = 0
            for other in range(position):
                if int(coatl.colours[other]) == colour:
                    earlier += 1
            if need > 0 and earlier // need == match:
                at = put(texts, text.COMMA, out, put_number(position, out, at))
        at = put(texts, text.COMMA, out, put(texts, text.CLOSE, out, at - 1))
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
    at = put_named(texts, text.PROPHECY_BEGIN + card, times, out, at)
    at = put_named(texts, text.CARD_POINTS, int(cards.points[card, min(times, MAX_TIMES)]), out, at)
    at = put(texts, int(texts.next_points[effect]), out, at)
    if times > 0:
        at = put(texts, text.MATCHES, out, at)
        at = put_matches(texts, card, coatl, times, out, at)
        at = put(texts, text.CLOSE, out, at)
    ends = (0 if coatl.has_head else 2) + (0 if coatl.has_tail else 1)
    at = put(texts, int(texts.lacks[effect, ends]), out, at)
    return put(texts, text.COMMA, out, at)


@kernel
def put_temple(
    cards: Cards, texts: ViewTexts, temple: int, coatl: Coatl, out: Bytes, at: int
) -> int:
    """How a Temple card stands to a Cóatl (Q7), with a comma after it."""
    laid = colours_laid(cards, coatl)
    at = put(texts, text.TEMPLE_BEGIN + temple, out, at)
    for which in range(cards.n_requirements[temple]):
        met = requirement_met(cards, temple, which, coatl, NONE, laid)
        at = put(texts, text.COMMA, out, put(texts, text.TRUE if met else text.FALSE, out, at))
    if cards.n_requirements[temple] > 0:
        at -= 1
    at = put_named(texts, text.MET_POINTS, temple_points(cards, temple, coatl, NONE, laid), out, at)
    return put(texts, text.COMMA, out, put(texts, text.END_OBJECT, out, at))


@kernel
def put_coatl(cards: Cards, texts: ViewTexts, coatl: Coatl, out: Bytes, at: int) -> int:
    """A Cóatl with its cards, as everybody sees it; its object stays open."""
    at = put(texts, text.PIECES, out, at)
    if coatl.has_head:
        at = put(texts, text.BEGIN_HEAD, out, at)
    for position in range(coatl.length):
        at = put(texts, text.COLOUR + int(coatl.colours[position]), out, at)
    if coatl.has_tail:
        at = put(texts, text.END_TAIL, out, at)
    value = text.OPEN_VALUE if not coatl.complete else text.COMPLETE_VALUE
    at = put_named(texts, value, coatl_value(cards, coatl), out, at)
    if coatl.n_cards > 0:
        at = put(texts, text.CARDS, out, at)
        for k in range(coatl.n_cards):
            at = put_progress(cards, texts, int(coatl.cards[k]), coatl, out, at)
        at = put(texts, text.CLOSE, out, at - 1)
    if coatl.temple != NONE:
        at = put(texts, text.TEMPLE, out, at)
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
        at = put(texts, text.HAND, out, at)
        for k in range(player.n_hand):
            at = put_progress(cards, texts, int(player.hand[k]), coatl, out, at)
        at = put(texts, text.CLOSE, out, at - 1)
    begin = put(texts, text.HELD_ROW, out, at)
    end = begin
    for place in range(ROW_SIZE):
        if state.row[place] != NONE:
            end = put_progress(cards, texts, int(state.row[place]), coatl, out, end)
    if end > begin:
        at = put(texts, text.CLOSE, out, end - 1)
    begin = put(texts, text.TEMPLES, out, at)
    end = begin
    for k in range(player.n_temples):
        end = put_temple(cards, texts, int(player.temples[k]), coatl, out, end)
    for pile in range(N_PILES):
        if state.pile_top[pile] != NONE:
            end = put_temple(cards, texts, int(state.pile_top[pile]), coatl, out, end)
    return put(texts, text.CLOSE, out, end - 1) if end > begin else at


# ---------------------------------------------------------------- seats


@kernel
def put_pieces(texts: ViewTexts, counts: Int8s, out: Bytes, at: int) -> int:
    """Pieces that are known as counts by kind."""
    begin = at
    for kind in range(N_KINDS):
        for _ in range(counts[kind]):
            at = put(texts, text.COMMA, out, put(texts, text.KIND + kind, out, at))
    return end_list(texts, begin, out, at)


@kernel
def put_cards(texts: ViewTexts, first: int, cards: Int8s, n: int, out: Bytes, at: int) -> int:
    """The names of the cards that are known."""
    begin = at
    for k in range(n):
        if cards[k] != NONE:
            at = put(texts, text.COMMA, out, put(texts, first + int(cards[k]), out, at))
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
                closing = closing_with_ends(cards, known, 0, seat, which, scratch)
                if closing != NONE:
                    at = put_named(texts, text.CLOSING, closing, out, at)
        at = put(texts, text.COMMA, out, put(texts, text.END_OBJECT, out, at))
    return end_list(texts, begin, out, at)


@kernel
def put_seat(
    cards: Cards, texts: ViewTexts, known: States, seat: int, mine: bool, scratch: States,
    out: Bytes, at: int,
) -> int:  # fmt: skip
    player = known[0].players[seat]
    at = put_pieces(texts, player.pieces, out, put(texts, text.BOARD, out, at))
    at = put_named(texts, text.HAND_SIZE, int(player.n_hand), out, at)
    at = put(texts, text.HAND, out, at)
    at = put_cards(texts, text.PROPHECY, player.hand, int(player.n_hand), out, at)
    at = put_named(texts, text.TEMPLE_COUNT, int(player.n_temples), out, at)
    at = put(texts, text.TEMPLES, out, at)
    at = put_cards(texts, text.TEMPLE_NAME, player.temples, int(player.n_temples), out, at)
    at = put(texts, text.TOKENS, out, at)
    begin = at
    for token in range(N_TOKENS):
        if player.tokens[token]:
            at = put(texts, text.COMMA, out, put(texts, text.TOKEN_NAME + token, out, at))
    at = put(texts, text.COATLS, out, end_list(texts, begin, out, at))
    at = put_coatls(cards, texts, known, seat, mine, scratch, out, at)
    points = 0
    for which in range(player.n_coatls):
        if player.coatls[which].complete:
            points += coatl_value(cards, player.coatls[which])
    at = put_named(texts, text.POINTS, points, out, at)
    if player.n_buried > 0:
        begin = put(texts, text.BURIED, out, at)
        end = put_cards(texts, text.PROPHECY, player.buried, int(player.n_buried), out, begin)
        if end > begin:
            at = put(texts, text.CLOSE, out, end)
    return put(texts, text.COMMA, out, put(texts, text.END_OBJECT, out, at))


# ---------------------------------------------------------------- the table


@kernel
def put_turn(texts: ViewTexts, state: StateRecord, out: Bytes, at: int) -> int:
    """What was agreed on, and whose turn it is."""
    at = put_named(texts, text.PLAYERS, int(state.n_players), out, at)
    begin = at = put(texts, text.OPTIONS, out, at)
    if state.with_tokens:
        at = put(texts, text.COMMA, out, put(texts, text.WITH_TOKENS, out, at))
    if state.with_promo:
        at = put(texts, text.COMMA, out, put(texts, text.WITH_PROMO, out, at))
    if state.fewer_bodies:
        at = put(texts, text.COMMA, out, put(texts, text.FEWER, out, at))
    at = end_list(texts, begin, out, at)
    at = put_named(texts, text.LEVELS, int(state.turn), out, at)
    at = put(texts, text.PHASE_NAME + int(state.phase), out, put(texts, text.PHASE, out, at))
    at = put(texts, text.TO_MOVE, out, at)
    if state.phase in (OVER, ADAM):
        at = put(texts, text.NULL, out, at)
    else:
        at = put_number(int(state.current), out, at)
    return put_named(texts, text.ACTIONS_LEFT, int(state.actions_left), out, at)


@kernel
def put_supply(texts: ViewTexts, state: StateRecord, out: Bytes, at: int) -> int:
    at = put(texts, text.SUPPLY, out, at)
    for space in range(N_SPACES):
        at = put(texts, text.COLON, out, put(texts, text.SPACE + space, out, at))
        at = put(texts, text.QUOTE, out, at)
        for k in range(2):
            if state.supply[space, k] != NONE:
                at = put(texts, text.COLOUR + int(state.supply[space, k]), out, at)
        at = put(texts, text.COMMA, out, put(texts, text.QUOTE, out, at))
    begin = at = put(texts, text.BAG, out, at - 1)
    for kind in range(N_KINDS):
        if state.bag[kind] > 0:
            at = put(texts, text.COLON, out, put(texts, text.KIND + kind, out, at))
            at = put(texts, text.COMMA, out, put_number(int(state.bag[kind]), out, at))
    return end_list(texts, begin, out, at)


@kernel
def put_middle_cards(texts: ViewTexts, state: StateRecord, out: Bytes, at: int) -> int:
    """The row, the deck, the discards and the piles."""
    at = put(texts, text.ROW, out, at)
    for place in range(ROW_SIZE):
        at = put_card(texts, text.PROPHECY, int(state.row[place]), out, at)
        at = put(texts, text.COMMA, out, at)
    at = put_named(texts, text.DECK, int(state.n_deck), out, at - 1)
    begin = at = put(texts, text.DISCARDS, out, at)
    for card in range(MAX_PROPHECIES):
        for _ in range(state.discard[card]):
            at = put(texts, text.COMMA, out, put(texts, text.PROPHECY + card, out, at))
    at = end_list(texts, begin, out, at)
    at = put_named(texts, text.DISCARD_COUNT, int(state.n_discard), out, at)
    at = put(texts, text.PILES, out, at)
    for pile in range(N_PILES):
        at = put(texts, text.TOP, out, at)
        at = put_card(texts, text.TEMPLE_NAME, int(state.pile_top[pile]), out, at)
        at = put_named(texts, text.SIZE, int(state.pile_size[pile]), out, at)
        at = put(texts, text.COMMA, out, put(texts, text.END_OBJECT, out, at))
    return at - 1


@kernel
def put_last(texts: ViewTexts, state: StateRecord, out: Bytes, at: int) -> int:
    """What is mostly not there."""
    if state.pending != NONE:
        at = put_named(texts, text.PENDING, int(state.pending), out, at)
    if state.second_action:
        at = put(texts, text.SECOND_ACTION, out, at)
    begin = put(texts, text.GONE, out, at)
    end = put_pieces(texts, state.gone, out, begin)
    if end > begin:
        at = put(texts, text.CLOSE, out, end)
    if state.end:
        at = put(texts, text.END_NAME + int(state.end), out, put(texts, text.END, out, at))
    if state.trigger != NONE:
        at = put_named(texts, text.TRIGGER, int(state.trigger), out, at)
    if state.end:
        at = put_named(texts, text.TURNS_LEFT, int(state.turns_left), out, at)
    return put(texts, text.END_OBJECT, out, at)


# ---------------------------------------------------------------- moves


@kernel
def pick_number(state: StateRecord, place: int) -> int:
    """Among the texts of picks: what a pick names lies in the row."""
    card = int(state.row[place])
    copies = 0
    for other in range(ROW_SIZE):
        if state.row[other] == card:
            copies += 1
    if card == NONE:
        card = MAX_PROPHECIES
    return (place * (MAX_PROPHECIES + 1) + card) * 2 + (1 if copies == 1 else 0)


@kernel
def lay_number(state: StateRecord, decision: int) -> int:
    """Among the texts of Temple cards that are laid (A9(ii)), from the hand or from a pile."""
    coatl = max(int(state.pending), 0)
    if decision < TEMPLE_FROM_PILE:
        return coatl * MAX_TEMPLES + decision - TEMPLE_FROM_HAND
    pile = decision - TEMPLE_FROM_PILE
    card = int(state.pile_top[pile])
    copies = 0
    for other in range(N_PILES):
        if state.pile_top[other] == card:
            copies += 1
    player = state.players[state.current]
    for k in range(player.n_temples):
        if player.temples[k] == card:
            copies += 1
    source = 1 + 2 * pile + (1 if copies == 1 else 0)
    return (source * MAX_COATLS + coatl) * MAX_TEMPLES + card


@kernel
def put_decision(
    texts: ViewTexts, state: StateRecord, decision: int, whole: bool, out: Bytes, at: int
) -> int:
    """A whole move, or its text alone, with a comma after it."""
    number = (text.MOVE if whole else text.MOVE_TEXT) + decision
    if PICK <= decision < PICK + ROW_SIZE:
        first = text.PICK_MOVE if whole else text.PICK_TEXT
        number = first + pick_number(state, decision - PICK)
    elif TEMPLE_FROM_HAND <= decision < TEMPLE_FROM_PILE + N_PILES:
        first = text.LAY_MOVE if whole else text.LAY_TEXT
        number = first + lay_number(state, decision)
    return put(texts, text.COMMA, out, put(texts, number, out, at))


@kernel
def put_decisions(
    texts: ViewTexts, state: StateRecord, choices: Choices, n: int, whole: bool, out: Bytes, at: int
) -> int:
    begin = at
    for k in range(n):
        at = put_decision(texts, state, int(choices.items[k]), whole, out, at)
    return end_list(texts, begin, out, at)


@kernel
def put_before_moves(
    cards: Cards, texts: ViewTexts, known: States, seat: int, scratch: States, out: Bytes
) -> int:
    """All of a view up to its moves."""
    state = known[0]
    at = put(texts, text.SEAT, out, 0)
    at = put(texts, text.NULL, out, at) if seat == NONE else put_number(seat, out, at)
    at = put_turn(texts, state, out, at)
    at = put_supply(texts, state, out, at)
    at = put_middle_cards(texts, state, out, at)
    at = put(texts, text.SEATS, out, at)
    for other in range(state.n_players):
        at = put_seat(cards, texts, known, other, other == seat, scratch, out, at)
    return put(texts, text.MOVES, out, at - 1)
