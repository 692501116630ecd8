"""What the network says, as chances that add up to 1 and agree with how games ended.

With several players no correction was needed. In solo the network knows how likely somebody is to
win who plays as well as a search, and A.D.A.M. makes no mistakes that would make up for weaker
play: there its log odds are put on a line that was fitted to games of all our bots
(docs/analysis.md).
"""

from __future__ import annotations

import math
from collections.abc import Sequence

WEIGHTS = "562ea499e875a34d"  # the solo network that the line was fitted for; others are not
SLOPE, OFFSET = 0.6, -2.45
LEAST = 1e-6


def shown_chances(means: Sequence[float], weights: str) -> tuple[float, ...]:
    """The chances of all who can win, from the means of all seats; in solo A.D.A.M. is second."""
    if len(means) > 1:
        return normalised(means)
    chance = corrected(means[0]) if weights == WEIGHTS else means[0]
    return (chance, 1.0 - chance)


def corrected(chance: float) -> float:
    """A chance in solo, on the fitted line."""
    inside = min(max(chance, LEAST), 1.0 - LEAST)
    odds = SLOPE * math.log(inside / (1.0 - inside)) + OFFSET
    return 1.0 / (1.0 + math.exp(-odds))


def normalised(chances: Sequence[float]) -> tuple[float, ...]:
    """Chances divided by their sum."""
    total = sum(chances)
    if total <= 0:
        return tuple(1.0 / len(chances) for _ in chances)
    return tuple(chance / total for chance in chances)
