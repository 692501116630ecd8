"""Gives freed memory back to the system.

The C library keeps what was freed for the next request. After a long replay, or when the players of
bots are dropped, that is tens of megabytes which nobody may ever ask for again.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import lru_cache


def give_back_memory() -> None:
    """Takes milliseconds, without the GIL. Only glibc can be asked; others do so by themselves."""
    trim = _trim()
    if trim is not None:
        trim(0)


@lru_cache(maxsize=1)
def _trim() -> Callable[[int], int] | None:
    try:
        found: Callable[[int], int] = ctypes.CDLL(None).malloc_trim
    except (OSError, AttributeError, TypeError):  # Windows, macOS, musl
        return None
    return found
