"""`coatl serve`: one process, one folder, until somebody stops it."""

from __future__ import annotations

import gc
import logging
import signal
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import platformdirs
import uvicorn

from coatl.compiler import jit
from coatl.server.app import make_app
from coatl.server.logs import set_up_logs
from coatl.server.settings import ServerSettings
from coatl.server.store import StorageError, Store

logger = logging.getLogger("coatl.server")


class ServeError(Exception):
    """The server cannot start; the message is for people."""


def data_folder() -> Path:
    return Path(platformdirs.user_data_dir("coatl", appauthor=False))


def listen(host: str, port: int) -> socket.socket:
    """A bound socket, so that a port in use is known before anything else happens."""
    if not 0 <= port <= 65535:
        raise ServeError(f"a port is a number from 0 to 65535, not {port}")
    try:
        family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        listening = socket.socket(family, socket.SOCK_STREAM)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(address)
    except OSError as error:
        raise ServeError(f"{host}:{port}: {error.strerror or error}") from None
    except UnicodeError:
        raise ServeError(f"{host!r} is no name of a host") from None
    return listening


class Server(uvicorn.Server):
    """Returns when stopped by a signal, so that the store is closed and the exit code is 0."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        before = {sign: signal.signal(sign, self.handle_exit) for sign in _STOP_SIGNALS}
        try:
            yield
        finally:
            for sign, handler in before.items():
                signal.signal(sign, handler)


_STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM)


def _collect_garbage_rarely() -> None:
    """Collect garbage rarely: views and logs hold no cycles, and looking through them costs more
    than a quarter of a busy server's time and pauses it for tens of milliseconds.
    """
    gc.collect()
    gc.freeze()  # what is there now stays
    gc.set_threshold(50_000, 20, 100)


def serve(host: str, port: int, folder: Path, settings: ServerSettings) -> None:
    """Run until interrupted; raises `ServeError` if it cannot start."""
    listening = listen(host, port)
    try:
        store = Store(folder, settings.busy_timeout)
    except StorageError as error:
        listening.close()
        raise ServeError(str(error)) from None
    set_up_logs()
    try:
        jit.load_all()
        _collect_garbage_rarely()
        at = listening.getsockname()
        logger.info("listening", extra={"fields": {"host": at[0], "port": at[1]}})
        config = uvicorn.Config(
            make_app(store, settings),
            ws="websockets-sansio",
            ws_max_size=4 * settings.max_message,  # up to there the application answers itself
            ws_per_message_deflate=False,  # a state is small, and compressing takes longer
            access_log=False,
            log_config=None,
            server_header=False,
            timeout_graceful_shutdown=5,
        )
        Server(config).run(sockets=[listening])
    finally:
        store.close()
