"""A WebSocket client that costs the load little, so that the server is what is measured.

It speaks as much of RFC 6455 as our server needs: no compression, no fragments, no pings.
"""

from __future__ import annotations

import asyncio
import base64
import os
from collections import deque
from typing import cast
from urllib.parse import urlsplit

TEXT, CLOSE = 0x81, 0x88
MASK = b"\0\0\0\0"  # a client has to mask; with zeros the text stays as it is


class ClosedError(Exception):
    """The server has closed the socket."""


class LightSocket(asyncio.Protocol):
    """One connection: `send` a text, `receive` the next one."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._buffer = bytearray()
        self._messages: deque[bytes] = deque()
        self._waiting: asyncio.Future[None] | None = None
        self._is_open = False
        self._is_closed = False
        self._transport: asyncio.Transport

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)

    def connection_lost(self, exc: Exception | None) -> None:
        self._is_closed = True
        self._wake()

    def begin(self, path: str, host: str) -> None:
        """Ask for a WebSocket."""
        key = base64.b64encode(os.urandom(16)).decode()
        headers = {
            "Host": host,
            "Connection": "Upgrade",
            "Upgrade": "websocket",
            "Sec-WebSocket-Key": key,
            "Sec-WebSocket-Version": "13",
        }
        lines = [f"GET {path} HTTP/1.1", *[f"{name}: {value}" for name, value in headers.items()]]
        self._transport.write("\r\n".join([*lines, "", ""]).encode())

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        if not self._is_open:
            head, found, rest = self._buffer.partition(b"\r\n\r\n")
            if not found:
                return
            self._is_open = b" 101 " in head.split(b"\r\n")[0]
            if not self._is_open:
                self._transport.close()
                return
            self._buffer = rest
        while self._read_frame():
            pass
        self._wake()

    def _read_frame(self) -> bool:
        """Take a whole frame out of the buffer; False if there is none."""
        buffer, first = self._buffer, 2
        if len(buffer) < first:
            return False
        length = buffer[1]
        if length >= 126:
            first = 4 if length == 126 else 10
            length = int.from_bytes(buffer[2:first], "big")
        if len(buffer) < first + length:
            return False
        if buffer[0] == TEXT:
            self._messages.append(bytes(buffer[first : first + length]))
        elif buffer[0] == CLOSE:
            self._transport.close()
        del buffer[: first + length]
        return True

    def _wake(self) -> None:
        if self._waiting is not None and not self._waiting.done():
            self._waiting.set_result(None)

    async def _wait(self) -> None:
        if self._is_closed:
            raise ClosedError
        self._waiting = self._loop.create_future()
        await self._waiting

    async def wait_until_open(self) -> None:
        """Raises `ClosedError` if it was refused."""
        while not self._is_open:
            await self._wait()

    async def receive(self) -> bytes:
        """Raises `ClosedError` when there will be no more."""
        while not self._messages:
            await self._wait()
        return self._messages.popleft()

    def send(self, text: bytes) -> None:
        size = len(text)
        length = bytes((0x80 | size,)) if size < 126 else b"\xfe" + size.to_bytes(2, "big")
        self._transport.write(bytes((TEXT,)) + length + MASK + text)

    def close(self) -> None:
        self._transport.close()


async def connect(url: str) -> LightSocket:
    parts = urlsplit(url)
    loop = asyncio.get_running_loop()
    _, socket = await loop.create_connection(
        lambda: LightSocket(loop), parts.hostname or "", parts.port or 80
    )
    socket.begin(parts.path, parts.netloc)
    await socket.wait_until_open()
    return socket
