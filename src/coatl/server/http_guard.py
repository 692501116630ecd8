"""HTTP with an end to everything: how long a head is, how long it takes, how much is pipelined.

uvicorn's protocol on httptools has none of these limits (see docs/decisions.md).
"""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

from coatl.server.connection_limits import ConnectionLimits
from coatl.server.deadline import Deadline
from coatl.server.headers import plain_answer
from coatl.server.refusals import BAD_REQUEST, TOO_FAST, TOO_LARGE, TOO_SLOW

MAX_HEAD = 16_384  # bytes of a request before its body
MOST_HEADERS = 100
MOST_PIPELINED = 16  # requests that wait for the answer to another; browsers send none
STATUS = {BAD_REQUEST: 400, TOO_SLOW: 408, TOO_LARGE: 431, TOO_FAST: 429}
TOO_MANY = 429  # the status of any other refusal of a connection


class RefusedError(Exception):
    """Ends the parsing of a request."""


class GuardedHttp(HttpToolsProtocol):
    """One connection, until it becomes a socket or ends."""

    def __init__(self, limits: ConnectionLimits, **uvicorn: Any) -> None:
        super().__init__(**uvicorn)
        self._limits = limits
        self._refusal = BAD_REQUEST  # what a request is refused for if it cannot be parsed
        self._head = 0  # bytes of the current head that have been parsed
        self._unparsed = 0  # bytes at most that the parser keeps
        self._upgraded = False
        self._running: RequestResponseCycle | None = None
        self._deadline: asyncio.TimerHandle | None = None
        self._unread = Deadline(self.loop, limits.settings.request_seconds, self._give_up)

    @property
    def _address(self) -> str:
        """As the connection has it: behind a proxy the proxy's."""
        return self.client[0] if self.client else "unknown"

    # -------------------------------------------------------------- the connection

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        refusal = self._limits.enter(self._address)
        if refusal is not None:
            self._answer(refusal)
            return
        self._await_request()

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._limits.leave(self._address)
        self._stop_clocks()
        self._unset_keepalive_if_required()  # uvicorn does so only without an error
        if not self._is_answering:
            self._forget()

    def handle_websocket_upgrade(self) -> None:
        self._upgraded = True
        self._stop_clocks()
        super().handle_websocket_upgrade()
        self._forget()

    def _forget(self) -> None:
        """Nobody needs it any more in a moment. What it refers to leads back to it, and would stay
        in memory until all garbage is collected.
        """
        self.loop.call_soon(vars(self).clear)

    def _stop_clocks(self) -> None:
        self._unread.stop()
        if self._deadline is not None:
            self._deadline.cancel()

    # -------------------------------------------------------------- how long it takes

    @property
    def _is_answering(self) -> bool:
        return self._running is not None and not self._running.response_complete

    def _await_request(self) -> None:
        """From now on the client has so long for the next head, and for the end of this body."""
        if self._deadline is not None:
            self._deadline.cancel()
        seconds = self._limits.settings.request_seconds
        if seconds:
            self._deadline = self.loop.call_later(seconds, self._time_out)

    def _time_out(self) -> None:
        if self.transport.is_closing():  # the last answer is not being read
            self.transport.abort()
        elif not self._is_answering:
            if self._head or self._unparsed:
                self._refuse(TOO_SLOW)
            else:
                self.transport.close()
                self._await_request()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if not self.pipeline:
            self._await_request()

    def pause_writing(self) -> None:
        """The client does not read; it has as long for that as for a request."""
        super().pause_writing()
        self._unread.start()

    def resume_writing(self) -> None:
        super().resume_writing()
        self._unread.stop()

    def _give_up(self) -> None:
        self._count(TOO_SLOW)
        self.transport.abort()

    # -------------------------------------------------------------- how much it is

    def data_received(self, data: bytes) -> None:
        for start in range(0, len(data), MAX_HEAD):
            part = data[start : start + MAX_HEAD]
            self._unparsed += len(part)
            super().data_received(part)
            if self._upgraded or self.transport.is_closing():
                return
            if self._unparsed > MAX_HEAD:
                self._refuse(TOO_LARGE)
                return

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._head = self._unparsed = 0

    def on_url(self, url: bytes) -> None:
        self._note_head(len(url))
        super().on_url(url)

    def on_header(self, name: bytes, value: bytes) -> None:
        """Also for those that follow a body in chunks."""
        self._note_head(len(name) + len(value))
        super().on_header(name, value)
        if len(self.headers) > MOST_HEADERS:
            self._stop_parsing(TOO_LARGE)

    def on_headers_complete(self) -> None:
        if len(self.pipeline) >= MOST_PIPELINED:
            self._stop_parsing(TOO_FAST)
        super().on_headers_complete()

    def on_chunk_header(self) -> None:
        self._unparsed = 0

    def on_body(self, body: bytes) -> None:
        self._unparsed = 0
        super().on_body(body)

    def on_message_complete(self) -> None:
        self._head = self._unparsed = 0
        super().on_message_complete()

    def _note_head(self, size: int) -> None:
        self._unparsed = 0
        self._head += size
        if self._head > MAX_HEAD:
            self._stop_parsing(TOO_LARGE)

    def _stop_parsing(self, code: str) -> None:
        """Makes the parser fail, upon which uvicorn calls `send_400_response`."""
        self._refusal = code
        raise RefusedError

    # -------------------------------------------------------------- refusing

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: Any) -> None:
        self._running = cycle
        super()._start_asgi_task(cycle, app)

    def send_400_response(self, msg: str) -> None:
        self._refuse(self._refusal)

    def _refuse(self, code: str) -> None:
        self._count(code)
        self.pipeline.clear()
        if self._running is None or self._running.response_complete:
            self._answer(code)
            return
        has_begun = self._running.response_started
        self._running.disconnected = True  # whatever it answers goes nowhere
        self._running.message_event.set()
        if has_begun:
            self.transport.abort()
        else:
            self._answer(code)

    def _answer(self, code: str) -> None:
        self.transport.write(plain_answer(STATUS.get(code, TOO_MANY), code))
        self.transport.close()
        self._await_request()  # none can come, but then the connection is ended by force

    def _count(self, code: str) -> None:
        self._limits.count_refusal("connection", code, self._address)
