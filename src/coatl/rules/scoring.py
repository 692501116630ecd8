"""What cards and Cóatl are worth (section 4 and 6 of the rules)."""

from __future__ import annotations

from typing import Literal, NamedTuple

from coatl.compiler.functions import inline_kernel, kernel
from coatl.compiler.records import Int64s
from coatl.rules import cards as cards_module
from coatl.rules.patterns import END
from coatl.rules.pieces import N_COLOURS
from coatl.rules.state import NONE, Coatl, PlayerRecord, StateRecord
from coatl.rules.tables import COUNTED, MAX_TIMES, Cards

_ROW = COUNTED - 1
_FLAG = 15
_GUARDS = 0x8080808080

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


is_met = inline_kernel(cards_module.is_met)


@kernel
def requirement_met(
    cards: Cards, temple: int, which: int, coatl: Coatl, extra: int, card_colours: int
) -> bool:
    """Q7: is one requirement met? `card_colours` are bits of the Prophecy card colours laid."""
    kind = int(cards.requirement[temple, which, 0])
    a = int(cards.requirement[temple, which, 1])  # a colour, or a number of pieces
    b = int(cards.requirement[temple, which, 2])
    of_a, of_b = pieces_of(coatl, a % N_COLOURS, extra), pieces_of(coatl, b, extra)
    length = int(coatl.length) + (0 if extra == NONE else 1)
    return is_met(kind, a, of_a, of_b, length, card_colours)


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
def score_seat(cards: Cards, player: PlayerRecord, out: Int64s, first: int) -> None:
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


def lead_column(scores: Int64s, players: int, one: int, other: int) -> int:
    """F2: the column in which one seat is ahead of another, or NONE if it is not ahead.

    First points, then cards, then the single best Cóatl. D9: in solo only points count, and
    A.D.A.M. (seat 1) is ahead also where they are equal. The kernel compiles its own copy.
    """
    for column in range(3):
        difference = scores[3 * one + column] - scores[3 * other + column]
        if difference != 0:
            return column if difference > 0 else NONE
        if players == 1:
            return POINTS if one > other else NONE
    return NONE


_lead_column = kernel(lead_column)


@kernel
def winners(state: StateRecord, scores: Int64s) -> int:
    """F2, D9: bits of the winning seats (shared where all is equal); in solo bit 1 is A.D.A.M."""
    players = int(state.n_players)
    bits = 0
    for seat in range(max(players, 2)):
        beaten = False
        for other in range(max(players, 2)):
            if _lead_column(scores, players, other, seat) != NONE:
                beaten = True
        if not beaten:
            bits |= 1 << seat
    return bits


def ranks(scores: Int64s, players: int) -> tuple[int, ...]:
    """F2, D9: the rank of each seat, 1 for who won; equal ranks share. In solo 1 is A.D.A.M."""
    seats = range(max(players, 2))
    return tuple(
        1 + sum(lead_column(scores, players, other, seat) != NONE for other in seats)
        for seat in seats
    )


DecidedBy = Literal["points", "cards", "coatl", "shared", "adam"]
_DECIDED: tuple[DecidedBy, ...] = ("points", "cards", "coatl")


class Verdict(NamedTuple):
    """How the first place was decided (F2, D9), and between which seats."""

    by: DecidedBy  # adam: a tie in points with A.D.A.M., who wins it
    between: tuple[int, ...]  # the seats that were level until then, the winner among them


def verdict(scores: Int64s, players: int) -> Verdict:
    """F2, D9: what decided who won: the last column in which anybody was level with the winner."""
    seats = range(max(players, 2))
    first = ranks(scores, players)
    winner = first.index(1)
    rivals = [seat for seat in seats if seat != winner]
    if first.count(1) > 1:
        return Verdict("shared", tuple(seat for seat in seats if first[seat] == 1))
    if players == 1 and scores[POINTS] == scores[3 + POINTS]:
        return Verdict("adam", tuple(seats))
    leads = {seat: lead_column(scores, players, winner, seat) for seat in rivals}
    column = max(leads.values())
    level = [seat for seat in seats if seat == winner or leads[seat] >= column]
    return Verdict(_DECIDED[column], tuple(level))
