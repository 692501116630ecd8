"""Tables in a PostgreSQL database, which several processes serve together.

No process owns a table. Whoever stores the entry that makes a version was first; whoever comes
second is told so (`ConflictError`), reads what is there, and decides anew. A connection that breaks
while a commit is under way leaves open whether it counts: then the rows themselves are looked at,
and what is missing is written again.
"""

from __future__ import annotations

import contextlib
import hashlib
import itertools
import secrets
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

import msgspec
import psycopg
import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError, InterfaceError, OperationalError, SQLAlchemyError

from coatl.server.database import StorageError, one_line, reason_of
from coatl.server.postgres import (
    ARCHIVE_SCHEMA,
    COMMIT_TO_DISK,
    CONNECT_SECONDS,
    driver_address,
    name_of,
    open_postgres,
    read_url,
)
from coatl.server.schema import facts
from coatl.server.store import (
    FILLED,
    TABLE_COLUMNS,
    Access,
    ConflictError,
    Store,
    StoredTable,
    Write,
)
from coatl.table.entries import AnyEntry, decode_entry

T = TypeVar("T")
# The database cannot be reached, or has broken off.
LOST = (OperationalError, InterfaceError, psycopg.OperationalError, psycopg.InterfaceError)
RETRY_SECONDS = 0.1
UNIQUE_VIOLATION = "23505"  # an SQLSTATE

_APPEND = """
INSERT INTO log (table_id, version, entry, at)
SELECT * FROM unnest(
    %(tables)s::text[], %(versions)s::int[], %(entries)s::bytea[], %(at)s::float8[]
)
ON CONFLICT DO NOTHING RETURNING table_id, version
"""
_NEW_ENTRIES = """
SELECT tables.id, log.version, log.entry FROM unnest(%(ids)s::text[], %(versions)s::int[])
AS known (id, version) JOIN tables ON tables.id = known.id
LEFT JOIN log ON log.table_id = known.id AND log.version >= known.version ORDER BY 1, 2
"""
_CLAIM = """
INSERT INTO leases (name, process, until)
VALUES (%(name)s, %(process)s, extract(epoch FROM clock_timestamp()) + %(seconds)s)
ON CONFLICT (name) DO UPDATE SET process = excluded.process, until = excluded.until
WHERE leases.process = excluded.process OR leases.until < extract(epoch FROM clock_timestamp())
RETURNING name
"""
_RENEW = """
UPDATE leases SET until = extract(epoch FROM clock_timestamp()) + %(seconds)s
WHERE process = %(process)s AND name = ANY(%(names)s::text[])
AND until >= extract(epoch FROM clock_timestamp()) RETURNING name
"""
_IS_CLAIMED = """
SELECT name FROM leases
WHERE name = %(name)s AND until >= extract(epoch FROM clock_timestamp())
"""
_RELEASE = "DELETE FROM leases WHERE process = %(process)s AND name = ANY(%(names)s::text[])"
_FORGET = "DELETE FROM leases WHERE until < extract(epoch FROM clock_timestamp()) - %(seconds)s"


class LostError(StorageError):
    """The database cannot be reached; that may pass."""


