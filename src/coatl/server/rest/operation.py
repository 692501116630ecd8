"""One request: its types, its checks, and how it is answered."""

from __future__ import annotations

import asyncio
import hashlib
import math
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass
from typing import Any, TypeVar

import msgspec
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from coatl.server import protocol
from coatl.server.database import StorageError
from coatl.server.encoding import WORTH_IT, choose_encoding, compress
from coatl.server.limits import AddressLimits
from coatl.server.manager import TableManager
from coatl.server.origin import address_of, is_same_origin
from coatl.server.protocol import ErrorCode, RequestError, ServerCode
from coatl.server.refusals import Refusals
from coatl.server.rest.status import status_of
from coatl.server.roles import Role
from coatl.server.room import Room
from coatl.server.settings import ServerSettings
from coatl.server.store import Access
from coatl.server.work import Work, WorkPool, unless
from coatl.table import TableError

_ENCODER = msgspec.json.Encoder()
Answer = TypeVar("Answer")
KEEP = "no-cache"  # a browser may keep the answer, but asks each time whether it has changed
NOBODY_THERE = 499  # as nginx says it, of an answer that is not read
WRONG_GUESS = {ServerCode.BAD_TOKEN, ServerCode.UNKNOWN_TABLE}
COUNTED = WRONG_GUESS | {
    *(ServerCode.TOO_FAST, ServerCode.TOO_LARGE, ServerCode.TOO_SLOW, ServerCode.WRONG_ORIGIN),
    *(ServerCode.TOO_MANY_CONNECTIONS, ServerCode.BAD_JSON, ServerCode.BAD_MESSAGE),
}
DEPRECATED_SINCE = "@1794873600"  # 17 November 2026, as RFC 9745 writes it


@dataclass
class Services:
    """What the handlers work with."""

    manager: TableManager
    settings: ServerSettings
    connections: Callable[[], int]
    new_tables: AddressLimits
    work: WorkPool  # for what takes long
    guesses: AddressLimits
    new_hints: AddressLimits
    refusals: Refusals

    def note_refusal(self, what: str, code: ServerCode, address: str) -> None:
        """Count it, if it tells of somebody who does what nobody should."""
        if code in WRONG_GUESS:
            self.guesses.take(address)
        if code in COUNTED:
            self.refusals.count(what, code.value, address)


@dataclass
class Call:
    """A request whose body has been read."""

    services: Services
    request: Request
    body: Any

    @property
    def manager(self) -> TableManager:
        return self.services.manager

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

    @property
    def address(self) -> str:
        return address_of(self.request.scope)

    async def work(self, work: Work[Answer]) -> Answer:
        """The result of something that takes long, done in another thread."""
        return await self.while_connected(self.services.work.run(self.address, work))

    async def while_connected(self, doing: Coroutine[Any, Any, Answer]) -> Answer:
        """The result of `doing`, which is cancelled when the client leaves.

        Raises `ClientDisconnect` then. The body must have been read.
        """
        return await unless(_disconnected(self.request), ClientDisconnect(), doing)

    async def enter(self) -> tuple[Room, Access]:
        return await self.manager.enter(self.table, self.token)

    async def enter_to_read(self) -> tuple[Room, Access]:
        """As a seat, a spectator or the owner; an invitation is only for joining."""
        room, access = await self.enter()
        if access.role == Role.INVITE:
            raise RequestError(ServerCode.FORBIDDEN, "an invitation is for joining")
        return room, access


