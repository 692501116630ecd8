"""Work shared out to processes of this machine."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from itertools import islice
from multiprocessing import active_children, get_context, resource_tracker
from typing import Any, NoReturn, TypeVar

from coatl.parallel.interrupts import deferred_interrupts

T = TypeVar("T")
TASKS_PER_PROCESS = 3  # running or waiting, so that no process is ever idle


class ProcessDied(RuntimeError):  # noqa: N818 - it says what happened to the process
    """A process ended without an answer."""


def run_in_processes(
    work: Callable[..., T], tasks: Iterable[tuple[Any, ...]], processes: int
) -> Iterator[T]:
    """`work(*task)` for each task, as the results come; raises `ProcessDied`, or what `work` does.

    Where the caller stops early, by Ctrl-C for instance, processes that are at work are killed.
    """
    context = get_context("spawn")  # forking a process that has threads is unsafe
    others = set(active_children())
    pool = ProcessPoolExecutor(processes, context)
    waiting = iter(tasks)
    running: set[Future[T]] = set()
    try:
        while True:
            with deferred_interrupts():  # submitting may start processes
                for task in islice(waiting, TASKS_PER_PROCESS * processes - len(running)):
                    running.add(pool.submit(work, *task))
            if not running:
                return
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                running.discard(future)
                yield future.result()
    except BrokenProcessPool:
        raise ProcessDied("a process died") from None
    finally:
        pool.shutdown(wait=not running, cancel_futures=True)
        if running:
            for child in set(active_children()) - others:
                child.kill()


def exit_at_once(code: int) -> NoReturn:
    """End this program after `run_in_processes` was stopped early.

    A process that was killed while it was sending its answer can leave a thread of the pool reading
    for ever, and at its normal end Python would wait for that thread.
    """
    sys.stdout.flush()
    sys.stderr.flush()
    tracker = getattr(resource_tracker._resource_tracker, "_pid", None)
    if tracker:  # it would warn of what we leave behind
        os.kill(tracker, signal.SIGKILL)
    os._exit(code)
