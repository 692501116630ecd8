"""Threads that let others go first."""

from __future__ import annotations

import os
import sys
import threading

NICENESS = 10  # of a thread that thinks or replays: people are served first
LOWEST = 19  # of one for whose result nobody waits: bots and hints go first, too


def give_way(niceness: int = NICENESS) -> None:
    """Let the calling thread run after the others where they share a core; only Linux can."""
    if sys.platform == "linux":
        thread = threading.get_native_id()
        already = os.getpriority(os.PRIO_PROCESS, thread)  # which may not be taken back
        os.setpriority(os.PRIO_PROCESS, thread, max(already, niceness))
