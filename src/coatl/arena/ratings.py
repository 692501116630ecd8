"""How sure a result is: intervals of shares, and ratings of players that met in pairs."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

Z = 1.959964  # of a 95 % interval
SCALE = 400 / math.log(10)  # Elo: 400 points are ten to one
ANCHOR, ANCHOR_RATING = "greedy", 1000.0  # whose rating is fixed, if it takes part
DOUBT = 0.5  # wins added to both sides of a pair, so that no rating is infinite


def wilson(wins: float, games: float) -> tuple[float, float]:
    """The 95 % interval of a share (Wilson's); shared wins count as parts."""
    if games == 0:
        return 0.0, 1.0
    share = wins / games
    centre = share + Z * Z / (2 * games)
    spread = Z * math.sqrt(share * (1 - share) / games + Z * Z / (4 * games * games))
    scale = 1 + Z * Z / games
    return max((centre - spread) / scale, 0.0), min((centre + spread) / scale, 1.0)


def rate(
    names: tuple[str, ...], results: Mapping[tuple[str, str], tuple[float, float]]
) -> dict[str, tuple[float, float]]:
    """Ratings and half their 95 % intervals, from (wins of one, wins of the other) of pairs.

    Bradley and Terry's model by Newton's method; the anchor, or else the first player, is fixed.
    """
    place = {name: at for at, name in enumerate(names)}
    wins = np.zeros((len(names), len(names)))
    for (one, other), (won, lost) in results.items():
        wins[place[one], place[other]] += won + DOUBT
        wins[place[other], place[one]] += lost + DOUBT
    anchor = place.get(ANCHOR, 0)
    strength, covariance = _fit(wins, anchor)
    half = Z * np.sqrt(np.maximum(np.diag(covariance), 0.0))
    return {
        name: (ANCHOR_RATING + SCALE * float(strength[at]), SCALE * float(half[at]))
        for name, at in place.items()
    }


Floats = npt.NDArray[np.float64]


def _fit(wins: Floats, anchor: int) -> tuple[Floats, Floats]:
    """Strengths (logits) that make the results most likely, and their covariance."""
    n = len(wins)
    free = [at for at in range(n) if at != anchor]
    strength, games = np.zeros(n), wins + wins.T
    covariance = np.zeros((n, n))
    for _ in range(100):
        expected = 1 / (1 + np.exp(strength[None, :] - strength[:, None]))
        slope = (wins - games * expected).sum(axis=1)[free]
        weight = games * expected * (1 - expected)
        curve = (np.diag(weight.sum(axis=1) + 1e-9) - weight)[np.ix_(free, free)]
        change = np.linalg.solve(curve, slope)
        strength[free] += np.clip(change, -1.0, 1.0)
        if np.abs(change).max() < 1e-9:
            break
    covariance[np.ix_(free, free)] = np.linalg.inv(curve)
    return strength, covariance
