"""Backups: consistent while somebody writes, checked, and never in place of something else."""

from __future__ import annotations

import asyncio
import logging
import shutil
import sqlite3
import threading
from contextlib import closing
from pathlib import Path

import pytest

from coatl.server import backup as backup_module
from coatl.server import backup_schedule
from coatl.server.backup import BackupStopped, back_up
from coatl.server.backup_schedule import HOUR, BackupSchedule
from coatl.server.database import StorageError
from coatl.server.settings import ServerSettings
from coatl.server.sqlite_store import FILE_NAME, SqliteStore
from coatl.table.entries import Freed
from tests.server.fuzzing import compiled, local_server
from tests.server.harness import wait_until
from tests.server.test_old_data import DATA, TABLES

pytestmark = compiled

NOON = 1_800_000_000.0  # 2027-01-15T08:00:00Z
TABLE = TABLES["waiting"]["table"]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    folder = tmp_path / "data"
    folder.mkdir()
    shutil.copy(DATA / FILE_NAME, folder)
    return folder / FILE_NAME


def entries_in(file: Path) -> int:
    with closing(sqlite3.connect(file)) as connection:
        return int(connection.execute("SELECT count(*) FROM log").fetchone()[0])


def test_a_copy_has_what_the_running_server_has_stored(file: Path, tmp_path: Path) -> None:
    """Also what is only in the -wal file so far."""
    before = entries_in(file)
    store = SqliteStore(file.parent)
    try:
        stored = threading.Event()
        store.append(TABLE, 3, Freed(1), lambda _error: stored.set())
        assert stored.wait(30)
        size = back_up(file, tmp_path / "copy.sqlite3")
    finally:
        store.close()
    copy = tmp_path / "copy.sqlite3"
    assert entries_in(copy) == before + 1
    assert size == copy.stat().st_size
    assert copy.stat().st_mode & 0o777 == 0o600
    assert sorted(path.name for path in tmp_path.iterdir()) == ["copy.sqlite3", "data"]


def test_what_is_written_meanwhile_is_not_in_the_copy(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A copy that began again with every write would never end on a busy server."""
    monkeypatch.setattr(backup_module, "PAGES", 1)
    before = entries_in(file)
    written: list[int] = []

    def write() -> bool:
        with closing(sqlite3.connect(file)) as connection:
            version = 1_000 + len(written)
            row = (TABLE, version, b"x" * 5_000, 0.0)
            connection.execute("INSERT INTO log VALUES (?, ?, ?, ?)", row)
            connection.commit()
        written.append(version)
        assert len(written) < 200, "it begins again each time"
        return True

    with closing(sqlite3.connect(file)) as connection:
        connection.execute("PRAGMA journal_mode=WAL")
    back_up(file, tmp_path / "copy.sqlite3", write)
    assert len(written) > 5
    assert entries_in(tmp_path / "copy.sqlite3") == before


def test_nothing_is_overwritten(file: Path, tmp_path: Path) -> None:
    (tmp_path / "copy.sqlite3").write_text("precious")
    with pytest.raises(StorageError, match=r"copy\.sqlite3: this file is there already"):
        back_up(file, tmp_path / "copy.sqlite3")
    assert (tmp_path / "copy.sqlite3").read_text() == "precious"


@pytest.mark.parametrize("reason", ["no folder", "no database", "damaged", "stopped"])
def test_nothing_is_left_of_a_copy_that_fails(file: Path, tmp_path: Path, reason: str) -> None:
    target = tmp_path / ("nosuch/copy.sqlite3" if reason == "no folder" else "copy.sqlite3")
    if reason == "no database":
        file.unlink()
    if reason == "damaged":
        content = bytearray(file.read_bytes())
        content[4096 * 3 : 4096 * 6] = bytes(4096 * 3)
        file.write_bytes(content)
    error = BackupStopped if reason == "stopped" else StorageError
    with pytest.raises(error):
        back_up(file, target, lambda: reason != "stopped")
    assert [path.name for path in tmp_path.iterdir()] == ["data"]


# ---------------------------------------------------------------- by the schedule


def schedule(file: Path, **settings: object) -> BackupSchedule:
    return BackupSchedule(file, ServerSettings(**{"backup_hours": 6.0, **settings}))  # type: ignore[arg-type]


def names_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_the_newest_are_kept_and_other_files_left_alone(file: Path) -> None:
    folder = file.parent / "backups"
    folder.mkdir()
    (folder / "by-hand.sqlite3").touch()
    (folder / "coatl-20270101T000000Z.sqlite3.abc.partial").touch()  # its server was killed
    backups = schedule(file, backups_kept=2)
    assert all(backups.make(NOON + hours * HOUR) for hours in (0, 6, 12))
    assert names_in(folder) == [
        "by-hand.sqlite3",
        "coatl-20270115T140000Z.sqlite3",
        "coatl-20270115T200000Z.sqlite3",
    ]


def test_zero_keeps_all(file: Path, tmp_path: Path) -> None:
    backups = schedule(file, backups_kept=0, backup_folder=tmp_path / "elsewhere")
    for hours in range(4):
        backups.make(NOON + hours * HOUR)
    assert len(names_in(tmp_path / "elsewhere")) == 4
    assert (tmp_path / "elsewhere").stat().st_mode & 0o777 == 0o700


def test_a_restart_does_not_bring_the_next_one_forward(file: Path) -> None:
    assert schedule(file).seconds_left(NOON) == 0
    schedule(file).make(NOON)
    assert schedule(file).seconds_left(NOON + 2 * HOUR) == 4 * HOUR
    assert schedule(file).seconds_left(NOON + 7 * HOUR) == 0


def test_a_backup_that_fails_is_logged(file: Path, caplog: pytest.LogCaptureFixture) -> None:
    (file.parent / "backups").touch()  # a file where the folder should be
    with caplog.at_level(logging.INFO, "coatl.server.backup"):
        logging.getLogger("coatl.server.backup").addHandler(caplog.handler)
        assert not schedule(file).make(NOON)
        (file.parent / "backups").unlink()
        assert schedule(file).make(NOON)
        logging.getLogger("coatl.server.backup").removeHandler(caplog.handler)
    events = list(dict.fromkeys(record.getMessage() for record in caplog.records))
    assert events == ["backup failed", "backup made"]


def test_a_server_makes_them_by_itself(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(backup_schedule, "FIRST_SECONDS", 0.0)
    folder = file.parent / "backups"
    with local_server(file.parent, COATL_BACKUP_HOURS="1"):
        wait_until(lambda: folder.exists() and any(folder.glob("*Z.sqlite3")), "there is one")
    (made,) = folder.iterdir()  # the next one is due in an hour
    assert entries_in(made) == entries_in(file)


def test_a_server_makes_none_unless_it_is_to(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def never(_seconds: float) -> None:
        raise AssertionError("it waits for the next one")

    monkeypatch.setattr(asyncio, "sleep", never)
    asyncio.run(schedule(file, backup_hours=0.0).run())
    assert not (file.parent / "backups").exists()
