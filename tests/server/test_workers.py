"""`coatl serve --workers`: who watches over the workers, with small programs in their place."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from functools import partial
from pathlib import Path
from typing import TypeVar

import pytest
from starlette.applications import Starlette

from coatl.server import workers
from coatl.server.front import Front
from coatl.server.headers import SecurityHeaders
from coatl.server.refusals import Refusals
from coatl.server.settings import ServerSettings
from coatl.server.sqlite_store import SqliteStore
from coatl.server.startup import MakeApp, Startup
from coatl.server.workers import READY_VARIABLE, Supervisor, Worker, listen_together
from tests.cli.program import compiled, environment, failure
from tests.server.engines import PostgresEngine, postgres_engine
from tests.server.harness import ROOT, Browser, Json, LiveServer, run_for_a_while, wait_until

T = TypeVar("T")

# Notes in a file when it is ready and when it is stopped; says that it is alive, unless it hangs.
PROGRAM = """
import os, signal, sys, time
pipe, number, kind, file = int(sys.argv[1]), sys.argv[2], sys.argv[3], sys.argv[4]
def note(what):
    with open(file, "a") as notes:
        notes.write(what + number + "\\n")
drains = kind == "drains"
def stop(*_):
    global drains
    if drains:
        drains = False
        note("drains ")
        return
    note("stopped ")
    os._exit(0)
signal.signal(signal.SIGTERM, signal.SIG_IGN if kind == "stubborn" else stop)
if kind == "dies":
    sys.exit(3)
note("ready ")
os.write(pipe, b"!")
while True:
    time.sleep(0.02)
    if kind != "hangs":
        os.write(pipe, b".")
"""


class Workers:
    """Starts a program of a kind for each worker: those that are named, and then good ones."""

    def __init__(self, folder: Path, *kinds: str) -> None:
        self.kinds = list(kinds)
        self.started: list[subprocess.Popen[bytes]] = []
        self.numbers: list[int] = []
        self._file = folder / "notes.txt"
        self._file.touch()

    @property
    def notes(self) -> list[str]:
        return self._file.read_text().splitlines()

    def start(self, _listening: socket.socket, ready: int, number: int) -> subprocess.Popen[bytes]:
        kind = self.kinds.pop(0) if self.kinds else "good"
        arguments = [str(ready), str(len(self.started)), kind, str(self._file)]
        process = subprocess.Popen(
            [sys.executable, "-SE", "-c", PROGRAM, *arguments], pass_fds=[ready]
        )
        self.started.append(process)
        self.numbers.append(number)
        return process

    def are_ready(self, count: int) -> bool:
        return len([note for note in self.notes if note.startswith("ready")]) >= count


@pytest.fixture(autouse=True)
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "LOOK_EVERY", 0.01)
    monkeypatch.setattr(workers, "FIRST_PAUSE", 0.01)
    monkeypatch.setattr(workers, "HUNG_SECONDS", 3600.0)


@pytest.fixture
def sockets() -> Iterator[list[socket.socket]]:
    """They are only handed on."""
    made = [socket.socket() for _ in range(2)]
    yield made
    for one in made:
        one.close()


def supervise(
    sockets: list[socket.socket],
    found: Workers,
    scenario: Callable[[Supervisor], None],
    drain: float = 0.0,
) -> None:
    """Run it here, as signals need the main thread, until a scenario in another one is over."""
    supervisor = Supervisor(sockets, found.start, drain)
    failures: list[BaseException] = []

    def act() -> None:
        try:
            wait_until(lambda: len(supervisor.workers) == len(sockets), "all are started")
            scenario(supervisor)
        except BaseException as error:
            failures.append(error)
        finally:
            os.kill(os.getpid(), signal.SIGTERM)

    acting = threading.Thread(target=act)
    before = signal.getsignal(signal.SIGTERM)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)  # until it has set its own
    try:
        acting.start()
        supervisor.run()
        acting.join()
    finally:
        signal.signal(signal.SIGTERM, before)
    if failures:
        raise failures[0]
    assert all(process.poll() is not None for process in found.started)


def test_those_that_are_replaced_need_not_drain(
    tmp_path: Path, sockets: list[socket.socket]
) -> None:
    """Meanwhile they would refuse those who connect."""
    found = Workers(tmp_path, "drains", "drains")

    def replace(_: Supervisor) -> None:
        wait_until(partial(found.are_ready, 2), "both are ready")
        os.kill(os.getpid(), signal.SIGHUP)
        wait_until(partial(found.are_ready, 4), "both are replaced")
        wait_until(lambda: "stopped 1" in found.notes, "the second old one has ended")

    supervise(sockets, found, replace, drain=3600.0)
    assert [note for note in found.notes if note.startswith(("drains", "stopped"))][:4] == [
        *("drains 0", "stopped 0"),
        *("drains 1", "stopped 1"),
    ]


def test_all_are_stopped(tmp_path: Path, sockets: list[socket.socket]) -> None:
    found = Workers(tmp_path)
    supervise(sockets, found, lambda _: wait_until(partial(found.are_ready, 2), "both are ready"))
    assert found.numbers == [0, 1]
    assert set(found.notes[2:]) == {"stopped 0", "stopped 1"}
    assert [process.returncode for process in found.started] == [0, 0]


def test_the_first_is_ready_before_the_others_start(
    tmp_path: Path, sockets: list[socket.socket], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It compiles the rules for all, if need be."""
    found = Workers(tmp_path)
    ready_before: list[list[str]] = []
    start = found.start

    def noting(listening: socket.socket, ready: int, number: int) -> subprocess.Popen[bytes]:
        ready_before.append(found.notes)
        return start(listening, ready, number)

    monkeypatch.setattr(found, "start", noting)
    supervise(sockets, found, lambda _: None)
    assert ready_before[:2] == [[], ["ready 0"]]


