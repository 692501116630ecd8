"""What the processes of one database tell each other, and what comes of it when that is lost."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from functools import partial
from typing import Any

import msgspec
import pytest

from coatl.server import leases, peers, sharing
from coatl.server.bots import BotError
from coatl.server.bus import Bus
from coatl.server.connection import Connection
from coatl.server.database import StorageError
from coatl.server.limits import Buckets
from coatl.server.manager import TableManager
from coatl.server.peers import WATCHING, Alive, Arrived, Changed, Left, Peers, Present, Taken
from coatl.server.postgres_store import PostgresStore
from coatl.server.protocol import NewPlace, NewTable, RequestError
from coatl.server.room import Change, Room
from coatl.server.settings import ServerSettings
from coatl.server.store import ConflictError
from coatl.table import PlaceKind, TableError
from tests.cli.program import compiled
from tests.server.engines import PostgresEngine, postgres_engine
from tests.server.harness import PATIENCE, run_for_a_while

LONGEST_NOTIFICATION = 7_999  # bytes; PostgreSQL refuses more
NONCES = ("0" * 64, "1" * 64)

# ---------------------------------------------------------------- limits by address


def test_what_was_taken_elsewhere_counts_here() -> None:
    key = lambda address: f"#{address}"  # noqa: E731
    here, there = Buckets(key), Buckets(key)
    limits = [buckets.make("tables", rate=1e-9, burst=3) for buckets in (here, there)]
    for _ in range(2):
        assert limits[1].take("a") == 0
    assert there.drain() == {"tables": {"#a": 2}}
    assert there.drain() == {}  # each is told once
    here.take_elsewhere({"tables": {"#a": 2}, "of a newer version": {"#a": 1}})
    assert limits[0].take("a") == 0
    assert limits[0].take("a") > 0
    assert here.drain() == {"tables": {"#a": 1}}  # what is refused is not taken
    assert limits[0].take("b") == 0


def test_much_taken_elsewhere_keeps_nobody_waiting_for_long() -> None:
    here = Buckets(str)
    limit = here.make("requests", rate=1.0, burst=5)
    here.take_elsewhere({"requests": {"a": 1_000_000}})
    assert 0 < limit.take("a") <= 1.0


def test_the_limit_of_all_counts_what_was_taken_elsewhere() -> None:
    here = Buckets(str)
    limit = here.make("requests", rate=1e-9, burst=2, times=2)
    here.take_elsewhere({"requests": {"a": 2, "b": 2}})
    assert limit.take("c") > 0


def test_where_nothing_is_shared_nothing_is_kept() -> None:
    buckets = Buckets()
    assert buckets.make("tables", 1.0, 3).take("a") == 0
    assert buckets.drain() == {}


# ---------------------------------------------------------------- messages


@pytest.mark.parametrize(
    "message",
    [
        Changed("p", ("a", "b")),
        Present("p", {"a": {0: 1, WATCHING: 2}, "b": {}}),
        Alive("p", {"#a": 2}, {"#b": 3}, 2, 3),
        Taken("p", "tables", {"#a": 1}),
        Arrived("p", asks="q"),
        Left("p"),
    ],
    ids=lambda message: type(message).__name__,
)
def test_messages_are_read_as_they_were_written(message: peers.AnyMessage) -> None:
    assert peers.decode(peers.encode(message)) == message


@pytest.mark.parametrize("text", ["", "{", "[]", '{"is":"newer","sender":"p"}', '{"is":"left"}'])
def test_what_cannot_be_read_is_passed_over(text: str) -> None:
    assert peers.decode(text) is None


def test_the_longest_messages_fit_into_a_notification() -> None:
    """With more addresses and tables than are told, and large numbers."""
    sender = "0" * 12
    many = peers.busiest({f"{number:016x}": 99_999 for number in range(5_000)})
    here = {f"{number:012d}": dict.fromkeys((*range(5), WATCHING), 999) for number in range(1_000)}
    messages: list[peers.Message] = [
        Alive(sender, many, many, 10**6, 10**6),
        Taken(sender, "requests", many),
        Changed(sender, tuple(here)[: sharing.TABLES_A_MESSAGE]),
        *peers.in_parts(here, sender),
    ]
    assert len(messages) == 3 + len(here) // peers.TABLES_A_MESSAGE
    for message in messages:
        assert len(peers.encode(message).encode()) <= LONGEST_NOTIFICATION, type(message)


# ---------------------------------------------------------------- the others


def test_who_is_connected_elsewhere() -> None:
    others = Peers()
    assert list(others.hear(Present("p", {"a": {0: 1, WATCHING: 2}, "b": {1: 1}}))) == ["a", "b"]
    others.hear(Present("q", {"a": {0: 2}}))
    assert others.elsewhere("a") == {0: 3, WATCHING: 2}
    assert (others.is_used("b"), others.is_used("c")) == (True, False)
    assert (others.first_at("a"), others.first_at("c")) == ("p", None)
    others.hear(Present("p", {"b": {}}))
    assert not others.is_used("b")
    assert list(others.hear(Left("p"))) == ["a"]
    assert others.elsewhere("a") == {0: 2}
    assert list(others.hear(Left("p"))) == []


def test_whoever_is_silent_is_gone() -> None:
    others = Peers()
    others.hear(Present("p", {"a": {0: 1}}))
    others.hear(Alive("q", {"#a": 1}, {"#a": 2}, 5, 6))
    assert others.forget_silent() == []
    others.all["p"].heard -= 2 * peers.GONE_SECONDS
    assert others.forget_silent() == ["a"]
    assert list(others.all) == ["q"]
    others.all["q"].heard -= 2 * peers.GONE_SECONDS
    others.hear(Changed("q", ("a",)))  # a sign of life
    assert others.forget_silent() == []


def test_sockets_and_bots_elsewhere() -> None:
    """Of all, although not every address is told."""
    others = Peers()
    others.hear(Alive("p", {"#a": 1, "#b": 2}, {"#a": 4}, 500, 40))
    others.hear(Alive("q", {"#a": 3}, {}, 3, 0))
    assert (others.sockets("#a"), others.sockets("#c"), others.sockets()) == (4, 0, 503)
    assert (others.bots("#a"), others.bots()) == (4, 40)
    others.hear(Alive("p"))
    assert (others.sockets("#a"), others.sockets()) == (3, 3)


# ---------------------------------------------------------------- two managers


@pytest.fixture
def engine() -> Iterator[PostgresEngine]:
    with postgres_engine() as engine:
        yield engine


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody is believed gone, however slow this machine is."""
    monkeypatch.setattr(peers, "GONE_SECONDS", 3600.0)
    monkeypatch.setattr(leases, "SECONDS", 3600.0)


