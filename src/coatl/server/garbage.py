"""Collecting garbage in steps so small that nobody notices, and in full while nothing happens.

Views, events and logs hold no cycles, but the collector looks at whatever it is told of, and at a
busy server a full collection takes longer than everything else. So only what is new is looked at,
and whatever survives that is set aside (`gc.freeze`). Some of it leaves cycles behind later, such
as a connection that is closed: these are found when nothing has happened for a second.
"""

from __future__ import annotations

import asyncio
import gc
import time
from collections.abc import Callable

NEW_OBJECTS = 5_000  # that are looked at together
NEVER = 1 << 30
QUIET_SECONDS = 1.0  # without a decision, before everything is looked at
PAUSE = 10.0  # seconds between two looks whether it is quiet


def collect_in_small_steps() -> None:
    """From now on in this process; what is there now stays."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(NEW_OBJECTS, NEVER, NEVER)
    gc.callbacks.append(_set_survivors_aside)


def is_in_small_steps() -> bool:
    return _set_survivors_aside in gc.callbacks


def _set_survivors_aside(phase: str, _facts: dict[str, int]) -> None:
    if phase == "stop":
        gc.freeze()  # takes no time: it moves a list


def collect_all() -> None:
    """Look at everything, also at what was set aside."""
    gc.unfreeze()
    gc.collect()


async def collect_when_quiet(last_used: Callable[[], float]) -> None:
    """Until cancelled; `last_used` is when something happened last, by `time.monotonic`."""
    collected = time.monotonic()
    while True:
        await asyncio.sleep(PAUSE)
        latest = last_used()
        if collected < latest < time.monotonic() - QUIET_SECONDS:
            collect_all()
            collected = time.monotonic()
