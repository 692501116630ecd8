"""Where tables are kept: a database, written by one thread, many tables to a commit.

What all databases have in common; `sqlite_store` and `postgres_store` have what is their own. A
write is done when its future is: by then it is on the disk. Reads run in the caller's thread.
"""

from __future__ import annotations

import contextlib
import hashlib
import logging
import queue
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from coatl.server.database import StorageError, reason_of
from coatl.server.figures import StoreFigures
from coatl.server.roles import Role
from coatl.server.schema import analyses, log, tables, tokens
from coatl.table.entries import AnyEntry, Entry, decode_entry, encode_entry

logger = logging.getLogger("coatl.server.store")

# A commit takes about as long as playing two decisions. When writes follow one another that quickly
# the server is busy, and it is worth waiting a moment to write more of them together.
BUSY, LINGER = 0.0008, 0.004  # seconds

Done = Callable[[Exception | None], None]
WriteResult = tuple[Done, Exception | None]


class DamagedTableError(StorageError):
    """The log of one table cannot be read; others can."""


class ConflictError(StorageError):
    """Another process was first: it wrote this version of the table, or took this place."""


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
    analyses: list[dict[str, Any]]


@dataclass(slots=True)
class Write:
    """Rows to be written together, and what to call afterwards."""

    done: Done
    tables: Sequence[dict[str, Any]] = ()
    tokens: Sequence[dict[str, Any]] = ()
    log: Sequence[dict[str, Any]] = ()
    analyses: Sequence[dict[str, Any]] = ()
    freed: tuple[str, int] | None = None  # a table and the place whose seat tokens are void
    removed: Sequence[str] = ()  # tables
    statements: Sequence[sa.Executable] = ()  # that may be executed twice
    mark: int | None = None  # a number to be written, which `Store.probe` then reads

    @property
    def is_entry(self) -> bool:
        """Is it one entry of a log and nothing else, as nearly all writes are?"""
        return len(self.log) == 1 and not (
            self.tables
            or self.tokens
            or self.analyses
            or self.statements
            or self.freed
            or self.removed
            or self.mark
        )

    @property
    def changed_tables(self) -> list[str]:
        """The tables whose log or tokens it changes."""
        rows = [row["table_id"] for row in (*self.log, *self.tokens)]
        return [*dict.fromkeys((*rows, *self.removed))]


def hash_token(token: str) -> bytes:
    """What is stored of a token. Tokens are random enough that a plain hash will do."""
    return hashlib.sha256(token.encode()).digest()


