"""One open socket: what is waiting to be sent, in order, and never more than is useful."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from coatl.server.room import Room

MOST_WAITING = 64  # messages; a client with more is too slow and is disconnected
_HEAD = len(b'{"type":"state"')


@dataclass(slots=True)
class _StateMessage:
    body: bytes
    base: int
    reply: str | None


class Connection:
    """A seat's (or a spectator's) socket. `place` is None for spectators.

    What the client takes at once is written at once (`write_now`, which tells whether it was). What
    it does not take waits for `write`, which sends one message after the other (`send`).
    """

    def __init__(
        self,
        send: Callable[[str], Awaitable[None]],
        place: int | None,
        address: str = "",
        write_now: Callable[[bytes], bool] = lambda _: False,
    ) -> None:
        self.place = place
        self.address = address
        self.base = 0  # events sent so far
        self.shown: int | None = None  # the version on the screen; None: the client does not tell
        self.ended = asyncio.Event()  # the client is to be disconnected
        self.reason: str | None = None  # the code that it is told then
        self._send = send
        self._write_now = write_now
        self._is_sending = False
        self._waiting: deque[bytes | _StateMessage] = deque()
        self._news = asyncio.Event()

    def offer(self, message: bytes) -> None:
        if not self._is_written(message):
            self._waiting.append(message)
            self._wake()

    def offer_state(self, room: Room, reply: str | None = None) -> None:
        """The table as it is now. It replaces a state that still waits unsent."""
        base = self.base
        if self._waiting:
            last = self._waiting[-1]
            if isinstance(last, _StateMessage) and last.reply is None:
                self._waiting.pop()
                base = last.base
        message = _StateMessage(room.render(self.place, base), base, reply)
        self.base = room.event_count
        if not self._is_written(message):
            self._waiting.append(message)
            self._wake()

    def _is_written(self, message: bytes | _StateMessage) -> bool:
        """Write a message at once, if nothing that comes before it still waits."""
        return not self._waiting and not self._is_sending and self._write_now(_content(message))

    def end(self, reason: str | None = None) -> None:
        """Disconnect the client, with a code for why; without one it can come back."""
        self.reason = reason
        self.ended.set()

    def _wake(self) -> None:
        if len(self._waiting) > MOST_WAITING:  # the client is too slow
            self.ended.set()
        self._news.set()

    @property
    def is_behind(self) -> bool:
        return len(self._waiting) > MOST_WAITING // 4

    async def write(self) -> None:
        """Send what waits, until cancelled."""
        while True:
            await self._news.wait()
            self._news.clear()
            self._is_sending = True
            while self._waiting:
                await self._send(_content(self._waiting.popleft()).decode())
            self._is_sending = False


def _content(message: bytes | _StateMessage) -> bytes:
    if isinstance(message, bytes):
        return message
    if message.reply is None:
        return message.body
    reply = b',"reply":' + msgspec.json.encode(message.reply)
    return message.body[:_HEAD] + reply + message.body[_HEAD:]
