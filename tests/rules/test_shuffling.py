"""Lazy shuffling is as good as shuffling first: exact distributions, fixed seeds."""

from __future__ import annotations

from math import comb, sqrt
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from coatl.compiler.functions import DISABLED
from coatl.rules import compiled
from coatl.rules.cards import standard_deck
from coatl.rules.chance import CARD_DRAWN, Chances, new_chance
from coatl.rules.state import States, new_states
from coatl.rules.tables import card_tables
from tests.position import Position

GAMES = 300 if DISABLED else 20_000


def chi_square_is_plausible(observed: npt.NDArray[Any], expected: npt.NDArray[Any]) -> bool:
    """Within four and a half standard deviations of its mean, the degrees of freedom."""
    statistic = float(((observed - expected) ** 2 / expected).sum())
    freedom = observed.size - 1
    return abs(statistic - freedom) < 4.5 * sqrt(2 * freedom)


@pytest.fixture(scope="module")
def tables() -> States:
    """Freshly set up two-player games, one stream each."""
    cards = card_tables(standard_deck())
    states = new_states(GAMES)
    states["n_players"] = 2
    chances: Chances = new_chance("shuffling")
    for game in range(GAMES):
        compiled.new_game(cards, states, game, 24, chances)
    return states


def test_S4_each_card_is_as_likely_at_each_place(tables: States) -> None:
    """Every place of the row and of the hands holds card c with probability copies / 54."""
    copies = np.array([card.copies for card in standard_deck().prophecies if not card.promo])
    places = [tables["row"][:, place] for place in range(6)]
    for place in places:
        observed = np.bincount(place, minlength=len(copies))
        assert chi_square_is_plausible(observed, GAMES * copies / 54)
    hands = tables["players"]["hand"]
    dealt = np.bincount(
        np.concatenate([hands[:, 0, :3].ravel(), hands[:, 1, :4].ravel()]), minlength=len(copies)
    )
    assert chi_square_is_plausible(dealt, 7 * GAMES * copies / 54)


def test_S4_the_cards_together_are_a_random_sample_without_replacement(tables: States) -> None:
    """The number of red cards among the six face up is hypergeometric: 10 of 54."""
    red = (tables["row"] < 5).sum(axis=1)
    observed = np.bincount(red, minlength=7)
    expected = np.array([comb(10, k) * comb(44, 6 - k) / comb(54, 6) for k in range(7)]) * GAMES
    few = expected < 5  # too rare to compare one by one
    observed = np.append(observed[~few], observed[few].sum())
    expected = np.append(expected[~few], expected[few].sum())
    assert chi_square_is_plausible(observed, expected)


def test_S1_the_supply_is_a_random_sample_without_replacement(tables: States) -> None:
    """Two equal segments in a space: 5 × 24 × 23 of 120 × 119; two equal heads: 2 of 14."""
    supply = tables["supply"]
    for space in range(6):
        same = int((supply[:, space, 0] == supply[:, space, 1]).sum())
        assert plausible_count(same, 23 / 119)
    assert plausible_count(int((supply[:, 6, 0] == supply[:, 7, 0]).sum()), 2 / 14)
    assert plausible_count(int((supply[:, 8, 0] == supply[:, 9, 0]).sum()), 2 / 14)
    bodies = np.bincount(supply[:, :6].ravel(), minlength=5)
    # twelve segments of a game are not independent; the variance is smaller than chi-square's
    assert ((bodies - 12 * GAMES / 5) ** 2 < 4.5**2 * 12 * GAMES * 0.16).all()


def plausible_count(count: int, probability: float) -> bool:
    spread = sqrt(GAMES * probability * (1 - probability))
    return abs(count - GAMES * probability) < 4.5 * spread


def test_S3_the_temple_cards_are_dealt_evenly(tables: States) -> None:
    """Hands and tops: each of the 15 cards is as likely at each of the four places."""
    for place in (
        tables["players"]["temples"][:, 0, 0],
        tables["players"]["temples"][:, 1, 0],
        tables["pile_top"][:, 0],
        tables["pile_top"][:, 1],
    ):
        observed = np.bincount(place, minlength=15)
        assert chi_square_is_plausible(observed, np.full(15, GAMES / 15))


def test_cards_drawn_late_are_as_random_as_cards_drawn_first() -> None:
    """The place of a card in the order of draws is uniform, though nothing was shuffled."""
    games = 60 if DISABLED else 200
    places = np.zeros(8, int)  # seven See the Future of seven draws each; what is left in the deck
    for seed in range(games):
        table = Position("2p tokens row=-,-,-,-,-,-", seed=seed)
        order = [card for _ in range(7) for card in see_the_future(table)]
        assert len(set(order)) == len(order) - repeated_reds(order)
        wanted = table.deck.prophecy_ids["KKK"]
        places[order.index(wanted) // 7 if wanted in order else 7] += 1
    assert chi_square_is_plausible(places, np.array([7] * 7 + [5]) * games / 54)


def see_the_future(table: Position) -> list[int]:
    """Discard the row, draw it anew, take a card and pass on: the seven cards drawn."""
    table.player(table.turn_of).tokens[1] = 1
    table.player(table.turn_of).hand[:] = 0
    table.chances["n_drawn"] = 0
    table.do("token future", "done")
    table.do(table.legal[0], "done")
    table.state.players[0].n_hand = table.state.players[1].n_hand = 0  # hands never fill up
    drawn: list[int] = table.chances["drawn"][0, : table.chances["n_drawn"][0]].tolist()
    return [result - CARD_DRAWN for result in drawn]


def repeated_reds(order: list[int]) -> int:
    return sum(order.count(card) - 1 for card in range(5) if card in order)
