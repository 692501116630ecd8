"""Copies of a database, made while it is in use: consistent, checked, and never half there."""

from __future__ import annotations

import os
import sqlite3
import tempfile
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path

from coatl.server.database import StorageError, one_line

PAGES = 2_000  # copied between two looks at whether to go on
PARTIAL = ".partial"  # ends the name of a copy that is not complete


class BackupStopped(Exception):  # noqa: N818 - not an error
    """The copy is not wanted any more."""


def back_up(source: Path, target: Path, go_on: Callable[[], bool] = lambda: True) -> int:
    """Copy a database to a new file and check the copy; returns its size in bytes.

    The copy has a name of its own until it is complete. Raises `StorageError`.
    """
    _check_names(source, target)
    try:
        made, name = tempfile.mkstemp(PARTIAL, f"{target.name}.", target.parent)  # mode 0600
    except OSError as error:
        raise StorageError(f"{target}: {error.strerror or error}") from None
    os.close(made)
    partial = Path(name)
    try:
        _copy(source, partial, go_on)
        _check_names(source, target)
        partial.rename(target)
        _sync_folder(target.parent)
        return target.stat().st_size
    except sqlite3.Error as error:
        raise StorageError(f"{target}: {error}") from None
    except OSError as error:
        raise StorageError(f"{target}: {error.strerror or error}") from None
    finally:
        partial.unlink(missing_ok=True)


def _check_names(source: Path, target: Path) -> None:
    if not source.is_file():
        raise StorageError(f"{source}: there is no database")
    if target.exists():
        raise StorageError(f"{target}: this file is there already")


def _copy(source: Path, target: Path, go_on: Callable[[], bool]) -> None:
    def look(_status: int, _left: int, _all: int) -> None:
        if not go_on():
            raise BackupStopped

    with closing(_open(source)) as reading, closing(sqlite3.connect(target)) as writing:
        # As long as this transaction lasts, what others write does not change what is copied.
        reading.execute("BEGIN")
        reading.execute("SELECT count(*) FROM sqlite_master").fetchone()
        reading.backup(writing, pages=PAGES, progress=look, sleep=0)
        writing.execute("PRAGMA journal_mode=DELETE")  # one file, without a -wal beside it
        found = writing.execute("PRAGMA quick_check(1)").fetchone()[0]
    if found != "ok":
        raise StorageError(f"{source}: the database is damaged ({one_line(found)})")


def _open(file: Path) -> sqlite3.Connection:
    uri = f"{file.absolute().as_uri()}?mode=rw"  # never made anew
    return sqlite3.connect(uri, uri=True, isolation_level=None)


def _sync_folder(folder: Path) -> None:
    """The file's new name is on the disk, too."""
    with suppress(OSError):  # not every system can
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
