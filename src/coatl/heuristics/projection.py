"""The points a Cóatl may still reach: pieces are added one by one while its cards gain by it.

All cards are followed at once, so that cards which need the same pieces count for more than cards
which do not go together.
"""

from __future__ import annotations

from typing import Annotated

from coatl.compiler.functions import kernel
from coatl.compiler.records import Float64, Int64, Int64s
from coatl.heuristics.card_potential import (
    LEFT,
    MAX_MATCHES,
    RIGHT,
    UNIT,
    CardPotential,
    DeckTables,
)
from coatl.rules.patterns import END
from coatl.rules.pieces import BODY, HEAD, N_COLOURS, TAIL
from coatl.rules.state import MAX_CARDS_ON_COATL, MAX_HAND, NONE, Coatl, PlayerRecord
from coatl.rules.tables import COUNTED, MAX_TIMES, Cards

MAX_CARDS = MAX_CARDS_ON_COATL + MAX_HAND
MAX_PIECES = 8  # added to a Cóatl at most
_ROW = COUNTED - 1
_FLAG = 15


class ProjectionDiscounts:
    """What a point that is not scored yet is multiplied by."""

    in_hand: Float64  # if its card is not laid yet
    on_board: Float64  # for each piece that has to be added from the board
    elsewhere: Float64  # for each piece that has to be found first


class Projection:
    """The cards that are followed, those on the Cóatl first, and the pieces that are left."""

    discounts: ProjectionDiscounts
    n_laid: Int64
    n_cards: Int64
    cards: Annotated[Int64s, MAX_CARDS]  # NONE: not followed
    rows: Annotated[Int64s, MAX_CARDS]  # of the cards' automata, after the pieces so far
    matches: Annotated[Int64s, MAX_CARDS]
    pieces: Annotated[Int64s, N_COLOURS]  # on the board, less those added; negative: to be found
    used: Int64  # bits of the hand cards that the best projection lays


@kernel
def projected_points(
    deck: DeckTables, projection: Projection, coatl: Coatl, player: PlayerRecord, taken: int
) -> float:
    """The most points from adding pieces on the right or on the left, where the Cóatl is open.

    Hand cards that are `taken` (bits) are left out; `projection.used` tells which ones it takes.
    """
    select_cards(projection, coatl, player, taken)
    best, used = -1.0, 0
    for side in (RIGHT, LEFT):
        if (coatl.has_tail if side == RIGHT else coatl.has_head) and not (
            coatl.has_head and coatl.has_tail
        ):
            continue
        count_pieces(projection, player)
        read_coatl(deck.cards[side], projection, coatl, side == LEFT)
        points = points_with_additions(deck.cards[side], deck.potentials[side], projection)
        if points > best:
            best, used = points, int(projection.used)
    projection.used = used
    return best


@kernel
def select_cards(projection: Projection, coatl: Coatl, player: PlayerRecord, taken: int) -> None:
    """Follow the cards on a Cóatl, and those in hand except the `taken` ones (bits)."""
    projection.n_cards = 0
    for k in range(coatl.n_cards):
        projection.cards[projection.n_cards] = coatl.cards[k]
        projection.n_cards += 1
    projection.n_laid = projection.n_cards
    for k in range(player.n_hand):
        projection.cards[projection.n_cards] = NONE if (taken >> k) & 1 else player.hand[k]
        projection.n_cards += 1
    for k in range(projection.n_laid):  # A6: never two alike
        for other in range(projection.n_laid, projection.n_cards):
            if projection.cards[other] == projection.cards[k]:
                projection.cards[other] = NONE


@kernel
def count_pieces(projection: Projection, player: PlayerRecord) -> None:
    """Pieces on the board by colour, whatever their shape."""
    for colour in range(N_COLOURS):
        projection.pieces[colour] = 0
        for shape in (HEAD, TAIL, BODY):
            projection.pieces[colour] += player.pieces[shape + colour]


@kernel
def read_coatl(cards: Cards, projection: Projection, coatl: Coatl, backwards: bool) -> None:
    """Let each card's automaton read the pieces of a Cóatl."""
    for k in range(projection.n_cards):
        projection.matches[k] = 0
        if projection.cards[k] >= 0:
            projection.rows[k] = cards.start[projection.cards[k]]
            for at in range(coatl.length):
                place = coatl.length - 1 - at if backwards else at
                read_piece(cards, projection, k, int(coatl.colours[place]))


@kernel
def read_piece(cards: Cards, projection: Projection, k: int, colour: int) -> None:
    entry = int(cards.transition[projection.rows[k], colour])
    projection.rows[k] = entry & _ROW
    projection.matches[k] += entry >> _FLAG


@kernel
def points_with_additions(cards: Cards, potential: CardPotential, projection: Projection) -> float:
    """The most points from adding pieces at one end, each discounted.

    The piece after which the cards have the greatest potential is added next.
    """
    best, used = current_points(cards, projection)
    projection.used = used
    discount = 1.0
    for _ in range(MAX_PIECES):
        most, chosen = 0.0, NONE
        for colour in range(N_COLOURS):
            expected = potential_with(cards, potential, projection, colour)
            value = piece_discount(projection, colour) * expected
            if value > most:
                most, chosen = value, colour
        if chosen == NONE:
            break
        discount *= piece_discount(projection, chosen)
        projection.pieces[chosen] -= 1
        for k in range(projection.n_cards):
            if projection.cards[k] >= 0:
                read_piece(cards, projection, k, chosen)
        points, used = current_points(cards, projection)
        if discount * points > best:
            best = discount * points
            projection.used = used
    return best


@kernel
def piece_discount(projection: Projection, colour: int) -> float:
    if projection.pieces[colour] > 0:
        return float(projection.discounts.on_board)
    return float(projection.discounts.elsewhere)


@kernel
def potential_with(
    cards: Cards, potential: CardPotential, projection: Projection, colour: int
) -> float:
    """The potential of all cards after one more piece of a colour."""
    total = 0.0
    for k in range(projection.n_cards):
        if projection.cards[k] >= 0:
            entry = int(cards.transition[projection.rows[k], colour])
            matches = min(int(projection.matches[k]) + (entry >> _FLAG), MAX_MATCHES - 1)
            total += int(potential.hundredths[entry & _ROW, matches]) / UNIT
    return total


@kernel
def current_points(cards: Cards, projection: Projection) -> tuple[float, int]:
    """Points without further pieces, discounted for hand cards; bits of the hand cards used.

    A Cóatl has room for four cards (A6): of those in hand the best ones count.
    """
    total, used = 0.0, 0
    for k in range(projection.n_laid):
        total += points_of_card(cards, projection, k)
    room = MAX_CARDS_ON_COATL - int(projection.n_laid)
    for _ in range(room):
        best, chosen = 0.0, NONE
        for k in range(projection.n_laid, projection.n_cards):
            bit = 1 << (k - int(projection.n_laid))
            if projection.cards[k] >= 0 and not used & bit:
                points = points_of_card(cards, projection, k)
                if points > best:
                    best, chosen = points, k
        if chosen == NONE:
            break
        used |= 1 << (chosen - int(projection.n_laid))
        total += projection.discounts.in_hand * best
    return total, used


@kernel
def points_of_card(cards: Cards, projection: Projection, k: int) -> float:
    at_end = int(cards.transition[projection.rows[k], END]) >> _FLAG
    matches = int(projection.matches[k]) + at_end
    return float(cards.points[projection.cards[k], min(matches, MAX_TIMES)])
