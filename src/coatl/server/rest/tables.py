"""The requests about tables."""

from __future__ import annotations

import asyncio

from coatl.server import protocol
from coatl.server.protocol import RequestError, ServerCode
from coatl.server.rest.operation import BODY_ERRORS, Call, Operation
from coatl.server.roles import Role
from coatl.server.room import Room
from coatl.server.store import Access, hash_token
from coatl.table.entries import PlaceKind
from coatl.table.errors import Code


async def open_table(call: Call) -> protocol.TableOpened:
    return await call.manager.opening.open_table(call.body)


async def join_table(call: Call) -> protocol.SeatTaken:
    return await call.manager.opening.take_open_place(call.table, call.body.invite, call.body.id)


async def free_place(call: Call) -> bytes:
    room, access = await call.enter()
    if access.role != Role.OWNER:
        raise RequestError(ServerCode.FORBIDDEN, "only the table's owner may do that")
    await call.manager.opening.free_place(room, call.body.place)
    async with room.lock:
        return room.render(None, 0)


async def read_table(call: Call) -> bytes:
    room, access = await call.enter_to_read()
    async with room.lock:
        place = access.place if access.role == Role.SEAT else None
        return room.render(place, 0)


async def read_invitation(call: Call) -> protocol.Invitation:
    room, _ = await call.enter()
    return protocol.Invitation(room.table.has_hints)


async def list_tables(call: Call) -> protocol.TableList:
    """Each table is rebuilt, so nothing goes on for a client that has left."""
    return await call.while_connected(_list_tables(call))


async def _list_tables(call: Call) -> protocol.TableList:
    tokens: tuple[str, ...] = call.body.tokens
    hashes = [hash_token(token) for token in tokens]
    most = call.services.settings.listed_tables
    found = await asyncio.to_thread(call.manager.store.find_access, hashes, most)
    summaries = []
    for hashed, access in found:
        try:
            room = await call.manager.room(access.table)
        except RequestError:
            continue  # a damaged table must not hide the others
        async with room.lock:
            summaries.append(_summary(room, access, hashes.index(hashed)))
    summaries.sort(key=lambda summary: -summary.created)
    return protocol.TableList(tuple(summaries))


def _summary(room: Room, access: Access, token: int) -> protocol.TableSummary:
    table = room.table
    return protocol.TableSummary(
        table=room.id,
        role=access.role,
        place=access.place,
        status=table.status,
        your_turn=table.is_turn_of(access.place),
        turn=0 if table.game is None else table.game.turn,
        names=tuple(place.name or place.bot or "" for place in table.places),
        created=room.created,
        token=token,
        practice=table.opened.practice is not None,
        bots=tuple(place.bot if place.kind == PlaceKind.BOT else None for place in table.places),
    )


async def hand_over(call: Call) -> bytes:
    room, access = await call.enter()
    if access.role != Role.OWNER:
        raise RequestError(ServerCode.FORBIDDEN, "only the table's owner may do that")
    place, bot = call.body.place, call.body.bot
    call.manager.check_bots(room, call.address, more=1)
    await call.manager.change(
        room,
        lambda table: table.hand_over(place, bot, True, room.away_seconds(place)),
    )
    async with room.lock:
        return room.render(None, 0)


async def rematch(call: Call) -> protocol.RematchOpened:
    room, access = await call.enter()
    if access.role not in (Role.SEAT, Role.OWNER):
        raise RequestError(ServerCode.FORBIDDEN)
    return protocol.RematchOpened(await call.manager.opening.open_rematch(room))


async def read_record(call: Call) -> str:
    room, _ = await call.enter_to_read()
    async with room.lock:
        return room.table.record()


async def hint(call: Call) -> protocol.HintGiven:
    room, access = await call.enter()
    place = access.place if access.role == Role.SEAT else None
    room.table.check_hint(place)
    if wait := call.services.new_hints.take(call.address):
        raise RequestError(ServerCode.TOO_FAST, "too many hints; wait a little", wait=wait)
    return await call.while_connected(_find_hint(call, room, place))


async def _find_hint(call: Call, room: Room, place: int | None) -> protocol.HintGiven:
    """The log says that there was a hint before anybody gets it, once in a turn."""
    await call.manager.compiling.wait_for_hints()
    async with room.lock:  # so that nothing unstored is looked at
        room.check_alive()
        room.table.check_hint(place)
        version, view = room.table.version, room.table.view(place)
    assert place is not None
    assert view is not None
    found = await call.manager.hints.find(room, view, call.address)
    if room.table.version == version and room.table.was_hinted:
        return protocol.HintGiven(version, found)
    await call.manager.change(room, lambda table: table.hint(place, version))
    return protocol.HintGiven(version + 1, found)


async def why(call: Call) -> protocol.MoveReason:
    room, access = await call.enter()
    async with room.lock:
        place = access.place if access.role == Role.SEAT else None
        reason = room.table.why(place, call.body.move)
    return protocol.MoveReason(
        call.body.move, reason.clause or None, reason.cause or None, reason.text or None
    )


# What may go wrong at any table.
_TABLE_ERRORS = (
    *(ServerCode.BAD_TOKEN, ServerCode.UNKNOWN_TABLE),
    *(ServerCode.STORAGE, ServerCode.DAMAGED),
)

