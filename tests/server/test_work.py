"""Replays, lessons and lists of tables: linear, capped, shared fairly, and given up in time."""

from __future__ import annotations

import asyncio
import gc
import http.client
import json
import threading
import weakref
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest

from coatl.game import Game
from coatl.game.record import Line
from coatl.server.fair_queue import FairQueue
from coatl.server.protocol import ReplayRange, ReplayRecord, RequestError, ServerCode
from coatl.server.rest.replays import overview_of, steps_of
from coatl.server.work import Work, WorkMonitor, WorkPool
from tests.server.fuzzing import LocalServer, ask, compiled, local_server
from tests.server.harness import PATIENCE, Json, run_for_a_while, wait_until

pytestmark = compiled

BELOW = {"X-Forwarded-For": "192.0.2.1"}  # as a proxy on this machine tells the address
BESIDE = {"X-Forwarded-For": "192.0.2.2"}
OVERVIEW = "/api/replay/overview"
Serve = Callable[..., LocalServer]


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Serve]:
    """Starts a server with these settings."""
    with ExitStack() as stack:
        yield lambda **settings: stack.enter_context(local_server(tmp_path / "data", **settings))


# ---------------------------------------------------------------- the queue


def test_addresses_take_turns() -> None:
    queue: FairQueue[str] = FairQueue()
    for address, item in (("a", "1"), ("a", "2"), ("a", "3"), ("b", "4"), ("c", "5"), ("c", "6")):
        queue.put(address, item)
    queue.remove("c", "5")
    queue.remove("c", "5")
    assert [queue.get() for _ in range(2)] == ["1", "4"]
    queue.put("b", "7")
    assert [queue.get() for _ in range(4)] == ["6", "2", "7", "3"]
    assert len(queue) == 0


def test_a_closed_queue_gives_nothing() -> None:
    queue: FairQueue[str] = FairQueue()
    queue.put("a", "1")
    queue.close()
    assert queue.get() is None
    assert len(queue) == 0


# ---------------------------------------------------------------- the pool


def test_work_that_failed_keeps_nothing() -> None:
    """What it had in hand is given back at once, not when garbage is collected some day."""
    held: list[weakref.ref[Gate]] = []

    def fail(_monitor: WorkMonitor) -> None:
        gate = Gate()
        held.append(weakref.ref(gate))
        raise RequestError(ServerCode.TOO_LARGE)

    async def ask_for_it() -> RequestError:
        pool = WorkPool(1, 0, 0)
        try:
            with pytest.raises(RequestError) as caught:
                await pool.run("a", fail)
            return caught.value
        finally:
            await asyncio.to_thread(pool.close)

    gc.disable()
    try:
        error = run_for_a_while(ask_for_it())
        assert error.__traceback__ is not None  # it still tells where
        assert held[0]() is None
    finally:
        gc.enable()


class Gate:
    """Work that goes on until it is let through, or is no longer wanted."""

    def __init__(self) -> None:
        self.started, self.ended, self.open = (threading.Event() for _ in range(3))

    def __call__(self, monitor: WorkMonitor) -> str:
        self.started.set()
        try:
            while not self.open.wait(0.005):
                monitor.check()
            return "done"
        finally:
            self.ended.set()


@contextmanager
def pool_of(threads: int = 1, per_address: int = 0, in_all: int = 0) -> Iterator[WorkPool]:
    pool = WorkPool(threads, per_address, in_all)
    try:
        yield pool
    finally:
        pool.close()


def start(pool: WorkPool, address: str, work: Work[str]) -> asyncio.Task[str]:
    return asyncio.create_task(pool.run(address, work))


def test_what_nobody_waits_for_is_given_up() -> None:
    async def play() -> None:
        with pool_of() as pool:
            running, waiting = Gate(), Gate()
            tasks = [start(pool, "a", running), start(pool, "a", waiting)]
            assert await asyncio.to_thread(running.started.wait, PATIENCE)
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            assert await asyncio.to_thread(running.ended.wait, PATIENCE)
            assert pool.count == 0
            assert await pool.run("b", lambda _: "next") == "next"
            assert not waiting.started.is_set()

    run_for_a_while(play())


