"""`coatl serve`: one process on a folder or a database, or several, until somebody stops it."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import socket
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import uvicorn

from coatl.server.connection_limits import ConnectionLimits
from coatl.server.database import StorageError
from coatl.server.doors import Doors
from coatl.server.front import Front
from coatl.server.http_guard import GuardedHttp
from coatl.server.limits import Buckets
from coatl.server.logs import set_up_logs
from coatl.server.names import ServerNames
from coatl.server.open_files import most_connections, raise_limit
from coatl.server.refusals import Refusals
from coatl.server.settings import ServerSettings
from coatl.server.socket_guard import GuardedSocket
from coatl.server.startup import Startup
from coatl.server.stores import open_store
from coatl.server.workers import (
    Supervisor,
    can_have_workers,
    is_listening,
    listen_together,
    own_socket,
    say_ready,
    start_worker,
)

logger = logging.getLogger("coatl.server")


class ServeError(Exception):
    """The server cannot start; the message is for people."""


def listen(host: str, port: int, is_shared: bool = False) -> socket.socket:
    """A bound socket, so that a port in use is known before anything else happens.

    If it is shared, others of the same user may be bound to the same port.
    """
    if not 0 <= port <= 65535:
        raise ServeError(f"a port is a number from 0 to 65535, not {port}")
    try:
        family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        listening = socket.socket(family, socket.SOCK_STREAM)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if is_shared and sys.platform == "linux":
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        listening.bind(address)
    except OSError as error:
        raise ServeError(f"{host}:{port}: {error.strerror or error}") from None
    except UnicodeError:
        raise ServeError(f"{host!r} is no name of a host") from None
    return listening


class Server(uvicorn.Server):
    """Says when it listens, and when it is about to stop. Returns when stopped by a signal, so that
    the store is closed and the exit code is 0.
    """

    def __init__(
        self, config: uvicorn.Config, on_listening: Callable[[], None], front: Front, drain: float
    ) -> None:
        super().__init__(config)
        self._on_listening = on_listening
        self._front = front
        self._drain_seconds = drain

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self._on_listening()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._front.drain()
        await self._wait_for_drain()
        self._front.stop_work()  # or it would wait for the requests that take long
        await super().shutdown(sockets)

    async def _wait_for_drain(self) -> None:
        """Whoever distributes clients notices that `/readyz` fails. A second signal ends it."""
        if not self._drain_seconds:
            return
        fields = {"seconds": self._drain_seconds}
        logger.info("draining", extra={"fields": fields})
        signals = len(self._captured_signals)
        end = time.monotonic() + self._drain_seconds
        while time.monotonic() < end and len(self._captured_signals) == signals:
            await asyncio.sleep(DRAIN_LOOK_SECONDS)

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        before = {sign: signal.signal(sign, self.handle_exit) for sign in _STOP_SIGNALS}
        try:
            yield
        finally:
            for sign, handler in before.items():
                signal.signal(sign, handler)


DRAIN_LOOK_SECONDS = 0.1  # between two looks for another signal
_STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM)


def make_config(app: Any, limits: ConnectionLimits) -> uvicorn.Config:
    """How the server speaks HTTP and WebSocket."""
    settings = limits.settings
    return uvicorn.Config(
        app,
        http=partial(GuardedHttp, limits),  # type: ignore[arg-type]
        ws=partial(GuardedSocket, limits),  # type: ignore[arg-type]
        ws_max_size=4 * settings.max_message,  # up to there the application answers itself
        ws_per_message_deflate=False,  # a state is small, and compressing takes longer
        access_log=False,
        log_config=None,
        server_header=False,
        timeout_graceful_shutdown=5,
    )


def serve(
    host: str,
    port: int,
    database: str | Path,
    settings: ServerSettings,
    on_listening: Callable[[], None] | None = None,
    names: Sequence[str] = (),
) -> None:
    """Run until interrupted; raises `ServeError` if it cannot start.

    `database` is a folder, or the address of a PostgreSQL database.
    `on_listening` is called when the page can be asked for. Tables open when the rules are
    compiled, which takes a while the first time. `names` are what the server is called, if it is
    reached by way of a proxy.
    """
    listening = own_socket() or listen(host, port)
    try:
        store = open_store(database, settings.busy_timeout)
    except StorageError as error:
        listening.close()
        raise ServeError(str(error)) from None
    set_up_logs()
    open_files = raise_limit(settings.connections)

    def announce() -> None:
        at = listening.getsockname()
        fields = {"host": at[0], "port": at[1], "open_files": open_files}
        logger.info("listening", extra={"fields": fields})
        if most_connections(open_files) < settings.connections:
            logger.warning("few open files", extra={"fields": {"open_files": open_files}})
        if on_listening is not None:
            on_listening()

    try:
        refusals = Refusals()
        buckets = Buckets(store.hash_address if store.is_shared else None)
        limits = ConnectionLimits(settings, refusals, most_connections(open_files), buckets)
        front = Front(
            store,
            settings,
            Startup(say_ready),
            refusals,
            buckets,
            lambda: limits.count,
            is_replacement=is_listening(listening),
        )
        app = Doors(front, settings, ServerNames.of(names, host), refusals, buckets)
        config = make_config(app, limits)
        Server(config, announce, front, settings.drain_seconds).run(sockets=[listening])
    finally:
        store.close()


def serve_with_workers(
    host: str,
    port: int,
    database: str | Path,
    settings: ServerSettings,
    workers: int,
    variables: Mapping[str, str],
) -> None:
    """Run several processes until interrupted; raises `ServeError` if they cannot start.

    `variables` tell them what they are to do.
    """
    if not can_have_workers():
        raise ServeError("several workers are not possible on this system")
    listening = listen(host, port, is_shared=True)
    try:
        open_store(database, settings.busy_timeout).close()  # with the right schema, from now on
    except StorageError as error:
        listening.close()
        raise ServeError(str(error)) from None
    set_up_logs()
    at = listening.getsockname()
    fields = {"host": at[0], "port": at[1], "workers": workers}
    logger.info("workers start", extra={"fields": fields})
    sockets = listen_together(listening, workers)
    try:
        starting = partial(start_worker, variables)
        Supervisor(sockets, starting, settings.drain_seconds).run()
    finally:
        for one in sockets:
            one.close()


def leave_stuck_bots() -> None:
    """End the program here and now if a bot cannot be made to stop; all else is tidied up.

    Python would end its thread somewhere in compiled code, and crash with the exit code of that.
    """
    from coatl.server.bots import any_thinks

    if any_thinks():
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(0)
