"""How near a Cóatl is to the next level of each card, from either end, as tables for compiled code.

A card's automaton reads from head to tail, so its last state tells what pieces at the right end
would do. The left end needs the mirrored card, read from tail to head.
"""

from __future__ import annotations

import dataclasses
from functools import lru_cache
from typing import Annotated, NamedTuple, cast

import numpy as np

from coatl.compiler.records import Int8s, RecordArray, record_array
from coatl.rules.cards import Deck, Prophecy, standard_deck
from coatl.rules.patterns import END, Pattern
from coatl.rules.pieces import N_COLOURS
from coatl.rules.tables import COUNTED, MAX_ROWS, Cards, CardTables, card_tables

FARTHEST = 4  # pieces
MAX_COUNT = 8  # matches: one more than any level of the standard deck asks for


class Reach:
    """`near[row, matches so far]` is 8, 4, 2, 1 for 1 to 4 pieces to the next level, else 0."""

    near: Annotated[Int8s, MAX_ROWS, MAX_COUNT]


Reaches = RecordArray[Reach]
Distances = np.ndarray[tuple[int, int], np.dtype[np.int64]]


class EncodingTables(NamedTuple):
    """What an observation is computed from besides the state."""

    cards: CardTables  # the cards, then the mirrored cards
    reaches: Reaches  # at the right end, then at the left end


@lru_cache(maxsize=8)
def both_ways(deck: Deck | None = None) -> CardTables:
    """A deck's tables (the standard one's), and those of its mirrored cards."""
    given = deck or standard_deck()
    turned = Deck(tuple(mirrored(card) for card in given.prophecies), given.temples)
    return cast("CardTables", np.concatenate([card_tables(given), card_tables(turned)]))


def mirrored(card: Prophecy) -> Prophecy:
    """The card that a Cóatl read from tail to head satisfies as often."""
    pattern = card.pattern
    turned = Pattern(
        pattern.text, pattern.items[::-1], pattern.not_after, pattern.not_before, pattern.needs
    )
    return dataclasses.replace(card, pattern=turned)


@lru_cache(maxsize=1)
def encoding_tables() -> EncodingTables:
    """The tables of the standard deck."""
    return EncodingTables(both_ways(), _reaches())


def _reaches() -> Reaches:
    deck, tables = standard_deck(), both_ways()
    out = record_array(Reach, 2)
    for way in range(2):
        distance = distances(tables[way], FARTHEST, MAX_COUNT)
        for number, card in enumerate(deck.prophecies):
            first = int(tables[way].start[number])
            automaton = (card if way == 0 else mirrored(card)).automaton
            rows = slice(first, first + len(automaton.rows))
            out[way].near[rows] = _nearness(card, tables[way], distance, rows)
    return out


def distances(cards: Cards, farthest: int, most: int) -> Distances:
    """`[row, k < most]`: the fewest pieces after which k more matches count.

    What would take more than `farthest` pieces is `farthest` + 1 away.
    """
    entries = cards.transition.astype(np.int64)
    following, counted = entries & (COUNTED - 1), entries >= COUNTED
    least: Distances = np.full((len(entries), most), farthest + 1)
    least[:, 0] = 0
    least[counted[:, END], 1] = 0
    wanted = np.arange(most)
    for _ in range(farthest):
        for colour in range(N_COLOURS):
            left = np.maximum(wanted - counted[:, colour, None], 0)
            least = np.minimum(least, 1 + least[following[:, colour, None], left])
    return least


def _nearness(
    card: Prophecy,
    cards: Cards,
    distance: Distances,
    rows: slice,
) -> np.ndarray[tuple[int, int], np.dtype[np.int8]]:
    codes = np.array([0, 8, 4, 2, 1, 0], np.int8)
    out = np.zeros((rows.stop - rows.start, MAX_COUNT), np.int8)
    ends = cards.transition[rows, END] >= COUNTED
    for count in range(MAX_COUNT):
        for offset, at_end in enumerate(ends):
            now = card.points_for(count + int(at_end))
            better = [times for times, points in card.levels.items() if points > now]
            if better and min(better) - count < MAX_COUNT:
                pieces = distance[rows.start + offset, max(min(better) - count, 0)]
                out[offset, count] = codes[pieces]
    return out
