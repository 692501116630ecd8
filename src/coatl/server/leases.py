"""What this process has to itself for a while, such as letting the bots of a table think.

By the database's clock: a process that is paused or killed loses it, and another goes on. Nothing
wrong is stored if two believe to have it, as only one of them can write a version of a table.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import TypeVar

from coatl.server.database import StorageError
from coatl.server.postgres_store import PostgresStore

T = TypeVar("T")
SECONDS = 6.0  # that a lease lasts
SURE_SECONDS = 3.0  # since it was renewed, that it is believed without asking
OLD_SECONDS = 3_600.0  # since it ended, until it is deleted


class Leases:
    """Used in the event loop; the database is asked in a thread."""

    def __init__(self, store: PostgresStore) -> None:
        self._store = store
        self._held: dict[str, float] = {}  # by name: when it was claimed or renewed
        self._thread = ThreadPoolExecutor(1, "coatl-leases")

    async def claim(self, name: str) -> bool:
        """Is it ours, from now on if not before? Not if the database cannot be asked."""
        now = time.monotonic()
        if now - self._held.get(name, -SECONDS) < SURE_SECONDS:
            return True
        try:
            is_ours = await self._ask(self._store.claim, name, SECONDS)
        except StorageError:
            return False
        if is_ours:
            self._held[name] = now
        return is_ours

    async def is_claimed(self, name: str) -> bool:
        """Does any process have it, as far as the database can be asked?"""
        try:
            return await self._ask(self._store.is_claimed, name)
        except StorageError:
            return False

    async def give_back(self, name: str) -> None:
        """Let another process have it at once."""
        if self._held.pop(name, None) is not None:
            with suppress(StorageError):  # it ends by itself
                await self._ask(self._store.release, [name])

    async def renew(self, wanted: Iterable[str]) -> None:
        """Keep those that are wanted, and give the others back."""
        now, wanted = time.monotonic(), set(wanted)
        given_back = [name for name in self._held if name not in wanted]
        kept = [name for name in self._held if name in wanted]
        for name in given_back:
            del self._held[name]
        try:
            if given_back:
                await self._ask(self._store.release, given_back)
            ours = await self._ask(self._store.renew, kept, SECONDS) if kept else set()
        except StorageError:
            return  # they end by themselves
        for name in kept:
            if name not in ours:
                self._held.pop(name, None)
            elif name in self._held:  # it may have been given back meanwhile
                self._held[name] = now

    async def close(self) -> None:
        with suppress(StorageError):  # they end by themselves
            await self._ask(self._store.release, list(self._held))
            await self._ask(self._store.forget_leases, OLD_SECONDS)
        self._thread.shutdown()

    async def _ask(self, question: Callable[..., T], *arguments: object) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._thread, question, *arguments)
