"""The file: how it is written, and what is left of it after a crash, a cut or a full disk."""

from __future__ import annotations

import asyncio
import random
import shutil
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from coatl.server.connection import Connection
from coatl.server.database import StorageError
from coatl.server.manager import TableManager
from coatl.server.protocol import NewPlace, NewTable, RequestError
from coatl.server.settings import ServerSettings
from coatl.server.sqlite_store import FILE_NAME, SqliteStore
from coatl.server.store import Done
from coatl.table import Entry, Table
from coatl.table.entries import PlaceKind
from tests.cli.program import compiled, environment, one_line, quick_run
from tests.server.engines import add_table
from tests.server.harness import (
    ROOT,
    Browser,
    Json,
    LiveServer,
    SeatClient,
    clients_of,
    play_tables,
    run_for_a_while,
    running_server,
    seats_of,
)

WAL = f"{FILE_NAME}-wal"


@contextmanager
def open_store(folder: Path) -> Iterator[SqliteStore]:
    store = SqliteStore(folder)
    try:
        yield store
    finally:
        store.close()


# ---------------------------------------------------------------- writing


def test_what_durability_rests_on(tmp_path: Path) -> None:
    with open_store(tmp_path) as store:
        assert store.pragmas == {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1}
        add_table(store, "a")
        with store._engine.connect() as writing:  # the pool's, which the writer uses
            assert writing.exec_driver_sql("PRAGMA synchronous").scalar() == 2
        assert store._reader.exec_driver_sql("PRAGMA synchronous").scalar() == 2


# ---------------------------------------------------------------- opening


def test_two_stores_cannot_share_a_folder(tmp_path: Path) -> None:
    with (
        open_store(tmp_path),
        pytest.raises(StorageError, match="another coatl server uses this folder"),
    ):
        SqliteStore(tmp_path)
    with open_store(tmp_path):  # it was let go
        pass


def refused_start(folder: Path) -> str:
    """The one line of a server that cannot start."""
    done = quick_run("serve", "--port", "0", "--data", folder)
    assert (done.code, done.out) == (2, "")
    return one_line(done.err)


@compiled
def test_two_servers_cannot_share_a_folder(tmp_path: Path) -> None:
    with open_store(tmp_path):
        assert refused_start(tmp_path) == f"{tmp_path}: another coatl server uses this folder"


@compiled
def test_a_database_of_a_newer_version(tmp_path: Path) -> None:
    with open_store(tmp_path):
        pass
    with closing(sqlite3.connect(tmp_path / FILE_NAME)) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
        connection.commit()
    before = (tmp_path / FILE_NAME).read_bytes()
    message = refused_start(tmp_path)
    assert message == f"{tmp_path / FILE_NAME}: the database was made by a newer version of coatl"
    assert (tmp_path / FILE_NAME).read_bytes() == before
    with pytest.raises(StorageError):
        SqliteStore(tmp_path)


@compiled
def test_a_file_that_is_no_database(tmp_path: Path) -> None:
    (tmp_path / FILE_NAME).write_bytes(b"something else" * 500)
    assert refused_start(tmp_path) == f"{tmp_path / FILE_NAME}: file is not a database"


