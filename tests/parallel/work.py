"""What other processes are given to do; they find it by its module's name."""

from __future__ import annotations

import os
import time
from pathlib import Path


def square(number: int) -> tuple[int, int]:
    return number, number * number


def fail(number: int) -> int:
    raise LookupError(f"not {number}")


def die(number: int) -> int:
    os._exit(3)


def finish_the_first(number: int, folder: str) -> int:
    """Answers to 0 at once, after which only a signal ends it; leaves a file when it has begun."""
    if number > 0:
        Path(folder, str(number)).touch()
        while True:
            time.sleep(60)
    return number
