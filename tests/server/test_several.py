"""Two processes serve the tables of one database: whoever is at which of them, all is the same."""

from __future__ import annotations

import asyncio
import json
import secrets
import shutil
from collections.abc import Iterator
from contextlib import AsyncExitStack, ExitStack, closing, contextmanager, suppress
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed

from coatl.server.copying import copy_tables
from coatl.server.sqlite_store import FILE_NAME, SqliteStore
from coatl.table.entries import Decided
from tests.cli import program
from tests.cli.program import compiled
from tests.postgres import shared_postgres
from tests.server.chaos import check_browsers
from tests.server.engines import PostgresEngine, postgres_engine
from tests.server.harness import (
    Browser,
    Json,
    LiveServer,
    SeatClient,
    play_tables,
    run_for_a_while,
    wait_until,
)
from tests.server.test_old_data import DATA, TABLES

pytestmark = [compiled, pytest.mark.slow]

# A process that is killed is missed sooner than in earnest.
SOON = (
    "import coatl.server.leases as leases, coatl.server.peers as peers;"
    "import coatl.server.sharing as sharing;"
    "leases.SECONDS = peers.GONE_SECONDS = 2.0; leases.SURE_SECONDS = 1.0;"
    "sharing.BEAT_SECONDS = 0.3"
)
# And here nobody is missed, however slow this machine is.
LONG = (
    "import coatl.server.leases as leases, coatl.server.peers as peers;"
    "leases.SECONDS = peers.GONE_SECONDS = 3600.0"
)


@contextmanager
def processes(
    engine: PostgresEngine, folder: Path, prelude: str = "", **settings: str
) -> Iterator[list[LiveServer]]:
    with ExitStack() as stack:
        found = []
        for number in range(2):
            server = LiveServer(folder / f"process{number}", prelude, engine.address, **settings)
            server.folder.mkdir(parents=True)
            server.start()
            stack.callback(stop, server)
            found.append(server)
        yield found


def stop(server: LiveServer) -> None:
    if server.process is not None and server.process.poll() is None:
        assert server.stop() == 0
        assert "Traceback" not in server.log.read_text()


@pytest.fixture
def engine() -> Iterator[PostgresEngine]:
    with postgres_engine() as engine:
        yield engine


@pytest.fixture(scope="module")
def shared() -> Iterator[PostgresEngine]:
    with postgres_engine() as engine:
        yield engine


