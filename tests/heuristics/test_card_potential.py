"""The potential of cards, against trying out all pieces that could be added."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from coatl.heuristics.card_potential import LEFT, RIGHT, UNIT, deck_tables
from coatl.rules.cards import Deck, Prophecy, standard_deck
from coatl.rules.pieces import COLOURS
from coatl.rules.tables import COUNTED

FEW = 3  # pieces that are tried out
DISCOUNT = 0.1  # so small that a level farther away than FEW pieces is rounded to nothing
BUILT = ["", "Y", "YY", "RYB", "YBY", "BYY", "YYRYY"]


def potential(deck: Deck, card: int, pieces: str, side: int, discount: float) -> int:
    """What the tables say of a card on a Cóatl, read towards the end where pieces are added."""
    tables = deck_tables(deck, discount)
    cards = tables.cards[side]
    row, matches = int(cards.start[card]), 0
    for piece in pieces if side == RIGHT else reversed(pieces):
        entry = int(cards.transition[row, COLOURS.index(piece)])
        row, matches = entry & (COUNTED - 1), matches + (entry >= COUNTED)
    return int(tables.potentials[side].hundredths[row, matches])


def tried_out(card: Prophecy, pieces: str, side: int) -> int:
    best = 0
    for n in range(FEW + 1):
        for added in map("".join, product(COLOURS, repeat=n)):
            points = card.points(pieces + added if side == RIGHT else added + pieces)
            best = max(best, int(np.rint(UNIT * points * DISCOUNT**n)))
    return best


@pytest.mark.parametrize("side", [RIGHT, LEFT])
@pytest.mark.parametrize("pieces", BUILT)
def test_the_best_level_counts_less_for_each_missing_piece(pieces: str, side: int) -> None:
    deck = standard_deck()
    for number, card in enumerate(deck.prophecies):
        if set(card.name) & set("YB"):
            found = potential(deck, number, pieces, side, DISCOUNT)
            assert found == tried_out(card, pieces, side), card.name


def test_a_far_level_may_count_for_more_than_a_near_one() -> None:
    """YYY scores 3, and 7 when it is met twice: worth three pieces more only if they are likely."""
    deck = standard_deck()
    yyy = [card.name for card in deck.prophecies].index("YYY")
    assert potential(deck, yyy, "YYY", RIGHT, 0.5) == 3 * UNIT
    assert potential(deck, yyy, "YYY", RIGHT, 0.9) == round(7 * 0.9**3 * UNIT)
    assert potential(deck, yyy, "", RIGHT, 1.0) == 7 * UNIT
