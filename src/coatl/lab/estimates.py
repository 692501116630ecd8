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
FEWEST = 20  # seats with and without something, below which their difference is not told


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


def difference(values: Floats, chosen: Bools, games: Ints, strata: Ints) -> Estimate | None:
    """How much more the chosen seats have than others of their stratum, such as the same place.

    That is the slope of a regression with a constant for each stratum, so what strata differ in
    anyway counts for nothing. None if there are fewer than `FEWEST` of either kind.
    """
    if min(chosen.sum(), (~chosen).sum()) < FEWEST:
        return None
    x = chosen - means_by(chosen.astype(float), strata)
    size = float((x**2).sum())
    if size < 1e-9:  # no stratum has both
        return None
    y = values - means_by(values, strata)
    slope = float((x * y).sum()) / size
    pulls = np.bincount(games, x * (y - slope * x)) / size
    half = Z * math.sqrt(_variance(pulls[np.bincount(games) > 0]))
    return _rounded(slope, slope - half, slope + half)


def means_by(values: Floats, groups: Ints) -> Floats:
    """For each value the mean of its group."""
    if not len(values):
        return values
    counts = np.maximum(np.bincount(groups), 1)
    return (np.bincount(groups, values) / counts)[groups]


def _residuals(values: Floats, games: Ints) -> Floats:
    """How far each game pulls the mean of all values."""
    pulls = np.bincount(games, values - values.mean()) / len(values)
    return pulls[np.bincount(games) > 0]


def _variance(pulls: Floats) -> float:
    """Of a sum of independent parts, one a game."""
    n = len(pulls)
    return float((pulls**2).sum() * n / (n - 1)) if n > 1 else 0.0


def _rounded(value: float, low: float, high: float) -> Estimate:
    return Estimate(round(value, 5), round(low, 5), round(high, 5))
