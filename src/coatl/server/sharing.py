"""Lets several processes serve the tables of one database together.

Whatever one of them stores, the others read and show to those who are connected to them: they are
told that there is something (`bus`), and they look now and then without being told. `peers` knows
who is connected elsewhere, `leases` which process lets a table's bots think or analyses a game.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import TYPE_CHECKING

from coatl.server import peers
from coatl.server.bus import Bus
from coatl.server.database import StorageError
from coatl.server.leases import Leases
from coatl.server.limits import Buckets
from coatl.server.peers import Peers
from coatl.server.postgres_store import PostgresStore
from coatl.server.room import Room
from coatl.table.entries import AnyEntry

if TYPE_CHECKING:
    from coatl.server.manager import TableManager

logger = logging.getLogger("coatl.server.sharing")

BEAT_SECONDS = 1.0
BEATS_A_RENEWAL = 2
BEATS_A_LOOK = 3  # at all tables, without being told
RETRY_SECONDS = 0.2
TABLES_A_MESSAGE = 200


class Sharing:
    """Belongs to a manager; everything happens in its event loop."""

    def __init__(self, manager: TableManager, store: PostgresStore, buckets: Buckets) -> None:
        self._manager, self._store, self._buckets = manager, store, buckets
        self.peers = Peers()
        self.leases = Leases(store)
        self.sockets: Callable[[], Counter[str]] = Counter  # of this process, by address
        self._behind: set[str] = set()  # tables to be looked at
        self._news = asyncio.Event()
        self._thread = ThreadPoolExecutor(1, "coatl-reader")
        self._tasks: list[asyncio.Task[None]] = []
        self._waiting: set[asyncio.Task[None]] = set()
        self._bus: Bus | None = None

    @property
    def process(self) -> str:
        return self._store.process

    def start(self) -> None:
        loop = asyncio.get_running_loop()

        def in_loop(call: Callable[..., None], *arguments: object) -> None:
            with suppress(RuntimeError):  # the loop has ended
                loop.call_soon_threadsafe(call, *arguments)

        self._bus = Bus(
            self._store.address,
            lambda text: in_loop(self._hear, text),
            lambda: in_loop(self._begin),
        )
        self._bus.start()
        self._store.tell_others = self._tell_changed
        self._tasks = [asyncio.create_task(self._beat()), asyncio.create_task(self._follow())]

    async def close(self) -> None:
        tasks = [*self._tasks, *self._waiting]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self._store.tell_others = lambda _ids: None
        self._say(peers.Left(self.process))
        await self.leases.close()
        if self._bus is not None:
            await asyncio.to_thread(self._bus.close)
        self._thread.shutdown()

    # -------------------------------------------------------------- telling

    def _say(self, message: peers.Message) -> None:
        if self._bus is not None:
            self._bus.send(peers.encode(message))

    def _tell_changed(self, ids: Sequence[str]) -> None:
        """Called in the thread of the store."""
        for first in range(0, len(ids), TABLES_A_MESSAGE):
            self._say(peers.Changed(self.process, tuple(ids[first : first + TABLES_A_MESSAGE])))

    def tell_presence(self, room: Room) -> None:
        self._say(peers.Present(self.process, {room.id: room.connected_here()}))

    def _tell_all_presence(self) -> None:
        """Also of tables where nobody is any more: the others may have missed that."""
        here = {room.id: room.connected_here() for room in self._manager.rooms.values()}
        for message in peers.in_parts(here, self.process):
            self._say(message)

    def hash_address(self, address: str) -> str:
        return self._store.hash_address(address)

    def _begin(self) -> None:
        """The bus is connected, for the first time or again: messages may have been missed."""
        self._say(peers.Arrived(self.process))
        self._tell_all_presence()
        self.look(self._manager.rooms)

    async def _beat(self) -> None:
        beat = 0
        while True:
            await asyncio.sleep(BEAT_SECONDS)
            beat += 1
            self._say(self._alive())
            for name, counts in self._buckets.drain().items():
                self._say(peers.Taken(self.process, name, peers.busiest(counts)))
            self._show_presence(self.peers.forget_silent())
            if beat % BEATS_A_RENEWAL == 0:
                rooms = self._manager.rooms.values()
                thinking = (room.id for room in rooms if room.is_thinking)
                await self.leases.renew([*thinking, *self._manager.analyses.leases])
            if beat % BEATS_A_LOOK == 0:
                self.look(self._manager.rooms)

    def _alive(self) -> peers.Alive:
        sockets = {self.hash_address(at): n for at, n in self.sockets().items()}
        bots: Counter[str] = Counter()
        for room in self._manager.rooms.values():
            if room.connections and self.counts_bots_of(room):
                bots[self.hash_address(room.address)] += room.bot_count
        return peers.Alive(
            self.process,
            sockets=peers.busiest(sockets),
            bots=peers.busiest(bots),
            all_sockets=sum(sockets.values()),
            all_bots=bots.total(),
        )

    def counts_bots_of(self, room: Room) -> bool:
        """The bots of a table count once, at the first of the processes that have it."""
        first = self.peers.first_at(room.id)
        return first is None or self.process < first

    # -------------------------------------------------------------- being told

    def _hear(self, text: str) -> None:
        message = peers.decode(text)
        if message is None or message.sender == self.process:
            return
        is_known = message.sender in self.peers.all
        if not is_known and not isinstance(message, peers.Arrived | peers.Left):
            # It was believed to be gone, as it was paused, or we were.
            self._say(peers.Arrived(self.process, asks=message.sender))
        self._show_presence(self.peers.hear(message))
        match message:
            case peers.Changed(_, tables):
                self.look(tables)
            case peers.Arrived(_, asks) if asks in ("", self.process):
                self._tell_all_presence()
            case peers.Taken(_, limit, counts):
                self._buckets.take_elsewhere({limit: counts})

    def _show_presence(self, tables: Iterable[str]) -> None:
        for id in tables:
            room = self._manager.rooms.get(id)
            if room is not None:
                room.set_elsewhere(self.peers.elsewhere(id))

    # -------------------------------------------------------------- catching up

    def look(self, tables: Iterable[str]) -> None:
        """Look soon whether there is something new at some tables, as far as they are here."""
        self._behind.update(id for id in tables if id in self._manager.rooms)
        if self._behind:
            self._news.set()

    async def read_new(self, room: Room) -> list[tuple[int, AnyEntry]] | None:
        """The entries that are not here yet; None if the table is gone. Raises `StorageError`."""
        loop = asyncio.get_running_loop()
        versions = {room.id: room.table.version}
        found = await loop.run_in_executor(self._thread, self._store.load_new, versions)
        return found.get(room.id)

    async def _follow(self) -> None:
        """Read what is new, for all tables that need it together."""
        while True:
            await self._news.wait()
            self._news.clear()
            ids, self._behind = self._behind, set()
            rooms = [room for id in ids if (room := self._manager.rooms.get(id)) is not None]
            versions = {room.id: room.table.version for room in rooms}
            loop = asyncio.get_running_loop()
            try:
                found = await loop.run_in_executor(self._thread, self._store.load_new, versions)
            except StorageError:
                self.look(ids)
                await asyncio.sleep(RETRY_SECONDS)
                continue
            for room in rooms:
                taking_over = self._take_over(room, found.get(room.id))
                if room.may_be_joined or room.lock.locked():
                    task = asyncio.create_task(taking_over)  # it has to wait, and others need not
                    self._waiting.add(task)
                    task.add_done_callback(self._waiting.discard)
                else:
                    await taking_over

    async def _take_over(self, room: Room, entries: list[tuple[int, AnyEntry]] | None) -> None:
        """Whatever is wrong with one table, the others are followed."""
        try:
            await self._manager.take_over(room, entries)
        except StorageError:
            await asyncio.sleep(RETRY_SECONDS)
            self.look([room.id])
        except Exception as error:
            logger.error("a table could not be followed", exc_info=error)
