"""Bots that many tables have: few players, a fair queue, and none that nobody waits for."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import ExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from coatl.server import bots
from coatl.server.bots import BotError, BotPool
from coatl.server.connection import Connection
from coatl.server.manager import TableManager
from coatl.server.player_pool import MOST_IDLE, PlayerPool
from coatl.server.protocol import NewPlace, NewTable
from coatl.server.room import Room
from coatl.server.settings import ServerSettings
from coatl.server.sqlite_store import SqliteStore
from coatl.table import PlaceKind, Status
from tests.server.fuzzing import (
    LocalServer,
    RecordingClient,
    ask,
    compiled,
    join,
    local_server,
    open_socket,
    wait_until_empty,
)
from tests.server.harness import HELLO, Json, run_for_a_while

pytestmark = compiled

BELOW = {"X-Forwarded-For": "192.0.2.1"}  # as a proxy on this machine tells the address
BESIDE = {"X-Forwarded-For": "192.0.2.2"}
Serve = Callable[..., LocalServer]


class Player:
    """Answers when it may; can be told to stop."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.asked, self.go = threading.Event(), threading.Event()

    def choose(self, view: Any, moves: Any) -> Any:
        self.asked.set()
        self.go.wait()
        return self.name

    def stop(self) -> None:
        self.go.set()


class Stubborn(Player):
    def stop(self) -> None:
        pass


class NoView:
    moves = ()


# ---------------------------------------------------------------- players


def test_many_tables_share_a_few_players() -> None:
    pool = PlayerPool(Player)
    for table in range(50):
        with pool.borrow("high-priest", str(table)):
            assert pool.count <= MOST_IDLE
    assert pool.count == MOST_IDLE


def test_nobody_else_uses_a_player_meanwhile() -> None:
    pool = PlayerPool(Player)
    with ExitStack() as stack:
        borrowed = [stack.enter_context(pool.borrow("priest", str(n))) for n in range(7)]
        assert len(set(map(id, borrowed))) == 7
    assert pool.count == MOST_IDLE


def test_a_table_gets_the_player_it_had() -> None:
    """As long as not too many others came between: it has the tree of the turn."""
    pool = PlayerPool(Player)
    with pool.borrow("priest", "ours") as ours:
        pass
    for other in ("a", "b"):
        with pool.borrow("priest", other) as player:
            assert player is not ours
    with pool.borrow("priest", "ours") as again:
        assert again is ours
    with pool.borrow("greedy", "ours") as another:
        assert another is not ours


def test_players_that_nobody_uses_are_dropped() -> None:
    """So the memory of their trees is given back; one that thinks is not taken away."""
    pool = PlayerPool(Player)
    for table in range(3):
        with pool.borrow("priest", str(table)):
            pass
    with pool.borrow("greedy", "busy"):
        assert pool.drop_unused(3600) == 0
        assert pool.drop_unused(-1) == 3
        assert pool.count == 1
    assert pool.count == 1


def test_a_player_that_raised_is_not_used_again() -> None:
    pool = PlayerPool(Player)
    with pytest.raises(ZeroDivisionError), pool.borrow("priest", "a"):
        raise ZeroDivisionError
    assert pool.count == 0


# ---------------------------------------------------------------- the queue


@asynccontextmanager
async def new_pool(make: Callable[[str], Any], seconds: float = 20) -> AsyncIterator[BotPool]:
    """With one thread."""
    pool = BotPool(1, seconds, PlayerPool(make))
    try:
        yield pool
    finally:
        await asyncio.to_thread(pool.close)


def choose(pool: BotPool, name: str, address: str) -> asyncio.Task[str]:
    return asyncio.create_task(pool.choose(name, NoView(), name, address))  # type: ignore[arg-type]


def test_other_people_do_not_wait_for_somebody_s_many_tables() -> None:
    """Five tables of one address are asked first; one of another is second all the same."""

    async def play() -> list[str]:
        order: list[str] = []
        first = Player("first")

        class Noting(Player):
            def choose(self, view: Any, moves: Any) -> Any:
                order.append(self.name)
                return self.name

        async with new_pool(lambda name: first if name == "first" else Noting(name)) as pool:
            tasks = [choose(pool, "first", "a")]
            assert await asyncio.to_thread(first.asked.wait, 20)
            tasks += [choose(pool, f"a{number}", "a") for number in range(5)]
            await asyncio.sleep(0)
            tasks += [choose(pool, "b0", "b"), choose(pool, "c0", "c")]
            await asyncio.sleep(0)
            first.go.set()
            await asyncio.gather(*tasks)
        return order

    assert run_for_a_while(play()) == ["a0", "b0", "c0", "a1", "a2", "a3", "a4"]


def test_a_decision_that_nobody_needs_is_not_made() -> None:
    async def play() -> None:
        busy, made = Player("busy"), []

        def make(name: str) -> Any:
            made.append(name)
            return busy

        async with new_pool(make) as pool:
            first, second = choose(pool, "busy", "a"), choose(pool, "idle", "a")
            assert await asyncio.to_thread(busy.asked.wait, 20)
            second.cancel()
            await asyncio.gather(second, return_exceptions=True)
            assert len(pool._jobs) == 0
            busy.go.set()
            assert await first == "busy"
        assert made == ["busy"]

    run_for_a_while(play())


# ---------------------------------------------------------------- the end


