"""Looking at stored tables without a server: which there are, and whether their logs are in order.

Only reads, so a server may use the same database meanwhile.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import msgspec
import sqlalchemy as sa
from sqlalchemy.exc import SQLAlchemyError

from coatl.server.database import StorageError, check_revision, one_line, reason_of
from coatl.server.postgres import ARCHIVE_SCHEMA, connect_postgres, name_of, read_url
from coatl.server.schema import log, tables, tokens
from coatl.server.store import DamagedTableError, StoredTable, read_table
from coatl.table import Table

PAGE = 200  # ids that are read at a time


@dataclass(frozen=True)
class TableSummary:
    """A stored table; `table` is None if its log cannot be replayed, and `damage` says why."""

    id: str
    created: float
    last: float  # the time of the last entry; of the opening, if there is none
    entries: int
    table: Table | None
    damage: str = ""

    @property
    def status(self) -> str:
        return "damaged" if self.table is None else self.table.status.value

    @property
    def people(self) -> list[str]:
        """The names of those who have come."""
        places = [] if self.table is None else self.table.places
        return [place.name for place in places if place.nonce is not None and place.name]


@dataclass(frozen=True)
class Source:
    """Where tables are read from: a file, or a database with or without its archive."""

    place: Path | str
    is_archive: bool = False

    def __str__(self) -> str:
        if isinstance(self.place, Path):
            return str(self.place)
        return f"{name_of(read_url(self.place))}{' (archive)' if self.is_archive else ''}"


@contextmanager
def reading(source: Source) -> Iterator[sa.Connection]:
    """A database that is there, as it is; raises `StorageError`."""
    place = source.place
    engine = _open_file(place) if isinstance(place, Path) else connect_postgres(read_url(place))
    try:
        with engine.connect() as connection:
            check_revision(connection, str(source))
            if source.is_archive:
                _check_archive(connection)
                archive = {"schema_translate_map": {None: ARCHIVE_SCHEMA}}
                connection = connection.execution_options(**archive)
            yield connection
    except SQLAlchemyError as error:
        raise StorageError(f"{source}: {reason_of(error)}") from None
    finally:
        engine.dispose()


def exists(source: Source) -> bool:
    """Is there a database, or an archive?"""
    if isinstance(source.place, Path):
        return source.place.is_file()
    try:
        with reading(source):
            return True
    except NoArchiveError:
        return False


class NoArchiveError(StorageError):
    """Nothing has expired yet."""


def _check_archive(connection: sa.Connection) -> None:
    if not sa.inspect(connection).has_table(tables.name, schema=ARCHIVE_SCHEMA):
        raise NoArchiveError("there is no archive: nothing has expired yet")


def _open_file(file: Path) -> sa.Engine:
    if not file.is_file():
        raise StorageError(f"{file}: there is no database")

    def connect() -> sqlite3.Connection:
        found = sqlite3.connect(f"{file.absolute().as_uri()}?mode=rw", uri=True)
        found.execute("PRAGMA query_only=ON").close()
        return found

    return sa.create_engine("sqlite://", creator=connect, poolclass=sa.NullPool)


def count_tables(connection: sa.Connection) -> int:
    return int(connection.execute(sa.select(sa.func.count()).select_from(tables)).scalar() or 0)


def find_table(connection: sa.Connection, id: str) -> TableSummary | None:
    row = connection.execute(_SUMMARIES.where(tables.c.id == id)).first()
    return None if row is None else _summary(connection, *row)


def newest_tables(connection: sa.Connection) -> Iterator[TableSummary]:
    """All tables, those with the newest entries first; each is replayed when it is asked for."""
    rows = connection.execute(_SUMMARIES.order_by(_last.desc(), tables.c.id)).all()
    for row in rows:
        yield _summary(connection, *row)


def all_tables(connection: sa.Connection) -> Iterator[TableSummary]:
    """All tables by id, a page at a time."""
    after = ""
    while rows := connection.execute(
        _SUMMARIES.where(tables.c.id > after).order_by(tables.c.id).limit(PAGE)
    ).all():
        for row in rows:
            yield _summary(connection, *row)
        after = rows[-1].id


def find_file_damage(connection: sa.Connection) -> str | None:
    """What is wrong with the file as a whole; None if nothing is."""
    if connection.dialect.name == "sqlite":
        found = connection.exec_driver_sql("PRAGMA quick_check(1)").scalar()
        if found != "ok":
            return one_line(found)
    for part in (log, tokens):
        ids = sa.select(part.c.table_id).where(part.c.table_id.not_in(sa.select(tables.c.id)))
        lost = connection.execute(ids.limit(1)).scalar()
        if lost is not None:
            return f"{part.name} of a table that is not there: {lost}"
    return None


_last = sa.func.coalesce(sa.func.max(log.c.at), tables.c.created)
_SUMMARIES = (
    sa.select(tables.c.id, tables.c.created, _last, sa.func.count(log.c.version))
    .select_from(tables.outerjoin(log))
    .group_by(tables.c.id, tables.c.created)
)


def _summary(
    connection: sa.Connection, id: str, created: float, last: float, entries: int
) -> TableSummary:
    try:
        stored = read_table(connection, id)
        if stored is None:
            raise ValueError("it was deleted meanwhile")
        return TableSummary(id, created, last, entries, _rebuild(stored))
    except (ValueError, LookupError, msgspec.MsgspecError, DamagedTableError) as error:
        return TableSummary(id, created, last, entries, None, one_line(error))
    except SQLAlchemyError as error:
        return TableSummary(id, created, last, entries, None, one_line(reason_of(error)))


def _rebuild(stored: StoredTable) -> Table:
    return Table.rebuild(stored.entries, stored.secret)
