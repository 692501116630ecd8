"""Grades and turning points, from chances and judged turns."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from statistics import mean, stdev

from coatl.analysis.data import ChancePoint, JudgedTurn, SeatGrade, TurningPoint

MOST_TURNING_POINTS = 5
LEAST_CHANGE = 0.08  # of a chance, that makes a turning point


def grade(seat: int, turns: Iterable[JudgedTurn]) -> SeatGrade:
    """Of the turns of a seat in which there was something to choose."""
    chosen = [turn for turn in turns if turn.seat == seat and turn.choices]
    count = len(chosen)
    worst = max(chosen, key=lambda turn: turn.loss, default=None)
    points, margin = _mean([turn.points_lost for turn in chosen if turn.points_lost is not None])
    return SeatGrade(
        seat=seat,
        turns=count,
        mean_loss=sum(turn.loss for turn in chosen) / max(count, 1),
        best_share=sum(not turn.loss for turn in chosen) / max(count, 1),
        worst=worst.turn if worst is not None and worst.loss else None,
        points_lost=points,
        points_margin=margin,
    )


def _mean(values: Sequence[float]) -> tuple[float | None, float | None]:
    """A mean and half its 95 % interval, where there are values enough."""
    if len(values) < 2:
        return (values[0], None) if values else (None, None)
    return mean(values), 1.96 * stdev(values) / len(values) ** 0.5


def find_turning_points(
    course: Sequence[ChancePoint], turns: Iterable[JudgedTurn]
) -> tuple[TurningPoint, ...]:
    """The turns that changed most or in which most was missed, in their order."""
    losses = {(turn.turn, turn.seat): turn.loss for turn in turns}
    found = []
    for before, after in pairwise(course):
        if after.seat is not None:
            change = after.chances[after.seat] - before.chances[after.seat]
            loss = losses.get((after.turn, after.seat))
            kind = _kind(change, loss or 0.0)
            found.append(TurningPoint(after.turn, after.seat, kind, change, loss))
    found = [point for point in found if _weight(point) >= LEAST_CHANGE]
    found = sorted(found, key=_weight, reverse=True)[:MOST_TURNING_POINTS]
    return tuple(sorted(found, key=lambda point: point.turn))


def _weight(point: TurningPoint) -> float:
    return max(abs(point.change), point.loss or 0.0)


def _kind(change: float, loss: float) -> str:
    if loss > abs(change):
        return "missed"
    return "gain" if change > 0 else "drop"
