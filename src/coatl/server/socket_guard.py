"""WebSockets whose frames are limited as messages are, whatever is in them.

Pings, pongs and fragments never reach the application, which limits the messages.
"""

from __future__ import annotations

import asyncio
from collections import deque
from typing import Any

import msgspec
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame, Opcode
from websockets.http11 import Request
from websockets.protocol import State
from websockets.server import ServerProtocol
from websockets.streams import StreamReader

try:
    from websockets.speedups import apply_mask
except ImportError:  # websockets was built without a compiler
    from websockets.utils import apply_mask

from coatl.server.connection_limits import ConnectionLimits
from coatl.server.deadline import Deadline
from coatl.server.limits import MOST_EARLY, Bucket
from coatl.server.origin import address_of
from coatl.server.refusals import MEANINGS, TOO_FAST, TOO_LARGE, TOO_SLOW
from coatl.server.settings import ServerSettings

FRAMES_OF_A_MESSAGE = 2  # for each message that may come, on average
MOST_FRAGMENTS = 64  # of one message
MOST_WAITING = 4  # messages that are read before the first is taken
DATA = frozenset({Opcode.TEXT, Opcode.BINARY, Opcode.CONT})
WHOLE_TEXT, MASKED = 0x81, 0x80  # how a message in one frame begins (RFC 6455, section 5.2)
HEAD_AND_MASK = 6  # bytes before a short text
LONGEST_SHORT = 125  # bytes of a text whose length is in the second byte
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

    def short_text(self, data: bytes) -> bytes | None:
        """The message, if data is one short text in one frame, as nearly all of it is.

        None leaves it to `receive_data`, which takes four times as long.
        """
        length = len(data) - HEAD_AND_MASK
        if not 0 <= length <= LONGEST_SHORT or data[0] != WHOLE_TEXT:
            return None
        if data[1] != MASKED | length or not self._is_between_messages:
            return None
        if self._data.take():
            self._refuse(TOO_FAST)
            return None
        return apply_mask(data[HEAD_AND_MASK:], data[2:HEAD_AND_MASK])

    @property
    def _is_between_messages(self) -> bool:
        """Has it read whole frames so far, and is no message unfinished?"""
        if self.state is not State.OPEN or self.current_size is not None:
            return False
        waiting: Any = self.parser
        while (inner := getattr(waiting, "gi_yieldfrom", None)) is not None:
            waiting = inner
        return getattr(waiting, "gi_code", None) is StreamReader.at_eof.__code__

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


class MessageQueue:
    """What one reader gets, in order. `asyncio.Queue` does more, and takes several times as long
    as decoding what is in it.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._messages: deque[Any] = deque()
        self._waiting: asyncio.Future[None] | None = None

    def __len__(self) -> int:
        return len(self._messages)

    def put_nowait(self, message: Any) -> None:
        self._messages.append(message)
        if self._waiting is not None and not self._waiting.done():
            self._waiting.set_result(None)

    async def get(self) -> Any:
        while not self._messages:
            self._waiting = self._loop.create_future()
            await self._waiting
        return self._messages.popleft()


class GuardedSocket(WebSocketsSansIOProtocol):
    """One WebSocket; its connection was counted when it was HTTP."""

    conn: LimitedFrames
    queue: MessageQueue  # type: ignore[assignment]

    def __init__(self, limits: ConnectionLimits, **uvicorn: Any) -> None:
        super().__init__(**uvicorn)
        self._limits = limits
        self._unread = Deadline(self.loop, limits.settings.request_seconds, self._give_up)
        self._last: asyncio.TimerHandle | None = None
        self._is_answered = False  # has the application ended?
        self.queue = MessageQueue(self.loop)
        self.conn = LimitedFrames(
            limits.settings, max_size=self.config.ws_max_size, logger=self.logger
        )

    def handle_connect(self, event: Request) -> None:
        super().handle_connect(event)
        if self.response.status_code == 101:
            self.scope["extensions"][WRITE_NOW] = self.write_now  # type: ignore[assignment]

    def send_receive_event_to_app(self) -> None:
        """Nothing more is read while several messages wait; after each one it would cost more than
        the message.
        """
        was_paused, self.read_paused = self.read_paused, True  # so that uvicorn does not pause it
        super().send_receive_event_to_app()
        self.read_paused = was_paused or len(self.queue) >= MOST_WAITING
        if self.read_paused and not was_paused:
            self.transport.pause_reading()

    async def receive(self) -> Any:
        message = await self.queue.get()
        if self.read_paused and not self.queue:
            self.read_paused = False
            self.transport.resume_reading()
        return message

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
        if self._is_answered:
            self._forget()

    def data_received(self, data: bytes) -> None:
        text = self.conn.short_text(data) if self.handshake_complete else None
        if text is not None:
            self.frames, self.curr_msg_data_type = [text], "text"
            self.send_receive_event_to_app()
            return
        super().data_received(data)
        if self.conn.refusal is not None and not self.transport.is_closing():
            self._end(self.conn.refusal)

    def _end(self, code: str) -> None:
        self._count(code)
        disconnect = {"type": "websocket.disconnect", "code": CLOSE_CODES[code], "reason": code}
        self.queue.put_nowait(disconnect)
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
        self._is_answered = True
        if self.disconnected:
            self._forget()

    def _forget(self) -> None:
        """Nobody needs it any more. What it refers to leads back to it, and would stay in memory
        until all garbage is collected.
        """
        self.conn.parser.close()
        vars(self).clear()

    def _close(self) -> None:
        """Now, or a little later by force: a client that does not read cannot stay."""
        if self.close_timer is None:
            self.transport.close()
        if not self.disconnected and self._last is None:
            self._last = self.loop.call_later(CLOSE_SECONDS, self.transport.abort)
