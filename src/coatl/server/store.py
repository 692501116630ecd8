"""Where tables are kept: one SQLite file, written by one thread, many tables to a commit.

A write is done when its future is: by then it is on the disk (WAL, ``synchronous=FULL``), in the
file that was opened (`coatl.server.file_watch`). Reads have a connection of their own and run in
the caller's thread.
"""

from __future__ import annotations

import contextlib
import hashlib
import itertools
import logging
import queue
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from coatl.server.database import StorageError, one_line, open_database, reason_of
from coatl.server.figures import StoreFigures
from coatl.server.file_watch import FileLostError, FileWatch
from coatl.server.roles import Role
from coatl.server.schema import log, tables, tokens
from coatl.table.entries import AnyEntry, Entry, decode_entry, encode_entry

logger = logging.getLogger("coatl.server.store")

FILE_NAME = "coatl.sqlite3"
# A commit takes about as long as playing two decisions. When writes follow one another that quickly
# the server is busy, and it is worth waiting a moment to write more of them together.
BUSY, LINGER = 0.0008, 0.004  # seconds

Done = Callable[[Exception | None], None]
WriteResult = tuple[Done, Exception | None]


class DamagedTableError(StorageError):
    """The log of one table cannot be read; others can."""


@dataclass(frozen=True)
class Access:
    """What a token opens."""

    table: str
    role: Role
    place: int | None


@dataclass(frozen=True)
class StoredTable:
    secret: str
    created: float
    entries: list[AnyEntry]
    access: dict[bytes, Access]  # by the hash of the token


@dataclass(frozen=True)
class LastEntry:
    """The newest entry of a table's log, as it is stored."""

    table: str
    at: float
    entry: bytes


@dataclass(frozen=True)
class Rows:
    """Everything that is stored of some tables."""

    tables: list[dict[str, Any]]
    tokens: list[dict[str, Any]]
    log: list[dict[str, Any]]


@dataclass
class Write:
    """Rows to be written together, and what to call afterwards."""

    done: Done
    tables: list[dict[str, Any]] = field(default_factory=list)
    tokens: list[dict[str, Any]] = field(default_factory=list)
    log: list[dict[str, Any]] = field(default_factory=list)
    freed: tuple[str, int] | None = None  # a table and the place whose seat tokens are void
    removed: Sequence[str] = ()  # tables
    mark: int | None = None  # a number to be written, which `Store.probe` then reads


def hash_token(token: str) -> bytes:
    """What is stored of a token. Tokens are random enough that a plain hash will do."""
    return hashlib.sha256(token.encode()).digest()


