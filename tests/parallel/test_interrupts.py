"""Ctrl-C at an awkward moment."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from types import FrameType

import pytest

from coatl.parallel.interrupts import deferred_interrupts

PATIENCE = 120  # seconds
INTERRUPTS_ITSELF = "import os, signal; os.kill(os.getpid(), signal.SIGINT); print('unmoved')"
pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals as POSIX has them")


def defer(act: Callable[[], None], reached: list[str]) -> None:
    with deferred_interrupts():
        act()
        reached.append("the end")


def test_one_that_comes_meanwhile_counts_afterwards() -> None:
    reached: list[str] = []
    with pytest.raises(KeyboardInterrupt):
        defer(lambda: signal.raise_signal(signal.SIGINT), reached)
    assert reached == ["the end"]


def test_one_that_another_thread_takes_does_too() -> None:
    """Only the thread that starts processes has the signal blocked."""
    over = threading.Event()
    other = threading.Thread(target=over.wait)
    other.start()

    def interrupt_the_other() -> None:
        assert other.ident is not None
        deferring = signal.getsignal(signal.SIGINT)
        assert callable(deferring)
        heard = []

        def hear(number: int, frame: FrameType | None) -> None:
            deferring(number, frame)
            heard.append(number)

        signal.signal(signal.SIGINT, hear)
        signal.pthread_kill(other.ident, signal.SIGINT)
        deadline = time.monotonic() + PATIENCE
        while not heard:
            assert time.monotonic() < deadline
            time.sleep(0.005)

    reached: list[str] = []
    with pytest.raises(KeyboardInterrupt):
        defer(interrupt_the_other, reached)
    over.set()
    other.join()
    assert reached == ["the end"]


def test_without_one_all_is_as_before() -> None:
    before = signal.getsignal(signal.SIGINT), signal.pthread_sigmask(signal.SIG_BLOCK, ())
    with deferred_interrupts():
        pass
    assert before == (
        signal.getsignal(signal.SIGINT),
        signal.pthread_sigmask(signal.SIG_BLOCK, ()),
    )


def test_a_process_that_is_started_meanwhile_hears_of_none() -> None:
    with deferred_interrupts():
        done = subprocess.run(
            [sys.executable, "-c", INTERRUPTS_ITSELF], capture_output=True, text=True, check=False
        )
    assert (done.returncode, done.stdout) == (0, "unmoved\n")