class Store(ABC):
    """The database of a server. `close` writes what is waiting."""

    is_shared = False  # may other processes write to it as well?
    name: str  # of the database, for people

    def __init__(self) -> None:
        self._queue: queue.SimpleQueue[Write | None] = queue.SimpleQueue()
        self._writer = threading.Thread(target=self._write_loop, name="coatl-store", daemon=True)
        self.commits = 0
        self.figures = StoreFigures()
        self.notify: Callable[[Sequence[WriteResult]], None] = _call_here

    @property
    def waiting(self) -> int:
        """How many writes wait for the next commit."""
        return self._queue.qsize()

    def hash_address(self, address: str) -> str:
        """What other processes may be told of an address; here it is told to nobody."""
        return address

    # -------------------------------------------------------------- what a database has to do

    @abstractmethod
    def _write(self, batch: list[Write]) -> None:
        """Write all, one commit for many if possible, and tell each (`notify`) what came of it."""

    @abstractmethod
    def _read(self) -> AbstractContextManager[sa.Connection]:
        """A connection to read with, at which nothing changes meanwhile; raises `StorageError`."""

    @abstractmethod
    def check(self) -> None:
        """Raises `StorageError` if it is known that nothing can be written; does nothing itself."""

    @abstractmethod
    def probe(self) -> None:
        """Write something, and read it as another program would; raises `StorageError`."""

    @abstractmethod
    def archive(self, ids: Sequence[str]) -> None:
        """Copy tables to where expired ones are kept; raises `StorageError`."""

    @abstractmethod
    def remove_archived(self, table: str) -> bool:
        """Delete a table from there; was it there? Raises `StorageError`."""

    @abstractmethod
    def close(self) -> None:
        """Write what is waiting, then close the database."""

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
        tables = [{"id": table, "created": now, "secret": secret}]
        tokens = [
            {"hash": hashed, "table_id": table, "role": role, "place": place}
            for hashed, role, place in access
        ]
        log = [_row(table, 0, opened, now)]
        if elsewhere is not None:
            other, version, entry = elsewhere
            log.append(_row(other, version - 1, entry, now))
        self._queue.put(Write(done, tables, tokens, log))

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

    def add(self, rows: Rows, done: Done) -> None:
        """Whole tables, as they are stored elsewhere."""
        self._queue.put(Write(done, rows.tables, rows.tokens, rows.log, rows.analyses))

    def remove(self, ids: Sequence[str], done: Done) -> None:
        """Tables, with their logs, tokens and analyses."""
        self._queue.put(Write(done, removed=tuple(ids)))

    def change(self, statements: Sequence[sa.Executable], done: Done) -> None:
        """Changes of what is not played, all or none; they may be executed twice."""
        self._queue.put(Write(done, statements=statements))

    def _write_mark(self, mark: int) -> None:
        """Returns when it is written; raises `StorageError` if it could not be."""
        answer: queue.SimpleQueue[Exception | None] = queue.SimpleQueue()
        self._queue.put(Write(answer.put, mark=mark))
        error = answer.get()
        if error is not None:
            raise error

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

    def _note_commit(self, batch: Sequence[Write], began: float) -> None:
        self.commits += 1
        self.figures.commit_seconds.observe(time.monotonic() - began)
        self.figures.entries += sum(len(write.log) for write in batch)

    def _note_write_failure(self, error: Exception) -> str:
        """Count and log it; the reason."""
        self.figures.write_failures += 1
        return _log_failure("write failed", error)

    def _note_read_failure(self, error: Exception) -> str:
        self.figures.read_failures += 1
        return _log_failure("read failed", error)

    def _execute(self, connection: sa.Connection, batch: Sequence[Write]) -> None:
        """All statements of some writes, except for their marks."""
        for write in batch:
            if write.freed is not None:
                connection.execute(_delete_seat(*write.freed))
            for column in TABLE_COLUMNS if write.removed else ():
                found = column.in_(write.removed)
                connection.execute(sa.delete(column.table).where(found))
        for into in FILLED:
            rows = [row for write in batch for row in getattr(write, into.name)]
            if rows:
                connection.execute(sa.insert(into), rows)
        for write in batch:
            for statement in write.statements:
                connection.execute(statement)

    # -------------------------------------------------------------- reading

    def ask(self, question: sa.Select[Any]) -> Sequence[sa.Row[Any]]:
        with self._read() as connection:
            return connection.execute(question).all()

    def load(self, table: str) -> StoredTable | None:
        """A table's whole log; None if there is no such table."""
        with self._read() as connection:
            return read_table(connection, table)

    def load_access(self, table: str) -> dict[bytes, Access] | None:
        """What opens a table, by the hash of the token; None if there is no such table."""
        with self._read() as connection:
            found = connection.execute(sa.select(tables.c.id).where(tables.c.id == table)).first()
            return None if found is None else _read_access(connection, table)

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
            for column in TABLE_COLUMNS:
                rows = connection.execute(sa.select(column.table).where(column.in_(ids)))
                found[column.table.name] = [dict(row) for row in rows.mappings()]
        return Rows(**found)

    def list_ids(self, after: str, most: int) -> list[str]:
        """Some tables, in the order of their ids, which come after `after`."""
        question = sa.select(tables.c.id).where(tables.c.id > after).order_by(tables.c.id)
        with self._read() as connection:
            return [id for (id,) in connection.execute(question.limit(most))]

    def count_tables(self) -> int:
        with self._read() as connection:
            return int(
                connection.execute(sa.select(sa.func.count()).select_from(tables)).scalar() or 0
            )


FILLED = (tables, tokens, log, analyses)  # in the order of inserting
# In the order of deleting:
TABLE_COLUMNS = (tokens.c.table_id, log.c.table_id, analyses.c.table_id, tables.c.id)
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
    return StoredTable(row.secret, row.created, decoded, _read_access(connection, table))


def _read_access(connection: sa.Connection, table: str) -> dict[bytes, Access]:
    found = connection.execute(
        sa.select(tokens.c.hash, tokens.c.role, tokens.c.place).where(tokens.c.table_id == table)
    )
    return {hashed: Access(table, Role(role), place) for hashed, role, place in found}


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


def _log_failure(event: str, error: Exception) -> str:
    reason = reason_of(error)
    logger.error(event, extra={"fields": {"reason": reason}})
    return reason