class Store:
    """The database of a server. `close` writes what is waiting."""

    def __init__(self, folder: Path, busy_timeout: float = 5.0) -> None:
        self.file = folder / FILE_NAME
        self._lock = _lock_folder(folder)
        try:
            self._engine = open_database(self.file, busy_timeout)
            self._reader = self._engine.connect()
            self._reading = threading.Lock()
            self._watch = FileWatch(self.file)
        except BaseException:
            self._lock.close()
            raise
        self._queue: queue.SimpleQueue[Write | None] = queue.SimpleQueue()
        self._writer = threading.Thread(target=self._write_loop, name="coatl-store", daemon=True)
        self.commits = 0
        self.figures = StoreFigures()
        self._damage: str | None = None  # what was found wrong with the file while it was open
        self._last_row: tuple[str, int] | None = None  # table and version, of the last commit
        self._probes = itertools.count(int(time.time()) % 2**30)
        self.notify: Callable[[Sequence[WriteResult]], None] = _call_here
        self._writer.start()

    @property
    def waiting(self) -> int:
        """How many writes wait for the next commit."""
        return self._queue.qsize()

    @property
    def pragmas(self) -> dict[str, Any]:
        """What the durability of this file rests on."""
        names = ("journal_mode", "synchronous", "foreign_keys")
        with self._engine.connect() as connection:
            return {name: connection.exec_driver_sql(f"PRAGMA {name}").scalar() for name in names}

    # -------------------------------------------------------------- writing

    def open_table(
        self,
        table: str,
        secret: str,
        opened: Entry,
        access: Sequence[tuple[bytes, Role, int | None]],
        done: Done,
        elsewhere: tuple[str, int, Entry] | None = None,
    ) -> None:
        """A new table; `elsewhere` is an entry of another one, which is stored with it or not."""
        now = time.time()
        write = Write(done)
        write.tables.append({"id": table, "created": now, "secret": secret})
        write.tokens += [
            {"hash": hashed, "table_id": table, "role": role, "place": place}
            for hashed, role, place in access
        ]
        write.log.append(_row(table, 0, opened, now))
        if elsewhere is not None:
            other, version, entry = elsewhere
            write.log.append(_row(other, version - 1, entry, now))
        self._queue.put(write)

    def append(self, table: str, version: int, entry: Entry, done: Done) -> None:
        """The entry that makes a table's version `version`, which is then its number of entries."""
        self._queue.put(Write(done, log=[_row(table, version - 1, entry, time.time())]))

    def add_seat(self, table: str, hashed: bytes, place: int, done: Done) -> None:
        """A token for a place that was open."""
        row = {"hash": hashed, "table_id": table, "role": Role.SEAT, "place": place}
        self._queue.put(Write(done, tokens=[row]))

    def free_place(self, table: str, version: int, entry: Entry, place: int, done: Done) -> None:
        """An entry, with which the tokens of a place's seat open nothing any more."""
        row = _row(table, version - 1, entry, time.time())
        self._queue.put(Write(done, log=[row], freed=(table, place)))

    def remove(self, ids: Sequence[str], done: Done) -> None:
        """Tables, with their logs and tokens."""
        self._queue.put(Write(done, removed=tuple(ids)))

    def _write_loop(self) -> None:
        last_commit = 0.0
        while True:
            first = self._queue.get()
            if first is None:
                return
            if time.monotonic() - last_commit < BUSY:
                time.sleep(LINGER)  # more is coming; one commit for all costs less
            batch = [first]
            last = False
            with contextlib.suppress(queue.Empty):
                while True:
                    more = self._queue.get_nowait()
                    if more is None:
                        last = True
                        break
                    batch.append(more)
            self._write(batch)
            last_commit = time.monotonic()
            if last:
                return

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
            with self._engine.begin() as connection:
                for write in batch:
                    if write.freed is not None:
                        connection.execute(_delete_seat(*write.freed))
                    for column in _TABLE_COLUMNS if write.removed else ():
                        found = column.in_(write.removed)
                        connection.execute(sa.delete(column.table).where(found))
                for name, into in (("tables", tables), ("tokens", tokens), ("log", log)):
                    rows = [row for write in batch for row in getattr(write, name)]
                    if rows:
                        connection.execute(sa.insert(into), rows)
                for write in batch:
                    if write.mark is not None:
                        connection.exec_driver_sql(f"PRAGMA user_version = {write.mark}")
            self._check_written(batch)
        except (SQLAlchemyError, OSError, StorageError) as error:
            logger.error("write failed", extra={"fields": {"reason": reason_of(error)}})
            self._engine.dispose()
            self.figures.write_failures += 1
            return StorageError(reason_of(error))
        self.commits += 1
        self.figures.commit_seconds.observe(time.monotonic() - began)
        self.figures.entries += sum(len(write.log) for write in batch)
        return None

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
        answer: queue.SimpleQueue[Exception | None] = queue.SimpleQueue()
        self._queue.put(Write(answer.put, mark=mark))
        error = answer.get()
        if error is not None:
            raise error
        try:
            with closing(_open_file(self.file)) as fresh:
                found = fresh.execute("PRAGMA user_version").fetchone()[0]
        except sqlite3.Error as failure:
            self.figures.read_failures += 1
            raise _read_failed(failure) from None
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
                self.figures.read_failures += 1
                raise _read_failed(error) from None
            finally:
                with contextlib.suppress(SQLAlchemyError):
                    self._reader.rollback()

    def load(self, table: str) -> StoredTable | None:
        """A table's whole log; None if there is no such table."""
        with self._read() as connection:
            return read_table(connection, table)

    def find_access(self, hashes: Sequence[bytes], most: int = 0) -> list[tuple[bytes, Access]]:
        """The tables that some tokens open, the newest first; the `most` newest, if not 0."""
        question = (
            sa.select(tokens.c.hash, tokens.c.table_id, tokens.c.role, tokens.c.place)
            .join(tables)
            .where(tokens.c.hash.in_(hashes))
            .order_by(tables.c.created.desc())
        )
        with self._read() as connection:
            rows = connection.execute(question.limit(most) if most else question).all()
        return [(hashed, Access(table, Role(role), place)) for hashed, table, role, place in rows]

    def list_tables(self, after: str, before: float, most: int) -> list[LastEntry]:
        """Some tables that were opened before a time, by their ids, which come after `after`."""
        question = _LAST_ENTRIES.where(tables.c.id > after, tables.c.created < before)
        with self._read() as connection:
            rows = connection.execute(question.order_by(tables.c.id).limit(most)).all()
        return [LastEntry(*row) for row in rows]

    def read_last_entries(self, ids: Sequence[str]) -> list[LastEntry]:
        with self._read() as connection:
            rows = connection.execute(_LAST_ENTRIES.where(tables.c.id.in_(ids))).all()
        return [LastEntry(*row) for row in rows]

    def read_rows(self, ids: Sequence[str]) -> Rows:
        """Some tables as they are stored, for another database."""
        found: dict[str, list[dict[str, Any]]] = {}
        with self._read() as connection:
            for column in _TABLE_COLUMNS:
                rows = connection.execute(sa.select(column.table).where(column.in_(ids)))
                found[column.table.name] = [dict(row) for row in rows.mappings()]
        return Rows(**found)

    def count_tables(self) -> int:
        with self._read() as connection:
            return int(
                connection.execute(sa.select(sa.func.count()).select_from(tables)).scalar() or 0
            )

    def close(self) -> None:
        """Write what is waiting, then close the file."""
        self._queue.put(None)
        self._writer.join()
        self._reader.close()
        self._engine.dispose()
        self._lock.close()


