"""Opening tables, giving away their open places, and meeting again at a new one."""

from __future__ import annotations

import base64
import hashlib
import secrets
from typing import TYPE_CHECKING

from coatl.fairness import new_secret, promise_of
from coatl.game import Game
from coatl.server import protocol
from coatl.server.changes import Changes
from coatl.server.protocol import RequestError, ServerCode
from coatl.server.roles import Role
from coatl.server.room import Room
from coatl.server.store import Access, ConflictError, Done, Store, hash_token
from coatl.table import Entry, Opened, PlaceKind, PlaceSpec, Practice, Table, TableError
from coatl.table.errors import Code
from coatl.table.places import check_new_name

if TYPE_CHECKING:
    from coatl.server.manager import TableManager

TABLE_ID_BYTES, TOKEN_BYTES = 9, 24


class Opening:
    """Gives out new tables and the tokens that open them."""

    def __init__(self, manager: TableManager, store: Store, changes: Changes) -> None:
        self._manager = manager
        self._store = store
        self._changes = changes

    async def open_table(self, request: protocol.NewTable) -> protocol.TableOpened:
        """A new table; raises `TableError` if it cannot be."""
        self._manager.check_taking()
        secret = new_secret()
        opened = _opening(request, secret)
        places = opened.places
        Table(opened, secret)  # raises if it cannot be
        if opened.practice is not None:
            _check_not_over(opened.practice)
        seats = tuple(_new_token() if place.kind == PlaceKind.PERSON else None for place in places)
        owner, watch = _new_token(), _new_token()
        invite = _new_token() if any(place.kind == PlaceKind.OPEN for place in places) else None
        access: list[tuple[bytes, Role, int | None]] = [
            (hash_token(token), Role.SEAT, place)
            for place, token in enumerate(seats)
            if token is not None
        ]
        access += [(hash_token(owner), Role.OWNER, None), (hash_token(watch), Role.WATCH, None)]
        if invite is not None:
            access.append((hash_token(invite), Role.INVITE, None))
        table = _new_table_id()
        await self._changes.store(
            lambda done: self._store.open_table(table, secret, opened, access, done)
        )
        return protocol.TableOpened(table, opened.promise, owner, watch, invite, seats)

    async def take_open_place(
        self, table: str, invite: str, id: str | None = None
    ) -> protocol.SeatTaken:
        """A token for an open place that nobody has yet; for the same id, the same once more."""
        self._manager.check_open()
        room, access = await self._manager.enter(table, invite)
        if access.role != Role.INVITE:
            raise RequestError(ServerCode.FORBIDDEN)
        token = _new_token() if id is None else _token_for(table, invite, id)
        hashed = hash_token(token)
        async with room.lock:
            room.check_alive()
            place = await self._changes.until_first(lambda: self._take_place(room, hashed))
        return protocol.SeatTaken(table, place, token)

    async def _take_place(self, room: Room, hashed: bytes) -> int:
        """With the room's lock held."""
        known = room.access.get(hashed)
        if known is not None and known.place is not None:
            return known.place
        place = room.free_place
        if place is None:
            raise TableError(Code.TAKEN, "every open place has been taken")
        try:
            await self._changes.store(
                lambda done: self._store.add_seat(room.id, hashed, place, done)
            )
        except ConflictError:
            await self._manager.read_access(room)
            raise
        room.access[hashed] = Access(room.id, Role.SEAT, place)
        room.publish()  # a state says which places are taken
        return place

    async def free_place(self, room: Room, place: int) -> None:
        """Let somebody else take an open place. Whoever had it is disconnected."""
        self._manager.check_open()

        def store(version: int, entry: Entry, done: Done) -> None:
            self._store.free_place(room.id, version, entry, place, done)

        async def free() -> None:
            if place not in room.taken_places:
                raise TableError(Code.NO_PERSON, "nobody has taken an open place there")
            await self._changes.make(
                room,
                lambda table: table.free(place),
                store=store,
                when_stored=lambda: room.void_seat(place),
            )

        async with room.lock:
            await self._changes.until_first(free)

    async def open_rematch(self, room: Room) -> str:
        """The same people at a new table, the next player first; once for each table."""
        self._manager.check_taking()
        async with room.lock:
            return await self._changes.until_first(lambda: self._open_rematch(room))

    async def _open_rematch(self, room: Room) -> str:
        """With the room's lock held."""
        if room.table.rematch is not None:
            return room.table.rematch
        secret = new_secret()
        opened, order = room.table.plan_rematch(promise_of(secret), room.id)
        new_place = {old: new for new, old in enumerate(order)}
        access = [
            (hashed, a.role, None if a.place is None else new_place[a.place])
            for hashed, a in room.access.items()
            if a.role != Role.INVITE
        ]
        table = _new_table_id()

        def store(version: int, entry: Entry, done: Done) -> None:
            elsewhere = (room.id, version, entry)
            self._store.open_table(table, secret, opened, access, done, elsewhere)

        await self._changes.make(room, lambda current: current.rematched(table), store=store)
        return table


def _opening(request: protocol.NewTable, secret: str) -> Opened:
    """The first entry of a new table's log."""
    if all(place.kind == PlaceKind.BOT for place in request.places):
        raise TableError(Code.NO_PERSON, "a table needs at least one person")
    for place in request.places:
        if place.name:
            check_new_name(place.name)
    practice = None
    if request.practice is not None:
        practice = Practice(request.practice.position, request.practice.draws)
    return Opened(
        places=tuple(PlaceSpec(place.kind, place.name, place.bot) for place in request.places),
        promise="" if practice else promise_of(secret),
        tokens=request.tokens,
        promo=request.promo,
        fewer_bodies=request.fewer_bodies,
        levels=request.levels,
        draw_seats=request.draw_seats,
        practice=practice,
        hints=request.hints,
    )


def _check_not_over(practice: Practice) -> None:
    """Only of new tables: those there are stay as they were opened."""
    if Game.from_position(practice.position, 0, draws=practice.draws).over:
        raise TableError(Code.BAD_POSITION, "the game is over in this position")


def _new_table_id() -> str:
    """It does not begin like an option of a command."""
    while (id := secrets.token_urlsafe(TABLE_ID_BYTES)).startswith("-"):
        pass
    return id


def _new_token() -> str:
    return secrets.token_urlsafe(TOKEN_BYTES)


def _token_for(table: str, invite: str, id: str) -> str:
    """The token that a client gets for an id of its own: the same one, however often it asks.

    Nothing has to be kept for that. The id is as long as a token, so nobody else can guess either.
    """
    digest = hashlib.sha256(f"coatl seat {table} {invite} {id}".encode()).digest()
    return base64.urlsafe_b64encode(digest[:TOKEN_BYTES]).decode()