@asynccontextmanager
async def managers(
    engine: PostgresEngine, count: int = 2, **settings: Any
) -> AsyncIterator[list[TableManager]]:
    """As many processes would have, here in one."""
    found: list[TableManager] = []
    stores: list[PostgresStore] = []
    try:
        for _ in range(count):
            stores.append(await asyncio.to_thread(engine.open))
            found.append(TableManager(stores[-1], ServerSettings(**settings)))
            found[-1].start()
        for manager in found:
            await until(partial(knows, manager, count - 1))
        yield found
    finally:
        for manager in found:
            await manager.close()
        for store in stores:
            await asyncio.to_thread(store.close)


def knows(manager: TableManager, others: int) -> bool:
    assert manager.sharing is not None
    return len(manager.sharing.peers.all) == others


def has_status(room: Room, status: str) -> bool:
    return room.table.status == status


def join(place: int) -> Change:
    return lambda table: table.join(place, NONCES[place])


def give_up(place: int) -> Change:
    return lambda table: table.give_up(place)


async def until(condition: Callable[[], object]) -> None:
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end
        await asyncio.sleep(0.01)


async def open_rooms(found: list[TableManager], *bots: str) -> list[Room]:
    """The room of one new table at each of them: two people, and bots."""
    places = [NewPlace(PlaceKind.PERSON)] * 2
    places += [NewPlace(PlaceKind.BOT, bot=bot) for bot in bots]
    opened = await found[0].opening.open_table(NewTable(tuple(places)))
    return [await manager.room(opened.table) for manager in found]


def come(room: Room, place: int | None, address: str = "") -> Connection:
    connection = Connection(_say_nothing, place, address)
    room.enter(connection)
    room.publish_presence()
    return connection


def leave(room: Room, connection: Connection) -> None:
    room.leave(connection)
    room.publish_presence()


async def _say_nothing(_text: str) -> None:
    pass