async def _disconnected(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass


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
    compresses: bool = False  # only where no answer has secrets
    keeps: bool = False  # clients may keep the answer, and ask whether it is still the same
    use_instead: str = ""  # if it is deprecated

    @property
    def is_of_table(self) -> bool:
        """Does it need to know a table, and mostly a token?"""
        return "{table}" in self.path

    async def __call__(self, services: Services, request: Request) -> Response:
        response = await self._respond(services, request)
        if self.use_instead:
            response.headers["deprecation"] = DEPRECATED_SINCE
        return response

    async def _respond(self, services: Services, request: Request) -> Response:
        try:
            call = Call(services, request, None)
            self._check(call)
            if self.body is not None:
                call.body = _decode(self.body, await self._read(call))
            answer = await self.handler(call)
        except TableError as error:
            return problem(error.code, error.text, error.clause, error.cause)
        except RequestError as error:
            services.note_refusal("request", error.code, address_of(request.scope))
            return problem(error.code, error.text, line=error.line, wait=error.wait)
        except StorageError:
            return problem(ServerCode.STORAGE)
        except ClientDisconnect:
            return Response(status_code=NOBODY_THERE)
        if isinstance(answer, str):
            return Response(answer, media_type="text/plain; charset=utf-8")
        content = answer if isinstance(answer, bytes) else _ENCODER.encode(answer)
        response = Response(content, media_type="application/json")
        if self.keeps and _is_kept(response, request):
            return response
        return await _compress(response, request) if self.compresses else response

    def _check(self, call: Call) -> None:
        scope, services = call.request.scope, call.services
        address = address_of(scope)
        if self.method != "GET" and not is_same_origin(scope):
            raise RequestError(ServerCode.WRONG_ORIGIN)
        if self.is_of_table and (wait := services.guesses.wait_after(address)):
            raise RequestError(ServerCode.TOO_FAST, "too many wrong tokens; wait", wait=wait)
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
        except TimeoutError:
            raise RequestError(ServerCode.TOO_SLOW) from None
        return b"".join(parts)


def _is_kept(response: Response, request: Request) -> bool:
    """Give an answer its tag; if the client has one of that tag, the answer only says so.

    The tag is weak: the answer is the same whether it goes out compressed or not.
    """
    tag = f'W/"{hashlib.sha256(response.body).hexdigest()[:32]}"'
    response.headers["etag"] = tag
    response.headers["cache-control"] = KEEP
    asked = request.headers.get("if-none-match", "")
    if asked.strip() != "*" and tag not in [known.strip() for known in asked.split(",")]:
        return False
    response.status_code, response.body = 304, b""
    response.headers["vary"] = "accept-encoding"
    for name in ("content-length", "content-type"):
        del response.headers[name]
    return True


async def _compress(response: Response, request: Request) -> Response:
    response.headers["vary"] = "accept-encoding"
    accepted = request.headers.get("accept-encoding", "")
    if len(response.body) < WORTH_IT or choose_encoding(accepted, ["gzip"]) is None:
        return response
    headers = {**response.headers, "content-encoding": "gzip"}
    del headers["content-length"]
    return Response(await asyncio.to_thread(compress, bytes(response.body)), headers=headers)


def problem(
    code: ErrorCode,
    text: str | None = None,
    clause: str | None = None,
    cause: str | None = None,
    line: int | None = None,
    wait: float | None = None,
) -> Response:
    meaning = protocol.CODE_MEANINGS[code] if text is None else text
    content = _ENCODER.encode(protocol.ProblemMessage(code, meaning, clause, cause, line))
    headers = {} if wait is None else {"retry-after": str(math.ceil(wait))}
    return Response(content, status_of(code), headers, media_type="application/json")


def _decode(kind: Any, data: bytes) -> Any:
    try:
        return msgspec.json.decode(data, type=kind)
    except msgspec.ValidationError as error:
        raise RequestError(ServerCode.BAD_MESSAGE, str(error)) from None
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        raise RequestError(ServerCode.BAD_JSON) from None


# What may go wrong with any body.
BODY_ERRORS = (
    ServerCode.WRONG_ORIGIN,
    ServerCode.BAD_JSON,
    ServerCode.BAD_MESSAGE,
    ServerCode.TOO_LARGE,
    ServerCode.TOO_SLOW,
)
