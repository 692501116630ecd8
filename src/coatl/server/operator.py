"""What whoever runs the server can do with its tables, while it runs or not."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import msgspec

from coatl.server.database import StorageError
from coatl.server.manager import TableManager
from coatl.server.protocol import RequestError
from coatl.server.settings import ServerSettings
from coatl.server.stores import open_store

HEARING_SECONDS = 1.5  # until all processes have told which tables they use


class Expire(msgspec.Struct, tag="expire"):
    """Let tables expire now that are due, or only tell which."""

    dry_run: bool


class End(msgspec.Struct, tag="end"):
    """Move a table to the archive."""

    table: str


class Delete(msgspec.Struct, tag="delete"):
    """Delete a table, also in the archive."""

    table: str


Order = Expire | End | Delete


class Done(msgspec.Struct):
    """The tables that it was done with; `problem` says why it could not be."""

    tables: list[str] = []
    problem: str = ""


class Operator:
    """Carries out orders in the event loop of a manager."""

    def __init__(self, manager: TableManager) -> None:
        self._manager = manager

    async def carry_out(self, order: Order) -> Done:
        try:
            match order:
                case Expire(dry_run):
                    return Done(await self._expire(dry_run))
                case End(table):
                    is_done = await self._manager.remove_table(table, is_archived=True)
                case Delete(table):
                    is_done = await self._manager.remove_table(table)
                    store = self._manager.store
                    is_done |= await asyncio.to_thread(store.remove_archived, table)
        except (StorageError, RequestError) as error:
            return Done(problem=str(error))
        return Done([table] if is_done else [])

    async def _expire(self, dry_run: bool) -> list[str]:
        expiry, now = self._manager.expiry, time.time()
        due = await asyncio.to_thread(expiry.list_due, now)
        if dry_run or not due:
            return due
        await expiry.sweep(now)
        left = set(await asyncio.to_thread(expiry.list_due, now))  # somebody uses them
        return [table for table in due if table not in left]


@asynccontextmanager
async def operator_of(place: str | Path, settings: ServerSettings) -> AsyncIterator[Operator]:
    """For a folder that no server uses, else `StorageError` is raised; or for a database, where
    the processes that serve it are told what was done.
    """
    store = await asyncio.to_thread(open_store, place, settings.busy_timeout)
    try:
        manager = TableManager(store, settings)
        manager.connect_store()
        try:
            if manager.sharing is not None:
                await asyncio.sleep(HEARING_SECONDS)
            yield Operator(manager)
        finally:
            await manager.close()
    finally:
        store.close()
