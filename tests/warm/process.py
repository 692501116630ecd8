"""A `coatl` that is forked from a process with the kernel loaded (`tests.warm.forks`)."""

from __future__ import annotations

import atexit
import json
import os
import select
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from pathlib import Path

from tests.warm.forks import Order
from tests.warm.start import compile_kernel, environment

PATIENCE = 120  # seconds until the first fork


class WarmProcess:
    """As much of `subprocess.Popen` as the tests need. It gets three open files."""

    def __init__(
        self,
        arguments: Sequence[str],
        files: Sequence[int],
        env: Mapping[str, str],
        cwd: Path | None = None,
        prelude: str = "",
        controls_terminal: bool = False,
        imports_anew: bool = False,
    ) -> None:
        order: Order = {
            "arguments": list(arguments),
            "cwd": str(cwd or Path.cwd()),
            "env": dict(env),
            "prelude": prelude,
            "imports_anew": imports_anew,
            "controls_terminal": controls_terminal,
        }
        self.returncode: int | None = None
        self._connection = socket.socket(socket.AF_UNIX)
        self._connection.connect(_forks().address)
        socket.send_fds(self._connection, [b"-"], list(files))
        self._connection.sendall(f"{json.dumps(order)}\n".encode())
        self._answers = self._connection.makefile()
        self.pid = int(self._answers.readline())

    def poll(self) -> int | None:
        """The exit code, or minus the signal that ended it; None while it runs."""
        if self.returncode is None and select.select([self._connection], [], [], 0)[0]:
            self._end()
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        if self.returncode is None:
            if not select.select([self._connection], [], [], timeout)[0]:
                raise subprocess.TimeoutExpired("coatl", timeout or 0.0)
            self._end()
        assert self.returncode is not None
        return self.returncode

    def _end(self) -> None:
        self.returncode = int(self._answers.readline())
        self._answers.close()
        self._connection.close()

    def send_signal(self, sign: int) -> None:
        if self.poll() is None:
            with suppress(ProcessLookupError):  # it has ended just now, as with `subprocess`
                os.kill(self.pid, sign)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)


class Forks:
    """The process that forks: one for each process of the tests, as long as that runs."""

    def __init__(self, env: Mapping[str, str]) -> None:
        self._folder = tempfile.TemporaryDirectory()
        self.address = str(Path(self._folder.name, "forks"))
        program = Path(__file__).with_name("forks.py")
        self._process = subprocess.Popen(
            [sys.executable, "-P", str(program), self.address],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=dict(env),
        )
        self._await_first_word()

    def _await_first_word(self) -> None:
        assert self._process.stdout is not None
        ready, _, _ = select.select([self._process.stdout], [], [], PATIENCE)
        assert ready, "the process that forks does not start"
        assert self._process.stdout.readline() == b"ready\n"

    def close(self) -> None:
        self._process.kill()
        self._process.communicate()
        self._folder.cleanup()


@lru_cache(maxsize=1)
def _forks() -> Forks:
    compile_kernel()
    forks = Forks(environment())
    atexit.register(forks.close)
    return forks
