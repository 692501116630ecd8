"""What is rewarded when: first good Cóatl of one's own, then winning.

Who competes from the start learns to rush worthless serpents and does not recover. So at first
only own points count, more in a better Cóatl; then, as the plan goes on and only while the scores
stay up, the reward turns to winning and to the difference of points.
"""

from __future__ import annotations

from dataclasses import dataclass

from coatl.learn.settings import TrainingSettings

POINT = 1 / 20  # the reward of a point of a complete Cóatl
OPEN_POINT = 1 / 40
RIVALS_AT_FIRST = 0.1
BACKWARDS = 0.5  # how fast it turns back while the gate is shut, against how fast it turns
IN_ANY_CASE = (0.8, 0.95)  # shares of the plan between which it turns whatever the scores


@dataclass
class Curriculum:
    """`turned`: 0 points only, 1 winning; `score` is the running mean of the games' scores."""

    turned: float = 0.0
    score: float = 0.0

    def note_score(self, mean: float) -> None:
        self.score += (0.1 if self.score else 1.0) * (mean - self.score)

    def advance(self, settings: TrainingSettings, before: float, now: float) -> None:
        """From share `before` of the plan to share `now`."""
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