def test_one_that_dies_is_started_again(tmp_path: Path, sockets: list[socket.socket]) -> None:
    found = Workers(tmp_path)

    def kill(supervisor: Supervisor) -> None:
        wait_until(partial(found.are_ready, 2), "both are ready")
        found.started[1].kill()
        wait_until(partial(found.are_ready, 3), "there is a new one")
        assert [worker.process for worker in supervisor.workers] == [
            found.started[0],
            found.started[2],
        ]
        assert found.started[0].poll() is None

    supervise(sockets, found, kill)
    assert found.numbers == [0, 1, 1]


def test_one_that_dies_again_and_again(tmp_path: Path, sockets: list[socket.socket]) -> None:
    """It is started again, and the other one stays."""
    found = Workers(tmp_path, "good", *["dies"] * 3)

    def wait(supervisor: Supervisor) -> None:
        wait_until(partial(found.are_ready, 2), "a good one is started in the end")
        assert supervisor.workers[1].failures == 3

    supervise(sockets, found, wait)
    assert found.numbers == [0, 1, 1, 1, 1]


def test_pauses_grow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "FIRST_PAUSE", 0.5)
    pauses = [workers._pause(failures) for failures in range(9)]
    assert pauses == [0, 1, 2, 4, 8, 16, 30, 30, 30]
    assert workers._pause(5_000) == workers.LONGEST_PAUSE


@pytest.mark.parametrize(("waited", "is_started"), [(20.0, False), (31.0, True)])
def test_a_short_life_is_no_longer_for_having_waited(
    tmp_path: Path,
    sockets: list[socket.socket],
    monkeypatch: pytest.MonkeyPatch,
    waited: float,
    is_started: bool,
) -> None:
    monkeypatch.setattr(workers, "FIRST_PAUSE", 0.5)
    found = Workers(tmp_path)
    dead = subprocess.Popen([sys.executable, "-SE", "-c", ""])
    dead.wait()
    ended = time.monotonic() - waited
    pipe, other = os.pipe()
    supervisor = Supervisor(sockets[:1], found.start)
    supervisor.workers = [
        Worker(0, sockets[0], dead, pipe, started=ended - 1.0, ended=ended, failures=9)
    ]
    supervisor._revive()
    assert len(found.started) == is_started
    assert supervisor.workers[0].failures == 9 + is_started
    supervisor._stop(supervisor.workers)
    os.close(other)


def test_one_that_hangs_is_ended(
    tmp_path: Path, sockets: list[socket.socket], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workers, "HUNG_SECONDS", 0.5)
    found = Workers(tmp_path, "hangs")
    supervise(
        sockets[:1], found, lambda _: wait_until(partial(found.are_ready, 2), "there is a new one")
    )
    assert found.started[0].returncode == -signal.SIGKILL