def test_too_much_work_is_refused() -> None:
    """From one address, then in all; who was refused may come again."""

    async def refusal(pool: WorkPool, address: str) -> ServerCode:
        with pytest.raises(RequestError) as refused:
            await pool.run(address, lambda _: "never")
        assert refused.value.wait is not None
        return refused.value.code

    async def play() -> None:
        with pool_of(per_address=2, in_all=3) as pool:
            gates = [Gate() for _ in range(3)]
            tasks = [start(pool, address, gate) for address, gate in zip("aab", gates, strict=True)]
            await asyncio.sleep(0)
            assert await refusal(pool, "a") == ServerCode.TOO_FAST
            assert await refusal(pool, "c") == ServerCode.TOO_FAST
            for gate in gates:
                gate.open.set()
            assert await asyncio.gather(*tasks) == ["done"] * 3
            assert await pool.run("a", lambda _: "again") == "again"

    run_for_a_while(play())


def test_closing_stops_what_runs_and_what_waits() -> None:
    async def play() -> None:
        with pool_of() as pool:
            running, waiting = Gate(), Gate()
            tasks = [start(pool, "a", running), start(pool, "b", waiting)]
            assert await asyncio.to_thread(running.started.wait, PATIENCE)
            pool.close()
            assert running.ended.is_set()  # its thread has ended too
            for error in await asyncio.gather(*tasks, return_exceptions=True):
                assert isinstance(error, RequestError)
                assert error.code == ServerCode.SHUTTING_DOWN

    run_for_a_while(play())


# ---------------------------------------------------------------- replays


def long_record(decisions: int, reveal_seed: bool = True) -> str:
    """Of a game in which a decision is taken back again and again."""
    game = Game.new(players=2, seed=3)
    while not game.can_undo:
        game.play(game.legal_moves()[-1])
    move = game.legal_moves()[0]
    while len(game.log) < decisions:
        if game.log[-1].is_undo:
            game.play(move)
        else:
            game.undo()
            move = game.log[-1].move
    return game.record(reveal_seed=reveal_seed)


def turns_record(turns: int) -> str:
    """Of a game without its seed, so that each of its lines brings its draws."""
    game = Game.new(players=2, seed=3)
    while not game.over and game.turn < turns:
        game.play(game.legal_moves()[0])
    return game.record()


