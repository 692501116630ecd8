"""Bots that break: the table is told, the stand-in plays on, and nobody else has to wait."""

from __future__ import annotations

import asyncio
import os
import sys
import threading
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from coatl.moves import Move
from coatl.server import bots
from coatl.server.bots import MOST_LOST_THREADS, NICENESS, BotError, BotPool
from coatl.server.manager import TableManager
from coatl.server.protocol import NewPlace, NewTable
from coatl.server.room import Room
from coatl.server.settings import ServerSettings
from coatl.server.store import Store
from coatl.table import PlaceKind
from coatl.view import View
from tests.cli.program import compiled
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

HASTE = 2  # seconds that a hasty server waits for a bot


class Bot:
    """What the broken ones have in common."""

    def __init__(self, chances: Any) -> None:
        self.turns = 0

    def choose(self, view: View, moves: Sequence[Move]) -> Any:
        self.turns += 1
        return moves[0] if self.turns < 3 else self.break_down(moves)

    def break_down(self, moves: Sequence[Move]) -> Any:
        raise NotImplementedError


class Raising(Bot):
    def break_down(self, moves: Sequence[Move]) -> Any:
        raise RuntimeError("it hurts")


class Exiting(Bot):
    def break_down(self, moves: Sequence[Move]) -> Any:
        raise SystemExit(3)


class Cheating(Bot):
    def break_down(self, moves: Sequence[Move]) -> Any:
        return "drop YYY"  # never once the setup is over


class Babbling(Bot):
    def break_down(self, moves: Sequence[Move]) -> Any:
        return None


class Verbose(Bot):
    def break_down(self, moves: Sequence[Move]) -> Any:
        raise ValueError("x" * 10_000)


class Stillborn(Bot):
    def __init__(self, chances: Any) -> None:
        raise OSError("no model")


class Sleeping(Bot):
    def choose(self, view: View, moves: Sequence[Move]) -> Any:
        threading.Event().wait()


class Spinning(Bot):
    def choose(self, view: View, moves: Sequence[Move]) -> Any:
        while True:
            pass


class Thoughtful(Bot):
    """Answers in time, but not at once."""

    def choose(self, view: View, moves: Sequence[Move]) -> Any:
        time.sleep(1.0)
        return moves[0]


class Slow(Bot):
    """Answers, but after it has been given up on by a hasty server."""

    def choose(self, view: View, moves: Sequence[Move]) -> Any:
        time.sleep(HASTE + 0.5)
        return moves[0]


BROKEN = {
    "raising": ("Raising", "RuntimeError: it hurts"),
    "exiting": ("Exiting", "SystemExit: 3"),
    "cheating": ("Cheating", "played 'drop YYY'"),
    "babbling": ("Babbling", "played 'None'"),
    "verbose": ("Verbose", "ValueError: xxx"),
    "stillborn": ("Stillborn", "OSError: no model"),
}
OTHERS = ("Sleeping", "Slow", "Spinning", "Thoughtful")
PATHS = {name.lower(): f"{__name__}:{name}" for name in OTHERS}
PATHS |= {name: f"{__name__}:{found}" for name, (found, _) in BROKEN.items()}
REGISTER = f"from coatl.players.registry import PLAYERS\nPLAYERS |= {PATHS!r}"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    folder = tmp_path_factory.mktemp("bots") / "data"
    with running_server(folder, REGISTER, COATL_BOT_SECONDS="60") as running:
        yield running


def test_the_stand_in_takes_over(server: LiveServer) -> None:
    """All tables at once; each game goes on to its end, and the note is there once."""
    opened = {bot: server.open_table("person", bot) for bot in BROKEN}
    browsers = {bot: seats_of(server, table, seed=1)[0] for bot, table in opened.items()}
    play_tables(list(browsers.values()))
    for bot, browser in browsers.items():
        check_replaced(browser.state, 1, BROKEN[bot][1])


def test_the_stand_in_takes_over_from_those_that_never_answer(tmp_path: Path) -> None:
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
    """The stand-in plays for the person, who can still come back."""
    opened = server.open_table("person", "person")

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


def test_a_person_comes_back_while_the_bot_thinks(server: LiveServer) -> None:
    """What the bot answers later is not played, and it has not failed."""
    opened = server.open_table("person", "person")

    async def play() -> None:
        ana, ben = clients_of(server, opened)
        async with ana, ben:
            await ana.join()
            await ben.join()
            for pause in (0.0, 0.1):
                await ana.ask("hand_over", bot="thoughtful")
                await asyncio.sleep(pause)
                await ana.ask("take_back")
            await asyncio.sleep(1.2)
            await ana.send("ping")
            await ana.until(lambda message: bool(message["type"] == "pong"))
            assert ana.state["version"] == 7
            assert (await ana.decide())["version"] == 8
            assert [note["kind"] for note in ana.state["notes"]] == ["hand", "back"] * 2

    run_for_a_while(play())


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
    status, opened = server.request("POST", "/api/tables", {"places": places})
    if status != 200:
        assert opened["code"] in ("unknown_bot", "bad_options", "bad_message")
        return

    async def play() -> Json:
        async with SeatClient(server, opened["table"], opened["seats"][0]) as client:
            return await client.join()

    state = run_for_a_while(play())
    assert "bot" not in state["places"][0]


# ---------------------------------------------------------------- the threads


class Answering:
    """A player that waits to be let go, then answers."""

    def __init__(self) -> None:
        self.asked, self.go = threading.Event(), threading.Event()

    def choose(self, view: Any, moves: Any) -> str:
        self.asked.set()
        self.go.wait()
        return "done"


class Thinking:
    def choose(self, view: Any, moves: Any) -> str:
        time.sleep(0.5)
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


async def ask(pool: BotPool, player: Any) -> str:
    return await pool.choose(lambda: player, NoView())  # type: ignore[arg-type]


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


def test_waiting_for_a_thread_is_not_the_bots_fault() -> None:
    """Four bots that each need 0.5 seconds, one thread, and a limit of 1.5 seconds."""

    async def play() -> None:
        async with new_pool(1, 1.5) as pool:
            asking = [ask(pool, Thinking()) for _ in range(4)]
            answers = await asyncio.gather(*asking, return_exceptions=True)
            assert answers == ["done"] * 4

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


def test_threads_are_not_lost_without_end() -> None:
    async def play() -> int:
        async with new_pool(1, 0.005) as pool:
            let_go(await ask_in_vain(pool, MOST_LOST_THREADS + 5))
            return pool._lost

    assert run_for_a_while(play()) <= MOST_LOST_THREADS


@pytest.mark.skipif(sys.platform != "linux", reason="threads have no priority of their own there")
def test_bots_think_when_nobody_else_needs_the_core() -> None:
    async def play() -> int:
        async with new_pool(1, 10) as pool:
            return int(await ask(pool, Telling()))

    ours = os.getpriority(os.PRIO_PROCESS, 0)
    assert run_for_a_while(play()) == max(ours, NICENESS)
    assert os.getpriority(os.PRIO_PROCESS, 0) == ours


# ---------------------------------------------------------------- a manager without a socket


@asynccontextmanager
async def new_manager(folder: Path) -> AsyncIterator[TableManager]:
    """With one thread for bots."""
    store = Store(folder)
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
    opened = await manager.open_table(NewTable((person, person)))
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
