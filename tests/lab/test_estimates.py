"""Intervals with known answers, and the game as their unit."""

from __future__ import annotations

import math

import numpy as np
import pytest

from coatl.arena.ratings import Z, wilson
from coatl.lab.estimates import FEWEST, Estimate, difference, mean, share

VALUES = np.array([1.0, 4.0, 2.0, 7.0, 3.0, 3.0])
WINS = np.array([1.0, 0.0, 1.0, 1.0, 0.0, 1.0, 1.0, 0.0, 1.0, 1.0])


def close(found: Estimate | None, value: float, low: float, high: float) -> None:
    assert found is not None
    assert (found.value, found.low, found.high) == pytest.approx((value, low, high), abs=2e-5)


def test_a_mean_of_games_with_one_seat_each_is_the_usual_one() -> None:
    half = Z * VALUES.std(ddof=1) / math.sqrt(len(VALUES))
    middle = VALUES.mean()
    close(mean(VALUES, np.arange(6)), middle, middle - half, middle + half)


def test_seats_that_only_repeat_their_game_make_nothing_surer() -> None:
    once, games = mean(VALUES, np.arange(6)), np.repeat(np.arange(6), 3)
    assert mean(np.repeat(VALUES, 3), games) == once
    won, games = share(WINS, np.arange(10)), np.repeat(np.arange(10), 2)
    twice = share(np.repeat(WINS, 2), games)
    assert twice is not None
    assert won is not None
    assert twice.high - twice.low == pytest.approx(won.high - won.low, rel=0.06)


def test_what_cancels_out_within_every_game_is_certain() -> None:
    close(mean(np.array([1.0, 0.0, 0.0, 1.0]), np.array([0, 0, 1, 1])), 0.5, 0.5, 0.5)


def test_one_game_tells_no_mean() -> None:
    assert mean(np.array([3.0, 5.0]), np.array([4, 4])) is None
    assert mean(np.array([]), np.array([], np.int64)) is None
    assert share(np.array([]), np.array([], np.int64)) is None


def test_a_share_of_single_seats_is_wilsons() -> None:
    found = share(np.repeat(WINS, 50), np.arange(500))
    close(found, 0.7, *wilson(350, 500))


def test_a_share_of_all_is_not_certain() -> None:
    close(share(np.ones(20), np.arange(20)), 1.0, *wilson(20, 20))


def test_a_difference_of_separate_games_is_the_usual_one() -> None:
    values = np.tile(VALUES, 10)
    chosen = np.arange(60) < 25
    found = difference(values, chosen, np.arange(60), np.zeros(60, np.int64))
    a, b = values[chosen], values[~chosen]
    middle = a.mean() - b.mean()
    half = Z * math.sqrt((a.var() / 25 + b.var() / 35) * 60 / 59)
    close(found, middle, middle - half, middle + half)


def test_a_difference_within_every_game_is_compared_there() -> None:
    values = np.array([10.0, 8.0, 50.0, 48.0, 30.0, 28.0] * 10)
    chosen = np.array([True, False] * 30)
    found = difference(values, chosen, np.repeat(np.arange(30), 2), np.zeros(60, np.int64))
    close(found, 2.0, 2.0, 2.0)
    assert found is not None
    assert found.is_clear


def test_what_strata_differ_in_anyway_is_no_difference() -> None:
    """Few are chosen where values are high, many where they are low: it would look like a loss."""
    strata = np.repeat([0, 1], 50)
    chosen = np.array([n % 50 < (10 if n < 50 else 40) for n in range(100)])
    values = np.where(strata == 0, 9.0, 3.0) + chosen
    found = difference(values, chosen, np.arange(100), strata)
    close(found, 1.0, 1.0, 1.0)
    pooled = difference(values, chosen, np.arange(100), np.zeros(100, np.int64))
    assert pooled is not None
    assert pooled.high < 0


def test_a_difference_needs_some_of_each() -> None:
    values, games, one = np.arange(60.0), np.arange(60), np.zeros(60, np.int64)
    assert difference(values, games < FEWEST - 1, games, one) is None
    assert difference(values, games >= FEWEST - 1, games, one) is None
    assert difference(values, games < FEWEST, games, one) is not None
    strata = (games < FEWEST).astype(np.int64)
    assert difference(values, games < FEWEST, games, strata) is None  # no stratum has both


def test_intervals_hold_what_they_promise() -> None:
    """Of games whose two seats are alike, 95 % of the intervals have the true mean in them."""
    random = np.random.default_rng(7)
    games = np.repeat(np.arange(60), 2)
    hits = 0
    for _ in range(400):
        found = mean(np.repeat(random.normal(5.0, 2.0, 60), 2), games)
        assert found is not None
        hits += found.low <= 5.0 <= found.high
    assert 365 <= hits <= 393