def test_threads_have_ended_when_the_pool_is_closed() -> None:
    """A search answers at once when it is told to stop."""

    async def play() -> None:
        player = Player("thinks long")
        pool = BotPool(1, 20, PlayerPool(lambda _: player))
        thinking = choose(pool, "x", "a")
        assert await asyncio.to_thread(player.asked.wait, 20)
        assert await asyncio.to_thread(pool.close)
        assert not any(thread.is_alive() for thread in pool._threads)
        assert await thinking == "thinks long"

    run_for_a_while(play())


def test_a_thread_that_does_not_end_is_told_of(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bots, "STOP_SECONDS", 0.05)

    async def play() -> None:
        player = Stubborn("never ends")
        pool = BotPool(1, 0.02, PlayerPool(lambda _: player))
        with pytest.raises(BotError):
            await choose(pool, "x", "a")
        assert not await asyncio.to_thread(pool.close)
        player.go.set()

    run_for_a_while(play())


# ---------------------------------------------------------------- when nobody is there


@asynccontextmanager
async def new_manager(folder: Path) -> AsyncIterator[TableManager]:
    store = SqliteStore(folder)
    manager = TableManager(store, ServerSettings())
    manager.start()
    try:
        yield manager
    finally:
        await manager.close()
        store.close()


async def started_room(manager: TableManager, *bots: str) -> Room:
    """One person who has sat down, and bots."""
    places = (NewPlace(PlaceKind.PERSON), *(NewPlace(PlaceKind.BOT, bot=bot) for bot in bots))
    opened = await manager.opening.open_table(NewTable(places))
    room = await manager.room(opened.table)
    await manager.change(room, lambda table: table.join(0, "0" * 64))
    return room


async def bots_have_played(room: Room) -> None:
    while room.bot_task is not None and not room.bot_task.done():
        await asyncio.sleep(0.005)


def test_bots_do_not_play_among_themselves_when_nobody_looks(tmp_path: Path) -> None:
    """The game goes on when somebody comes."""

    async def play() -> None:
        async with new_manager(tmp_path) as manager:
            room = await started_room(manager, "random")
            await bots_have_played(room)
            await manager.change(room, lambda table: table.hand_over(0, "random"))
            await bots_have_played(room)
            version = room.table.version
            assert room.table.notes[-1].version == version  # nothing since
            assert room.table.status == Status.PLAYING
            assert room.is_idle
            room.enter(Connection(_say_nothing, None))
            manager.wake_bots(room)
            while room.table.version < version + 5:
                await asyncio.sleep(0.005)

    run_for_a_while(play())


def test_bots_play_up_to_a_person_s_turn(tmp_path: Path) -> None:
    """Whoever comes back finds their turn."""

    async def play() -> None:
        async with new_manager(tmp_path) as manager:
            room = await started_room(manager, "random", "random")
            await bots_have_played(room)
            assert room.connections == set()
            assert room.table.is_turn_of(0)

    run_for_a_while(play())


async def _say_nothing(_text: str) -> None:
    pass


# ---------------------------------------------------------------- how many


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Serve]:
    """Starts a server with these settings."""
    with ExitStack() as stack:
        yield lambda **settings: stack.enter_context(local_server(tmp_path / "data", **settings))


def refusal(client: RecordingClient, table: Json) -> tuple[list[str], int]:
    client.send({**HELLO, "token": table["seats"][0]})
    code, _ = client.end()
    return client.refusals, code


@pytest.mark.parametrize("limit", ["COATL_BOTS_PER_ADDRESS", "COATL_BOTS"])
def test_bots_of_an_address_and_in_all(serve: Serve, limit: str) -> None:
    """Those of tables that somebody is connected to."""
    server = serve(**{limit: "3"})
    large = server.open_table("person", "random", "random")
    small, other = (server.open_table("person", "random") for _ in range(2))
    alone = server.open_table("person", "person")
    at: dict[str, Any] = {"additional_headers": BELOW}
    with (
        open_socket(server, large["table"], large["seats"][0], **at),
        open_socket(server, small["table"], small["seats"][0], **at),
        open_socket(server, small["table"], small["seats"][0], **at),  # the bots are counted once
        open_socket(server, alone["table"], alone["seats"][0], **at),
    ):
        with open_socket(server, other["table"], **at) as client:
            assert refusal(client, other) == (["too_many_bots"], 4429)
        with open_socket(server, other["table"], additional_headers=BESIDE) as client:
            if limit == "COATL_BOTS":
                assert refusal(client, other) == (["too_many_bots"], 4429)
            else:
                client.hello(other["seats"][0])
    wait_until_empty(server)
    with open_socket(server, other["table"], other["seats"][0], **at):
        pass


def test_a_seat_is_not_handed_to_one_bot_too_many(serve: Serve) -> None:
    server = serve(COATL_BOTS_PER_ADDRESS="1")
    table = server.open_table("person", "random")
    with open_socket(server, table["table"], table["seats"][0]) as client:
        join(client)
        client.hear_until("state", reply="join")
        client.send({"type": "hand_over", "id": "h"})
        assert client.hear_until("refused", reply="h")["code"] == "too_many_bots"
        path = f"/api/tables/{table['table']}/hand_over"
        answer = ask(server, "POST", path, {"place": 0}, token=table["owner"])
        assert answer.brief == (429, "too_many_bots")
