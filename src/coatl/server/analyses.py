"""Analyses of finished games: one thread makes them, after everybody else, one for each visitor.

What is found is stored every few seconds, so an analysis that was cancelled, ran out of time or
died with its process goes on from there when somebody asks for it again. With several processes
each analysis belongs to one of them (`leases`), and the others read how far it is.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
import math
import queue
import threading
import time
from collections.abc import Callable, Coroutine
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from coatl.analysis.depth import DEPTHS
from coatl.server.analysis_job import Job
from coatl.server.database import StorageError
from coatl.server.priority import LOWEST, give_way
from coatl.server.protocol import AnalysisState, AnalysisStatus, RequestError, ServerCode
from coatl.server.store import Done, Store
from coatl.server.stored_analyses import StoredAnalyses, StoredAnalysis

if TYPE_CHECKING:
    from coatl.analysis import Analysis
    from coatl.server.sharing import Sharing

logger = logging.getLogger("coatl.server.analyses")

SAVE_SECONDS = 2.0  # between two times that what was found is stored, and others can cancel it
WRITE_SECONDS = 30.0  # that a write may take before the thread goes on without it
_DEPTHS = tuple(DEPTHS)  # the deepest last
StoreInLoop = Callable[[Callable[[Done], None]], Coroutine[Any, Any, bool]]


@dataclass(frozen=True)
class Asker:
    """Who asks, and for the game of which table; None for a file."""

    address: str
    table: str | None = None
    token: bytes | None = None  # its hash


class Analyses:
    """Used in the event loop, except for its thread. `most` may wait or run, 0: any number; each
    runs for `seconds` at most, 0: as long as it takes.
    """

    def __init__(
        self, store: Store, most: int, seconds: float, write: StoreInLoop, sharing: Sharing | None
    ) -> None:
        self._stored = StoredAnalyses(store)
        self._most, self._seconds = most, seconds or math.inf
        self._write, self._sharing = write, sharing
        self._jobs: dict[str, Job] = {}  # by id, in the order they are made
        self._queue: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None
        self._is_stopped = False

    @property
    def count(self) -> int:
        """How many wait or run."""
        return len(self._jobs)

    @property
    def leases(self) -> list[str]:
        """What this process has to itself while it makes analyses."""
        return [name for job in self._jobs.values() for name in self._leases_of(job)]

    def stop(self) -> None:
        """Begin nothing more; what was found is stored."""
        self._is_stopped = True
        for job in self._jobs.values():
            job.cancel()
        self._queue.put(None)

    def close(self) -> None:
        """After `stop`; not in the event loop, which has to go on meanwhile."""
        if self._thread is not None:
            self._thread.join()

    # -------------------------------------------------------------- what is asked for

    async def ask(self, id: str, record: str, depth: str, asker: Asker) -> AnalysisState:
        """Have an analysis made, unless there is one as deep; how far it is.

        Raises `RequestError`, and `StorageError` as all others do.
        """
        stored = await self._load(id)
        if id not in self._jobs and not _has_report(stored, depth):
            await self._begin(Job(id, record, depth, asker.address), asker)
        return await self.state(id, asker)

    async def _begin(self, job: Job, asker: Asker) -> None:
        self._check(job.address)
        self._jobs[job.id] = job  # from now on nobody else begins it here
        try:
            if await self._claim(job):
                await self._store(job, asker)
            else:  # another process makes it, or is just about to stop
                del self._jobs[job.id]
                await self._write(lambda done: self._stored.go_on(job.id, asker.token, done))
                return
        except BaseException:
            self._jobs.pop(job.id, None)
            raise
        if self._thread is None:
            loop = asyncio.get_running_loop()
            self._thread = threading.Thread(target=self._work, args=(loop,), daemon=True)
            self._thread.start()
        self._queue.put(job)

    def _check(self, address: str) -> None:
        if self._is_stopped:
            raise RequestError(ServerCode.SHUTTING_DOWN)
        if any(job.address == address for job in self._jobs.values()):
            raise RequestError(ServerCode.ONE_ANALYSIS)
        if self._most and len(self._jobs) >= self._most:
            raise RequestError(ServerCode.TOO_MANY_ANALYSES)

    async def _store(self, job: Job, asker: Asker) -> None:
        """What was found before stays if it is of the same depth."""
        stored, stores = await self._load(job.id), self._stored
        id, depth, token = job.id, job.depth, asker.token
        if stored is None:
            await self._write(lambda done: stores.add(id, asker.table, depth, token, done))
        elif stored.depth == depth:
            await self._write(lambda done: stores.go_on(id, token, done))
        else:
            await self._write(lambda done: stores.begin_anew(id, depth, token, done))

    async def cancel(self, id: str, asker: Asker) -> AnalysisState:
        """Only whoever asked for it may; raises `RequestError`."""
        stored = await self._load(id)
        if stored is not None and stored.asker != asker.token:
            raise RequestError(ServerCode.FORBIDDEN, "somebody else asked for this analysis")
        if id in self._jobs:
            self._jobs[id].cancel()
        if stored is not None and stored.wanted:
            await self._write(lambda done: self._stored.cancel(id, done))
        return await self.state(id, asker)

    async def _load(self, id: str) -> StoredAnalysis | None:
        return await asyncio.to_thread(self._stored.load, id)

    # -------------------------------------------------------------- how far it is

    async def state(self, id: str, asker: Asker) -> AnalysisState:
        stored = await self._load(id)
        if stored is None:
            return AnalysisState(id, "none")
        job = self._jobs.get(id)
        done, steps, ahead = stored.done, stored.steps, 0
        status: AnalysisStatus
        if job is not None and not job.is_cancelled:
            status = "running" if job.is_running else "waiting"
            ahead = list(self._jobs).index(id)
            if job.is_running:
                done, steps = job.done, job.steps
        elif stored.wanted and await self._is_made_elsewhere(id):
            status = "running"
        else:
            status = _status(stored)
        return AnalysisState(
            id=id,
            status=status,
            depth=stored.depth,
            done=done,
            steps=steps,
            ahead=ahead,
            yours=stored.asker == asker.token,
            report=stored.report,
        )

    # -------------------------------------------------------------- several processes

    async def _claim(self, job: Job) -> bool:
        """Is it ours to make? Raises `RequestError` if the visitor has one at another process."""
        if self._sharing is None:
            return True
        analysis, visitor = self._leases_of(job)
        leases = self._sharing.leases
        if not await leases.claim(analysis):
            return False
        if not await leases.claim(visitor):
            await leases.give_back(analysis)
            raise RequestError(ServerCode.ONE_ANALYSIS)
        return True

    def _leases_of(self, job: Job) -> tuple[str, ...]:
        if self._sharing is None:
            return ()
        return _lease(job.id), f"analyst {self._sharing.hash_address(job.address)}"

    async def _is_made_elsewhere(self, id: str) -> bool:
        return self._sharing is not None and await self._sharing.leases.is_claimed(_lease(id))

    async def _give_back(self, job: Job) -> None:
        if self._sharing is not None:
            for name in self._leases_of(job):
                await self._sharing.leases.give_back(name)

    # -------------------------------------------------------------- the thread

    def _work(self, loop: asyncio.AbstractEventLoop) -> None:
        give_way(LOWEST)
        while (job := self._queue.get()) is not None:
            try:
                self._make(job)
            except Exception as error:  # the next one is made all the same
                logger.error("an analysis failed", exc_info=error)
                self._wait(partial(self._stored.cancel, job.id))
            with suppress(RuntimeError):  # the loop has ended
                asyncio.run_coroutine_threadsafe(self._end(job), loop)

    async def _end(self, job: Job) -> None:
        """In the event loop. The place of the visitor is free as soon as others can have it."""
        await self._give_back(job)
        self._jobs.pop(job.id, None)

    def _make(self, job: Job) -> None:
        """Until it is done, cancelled or out of time."""
        if job.is_cancelled:
            return
        analysis = job.begin(self._stored.load_found(job.id))
        end = time.monotonic() + self._seconds
        saved = time.monotonic()
        while job.step() and time.monotonic() < end:
            if time.monotonic() - saved >= SAVE_SECONDS:
                self._save(job, analysis)
                if not self._is_wanted(job):
                    return
                saved = time.monotonic()
        self._save(job, analysis)

    def _is_wanted(self, job: Job) -> bool:
        try:
            return self._stored.is_wanted(job.id)
        except StorageError:
            return True  # the database may come back

    def _save(self, job: Job, analysis: Analysis) -> None:
        from coatl.analysis import to_json

        id, depth, progress = job.id, job.depth, (analysis.done, analysis.steps)
        if analysis.done == analysis.steps:
            report = to_json(analysis.report())
            self._wait(partial(self._stored.finish, id, depth, analysis.steps, report))
        else:
            self._wait(partial(self._stored.save, id, depth, progress, analysis.save()))

    def _wait(self, write: Callable[[Done], None]) -> None:
        """What cannot be stored is found again next time."""
        answer: queue.SimpleQueue[Exception | None] = queue.SimpleQueue()
        write(answer.put)
        with suppress(queue.Empty):
            answer.get(timeout=WRITE_SECONDS)


# ---------------------------------------------------------------- what is stored


def _has_report(stored: StoredAnalysis | None, depth: str) -> bool:
    """Is there one that is as deep?"""
    if stored is None or stored.report is None:
        return False
    return _DEPTHS.index(stored.report.depth) >= _DEPTHS.index(depth)


def _status(stored: StoredAnalysis) -> AnalysisStatus:
    """Of one that nobody makes."""
    if stored.is_partial:
        return "stopped"
    return "none" if stored.report is None else "done"


def _lease(id: str) -> str:
    return f"analysis {id}"


def file_id(record: str) -> str:
    """What the analysis of a file is known by to those who have the file."""
    return f"file-{hashlib.sha256(record.encode()).hexdigest()[:32]}"
