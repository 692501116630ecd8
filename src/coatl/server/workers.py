"""`coatl serve --workers N`: several processes on one port, watched over by this one.

Each has a socket of its own on the same port, and the system spreads connections evenly (Linux;
elsewhere they share one socket). The sockets belong to this process and stay open while a worker is
replaced, so nobody who connects meanwhile is refused. A worker that dies is started again, and one
that says nothing for too long is ended first. On SIGHUP all are replaced one after the other, each
by a new one that is ready before the old one is stopped.
"""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field

logger = logging.getLogger("coatl.server.workers")

SOCKET_VARIABLE, READY_VARIABLE = "COATL_WORKER_SOCKET", "COATL_WORKER_READY"
NUMBER_VARIABLE = "COATL_WORKER_NUMBER"
READY_SECONDS = 600.0  # for a new worker; on the first start it compiles the rules
STOP_SECONDS = 30.0  # besides the time that a worker is given to drain
SIGNAL_SECONDS = 0.5  # between two signals, which would else be one
SHORT_LIFE = 10.0  # seconds: whoever lives shorter than that is started again later and later
FIRST_PAUSE, LONGEST_PAUSE = 0.5, 30.0
LOOK_EVERY = 0.2  # seconds
BEAT_SECONDS = 1.0  # between two signs of life of a worker
HUNG_SECONDS = 20.0  # without one, when it has been ready
READY, ALIVE = b"!", b"."

Start = Callable[[socket.socket, int, int], subprocess.Popen[bytes]]  # socket, ready pipe, number


def can_have_workers() -> bool:
    return os.name == "posix"


def listen_together(listening: socket.socket, count: int) -> list[socket.socket]:
    """A socket for each worker, all on the port of `listening`, which is the first of them."""
    if sys.platform != "linux":
        return [listening] * count
    sockets = [listening]
    for _ in range(count - 1):
        another = socket.socket(listening.family, socket.SOCK_STREAM)
        another.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        another.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        another.bind(listening.getsockname())
        sockets.append(another)
    return sockets


def start_worker(
    variables: Mapping[str, str], listening: socket.socket, ready: int, number: int
) -> subprocess.Popen[bytes]:
    """A process of the same program; what it is told, it is told by variables."""
    env = {
        **os.environ,
        **variables,
        SOCKET_VARIABLE: str(listening.fileno()),
        READY_VARIABLE: str(ready),
        NUMBER_VARIABLE: str(number),
    }
    return subprocess.Popen(
        [sys.executable, "-m", "coatl.cli.main", "serve"],
        env=env,
        pass_fds=[listening.fileno(), ready],
    )


def own_socket(environment: Mapping[str, str] = os.environ) -> socket.socket | None:
    """In a worker: the socket that it was given."""
    number = environment.get(SOCKET_VARIABLE)
    return None if number is None else socket.socket(fileno=int(number))


def is_listening(given: socket.socket) -> bool:
    """Did another worker listen there before? Then connections wait there, or it answers them."""
    return bool(given.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN))


def say_ready(environment: Mapping[str, str] = os.environ) -> None:
    """In a worker's event loop: tell the process that watches over it, and go on telling."""
    if READY_VARIABLE in environment:
        pipe = int(environment[READY_VARIABLE])
        os.set_blocking(pipe, False)
        _say(pipe, READY)


def _say(pipe: int, what: bytes) -> None:
    try:
        os.write(pipe, what)
    except BlockingIOError:
        pass  # nobody has read for long, but somebody is there
    except OSError:  # nobody is there: the one who watched was killed
        os.kill(os.getpid(), signal.SIGTERM)
        return
    asyncio.get_running_loop().call_later(BEAT_SECONDS, _say, pipe, ALIVE)


@dataclass
class Worker:
    """One of the processes; replaced when it dies."""

    number: int
    listening: socket.socket
    process: subprocess.Popen[bytes]
    pipe: int  # from which its signs of life come
    started: float = field(default_factory=time.monotonic)
    heard: float = field(default_factory=time.monotonic)
    ended: float | None = None  # when it was found dead
    failures: int = 0  # short lives in a row, of it and those before it
    is_ready: bool = False

    def look(self) -> None:
        """Has it said something?"""
        with suppress(BlockingIOError):
            if said := os.read(self.pipe, 4096):
                self.heard = time.monotonic()
                self.is_ready = self.is_ready or READY in said

    @property
    def is_hung(self) -> bool:
        return self.is_ready and time.monotonic() - self.heard > HUNG_SECONDS

    def stop(self) -> None:
        with suppress(ProcessLookupError):
            self.process.terminate()


