"""Opening a PostgreSQL database: how it is reached, that it writes durably, which schema it has."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from sqlalchemy.exc import ArgumentError, SQLAlchemyError

from coatl.server.database import StorageError, bring_up_to_date, reason_of

MIGRATING = 0x636F61746C  # the key of an advisory lock: processes that start together take turns
CONNECT_SECONDS = 5
ARCHIVE_SCHEMA = "expired"  # has the tables that have expired, in tables of the same names
READERS = 4  # connections that are kept for reading; more are opened when they are needed
COMMIT_TO_DISK = (
    "SELECT set_config('synchronous_commit', 'on', false)"
    " WHERE current_setting('synchronous_commit') = 'off'"
)
MISSING = "PostgreSQL needs an extra: pip install 'coatl[postgres]'"


def is_postgres(database: str) -> bool:
    """Is it the address of a PostgreSQL database, and not a folder?"""
    return database.startswith(("postgresql://", "postgres://"))


def read_url(text: str) -> sa.URL:
    """An address such as ``postgresql://user:password@host/name``; raises `StorageError`."""
    try:
        url = sa.make_url(text.replace("postgres://", "postgresql://", 1))
    except (ArgumentError, ValueError):
        raise StorageError(
            "a database is postgresql://USER:PASSWORD@HOST:PORT/NAME, or a folder"
        ) from None
    return url.set(drivername="postgresql+psycopg")


def name_of(url: sa.URL) -> str:
    """For people and logs, without the password, which may be among the parameters, too."""
    return url.set(drivername="postgresql", query={}).render_as_string(hide_password=True)


def driver_address(url: sa.URL) -> str:
    """As psycopg wants it."""
    return url.set(drivername="postgresql").render_as_string(hide_password=False)


def open_postgres(url: sa.URL) -> sa.Engine:
    """A database with the current schema, made or brought up to date; raises `StorageError`."""
    engine = connect_postgres(url)
    try:
        with engine.connect() as waiting, waiting.begin():
            waiting.exec_driver_sql(f"SELECT pg_advisory_xact_lock({MIGRATING})")
            bring_up_to_date(engine, name_of(url))
    except SQLAlchemyError as error:
        engine.dispose()
        raise StorageError(f"{name_of(url)}: {reason_of(error)}") from None
    except BaseException:
        engine.dispose()
        raise
    return engine


def connect_postgres(url: sa.URL) -> sa.Engine:
    """A database as it is; raises `StorageError` if the driver is missing."""
    try:
        engine = sa.create_engine(
            url,
            pool_size=READERS,
            max_overflow=2 * READERS,
            pool_pre_ping=True,
            connect_args={"connect_timeout": CONNECT_SECONDS, "application_name": "coatl"},
        )
    except ImportError:
        raise StorageError(MISSING) from None

    @sa.event.listens_for(engine, "connect")
    def write_durably(connection: Any, _record: Any) -> None:
        """A commit is on the disk when it is answered, whatever the database is set to."""
        with connection.cursor() as cursor:
            cursor.execute(COMMIT_TO_DISK)
        connection.commit()

    return engine
