"""Bots that break: the table notes it, the substitute plays on, and nobody else has to wait."""

from __future__ import annotations

import asyncio
import os
import sys
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from coatl.server import bots
from coatl.server.bots import MOST_LOST_THREADS, BotError, BotPool
from coatl.server.manager import TableManager
from coatl.server.priority import NICENESS
from coatl.server.protocol import NewPlace, NewTable
from coatl.server.room import Room
from coatl.server.settings import ServerSettings
from coatl.server.sqlite_store import SqliteStore
from coatl.table import PlaceKind
from coatl.table.entries import Decided
from tests.cli.program import compiled
from tests.server.broken_bots import BROKEN, GATE, HASTE, REGISTER, wait_for_file
from tests.server.harness import (
    Json,
    LiveServer,
    SeatClient,
    clients_of,
    play_tables,
    run_for_a_while,
    running_server,
    seats_of,
)

pytestmark = [compiled, pytest.mark.games]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    folder = tmp_path_factory.mktemp("bots") / "data"
    with running_server(folder, REGISTER, COATL_BOT_SECONDS="60") as running:
        yield running


def test_the_substitute_takes_over(server: LiveServer) -> None:
    """All tables at once; each game goes on to its end, and the note is there once."""
    opened = {bot: server.open_table("person", bot) for bot in BROKEN}
    browsers = {bot: seats_of(server, table, seed=1)[0] for bot, table in opened.items()}
    play_tables(list(browsers.values()))
    for bot, browser in browsers.items():
        check_replaced(browser.state, 1, BROKEN[bot][1])


def test_the_substitute_takes_over_from_those_that_never_answer(tmp_path: Path) -> None:
    """Or so late that nobody waits any more."""
    with running_server(tmp_path / "data", REGISTER, COATL_BOT_SECONDS=str(HASTE)) as server:
        opened = [server.open_table("person", bot) for bot in ("sleeping", "slow")]
        browsers = [seats_of(server, table, seed=1)[0] for table in opened]
        play_tables(browsers)
    for browser in browsers:
        check_replaced(browser.state, 1, f"no answer within {HASTE} s")


def check_replaced(state: Json, place: int, reason: str) -> None:
    assert state["status"] == "over"
    notes = state["notes"]
    assert [(note["kind"], note["place"]) for note in notes] == [("bot_failed", place)]
    assert notes[0]["text"].startswith(reason)
    assert len(notes[0]["text"]) <= 200
    assert (state["places"][place]["kind"], state["places"][place]["bot"]) == ("bot", "greedy")


def test_a_bot_that_fails_for_a_person(server: LiveServer) -> None:
    """The substitute plays for the person, who can still come back."""
    opened = server.open_table("person", "person", hints=True)

    async def play() -> None:
        ana, ben = clients_of(server, opened)
        async with ana, ben:
            await ana.join()
            await ben.join()
            await ana.ask("hand_over", bot="stillborn")
            await ana.until(lambda message: len(message.get("notes", ())) == 2)
            assert ana.state["places"][0]["bot"] == "greedy"
            assert ana.state["notes"][1]["text"] == "OSError: no model"
            assert "bot" not in (await ana.ask("take_back"))["places"][0]

    run_for_a_while(play())


def test_a_person_comes_back_while_the_bot_thinks(tmp_path: Path) -> None:
    """What the bot answers later is not played, and it has not failed."""
    gate = {GATE: str(tmp_path)}
    with running_server(tmp_path / "data", REGISTER, COATL_BOT_SECONDS="60", **gate) as server:
        opened = server.open_table("person", "person", hints=True)
        run_for_a_while(come_back_early(server, opened, tmp_path))
        moves = [entry for entry in server.read_log(opened["table"]) if isinstance(entry, Decided)]
    assert [move.id is None for move in moves] == [False]  # a bot's has no id


async def come_back_early(server: LiveServer, opened: Json, gate: Path) -> None:
    ana, ben = clients_of(server, opened)
    async with ana, ben:
        await ana.join()
        await ben.join()
        for is_asked in (False, True):
            await ana.ask("hand_over", bot="thoughtful")
            if is_asked:
                await asyncio.to_thread(wait_for_file, gate / "asked")
            await ana.ask("take_back")
        (gate / "go").touch()
        await asyncio.to_thread(wait_for_file, gate / "answered")
        await ana.send("ping")
        await ana.until(lambda message: bool(message["type"] == "pong"))
        assert ana.state["version"] == 7
        assert (await ana.decide())["version"] == 8
        assert [note["kind"] for note in ana.state["notes"]] == ["hand", "back"] * 2


