"""Ctrl-C while processes are started: it is for the one that starts them, and is not lost."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def deferred_interrupts() -> Iterator[None]:
    """A Ctrl-C that comes in here counts at the end; processes started in here never hear of one.

    Half-way through the start of a process it could leave that process behind. A process inherits
    that SIGINT is blocked, but not our handler, which is for a signal that another thread takes.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    came = []
    before = signal.signal(signal.SIGINT, lambda *_: came.append(True))
    blocked = _block()
    try:
        yield
    finally:
        _restore(blocked)
        signal.signal(signal.SIGINT, before)
    if came:
        signal.raise_signal(signal.SIGINT)


def _block() -> set[int] | None:
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        return None
    return set(signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT}))


def _restore(blocked: set[int] | None) -> None:
    if blocked is not None:
        signal.pthread_sigmask(signal.SIG_SETMASK, blocked)