@pytest.mark.parametrize("decisions", [40, 80])
def test_a_replay_handles_each_event_once(decisions: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """However long the record is: twice as many decisions take twice the work."""
    record, handed, played = long_record(decisions), 0, 0

    def counted(name: str) -> Callable[..., Any]:
        make = getattr(Game, name)

        def call(*arguments: Any) -> Any:
            nonlocal handed, played
            made = make(*arguments)
            handed += len(made) if name in ("events", "all_events") else 0
            played += name in ("play", "undo")
            return made

        return call

    for name in ("events", "all_events", "play", "undo"):
        monkeypatch.setattr(Game, name, counted(name))
    overview = overview_of(ReplayRecord(record))
    assert len(overview.moves) == played == decisions
    assert handed == sum(len(move.events) for move in overview.moves)
    handed = played = 0
    steps = steps_of(ReplayRange(record, 0, 64))
    assert len(steps.steps) == min(decisions + 1, 64)
    assert played == decisions
    assert handed == sum(len(move.events) for move in overview.moves)


def test_the_lines_of_a_record_are_not_searched(monkeypatch: pytest.MonkeyPatch) -> None:
    compared: list[Line] = []

    def compare(line: Line, _other: object) -> bool:
        compared.append(line)
        return False

    monkeypatch.setattr(Line, "__eq__", compare)
    assert len(overview_of(ReplayRecord(turns_record(20))).moves) > 20
    assert compared == []


@pytest.mark.parametrize("path", ["/api/replay", "/api/replay/steps", OVERVIEW])
def test_a_record_has_only_so_many_decisions(serve: Serve, path: str) -> None:
    server = serve(COATL_REPLAY_STEPS="20")
    assert ask(server, "POST", path, {"record": long_record(20)}).status == 200
    answer = ask(server, "POST", path, {"record": long_record(21)})
    assert answer.brief == (413, "too_large")
    assert "20 decisions" in answer.json["text"]


class EndlessReplay:
    """A record that goes on for ever, in place of `Game.steps`."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.started, self.ended = threading.Event(), threading.Event()
        monkeypatch.setattr(Game, "steps", self._steps)

    def _steps(self, _record: str) -> Iterator[Game]:
        self.started.set()
        try:
            game = Game.new(players=2, seed=3)
            while True:
                yield game
        finally:
            self.ended.set()


@contextmanager
def asking(
    server: LocalServer, path: str, body: Json, headers: dict[str, str]
) -> Iterator[http.client.HTTPConnection]:
    """A client that waits for an answer, and leaves."""
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE)
    connection.request("POST", path, json.dumps(body).encode(), headers)
    try:
        yield connection
    finally:
        connection.close()


@pytest.mark.parametrize("path", ["/api/replay", "/api/replay/steps", OVERVIEW])
def test_a_replay_ends_when_its_client_leaves(
    serve: Serve, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Meanwhile tables are loaded: they have other threads."""
    server = serve(COATL_REPLAY_STEPS="0", COATL_IDLE_SECONDS="0.05")
    table = server.open_table("person", "random")
    wait_until(lambda: not server.manager.rooms, "the table is forgotten")
    replay = EndlessReplay(monkeypatch)
    with asking(server, path, {"record": ""}, BELOW):
        assert replay.started.wait(PATIENCE)
        read = ask(server, "GET", f"/api/tables/{table['table']}", token=table["seats"][0])
        assert read.status == 200
        assert not replay.ended.is_set()
    assert replay.ended.wait(PATIENCE)


def test_replays_of_an_address_are_limited(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    server = serve(COATL_REPLAY_STEPS="0", COATL_WORK_PER_ADDRESS="1")
    record = long_record(10)
    with pytest.MonkeyPatch.context() as patch:
        replay = EndlessReplay(patch)
        with asking(server, OVERVIEW, {"record": ""}, BELOW):
            assert replay.started.wait(PATIENCE)
            answer = ask(server, "POST", OVERVIEW, {"record": record}, headers=BELOW)
            assert answer.brief == (429, "too_fast")
            assert answer.headers["retry-after"] == "1"
            lesson = ask(server, "POST", "/api/lessons/en/first", {}, headers=BELOW)
            assert lesson.brief == (429, "too_fast")
        assert replay.ended.wait(PATIENCE)
    assert ask(server, "POST", OVERVIEW, {"record": record}, headers=BESIDE).status == 200


def test_a_server_that_stops_waits_for_no_replay(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its client is told that the server is about to stop."""
    with local_server(tmp_path / "data", COATL_REPLAY_STEPS="0") as server:
        replay = EndlessReplay(monkeypatch)
        with asking(server, OVERVIEW, {"record": ""}, BELOW) as client:
            assert replay.started.wait(PATIENCE)
            server.call(stop_work(server))
            assert replay.ended.is_set()
            answer = json.loads(client.getresponse().read())
    assert answer["code"] == "shutting_down"


async def stop_work(server: LocalServer) -> None:
    server.app.app.state.stop_work()


# ---------------------------------------------------------------- lists of tables


def test_a_list_has_the_newest_tables(serve: Serve) -> None:
    server = serve(COATL_LISTED_TABLES="2")
    opened = [server.open_table("person", "random") for _ in range(4)]
    tokens = [table["seats"][0] for table in opened]
    found = ask(server, "POST", "/api/tables/mine", {"tokens": tokens}).json["tables"]
    assert [table["table"] for table in found] == [table["table"] for table in opened[:1:-1]]
    assert len(server.manager.rooms) == 2  # the others were not even loaded


def test_a_list_is_given_up_when_its_client_leaves(serve: Serve) -> None:
    server = serve()
    tokens = [server.open_table("person", "random")["seats"][0] for _ in range(3)]
    loads: list[str] = []
    loading, go_on = threading.Event(), threading.Event()
    load = server.store.load

    def slow(table: str) -> Any:
        loads.append(table)
        loading.set()
        assert go_on.wait(PATIENCE)
        return load(table)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(server.store, "load", slow)
        with asking(server, "/api/tables/mine", {"tokens": tokens}, BELOW):
            assert loading.wait(PATIENCE)
        wait_until(lambda: not listing_tasks(server), "the list is given up")
        go_on.set()
        wait_until(lambda: len(server.manager.rooms) == 1, "the table is loaded")
    assert len(loads) == 1


def listing_tasks(server: LocalServer) -> list[str]:
    """The lists of tables that are being made."""

    async def names() -> list[str]:
        found = [task.get_coro() for task in asyncio.all_tasks()]
        return [str(coroutine) for coroutine in found if "_list_tables" in str(coroutine)]

    return server.call(names())
