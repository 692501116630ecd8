"""An analysis whose steps a test lets go on, and which finds nothing: for tests of the queue."""

from __future__ import annotations

import os
import threading

import msgspec

from coatl.analysis import Cancelled, Report
from tests.server.harness import PATIENCE
from tools.protocol_examples import report_example

STEPS = 4


class SlowAnalysis:
    """In the place of `coatl.analysis.Analysis`; `permits` is how many steps may still be done."""

    permits = threading.Semaphore(0)
    steps = STEPS
    made: list[SlowAnalysis] = []  # noqa: RUF012 - a test empties it

    def __init__(self, depth: str, done: int = 0, seats: object = None) -> None:
        self.depth, self.done, self.first, self.seats = depth, done, done, seats
        self.niceness = os.getpriority(os.PRIO_PROCESS, threading.get_native_id())
        self._is_cancelled = False
        self.made.append(self)

    @classmethod
    def forget(cls) -> None:
        """Before a test."""
        cls.permits, cls.made = threading.Semaphore(0), []

    @classmethod
    def of_record(cls, _record: str, depth: str, seats: object) -> SlowAnalysis:
        return cls(depth, seats=seats)

    @classmethod
    def resume(cls, _record: str, kept: bytes) -> SlowAnalysis:
        depth, done = msgspec.json.decode(kept)
        return cls(depth, done)

    @classmethod
    def allow(cls, steps: int = STEPS) -> None:
        cls.permits.release(steps)

    def step(self) -> bool:
        if self.done == self.steps:
            return False
        assert self.permits.acquire(timeout=PATIENCE)
        if self._is_cancelled:
            self.permits.release()
            raise Cancelled
        self.done += 1
        return True

    def cancel(self) -> None:
        if not self._is_cancelled:
            self._is_cancelled = True
            self.permits.release()

    def save(self) -> bytes:
        return msgspec.json.encode((self.depth, self.done))

    def report(self) -> Report:
        return msgspec.structs.replace(report_example(), depth=self.depth)