@pytest.fixture(scope="module")
def pair(
    shared: PostgresEngine, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[list[LiveServer]]:
    """For tests that stop nobody."""
    with processes(shared, tmp_path_factory.mktemp("pair"), prelude=SOON) as servers:
        yield servers


def seats_at(servers: list[LiveServer], opened: Json) -> list[SeatClient]:
    """The seats of a table, one after the other at the next process."""
    tokens = [token for token in opened["seats"] if token is not None]
    return [
        SeatClient(servers[number % len(servers)], opened["table"], token)
        for number, token in enumerate(tokens)
    ]


async def all_joined(seats: list[SeatClient]) -> None:
    await asyncio.gather(*(seat.join() for seat in seats))
    for seat in seats:
        while seat.state["status"] == "waiting":
            await seat.next_state()


def entries_of(engine: PostgresEngine, table: str) -> list[Json]:
    rows = engine.query("SELECT entry FROM log WHERE table_id = ? ORDER BY version", table)
    return [json.loads(bytes(entry)) for (entry,) in rows]


# ---------------------------------------------------------------- playing


def test_seats_at_different_processes_play(shared: PostgresEngine, pair: list[LiveServer]) -> None:
    """Each sees every move of the others, with whole states and all events."""
    opened = pair[0].open_table("person", "person", "person", "random")
    browsers = [
        Browser(pair[number % 2], opened["table"], token, number)
        for number, token in enumerate(opened["seats"][:3])
    ]
    play_tables(browsers, lambda: sum(len(browser.acknowledged) for browser in browsers) >= 60)
    with shared.opened() as store:
        assert check_browsers(store, browsers, are_over=False) >= 60
    assert all(len(browser.acknowledged) > 5 for browser in browsers)


def test_two_join_at_once(pair: list[LiveServer]) -> None:
    async def play() -> None:
        opened = await asyncio.to_thread(pair[0].open_table, "person", "person")
        ana, ben = seats_at(pair, opened)
        async with ana, ben:
            await ana.next_state()
            await ben.next_state()
            await all_joined([ana, ben])
            assert ana.state["version"] == ben.state["version"] == 3
            mover = next(seat for seat in (ana, ben) if seat.is_my_turn)
            version = (await mover.decide())["version"]
            for seat in (ana, ben):
                assert (await seat.state_at(version))["version"] == version

    run_for_a_while(play())


def test_a_decision_sent_to_both_is_played_once(
    shared: PostgresEngine, pair: list[LiveServer]
) -> None:
    """At the same time, and again when both know it."""

    async def play() -> None:
        opened = await asyncio.to_thread(pair[0].open_table, "person", "random")
        here, there = (SeatClient(server, opened["table"], opened["seats"][0]) for server in pair)
        async with here, there:
            await here.next_state()
            await here.join()
            while not here.is_my_turn:
                await here.next_state()
            version, move = here.state["version"], here.moves[0]
            await there.state_at(version)
            same = {"id": "once", "version": version, "move": move}
            for _ in range(2):
                answers = await asyncio.gather(
                    *(seat.ask("decide", **same) for seat in (here, there))
                )
                assert [answer["type"] for answer in answers] == ["state", "state"]
        ids = [entry.get("id") for entry in entries_of(shared, opened["table"])]
        assert ids.count("once") == 1

    run_for_a_while(play())


def test_what_was_seen_at_one_process_is_known_at_the_other(pair: list[LiveServer]) -> None:
    """Whoever changes to another process is never told that they are ahead."""

    async def play() -> None:
        opened = await asyncio.to_thread(pair[0].open_table, "person", levels=[])
        token = opened["seats"][0]
        async with SeatClient(pair[0], opened["table"], token) as seat:
            state = await seat.join()
        for number in range(20):
            server = pair[number % 2]
            known = {"version": state["version"], "events": state["first_event"]}
            async with SeatClient(server, opened["table"], token, **known) as seat:
                first = await seat.receive()
                assert (first["type"], first["version"]) == ("state", state["version"])
                state = await seat.decide()
                assert state["type"] == "state"

    run_for_a_while(play())


# ---------------------------------------------------------------- who is there


async def until_present(seat: SeatClient, connected: list[bool], watching: int) -> None:
    expected = {"type": "presence", "connected": connected, "watching": watching}
    while seat.presence != expected:
        await seat.receive()


def test_presence_counts_over_all(pair: list[LiveServer]) -> None:
    opened = pair[0].open_table("person", "person")
    ana, ben = seats_at(pair, opened)
    watchers = [SeatClient(server, opened["table"], opened["watch"]) for server in pair]

    async def play() -> None:
        async with ana:
            async with ben, watchers[0], watchers[1]:
                await until_present(ana, [True, True], 2)
                await until_present(ben, [True, True], 2)
            await until_present(ana, [True, False], 0)
            status, table = await asyncio.to_thread(
                pair[1].request, "GET", f"/api/tables/{opened['table']}", None, opened["watch"]
            )
            assert status == 200
            assert [place["connected"] for place in table["places"]] == [True, False]

    run_for_a_while(play())


def test_a_process_is_killed(engine: PostgresEngine, tmp_path: Path) -> None:
    """Its people are gone, bots go on at the other one, and think at one process at a time."""
    with processes(engine, tmp_path, prelude=SOON) as (here, there):
        opened = here.open_table("person", "person", "random", "random")
        ana, ben = seats_at([here, there], opened)
        watcher = SeatClient(here, opened["table"], opened["watch"])

        async def play() -> None:
            async with ana:
                async with ben, SeatClient(there, opened["table"], opened["watch"]):
                    await ana.next_state()
                    await ben.next_state()
                    await all_joined([ana, ben])
                    await until_present(ana, [True, True, False, False], 1)
                    for seat in (ana, ben):  # bots play for everybody, wherever they think
                        await seat.ask("hand_over", bot="random")
                    await ana.state_at(ana.state["version"] + 20)
                    there.kill()
                    with suppress(ConnectionClosed):
                        await ben.until(lambda _message: False)
                await until_present(ana, [True, False, False, False], 0)
            async with watcher:
                while (await watcher.next_state())["status"] != "over":
                    pass

        run_for_a_while(play())
        check_each_place_decides_once(engine, opened["table"])


def check_each_place_decides_once(engine: PostgresEngine, table: str) -> None:
    """The log can be replayed, so no decision was made twice."""
    with engine.opened() as store:
        stored = store.load(table)
        assert stored is not None
        assert sum(isinstance(entry, Decided) for entry in stored.entries) > 50


def test_bots_think_at_one_process(engine: PostgresEngine, tmp_path: Path) -> None:
    """Somebody watches at each: a bot that thinks at one does not think at the other in vain."""
    with processes(engine, tmp_path, prelude=LONG, COATL_METRICS="1") as servers:
        opened = servers[0].open_table("person", "person", "random", "random")

        async def play() -> None:
            ana, ben = seats_at(servers, opened)
            watchers = [SeatClient(at, opened["table"], opened["watch"]) for at in servers]
            async with watchers[0], watchers[1]:
                async with ana, ben:
                    await ana.next_state()
                    await ben.next_state()
                    await all_joined([ana, ben])
                    for seat in (ana, ben):
                        await seat.ask("hand_over", bot="random")
                for watcher in watchers:
                    while watcher.state.get("status") != "over":
                        await watcher.next_state()

        run_for_a_while(play())
        thought = sum(thoughts(server) for server in servers)
    decided = sum(entry["do"] == "move" for entry in entries_of(engine, opened["table"]))
    assert decided > 50
    assert thought <= decided + 5  # while people came and left, one or the other was in vain


def thoughts(server: LiveServer) -> int:
    """How many decisions its bots have thought about."""
    status, text = server.request("GET", "/metrics")
    assert status == 200
    name = "coatl_bot_thinking_seconds_count"
    (line,) = [line for line in text.splitlines() if line.startswith(name)]
    return int(float(line.split()[-1]))


def test_a_stand_in_thinks_where_the_person_looks(pair: list[LiveServer]) -> None:
    """It waits for their screen there, and no other process holds it up for ever."""

    async def play() -> None:
        opened = await asyncio.to_thread(pair[0].open_table, "person", "person", "random")
        table, tokens = opened["table"], opened["seats"]
        ana = SeatClient(pair[0], table, tokens[0], shown=0)
        ben = SeatClient(pair[1], table, tokens[1], shown=0)
        async with ana, ben:
            await ana.next_state()
            await ben.next_state()
            await all_joined([ana, ben])
            for seat in (ana, ben):
                await seat.ask("hand_over", bot="random")
            for _ in range(30):
                version = max(ana.state["version"], ben.state["version"])
                for seat in (ana, ben):
                    await seat.state_at(version)
                    await seat.send("shown", version=seat.state["version"])
                await ana.state_at(version + 1)

    run_for_a_while(play())


# ---------------------------------------------------------------- places


def take(server: LiveServer, opened: Json, id: str | None = None) -> tuple[int, Json]:
    body = {"invite": opened["invite"]} | ({} if id is None else {"id": id})
    return server.request("POST", f"/api/tables/{opened['table']}/join", body)


def test_an_open_place_is_taken_once(pair: list[LiveServer]) -> None:
    async def ask(opened: Json, ids: tuple[str | None, str | None]) -> list[tuple[int, Json]]:
        return await asyncio.gather(
            *(
                asyncio.to_thread(take, server, opened, id)
                for server, id in zip(pair, ids, strict=True)
            )
        )

    for _ in range(3):
        opened = pair[0].open_table("person", "open")
        answers = run_for_a_while(ask(opened, (None, None)))
        assert sorted(status for status, _ in answers) == [200, 409]
        assert {answer.get("code") for _, answer in answers} == {None, "taken"}
        opened = pair[1].open_table("person", "open", "open")
        answers = run_for_a_while(ask(opened, (None, None)))
        assert sorted(answer["place"] for _, answer in answers) == [1, 2]
        opened = pair[0].open_table("person", "open", "open")
        id = secrets.token_urlsafe(24)
        answers = run_for_a_while(ask(opened, (id, id)))
        assert answers[0] == answers[1]
        assert take(pair[1], opened, id) == answers[0]


def test_a_place_that_is_freed_at_the_other_process(pair: list[LiveServer]) -> None:
    opened = pair[0].open_table("person", "open")
    _, seat = take(pair[0], opened)

    async def play() -> None:
        guest = SeatClient(pair[1], opened["table"], seat["token"])
        async with guest:
            await guest.next_state()
            path = f"/api/tables/{opened['table']}/free"
            freed = await asyncio.to_thread(
                pair[0].request, "POST", path, {"place": 1}, opened["owner"]
            )
            assert freed[0] == 200
            with pytest.raises(ConnectionClosed):
                await guest.until(lambda _message: False)
        for server in pair:
            async with SeatClient(server, opened["table"], seat["token"]) as guest:
                assert (await guest.receive())["code"] == "bad_token"

    run_for_a_while(play())
    assert take(pair[1], opened)[1]["place"] == 1


def test_a_rematch_asked_for_at_both_is_one_table(pair: list[LiveServer]) -> None:
    opened = pair[0].open_table("person", "person")

    async def play() -> None:
        ana, ben = seats_at(pair, opened)
        async with ana, ben:
            await ana.next_state()
            await ben.next_state()
            await all_joined([ana, ben])
            for seat in (ana, ben):
                await seat.ask("give_up")
            for seat in (ana, ben):
                while seat.state["status"] != "over":
                    await seat.next_state()
            path = f"/api/tables/{opened['table']}/rematch"
            answers = await asyncio.gather(
                *(
                    asyncio.to_thread(server.request, "POST", path, {}, opened["seats"][number])
                    for number, server in enumerate(pair)
                )
            )
            assert [status for status, _ in answers] == [200, 200]
            assert len({answer["table"] for _, answer in answers}) == 1
            for seat in (ana, ben):
                while not seat.state.get("rematch"):
                    await seat.next_state()

    run_for_a_while(play())


# ---------------------------------------------------------------- limits


def test_limits_count_over_both(engine: PostgresEngine, tmp_path: Path) -> None:
    limits = {
        "COATL_TABLES_PER_MINUTE": "0.001",
        "COATL_TABLE_BURST": "3",
        "COATL_CONNECTIONS_PER_SEAT": "2",
        "COATL_CONNECTIONS_PER_ADDRESS": "3",
    }
    with processes(engine, tmp_path, prelude=SOON, **limits) as (here, there):
        opened = here.open_table("person", "person")
        for _ in range(2):
            here.open_table("person", "person")
        wait_until(lambda: is_refused(there), "the other process has been told")

        async def play() -> None:
            first, second, third = (
                SeatClient(server, opened["table"], opened["seats"][0])
                for server in (here, there, there)
            )
            async with first, second:
                await until_present(second, [True, False], 0)
                await first.next_state()
                await until_refused(third, "too_many_connections")
                async with AsyncExitStack() as watching:
                    await until_accepted(watching, here, opened["table"], opened["watch"])
                    await until_present(second, [True, False], 1)
                    await until_refused(
                        SeatClient(there, opened["table"], opened["watch"]), "too_many_connections"
                    )

        run_for_a_while(play())


def is_refused(server: LiveServer) -> bool:
    """Once the others know of it; nothing is opened by asking."""
    status, answer = server.request("POST", "/api/tables", {"places": [{"kind": "person"}] * 2})
    return bool(status == 429 and answer["code"] == "too_fast")


async def until_accepted(stack: AsyncExitStack, server: LiveServer, table: str, token: str) -> None:
    """Sooner or later: one that was refused may still be counted."""
    while True:
        client = SeatClient(server, table, token)
        with suppress(ConnectionClosed):
            await stack.enter_async_context(client)
            if (await client.receive())["type"] == "state":
                return


async def until_refused(client: SeatClient, code: str) -> None:
    """Sooner or later: processes tell each other now and then."""
    found = None
    while found != code:
        try:
            async with client:
                found = (await client.receive()).get("code")
        except ConnectionClosed as closed:  # before it could say hello
            found = closed.rcvd.reason if closed.rcvd is not None else None


# ---------------------------------------------------------------- whoever runs it


def run(address: str, *arguments: str, env: dict[str, str] | None = None) -> str:
    done = program.quick_run(*arguments, "--database", address, env=env)
    assert done.code == 0, done
    return done.out


DAYS = {"COATL_WAITING_DAYS": "0.000001"}


def test_the_operators_commands_while_servers_run(engine: PostgresEngine, tmp_path: Path) -> None:
    with processes(engine, tmp_path) as (here, there):
        ended, deleted, used, unused = (here.open_table("person", "person") for _ in range(4))

        async def play() -> None:
            seats = [
                SeatClient(server, opened["table"], opened["seats"][0])
                for server, opened in ((here, ended), (there, deleted), (there, used))
            ]
            async with seats[0], seats[1], seats[2]:
                for seat in seats:
                    await seat.next_state()
                for word, opened, seat in (("end", ended, seats[0]), ("delete", deleted, seats[1])):
                    await asyncio.to_thread(
                        run, engine.address, "tables", word, opened["table"], "--yes"
                    )
                    refused = await seat.until(lambda message: message["type"] == "refused")
                    assert refused["code"] == "unknown_table"
                expired = await asyncio.to_thread(
                    run, engine.address, "database", "expire", env=DAYS
                )
                assert expired.splitlines() == [unused["table"], "1 table expired"]
                assert (await seats[2].join())["type"] == "state"

        run_for_a_while(play())
        assert (
            json.loads(run(engine.address, "tables", "list", "--json"))[0]["table"] == used["table"]
        )
        assert "waiting" in run(engine.address, "tables", "show", used["table"])
        archived = json.loads(run(engine.address, "tables", "list", "--json", "--archive"))
        assert {table["table"] for table in archived} == {ended["table"], unused["table"]}
        assert run(engine.address, "database", "check").count("all in order") == 2
        message = copied(engine.address, str(tmp_path / "copy"), code=2)
        assert "a server uses this database; stop it first" in message


def copied(source: str, target: str, code: int = 0) -> str:
    done = program.quick_run("database", "copy", source, target)
    assert done.code == code, done
    return done.out if code in (0, 1) else program.one_line(done.err)


def test_copies_in_both_directions(engine: PostgresEngine, tmp_path: Path) -> None:
    """What version 0.1 stored. Again, nothing has to be done; what differs is left alone."""
    old, new = tmp_path / "old", tmp_path / "new"
    old.mkdir()
    shutil.copy(DATA / FILE_NAME, old)
    assert copied(str(old), engine.address) == "5 copied and checked, 0 there already\n"
    assert copied(engine.address, str(new)) == "5 copied and checked, 0 there already\n"
    playing = TABLES["playing"]["table"]
    with engine.opened() as store, closing(SqliteStore(new)) as file:
        assert set(store.list_ids("", 10)) == {table["table"] for table in TABLES.values()}
        assert all(store.load(id) == file.load(id) for id in store.list_ids("", 10))
        again = copy_tables(file, store, lambda _: None)
        assert (again.copied, again.there, again.different) == (0, 5, [])
        engine.query("DELETE FROM log WHERE table_id = ? AND version = 3", playing)
        different = copy_tables(store, file, lambda _: None)
        assert (different.copied, different.there, different.different) == (0, 4, [playing])
        with closing(SqliteStore(tmp_path / "third")) as third:
            damaged = copy_tables(store, third, lambda _: None)
        assert (damaged.copied, damaged.damaged) == (5, [playing])


def test_the_database_is_away(engine: PostgresEngine, tmp_path: Path) -> None:
    """For a moment nobody notices; for longer, what cannot be stored is refused and done later."""
    with processes(engine, tmp_path, COATL_BUSY_TIMEOUT="0.2") as servers:
        opened = servers[0].open_table("person", "person")
        ana, ben = seats_at(servers, opened)

        async def play() -> None:
            async with ana, ben:
                await ana.next_state()
                await ben.next_state()
                await all_joined([ana, ben])
                shared_postgres().cut(engine.name)
                mover, other = (ana, ben) if ana.is_my_turn else (ben, ana)
                version = (await mover.decide())["version"]
                await other.state_at(version)
                await asyncio.to_thread(shared_postgres().stop)
                seat = ana if ana.is_my_turn else ben
                try:
                    refused = await seat.decide(id="later")
                finally:
                    shared_postgres().launch()
                    await asyncio.to_thread(shared_postgres().wait_until_up)
                assert (refused["type"], refused["code"]) == ("refused", "storage")

        with suppress(ConnectionClosed):  # whoever cannot be told what is true is disconnected
            run_for_a_while(play())
        run_for_a_while(come_back(servers, opened))


async def come_back(servers: list[LiveServer], opened: Json) -> None:
    seats = seats_at(servers, opened)
    async with seats[0], seats[1]:
        for seat in seats:
            assert (await seat.next_state())["status"] == "playing"
        mover, other = seats if seats[0].is_my_turn else seats[::-1]
        version = (await mover.decide(id="later"))["version"]
        assert (await other.state_at(version))["version"] == version
