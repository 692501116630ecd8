"""Lets tables expire that nobody has touched for long: they are archived, or deleted.

A table is looked at by its last entry, and replayed only if it is old enough to expire.
"""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from collections.abc import Callable, Coroutine, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from typing import Any, TypeVar

import msgspec

from coatl.server.database import StorageError
from coatl.server.protocol import RequestError
from coatl.server.settings import Expired, ServerSettings
from coatl.server.store import DamagedTableError, Done, LastEntry, Store
from coatl.table import Status, Table, decode_entry
from coatl.table.entries import Freed, Joined, Opened

logger = logging.getLogger("coatl.server.expiry")

T = TypeVar("T")
SetAside = Callable[[Sequence[str]], AbstractContextManager[list[str]]]
Write = Callable[[Callable[[Done], None]], Coroutine[Any, Any, bool]]

DAY = 86_400.0  # seconds
FIRST_PAUSE, PAUSE = 60.0, 3_600.0  # seconds from the start to the first sweep, and between two
BATCH = 50  # tables that are looked at, and that expire, together


class Expiry:
    """`set_aside` is how tables are kept from being loaded, `write` waits until one is done."""

    def __init__(
        self, store: Store, settings: ServerSettings, set_aside: SetAside, write: Write
    ) -> None:
        self._store = store
        self._settings = settings
        self._set_aside = set_aside
        self._write = write
        days = {
            Status.WAITING: settings.waiting_days,
            Status.PLAYING: settings.running_days,
            Status.OVER: settings.finished_days,
        }
        self._seconds = {status: many * DAY for status, many in days.items() if many}
        # What was replayed stays known until its last entry is another one; None: it is damaged.
        self._known: dict[str, tuple[float, Status | None]] = {}
        self._stopped = threading.Event()
        self._thread = ThreadPoolExecutor(1, "coatl-expiry")

    async def run(self) -> None:
        """A sweep now and then, until cancelled."""
        if self._settings.expired == Expired.KEEP or not self._seconds:
            return
        await asyncio.sleep(FIRST_PAUSE)
        while True:
            try:
                await self.sweep(time.time())
            except (StorageError, RequestError, OSError) as error:
                fields = {"reason": str(error)[:200]}
                logger.error("tables could not expire", extra={"fields": fields})
            await asyncio.sleep(PAUSE)

    def close(self) -> None:
        """Wait for the thread, which looks at no further table."""
        self._stopped.set()
        self._thread.shutdown()

    async def sweep(self, now: float) -> int:
        """Let all tables expire that are due; returns how many were."""
        count, after = 0, ""
        before = now - min(self._seconds.values())
        try:
            while page := await self._in_thread(self._store.list_tables, after, before, BATCH):
                began = time.monotonic()
                after = page[-1].table
                if due := await self._in_thread(self._find_due, page, now):
                    count += await self._expire(due)
                await asyncio.sleep(time.monotonic() - began)  # others have half of the time
        finally:  # also if it could not be finished
            if count:
                fields = {"count": count, "how": self._settings.expired}
                logger.info("tables expired", extra={"fields": fields})
        return count

    def list_due(self, now: float) -> list[str]:
        """The tables that a sweep would let expire, unless somebody uses them."""
        due: list[str] = []
        if self._settings.expired == Expired.KEEP or not self._seconds:
            return due
        after, before = "", now - min(self._seconds.values())
        while page := self._store.list_tables(after, before, BATCH):
            after = page[-1].table
            due += [last.table for last in self._find_due(page, now)]
        return due

    async def _in_thread(self, work: Callable[..., T], *arguments: object) -> T:
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._thread, work, *arguments)

    # -------------------------------------------------------------- what is due

    def _find_due(self, page: Sequence[LastEntry], now: float) -> list[LastEntry]:
        due = []
        for last in page:
            if self._stopped.is_set():
                break
            if self._is_due(last, now):
                due.append(last)
        return due

    def _is_due(self, last: LastEntry, now: float) -> bool:
        passed = {status for status, long in self._seconds.items() if last.at < now - long}
        if passed and _has_surely_begun(last):
            passed.discard(Status.WAITING)
        return bool(passed) and self._status_of(last) in passed

    def _status_of(self, last: LastEntry) -> Status | None:
        """None if the log is damaged: such a table never expires."""
        at, status = self._known.get(last.table, (None, None))
        if at != last.at:
            status = self._replay(last.table)
            self._known[last.table] = (last.at, status)
        return status

    def _replay(self, table: str) -> Status | None:
        try:
            stored = self._store.load(table)
            return None if stored is None else Table.rebuild(stored.entries, stored.secret).status
        except (ValueError, LookupError, msgspec.MsgspecError, DamagedTableError):
            return None

    # -------------------------------------------------------------- expiring

    async def _expire(self, due: Sequence[LastEntry]) -> int:
        """Except those that somebody uses, or has used since."""
        with self._set_aside([last.table for last in due]) as unused:
            same = set(await self._in_thread(self._store.read_last_entries, unused)) & set(due)
            ids = sorted(last.table for last in same)
            if not ids:
                return 0
            if self._settings.expired == Expired.ARCHIVE:
                await self._in_thread(self._store.archive, ids)
            await self._write(lambda done: self._store.remove(ids, done))
        for id in ids:
            self._known.pop(id)
        return len(ids)


def _has_surely_begun(last: LastEntry) -> bool:
    """Tells most games without replaying them. If somebody came last, that may have begun it."""
    try:
        return not isinstance(decode_entry(last.entry), Opened | Joined | Freed)
    except msgspec.MsgspecError:
        return False  # replaying finds that it is damaged