class PostgresStore(Store):
    """`patience` is how many seconds a database may be away before something fails."""

    is_shared = True

    def __init__(self, address: str, patience: float = 5.0) -> None:
        super().__init__()
        url = read_url(address)
        self.name = name_of(url)
        self.address = driver_address(url)  # with the password
        self.process = secrets.token_hex(6)  # tells the processes of a database apart
        self.tell_others: Callable[[Sequence[str]], None] = lambda _ids: None
        self._patience = patience
        self._engine = open_postgres(url)
        self._appender: psycopg.Connection[Any] | None = None  # of the thread that writes
        self._follower: psycopg.Connection[Any] | None = None  # reads what others wrote
        self._problem: str | None = None  # why nothing could be written last time
        self._salt = self._read_salt()
        self._writer.start()

    def _read_salt(self) -> bytes:
        """The same for all processes: they tell each other of addresses by salted hashes."""
        fresh = {"name": "salt", "new": secrets.token_hex(16)}
        question = sa.select(facts.c.value).where(facts.c.name == "salt")
        try:
            with self._engine.begin() as connection:
                connection.exec_driver_sql(
                    "INSERT INTO facts VALUES (%(name)s, %(new)s) ON CONFLICT DO NOTHING", fresh
                )
                return bytes.fromhex(connection.execute(question).scalar() or "")
        except SQLAlchemyError as error:
            self._engine.dispose()
            raise StorageError(f"{self.name}: {reason_of(error)}") from None

    def hash_address(self, address: str) -> str:
        return hashlib.blake2b(address.encode(), key=self._salt, digest_size=8).hexdigest()

    # -------------------------------------------------------------- writing

    def _write(self, batch: list[Write]) -> None:
        results = self._write_patiently(batch)
        self.notify([(write.done, error) for write, error in results])
        stored = [write for write, error in results if error is None]
        if changed := {id: None for write in stored for id in write.changed_tables}:
            self.tell_others([*changed])

    def _write_patiently(
        self, batch: list[Write], is_repeated: bool = False
    ) -> list[tuple[Write, Exception | None]]:
        """Again and again while the database is away, but not for ever."""
        began = time.monotonic()
        end = began + self._patience
        while True:
            try:
                if is_repeated or not all(write.is_entry for write in batch):
                    results = self._commit(batch, is_repeated)
                else:
                    results = self._commit_entries(batch)
            except LOST as error:
                self._engine.dispose()
                _close(self._appender)
                self._appender = None
                if time.monotonic() > end:
                    self._problem = self._note_write_failure(error)
                    return [(write, StorageError(self._problem)) for write in batch]
                is_repeated = True
                time.sleep(RETRY_SECONDS)
            except (SQLAlchemyError, psycopg.Error) as error:
                if len(batch) == 1:
                    return [(batch[0], StorageError(self._note_write_failure(error)))]
                alone = (self._write_patiently([write], is_repeated) for write in batch)
                return [result for results in alone for result in results]
            else:
                self._problem = None
                self._note_commit(batch, began)
                return results

    def _commit_entries(self, batch: list[Write]) -> list[tuple[Write, Exception | None]]:
        """Entries of logs and nothing else: one statement, which is a transaction of its own.

        It has a connection of its own, as one round trip takes a fraction of the time of several.
        """
        if self._appender is None or self._appender.closed:
            self._appender = self._connect()
        rows = _columns([write.log[0] for write in batch])
        written = set(self._appender.execute(_APPEND, rows).fetchall())
        return [(write, _refusal(_take(written, write))) for write in batch]

    def _commit(
        self, batch: list[Write], is_repeated: bool
    ) -> list[tuple[Write, Exception | None]]:
        """One transaction. `is_repeated`: some of it may have been written already."""
        with self._engine.begin() as connection:
            entries = [write for write in batch if write.is_entry]
            written = _append(connection, [write.log[0] for write in entries])
            results: list[tuple[Write, Exception | None]] = []
            for write in batch:
                if write.is_entry:
                    is_written = _take(written, write)
                else:
                    is_written = self._execute_alone(connection, write)
                if not is_written and is_repeated:
                    is_written = _is_there(connection, write)
                results.append((write, _refusal(is_written)))
        return results

    def _execute_alone(self, connection: sa.Connection, write: Write) -> bool:
        """What may fail without the rest; False if another process was first."""
        if write.mark is not None:
            connection.exec_driver_sql(
                "INSERT INTO facts VALUES ('probe', %(mark)s)"
                " ON CONFLICT (name) DO UPDATE SET value = excluded.value",
                {"mark": str(write.mark)},
            )
        try:
            with connection.begin_nested():
                self._execute(connection, [write])
        except IntegrityError as error:
            if getattr(error.orig, "sqlstate", None) != UNIQUE_VIOLATION:
                raise
            return False
        return True

    def check(self) -> None:
        if self._problem is not None:
            raise StorageError(self._problem)

    def probe(self) -> None:
        self._write_mark(int(time.time()))
        with self._read() as connection:
            if connection.execute(sa.select(facts).where(facts.c.name == "probe")).first() is None:
                raise StorageError("what was written cannot be read")

    def archive(self, ids: Sequence[str]) -> None:
        """To tables of the same names in the schema `expired`, which is made when it is needed."""
        try:
            with self._engine.begin() as connection:
                connection.exec_driver_sql(f"CREATE SCHEMA IF NOT EXISTS {ARCHIVE_SCHEMA}")
                for column in TABLE_COLUMNS:
                    name = column.table.name
                    archive = f"{ARCHIVE_SCHEMA}.{name}"
                    chosen = f"{column.name} = ANY(%(ids)s::text[])"
                    for statement in (
                        f"CREATE TABLE IF NOT EXISTS {archive} (LIKE {name})",
                        f"DELETE FROM {archive} WHERE {chosen}",
                        f"INSERT INTO {archive} SELECT * FROM {name} WHERE {chosen}",
                    ):
                        connection.exec_driver_sql(statement, {"ids": [*ids]})
        except SQLAlchemyError as error:
            raise StorageError(reason_of(error)) from None

    def remove_archived(self, table: str) -> bool:
        values = {"id": table}
        try:
            with self._engine.begin() as connection:
                archived = sa.inspect(connection).get_table_names(ARCHIVE_SCHEMA)
                deleted = 0
                for column in TABLE_COLUMNS:
                    if column.table.name not in archived:  # an older version made the archive
                        continue
                    where = f"{ARCHIVE_SCHEMA}.{column.table.name} WHERE {column.name} = %(id)s"
                    deleted += connection.exec_driver_sql(f"DELETE FROM {where}", values).rowcount
                return deleted > 0
        except SQLAlchemyError as error:
            raise StorageError(reason_of(error)) from None

    # -------------------------------------------------------------- reading

    @contextlib.contextmanager
    def _read(self) -> Iterator[sa.Connection]:
        try:
            with self._engine.connect() as connection:
                reading = connection.execution_options(isolation_level="REPEATABLE READ")
                with reading.begin():
                    yield reading
        except LOST as error:
            raise LostError(reason_of(error)) from None
        except SQLAlchemyError as error:
            raise StorageError(self._note_read_failure(error)) from None

    def _patiently(self, read: Callable[[], T]) -> T:
        """Read again while the database is away, but not for ever."""
        end = time.monotonic() + self._patience
        while True:
            try:
                return read()
            except LostError as error:
                if time.monotonic() > end:
                    raise StorageError(self._note_read_failure(error)) from None
                time.sleep(RETRY_SECONDS)

    def load(self, table: str) -> StoredTable | None:
        return self._patiently(lambda: super(PostgresStore, self).load(table))

    def load_access(self, table: str) -> dict[bytes, Access] | None:
        return self._patiently(lambda: super(PostgresStore, self).load_access(table))

    def load_new(self, versions: Mapping[str, int]) -> dict[str, list[tuple[int, AnyEntry]]]:
        """Of some tables, the entries that follow a version, each with the version it makes.

        A table that does not exist any more is not among the answers. Of one with an entry that
        cannot be read, those before it are. Raises `LostError` at once.
        """
        values = {"ids": [*versions], "versions": [*versions.values()]}
        found: dict[str, list[tuple[int, AnyEntry]]] = {}
        for id, rows in itertools.groupby(self._ask_follower(values), key=lambda row: row[0]):
            entries = found.setdefault(id, [])
            with contextlib.suppress(msgspec.MsgspecError):
                for _, version, entry in rows:
                    if version is not None:
                        entries.append((version + 1, decode_entry(entry)))
        return found

    def _ask_follower(self, values: Mapping[str, Any]) -> list[tuple[Any, ...]]:
        """It is asked after every change elsewhere, so it has a connection of its own and needs one
        round trip; only one thread may call it.
        """
        if self._follower is not None:
            with contextlib.suppress(psycopg.Error):  # it may be broken
                return self._follower.execute(_NEW_ENTRIES, values).fetchall()
            _close(self._follower)
            self._follower = None
        try:
            self._follower = self._connect()
            return self._follower.execute(_NEW_ENTRIES, values).fetchall()
        except psycopg.Error as error:
            _close(self._follower)
            self._follower = None
            raise LostError(one_line(error)) from None

    def _connect(self) -> psycopg.Connection[Any]:
        connection = psycopg.connect(
            self.address,
            autocommit=True,
            connect_timeout=CONNECT_SECONDS,
            application_name="coatl",
        )
        connection.execute(COMMIT_TO_DISK)
        return connection

    # -------------------------------------------------------------- what one process does

    def claim(self, name: str, seconds: float) -> bool:
        """Have something that one process does at a time, for so long; False if another has it."""
        values = {"name": name, "process": self.process, "seconds": seconds}
        return bool(self._change_leases(_CLAIM, values))

    def renew(self, names: Sequence[str], seconds: float) -> set[str]:
        """Have it longer; those that are still ours."""
        values = {"names": [*names], "process": self.process, "seconds": seconds}
        return set(self._change_leases(_RENEW, values))

    def release(self, names: Sequence[str]) -> None:
        self._change_leases(_RELEASE, {"names": [*names], "process": self.process})

    def is_claimed(self, name: str) -> bool:
        """Does any process have it?"""
        return bool(self._change_leases(_IS_CLAIMED, {"name": name}))

    def forget_leases(self, seconds: float) -> None:
        """Delete those that nobody has had for so long."""
        self._change_leases(_FORGET, {"seconds": seconds})

    def _change_leases(self, statement: str, values: Mapping[str, Any]) -> list[str]:
        try:
            with self._engine.begin() as connection:
                found = connection.exec_driver_sql(statement, dict(values))
                return [row[0] for row in found] if found.returns_rows else []
        except SQLAlchemyError as error:
            raise StorageError(reason_of(error)) from None

    def close(self) -> None:
        self._queue.put(None)
        self._writer.join()
        _close(self._appender)
        _close(self._follower)
        self._engine.dispose()