@pytest.mark.games
def test_the_server_goes_on_while_a_bot_spins(tmp_path: Path) -> None:
    """Without any limit: requests are answered, others play, and the server stops when told."""
    with running_server(tmp_path / "data", REGISTER, COATL_BOT_SECONDS="0") as server:
        opened = server.open_table("person", "spinning")

        async def begin() -> None:
            async with SeatClient(server, opened["table"], opened["seats"][0]) as client:
                await client.join()
                while client.is_my_turn:
                    await client.decide("done")
                assert client.state["view"]["to_move"] == 1

        run_for_a_while(begin())
        for _ in range(5):
            assert server.request("GET", "/healthz")[0] == 200
        browsers = seats_of(server, server.open_table("person", "person"), seed=3)
        play_tables(browsers, lambda: len(browsers[0].acknowledged) >= 10)
        state = server.request("GET", f"/api/tables/{opened['table']}", token=opened["watch"])[1]
        assert (state["view"]["to_move"], state.get("notes", [])) == (1, [])
        assert server.stop() == 0


def test_no_bot_before_its_person_has_left(server: LiveServer) -> None:
    """A bot named for a person's place would play before the person, or import a module."""
    places = [{"kind": "person", "bot": "this:nothing"}, {"kind": "bot", "bot": "greedy"}]
    status, problem = server.request("POST", "/api/tables", {"places": places})
    assert (status, problem["code"]) == (400, "bad_options")


# ---------------------------------------------------------------- the threads


class Answering:
    """A player that waits to be let go, then answers."""

    def __init__(self) -> None:
        self.asked, self.go = threading.Event(), threading.Event()

    def choose(self, view: Any, moves: Any) -> str:
        self.asked.set()
        self.go.wait()
        return "done"


class Telling:
    """Answers with the priority that it thinks at."""

    def choose(self, view: Any, moves: Any) -> str:
        return str(os.getpriority(os.PRIO_PROCESS, threading.get_native_id()))


class NoView:
    moves = ()


@asynccontextmanager
async def threads_end() -> AsyncIterator[None]:
    """Those of bots, before the event loop does, which they would else tell of an answer."""
    before = set(threading.enumerate())
    try:
        yield
    finally:
        for thread in set(threading.enumerate()) - before:
            if thread.name == "coatl-bot":
                await asyncio.to_thread(thread.join, 20)


@asynccontextmanager
async def new_pool(threads: int, seconds: float) -> AsyncIterator[BotPool]:
    async with threads_end():
        pool = BotPool(threads, seconds)
        try:
            yield pool
        finally:
            pool.close()


async def ask(pool: BotPool, player: Any, address: str = "") -> str:
    """Let a player of our own choose, under a name of its own."""
    name, usual = f"player {id(player)}", pool.players._make
    pool.players._make = lambda wanted: player if wanted == name else usual(wanted)
    return await pool.choose(name, NoView(), address=address)  # type: ignore[arg-type]


async def ask_in_vain(pool: BotPool, count: int) -> list[Answering]:
    """Players that have not answered in time, one after the other."""
    hanging = [Answering() for _ in range(count)]
    for player in hanging:
        with pytest.raises(BotError):
            await ask(pool, player)
    return hanging


def let_go(players: list[Answering]) -> None:
    for player in players:
        player.go.set()


def test_threads_that_are_lost_are_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bots, "PATIENCE", 10_000)  # a thread may start slowly, but it is not lost

    async def play() -> None:
        async with new_pool(1, 0.02) as pool:
            hanging = await ask_in_vain(pool, 5)
            quick = Answering()
            quick.go.set()
            pool.seconds = 20
            assert await ask(pool, quick) == "done"
            let_go(hanging)

    run_for_a_while(play())


