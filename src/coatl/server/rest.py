"""The requests: each with its types, from which the OpenAPI description is made too."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import msgspec
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from coatl._version import __version__
from coatl.card_text import prophecy_sentence, temple_sentence
from coatl.players.bots import BOTS
from coatl.players.registry import PLAYERS, default_bot, needs_weights, stand_in_note
from coatl.rules.cards import standard_deck
from coatl.rules.pieces import BOARD_SPACES, FEWER_BODIES_OF_A_COLOUR
from coatl.rules.state import (
    LEVELS,
    MAX_CARDS_ON_COATL,
    MAX_COATLS,
    MAX_PLAYERS,
    MIN_PLAYERS,
)
from coatl.server import protocol, replays
from coatl.server.hall import Hall
from coatl.server.limits import AddressLimits
from coatl.server.origin import address_of, is_same_origin
from coatl.server.protocol import ErrorCode, RequestError, ServerCode
from coatl.server.roles import Role
from coatl.server.room import Room
from coatl.server.settings import Settings
from coatl.server.store import Access, StorageError, hash_token
from coatl.table import TableError
from coatl.table.errors import Code

_ENCODER = msgspec.json.Encoder()

STATUS: dict[ErrorCode, int] = {
    ServerCode.BAD_TOKEN: 401,
    ServerCode.FORBIDDEN: 403,
    ServerCode.WRONG_ORIGIN: 403,
    ServerCode.UNKNOWN_TABLE: 404,
    ServerCode.NOT_FOUND: 404,
    ServerCode.METHOD_NOT_ALLOWED: 405,
    ServerCode.TOO_LARGE: 413,
    ServerCode.TOO_FAST: 429,
    ServerCode.TOO_SLOW: 408,
    ServerCode.INTERNAL: 500,
    ServerCode.STORAGE: 503,
    ServerCode.SHUTTING_DOWN: 503,
    ServerCode.BAD_JSON: 400,
    ServerCode.BAD_MESSAGE: 400,
    ServerCode.BAD_RECORD: 400,
    Code.BAD_OPTIONS: 400,
    Code.BAD_POSITION: 400,
    Code.BAD_NAME: 400,
    Code.UNKNOWN_BOT: 400,
    Code.UNREADABLE: 400,
    Code.NO_PERSON: 400,
}
CONFLICT = 409  # every other code of a table


def status_of(code: ErrorCode) -> int:
    return STATUS.get(code, CONFLICT)


@dataclass
class Services:
    """What the handlers work with."""

    hall: Hall
    settings: Settings
    connections: Callable[[], int]
    requests: AddressLimits
    new_tables: AddressLimits


@dataclass
class Call:
    """A request whose body has been read."""

    services: Services
    request: Request
    body: Any

    @property
    def hall(self) -> Hall:
        return self.services.hall

    @property
    def table(self) -> str:
        return str(self.request.path_params["table"])

    @property
    def token(self) -> str:
        """From ``Authorization: Bearer TOKEN``."""
        kind, _, token = self.request.headers.get("authorization", "").partition(" ")
        if kind.lower() != "bearer" or not token.strip():
            raise RequestError(ServerCode.BAD_TOKEN, "a token is sent as Authorization: Bearer")
        return token.strip()

    async def enter(self) -> tuple[Room, Access]:
        return await self.hall.enter(self.table, self.token)

    async def look_in(self) -> tuple[Room, Access]:
        """As a seat, a spectator or the owner; an invitation is only for joining."""
        room, access = await self.enter()
        if access.role == Role.INVITE:
            raise RequestError(ServerCode.FORBIDDEN, "an invitation is for joining")
        return room, access


Handler = Callable[[Call], Awaitable[Any]]


@dataclass(frozen=True)
class Operation:
    """One request: what it takes, what it answers, and what can go wrong."""

    method: str
    path: str
    name: str
    summary: str
    handler: Handler
    answer: Any  # a Struct, or str for plain text
    body: Any = None
    needs_token: bool = False
    errors: tuple[ErrorCode, ...] = ()
    opens_table: bool = False
    takes_record: bool = False

    async def __call__(self, services: Services, request: Request) -> Response:
        try:
            call = Call(services, request, None)
            self._check(call)
            if self.body is not None:
                call.body = _decode(self.body, await self._read(call))
            answer = await self.handler(call)
        except TableError as error:
            return problem(error.code, error.text, error.clause, error.cause)
        except RequestError as error:
            return problem(error.code, error.text, line=error.line, wait=error.wait)
        except StorageError:
            return problem(ServerCode.STORAGE)
        if isinstance(answer, str):
            return Response(answer, media_type="text/plain; charset=utf-8")
        content = answer if isinstance(answer, bytes) else _ENCODER.encode(answer)
        return Response(content, media_type="application/json")

    def _check(self, call: Call) -> None:
        scope, services = call.request.scope, call.services
        address = address_of(scope)
        if self.method != "GET" and not is_same_origin(scope):
            raise RequestError(ServerCode.WRONG_ORIGIN)
        if wait := services.requests.take(address):
            raise RequestError(ServerCode.TOO_FAST, wait=wait)
        if self.opens_table and (wait := services.new_tables.take(address)):
            text = "too many new tables; wait a little"
            raise RequestError(ServerCode.TOO_FAST, text, wait=wait)

    async def _read(self, call: Call) -> bytes:
        settings = call.services.settings
        most = settings.max_record if self.takes_record else settings.max_body
        parts, size = [], 0
        try:
            async with asyncio.timeout(settings.request_seconds or None):
                async for part in call.request.stream():
                    size += len(part)
                    if size > most:
                        raise RequestError(ServerCode.TOO_LARGE)
                    parts.append(part)
        except ClientDisconnect:
            raise RequestError(ServerCode.BAD_JSON) from None
        except TimeoutError:
            raise RequestError(ServerCode.TOO_SLOW) from None
        return b"".join(parts)


def problem(
    code: ErrorCode,
    text: str | None = None,
    clause: str | None = None,
    cause: str | None = None,
    line: int | None = None,
    wait: float | None = None,
) -> Response:
    meaning = protocol.CODE_MEANINGS[code] if text is None else text
    content = _ENCODER.encode(protocol.Problem(code, meaning, clause, cause, line))
    headers = {} if wait is None else {"retry-after": str(math.ceil(wait))}
    return Response(content, status_of(code), headers, media_type="application/json")


def _decode(kind: Any, data: bytes) -> Any:
    try:
        return msgspec.json.decode(data, type=kind)
    except msgspec.ValidationError as error:
        raise RequestError(ServerCode.BAD_MESSAGE, str(error)) from None
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        raise RequestError(ServerCode.BAD_JSON) from None


# ---------------------------------------------------------------- tables


async def open_table(call: Call) -> protocol.TableOpened:
    return await call.hall.open_table(call.body)


async def join_table(call: Call) -> protocol.SeatTaken:
    return await call.hall.take_open_place(call.table, call.body.invite)


async def read_table(call: Call) -> bytes:
    room, access = await call.look_in()
    async with room.lock:
        place = access.place if access.role == Role.SEAT else None
        return room.render(place, 0)


async def list_tables(call: Call) -> protocol.TableList:
    tokens: tuple[str, ...] = call.body.tokens
    hashes = [hash_token(token) for token in tokens]
    found = await asyncio.to_thread(call.hall.store.find_access, hashes)
    summaries = []
    for hashed, access in found:
        try:
            room = await call.hall.room(access.table)
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
    )


async def hand_over(call: Call) -> bytes:
    room, access = await call.enter()
    if access.role != Role.OWNER:
        raise RequestError(ServerCode.FORBIDDEN, "only the table's owner may do that")
    place, bot = call.body.place, call.body.bot
    if place >= len(room.table.places):
        raise TableError(Code.NO_PERSON)
    await call.hall.change(
        room,
        lambda table: table.hand_over(place, bot, True, room.away_seconds(place)),
    )
    async with room.lock:
        return room.render(None, 0)


async def rematch(call: Call) -> protocol.RematchOpened:
    room, access = await call.enter()
    if access.role not in (Role.SEAT, Role.OWNER):
        raise RequestError(ServerCode.FORBIDDEN)
    return protocol.RematchOpened(await call.hall.open_rematch(room))


async def read_record(call: Call) -> str:
    room, _ = await call.look_in()
    async with room.lock:
        return room.table.record()


async def why(call: Call) -> protocol.MoveReason:
    room, access = await call.enter()
    async with room.lock:
        place = access.place if access.role == Role.SEAT else None
        reason = room.table.why(place, call.body.move)
    return protocol.MoveReason(
        call.body.move, reason.clause or None, reason.cause or None, reason.text or None
    )


# ---------------------------------------------------------------- cards, bots, replay, health


@lru_cache(maxsize=1)
def _cards() -> protocol.CardList:
    deck = standard_deck()
    return protocol.CardList(
        prophecies=tuple(
            protocol.ProphecyInfo(
                name=card.name,
                pattern=card.pattern.text,
                colour=card.colour,
                copies=card.copies,
                promo=card.promo,
                levels={str(times): points for times, points in sorted(card.levels.items())},
                sentence=prophecy_sentence(card),
            )
            for card in deck.prophecies
        ),
        temples=tuple(
            protocol.TempleInfo(
                name=card.name,
                requirements=tuple(requirement.text for requirement in card.requirements),
                levels=card.levels,
                copies=card.copies,
                promo=card.promo,
                sentence=temple_sentence(card),
            )
            for card in deck.temples
        ),
        numbers=_numbers(),
        digest=deck.digest,
    )


def _numbers() -> protocol.RuleNumbers:
    together = tuple(range(MIN_PLAYERS, MAX_PLAYERS + 1))
    return protocol.RuleNumbers(
        coatls=MAX_COATLS,
        board=BOARD_SPACES,
        cards=MAX_CARDS_ON_COATL,
        players=(1, *together),
        tokens=together,
        fewer_bodies=tuple(FEWER_BODIES_OF_A_COLOUR),
        levels=LEVELS,
    )


async def list_cards(call: Call) -> protocol.CardList:
    return _cards()


async def list_bots(call: Call) -> protocol.BotList:
    return await asyncio.to_thread(_bots)


def _bots() -> protocol.BotList:
    """Reads the weights when it is first asked, to know whether they can be used."""
    missing = stand_in_note(PLAYERS) is not None
    described = [
        protocol.BotInfo(
            name=bot.name,
            kind=bot.kind,
            title=bot.title,
            text=bot.text,
            strength=bot.strength,
            stand_in=missing and needs_weights(bot.name),
        )
        for bot in BOTS
    ]
    return protocol.BotList(tuple(bot.name for bot in BOTS), tuple(described), default_bot())


async def replay(call: Call) -> protocol.ReplayStep:
    return await asyncio.to_thread(replays.answer, replays.one_step, call.body)


async def replay_steps(call: Call) -> protocol.ReplaySteps:
    return await asyncio.to_thread(replays.answer, replays.some_steps, call.body)


async def replay_overview(call: Call) -> protocol.ReplayOverview:
    return await asyncio.to_thread(replays.answer, replays.overview, call.body)


async def health(call: Call) -> protocol.Health:
    return protocol.Health(
        status="closing" if call.hall.closing else "ok",
        version=__version__,
        protocol=protocol.PROTOCOL,
        tables=len(call.hall.rooms),
        connections=call.services.connections(),
    )


_IN = (ServerCode.BAD_TOKEN, ServerCode.UNKNOWN_TABLE, ServerCode.STORAGE)
_NEW = (
    ServerCode.WRONG_ORIGIN,
    ServerCode.BAD_JSON,
    ServerCode.BAD_MESSAGE,
    ServerCode.TOO_LARGE,
    ServerCode.TOO_SLOW,
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
            *_NEW,
            *(ServerCode.STORAGE, ServerCode.SHUTTING_DOWN),
            *(Code.BAD_OPTIONS, Code.BAD_POSITION, Code.BAD_NAME, Code.UNKNOWN_BOT, Code.NO_PERSON),
        ),
        opens_table=True,
    ),
    Operation(
        "POST",
        "/api/tables/mine",
        "list_tables",
        "The tables that some tokens open, the newest first.",
        list_tables,
        protocol.TableList,
        body=protocol.MyTables,
        errors=(*_NEW, ServerCode.STORAGE),
    ),
    Operation(
        "GET",
        "/api/tables/{table}",
        "read_table",
        "The table as the token's seat sees it: the same as the socket's state.",
        read_table,
        protocol.TableState,
        needs_token=True,
        errors=(*_IN, ServerCode.FORBIDDEN),
    ),
    Operation(
        "POST",
        "/api/tables/{table}/join",
        "join_table",
        "Take an open place; the answer has its token.",
        join_table,
        protocol.SeatTaken,
        body=protocol.JoinTable,
        errors=(*_NEW, *_IN, ServerCode.FORBIDDEN, ServerCode.SHUTTING_DOWN, Code.TAKEN),
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
            *_NEW,
            *_IN,
            *(ServerCode.FORBIDDEN, ServerCode.SHUTTING_DOWN, Code.NOT_AWAY, Code.BOT_PLAYS),
            *(Code.NO_PERSON, Code.NOT_STARTED, Code.OVER, Code.UNKNOWN_BOT),
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
            *_IN,
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
        errors=(*_IN, ServerCode.FORBIDDEN, Code.NOT_OVER),
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
            *_NEW,
            *_IN,
            *(Code.NOT_YOUR_TURN, Code.NOT_STARTED, Code.OVER, Code.UNREADABLE),
        ),
    ),
    Operation(
        "POST",
        "/api/replay",
        "replay",
        "A step of a record, as a seat saw it or with all cards open.",
        replay,
        protocol.ReplayStep,
        body=protocol.ReplayRequest,
        errors=(*_NEW, ServerCode.BAD_RECORD),
        takes_record=True,
    ),
    Operation(
        "POST",
        "/api/replay/steps",
        "replay_steps",
        "Several steps of a record in a row.",
        replay_steps,
        protocol.ReplaySteps,
        body=protocol.ReplayRange,
        errors=(*_NEW, ServerCode.BAD_RECORD),
        takes_record=True,
    ),
    Operation(
        "POST",
        "/api/replay/overview",
        "replay_overview",
        "Every decision of a record with what it was for and the points after it, for a timeline.",
        replay_overview,
        protocol.ReplayOverview,
        body=protocol.ReplayRecord,
        errors=(*_NEW, ServerCode.BAD_RECORD),
        takes_record=True,
    ),
    Operation("GET", "/api/cards", "list_cards", "Every card.", list_cards, protocol.CardList),
    Operation("GET", "/api/bots", "list_bots", "The bots by name.", list_bots, protocol.BotList),
    Operation("GET", "/healthz", "health", "Is the server well?", health, protocol.Health),
)
