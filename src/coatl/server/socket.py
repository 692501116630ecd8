"""The WebSocket of a seat: hello, then decisions in and states out. See docs/protocol.md."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any

import msgspec

from coatl.server import protocol
from coatl.server.connection import Connection
from coatl.server.database import StorageError
from coatl.server.front import TRY_AGAIN_LATER
from coatl.server.incoming import Closed, Incoming, WrongProtocolError
from coatl.server.limits import Buckets
from coatl.server.manager import TableManager
from coatl.server.origin import address_of, is_page, is_same_origin
from coatl.server.protocol import RequestError, ServerCode
from coatl.server.rest.operation import Services
from coatl.server.roles import Role
from coatl.server.room import Change, Room
from coatl.server.settings import ServerSettings
from coatl.server.socket_guard import WRITE_NOW
from coatl.table import TableError
from coatl.table.errors import Code

logger = logging.getLogger("coatl.server.socket")

_ENCODER = msgspec.json.Encoder()
_REFRESHING = {
    *(Code.STALE, Code.AHEAD, Code.NOT_YOUR_TURN, Code.ILLEGAL),
    *(Code.NOTHING_TO_UNDO, Code.TOO_OFTEN),
}
_CLOSING = {ServerCode.TOO_LARGE, ServerCode.TOO_FAST}
MOST_OFFENCES = 100  # messages that could not be read, then the connection is closed

# Close codes (RFC 6455 leaves 4000 to 4999 to applications).
CLOSE = {
    ServerCode.BAD_JSON: 4400,
    ServerCode.BAD_MESSAGE: 4400,
    ServerCode.HELLO_FIRST: 4400,
    ServerCode.BAD_TOKEN: 4401,
    ServerCode.FORBIDDEN: 4403,
    ServerCode.WRONG_ORIGIN: 4403,
    ServerCode.WRONG_HOST: 4403,
    ServerCode.UNKNOWN_TABLE: 4404,
    ServerCode.WRONG_PROTOCOL: 4426,
    ServerCode.TOO_LARGE: 1009,
    ServerCode.TOO_FAST: 4429,
    ServerCode.TOO_MANY_CONNECTIONS: 4429,
    ServerCode.TOO_MANY_BOTS: 4429,
    ServerCode.STORAGE: 1011,
    ServerCode.DAMAGED: 1011,
    ServerCode.SHUTTING_DOWN: 1012,
    ServerCode.STARTING: TRY_AGAIN_LATER,
    ServerCode.START_FAILED: TRY_AGAIN_LATER,
}
TOO_SLOW = 4408
# Shown as it is by the page of protocol 1, whose language the server does not know.
RELOAD = "Reload the page · Rechargez la page · Seite neu laden"
CLOSE_SECONDS = 1.0  # for a client that reads too slowly to receive the close code


class SocketEndpoint:
    """An ASGI application for one path; counts who is connected."""

    def __init__(self, services: Services, buckets: Buckets) -> None:
        self.manager = services.manager
        self.settings = settings = services.settings
        self.by_address: Counter[str] = Counter()
        self._services = services
        self._opened = buckets.make(
            "sockets", settings.sockets_per_second, settings.socket_burst, settings.all_addresses
        )
        if self.manager.sharing is not None:
            self.manager.sharing.sockets = lambda: self.by_address

    @property
    def count(self) -> int:
        return self.by_address.total()

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        address = address_of(scope)
        await receive()
        if not is_same_origin(scope):
            self._note(address, ServerCode.WRONG_ORIGIN)
            await send({"type": "websocket.close", "code": CLOSE[ServerCode.WRONG_ORIGIN]})
            return
        await send({"type": "websocket.accept"})
        session = SeatSession(
            self.manager,
            self.settings,
            receive,
            send,
            is_page(scope),
            address,
            partial(self._note, address),
            scope.get("extensions", {}).get(WRITE_NOW, _cannot_write),
        )
        refusal = self._refusal(address)
        if refusal is not None:  # sent after accepting, or a browser would not learn the reason
            await session.close(RequestError(refusal))
            return
        self.by_address[address] += 1
        try:
            await session.run(scope["path_params"]["table"])
        finally:
            self.by_address[address] -= 1
            self.by_address += Counter()  # forget zeros

    def _refusal(self, address: str) -> ServerCode | None:
        settings = self.settings
        in_all, of_address = self.count, self.by_address[address]
        if (sharing := self.manager.sharing) is not None:
            in_all += sharing.peers.sockets()
            of_address += sharing.peers.sockets(sharing.hash_address(address))
        full = settings.connections and in_all >= settings.connections
        of_one = settings.connections_per_address
        if full or (of_one and of_address >= of_one):
            return ServerCode.TOO_MANY_CONNECTIONS
        if self._services.guesses.wait_after(address) or self._opened.take(address):
            return ServerCode.TOO_FAST
        return None if self.manager.is_taking else ServerCode.SHUTTING_DOWN

    def _note(self, address: str, code: ServerCode) -> None:
        self._services.note_refusal("socket", code, address)


class SeatSession:
    """One socket, from its hello until it is closed."""

    def __init__(
        self,
        manager: TableManager,
        settings: ServerSettings,
        receive: Any,
        send: Any,
        from_page: bool,
        address: str,
        note: Callable[[ServerCode], None],
        write_now: Callable[[bytes], bool],
    ) -> None:
        self.manager = manager
        self.settings = settings
        self._from_page = from_page
        self._address = address
        self._note = note  # is told why the socket is closed
        self._incoming = Incoming(receive, settings)
        self._raw_send = send
        self._write_now = write_now
        self._offences = 0

    async def _send(self, text: str) -> None:
        await self._raw_send({"type": "websocket.send", "text": text})

    async def run(self, table: str) -> None:
        try:
            room, connection = await self._receive_hello(table)
        except RequestError as error:
            await self.close(error)
            return
        except Closed:
            return
        reader = asyncio.create_task(self._listen(room, connection))
        others = [
            asyncio.create_task(self._write(connection)),
            asyncio.create_task(connection.ended.wait()),
        ]
        try:
            await asyncio.wait([reader, *others], return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in (reader, *others):
                task.cancel()
            await asyncio.gather(reader, *others, return_exceptions=True)
            room.leave(connection)
            room.publish_presence()
        await self._finish(reader, connection)

    async def _finish(self, reader: asyncio.Task[None], connection: Connection) -> None:
        """Send the reason for closing, if the client is still there."""
        failure = reader.exception() if reader.done() and not reader.cancelled() else None
        if isinstance(failure, Closed):
            failure.__traceback__ = None  # whose frames lead to the failure
        if isinstance(failure, RequestError):
            await self.close(failure)
        elif isinstance(failure, Exception) and not isinstance(failure, Closed):
            logger.error("a socket failed", exc_info=failure)
            await self.close(RequestError(ServerCode.INTERNAL))
        elif connection.ended.is_set():
            with suppress(TimeoutError):
                await asyncio.wait_for(self._disconnect(connection.reason), CLOSE_SECONDS)

    async def _write(self, connection: Connection) -> None:
        with suppress(OSError, RuntimeError):  # the client is gone; the reader notices it too
            await connection.write()

    async def _disconnect(self, reason: str | None) -> None:
        """The server wants it, and the client has done nothing wrong."""
        if reason is not None:
            await self._say_why(RequestError(ServerCode(reason)))
            return
        with suppress(OSError, RuntimeError):
            await self._raw_send({"type": "websocket.close", "code": TOO_SLOW})

    async def close(self, error: RequestError) -> None:
        self._note(error.code)
        await self._say_why(error)

    async def _say_why(self, error: RequestError) -> None:
        try:
            await self._send(_ENCODER.encode(self._last_refusal(error)).decode())
            code = CLOSE.get(error.code, 1011)
            await self._raw_send(
                {"type": "websocket.close", "code": code, "reason": error.code.value}
            )
        except (OSError, RuntimeError):
            pass

    def _last_refusal(self, error: RequestError) -> protocol.Refused:
        """The page of protocol 1 does not know `wrong_protocol` and would come back for ever.

        After `wrong_origin` it does not, and it shows what stands for the clause.
        """
        if isinstance(error, WrongProtocolError) and error.spoken == 1 and self._from_page:
            return protocol.Refused(ServerCode.WRONG_ORIGIN.value, error.text, RELOAD)
        return protocol.Refused(error.code.value, error.text)

    # -------------------------------------------------------------- hello

    async def _receive_hello(self, table: str) -> tuple[Room, Connection]:
        message = await self._incoming.hello()
        try:
            room, access = await self.manager.enter(table, message.token)
        except StorageError:
            raise RequestError(ServerCode.STORAGE) from None
        if access.role not in (Role.SEAT, Role.WATCH):
            raise RequestError(ServerCode.FORBIDDEN)
        most = self.settings.connections_per_seat
        if access.role == Role.SEAT and most and room.connections_of(access.place) >= most:
            raise RequestError(ServerCode.TOO_MANY_CONNECTIONS)
        self.manager.check_bots(room, self._address)
        connection = Connection(self._send, access.place, self._address, self._write_now)
        connection.shown = message.shown
        async with room.lock:  # so that nothing unstored is shown
            room.check_alive()
            room.enter(connection)
            if message.version > room.table.version:
                connection.offer(_refusal(TableError(Code.AHEAD), None))
            elif message.events <= room.event_count:
                connection.base = message.events
            connection.offer_state(room)
            room.publish_presence()
        self.manager.wake_bots(room)
        return room, connection

    # -------------------------------------------------------------- messages

    async def _listen(self, room: Room, connection: Connection) -> None:
        while True:
            if connection.is_behind:  # let the writer have its turn
                await asyncio.sleep(0)
            try:
                message = await self._incoming.next()
            except RequestError as error:
                self._offences += 1
                if self._offences > MOST_OFFENCES or error.code in _CLOSING:
                    raise
                connection.offer(_ENCODER.encode(protocol.Refused(error.code.value, error.text)))
                continue
            self._offences = max(self._offences - 1, 0)
            await self._answer(room, connection, message)

    async def _answer(
        self, room: Room, connection: Connection, message: protocol.FromClient
    ) -> None:
        reply = getattr(message, "id", None)
        try:
            await self._carry_out(room, connection, message)
        except TableError as error:
            connection.offer(_refusal(error, reply))
            if error.code in _REFRESHING:
                async with room.lock:
                    connection.offer_state(room)
        except RequestError as error:
            connection.offer(
                _ENCODER.encode(protocol.Refused(error.code.value, error.text, reply=reply))
            )
            if error.code == ServerCode.STORAGE:
                async with room.lock:
                    connection.offer_state(room)

    async def _carry_out(
        self, room: Room, connection: Connection, message: protocol.FromClient
    ) -> None:
        match message:
            case protocol.Ping(id):
                connection.offer(_ENCODER.encode(protocol.Pong(id)))
            case protocol.Shown(version):
                room.note_shown(connection, version)
            case protocol.Hello():
                raise RequestError(ServerCode.HELLO_FIRST)
            case protocol.AskWhy(id, move):
                connection.offer(await self._reason(room, connection, id, move))
            case protocol.AskClosings(id):
                connection.offer(await self._closings(room, connection, id))
            case _:
                place = connection.place
                if place is None:
                    raise RequestError(ServerCode.FORBIDDEN, "spectators only watch")
                if isinstance(message, protocol.HandOver):
                    self.manager.check_bots(room, self._address, more=1)
                change = _change(message, place)
                await self.manager.change(room, change, connection, message.id, place)

    async def _reason(self, room: Room, connection: Connection, id: str, move: str) -> bytes:
        async with room.lock:
            reason = room.table.why(connection.place, move)
        return _ENCODER.encode(
            protocol.ReasonMessage(
                id, move, reason.clause or None, reason.cause or None, reason.text or None
            )
        )

    async def _closings(self, room: Room, connection: Connection, id: str) -> bytes:
        if connection.place is None:
            raise RequestError(ServerCode.FORBIDDEN, "spectators only watch")
        async with room.lock:  # so that nothing unstored is looked at
            room.check_alive()
            version, view = room.table.version, room.table.view(connection.place)
        if view is None:
            raise TableError(Code.NOT_STARTED)
        values = await self.manager.closings.find(view)
        return _ENCODER.encode(protocol.ClosingsFound(id, version, values))


def _cannot_write(_message: bytes) -> bool:
    """Of a socket without the extension, as in tests: all messages wait for `send`."""
    return False


def _change(message: protocol.SeatMessage, place: int) -> Change:
    """What a message does to the table."""
    match message:
        case protocol.Decide(id, version, move):
            return lambda table: table.decide(place, move, version, id)
        case protocol.Undo(id, version):
            return lambda table: table.undo(place, version, id)
        case protocol.Join(id, nonce, name):
            return lambda table: table.join(place, nonce, name, id)
        case protocol.HandOver(id, bot):
            return lambda table: table.hand_over(place, bot, id=id)
        case protocol.TakeBack(id):
            return lambda table: table.take_back(place, id)
        case protocol.GiveUp(id):
            return lambda table: table.give_up(place, id)


def _refusal(error: TableError, reply: str | None) -> bytes:
    return _ENCODER.encode(
        protocol.Refused(error.code.value, error.text, error.clause, error.cause, reply)
    )
