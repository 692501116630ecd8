"""Opening an SQLite file: how it is to be written, whether it is damaged, which schema it has."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from coatl.server.migrations import HEAD, READABLE

PRAGMAS = (
    *("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"),
    "secure_delete=ON",  # what is deleted is overwritten
)


class StorageError(Exception):
    """The data folder or the database cannot be used; the message is for people."""


def open_database(file: Path, busy_timeout: float) -> sa.Engine:
    """A file with the current schema, made anew or brought up to date; raises `StorageError`."""
    engine = _make_engine(file, busy_timeout)
    try:
        _check(engine, file)
        bring_up_to_date(engine, str(file))
    except (SQLAlchemyError, StorageError) as error:
        engine.dispose()
        if isinstance(error, StorageError):
            raise
        raise StorageError(f"{file}: {reason_of(error)}") from None
    return engine


def reason_of(error: Exception) -> str:
    """What the database says, without the statement, in one line."""
    return one_line(error.orig if isinstance(error, DBAPIError) else error)


def one_line(text: object) -> str:
    return " ".join(str(text).split())[:200]


def _make_engine(file: Path, busy_timeout: float) -> sa.Engine:
    engine = sa.create_engine(
        sa.URL.create("sqlite", database=str(file)),  # as text, `?` and `%` would mean something
        connect_args={"timeout": busy_timeout, "check_same_thread": False},
    )

    @sa.event.listens_for(engine, "connect")
    def set_pragmas(connection: Any, _record: Any) -> None:
        connection.isolation_level = None  # the driver would not put CREATE into a transaction
        for pragma in PRAGMAS:
            connection.execute(f"PRAGMA {pragma}").close()

    @sa.event.listens_for(engine, "begin")
    def begin(connection: sa.Connection) -> None:
        connection.exec_driver_sql("BEGIN")

    return engine


def _check(engine: sa.Engine, file: Path) -> None:
    """A damaged file is not written to: that could destroy what can still be saved."""
    with engine.connect() as connection:
        found = connection.exec_driver_sql("PRAGMA quick_check(1)").scalar()
    if found != "ok":
        raise StorageError(f"{file}: the database is damaged ({one_line(found)})")


def check_revision(connection: sa.Connection, name: str) -> None:
    """Raises `StorageError` if tables, tokens and logs cannot be read."""
    revision = _revision(connection)
    if revision is None:
        raise StorageError(f"{name}: this is no database of coatl")
    if revision not in READABLE:
        from coatl.server.upgrade import knows

        if knows(revision):
            text = "the database is of an older version; `coatl serve` brings it up to date"
            raise StorageError(f"{name}: {text}")
        raise StorageError(f"{name}: the database was made by a newer version of coatl")


def bring_up_to_date(engine: sa.Engine, name: str) -> None:
    """Make the schema the one this program knows; raises `StorageError` if it is a later one.

    Alembic is imported only if it is needed.
    """
    with engine.connect() as connection:
        revision = _revision(connection)
    if revision == HEAD:
        return
    from coatl.server.upgrade import knows, upgrade

    if revision is not None and not knows(revision):
        raise StorageError(f"{name}: the database was made by a newer version of coatl")
    upgrade(engine)


def _revision(connection: sa.Connection) -> str | None:
    """Alembic's mark in the database, read without Alembic; None in a new file."""
    if not sa.inspect(connection).has_table("alembic_version"):
        return None
    found = connection.exec_driver_sql("SELECT version_num FROM alembic_version").scalar()
    return None if found is None else str(found)
