"""What cards and Cóatl are worth (section 4 and 6 of the rules)."""

from __future__ import annotations

from coatl.rules.cards import Requirement
from coatl.rules.jit import inline_kernel, kernel
from coatl.rules.patterns import END
from coatl.rules.records import Int64s
from coatl.rules.state import NONE, Coatl, Player, StateRecord
from coatl.rules.tables import COUNTED, MAX_TIMES, Cards

_ROW = COUNTED - 1
_FLAG = 15
_GUARDS = 0x8080808080
NONE_OF = int(Requirement.NONE_OF)
EQUAL = int(Requirement.EQUAL)
EXACTLY = int(Requirement.EXACTLY)
NO_PROPHECY = int(Requirement.NO_PROPHECY)

# Columns of the final score of a seat, most important first (F2).
POINTS, CARDS_LAID, BEST_COATL = 0, 1, 2


@kernel
def times_met(cards: Cards, card: int, coatl: Coatl, before: int, after: int) -> int:
    """How often a Cóatl satisfies a card (Q1-Q6); `before`, `after`: imagined pieces or NONE."""
    row = int(cards.start[card])
    times = 0
    if before != NONE:
        entry = int(cards.transition[row, before])
        row = entry & _ROW
        times += entry >> _FLAG
    for i in range(coatl.length):
        entry = int(cards.transition[row, coatl.colours[i]])
        row = entry & _ROW
        times += entry >> _FLAG
    if after != NONE:
        entry = int(cards.transition[row, after])
        row = entry & _ROW
        times += entry >> _FLAG
    return times + (int(cards.transition[row, END]) >> _FLAG)


@inline_kernel
def one_piece(colour: int) -> int:
    """One piece of a colour in the packing of `Coatl.counts`; none for NONE."""
    return 0 if colour == NONE else 1 << (8 * colour)


@inline_kernel
def is_hopeless(cards: Cards, card: int, coatl: Coatl, before: int, after: int) -> bool:
    """Too few pieces of some colour: no need to read the Cóatl.

    All five bytes are compared at once: a guard bit above each survives the subtraction only if
    the count is large enough.
    """
    counts = int(coatl.counts) + one_piece(before) + one_piece(after)
    return ((counts | _GUARDS) - int(cards.wanted[card])) & _GUARDS != _GUARDS


@inline_kernel
def card_points(cards: Cards, card: int, coatl: Coatl, before: int, after: int) -> int:
    """Q4: the points of the highest level reached, once."""
    if is_hopeless(cards, card, coatl, before, after):
        return 0
    return int(cards.points[card, min(times_met(cards, card, coatl, before, after), MAX_TIMES)])


@inline_kernel
def satisfies(cards: Cards, card: int, coatl: Coatl) -> bool:
    """A3: met at the lowest level at least."""
    return card_points(cards, card, coatl, NONE, NONE) > 0


@kernel
def pieces_of(coatl: Coatl, colour: int, extra: int) -> int:
    """Q1: pieces of a colour, whatever their shape; `extra` is an imagined piece (or NONE)."""
    return ((int(coatl.counts) + one_piece(extra)) >> (8 * colour)) & 0xFF


@kernel
def requirement_met(
    cards: Cards, temple: int, which: int, coatl: Coatl, extra: int, card_colours: int
) -> bool:
    """Q7: is one requirement met? `card_colours` are bits of the Prophecy card colours laid."""
    kind = int(cards.requirement[temple, which, 0])
    a = int(cards.requirement[temple, which, 1])
    b = int(cards.requirement[temple, which, 2])
    if kind == NONE_OF:
        return pieces_of(coatl, a, extra) == 0
    if kind == EQUAL:
        count = pieces_of(coatl, a, extra)
        return count > 0 and count == pieces_of(coatl, b, extra)
    if kind == EXACTLY:
        return int(coatl.length) + (0 if extra == NONE else 1) == a
    return (card_colours >> a) & 1 == 0


@kernel
def temple_points(cards: Cards, temple: int, coatl: Coatl, extra: int, card_colours: int) -> int:
    """Q7: points by the number of requirements met."""
    met = 0
    for which in range(cards.n_requirements[temple]):
        if requirement_met(cards, temple, which, coatl, extra, card_colours):
            met += 1
    return int(cards.temple_points[temple, met])


@kernel
def colours_laid(cards: Cards, coatl: Coatl) -> int:
    """Bits of the card colours of the Prophecy cards on a Cóatl."""
    bits = 0
    for i in range(coatl.n_cards):
        bits |= 1 << int(cards.colour[coatl.cards[i]])
    return bits


@kernel
def coatl_value(cards: Cards, coatl: Coatl) -> int:
    """F1, Q8: what the cards of a Cóatl are worth as it is now."""
    value = 0
    for i in range(coatl.n_cards):
        value += card_points(cards, int(coatl.cards[i]), coatl, NONE, NONE)
    if coatl.temple != NONE:
        laid = colours_laid(cards, coatl)
        value += temple_points(cards, int(coatl.temple), coatl, NONE, laid)
    return value


@kernel
def score_seat(cards: Cards, player: Player, out: Int64s, first: int) -> None:
    """F1, F2: points, cards laid (R2: broken ones too) and best Cóatl, from complete Cóatl only."""
    for column in range(3):
        out[first + column] = 0
    for i in range(player.n_coatls):
        coatl = player.coatls[i]
        if coatl.complete:
            value = coatl_value(cards, coatl)
            out[first + POINTS] += value
            out[first + CARDS_LAID] += int(coatl.n_cards) + (0 if coatl.temple == NONE else 1)
            out[first + BEST_COATL] = max(int(out[first + BEST_COATL]), value)


@kernel
def adam_points(cards: Cards, state: StateRecord) -> int:
    """D9: the highest level of each fulfilled card."""
    points = 0
    for card in range(cards.n_prophecies):
        points += int(state.adam.fulfilled[card]) * int(cards.best[card])
    return points


@kernel
def final_scores(cards: Cards, state: StateRecord, out: Int64s) -> None:
    """Three numbers a seat, `POINTS`, `CARDS_LAID`, `BEST_COATL`; in solo A.D.A.M. is seat 1."""
    for seat in range(state.n_players):
        score_seat(cards, state.players[seat], out, 3 * seat)
    if state.n_players == 1:
        out[3] = adam_points(cards, state)
        out[4] = 0
        out[5] = 0


@kernel
def beats(scores: Int64s, one: int, other: int) -> bool:
    """F2: more points, else more cards, else the better single Cóatl."""
    for column in range(3):
        difference = scores[3 * one + column] - scores[3 * other + column]
        if difference != 0:
            return bool(difference > 0)
    return False


@kernel
def winners(state: StateRecord, scores: Int64s) -> int:
    """F2, D9: bits of the winning seats (shared where all is equal); in solo bit 1 is A.D.A.M."""
    if state.n_players == 1:
        return 1 if scores[POINTS] > scores[3 + POINTS] else 2
    bits = 0
    for seat in range(state.n_players):
        beaten = False
        for other in range(state.n_players):
            if beats(scores, other, seat):
                beaten = True
        if not beaten:
            bits |= 1 << seat
    return bits
