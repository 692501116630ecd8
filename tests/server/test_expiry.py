"""Tables that nobody has touched for long expire: archived or deleted, never lost or half there."""

from __future__ import annotations

import asyncio
import logging
import re
import shutil
import sqlite3
import threading
import time
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator, Sequence
from contextlib import asynccontextmanager, closing
from pathlib import Path
from typing import Any

import pytest

from coatl.server import expiry, sqlite_store
from coatl.server.archive import ARCHIVE_NAME, add_to_archive
from coatl.server.connection import Connection
from coatl.server.database import StorageError
from coatl.server.manager import TableManager
from coatl.server.protocol import RequestError
from coatl.server.settings import Expired, ServerSettings
from coatl.server.sqlite_store import FILE_NAME, SqliteStore
from coatl.server.store import Done, LastEntry
from coatl.table.entries import Entry, Freed
from tests.server.fuzzing import LocalServer, ask, compiled, local_server, open_socket
from tests.server.harness import HELLO, ROOT, run_for_a_while
from tests.server.test_old_data import DATA, TABLES

pytestmark = compiled

DAY = 86_400
LAST = 1_794_883_707  # a second after the last entry of all tables
IN_100_DAYS = LAST + 100 * DAY
WAITING, FINISHED = {"waiting", "rematch"}, {"over", "solo"}
NAMES = {table["table"]: name for name, table in TABLES.items()}
IDS = {name: id for id, name in NAMES.items()}
Rows = dict[str, list[tuple[Any, ...]]]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """What version 0.1 stored: five tables, of each kind at least one."""
    shutil.copy(DATA / FILE_NAME, tmp_path)
    return tmp_path


@asynccontextmanager
async def open_manager(folder: Path, **settings: Any) -> AsyncIterator[TableManager]:
    store = SqliteStore(folder)
    manager = TableManager(store, ServerSettings(**{"idle_seconds": 1e9, **settings}))
    manager.start()
    try:
        yield manager
    finally:
        await manager.close()
        store.close()


def in_manager(
    folder: Path, play: Callable[[TableManager], Coroutine[Any, Any, None]], **settings: Any
) -> None:
    async def run() -> None:
        async with open_manager(folder, **settings) as manager:
            await play(manager)

    run_for_a_while(run())


def sweep(folder: Path, now: float = IN_100_DAYS, **settings: Any) -> int:
    counts: list[int] = []

    async def play(manager: TableManager) -> None:
        counts.append(await manager.expiry.sweep(now))

    in_manager(folder, play, **settings)
    return counts[0]


def rows_in(file: Path, ids: Sequence[str]) -> Rows:
    """All that a file holds of some tables."""
    marks = ",".join("?" * len(ids))
    columns = {"tables": "id", "tokens": "table_id", "log": "table_id"}
    with closing(sqlite3.connect(file)) as connection:
        return {
            table: connection.execute(
                f"SELECT * FROM {table} WHERE {column} IN ({marks}) ORDER BY 1, 2", ids
            ).fetchall()
            for table, column in columns.items()
        }


def names_in(file: Path) -> set[str]:
    if not file.exists():
        return set()
    with closing(sqlite3.connect(file)) as connection:
        found = [
            {NAMES[id] for (id,) in connection.execute(f"SELECT {column} FROM {table}")}
            for table, column in (("tables", "id"), ("tokens", "table_id"), ("log", "table_id"))
        ]
    assert found[0] == found[1] == found[2]  # a table is there as a whole, or not at all
    return found[0]


# ---------------------------------------------------------------- which, and what becomes of them


@pytest.mark.parametrize(
    ("days", "expected"),
    [
        ({}, WAITING),
        ({"waiting_days": 101}, set()),
        ({"waiting_days": 0, "running_days": 99}, {"playing"}),
        ({"waiting_days": 0, "finished_days": 99}, FINISHED),
        ({"waiting_days": 99.9, "running_days": 101, "finished_days": 101}, WAITING),
        ({"waiting_days": 101, "running_days": 1, "finished_days": 101}, {"playing"}),
        ({"waiting_days": 1, "running_days": 1, "finished_days": 1}, set(TABLES)),
    ],
)
def test_each_kind_of_table(folder: Path, days: dict[str, float], expected: set[str]) -> None:
    assert sweep(folder, expired=Expired.DELETE, **days) == len(expected)
    assert names_in(folder / FILE_NAME) == set(TABLES) - expected
    assert not (folder / ARCHIVE_NAME).exists()