_TABLE_COLUMNS = (tokens.c.table_id, log.c.table_id, tables.c.id)  # in the order of deleting
_newer = log.alias("newer")
_LAST_ENTRIES = (
    sa.select(tables.c.id, log.c.at, log.c.entry)
    .join(log)
    .where(
        log.c.version
        == sa.select(sa.func.max(_newer.c.version))
        .where(_newer.c.table_id == tables.c.id)
        .scalar_subquery()
    )
)


def read_table(connection: sa.Connection, table: str) -> StoredTable | None:
    """A table's whole log; None if there is no such table, `ValueError` if an entry is missing."""
    row = connection.execute(
        sa.select(tables.c.secret, tables.c.created).where(tables.c.id == table)
    ).first()
    if row is None:
        return None
    rows = connection.execute(
        sa.select(log.c.version, log.c.entry).where(log.c.table_id == table).order_by(log.c.version)
    ).all()
    if [version for version, _ in rows] != list(range(len(rows))):
        raise ValueError("an entry is missing from the log")
    decoded = [decode_entry(entry) for _, entry in rows]
    found = connection.execute(
        sa.select(tokens.c.hash, tokens.c.role, tokens.c.place).where(tokens.c.table_id == table)
    )
    access = {hashed: Access(table, Role(role), place) for hashed, role, place in found}
    return StoredTable(row.secret, row.created, decoded, access)


def _call_here(results: Sequence[WriteResult]) -> None:
    """In the writer's thread; a server calls them in its event loop instead."""
    for done, error in results:
        done(error)


def _row(table: str, version: int, entry: Entry, at: float) -> dict[str, Any]:
    return {"table_id": table, "version": version, "entry": encode_entry(entry), "at": at}


def _delete_seat(table: str, place: int) -> sa.Delete:
    return sa.delete(tokens).where(
        tokens.c.table_id == table, tokens.c.place == place, tokens.c.role == Role.SEAT
    )


def _read_failed(error: Exception) -> StorageError:
    """Log it; a part of the file that is damaged belongs to the table that was asked for."""
    logger.error("read failed", extra={"fields": {"reason": reason_of(error)}})
    cause = error.orig if isinstance(error, DBAPIError) else error
    is_damaged = getattr(cause, "sqlite_errorcode", None) == sqlite3.SQLITE_CORRUPT
    return (DamagedTableError if is_damaged else StorageError)(reason_of(error))


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
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except ImportError:  # Windows: SQLite's own locks have to do
        pass
    except OSError:
        file.close()
        raise StorageError(f"{folder}: another coatl server uses this folder") from None
    return file
