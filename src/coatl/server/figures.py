"""Figures that parts of the server keep of what they do, for `coatl.server.metrics`.

Counting costs an addition; nothing is put together before somebody asks.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, field

# Upper bounds in seconds. A commit takes about a millisecond, a bot up to several seconds.
SHORT = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)
LONG = (0.001, 0.01, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)


class Histogram:
    """How often something took how long. One thread counts; any may read."""

    __slots__ = ("bounds", "counts", "total")

    def __init__(self, bounds: Sequence[float]) -> None:
        self.bounds = tuple(bounds)
        self.counts = [0] * (len(bounds) + 1)  # the last is for what took longer than all bounds
        self.total = 0.0  # seconds

    def observe(self, seconds: float) -> None:
        self.counts[bisect_left(self.bounds, seconds)] += 1
        self.total += seconds


@dataclass
class StoreFigures:
    """Of a store, counted by its writer; failed reads by whoever reads."""

    commit_seconds: Histogram = field(default_factory=lambda: Histogram(SHORT))
    entries: int = 0  # stored
    write_failures: int = 0
    read_failures: int = 0


@dataclass
class TableFigures:
    """Of a manager's tables."""

    change_seconds: Histogram = field(default_factory=lambda: Histogram(SHORT))
    people_decisions: int = 0
    bot_decisions: int = 0


@dataclass
class BotFigures:
    """Of bots that think."""

    thinking_seconds: Histogram = field(default_factory=lambda: Histogram(LONG))
    failures: int = 0
