"""Collecting garbage in steps so small that nobody notices, and in full while nothing happens.

Views, events and logs hold no cycles, but the collector looks at whatever it is told of, and at a
busy server a full collection takes longer than everything else. So only what is new is looked at,
and whatever survives that is not looked at again. Connections would leave cycles behind, so they
take themselves apart when they are closed. What else does, such as the players of bots, is found
when nothing has happened for a second and few are connected, or once a day at a server where that
never comes: it takes about 0.2 ms for each socket.
"""

from __future__ import annotations

import asyncio
import gc
import time
from collections.abc import Callable

from coatl.server.memory import give_back_memory

NEW_OBJECTS = 5_000  # that are looked at together
NEVER = 1 << 30
QUIET_SECONDS = 1.0  # without a decision, before everything is looked at
FEW_SOCKETS = 50  # with more of them it takes longer than 20 ms on a slow core
BUSY_SECONDS = 86_400.0  # after which everything is looked at all the same
PAUSE = 10.0  # seconds between two looks whether it is quiet


def collect_in_small_steps() -> None:
    """From now on in this process. What is there now, the program itself, is never looked at."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(NEW_OBJECTS, NEVER, NEVER)


def is_in_small_steps() -> bool:
    return gc.get_threshold() == (NEW_OBJECTS, NEVER, NEVER)


async def collect_when_quiet(last_used: Callable[[], float], sockets: Callable[[], int]) -> None:
    """Until cancelled; `last_used` is when something happened last, by `time.monotonic`, as far as
    it is known: tables that left the memory do not tell it any more. `sockets` are those open now.
    """
    collected, latest = time.monotonic(), 0.0
    while True:
        await asyncio.sleep(PAUSE)
        now, latest = time.monotonic(), max(latest, last_used())
        is_quiet = latest < now - QUIET_SECONDS and sockets() <= FEW_SOCKETS
        if collected < latest and (is_quiet or collected < now - BUSY_SECONDS):
            gc.collect()
            give_back_memory()
            collected = time.monotonic()
