"""An analysis of a finished game, step by step: it can be cancelled, kept as JSON, and resumed.

>>> from coatl.analysis import Analysis
>>> analysis = Analysis.of_record(text, "quick")  # doctest: +SKIP
>>> while analysis.step():  # doctest: +SKIP
...     print(f"{analysis.progress:.0%}")
>>> analysis.report().grades  # doctest: +SKIP

Each step is seeded by itself: whatever was done before, it finds the same.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

import msgspec
import numpy as np

from coatl.analysis.calibration import shown_chances
from coatl.analysis.chances import Cancelled, spectator_means
from coatl.analysis.course import AnalysisError, Course, NoSuchSeat, Turn, read_course
from coatl.analysis.data import VERSION, ChancePoint, JudgedTurn, Report
from coatl.analysis.depth import DEPTHS, NORMAL, Depth
from coatl.analysis.grades import find_turning_points, grade
from coatl.analysis.turns import TurnJudge
from coatl.net.weights import Policy, load_policy
from coatl.options import check_seed

SEED = "analysis"


class PartialAnalysis(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What an analysis has found so far."""

    version: int
    depth: str
    seed: str
    weights: str
    record: str
    seats: tuple[int, ...]
    effort: tuple[int, int, float, int]  # of the depth: samples, simulations, margin, games
    course: tuple[ChancePoint, ...] = ()
    turns: tuple[JudgedTurn, ...] = ()


class Analysis:
    """First the chances after each turn, then the turns of the seats that are asked for.

    A step is one of these. `cancel` may be called from another thread; all else from one.
    """

    def __init__(
        self, course: Course, found: PartialAnalysis, policy: Policy | None = None
    ) -> None:
        self._course, self._policy = course, policy or load_policy()
        self._depth = DEPTHS[found.depth]
        self._head = found
        self._points, self._turns = list(found.course), list(found.turns)
        self._judged = [turn for turn in course.turns if turn.seat in found.seats]
        self._stop = np.zeros(1, np.int8)

    @classmethod
    def of_record(
        cls,
        text: str,
        depth: str = NORMAL,
        seats: Iterable[int] | None = None,
        seed: str = SEED,
        policy: Policy | None = None,
    ) -> Analysis:
        """A new analysis; `seats` are those whose turns are judged, or all.

        Raises `AnalysisError`, `RecordError`, or `WeightsError` if there is no network.
        """
        if depth not in DEPTHS:
            raise AnalysisError(f"the depths are {', '.join(DEPTHS)}, not {depth!r}")
        course, policy = read_course(text), policy or load_policy()
        chosen = tuple(range(course.players)) if seats is None else tuple(sorted(set(seats)))
        if not all(0 <= seat < course.players for seat in chosen):
            raise NoSuchSeat(course.players)
        head = PartialAnalysis(
            VERSION,
            depth,
            check_seed(seed),
            weights_name(_network_for(policy, course)),
            course.game.digest,
            chosen,
            _effort(DEPTHS[depth]),
        )
        return cls(course, head, policy)

    @classmethod
    def resume(cls, text: str, kept: bytes, policy: Policy | None = None) -> Analysis:
        """Go on from what `save` gave; raises `AnalysisError` if that is of something else."""
        policy = policy or load_policy()
        try:
            found = msgspec.json.decode(kept, type=PartialAnalysis)
        except msgspec.DecodeError as error:
            raise AnalysisError(f"what was kept of the analysis cannot be read: {error}") from None
        course = read_course(text)
        weights = weights_name(_network_for(policy, course))
        expected = (VERSION, weights, course.game.digest)
        depth = DEPTHS.get(found.depth)
        same = (found.version, found.weights, found.record) == expected
        if not same or depth is None or found.effort != _effort(depth):
            raise AnalysisError("what was kept is of another game, or of another version")
        return cls(course, found, policy)

    # -------------------------------------------------------------- the work

    @property
    def steps(self) -> int:
        """How many there are in all."""
        return len(self._course.played) + 1 + len(self._judged)

    @property
    def done(self) -> int:
        """How many of them are done."""
        return len(self._points) + len(self._turns)

    @property
    def progress(self) -> float:
        return self.done / self.steps

    def step(self) -> bool:
        """Do the next step; False if there was none left. Raises `Cancelled`."""
        if self.done == self.steps:
            return False
        if self._stop[0]:
            raise Cancelled
        if len(self._points) <= len(self._course.played):
            self._points.append(self._next_point())
        else:
            self._turns.append(self._judge(self._judged[len(self._turns)]))
        return True

    def run(self) -> Report:
        """All steps that are left."""
        while self.step():
            pass
        return self.report()

    def cancel(self) -> None:
        """Make the step under way stop at once and raise `Cancelled`; it counts as not done."""
        self._stop[0] = 1

    def _next_point(self) -> ChancePoint:
        number, played = len(self._points), self._course.played
        if number == 0:
            first = played[0].number - 1 if played else 0
            chances, points = self._chances(self._course.start)
            return ChancePoint(first, None, "setup", chances, points)
        turn = played[number - 1]
        chances, points = self._chances(turn.after)
        return ChancePoint(
            turn.number, turn.seat, turn.action, chances, points, turn.taken, turn.completed
        )

    def _chances(self, content: bytes) -> tuple[tuple[float, ...], tuple[int, ...]]:
        """Chances and points in a state."""
        state = self._course.state(content)
        if state.over:
            chances = self._course.shares
        else:
            seed = f"{self._head.seed} chances {len(self._points)}"
            means = spectator_means(self._policy, state, self._depth.samples, seed, self._stop)
            chances = shown_chances(means, self._head.weights)
        return chances, tuple(state.scores())

    def _judge(self, turn: Turn) -> JudgedTurn:
        seed = f"{self._head.seed} turn {turn.number} {turn.seat}"
        judge = TurnJudge(self._policy, self._course, turn, self._depth, seed, self._stop)
        return judge.judge()

    # -------------------------------------------------------------- what it has found

    def save(self) -> bytes:
        """All that was found so far, as JSON, for `resume`."""
        found = msgspec.structs.replace(
            self._head, course=tuple(self._points), turns=tuple(self._turns)
        )
        return msgspec.json.encode(found)

    def report(self) -> Report:
        """What was found; before the last step it is a part of it."""
        head, game, outcome = self._head, self._course.game, self._course.outcome
        return Report(
            version=VERSION,
            depth=head.depth,
            margin=self._depth.margin,
            seed=head.seed,
            weights=head.weights,
            record=head.record,
            players=self._course.players,
            names=game.seats,
            winners=outcome.winners,
            points=outcome.points,
            course=tuple(self._points),
            turns=tuple(self._turns),
            turning_points=find_turning_points(self._points, self._turns),
            grades=tuple(grade(seat, self._turns) for seat in head.seats),
        )


def _effort(depth: Depth) -> tuple[int, int, float, int]:
    """What a later version may do otherwise under the same name."""
    return depth.samples, depth.simulations, depth.margin, depth.games


def _network_for(policy: Policy, course: Course) -> Policy:
    """The one that plays such games (`Policy.for_game`)."""
    return policy.for_game(course.players)


def weights_name(policy: Policy) -> str:
    """Which network it is: a digest of its weights."""
    return hashlib.sha256(policy.matrices.tobytes() + policy.vectors.tobytes()).hexdigest()[:16]
