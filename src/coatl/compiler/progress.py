"""Reports on standard error that something is being compiled, and how far that has come.

Silent if ``COATL_QUIET`` is set, and in processes that `multiprocessing` started.
"""

from __future__ import annotations

import math
import multiprocessing
import os
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress

from coatl.compiler.packages import description

QUIET = "COATL_QUIET"

ProgressReport = Callable[[str, float], None]
"""Called with a package and the share of it that is compiled: first 0.0, at the end 1.0."""

ENOUGH = 0.1  # the share after which what is left can be estimated
WIDTH = 79  # of the line on a terminal


class ProgressLine:
    """Writes one line: on a terminal it keeps count, elsewhere it is written at the beginning."""

    def __init__(self) -> None:
        self._began = 0.0

    def __call__(self, package: str, share: float) -> None:
        if is_quiet():
            return
        what, seconds = description(package)
        reason = f"Compiling {what} for this machine, once:"
        with suppress(OSError, ValueError):  # nobody reads it
            if sys.stderr.isatty():
                self._rewrite_line(reason, seconds, share)
            elif share == 0:
                times = f"about {seconds} seconds, or several times that if it is slow or busy"
                print(f"{reason} {times} ...", file=sys.stderr, flush=True)

    def _rewrite_line(self, reason: str, seconds: int, share: float) -> None:
        now, end = time.monotonic(), ""
        if share == 0:
            self._began = now
        taken = now - self._began
        if share == 1:
            text, end = f"done in {taken:.0f} seconds", "\n"
        elif share < ENOUGH:
            text = f"{100 * share:.0f} %, {seconds} s if it is idle"
        else:
            text = f"{100 * share:.0f} %, {time_left(taken, share)} left"
        print(f"\r{reason} {text}".ljust(WIDTH + 1), end=end, file=sys.stderr, flush=True)


def is_quiet() -> bool:
    """Has somebody asked for silence, or does another process speak for this one?"""
    asked = bool(os.environ.get(QUIET)) or sys.stderr is None
    return asked or multiprocessing.parent_process() is not None


def time_left(taken: float, share: float) -> str:
    """As if the rest took as long as what is done, in steps of five seconds."""
    left = 5 * math.ceil(taken * (1 - share) / share / 5)
    return f"about {left} seconds" if left > 5 else "a few seconds"


print_progress = ProgressLine()


class CompileProgress:
    """The share of a package that is compiled, reported as it grows.

    A part is an entry with what it calls: how to find out whether it is ready (another process may
    have compiled it), and its size. Sizes are lengths of byte code, since what takes longest is
    roughly what is longest.
    """

    def __init__(
        self,
        report: ProgressReport | None,
        package: str,
        parts: Sequence[tuple[Callable[[], bool], int]],
    ) -> None:
        self._report, self._package, self._parts = report, package, parts
        self._total = sum(size for _, size in parts)
        self._begun = 0  # of the part that is under way
        self._share = 0.0
        self._send(0.0)

    def add(self, size: int) -> None:
        """So much of the part that is under way is compiled."""
        self._begun += size
        self.look()

    def end_part(self) -> None:
        self._begun = 0
        self.look()

    def look(self) -> None:
        """Look what is ready by now; never 1, since there is always something left to do."""
        ready = sum(size for is_ready, size in self._parts if is_ready())
        share = min((ready + self._begun) / self._total, 0.99)
        if share > self._share:
            self._share = share
            self._send(share)

    def end(self) -> None:
        self._send(1.0)

    def _send(self, share: float) -> None:
        if self._report is not None:
            self._report(self._package, share)
