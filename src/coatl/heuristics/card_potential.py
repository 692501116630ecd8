"""What a card promises on a Cóatl: points of each level, less for every piece still missing."""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated

import numpy as np

from coatl.compiler.records import Int16s, RecordArray, record_array
from coatl.encode.reach import Distances, both_ways, distances, mirrored
from coatl.rules.cards import Deck, Prophecy
from coatl.rules.tables import MAX_ROWS

FARTHEST = 6  # pieces
MAX_COUNT = 8  # matches
UNIT = 100  # promises are kept in hundredths of a point


class Promise:
    """`best[row, matches so far]`: the best level's points, in hundredths and discounted."""

    best: Annotated[Int16s, MAX_ROWS, MAX_COUNT]


Promises = RecordArray[Promise]


@lru_cache(maxsize=8)
def promises(deck: Deck, keep: float) -> Promises:
    """For pieces added at the right end, and at the left; `keep` is left for a missing piece."""
    tables = both_ways(deck)
    out = record_array(Promise, 2)
    for way in range(2):
        away = distances(tables[way], FARTHEST, MAX_COUNT)
        for number, card in enumerate(deck.prophecies):
            first = int(tables[way].start[number])
            automaton = (card if way == 0 else mirrored(card)).automaton
            rows = slice(first, first + len(automaton.rows))
            out[way].best[rows] = _best(card, away[rows], keep)
    return out


def _best(card: Prophecy, away: Distances, keep: float) -> Distances:
    counts = np.arange(MAX_COUNT)
    best: Distances = np.zeros_like(away)
    for times, points in card.levels.items():
        missing = np.maximum(times - counts, 0)
        pieces = away[:, np.minimum(missing, MAX_COUNT - 1)]
        worth = np.rint(UNIT * points * keep**pieces).astype(np.int64)
        reachable = (missing < MAX_COUNT) & (pieces <= FARTHEST)
        best = np.maximum(best, np.where(reachable, worth, 0))
    return best