def _key(row: Mapping[str, Any]) -> tuple[str, int]:
    return row["table_id"], row["version"]


def _take(written: set[tuple[str, int]], write: Write) -> bool:
    """Was it this entry that was written? Of two for one version, it was the first."""
    key = _key(write.log[0])
    is_written = key in written
    written.discard(key)
    return is_written


def _append(connection: sa.Connection, rows: list[dict[str, Any]]) -> set[tuple[str, int]]:
    """Write entries of logs in one statement; the keys of those that nobody had written before."""
    if not rows:
        return set()
    found = connection.exec_driver_sql(_APPEND, _columns(rows))
    return {(id, version) for id, version in found}


def _columns(rows: list[dict[str, Any]]) -> dict[str, list[Any]]:
    """In the order of their keys, so that two processes never wait for each other."""
    rows = sorted(rows, key=_key)
    return {
        "tables": [row["table_id"] for row in rows],
        "versions": [row["version"] for row in rows],
        "entries": [row["entry"] for row in rows],
        "at": [row["at"] for row in rows],
    }


def _refusal(is_written: bool) -> Exception | None:
    return None if is_written else ConflictError("another process was first")


def _close(connection: psycopg.Connection[Any] | None) -> None:
    if connection is not None:
        connection.close()


def _is_there(connection: sa.Connection, write: Write) -> bool:
    """Are the rows of a write stored, and by us? The time and the ids of others are others."""
    for table in FILLED:
        for row in getattr(write, table.name):
            same = sa.and_(*(table.c[column] == value for column, value in row.items()))
            if connection.execute(sa.select(sa.literal(1)).where(same)).first() is None:
                return False
    return True