def test_waiting_for_a_thread_is_not_the_bots_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    """The limit is over before the only thread is free, and then the bot has all of its time."""
    monkeypatch.setattr(bots, "PATIENCE", 10_000)

    async def play() -> None:
        async with new_pool(1, 20) as pool:
            busy, quick = Answering(), Answering()
            quick.go.set()
            first = asyncio.create_task(ask(pool, busy))
            await asyncio.to_thread(busy.asked.wait)
            for _ in range(10):  # rounds of the event loop: the first one has got its limit by then
                await asyncio.sleep(0)
            pool.seconds = 0.02
            second = asyncio.create_task(ask(pool, quick))
            await asyncio.wait([second], timeout=10 * pool.seconds)
            assert not second.done()
            pool.seconds = 20
            busy.go.set()
            assert [await first, await second] == ["done", "done"]

    run_for_a_while(play())


def test_an_answer_that_comes_too_late_is_nobodys() -> None:
    async def play() -> None:
        async with new_pool(1, 0.02) as pool:
            late = await ask_in_vain(pool, 1)
            quick = Answering()
            quick.go.set()
            pool.seconds = 20
            let_go(late)
            assert await asyncio.gather(*(ask(pool, quick) for _ in range(10))) == ["done"] * 10

    run_for_a_while(play())


def test_threads_are_not_lost_without_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bots, "PATIENCE", 10_000)  # each gets its thread, however slowly

    async def play() -> int:
        async with new_pool(1, 0.005) as pool:
            hanging = await ask_in_vain(pool, MOST_LOST_THREADS + 1)
            monkeypatch.setattr(bots, "PATIENCE", 1)
            with pytest.raises(BotError, match="no thread was free"):
                await ask(pool, Answering())
            let_go(hanging)
            return pool._lost

    assert run_for_a_while(play()) == MOST_LOST_THREADS


@pytest.mark.skipif(sys.platform != "linux", reason="threads have no priority of their own there")
def test_bots_think_when_nobody_else_needs_the_core() -> None:
    async def play() -> int:
        async with new_pool(1, 10) as pool:
            return int(await ask(pool, Telling()))

    ours = os.getpriority(os.PRIO_PROCESS, 0)
    assert run_for_a_while(play()) == max(ours, NICENESS)
    assert os.getpriority(os.PRIO_PROCESS, 0) == ours


def test_the_server_ends_well_although_a_bot_never_does(tmp_path: Path) -> None:
    """It leaves the thread behind, which nothing can stop."""
    with running_server(tmp_path / "data", REGISTER) as server:
        opened = server.open_table("person", "sleeping")

        async def begin() -> None:
            async with clients_of(server, opened)[0] as client:
                await client.join()
                while client.is_my_turn:
                    await client.decide()

        run_for_a_while(begin())
        assert server.stop() == 0
    lines = server.log.read_text().splitlines()
    assert '"closed"' in lines[-1]
    assert all(line.startswith("{") for line in lines)


# ---------------------------------------------------------------- a manager without a socket


@asynccontextmanager
async def new_manager(folder: Path) -> AsyncIterator[TableManager]:
    """With one thread for bots."""
    store = SqliteStore(folder)
    async with threads_end():
        manager = TableManager(store, ServerSettings(bot_threads=1, bot_seconds=20))
        manager.start()
        try:
            yield manager
        finally:
            await manager.close()
    store.close()


async def started_room(manager: TableManager) -> Room:
    person = NewPlace(PlaceKind.PERSON)
    opened = await manager.opening.open_table(NewTable((person, person)))
    room = await manager.room(opened.table)
    await manager.change(room, lambda table: table.join(0, "0" * 64))
    await manager.change(room, lambda table: table.join(1, "1" * 64))
    return room


def test_a_bot_that_is_no_longer_wanted_has_not_failed(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """The person is back before a thread is free for the bot."""

    async def play() -> Room:
        async with new_manager(tmp_path) as manager:
            room = await started_room(manager)
            busy = Answering()
            waiting = asyncio.create_task(ask(manager.bots, busy))
            await asyncio.to_thread(busy.asked.wait)
            await manager.change(room, lambda table: table.hand_over(0, "random"))
            await asyncio.sleep(0)  # the bot's job waits for the thread
            await manager.change(room, lambda table: table.take_back(0))
            busy.go.set()
            assert await waiting == "done"
            assert await ask(manager.bots, busy) == "done"  # so the job before it is over
            while room.bot_task is not None and not room.bot_task.done():
                await asyncio.sleep(0)
        return room

    room = run_for_a_while(play())
    assert [note.kind for note in room.table.notes] == ["hand", "back"]
    assert "bot failed" not in caplog.text
