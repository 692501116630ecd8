"""The data file is lost, replaced, cut or damaged: nothing is acknowledged that is not there."""

from __future__ import annotations

import logging
import os
import shutil
import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
import sqlalchemy as sa

from coatl.fairness import promise_of
from coatl.server.database import StorageError
from coatl.server.roles import Role
from coatl.server.sqlite_store import FILE_NAME, SqliteStore
from coatl.server.store import DamagedTableError, hash_token
from coatl.table.entries import Decided, Opened, PlaceKind, PlaceSpec
from tests.server.fuzzing import LocalServer, ask, compiled, join, local_server, open_socket
from tests.server.harness import HELLO, wait_until

pytestmark = compiled

SECRET = "42" * 32
OPENED = Opened((PlaceSpec(PlaceKind.PERSON), PlaceSpec(PlaceKind.PERSON)), promise_of(SECRET))
WAL = f"{FILE_NAME}-wal"
NEW_TABLE = {"places": [{"kind": "person"}] * 2}
Harm = Callable[[Path], None]


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    """With one table."""
    store = SqliteStore(tmp_path / "data")
    add_table(store, "a")
    yield store
    store.close()


def add_table(store: SqliteStore, name: str) -> None:
    told: list[Exception | None] = []
    stored = threading.Event()

    def done(error: Exception | None) -> None:
        told.append(error)
        stored.set()

    store.open_table(name, SECRET, OPENED, [(hash_token(name), Role.OWNER, None)], done)
    assert stored.wait(20)
    assert told == [None]


def append(store: SqliteStore, version: int) -> Exception | None:
    """What whoever waits for it is told."""
    told: list[Exception | None] = []
    answered = threading.Event()

    def done(error: Exception | None) -> None:
        told.append(error)
        answered.set()

    store.append("a", version, Decided(0, "done"), done)
    assert answered.wait(20)
    return told[0]


# ---------------------------------------------------------------- lost while it is open


def delete_folder(folder: Path) -> None:
    shutil.rmtree(folder)


def move_folder(folder: Path) -> None:
    folder.rename(folder.with_name("elsewhere"))


def delete_file(folder: Path) -> None:
    (folder / FILE_NAME).unlink()


def delete_log(folder: Path) -> None:
    (folder / WAL).unlink()


def replace_file(folder: Path) -> None:
    shutil.copy(folder / FILE_NAME, folder / "copy")
    os.replace(folder / "copy", folder / FILE_NAME)


def replace_log(folder: Path) -> None:
    shutil.copy(folder / WAL, folder / "copy")
    os.replace(folder / "copy", folder / WAL)