@compiled
def test_a_folder_that_is_none(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert refused_start(tmp_path / "file").startswith(f"{tmp_path / 'file'}: ")


def test_alembic_is_loaded_only_for_an_old_file(tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from coatl.server.sqlite_store import SqliteStore;"
        "SqliteStore(Path(sys.argv[1])).close(); print('alembic' in sys.modules)"
    )
    command = [sys.executable, "-c", code, str(tmp_path)]
    answers = [
        subprocess.run(command, env=environment(), cwd=ROOT, capture_output=True, check=True).stdout
        for _ in range(2)
    ]
    assert [answer.decode().strip() for answer in answers] == ["True", "False"]


# ---------------------------------------------------------------- a file that was cut


@dataclass
class Killed:
    """A server killed in the middle of some games, and the size of its log when they began."""

    server: LiveServer
    opened: list[Json]
    fresh: int


def play_and_kill(folder: Path) -> Killed:
    server = LiveServer(folder)
    server.start()
    fresh = (folder / WAL).stat().st_size
    options: list[tuple[tuple[str, ...], Json]] = [
        (("person", "person"), {}),
        (("person", "greedy", "person"), {"promo": True}),
        (("person",), {"levels": [1]}),
    ]
    opened = [server.open_table(*kinds, **more) for kinds, more in options]
    browsers = [seat for table in opened for seat in seats_of(server, table, seed=3)]
    play_tables(browsers, lambda: sum(len(b.acknowledged) for b in browsers) >= 120)
    server.kill()
    return Killed(server, opened, fresh)


def logs_in(folder: Path) -> dict[str, list[bytes]]:
    with closing(sqlite3.connect(folder / FILE_NAME)) as connection:
        logs: dict[str, list[bytes]] = {}
        for table, entry in connection.execute(
            "SELECT table_id, entry FROM log ORDER BY table_id, version"
        ):
            logs.setdefault(table, []).append(entry)
    return logs


def cut_copy(folder: Path, into: Path, length: int) -> Path:
    """The folder as a power cut could leave it: the log of the database ends somewhere."""
    into.mkdir()
    shutil.copy(folder / FILE_NAME, into / FILE_NAME)
    (into / WAL).write_bytes((folder / WAL).read_bytes()[:length])
    return into


@pytest.mark.slow
@compiled
def test_a_log_cut_anywhere_is_a_whole_beginning(tmp_path: Path) -> None:
    """The store opens; every table's log is a beginning of the whole one, and is a table."""
    killed = play_and_kill(tmp_path / "data")
    server, opened = killed.server, killed.opened
    size = (server.folder / WAL).stat().st_size
    assert size > 100_000
    whole = logs_in(cut_copy(server.folder, tmp_path / "whole", size))
    assert set(whole) == {table["table"] for table in opened}
    rng = random.Random(1)
    lengths = set()
    for number in range(25):
        length = rng.randrange(killed.fresh, size)
        folder = cut_copy(server.folder, tmp_path / f"cut{number}", length)
        lengths.add(check_cut(folder, whole))
    assert len(lengths) > 10


@compiled
@pytest.mark.games
def test_clients_go_on_after_a_cut(tmp_path: Path) -> None:
    killed = play_and_kill(tmp_path / "data")
    size = (killed.server.folder / WAL).stat().st_size
    whole = logs_in(cut_copy(killed.server.folder, tmp_path / "whole", size))
    folder = cut_copy(killed.server.folder, tmp_path / "cut", size * 3 // 4)
    go_on_after_a_cut(folder, killed.opened[0], len(whole[killed.opened[0]["table"]]))


def test_a_first_start_cut_anywhere_can_be_done_again(tmp_path: Path) -> None:
    """The schema is made as a whole or not at all."""
    with open_store(tmp_path / "data"):
        size = (tmp_path / "data" / WAL).stat().st_size
        folders = [
            cut_copy(tmp_path / "data", tmp_path / f"cut{length}", length)
            for length in range(0, size, 4096)
        ]
    for folder in folders:
        with open_store(folder) as store:
            add_table(store, "a")
            assert store.count_tables() == 1


def check_cut(folder: Path, whole: dict[str, list[bytes]]) -> int:
    with open_store(folder) as store:
        found = logs_in(folder)
        for table, log in found.items():
            assert log == whole[table][: len(log)]
            stored = store.load(table)
            assert stored is not None
            assert Table.rebuild(stored.entries, stored.secret).version == len(log)
        assert store.count_tables() == len(found)
    return sum(map(len, found.values()))


def go_on_after_a_cut(folder: Path, table: Json, known: int) -> None:
    """Clients who knew more are told so, get the table as it is now, and play on to the end."""
    with running_server(folder) as server:
        assert len(server.read_log(table["table"])) < known
        run_for_a_while(name_a_later_version(server, table, known))
        browsers = seats_of(server, table, seed=6)
        for browser in browsers:
            browser.state = {"version": known}
            browser.events = [{"kind": "lost"}] * 10_000
        play_tables(browsers)
        assert "lost" not in {event["kind"] for browser in browsers for event in browser.events}
        assert "ahead" in {refused["code"] for b in browsers for refused in b.refused}
        check_acknowledged(server, table, browsers)


async def name_a_later_version(server: LiveServer, table: Json, known: int) -> None:
    for token in table["seats"]:
        async with SeatClient(server, table["table"], token, version=known, events=5) as client:
            refused = await client.receive()
            assert (refused["type"], refused["code"]) == ("refused", "ahead")
            state = await client.receive()
            assert (state["type"], state["first_event"]) == ("state", 0)
            assert state["version"] < known
            if client.is_my_turn:
                answer = await client.decide(version=known)
                assert answer["code"] == "ahead"


# ---------------------------------------------------------------- a full disk


@pytest.fixture
def cramped(tmp_path: Path) -> Iterator[LiveServer]:
    """A server whose files may not grow beyond a size."""
    server = LiveServer(tmp_path / "data", COATL_BUSY_TIMEOUT="1")
    server.largest_file = 200_000
    server.start()
    yield server
    server.stop()


def fill(server: LiveServer) -> tuple[Json, list[Browser]]:
    """Play until a decision is refused."""
    opened = server.open_table("person", "person")
    browsers = seats_of(server, opened, seed=2)
    play_tables(browsers, lambda: any(browser.refused for browser in browsers))
    assert {refused["code"] for browser in browsers for refused in browser.refused} == {"storage"}
    return opened, browsers


@pytest.mark.slow
@compiled
def test_a_full_disk(cramped: LiveServer) -> None:
    """What cannot be stored is refused, nobody sees it, and it can be done later."""
    opened, browsers = fill(cramped)
    version = len(cramped.read_log(opened["table"]))

    async def play() -> None:
        clients = clients_of(cramped, opened)
        async with clients[0], clients[1]:
            for client in clients:
                assert (await client.next_state())["version"] == version
            mover = next(client for client in clients if client.is_my_turn)
            for _ in range(2):
                refused = await mover.decide(id="tried")
                assert (refused["type"], refused["code"]) == ("refused", "storage")
                fresh = await mover.next_state()
                assert (fresh["version"], fresh["events"]) == (version, [])
            await check_nothing_was_told(clients, version)
            status, answer = await asyncio.to_thread(try_to_open, cramped)
            assert (status, answer["code"]) == (503, "storage")
            cramped.may_write_again()
            assert (await mover.decide(id="tried"))["version"] == version + 1
            for client in clients:
                assert (await client.state_at(version + 1))["version"] == version + 1

    run_for_a_while(play())
    assert len(cramped.read_log(opened["table"])) == version + 1
    play_tables(browsers)
    check_acknowledged(cramped, opened, browsers)


def try_to_open(server: LiveServer) -> tuple[int, Json]:
    return server.request("POST", "/api/tables", {"places": [{"kind": "person"}] * 2})


async def check_nothing_was_told(clients: list[SeatClient], version: int) -> None:
    """After a ping has been answered, all that was said before has been heard."""
    for client in clients:
        await client.send("ping")
        await client.until(lambda message: bool(message["type"] == "pong"))
        assert client.state["version"] == version


def check_acknowledged(server: LiveServer, opened: Json, browsers: list[Browser]) -> None:
    ids = [getattr(entry, "id", None) for entry in server.read_log(opened["table"])]
    for browser in browsers:
        assert browser.is_over
        assert set(browser.acknowledged) <= set(ids)
    assert len([id for id in ids if id]) == len({id for id in ids if id})


@compiled
@pytest.mark.games
def test_a_bot_tries_again_when_there_is_room(cramped: LiveServer) -> None:
    opened = cramped.open_table("person", "person", "greedy")

    async def play() -> None:
        clients = clients_of(cramped, opened)
        for client in clients:
            async with client:
                await client.join()
        async with SeatClient(cramped, opened["table"], opened["watch"]) as watcher:
            for client in clients:
                async with client:
                    await client.ask("hand_over", bot="random")
            while "write failed" not in cramped.log.read_text():
                await asyncio.sleep(0.05)
            cramped.may_write_again()
            await watcher.until(lambda message: message.get("status") == "over")

    run_for_a_while(play())


class BrokenStore:
    """Neither writes nor reads, while it is broken."""

    def __init__(self, store: SqliteStore, monkeypatch: pytest.MonkeyPatch) -> None:
        self.is_broken = False
        load = store.load

        def load_or_fail(table: str) -> Any:
            if self.is_broken:
                raise StorageError("disk I/O error")
            return load(table)

        monkeypatch.setattr(store, "append", self._append_or_fail(store.append))
        monkeypatch.setattr(store, "load", load_or_fail)

    def _append_or_fail(self, append: Any) -> Any:
        def call(table: str, version: int, entry: Entry, done: Done) -> None:
            if self.is_broken:
                done(StorageError("disk I/O error"))
            else:
                append(table, version, entry, done)

        return call


def test_a_store_that_cannot_even_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody can say what is true: everybody is let go, and finds the table when they come back."""

    async def play(store: SqliteStore) -> None:
        broken = BrokenStore(store, monkeypatch)
        manager = TableManager(store, ServerSettings())
        manager.start()
        person = NewPlace(PlaceKind.PERSON)
        name = (await manager.opening.open_table(NewTable((person, person)))).table
        room = await manager.room(name)
        await manager.change(room, lambda table: table.join(0, "0" * 64))
        connection = Connection(_say_nothing, 0)
        room.enter(connection)
        broken.is_broken = True
        for _ in range(2):
            with pytest.raises(RequestError, match="could not be stored"):
                await manager.change(room, lambda table: table.join(1, "1" * 64))
        assert (room.is_dead, connection.ended.is_set()) == (True, True)
        with pytest.raises(StorageError):
            await manager.room(name)
        broken.is_broken = False
        again = await manager.room(name)
        assert (again.table.version, again.is_dead) == (2, False)
        await manager.change(again, lambda table: table.join(1, "1" * 64))
        assert again.table.status == "playing"
        await manager.close()

    with open_store(tmp_path) as store:
        run_for_a_while(play(store))


async def _say_nothing(text: str) -> None:
    pass


def test_somebody_who_leaves_while_a_refused_change_is_taken_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Or the table in memory would keep an entry that is in no log, and others would follow it."""
    reading, go_on = threading.Event(), threading.Event()

    async def play(store: SqliteStore) -> None:
        manager = TableManager(store, ServerSettings())
        manager.start()
        person = NewPlace(PlaceKind.PERSON)
        name = (await manager.opening.open_table(NewTable((person, person)))).table
        room = await manager.room(name)
        load = store.load

        def load_slowly(table: str) -> Any:
            reading.set()
            assert go_on.wait(20)
            return load(table)

        with monkeypatch.context() as patch:
            patch.setattr(store, "append", lambda *parts: parts[-1](StorageError("full")))
            patch.setattr(store, "load", load_slowly)
            joining = asyncio.create_task(
                manager.change(room, lambda table: table.join(0, "0" * 64))
            )
            await asyncio.to_thread(reading.wait, 20)
            for _ in range(3):
                joining.cancel()
                await asyncio.sleep(0)
            go_on.set()
            with pytest.raises(asyncio.CancelledError):
                await joining
        assert (room.table.version, room.lock.locked(), room.is_dead) == (1, False, False)
        await manager.change(room, lambda table: table.join(1, "1" * 64))
        stored = store.load(name)
        assert stored is not None
        assert Table.rebuild(stored.entries, stored.secret).version == 2
        await manager.close()

    with open_store(tmp_path) as store:
        run_for_a_while(play(store))