@compiled
@pytest.mark.usefixtures("patient")
def test_a_process_that_was_forgotten_is_asked_again(engine: PostgresEngine) -> None:
    """As one that was paused for so long that the others believed it gone."""

    async def play() -> None:
        async with managers(engine) as (one, other):
            here, there = await open_rooms([one, other])
            come(there, 0)
            await until(lambda: here.is_connected(0))
            assert one.sharing is not None
            assert other.sharing is not None
            one.sharing._show_presence(list(one.sharing.peers.forget(other.sharing.process)))
            assert not here.is_connected(0)
            await until(lambda: here.is_connected(0))

    run_for_a_while(play())


@compiled
@pytest.mark.usefixtures("patient")
@pytest.mark.parametrize("is_listening", [True, False], ids=["listening", "sending"])
def test_who_came_and_left_while_a_connection_was_lost(
    engine: PostgresEngine, monkeypatch: pytest.MonkeyPatch, is_listening: bool
) -> None:
    """Messages are lost; afterwards everybody knows all the same who is there."""

    async def play() -> None:
        async with managers(engine) as (one, other):
            here, there = await open_rooms([one, other])
            left_here, left_there = await open_rooms([one, other])
            leaving = come(left_there, 0)
            await until(lambda: left_here.is_connected(0))
            bus = bus_of(one if is_listening else other)
            with monkeypatch.context() as patch:
                patch.setattr(bus, "_address", "postgresql://127.0.0.1:9/nosuch")
                cut(engine, "LISTEN%" if is_listening else "SELECT pg_notify%")
                leave(left_there, leaving)
                come(there, 1)
                come(there, None)
                await until(lambda: not bus_of(other)._outgoing.qsize())
            await until(lambda: here.elsewhere == {1: 1, WATCHING: 1} and not left_here.elsewhere)

    run_for_a_while(play())


def bus_of(manager: TableManager) -> Bus:
    assert manager.sharing is not None
    assert manager.sharing._bus is not None
    return manager.sharing._bus


def cut(engine: PostgresEngine, doing: str) -> None:
    """Break the connections of one kind, and wait until they are broken."""
    where = "FROM pg_stat_activity WHERE datname = ? AND query LIKE ?"
    assert engine.query(f"SELECT pg_terminate_backend(pid, 60000) {where}", engine.name, doing)


