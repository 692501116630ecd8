"""What a client sends over its socket, decoded, at the rate it may send."""

from __future__ import annotations

import asyncio
from collections import deque
from contextlib import suppress
from typing import Any, Literal

import msgspec

from coatl.server import protocol
from coatl.server.limits import MOST_EARLY, Bucket
from coatl.server.protocol import RequestError, ServerCode
from coatl.server.settings import ServerSettings

_DECODER: msgspec.json.Decoder[protocol.FromClient] = msgspec.json.Decoder(protocol.FromClient)


class Closed(Exception):  # noqa: N818 - not an error
    """The other side is gone."""


class WrongProtocolError(RequestError):
    """The client speaks another protocol."""

    def __init__(self, spoken: int) -> None:
        self.spoken = spoken
        super().__init__(
            ServerCode.WRONG_PROTOCOL,
            f"the server speaks protocol {protocol.PROTOCOL}, the client protocol {spoken}: "
            "reload the page, or update the client",
        )


class _AnyHello(msgspec.Struct):
    """A hello of any protocol: all that is known of it."""

    type: Literal["hello"]
    protocol: int = 1


_ANY_HELLO: msgspec.json.Decoder[_AnyHello] = msgspec.json.Decoder(_AnyHello)


class Incoming:
    """The messages of a socket. Both methods raise `Closed`, or `RequestError` for bad messages."""

    def __init__(self, receive: Any, settings: ServerSettings) -> None:
        self._receive = receive
        self._settings = settings
        self._bucket = Bucket(settings.messages_per_second, settings.message_burst)
        self._early: deque[protocol.FromClient | RequestError | Closed] = deque()

    async def hello(self) -> protocol.Hello:
        """The first message, which never waits."""
        self._bucket.take()
        try:
            event = await asyncio.wait_for(self._receive(), self._settings.hello_seconds or None)
        except TimeoutError:
            raise RequestError(ServerCode.HELLO_FIRST, "no hello came") from None
        spoken = _protocol_of(event)
        if spoken != protocol.PROTOCOL:
            raise WrongProtocolError(spoken)
        message = self._decode(event)
        if isinstance(message, Exception):
            raise message
        if not isinstance(message, protocol.Hello):
            raise RequestError(ServerCode.HELLO_FIRST)
        return message

    async def next(self) -> protocol.FromClient:
        """The next message, when the client may send one."""
        if not self._early:
            self._early.append(self._decode(await self._receive()))
        await self._wait_for_bucket()
        message = self._early.popleft()
        if isinstance(message, Exception):
            raise message
        return message

    async def _wait_for_bucket(self) -> None:
        """Let a message that came too fast wait.

        What follows it is read meanwhile, up to a point: so the end of the connection is noticed,
        and a client that does not stop costs no memory.
        """
        while not isinstance(self._early[-1], Closed) and (wait := self._bucket.take()):
            if len(self._early) > MOST_EARLY:
                raise RequestError(ServerCode.TOO_FAST)
            with suppress(TimeoutError):
                async with asyncio.timeout(wait):
                    self._early.append(self._decode(await self._receive()))

    def _decode(self, event: Any) -> protocol.FromClient | RequestError | Closed:
        """At once, as what waits should be small: a message, or why it is none."""
        if event["type"] == "websocket.disconnect":
            return Closed()
        data = _data_of(event)
        if len(data if isinstance(data, bytes) else data.encode()) > self._settings.max_message:
            return RequestError(ServerCode.TOO_LARGE)
        try:
            return _DECODER.decode(data)
        except msgspec.ValidationError as error:
            return RequestError(ServerCode.BAD_MESSAGE, str(error)[:200])  # it may quote the data
        except (msgspec.DecodeError, UnicodeError, RecursionError):
            return RequestError(ServerCode.BAD_JSON)


def _data_of(event: Any) -> str | bytes:
    return event.get("text") or event.get("bytes") or b""


def _protocol_of(event: Any) -> int:
    """The protocol that a hello speaks; ours for anything else, which is refused for what it is."""
    try:
        return _ANY_HELLO.decode(_data_of(event)).protocol
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return protocol.PROTOCOL
