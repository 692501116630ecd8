"""Work that a request asks for and that takes long: replaying a record, following a lesson.

It has threads of its own, so that tables are loaded meanwhile, and it ends when nobody waits for
its result any more.
"""

from __future__ import annotations

import asyncio
import threading
import traceback
from collections import Counter
from collections.abc import Callable, Coroutine
from contextlib import suppress
from typing import Any, TypeVar

from coatl.server.fair_queue import FairQueue
from coatl.server.memory import give_back_memory
from coatl.server.priority import give_way
from coatl.server.protocol import RequestError, ServerCode

T = TypeVar("T")
RETRY_SECONDS = 1.0  # to whom too much work is refused


class WorkStopped(Exception):  # noqa: N818 - not an error
    """Nobody waits for the result any more."""


class WorkMonitor:
    """What a long piece of work looks at now and then."""

    def __init__(self) -> None:
        self._stopped = threading.Event()
        self._interrupt: Callable[[], None] | None = None

    def stop(self) -> None:
        self._stopped.set()
        if self._interrupt is not None:
            self._interrupt()

    def interrupt_by(self, interrupt: Callable[[], None] | None) -> None:
        """How work that does not look is stopped; called in any thread. None: it has ended."""
        self._interrupt = interrupt

    def check(self) -> None:
        """Raises `WorkStopped` if the work is no longer wanted."""
        if self._stopped.is_set():
            raise WorkStopped


Work = Callable[[WorkMonitor], T]


class WorkPool:
    """A few threads. 0 for `per_address` or `in_all` means no limit of what waits or runs."""

    def __init__(self, threads: int, per_address: int, in_all: int) -> None:
        self._per_address, self._in_all = per_address, in_all
        self._jobs: FairQueue[Callable[[], None]] = FairQueue()
        self._by_address: Counter[str] = Counter()
        # What runs or waits, with who waits for it; only the event loop's thread uses it.
        self._running: dict[WorkMonitor, asyncio.Future[Any]] = {}
        self._threads = [
            threading.Thread(target=self._work, name="coatl-work", daemon=True)
            for _ in range(max(threads, 1))
        ]
        for thread in self._threads:
            thread.start()

    def _work(self) -> None:
        give_way()
        while (job := self._jobs.get()) is not None:
            job()
            del job  # it holds what was asked, and what came of it
            if not len(self._jobs):
                give_back_memory()

    async def run(self, address: str, work: Work[T]) -> T:
        """The result of `work`; if the caller is cancelled, so is the work.

        Raises `RequestError` if too much waits already.
        """
        self._check(address)
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[T] = loop.create_future()
        monitor = WorkMonitor()

        def job() -> None:
            result, error = _try(work, monitor)
            with suppress(RuntimeError):  # the loop has ended; nobody waits any more
                loop.call_soon_threadsafe(_settle, answer, result, error)

        self._by_address[address] += 1
        self._running[monitor] = answer
        self._jobs.put(address, job)
        try:
            return await answer
        finally:
            monitor.stop()
            self._jobs.remove(address, job)
            del self._running[monitor]
            self._by_address[address] -= 1
            self._by_address += Counter()  # forget zeros

    def _check(self, address: str) -> None:
        too_many = self._per_address and self._by_address[address] >= self._per_address
        if too_many or (self._in_all and len(self._running) >= self._in_all):
            raise RequestError(ServerCode.TOO_FAST, wait=RETRY_SECONDS)

    @property
    def count(self) -> int:
        """What waits or runs."""
        return len(self._running)

    def close(self) -> None:
        """Stop what runs, drop what waits, and wait for the threads."""
        for monitor, answer in self._running.items():
            monitor.stop()
            if not answer.done():
                answer.set_exception(RequestError(ServerCode.SHUTTING_DOWN))
        self._jobs.close()
        for thread in self._threads:
            thread.join()


async def unless(
    ending: Coroutine[Any, Any, object], error: Exception, doing: Coroutine[Any, Any, T]
) -> T:
    """The result of `doing`; if `ending` is over first, it is cancelled, and `error` is raised."""
    task, other = asyncio.ensure_future(doing), asyncio.ensure_future(ending)
    try:
        await asyncio.wait((task, other), return_when=asyncio.FIRST_COMPLETED)
        if not task.done():
            raise error
        return task.result()
    finally:
        task.cancel()
        other.cancel()


def _try(work: Work[T], monitor: WorkMonitor) -> tuple[Any, BaseException | None]:
    try:
        monitor.check()
        return work(monitor), None
    except BaseException as error:  # whoever waits for it gets it
        # Else what the work had in hand would stay until garbage is collected, which is rare.
        traceback.clear_frames(error.__traceback__)
        return None, error


def _settle(answer: asyncio.Future[T], result: T, error: BaseException | None) -> None:
    if answer.done():  # nobody waits for it any more
        return
    if error is None:
        answer.set_result(result)
    else:
        answer.set_exception(error)
