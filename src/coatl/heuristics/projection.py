"""What a Cóatl may become: pieces are added in thought, as long as its cards gain by it.

All cards are followed at once, so that cards which want the same pieces count for more than cards
which do not go together.
"""

from __future__ import annotations

from typing import Annotated

from coatl.compiler.functions import kernel
from coatl.compiler.records import Float64, Int64, Int64s
from coatl.heuristics.card_potential import MAX_COUNT, UNIT, Promises
from coatl.rules.patterns import END
from coatl.rules.pieces import BODY, HEAD, N_COLOURS, TAIL
from coatl.rules.state import MAX_CARDS_ON_COATL, MAX_HAND, Coatl, PlayerRecord
from coatl.rules.tables import COUNTED, MAX_TIMES, Cards, CardTables

MOST = MAX_CARDS_ON_COATL + MAX_HAND  # cards that are followed
LONGEST = 8  # pieces added in thought
_ROW = COUNTED - 1
_FLAG = 15


class Dream:
    """The cards that are followed, those on the Cóatl first, and the pieces still at hand."""

    n_laid: Int64
    n: Int64
    card: Annotated[Int64s, MOST]
    row: Annotated[Int64s, MOST]  # of the card's automaton, after the pieces so far
    times: Annotated[Int64s, MOST]
    at_hand: Annotated[Int64s, N_COLOURS]
    used: Int64  # bits of the hand cards that the best dream counts on
    # what a promised point keeps
    held: Float64  # for being on a card that is not laid yet
    at_board: Float64  # for each piece that has to be added from the board
    elsewhere: Float64  # for each that has to be found first


@kernel
def begin_dream(dream: Dream, coatl: Coatl, player: PlayerRecord, taken: int) -> None:
    """Follow the cards on a Cóatl and those in hand, but for the `taken` ones (bits)."""
    dream.n = 0
    for k in range(coatl.n_cards):
        dream.card[dream.n] = coatl.cards[k]
        dream.n += 1
    dream.n_laid = dream.n
    for k in range(player.n_hand):
        dream.card[dream.n] = -1 if (taken >> k) & 1 else player.hand[k]
        dream.n += 1
    for k in range(dream.n_laid):  # A6: never two alike
        for other in range(dream.n_laid, dream.n):
            if dream.card[other] == dream.card[k]:
                dream.card[other] = -1


@kernel
def count_pieces(dream: Dream, player: PlayerRecord) -> None:
    for colour in range(N_COLOURS):
        dream.at_hand[colour] = 0
        for shape in (HEAD, TAIL, BODY):
            dream.at_hand[colour] += player.pieces[shape + colour]


@kernel
def read_pieces(cards: Cards, dream: Dream, coatl: Coatl, backwards: bool) -> None:
    for k in range(dream.n):
        dream.times[k] = 0
        if dream.card[k] >= 0:
            dream.row[k] = cards.start[dream.card[k]]
            for at in range(coatl.length):
                place = coatl.length - 1 - at if backwards else at
                step(cards, dream, k, int(coatl.colours[place]))


@kernel
def step(cards: Cards, dream: Dream, k: int, colour: int) -> None:
    entry = int(cards.transition[dream.row[k], colour])
    dream.row[k] = entry & _ROW
    dream.times[k] += entry >> _FLAG


@kernel
def points_now(cards: Cards, dream: Dream) -> tuple[float, int]:
    """What the cards score as it is, those in hand a little less; bits of the hand cards used.

    A Cóatl has room for four cards (A6): of those in hand the best ones count.
    """
    total, used = 0.0, 0
    for k in range(dream.n_laid):
        total += score(cards, dream, k)
    room = MAX_CARDS_ON_COATL - int(dream.n_laid)
    for _ in range(room):
        best, chosen = 0.0, -1
        for k in range(dream.n_laid, dream.n):
            bit = 1 << (k - int(dream.n_laid))
            if dream.card[k] >= 0 and not used & bit:
                points = score(cards, dream, k)
                if points > best:
                    best, chosen = points, k
        if chosen < 0:
            break
        used |= 1 << (chosen - int(dream.n_laid))
        total += dream.held * best
    return total, used


@kernel
def score(cards: Cards, dream: Dream, k: int) -> float:
    times = int(dream.times[k]) + (int(cards.transition[dream.row[k], END]) >> _FLAG)
    return float(cards.points[dream.card[k], min(times, MAX_TIMES)])


@kernel
def attraction(cards: Cards, promised: Promises, way: int, dream: Dream, colour: int) -> float:
    """What the cards would promise after one more piece of a colour."""
    total = 0.0
    for k in range(dream.n):
        if dream.card[k] >= 0:
            entry = int(cards.transition[dream.row[k], colour])
            times = min(int(dream.times[k]) + (entry >> _FLAG), MAX_COUNT - 1)
            total += int(promised[way].best[entry & _ROW, times]) / UNIT
    return total


@kernel
def dream_on(tables: CardTables, promised: Promises, way: int, dream: Dream) -> float:
    """The best that adding pieces at one end leads to, each for its price."""
    cards = tables[way]
    best, used = points_now(cards, dream)
    dream.used = used
    price = 1.0
    for _ in range(LONGEST):
        most, chosen = 0.0, -1
        for colour in range(N_COLOURS):
            cost = dream.at_board if dream.at_hand[colour] > 0 else dream.elsewhere
            value = cost * attraction(cards, promised, way, dream, colour)
            if value > most:
                most, chosen = value, colour
        if chosen < 0:
            break
        price *= dream.at_board if dream.at_hand[chosen] > 0 else dream.elsewhere
        dream.at_hand[chosen] -= 1
        for k in range(dream.n):
            if dream.card[k] >= 0:
                step(cards, dream, k, chosen)
        points, used = points_now(cards, dream)
        if price * points > best:
            best = price * points
            dream.used = used
    return best


@kernel
def dream_of(
    tables: CardTables,
    promised: Promises,
    dream: Dream,
    coatl: Coatl,
    player: PlayerRecord,
    taken: int,
) -> float:
    """The better of building on the right and on the left, where the Cóatl is open."""
    begin_dream(dream, coatl, player, taken)
    best, used = -1.0, 0
    for way in range(2):
        if (coatl.has_tail if way == 0 else coatl.has_head) and not (
            coatl.has_head and coatl.has_tail
        ):
            continue
        count_pieces(dream, player)
        read_pieces(tables[way], dream, coatl, way == 1)
        value = dream_on(tables, promised, way, dream)
        if value > best:
            best, used = value, int(dream.used)
    dream.used = used
    return best
