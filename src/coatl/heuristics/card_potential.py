"""The potential of a card on a Cóatl: points of its levels, discounted for every missing piece."""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated, NamedTuple

import numpy as np

from coatl.compiler.records import Int16s, RecordArray, record_array
from coatl.encode.reach import Distances, both_ways, distances, mirrored
from coatl.rules.cards import Deck, Prophecy
from coatl.rules.tables import MAX_ROWS, CardTables

MAX_MISSING = 6  # pieces; a level that lacks more counts nothing
MAX_MATCHES = 8
UNIT = 100  # potentials are stored in hundredths of a point

RIGHT, LEFT = 0, 1  # the end of a Cóatl at which pieces are added


class CardPotential:
    """`hundredths[row, matches so far]`: the best level's discounted points.

    A row is a state of a card's automaton, so it stands for the card and the pieces it has read.
    """

    hundredths: Annotated[Int16s, MAX_ROWS, MAX_MATCHES]


CardPotentials = RecordArray[CardPotential]


class DeckTables(NamedTuple):
    """The cards of a deck and their potentials, both for pieces added at [RIGHT] and at [LEFT]."""

    cards: CardTables
    potentials: CardPotentials


@lru_cache(maxsize=8)
def deck_tables(deck: Deck, discount: float) -> DeckTables:
    """`discount` is what a point is multiplied by for each missing piece."""
    cards = both_ways(deck)
    potentials = record_array(CardPotential, 2)
    for side in (RIGHT, LEFT):
        missing = distances(cards[side], MAX_MISSING, MAX_MATCHES)
        for number, card in enumerate(deck.prophecies):
            first = int(cards[side].start[number])
            automaton = (card if side == RIGHT else mirrored(card)).automaton
            rows = slice(first, first + len(automaton.rows))
            potentials[side].hundredths[rows] = _best_level(card, missing[rows], discount)
    return DeckTables(cards, potentials)


def _best_level(card: Prophecy, missing: Distances, discount: float) -> Distances:
    """`[row, matches so far]`, from the pieces that are `missing` to each number of matches."""
    matches = np.arange(MAX_MATCHES)
    best: Distances = np.zeros_like(missing)
    for times, points in card.levels.items():
        more = np.maximum(times - matches, 0)
        pieces = missing[:, np.minimum(more, MAX_MATCHES - 1)]
        discounted = np.rint(UNIT * points * discount**pieces).astype(np.int64)
        reachable = (more < MAX_MATCHES) & (pieces <= MAX_MISSING)
        best = np.maximum(best, np.where(reachable, discounted, 0))
    return best
