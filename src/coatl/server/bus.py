"""How the processes of one PostgreSQL database tell each other something: LISTEN and NOTIFY.

Nothing depends on a message: it only says where to look sooner. After a lost connection everybody
looks everywhere.
"""

from __future__ import annotations

import contextlib
import queue
import threading
import time
from collections.abc import Callable

import psycopg

CHANNEL = "coatl"
RETRY_SECONDS = 0.2
CONNECT_SECONDS = 5
LOOK_EVERY = 0.5  # seconds between two looks whether to end
LISTEN_SECONDS = 2.5  # until it is sure that nobody says anything
SILENCE = 6.0  # seconds without any message, not even our own: the connection must be broken


def is_served(address: str) -> bool:
    """Does a process serve a database? All of them say something every second."""
    with psycopg.connect(address, autocommit=True, connect_timeout=CONNECT_SECONDS) as connection:
        connection.execute(f"LISTEN {CHANNEL}")
        return any(True for _ in connection.notifies(timeout=LISTEN_SECONDS, stop_after=1))


class Bus:
    """Two threads with a connection each. The callbacks are called in one of them."""

    def __init__(
        self,
        address: str,
        on_message: Callable[[str], None],
        on_connected: Callable[[], None],
    ) -> None:
        self._address = address
        self._on_message, self._on_connected = on_message, on_connected
        self._outgoing: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self._closed = threading.Event()
        self._threads = [
            threading.Thread(target=work, name="coatl-bus", daemon=True)
            for work in (self._listen, self._send)
        ]

    def start(self) -> None:
        for thread in self._threads:
            thread.start()

    def send(self, message: str) -> None:
        """Soon, in order; lost if the database is away. At most 8,000 bytes."""
        self._outgoing.put(message)

    def close(self) -> None:
        """Send what waits, and end."""
        self._outgoing.put(None)
        self._threads[1].join(CONNECT_SECONDS)
        self._closed.set()
        self._threads[0].join(CONNECT_SECONDS)

    def _connect(self) -> psycopg.Connection[tuple[object, ...]]:
        return psycopg.connect(
            self._address,
            autocommit=True,
            connect_timeout=CONNECT_SECONDS,
            application_name="coatl",
        )

    def _listen(self) -> None:
        while not self._closed.is_set():
            try:
                with self._connect() as connection:
                    connection.execute(f"LISTEN {CHANNEL}")
                    self._on_connected()
                    self._hear(connection)
            except psycopg.Error:
                self._closed.wait(RETRY_SECONDS)

    def _hear(self, connection: psycopg.Connection[tuple[object, ...]]) -> None:
        """Until the connection is broken, or nothing has come for too long."""
        heard = time.monotonic()
        while not self._closed.is_set() and time.monotonic() - heard < SILENCE:
            for notification in connection.notifies(timeout=LOOK_EVERY):
                heard = time.monotonic()
                self._on_message(notification.payload)

    def _send(self) -> None:
        connection: psycopg.Connection[tuple[object, ...]] | None = None
        is_last = is_lost = False
        while not is_last:
            messages = [self._outgoing.get()]
            with contextlib.suppress(queue.Empty):
                while True:
                    messages.append(self._outgoing.get_nowait())
            is_last = None in messages
            texts = [message for message in messages if message is not None]
            try:
                if connection is None or connection.closed:
                    connection = self._connect()
                connection.execute(
                    "SELECT pg_notify(%s, message) FROM unnest(%s::text[]) AS message",
                    [CHANNEL, texts],
                )
                if is_lost:
                    is_lost = False
                    self._on_connected()  # what could not be sent is told anew
            except psycopg.Error:
                is_lost = True
                if connection is not None:
                    connection.close()
        if connection is not None:
            connection.close()
