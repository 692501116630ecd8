"""The reward schedule: points first, winning later.

Players rewarded for winning too early learn to rush worthless serpents and do not recover. At
first only a seat's own points count, and points of a better Cóatl count more. As the plan
advances, and only while scores stay up, the reward shifts to winning and to the point difference.
"""

from __future__ import annotations

from dataclasses import dataclass

from coatl.learn.settings import TrainingSettings

POINT = 1 / 20  # the reward of a point of a complete Cóatl
OPEN_POINT = 1 / 40
RIVALS_AT_FIRST = 0.1
BACKWARDS = 0.5  # speed of shifting back while scores are below the gate, relative to forwards
IN_ANY_CASE = (0.8, 0.95)  # between these shares of the plan it shifts whatever the scores


@dataclass
class Curriculum:
    """`turned`: 0 rewards points only, 1 winning; `score` is the running mean score of a game."""

    turned: float = 0.0
    score: float = 0.0

    def note_score(self, mean: float) -> None:
        self.score += (0.1 if self.score else 1.0) * (mean - self.score)

    def advance(self, settings: TrainingSettings, before: float, now: float) -> None:
        """Advance from share `before` of the plan to share `now`."""
        if now >= settings.ramp_from:
            pace = (now - before) / max(settings.ramp_to - settings.ramp_from, 1e-6)
            self.turned += pace if self.score >= settings.gate else -BACKWARDS * pace
        first, last = IN_ANY_CASE
        self.turned = min(1.0, max(0.0, self.turned, (now - first) / (last - first)))

    def rewards(self, settings: TrainingSettings) -> dict[str, float]:
        """What `Batch.set_weights` takes."""
        turned = self.turned
        return {
            "win": turned,
            "points": POINT * (1 - turned + settings.last_points * turned),
            "solo_points": POINT * (1 - turned + settings.last_solo_points * turned),
            "open_points": OPEN_POINT,
            "rivals": RIVALS_AT_FIRST + (1 - RIVALS_AT_FIRST) * turned,
            "convex": 1 - turned,
            "complete": settings.complete,
            "solo_complete": settings.solo_complete,
        }