def empty_log(folder: Path) -> None:
    """Bring what is in the log into the file, or there would be little to lose there."""
    with closing(sqlite3.connect(folder / FILE_NAME)) as other:
        other.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def cut_file(folder: Path) -> None:
    empty_log(folder)
    os.truncate(folder / FILE_NAME, (folder / FILE_NAME).stat().st_size // 2)


def overwrite_file(folder: Path) -> None:
    """As `cp` does, into the same file."""
    empty_log(folder)
    size = (folder / FILE_NAME).stat().st_size
    with (folder / FILE_NAME).open("r+b") as file:
        file.write(b"x" * size)


def go_back_in_time(folder: Path) -> None:
    """The same with a database in which all is well, but what was written last is missing."""
    empty_log(folder)
    with closing(sqlite3.connect(folder / FILE_NAME)) as other:
        other.execute("DELETE FROM log WHERE version = 1")
        other.commit()
    empty_log(folder)


LOSSES: list[Harm] = [
    *(delete_folder, move_folder, delete_file, delete_log, replace_file, replace_log),
    *(cut_file, overwrite_file, go_back_in_time),
]


@pytest.mark.parametrize("harm", LOSSES)
def test_nothing_is_acknowledged_that_is_lost(
    store: SqliteStore, harm: Harm, caplog: pytest.LogCaptureFixture
) -> None:
    assert append(store, 2) is None
    harm(store.file.parent)
    for _ in range(2):
        assert isinstance(append(store, 3), StorageError)
    with pytest.raises(StorageError):
        store.check()
    with pytest.raises(StorageError):
        store.probe()
    assert {record.message for record in caplog.records} <= {"write failed", "read failed"}
    assert caplog.records


def test_a_loss_between_the_check_and_the_commit(store: SqliteStore) -> None:
    """It is looked for once more before anybody is told."""
    before = store._check_files

    def check_then_lose() -> None:
        before()
        delete_folder(store.file.parent)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(store, "_check_files", check_then_lose)
        assert isinstance(append(store, 2), StorageError)


@pytest.mark.parametrize("harm", [delete_folder, replace_file, delete_log])
def test_nothing_is_read_that_is_lost(
    store: SqliteStore, harm: Harm, caplog: pytest.LogCaptureFixture
) -> None:
    harm(store.file.parent)
    for read in (lambda: store.load("a"), lambda: store.find_access([b"x"]), store.count_tables):
        with pytest.raises(StorageError):
            read()
    assert [record.message for record in caplog.records] == ["read failed"] * 3


def test_a_folder_that_comes_back(store: SqliteStore) -> None:
    folder = store.file.parent
    move_folder(folder)
    assert isinstance(append(store, 2), StorageError)
    folder.with_name("elsewhere").rename(folder)
    assert append(store, 2) is None
    store.check()
    stored = store.load("a")
    assert stored is not None
    assert len(stored.entries) == 2


def test_another_program_that_does_no_harm(store: SqliteStore) -> None:
    """The file becomes shorter, and yet all is there."""
    for version in range(2, 60):
        assert append(store, version) is None
    empty_log(store.file.parent)
    assert append(store, 60) is None
    with closing(sqlite3.connect(store.file)) as other:
        other.execute("CREATE TABLE large (text)")
        other.execute("INSERT INTO large VALUES (?)", ("x" * 100_000,))
        other.commit()
        other.execute("DROP TABLE large")
        other.execute("VACUUM")
        other.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    assert append(store, 61) is None
    store.probe()


# ---------------------------------------------------------------- damaged


def fill_pages(store: SqliteStore) -> None:
    for number in range(100):
        add_table(store, f"table-{number:04}")


def damage(file: Path, needle: bytes) -> None:
    """Spoil the page in which a table's row lies."""
    content = bytearray(file.read_bytes())
    page = content.index(needle) // 4096 * 4096
    content[page : page + 4096] = b"\xff" * 4096
    file.write_bytes(content)


def test_a_damaged_file_is_not_opened(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path)
    fill_pages(store)
    store.close()
    damage(tmp_path / FILE_NAME, b"table-0050")
    with pytest.raises(StorageError, match=r"coatl.sqlite3: the database is damaged \(.+\)"):
        SqliteStore(tmp_path)


def test_a_read_that_fails_is_the_table_s_damage_or_the_disk_s(store: SqliteStore) -> None:
    """SQLite says so when the pages of a log cannot be read."""
    damaged = sqlite3.DatabaseError("database disk image is malformed")
    damaged.sqlite_errorcode = sqlite3.SQLITE_CORRUPT
    causes = {DamagedTableError: damaged, StorageError: sqlite3.OperationalError("disk I/O error")}
    for expected, cause in causes.items():
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(store, "_reader", FailingReader(cause))
            with pytest.raises(StorageError) as failure:
                store.load("a")
        assert type(failure.value) is expected


class FailingReader:
    """A connection in which every question fails."""

    def __init__(self, cause: sqlite3.Error) -> None:
        self._cause = cause

    def execute(self, *_: object) -> None:
        raise sa.exc.DBAPIError("SELECT", {}, self._cause)

    def rollback(self) -> None:
        pass


# ---------------------------------------------------------------- a server


@pytest.fixture
def server(tmp_path: Path) -> Iterator[LocalServer]:
    with local_server(tmp_path / "data") as server:
        yield server


def test_ready_means_that_something_was_written(server: LocalServer) -> None:
    commits = server.store.commits
    for _ in range(2):
        assert ask(server, "GET", "/readyz").json == {"status": "ok"}
    assert server.store.commits == commits + 2
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(server.store, "_commit", lambda _: StorageError("the disk is full"))
        assert ask(server, "GET", "/readyz").brief == (503, "storage")
        assert ask(server, "GET", "/healthz").json["status"] == "ok"  # it is alive
    assert ask(server, "GET", "/readyz").status == 200


def test_a_server_whose_folder_was_deleted(
    server: LocalServer, caplog: pytest.LogCaptureFixture
) -> None:
    """A move is refused, everybody is let go, and nobody is told that all is well."""
    caplog.set_level(logging.ERROR)
    table = server.open_table("person", "person")
    with (
        open_socket(server, table["table"], table["seats"][0]) as first,
        open_socket(server, table["table"], table["seats"][1]) as second,
    ):
        join(first)
        first.hear_until("state", reply="join")
        delete_folder(server.folder)
        join(second)
        first.end()
        second.end()
        assert "storage" in second.refusals
        assert max(message.get("version", 0) for message in first.heard) == 2
    assert (
        ask(server, "POST", "/api/tables", {"places": [{"kind": "person"}] * 2}).code == "storage"
    )
    path = f"/api/tables/{table['table']}"
    assert ask(server, "GET", path, token=table["seats"][0]).brief == (503, "storage")
    assert ask(server, "GET", "/readyz").brief == (503, "storage")
    assert ask(server, "GET", "/healthz").json["status"] == "storage"
    wait_until(lambda: "read failed" in caplog.messages, "the failed read is logged")
    assert "write failed" in caplog.messages


def test_a_damaged_table_is_left_alone(server: LocalServer) -> None:
    """It is read once; the others are played on."""
    bad, good = (server.open_table("person", "random") for _ in range(2))
    load, loads = server.store.load, 0

    def fail_for_one(table: str) -> object:
        nonlocal loads
        loads += table == bad["table"]
        if table == bad["table"]:
            raise DamagedTableError("database disk image is malformed")
        return load(table)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(server.store, "load", fail_for_one)
        for table, brief in ((bad, (500, "damaged")), (good, (200, "")), (bad, (500, "damaged"))):
            path = f"/api/tables/{table['table']}"
            assert ask(server, "GET", path, token=table["seats"][0]).brief == brief
        with open_socket(server, bad["table"]) as client:
            client.send({**HELLO, "token": bad["seats"][0]})
            assert client.end() == (1011, "damaged")
    assert loads == 1