OPERATIONS = (
    Operation(
        "POST",
        "/api/tables",
        "open_table",
        "Open a table; the answer has the tokens of its seats.",
        open_table,
        protocol.TableOpened,
        body=protocol.NewTable,
        errors=(
            *BODY_ERRORS,
            *(ServerCode.STORAGE, ServerCode.SHUTTING_DOWN),
            *(Code.BAD_OPTIONS, Code.BAD_POSITION, Code.BAD_NAME, Code.UNKNOWN_BOT, Code.NO_PERSON),
        ),
        opens_table=True,
    ),
    Operation(
        "POST",
        "/api/tables/mine",
        "list_tables",
        "The tables that some tokens open, the newest first; the 200 newest where there are more.",
        list_tables,
        protocol.TableList,
        body=protocol.MyTables,
        errors=(*BODY_ERRORS, ServerCode.STORAGE),
    ),
    Operation(
        "GET",
        "/api/tables/{table}",
        "read_table",
        "The table as the token's seat sees it: the same as the socket's state.",
        read_table,
        protocol.TableState,
        needs_token=True,
        errors=(*_TABLE_ERRORS, ServerCode.FORBIDDEN),
    ),
    Operation(
        "GET",
        "/api/tables/{table}/invitation",
        "invitation",
        "What the invitation is to, before joining; any token of the table will do.",
        read_invitation,
        protocol.Invitation,
        needs_token=True,
        errors=_TABLE_ERRORS,
    ),
    Operation(
        "POST",
        "/api/tables/{table}/join",
        "join_table",
        "Take an open place; the answer has its token.",
        join_table,
        protocol.SeatTaken,
        body=protocol.JoinTable,
        errors=(
            *BODY_ERRORS,
            *_TABLE_ERRORS,
            ServerCode.FORBIDDEN,
            ServerCode.SHUTTING_DOWN,
            Code.TAKEN,
        ),
    ),
    Operation(
        "POST",
        "/api/tables/{table}/free",
        "free_place",
        "The owner frees an open place that somebody took; its token opens nothing any more.",
        free_place,
        protocol.TableState,
        body=protocol.FreePlace,
        needs_token=True,
        errors=(
            *BODY_ERRORS,
            *_TABLE_ERRORS,
            *(ServerCode.FORBIDDEN, ServerCode.SHUTTING_DOWN),
            *(Code.NO_PERSON, Code.STARTED, Code.TOO_OFTEN),
        ),
    ),
    Operation(
        "POST",
        "/api/tables/{table}/hand_over",
        "hand_over",
        "The owner lets a bot play for a seat that has been away for a minute.",
        hand_over,
        protocol.TableState,
        body=protocol.HandOverSeat,
        needs_token=True,
        errors=(
            *BODY_ERRORS,
            *_TABLE_ERRORS,
            *(ServerCode.FORBIDDEN, ServerCode.SHUTTING_DOWN, ServerCode.TOO_MANY_BOTS),
            *(Code.NOT_AWAY, Code.BOT_PLAYS),
            *(Code.NO_PERSON, Code.NOT_STARTED, Code.OVER, Code.TOO_OFTEN),
            *(Code.UNKNOWN_BOT, Code.BOT_TOO_STRONG),
        ),
    ),
    Operation(
        "POST",
        "/api/tables/{table}/hint",
        "hint",
        "What a strong player would do now, for the seat whose turn it is; the log notes it.",
        hint,
        protocol.HintGiven,
        needs_token=True,
        errors=(
            ServerCode.WRONG_ORIGIN,
            *_TABLE_ERRORS,
            *(ServerCode.SHUTTING_DOWN, ServerCode.NO_WEIGHTS),
            *(Code.HINTS_OFF, Code.NOT_YOUR_TURN, Code.BOT_PLAYS, Code.NOT_STARTED),
            *(Code.OVER, Code.STALE, Code.TOO_OFTEN),
        ),
    ),
    Operation(
        "POST",
        "/api/tables/{table}/rematch",
        "rematch",
        "The same people at a new table, the next player first; asked again, the same table.",
        rematch,
        protocol.RematchOpened,
        needs_token=True,
        errors=(
            ServerCode.WRONG_ORIGIN,
            *_TABLE_ERRORS,
            *(ServerCode.FORBIDDEN, ServerCode.SHUTTING_DOWN, Code.NOT_OVER),
        ),
        opens_table=True,
    ),
    Operation(
        "GET",
        "/api/tables/{table}/record",
        "read_record",
        "The record of a finished game, as text.",
        read_record,
        str,
        needs_token=True,
        errors=(*_TABLE_ERRORS, ServerCode.FORBIDDEN, Code.NOT_OVER),
    ),
    Operation(
        "POST",
        "/api/tables/{table}/why",
        "why",
        "Why a move is not allowed, when it is your turn.",
        why,
        protocol.MoveReason,
        body=protocol.WhyMove,
        needs_token=True,
        errors=(
            *BODY_ERRORS,
            *_TABLE_ERRORS,
            *(Code.NOT_YOUR_TURN, Code.NOT_STARTED, Code.OVER, Code.UNREADABLE),
        ),
        use_instead="the message `why` of the socket",
    ),
)
