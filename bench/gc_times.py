"""How long the garbage collections of a server take: noted in its process, read by the load."""

from __future__ import annotations

import gc
import os
import time
from pathlib import Path

FILE = "COATL_BENCH_COLLECTIONS"  # the environment variable that names where they are written


def watch() -> None:
    """Write when each collection began, its generation and its milliseconds of CPU, a line each.

    All collections hold the interpreter's lock, so CPU time is the pause that they are; what else
    runs on the machine is not counted.
    """
    name = os.environ.get(FILE)
    if name is None:
        return
    file = os.open(name, os.O_WRONLY | os.O_CREAT | os.O_APPEND)  # stays open
    begin = 0.0

    def note(phase: str, facts: dict[str, int]) -> None:
        nonlocal begin
        if phase == "start":
            begin = time.thread_time()
        else:
            spent = (time.thread_time() - begin) * 1e3
            line = f"{time.monotonic():.6f} {facts['generation']} {spent:.3f}\n"
            os.write(file, line.encode())

    gc.callbacks.append(note)


def longest(file: Path, begin: float, end: float) -> float:
    """Milliseconds of the longest one between two times (`time.monotonic`); 0 without any."""
    lines = [line.split() for line in file.read_text().splitlines()]
    return max((float(spent) for at, _, spent in lines if begin <= float(at) <= end), default=0.0)
