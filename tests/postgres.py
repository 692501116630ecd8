"""A real PostgreSQL server for the tests, one for each process of pytest, started when needed.

It runs as another user where the tests are root, since it refuses to run as root. It does not wait
for the disk: the tests kill processes, not the machine.
"""

from __future__ import annotations

import atexit
import ctypes
import os
import pwd
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import lru_cache
from itertools import count
from pathlib import Path
from typing import Any

import psycopg

from coatl.server.postgres import open_postgres, read_url
from tools.find_postgres import find_postgres

USER = "coatl"
OTHER_USERS = ("postgres", "nobody")  # whoever there is, if we are root
PATIENCE = 60.0
DURABLE = {
    "listen_addresses": "127.0.0.1",
    "unix_socket_directories": "",
    "max_connections": "200",
    "shared_buffers": "16MB",
    "log_min_messages": "fatal",
}
QUICK = {**DURABLE, "fsync": "off", "full_page_writes": "off"}
TEMPLATE = "coatl_template"  # has the schema already


class PostgresServer:
    """Databases are made with `database`; `stop`, `start` and `cut` disturb whoever uses them."""

    def __init__(self, programs: Path, settings: Mapping[str, str] = QUICK) -> None:
        self._programs, self._settings = programs, settings
        self._folder = Path(tempfile.mkdtemp(prefix="coatl-postgres-"))
        self._user = _other_user()
        if self._user is not None:
            os.chown(self._folder, self._user, -1)
        self._data = self._folder / "data"
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = int(probe.getsockname()[1])
        self._process: subprocess.Popen[bytes] | None = None
        self._numbers = count()
        self._run("initdb", "-D", self._data, "-U", USER, "-A", "trust", "-N", "--locale=C.UTF-8")
        self.start()
        with self.connect("postgres") as connection:
            connection.execute(f"CREATE DATABASE {TEMPLATE}")
        open_postgres(read_url(self.address(TEMPLATE))).dispose()

    def _run(self, program: str, *arguments: str | Path) -> None:
        command = [str(self._programs / program), *map(str, arguments)]
        subprocess.run(command, check=True, capture_output=True, cwd="/", user=self._user)

    def address(self, database: str) -> str:
        return f"postgresql://{USER}@127.0.0.1:{self.port}/{database}"

    def connect(self, database: str) -> psycopg.Connection[Any]:
        return psycopg.connect(self.address(database), autocommit=True)

    def start(self) -> None:
        """Returns when it answers."""
        self.launch()
        self.wait_until_up()

    def launch(self) -> None:
        """It ends with the thread that calls this."""
        settings = [f"--{name}={value}" for name, value in self._settings.items()]
        self._process = subprocess.Popen(
            [self._programs / "postgres", "-D", self._data, "-p", str(self.port), *settings],
            cwd="/",
            user=self._user,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            preexec_fn=_end_with_parent,
        )

    def wait_until_up(self) -> None:
        assert self._process is not None
        end = time.monotonic() + PATIENCE
        while True:
            try:
                self.connect("postgres").close()
                return
            except psycopg.OperationalError:
                if time.monotonic() > end or self._process.poll() is not None:
                    raise
                time.sleep(0.02)

    def stop(self, how: signal.Signals = signal.SIGINT) -> None:
        """SIGINT breaks all connections and ends in order, SIGQUIT ends as in a crash."""
        assert self._process is not None
        self._process.send_signal(how)
        self._process.wait(PATIENCE)

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    def cut(self, database: str) -> int:
        """Break all connections to a database; returns how many there were."""
        with self.connect("postgres") as connection:
            found = connection.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s",
                [database],
            )
            return len(found.fetchall())

    @contextmanager
    def database(self) -> Iterator[str]:
        """The address of a new database, which is deleted in the end."""
        name = f"test{next(self._numbers)}"
        with self.connect("postgres") as connection:
            connection.execute(f"CREATE DATABASE {name} TEMPLATE {TEMPLATE}")
        try:
            yield self.address(name)
        finally:
            with self.connect("postgres") as connection:
                connection.execute(f"DROP DATABASE {name} WITH (FORCE)")

    def close(self) -> None:
        self.stop(signal.SIGQUIT)
        shutil.rmtree(self._folder, ignore_errors=True)


@lru_cache(maxsize=1)
def shared_postgres() -> PostgresServer:
    programs = find_postgres()
    assert programs is not None, "no PostgreSQL: python -m tools.find_postgres --install"
    server = PostgresServer(programs)
    atexit.register(server.close)
    return server


def _other_user() -> int | None:
    if os.geteuid() != 0:
        return None
    for name in OTHER_USERS:
        try:
            return pwd.getpwnam(name).pw_uid
        except KeyError:
            continue
    return None


def _end_with_parent() -> None:
    """Also if the tests are killed."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(1, signal.SIGQUIT)
