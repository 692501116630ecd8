"""Tables in one SQLite file, which one process serves.

A write is on the disk when it is done (WAL, ``synchronous=FULL``), in the file that was opened
(`coatl.server.file_watch`). Reads have a connection of their own.
"""

from __future__ import annotations

import contextlib
import itertools
import sqlite3
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, TextIO

import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from coatl.server.archive import add_to_archive, remove_from_archive
from coatl.server.database import StorageError, one_line, open_database
from coatl.server.file_watch import FileLostError, FileWatch
from coatl.server.store import DamagedTableError, Store, Write

FILE_NAME = "coatl.sqlite3"
_APPEND = "INSERT INTO log (table_id, version, entry, at) VALUES (:table_id, :version, :entry, :at)"


class SqliteStore(Store):
    """The file of a folder, which is locked: a second process is refused."""

    def __init__(self, folder: Path, busy_timeout: float = 5.0) -> None:
        super().__init__()
        self.file = folder / FILE_NAME
        self.name = str(self.file)
        self._busy_timeout = busy_timeout
        self._lock = _lock_folder(folder)
        try:
            self._engine = open_database(self.file, busy_timeout)
            self._reader = self._engine.connect()
            self._reading = threading.Lock()
            self._watch = FileWatch(self.file)
        except BaseException:
            self._lock.close()
            raise
        self._appender: sa.PoolProxiedConnection | None = None  # of the thread that writes
        self._damage: str | None = None  # what was found wrong with the file while it was open
        self._last_row: tuple[str, int] | None = None  # table and version, of the last commit
        self._probes = itertools.count(int(time.time()) % 2**30)
        self._writer.start()

    @property
    def pragmas(self) -> dict[str, Any]:
        """What the durability of this file rests on."""
        names = ("journal_mode", "synchronous", "foreign_keys")
        with self._engine.connect() as connection:
            return {name: connection.exec_driver_sql(f"PRAGMA {name}").scalar() for name in names}

    # -------------------------------------------------------------- writing

    def _write(self, batch: list[Write]) -> None:
        """One commit for all; if it fails, one for each, so that nobody pays for another."""
        error = self._commit(batch)
        if error is not None and len(batch) > 1:
            self.notify([(write.done, self._commit([write])) for write in batch])
        else:
            self.notify([(write.done, error) for write in batch])

    def _commit(self, batch: list[Write]) -> Exception | None:
        began = time.monotonic()
        try:
            self._check_files()
            if all(write.is_entry for write in batch):
                self._append([write.log[0] for write in batch])
            else:
                with self._engine.begin() as connection:
                    self._execute(connection, batch)
                    for write in batch:
                        if write.mark is not None:
                            connection.exec_driver_sql(f"PRAGMA user_version = {write.mark}")
            self._check_written(batch)
        except (SQLAlchemyError, sqlite3.Error, OSError, StorageError) as error:
            self._appender = None
            self._engine.dispose()
            return StorageError(self._note_write_failure(error))
        self._note_commit(batch, began)
        return None

    def _append(self, rows: list[dict[str, Any]]) -> None:
        """Entries of logs and nothing else, as in nearly all commits: without SQLAlchemy, which
        takes as long for them as the database. Raises `sqlite3.Error`.
        """
        if self._appender is None:
            self._appender = self._engine.raw_connection()
        cursor = self._appender.cursor()
        cursor.execute("BEGIN")
        try:
            cursor.executemany(_APPEND, rows)
            cursor.execute("COMMIT")
        except BaseException:
            self._appender.rollback()
            raise

    # -------------------------------------------------------------- is it still our file?

    def _check_files(self) -> None:
        """Before each commit; raises `OSError` or `StorageError`."""
        if self._damage is not None:
            raise StorageError(self._damage)
        self._watch.check()
        if self._watch.is_changed:
            self._look_into_file()

    def _check_written(self, batch: list[Write]) -> None:
        """After each commit, before anybody is told of it."""
        self._watch.check()
        for write in batch:
            for row in write.log:
                self._last_row = row["table_id"], row["version"]
        for write in batch:
            if self._last_row is not None and self._last_row[0] in write.removed:
                self._last_row = None
        if self._watch.is_shorter:
            self._look_into_file()
        self._watch.remember()

    def _look_into_file(self) -> None:
        """Somebody else wrote to it, or cut it: does it still hold what we wrote, and all in order?

        If not, nothing more is written until the server is started again.
        """
        try:
            with closing(_open_file(self.file)) as fresh:
                found = fresh.execute("PRAGMA quick_check(1)").fetchone()[0]
                if found == "ok" and self._last_row is not None:
                    question = "SELECT count(*) FROM log WHERE table_id = ? AND version = ?"
                    if not fresh.execute(question, self._last_row).fetchone()[0]:
                        found = "what was written last is not there"
        except sqlite3.Error as error:
            found = str(error)
        if found != "ok":
            self._damage = f"{self.file.name} was changed by another program: {one_line(found)}"
            raise StorageError(self._damage)
        self._watch.remember()

    def check(self) -> None:
        """Raises `StorageError` if nothing can be written; does not touch the disk."""
        if self._damage is not None:
            raise StorageError(self._damage)
        try:
            self._watch.check()
        except FileLostError as error:
            raise StorageError(str(error)) from None

    def probe(self) -> None:
        """Write something, and read it as another program would; raises `StorageError`.

        The number is the database's `user_version`, which means nothing to us or to SQLite.
        """
        mark = next(self._probes)
        self._write_mark(mark)
        try:
            with closing(_open_file(self.file)) as fresh:
                found = fresh.execute("PRAGMA user_version").fetchone()[0]
        except sqlite3.Error as failure:
            raise self._read_failed(failure) from None
        if found < mark:  # another probe may have written a later one
            raise StorageError("what was written cannot be read")

    # -------------------------------------------------------------- reading

    @contextlib.contextmanager
    def _read(self) -> Iterator[sa.Connection]:
        with self._reading:
            try:
                self._watch.check()
                yield self._reader
            except (SQLAlchemyError, FileLostError) as error:
                raise self._read_failed(error) from None
            finally:
                with contextlib.suppress(SQLAlchemyError):
                    self._reader.rollback()

    def _read_failed(self, error: Exception) -> StorageError:
        """A part of the file that is damaged belongs to the table that was asked for."""
        reason = self._note_read_failure(error)
        cause = error.orig if isinstance(error, DBAPIError) else error
        is_damaged = getattr(cause, "sqlite_errorcode", None) == sqlite3.SQLITE_CORRUPT
        return (DamagedTableError if is_damaged else StorageError)(reason)

    def archive(self, ids: Sequence[str]) -> None:
        """To `expired.sqlite3` in the same folder."""
        add_to_archive(self.file.parent, self.read_rows(ids), self._busy_timeout)

    def remove_archived(self, table: str) -> bool:
        return remove_from_archive(self.file.parent, table, self._busy_timeout)

    def close(self) -> None:
        """Write what is waiting, then close the file."""
        self._queue.put(None)
        self._writer.join()
        if self._appender is not None:
            self._appender.close()
        self._reader.close()
        self._engine.dispose()
        self._lock.close()


def _open_file(file: Path) -> sqlite3.Connection:
    """The database as another program finds it; never made anew."""
    return sqlite3.connect(f"{file.absolute().as_uri()}?mode=rw", uri=True)


def _lock_folder(folder: Path) -> Any:
    """An open, locked file: two servers must not share a folder, as each keeps tables in memory."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)  # it holds running games' secrets
        file = (folder / "lock").open("w")
    except OSError as error:
        raise StorageError(f"{folder}: {error.strerror or error}") from None
    try:
        _lock(file)
    except OSError:
        file.close()
        raise StorageError(f"{folder}: another coatl server uses this folder") from None
    return file


def _lock(file: TextIO) -> None:
    """Until the file is closed, or the process ends; raises `OSError` if another process has it."""
    if sys.platform == "win32":
        import msvcrt

        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
    else:
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