def test_the_archive_has_all_of_a_table(folder: Path) -> None:
    """Usually tables that wait are archived, and no others."""
    ids = sorted(IDS[name] for name in WAITING)
    before = rows_in(folder / FILE_NAME, ids)
    assert sweep(folder) == 2
    assert names_in(folder / FILE_NAME) == set(TABLES) - WAITING
    assert names_in(folder / ARCHIVE_NAME) == WAITING
    assert rows_in(folder / ARCHIVE_NAME, ids) == before


def test_a_table_touched_in_time_stays(folder: Path) -> None:
    """Counted is from its last entry, whenever it was opened."""

    async def play(manager: TableManager) -> None:
        now = time.time()
        room = await manager.room(IDS["waiting"])
        await manager.change(room, lambda table: table.free(1))
        manager.rooms.clear()
        assert await manager.expiry.sweep(now + 90 * DAY - 1) == 1
        assert manager.store.load(IDS["rematch"]) is None
        assert await manager.expiry.sweep(time.time() + 90 * DAY + 1) == 1

    in_manager(folder, play)


def test_many_expire_in_batches(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(expiry, "BATCH", 2)
    everything = {"waiting_days": 1, "running_days": 1, "finished_days": 1}

    async def play(manager: TableManager) -> None:
        commits = manager.store.commits
        assert await manager.expiry.sweep(IN_100_DAYS) == 5
        assert manager.store.commits - commits == 3

    in_manager(folder, play, **everything)
    assert names_in(folder / ARCHIVE_NAME) == set(TABLES)


def file_of(manager: TableManager) -> SqliteStore:
    assert isinstance(manager.store, SqliteStore)
    return manager.store


class Loads:
    """Which tables are replayed."""

    def __init__(self, store: SqliteStore, monkeypatch: pytest.MonkeyPatch) -> None:
        self.names: list[str] = []
        load = store.load

        def load_and_note(table: str) -> Any:
            self.names.append(NAMES[table])
            return load(table)

        monkeypatch.setattr(store, "load", load_and_note)


def test_games_are_replayed_only_if_it_matters_and_once(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def play_usual(manager: TableManager) -> None:
        loads = Loads(file_of(manager), monkeypatch)
        assert await manager.expiry.sweep(IN_100_DAYS) == 2
        assert set(loads.names) == WAITING

    async def play_some(manager: TableManager) -> None:
        loads = Loads(file_of(manager), monkeypatch)
        for days, count in ((100, 1), (101, 0), (300, 2)):
            assert await manager.expiry.sweep(LAST + days * DAY) == count
        assert sorted(loads.names) == ["over", "playing", "solo"]

    in_manager(folder, play_usual)
    in_manager(folder, play_some, waiting_days=0, running_days=99, finished_days=200)


def test_a_damaged_log_never_expires(folder: Path) -> None:
    with closing(sqlite3.connect(folder / FILE_NAME)) as file, file:
        spoil = "UPDATE log SET entry = ? WHERE table_id = ? AND version = ?"
        file.execute(spoil, (b"{}", IDS["waiting"], 1))
        file.execute(spoil, (b'{"do":"join","place":7,"name":"","nonce":""}', IDS["playing"], 9))
        file.execute("DELETE FROM log WHERE table_id = ? AND version = 30", (IDS["over"],))
    days = {"waiting_days": 1, "running_days": 1, "finished_days": 1}
    assert sweep(folder, **days) == 2
    assert names_in(folder / FILE_NAME) == {"waiting", "playing", "over"}


# ---------------------------------------------------------------- somebody is there


def test_a_table_in_memory_stays(folder: Path) -> None:
    async def play(manager: TableManager) -> None:
        await manager.room(IDS["waiting"])
        assert await manager.expiry.sweep(IN_100_DAYS) == 1
        manager.rooms.clear()
        assert await manager.expiry.sweep(IN_100_DAYS) == 1

    in_manager(folder, play)


def test_a_table_that_somebody_is_connected_to_stays(folder: Path) -> None:
    """Though tables leave the memory as soon as they may."""

    async def play(manager: TableManager) -> None:
        room = await manager.room(IDS["waiting"])
        while manager.rooms.get(room.id) is not room:  # it has just left the memory
            room = await manager.room(IDS["waiting"])
        room.enter(Connection(_say_nothing, 0))
        await manager.room(IDS["rematch"])
        while IDS["rematch"] in manager.rooms:
            await asyncio.sleep(0.01)
        assert await manager.expiry.sweep(IN_100_DAYS) == 1
        assert manager.store.load(room.id) is not None

    in_manager(folder, play, idle_seconds=0.0)


async def _say_nothing(text: str) -> None:
    pass


def append_and_wait(store: SqliteStore, table: str, version: int, entry: Entry) -> None:
    answered = threading.Event()
    store.append(table, version, entry, lambda _: answered.set())
    assert answered.wait(20)


def test_a_table_touched_while_it_was_replayed_stays(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def play(manager: TableManager) -> None:
        find_due = manager.expiry._find_due

        def find_then_touch(page: Sequence[LastEntry], now: float) -> list[LastEntry]:
            due = find_due(page, now)
            append_and_wait(file_of(manager), IDS["waiting"], 3, Freed(1))
            return due

        monkeypatch.setattr(manager.expiry, "_find_due", find_then_touch)
        assert await manager.expiry.sweep(IN_100_DAYS) == 1
        stored = manager.store.load(IDS["waiting"])
        assert stored is not None
        assert len(stored.entries) == 3

    in_manager(folder, play)
    assert names_in(folder / ARCHIVE_NAME) == {"rematch"}


@pytest.mark.parametrize("fails", [False, True])
def test_whoever_asks_while_a_table_expires_waits(
    folder: Path, monkeypatch: pytest.MonkeyPatch, fails: bool
) -> None:
    """Nobody plays on at a table that is then deleted."""
    archiving, go_on = threading.Event(), threading.Event()

    def add_slowly(*arguments: Any) -> None:
        archiving.set()
        assert go_on.wait(20)
        if fails:
            raise StorageError("the disk is full")
        add_to_archive(*arguments)

    async def play(manager: TableManager) -> None:
        monkeypatch.setattr(sqlite_store, "add_to_archive", add_slowly)
        sweeping = asyncio.create_task(manager.expiry.sweep(IN_100_DAYS))
        await asyncio.to_thread(archiving.wait, 20)
        asking = asyncio.create_task(manager.room(IDS["waiting"]))
        assert (await manager.room(IDS["playing"])).table.version == 46  # others do not wait
        assert not asking.done()
        go_on.set()
        if fails:
            assert (await asking).table.version == 2
            with pytest.raises(StorageError):
                await sweeping
        else:
            with pytest.raises(RequestError, match="no such table"):
                await asking
            assert await sweeping == 2

    in_manager(folder, play)


# ---------------------------------------------------------------- never lost


class CrashError(Exception):
    """In place of the end of the process."""


def test_a_crash_between_archiving_and_deleting(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is in both files then, may be played on, and is archived again as it is by then."""
    archived: list[set[str]] = []

    def crash(ids: Sequence[str], done: Done) -> None:
        archived.append(names_in(folder / ARCHIVE_NAME))
        raise CrashError

    async def play(manager: TableManager) -> None:
        with monkeypatch.context() as patch:
            patch.setattr(manager.store, "remove", crash)
            with pytest.raises(CrashError):
                await manager.expiry.sweep(IN_100_DAYS)
        room = await manager.room(IDS["waiting"])
        await manager.change(room, lambda table: table.free(1))

    in_manager(folder, play)
    assert archived == [WAITING]
    assert names_in(folder / FILE_NAME) == set(TABLES)
    before = rows_in(folder / FILE_NAME, [IDS["waiting"]])
    assert len(before["log"]) == 3
    assert sweep(folder, time.time() + 100 * DAY) == 2
    assert names_in(folder / FILE_NAME) == set(TABLES) - WAITING
    assert rows_in(folder / ARCHIVE_NAME, [IDS["waiting"]]) == before


def test_nothing_is_deleted_that_cannot_be_archived(
    folder: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """It is tried again later."""
    caplog.set_level(logging.INFO, "coatl.server")
    monkeypatch.setattr(expiry, "FIRST_PAUSE", 0.0)
    monkeypatch.setattr(expiry, "PAUSE", 0.01)
    monkeypatch.setattr(time, "time", lambda: IN_100_DAYS)
    (folder / ARCHIVE_NAME).write_bytes(b"something else" * 500)

    async def play(manager: TableManager) -> None:
        while caplog.messages.count("tables could not expire") < 2:
            await asyncio.sleep(0.01)
        assert manager.store.count_tables() == 5
        (folder / ARCHIVE_NAME).unlink()
        while "tables expired" not in caplog.messages:
            await asyncio.sleep(0.01)

    in_manager(folder, play)
    assert names_in(folder / ARCHIVE_NAME) == WAITING
    told = [record.__dict__["fields"] for record in caplog.records if "expired" in record.message]
    assert told == [{"count": 2, "how": "archive"}]


@pytest.mark.parametrize("settings", [{"expired": Expired.KEEP}, {"waiting_days": 0}])
def test_nothing_expires_that_is_to_be_kept(
    folder: Path, monkeypatch: pytest.MonkeyPatch, settings: dict[str, Any]
) -> None:
    monkeypatch.setattr(expiry, "FIRST_PAUSE", 0.0)
    monkeypatch.setattr(time, "time", lambda: IN_100_DAYS)

    async def play(manager: TableManager) -> None:
        await asyncio.wait_for(manager.expiry.run(), 20)  # it has nothing to do

    in_manager(folder, play, **settings)
    assert names_in(folder / FILE_NAME) == set(TABLES)


def test_the_file_is_still_ours_when_the_table_written_last_has_expired(folder: Path) -> None:
    """Another program writes to it; what we wrote last is not missed."""

    async def play(manager: TableManager) -> None:
        room = await manager.room(IDS["waiting"])
        await manager.change(room, lambda table: table.free(1))
        manager.rooms.clear()
        assert await manager.expiry.sweep(time.time() + 100 * DAY) == 2
        with closing(sqlite3.connect(file_of(manager).file)) as other:
            other.execute("VACUUM")
            other.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        await manager.check_storage()

    in_manager(folder, play)


# ---------------------------------------------------------------- as others see it


@pytest.fixture
def server(folder: Path) -> Iterator[LocalServer]:
    with local_server(folder, COATL_EXPIRED="archive") as server:
        yield server


def test_an_expired_table_is_unknown(server: LocalServer) -> None:
    """Its tokens open nothing; the others are there as before."""
    assert server.call(server.manager.expiry.sweep(IN_100_DAYS)) == 2
    path = f"/api/tables/{IDS['waiting']}"
    tokens = TABLES["waiting"]["tokens"]
    assert ask(server, "GET", path, token=tokens["seats"][0]).brief == (404, "unknown_table")
    body = {"invite": tokens["invite"]}
    assert ask(server, "POST", f"{path}/join", body).brief == (404, "unknown_table")
    with open_socket(server, IDS["waiting"]) as client:
        client.send({**HELLO, "token": tokens["seats"][0]})
        assert client.end()[0] == 4404
    seats = sorted({table["tokens"]["seats"][0] for table in TABLES.values()})
    found = ask(server, "POST", "/api/tables/mine", {"tokens": seats}).json["tables"]
    assert {NAMES[entry["table"]] for entry in found} == set(TABLES) - WAITING


def test_a_table_is_brought_back(folder: Path) -> None:
    """As docs/server.md says; it does not expire again at once."""
    before = rows_in(folder / FILE_NAME, [IDS["waiting"]])
    assert sweep(folder) == 2
    text = (ROOT / "docs/server.md").read_text(encoding="utf-8")
    found = re.search(r"^```sql\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    assert found is not None
    script = found[1].replace("tables/", f"{folder}/").replace("TABLE", IDS["waiting"])
    with closing(sqlite3.connect(folder / FILE_NAME)) as file:
        file.executescript(script)
    after = rows_in(folder / FILE_NAME, [IDS["waiting"]])
    assert (after["tables"], after["tokens"]) == (before["tables"], before["tokens"])
    assert [row[:3] for row in after["log"]] == [row[:3] for row in before["log"]]
    assert names_in(folder / ARCHIVE_NAME) == {"rematch"}
    assert sweep(folder, time.time() + 89 * DAY) == 0
    assert sweep(folder, time.time() + 91 * DAY) == 1
