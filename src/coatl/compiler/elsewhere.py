"""Compiling a package in another process, which says how far it is; this one stays free meanwhile.

A server must go on answering, and end when it is told to: a thread that compiles holds the GIL most
of the time, cannot be stopped, and leaves behind hundreds of megabytes.
"""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
from collections import deque
from contextlib import suppress

from coatl.compiler import jit
from coatl.compiler.cache import cache_folder, is_cached
from coatl.compiler.functions import DISABLED
from coatl.compiler.progress import ProgressReport

TASK = "from coatl.compiler import elsewhere; elsewhere.compile_and_tell({package!r})"
KEPT_LINES = 40  # of what the process says besides, for whoever has to find out why it failed
STOP_SECONDS = 3.0  # until it is killed; a function that is being compiled takes about one


class CompileError(Exception):
    """The process failed; the message is what it said last."""


def can_compile_elsewhere(package: str) -> bool:
    """Is there something to compile, and a folder in which another process can leave it?"""
    if DISABLED or not sys.executable:
        return False
    return cache_folder(package) is not None and not is_cached(package)


class CompileProcess:
    """Fills the cache with a package, and reports how far it is."""

    def __init__(self, package: str, report: ProgressReport) -> None:
        self._package = package
        self._report = report
        self._process: subprocess.Popen[str] | None = None
        self._is_stopped = False
        self._starting = threading.Lock()

    def run(self) -> None:
        """Wait until it is done; raises `CompileError`, also if it was stopped."""
        with self._starting:
            if self._is_stopped:
                raise CompileError("stopped")
            self._process = process = self._start()
        said: deque[str] = deque(maxlen=KEPT_LINES)
        assert process.stdout is not None
        with process.stdout:
            for line in process.stdout:
                try:
                    self._report(self._package, float(line))
                except ValueError:
                    said.append(line)
        code = process.wait()
        if code != 0:
            raise CompileError("".join(said).strip() or f"it ended with the code {code}")

    def _start(self) -> subprocess.Popen[str]:
        command = [sys.executable, "-c", TASK.format(package=self._package)]
        try:
            return subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                encoding="utf-8",
                errors="replace",
            )
        except OSError as error:
            raise CompileError(f"no process can be started: {error}") from None

    def stop(self) -> None:
        """End it, from any thread. Interrupted, it ends the process that helps it, too."""
        with self._starting:
            self._is_stopped = True
            process = self._process
        if process is None or process.poll() is not None:
            return
        with suppress(ValueError):  # Windows cannot
            process.send_signal(signal.SIGINT)
        try:
            process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def compile_and_tell(package: str) -> None:
    """What that process does."""
    jit.report_progress = _tell
    jit.load_all(package)


def _tell(package: str, share: float) -> None:
    print(share, flush=True)
