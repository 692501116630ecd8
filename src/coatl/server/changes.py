"""Changes at tables: each is stored before anybody is sent it, or did not happen.

Where several processes serve one database, another one may have changed a table meanwhile. Then the
change of this one is refused by the store (`ConflictError`), and is tried again at the table as it
is.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import TypeVar

import msgspec

from coatl.server.connection import Connection
from coatl.server.database import StorageError
from coatl.server.figures import TableFigures
from coatl.server.protocol import RequestError, ServerCode
from coatl.server.room import Change, Room
from coatl.server.store import ConflictError, Done, Store
from coatl.table import Entry, Table
from coatl.table.entries import Decided

T = TypeVar("T")

MOST_CONFLICTS = 20  # with other processes in a row, for one change


class Changes:
    """What changes the tables of a server; whoever calls it holds the lock of the room."""

    def __init__(self, store: Store, rooms: dict[str, Room], figures: TableFigures) -> None:
        self._database = store
        self._rooms = rooms
        self._figures = figures
        self._loop: asyncio.AbstractEventLoop  # since `connect`

    def connect(self) -> None:
        """Let the store tell of its writes in this event loop."""
        loop = self._loop = asyncio.get_running_loop()

        def notify(results: Sequence[tuple[Done, Exception | None]]) -> None:
            with suppress(RuntimeError):  # the loop has ended; nobody waits any more
                loop.call_soon_threadsafe(_call_all, results)

        self._database.notify = notify

    async def until_first(self, attempt: Callable[[], Awaitable[T]]) -> T:
        """Try again while other processes were first; each time one of them has done something."""
        for _ in range(MOST_CONFLICTS):
            with suppress(ConflictError):
                return await attempt()
        raise RequestError(ServerCode.STORAGE)

    async def once(
        self,
        room: Room,
        change: Change,
        requester: Connection | None,
        reply: str | None,
        place: int | None,
    ) -> None:
        """Do something at a table; `reply` is the client's id, which is never done twice.

        Written out rather than by `until_first`, as every decision comes this way.
        """
        for _ in range(MOST_CONFLICTS):
            if self._was_done(room, requester, reply, place):
                return
            with suppress(ConflictError):  # another process was first
                await self.make(room, change, requester, reply)
                return
        raise RequestError(ServerCode.STORAGE)

    def _was_done(
        self, room: Room, requester: Connection | None, reply: str | None, place: int | None
    ) -> bool:
        """Was a change with this id made before? Then whoever asks gets the state once more.

        Raises `RequestError` if they may not ask any more.
        """
        if requester is None:
            return False
        if requester.ended.is_set():
            raise RequestError(ServerCode.FORBIDDEN)  # its place was freed meanwhile
        if place is None or reply is None or room.table.done_before(place, reply) is None:
            return False
        requester.offer_state(room, reply)
        return True

    async def make(
        self,
        room: Room,
        change: Change,
        requester: Connection | None = None,
        reply: str | None = None,
        store: Callable[[int, Entry, Done], None] | None = None,
        when_stored: Callable[[], None] = lambda: None,
    ) -> None:
        """Make a change; `store` is how its entry is written, if not by itself."""
        room.check_alive()
        notes = len(room.table.notes)
        entry = change(room.table)  # raises before anything is changed, or changes it
        version = room.table.version
        write = partial(self._database.append, room.id) if store is None else store
        try:
            cancelled = await self.store(lambda done: write(version, entry, done))
        except BaseException:
            try:
                await self.go_back(room)
            finally:
                if room.table.version >= version and not room.is_dead:  # somebody else was first
                    room.publish()
            raise
        when_stored()
        if isinstance(entry, Decided):
            self._count(room, entry.place)
        # A bot that ended its turn may have made way for its person, which leaves a note.
        is_decision = isinstance(entry, Decided) and len(room.table.notes) == notes
        room.publish(requester, reply, is_decision)
        if cancelled:
            raise asyncio.CancelledError

    def _count(self, room: Room, place: int) -> None:
        if room.table.places[place].bot is None:
            self._figures.people_decisions += 1
        else:
            self._figures.bot_decisions += 1

    async def go_back(self, room: Room) -> None:
        """What was not stored did not happen, also for somebody who is cancelled meanwhile: else
        the next entry would follow one that is in no log.
        """
        restoring = asyncio.ensure_future(self._restore(room))
        is_cancelled = False
        while not restoring.done():
            try:
                await asyncio.wait([restoring])
            except asyncio.CancelledError:
                is_cancelled = True
        if is_cancelled:
            raise asyncio.CancelledError

    async def _restore(self, room: Room) -> None:
        """The table as it is stored; if that cannot be had, nobody may use the room any more."""
        try:
            stored = await asyncio.to_thread(self._database.load, room.id)
            if stored is not None:
                table = await asyncio.to_thread(Table.rebuild, stored.entries, stored.secret)
                room.go_back(table)
                room.set_access(stored.access)
                return
        except (StorageError, ValueError, LookupError, msgspec.MsgspecError):
            pass  # whoever asks for the table next is told what is wrong with it
        self._rooms.pop(room.id, None)
        room.give_up()

    async def store(self, write: Callable[[Done], None]) -> bool:
        """Wait until a write is on the disk; raises `RequestError` if it is not, and
        `ConflictError` if another process was first.

        Whoever is cancelled meanwhile waits all the same, as it will be written; True says so.
        """
        stored: asyncio.Future[None] = self._loop.create_future()
        outcome: list[Exception | None] = []

        def done(error: Exception | None) -> None:
            outcome.append(error)
            if not stored.done():
                stored.set_result(None)

        write(done)
        is_cancelled = False
        while not outcome:  # `asyncio.shield` would do the same, with another future each time
            try:
                await stored
            except asyncio.CancelledError:
                is_cancelled, stored = True, self._loop.create_future()
        if isinstance(outcome[0], ConflictError):
            raise outcome[0]
        if outcome[0] is not None:
            raise RequestError(ServerCode.STORAGE)
        return is_cancelled


def _call_all(results: Sequence[tuple[Done, Exception | None]]) -> None:
    for done, error in results:
        done(error)
