"""All tables of a server: found, changed, removed, and unloaded when nobody is there."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from typing import TYPE_CHECKING, TypeVar

import msgspec

from coatl.server.analyses import Analyses
from coatl.server.bot_runner import BotRunner
from coatl.server.bots import BotPool
from coatl.server.changes import Changes
from coatl.server.closings import ClosingFinder
from coatl.server.compiling import Compiling
from coatl.server.connection import Connection
from coatl.server.expiry import Expiry
from coatl.server.figures import TableFigures
from coatl.server.hints import HintPool
from coatl.server.limits import Buckets
from coatl.server.memory import give_back_memory
from coatl.server.opening import Opening
from coatl.server.protocol import RequestError, ServerCode
from coatl.server.room import Change, Room
from coatl.server.settings import ServerSettings
from coatl.server.store import (
    Access,
    DamagedTableError,
    Store,
    hash_token,
)
from coatl.table import (
    Entry,
)

if TYPE_CHECKING:
    from coatl.server.sharing import Sharing

logger = logging.getLogger("coatl.server.manager")

T = TypeVar("T")

TABLE_ID_BYTES, TOKEN_BYTES = 9, 24
MOST_CONFLICTS = 20  # with other processes in a row, for one change
MANY_TABLES = 20  # that leave the memory together: worth telling the system


class TableManager:
    """Only the manager changes tables. A change is stored before anybody is sent it."""

    def __init__(
        self, store: Store, settings: ServerSettings, buckets: Buckets | None = None
    ) -> None:
        self.store = store
        self.settings = settings
        self.rooms: dict[str, Room] = {}
        self.sharing = _sharing(self, store, Buckets() if buckets is None else buckets)
        self.figures = TableFigures()
        self.bots = BotPool(settings.bot_threads, settings.bot_seconds)
        self.hints = HintPool(settings.hints)
        self.compiling = Compiling()
        self.closings = ClosingFinder(self.compiling)
        self.changes = Changes(store, self.rooms, self.figures)
        self.analyses = Analyses(
            store, settings.analyses, settings.analysis_seconds, self.changes.store, self.sharing
        )
        self.opening = Opening(self, store, self.changes)
        self._runner = BotRunner(
            self.bots, self.compiling, self.changes.make, self._may_think, self._has_thought
        )
        self.draining = False  # it is about to close: nothing new begins
        self.closing = False
        self._damaged: set[str] = set()  # tables whose log cannot be replayed, until the next start
        self._probing: asyncio.Task[None] | None = None
        self._loading: dict[str, asyncio.Future[Room | None]] = {}
        self._set_aside: dict[str, asyncio.Event] = {}  # tables that are expiring
        self.expiry = Expiry(store, settings, self._set_unused_aside, self.changes.store)
        self._sweeper: asyncio.Task[None] | None = None
        self._expirer: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Called in the event loop."""
        self.connect_store()
        self.compiling.start()
        self._sweeper = asyncio.create_task(self._sweep())
        self._expirer = asyncio.create_task(self.expiry.run())

    def connect_store(self) -> None:
        """Let the store, and other processes, tell of what is new in this event loop."""
        self.changes.connect()
        if self.sharing is not None:
            self.sharing.start()

    async def close(self) -> None:
        """Finish what was accepted; nothing new is."""
        self.closing = True
        self._runner.close()
        for task in (self._sweeper, self._expirer):
            if task is not None:
                task.cancel()
        for room in self.rooms.values():
            if room.bot_task is not None:
                room.bot_task.cancel()
        for room in list(self.rooms.values()):
            async with room.lock:
                pass
        self.compiling.close()
        await asyncio.to_thread(self.expiry.close)
        await asyncio.to_thread(self.bots.close)
        await asyncio.to_thread(self.hints.close)
        self.analyses.stop()
        await asyncio.to_thread(self.analyses.close)
        await asyncio.to_thread(self.closings.close)
        if self.sharing is not None:
            await self.sharing.close()

    # -------------------------------------------------------------- finding

    async def room(self, table: str) -> Room:
        """A table, rebuilt from its log if it is not in memory; raises `RequestError`."""
        room = self.rooms.get(table)
        if room is None:
            room = await self._load(table)
        if room is None:
            raise RequestError(ServerCode.UNKNOWN_TABLE)
        room.last_used = time.monotonic()
        return room

    async def _load(self, table: str) -> Room | None:
        """Two who ask at once get the same room."""
        if table in self._damaged:
            raise RequestError(ServerCode.DAMAGED)
        while (over := self._set_aside.get(table)) is not None:
            await over.wait()
        loading = self._loading.get(table)
        if loading is None:
            loading = asyncio.ensure_future(self._load_once(table))
            self._loading[table] = loading
            loading.add_done_callback(lambda _: self._loading.pop(table, None))
        return await asyncio.shield(loading)

    async def _load_once(self, table: str) -> Room | None:
        try:
            stored = await asyncio.to_thread(self.store.load, table)
            if stored is None or not stored.entries:
                return None
            room = await asyncio.to_thread(Room, table, stored)
        except (ValueError, msgspec.MsgspecError, DamagedTableError) as error:
            fields = {"table": table, "reason": str(error)[:200]}
            logger.error("a log cannot be replayed", extra={"fields": fields})
            self._damaged.add(table)  # it is neither read nor written to again
            raise RequestError(ServerCode.DAMAGED) from error
        self.rooms[table] = room
        if self.sharing is not None:
            room.tell_presence = self.sharing.tell_presence
            room.set_elsewhere(self.sharing.peers.elsewhere(table))
            self.sharing.look([table])  # it may have changed since it was read
        self.wake_bots(room)
        return room

    async def check_storage(self) -> None:
        """Write something and read it; raises `StorageError` if that cannot be done.

        Those who ask at the same time share an answer. Raises `RequestError` when draining, so that
        whoever distributes clients sends no more of them here.
        """
        self.check_taking()
        if self._probing is None or self._probing.done():
            self._probing = asyncio.create_task(asyncio.to_thread(self.store.probe))
        await asyncio.shield(self._probing)

    async def enter(self, table: str, token: str) -> tuple[Room, Access]:
        """The room and what the token may do there; raises `RequestError`."""
        room = await self.room(table)
        await self._catch_up(room)
        access = room.access.get(hash_token(token))
        if access is None:
            raise RequestError(ServerCode.BAD_TOKEN)
        return room, access

    # -------------------------------------------------------------- what other processes did

    async def _catch_up(self, room: Room) -> None:
        """What somebody has seen at another process is known here, too, before they are answered.

        Raises `StorageError` if the database is away.
        """
        if self.sharing is None:
            return
        entries = await self.sharing.read_new(room)
        await self.take_over(room, entries)
        if room.may_be_joined:
            await self.read_access(room)
        room.check_alive()

    async def read_access(self, room: Room) -> None:
        access = await asyncio.to_thread(self.store.load_access, room.id)
        if access is not None and access != room.access:
            room.set_access(access)
            room.publish()

    async def take_over(self, room: Room, entries: Sequence[tuple[int, Entry]] | None) -> None:
        """Entries that were stored, each with the version it makes; None if the table is gone."""
        if entries is None:
            self.rooms.pop(room.id, None)
            room.remove()
            return
        if not any(version > room.table.version for version, _ in entries):
            if room.may_be_joined and not room.lock.locked():
                await self.read_access(room)
            return
        async with room.lock:
            might_be_joined = room.may_be_joined
            try:
                for version, entry in entries:
                    if version == room.table.version + 1:
                        room.table.follow(entry)
            except Exception:  # what is here is not what is stored
                await self.changes.go_back(room)
            if might_be_joined and not room.is_dead:
                await self.read_access(room)
            room.publish()
        self.wake_bots(room)

    async def _may_think(self, room: Room) -> bool:
        """May the bots of a room think here? At one process at a time, where a person sees them."""
        if self.sharing is None:
            return True
        place = room.table.to_move
        is_of_person = place is not None and room.table.places[place].has_stand_in
        if is_of_person and place in room.elsewhere and not room.is_connected_here(place):
            await self.sharing.leases.give_back(room.id)  # or nobody could go on there
            return False
        return await self.sharing.leases.claim(room.id)

    async def _has_thought(self, room: Room) -> None:
        if self.sharing is not None:
            await self.sharing.leases.give_back(room.id)

    # -------------------------------------------------------------- changing

    async def change(
        self,
        room: Room,
        change: Change,
        requester: Connection | None = None,
        reply: str | None = None,
        place: int | None = None,
    ) -> None:
        """Do something at a table; `reply` is the client's id, which is never done twice."""
        self.check_open()
        began = time.monotonic()
        try:
            async with room.lock:
                await self.changes.once(room, change, requester, reply, place)
        finally:
            self.wake_bots(room)  # also if it was refused because another process was first
        self.figures.change_seconds.observe(time.monotonic() - began)

    def check_open(self) -> None:
        if self.closing:
            raise RequestError(ServerCode.SHUTTING_DOWN)

    def drain(self) -> None:
        """Begin nothing new: no table, no socket. What is there goes on until `close`."""
        self.draining = True

    @property
    def is_taking(self) -> bool:
        """Does it take new tables and sockets?"""
        return not (self.draining or self.closing)

    def check_taking(self) -> None:
        if not self.is_taking:
            raise RequestError(ServerCode.SHUTTING_DOWN)

    def wake_bots(self, room: Room) -> None:
        """Let bots play if it is their turn."""
        self._runner.wake(room)

    def check_bots(self, room: Room, address: str, more: int = 0) -> None:
        """May somebody from an address come to a room with bots, or bring `more` of them there?

        Counted are the bots of tables that somebody is connected to. Raises `RequestError`.
        """
        is_counted = room.connections or room.elsewhere
        coming = more if is_counted else room.bot_count + more
        if not coming:
            return
        playing = [
            other
            for other in self.rooms.values()
            if other.connections and (self.sharing is None or self.sharing.counts_bots_of(other))
        ]
        in_all = coming + sum(other.bot_count for other in playing)
        here = coming + sum(other.bot_count for other in playing if other.address == address)
        if self.sharing is not None:
            in_all += self.sharing.peers.bots()
            here += self.sharing.peers.bots(self.sharing.hash_address(address))
        settings = self.settings
        of_one, of_all = settings.bots_per_address, settings.bots
        if (of_one and here > of_one) or (of_all and in_all > of_all):
            raise RequestError(ServerCode.TOO_MANY_BOTS)

    # -------------------------------------------------------------- unloading

    async def _sweep(self) -> None:
        """Tables without connections leave the memory, and bots' players that nobody uses.

        The log of a table stays.
        """
        seconds = self.settings.idle_seconds
        while True:
            await asyncio.sleep(max(min(seconds / 2, 10.0), 0.05))
            oldest = time.monotonic() - seconds
            idle = [id for id, room in self.rooms.items() if room.is_idle_since(oldest)]
            for id in idle:
                del self.rooms[id]
            dropped = self.bots.players.drop_unused(seconds) + self.hints.drop_unused(seconds)
            if dropped or len(idle) >= MANY_TABLES:
                await asyncio.to_thread(give_back_memory)

    # -------------------------------------------------------------- removing

    async def remove_table(self, table: str, is_archived: bool = False) -> bool:
        """Remove a table, perhaps to the archive; was there one?

        Those who are connected are told that there is no such table. Who asks for it meanwhile
        waits. Raises `RequestError` or `StorageError` if it is still there.
        """
        self.check_open()
        while (others := self._set_aside.get(table)) is not None:
            await others.wait()
        over = self._set_aside[table] = asyncio.Event()
        try:
            if (loading := self._loading.get(table)) is not None:
                await asyncio.wait([loading])
            room = self.rooms.get(table)
            async with nullcontext() if room is None else room.lock:
                if await asyncio.to_thread(self.store.load_access, table) is None:
                    return False
                if is_archived:
                    await asyncio.to_thread(self.store.archive, [table])
                await self.changes.store(lambda done: self.store.remove([table], done))
                self._damaged.discard(table)
                if room is not None:
                    self.rooms.pop(table, None)
                    room.remove()
        finally:
            del self._set_aside[table]
            over.set()
        return True

    @contextmanager
    def _set_unused_aside(self, ids: Sequence[str]) -> Iterator[list[str]]:
        """Those of some tables that are not in memory. Who asks for one waits until this is over,
        and then finds it or not.
        """
        used = self.rooms.keys() | self._loading.keys() | self._set_aside.keys()
        unused = [id for id in ids if id not in used]
        if self.sharing is not None:
            unused = [id for id in unused if not self.sharing.peers.is_used(id)]
        over = asyncio.Event()
        self._set_aside |= dict.fromkeys(unused, over)
        try:
            yield unused
        finally:
            for id in unused:
                del self._set_aside[id]
            over.set()


def _sharing(manager: TableManager, store: Store, buckets: Buckets) -> Sharing | None:
    """What a manager needs if other processes serve the same database."""
    if not store.is_shared:
        return None
    from coatl.server.postgres_store import PostgresStore
    from coatl.server.sharing import Sharing

    assert isinstance(store, PostgresStore)
    return Sharing(manager, store, buckets)
