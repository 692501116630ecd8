"""WebSockets whose frames are limited as messages are, whatever is in them.

Pings, pongs and fragments never reach the application, which limits the messages.
"""

from __future__ import annotations

import asyncio
from typing import Any

import msgspec
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame, Opcode
from websockets.http11 import Request
from websockets.protocol import State
from websockets.server import ServerProtocol

from coatl.server.connection_limits import ConnectionLimits
from coatl.server.deadline import Deadline
from coatl.server.limits import MOST_EARLY, Bucket
from coatl.server.origin import address_of
from coatl.server.refusals import MEANINGS, TOO_FAST, TOO_LARGE, TOO_SLOW
from coatl.server.settings import ServerSettings

FRAMES_OF_A_MESSAGE = 2  # for each message that may come, on average
MOST_FRAGMENTS = 64  # of one message
DATA = frozenset({Opcode.TEXT, Opcode.BINARY, Opcode.CONT})
CLOSE_CODES = {TOO_FAST: 4429, TOO_LARGE: 1009}
CLOSE_SECONDS = 10.0  # for the last bytes to a client that does not read


WRITE_NOW = "coatl.write_now"  # the extension of an ASGI scope that `GuardedSocket` adds


def _frame_head(length: int) -> bytes:
    """Of a text message in one frame (RFC 6455, section 5.2)."""
    if length < 126:
        return bytes((0x81, length))
    if length < 1 << 16:
        return b"\x81\x7e" + length.to_bytes(2, "big")
    return b"\x81\x7f" + length.to_bytes(8, "big")


class LimitedFrames(ServerProtocol):
    """Reads frames until there are too many; then `refusal` says why it reads no more."""

    def __init__(self, settings: ServerSettings, **websockets: Any) -> None:
        super().__init__(**websockets)
        self.refusal: str | None = None
        self._fragments = 0
        rate, burst = settings.messages_per_second, settings.message_burst
        self._control = Bucket(rate, burst)
        self._data = Bucket(  # messages may wait, so more of them may come
            rate * FRAMES_OF_A_MESSAGE, (burst + MOST_EARLY) * FRAMES_OF_A_MESSAGE
        )

    def recv_frame(self, frame: Frame) -> None:
        """Called for each frame while data is parsed, so that the rest of it can be dropped."""
        bucket = self._data if frame.opcode in DATA else self._control
        if bucket.take():
            self._refuse(TOO_FAST)
        elif self._count_fragments(frame) > MOST_FRAGMENTS:
            self._refuse(TOO_LARGE)
        else:
            super().recv_frame(frame)

    def _count_fragments(self, frame: Frame) -> int:
        """How many the message has so far; frames between them are none of it."""
        if frame.opcode in DATA:
            self._fragments = 0 if frame.fin else self._fragments + 1
        return self._fragments

    def _refuse(self, code: str) -> None:
        self.refusal = code
        if self.state is State.OPEN:
            refused = {"type": "refused", "code": code, "text": MEANINGS[code]}
            self.send_text(msgspec.json.encode(refused))
        self.fail(CLOSE_CODES[code], code)  # drops what is not parsed yet


class GuardedSocket(WebSocketsSansIOProtocol):
    """One WebSocket; its connection was counted when it was HTTP."""

    conn: LimitedFrames

    def __init__(self, limits: ConnectionLimits, **uvicorn: Any) -> None:
        super().__init__(**uvicorn)
        self._limits = limits
        self._unread = Deadline(self.loop, limits.settings.request_seconds, self._give_up)
        self._last: asyncio.TimerHandle | None = None
        self.conn = LimitedFrames(
            limits.settings, max_size=self.config.ws_max_size, logger=self.logger
        )

    def handle_connect(self, event: Request) -> None:
        super().handle_connect(event)
        if self.response.status_code == 101:
            self.scope["extensions"][WRITE_NOW] = self.write_now  # type: ignore[assignment]

    def write_now(self, text: bytes) -> bool:
        """Send a message without a task and its turns; False if it has to wait, or to fail.

        A frame of a server is its length and the message: it has no mask, and is never compressed.
        """
        if not self.writable.is_set() or not self.handshake_complete or self.close_sent:
            return False
        if self.conn.state is not State.OPEN or self.transport.is_closing():
            return False
        self.transport.write(_frame_head(len(text)) + text)
        return True

    @property
    def _address(self) -> str:
        """As the connection has it: behind a proxy the proxy's."""
        return self.client[0] if self.client else "unknown"

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._limits.leave(self._address)
        self._unread.stop()
        if self._last is not None:
            self._last.cancel()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self.conn.refusal is not None and not self.transport.is_closing():
            self._end(self.conn.refusal)

    def _end(self, code: str) -> None:
        self._count(code)
        disconnect = {"type": "websocket.disconnect", "code": CLOSE_CODES[code], "reason": code}
        self.queue.put_nowait(disconnect)  # type: ignore[arg-type]
        self.transport.write(b"".join(self.conn.data_to_send()))
        self.close_sent = True
        self._close()

    def _count(self, code: str) -> None:
        self._limits.refusals.count("socket", code, address_of(self.scope))

    # -------------------------------------------------------------- who does not read

    def pause_writing(self) -> None:
        super().pause_writing()
        self._unread.start()

    def resume_writing(self) -> None:
        super().resume_writing()
        self._unread.stop()

    def _give_up(self) -> None:
        self._count(TOO_SLOW)
        self.transport.abort()

    def on_task_complete(self, task: asyncio.Task[None]) -> None:
        super().on_task_complete(task)
        self._close()

    def _close(self) -> None:
        """Now, or a little later by force: a client that does not read cannot stay."""
        if self.close_timer is None:
            self.transport.close()
        if not self.disconnected and self._last is None:
            self._last = self.loop.call_later(CLOSE_SECONDS, self.transport.abort)