def test_one_that_is_slow_to_start_does_not_hang(
    sockets: list[socket.socket], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It may compile for long; only who has been ready can hang."""
    monkeypatch.setattr(workers, "HUNG_SECONDS", 0.0)
    running = subprocess.Popen([sys.executable, "-SE", "-c", "input()"], stdin=subprocess.PIPE)
    worker = Worker(0, sockets[0], running, 0, heard=0.0)
    assert not worker.is_hung
    worker.is_ready = True
    assert worker.is_hung
    running.communicate(b"\n", timeout=60)


def test_one_that_does_not_stop_is_killed(
    tmp_path: Path, sockets: list[socket.socket], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workers, "STOP_SECONDS", 0.1)
    found = Workers(tmp_path, "stubborn")
    supervise(sockets[:1], found, lambda _: wait_until(partial(found.are_ready, 1), "it is ready"))
    assert found.started[0].returncode == -signal.SIGKILL


def test_all_are_replaced_in_order(tmp_path: Path, sockets: list[socket.socket]) -> None:
    """Each new one is ready before the old one is stopped."""
    found = Workers(tmp_path)

    def replace(supervisor: Supervisor) -> None:
        wait_until(partial(found.are_ready, 2), "both are ready")
        os.kill(os.getpid(), signal.SIGHUP)
        wait_until(lambda: "stopped 1" in found.notes, "both are replaced")
        assert [worker.process for worker in supervisor.workers] == found.started[2:]

    supervise(sockets, found, replace)
    assert found.numbers == [0, 1, 0, 1]
    assert found.notes[:6] == ["ready 0", "ready 1", "ready 2", "stopped 0", "ready 3", "stopped 1"]


def test_the_old_ones_stay_if_a_new_one_fails(
    tmp_path: Path, sockets: list[socket.socket], caplog: pytest.LogCaptureFixture
) -> None:
    found = Workers(tmp_path, "good", "good", "dies")
    logger = logging.getLogger("coatl.server.workers")

    def replace(supervisor: Supervisor) -> None:
        wait_until(partial(found.are_ready, 2), "both are ready")
        os.kill(os.getpid(), signal.SIGHUP)
        wait_until(lambda: "a worker could not be replaced" in caplog.messages, "it is given up")
        assert [worker.process for worker in supervisor.workers] == found.started[:2]
        assert all(process.poll() is None for process in found.started[:2])

    logger.addHandler(caplog.handler)
    try:
        supervise(sockets, found, replace)
    finally:
        logger.removeHandler(caplog.handler)
    assert len(found.started) == 3


def test_a_worker_ends_without_whoever_watches_over_it() -> None:
    """Who was killed cannot tell it to."""
    code = (
        "import asyncio; from coatl.server import workers; workers.BEAT_SECONDS = 0.01\n"
        "async def main(): workers.say_ready(); await asyncio.sleep(3600)\n"
        "asyncio.run(main())"
    )
    pipe, theirs = os.pipe()
    worker = subprocess.Popen(
        [sys.executable, "-c", code],
        env=environment(**{READY_VARIABLE: str(theirs)}),
        cwd=ROOT,
        pass_fds=[theirs],
    )
    os.close(theirs)
    assert os.read(pipe, 1) == workers.READY
    assert os.read(pipe, 1) == workers.ALIVE
    os.close(pipe)
    assert worker.wait(60) == -signal.SIGTERM


def test_sockets_on_one_port() -> None:
    first = socket.socket()
    if sys.platform == "linux":
        first.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
    first.bind(("127.0.0.1", 0))
    sockets = listen_together(first, 3)
    assert sockets[0] is first
    assert {one.getsockname() for one in sockets} == {first.getsockname()}
    for one in sockets:
        one.close()


@compiled
def test_workers_need_a_database(tmp_path: Path) -> None:
    message = failure("serve", "--workers", "2", "--data", str(tmp_path / "data"))
    assert message.startswith("several workers need a PostgreSQL database")
    assert not (tmp_path / "data").exists()


class SlowStart(Startup):
    """Gets ready, or fails to, when it may."""

    def __init__(self, is_good: bool) -> None:
        super().__init__()
        self.may_end = threading.Event()
        self._is_good = is_good

    def prepare(self) -> MakeApp:
        self.may_end.wait()
        if not self._is_good:
            raise RuntimeError("the rules cannot be compiled")
        return lambda *_: SecurityHeaders(Starlette(), 2)


@pytest.mark.parametrize("is_good", [True, False])
def test_a_worker_that_takes_anothers_place_answers_when_it_is_ready(
    tmp_path: Path, is_good: bool
) -> None:
    """If it cannot be, it ends, so that the other one stays; the first one stays to tell why."""

    async def play(store: SqliteStore) -> None:
        for is_replacement in (False, True):
            startup = SlowStart(is_good)
            front = Front(
                store, ServerSettings(), startup, Refusals(), is_replacement=is_replacement
            )
            incoming: asyncio.Queue[Json] = asyncio.Queue()
            outgoing: asyncio.Queue[Json] = asyncio.Queue()
            await incoming.put({"type": "lifespan.startup"})
            running = asyncio.create_task(
                front({"type": "lifespan", "state": {}}, incoming.get, outgoing.put)
            )
            if is_replacement:
                await asyncio.sleep(0.05)
                assert outgoing.empty()
                startup.may_end.set()
            answer = (await outgoing.get())["type"].rpartition(".")[2]
            assert answer == ("failed" if is_replacement and not is_good else "complete")
            startup.may_end.set()
            await incoming.put({"type": "lifespan.shutdown"})
            with suppress(RuntimeError):
                await running

    with closing(SqliteStore(tmp_path)) as store:
        run_for_a_while(play(store))


# ---------------------------------------------------------------- the real ones


@pytest.fixture
def engine() -> Iterator[PostgresEngine]:
    with postgres_engine() as engine:
        yield engine


@compiled
@pytest.mark.games
def test_two_real_workers(engine: PostgresEngine, tmp_path: Path) -> None:
    """Both answer; one that is killed comes back; a client plays on while they are replaced."""
    server = LiveServer(tmp_path / "two", "", engine.address, COATL_METRICS="1")
    server.options = ("--workers", "2")
    server.folder.mkdir()
    server.start()
    assert server.process is not None
    pid = server.process.pid
    try:
        wait_until(lambda: answering(server) == {"0", "1"}, "both answer")
        first = min(children(pid))
        os.kill(first, signal.SIGKILL)
        wait_until(lambda: first not in children(pid), "it is gone")
        wait_until(lambda: len(children(pid)) == 2, "there is another")
        wait_until(lambda: answering(server) == {"0", "1"}, "both answer again")
        run_for_a_while(play_meanwhile(server, pid))
    finally:
        code = server.stop()
    assert code == 0
    assert "Traceback" not in server.log.read_text()


def children(pid: int) -> set[int]:
    """Processes that it has started."""
    return {int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()}


def answering(server: LiveServer) -> set[str]:
    """The numbers of workers that answer to some requests."""
    found = set()
    for _ in range(12):
        status, text = server.request("GET", "/metrics")
        found |= {number for number in "01" if status == 200 and f'worker="{number}"' in text}
    return found


def is_replaced(pid: int, old: set[int]) -> bool:
    now = children(pid)
    return len(now) == 2 and now.isdisjoint(old)


async def play_meanwhile(server: LiveServer, pid: int) -> None:
    """Games go on while all workers are replaced, and nobody meets one that is not ready."""
    old = children(pid)
    played, answers = 0, set()
    while played < 5 or not is_replaced(pid, old):
        opened = await again_if_cut(lambda: server.open_table("person", levels=[]))
        browser = Browser(server, opened["table"], opened["seats"][0], seed=played)
        await browser.play(partial(has_played, browser, 5))
        played += 1
        if played == 2:
            os.kill(pid, signal.SIGHUP)
        answers.add(str(await again_if_cut(lambda: server.request("GET", "/api/startup"))))
    assert len(answers) == 1, answers
    assert "ready" in answers.pop()


async def again_if_cut(ask: Callable[[], T]) -> T:
    """A worker that stops may have taken a connection just before."""
    while True:
        with suppress(OSError):
            return await asyncio.to_thread(ask)


def has_played(browser: Browser, decisions: int) -> bool:
    return len(browser.acknowledged) >= decisions