def _pause(failures: int) -> float:
    """Seconds until a worker is started again after so many short lives in a row."""
    return min(FIRST_PAUSE * 2 ** min(failures, 10), LONGEST_PAUSE) if failures else 0.0


class Supervisor:
    """Keeps the workers running until it is told to stop; `run` returns then."""

    def __init__(self, sockets: list[socket.socket], start: Start, drain: float = 0.0) -> None:
        self._sockets, self._start = sockets, start
        self._drain_seconds = drain
        self.workers: list[Worker] = []
        self._is_stopping = False
        self._is_replacing = False

    def run(self) -> None:
        signs = {signal.SIGTERM: self._on_stop, signal.SIGINT: self._on_stop}
        signs[signal.SIGHUP] = self._on_replace
        before = {sign: signal.signal(sign, handler) for sign, handler in signs.items()}
        try:
            self._start_all()
            while not self._is_stopping:
                before_sleep = time.monotonic()
                time.sleep(LOOK_EVERY)
                self._watch(time.monotonic() - before_sleep > HUNG_SECONDS / 2)
                self._revive()
                if self._is_replacing:
                    self._is_replacing = False
                    self._replace_all()
        finally:
            self._stop(self.workers)
            for sign, handler in before.items():
                signal.signal(sign, handler)

    def _on_stop(self, *_: object) -> None:
        self._is_stopping = True

    def _on_replace(self, *_: object) -> None:
        self._is_replacing = True

    def _start_all(self) -> None:
        """The first one alone, which compiles the rules if need be; then the others."""
        for number, listening in enumerate(self._sockets):
            self.workers.append(self._new(number, listening))
            if number == 0:
                self._wait_ready(self.workers[0])

    def _new(self, number: int, listening: socket.socket, failures: int = 0) -> Worker:
        pipe, theirs = os.pipe()
        os.set_blocking(pipe, False)
        try:
            process = self._start(listening, theirs, number)
        finally:
            os.close(theirs)
        return Worker(number, listening, process, pipe, failures=failures)

    def _wait_ready(self, worker: Worker) -> bool:
        """False if it has ended, takes too long, or all are to stop."""
        end = time.monotonic() + READY_SECONDS
        while not self._is_stopping and time.monotonic() < end:
            worker.look()
            if worker.is_ready:
                return True
            if worker.process.poll() is not None:
                return False
            time.sleep(LOOK_EVERY / 4)
        return False

    def _watch(self, was_paused: bool) -> None:
        """End workers that hang; but if we were paused ourselves, they have been, too."""
        for worker in self.workers:
            worker.look()
            if was_paused:
                worker.heard = time.monotonic()
            if worker.is_hung and worker.process.poll() is None:
                fields = {"worker": worker.number}
                logger.error("a worker hangs and is ended", extra={"fields": fields})
                worker.process.kill()

    def _revive(self) -> None:
        for place, worker in enumerate(self.workers):
            code = worker.process.poll()
            if code is None:
                continue
            if worker.ended is None:
                worker.ended = time.monotonic()
            is_short = worker.ended - worker.started < SHORT_LIFE
            failures = worker.failures + 1 if is_short else 0
            if time.monotonic() - worker.ended < _pause(failures):
                continue  # its turn comes
            fields = {"worker": worker.number, "code": code}
            logger.warning("a worker ended", extra={"fields": fields})
            os.close(worker.pipe)
            self.workers[place] = self._new(worker.number, worker.listening, failures)

    def _replace_all(self) -> None:
        """One after the other; if a new one does not get ready, the old ones stay."""
        for place, old in enumerate(self.workers):
            new = self._new(old.number, old.listening)
            if not self._wait_ready(new):
                self._stop([new])
                logger.error("a worker could not be replaced", extra={"fields": {}})
                return
            self.workers[place] = new
            self._stop([old], is_replaced=True)
        logger.info("workers replaced", extra={"fields": {"count": len(self.workers)}})

    def _stop(self, workers: list[Worker], is_replaced: bool = False) -> None:
        """One that is replaced need not drain: a second signal tells it so. Until then it would
        refuse those who connect, and its successor would not.
        """
        for worker in workers:
            worker.stop()
            if is_replaced and self._drain_seconds:
                time.sleep(min(self._drain_seconds / 2, SIGNAL_SECONDS))
                worker.stop()
        end = time.monotonic() + STOP_SECONDS + self._drain_seconds
        for worker in workers:
            try:
                worker.process.wait(max(end - time.monotonic(), 0.1))
            except subprocess.TimeoutExpired:
                worker.process.kill()
                worker.process.wait()
            os.close(worker.pipe)