@compiled
@pytest.mark.usefixtures("patient")
def test_it_goes_on_following_after_a_failure(
    engine: PostgresEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever is wrong with the database or with one table."""

    async def play() -> None:
        async with managers(engine) as (one, other):
            here, there = await open_rooms([one, other])
            failures: list[Exception] = [StorageError("away"), msgspec.ValidationError("newer")]
            take_over = one.take_over

            async def fail(*arguments: Any) -> None:
                if failures:
                    raise failures.pop(0)
                await take_over(*arguments)

            monkeypatch.setattr(one, "take_over", fail)
            await other.change(there, join(0))
            await until(lambda: not failures)
            await other.change(there, join(1))
            await until(lambda: here.table.status == "playing")

    run_for_a_while(play())


@compiled
@pytest.mark.usefixtures("patient")
def test_a_lease_is_given_back_for_a_person_at_another_process(
    engine: PostgresEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The stand-in of a person thinks where their screen is; nobody else may hold it up."""
    monkeypatch.setattr(sharing, "BEATS_A_RENEWAL", 10**9)  # which would give it back, too

    async def play() -> None:
        async with managers(engine) as (one, other):
            here, there = await open_rooms([one, other])
            for place in (0, 1):
                await other.change(there, join(place))
            await until(lambda: here.table.status == "playing")
            mover = there.table.to_move
            assert mover is not None
            assert one.sharing is not None
            assert await one.sharing.leases.claim(here.id)  # its bots thought until now
            come(there, mover).shown = there.table.version  # and waits for its screen from now on
            await until(lambda: here.is_connected(mover))
            one._runner.close()
            await other.change(there, lambda table: table.hand_over(mover, "random"))
            await until(lambda: here.table.bot_to_move is not None)
            assert not await other._may_think(there)
            assert not await one._may_think(here)
            assert await other._may_think(there)

    run_for_a_while(play())


@compiled
@pytest.mark.usefixtures("patient")
def test_a_bot_fails_while_another_process_is_first(
    engine: PostgresEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is tried again: the table does not stand still."""

    async def play() -> None:
        async with managers(engine, count=1) as (manager,):
            (room,) = await open_rooms([manager])
            for place in (0, 1):
                await manager.change(room, join(place))
            changes: list[str] = []
            change = manager._runner._change

            async def second(room: Room, doing: Change) -> None:
                changes.append("tried")
                if len(changes) == 1:
                    raise ConflictError("another process was first")
                await change(room, doing)

            async def fail(*_arguments: object) -> str:
                raise BotError("cannot move")

            monkeypatch.setattr(manager._runner, "_change", second)
            monkeypatch.setattr(manager.bots, "choose", fail)
            mover = room.table.to_move
            assert mover is not None
            await manager.change(room, lambda table: table.hand_over(mover, "random"))
            await until(lambda: room.is_stuck)  # the substitute has failed as well
            assert len(changes) == 2

    run_for_a_while(play())


@compiled
@pytest.mark.usefixtures("patient")
def test_bots_are_woken_by_what_is_refused(
    engine: PostgresEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is refused because another process was first; perhaps that one is dead by now."""

    async def play() -> None:
        async with managers(engine, count=1) as (manager,):
            (room,) = await open_rooms([manager])
            woken: list[Room] = []
            monkeypatch.setattr(manager._runner, "wake", woken.append)
            with pytest.raises(TableError):
                await manager.change(room, lambda table: table.decide(0, "1+R", 7, "x"))
            assert woken == [room]

    run_for_a_while(play())


@compiled
@pytest.mark.usefixtures("patient")
def test_the_bots_of_a_table_count_once(engine: PostgresEngine) -> None:
    """Wherever somebody is connected to it, and wherever somebody comes."""

    async def play() -> None:
        async with managers(engine, bots_per_address=4, bots=4) as found:
            rooms = await open_rooms(found, "random", "random")
            counted = [manager.sharing for manager in found if manager.sharing is not None]
            found[0].check_bots(rooms[0], "a", more=2)
            come(rooms[0], 0, "a")
            await until(lambda: counted[1].peers.bots() == 2)
            found[1].check_bots(rooms[1], "a", more=2)
            come(rooms[1], 0, "a")
            await until(lambda: all(room.elsewhere for room in rooms))
            first, second = sorted(counted, key=lambda one: one.process)  # the first counts them
            await until(lambda: (first.peers.bots(), second.peers.bots()) == (0, 2))
            others = await open_rooms(found, "random")
            for manager, room, other in zip(found, rooms, others, strict=True):
                manager.check_bots(room, "a", more=2)
                manager.check_bots(other, "b", more=1)
                with pytest.raises(RequestError):
                    manager.check_bots(room, "a", more=3)
                with pytest.raises(RequestError):
                    manager.check_bots(other, "b", more=2)

    run_for_a_while(play())


@compiled
@pytest.mark.usefixtures("patient")
def test_two_do_the_same_at_once(engine: PostgresEngine) -> None:
    """Both join, one decision is sent to both, both ask for a rematch: all is done once."""

    async def play() -> None:
        async with managers(engine, count=3) as found:
            rooms = await open_rooms(found)
            await asyncio.gather(
                found[0].change(rooms[0], join(0)),
                found[1].change(rooms[1], join(1)),
            )
            for room in rooms:
                await until(partial(has_status, room, "playing"))
            version, place = rooms[0].table.version, rooms[0].table.to_move
            assert version == 3
            assert place is not None
            view = rooms[0].table.view(place)
            assert view is not None
            move = view.moves[0].text
            seats = [come(room, place) for room in rooms]
            decide = lambda table: table.decide(place, move, version, "once")  # noqa: E731
            await asyncio.gather(
                *(
                    manager.change(room, decide, seat, "once", place)
                    for manager, room, seat in zip(found, rooms, seats, strict=True)
                )
            )
            assert {room.table.version for room in rooms} == {version + 1}
            for number in (0, 1):
                await found[number].change(rooms[number], give_up(number))
            for room in rooms:
                await until(partial(has_status, room, "over"))
            again = await asyncio.gather(
                *(
                    manager.opening.open_rematch(room)
                    for manager, room in zip(found, rooms, strict=True)
                )
            )
            assert len(set(again)) == 1
            assert found[0].store.count_tables() == 2

    run_for_a_while(play())
