"""Means, shares and differences with 95 % intervals that treat the game, not the seat, as the unit.

Seats of one game are not independent: where one wins, the others lose. So what is summed up is
first added within each game, and the spread between games says how sure the result is.
"""

from __future__ import annotations

import math

import msgspec
import numpy as np
import numpy.typing as npt

from coatl.arena.ratings import Z, wilson

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]


class Estimate(msgspec.Struct, frozen=True):
    """A number with its 95 % interval."""

    value: float
    low: float
    high: float

    @property
    def is_clear(self) -> bool:
        """Is 0 outside the interval? Of a difference: is there one?"""
        return self.low > 0 or self.high < 0


def mean(values: Floats, games: Ints) -> Estimate | None:
    """The mean of values, and `games` that they are of; None if there is only one game."""
    if len(np.unique(games)) < 2:
        return None
    middle = float(values.mean())
    half = Z * math.sqrt(_variance(_residuals(values, games)))
    return _rounded(middle, middle - half, middle + half)


def share(values: Floats, games: Ints) -> Estimate | None:
    """The same for shares of wins: Wilson's interval, as of so many independent games."""
    n = len(values)
    if not n:
        return None
    middle = float(values.mean())
    variance = float((_residuals(values, games) ** 2).sum())
    effective = middle * (1 - middle) / variance if variance and 0 < middle < 1 else n
    return _rounded(middle, *wilson(middle * effective, effective))


def difference(values: Floats, chosen: Bools, games: Ints) -> Estimate | None:
    """The mean of the chosen seats less that of the others; None if there are too few of either."""
    if min(chosen.sum(), (~chosen).sum()) < 2:
        return None
    middle = float(values[chosen].mean() - values[~chosen].mean())
    n_games = int(games.max()) + 1
    parts = _residuals(values[chosen], games[chosen], n_games)
    parts = parts - _residuals(values[~chosen], games[~chosen], n_games)
    half = Z * math.sqrt(_variance(parts[np.bincount(games, minlength=n_games) > 0]))
    return _rounded(middle, middle - half, middle + half)


def _residuals(values: Floats, games: Ints, n_games: int = 0) -> Floats:
    """How far each game pulls the mean of all values."""
    pulls = np.bincount(games, values - values.mean(), minlength=n_games) / len(values)
    if n_games:
        return pulls
    return pulls[np.bincount(games) > 0]


def _variance(pulls: Floats) -> float:
    """Of a sum of independent parts, one a game."""
    n = len(pulls)
    return float((pulls**2).sum() * n / (n - 1)) if n > 1 else 0.0


def _rounded(value: float, low: float, high: float) -> Estimate:
    return Estimate(round(value, 5), round(low, 5), round(high, 5))
