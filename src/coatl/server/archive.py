"""The archive: a second database in the same folder, with the tables that have expired."""

from __future__ import annotations

from pathlib import Path

import sqlalchemy as sa
from sqlalchemy.exc import SQLAlchemyError

from coatl.server.database import StorageError, open_database, reason_of
from coatl.server.store import FILLED, TABLE_COLUMNS, Rows

ARCHIVE_NAME = "expired.sqlite3"


def remove_from_archive(folder: Path, table: str, busy_timeout: float) -> bool:
    """Was it there? Raises `StorageError` if it cannot be removed."""
    file = folder / ARCHIVE_NAME
    if not file.exists():
        return False
    engine = open_database(file, busy_timeout)
    try:
        with engine.begin() as connection:
            deleted = [
                connection.execute(sa.delete(column.table).where(column == table)).rowcount
                for column in TABLE_COLUMNS
            ]
            return bool(deleted[-1])
    except SQLAlchemyError as error:
        raise StorageError(f"{file}: {reason_of(error)}") from None
    finally:
        engine.dispose()


def add_to_archive(folder: Path, rows: Rows, busy_timeout: float) -> None:
    """Returns when everything is on the disk; raises `StorageError` if it is not.

    A table that is there already is replaced: it was copied before a crash, or brought back from
    the archive, and may have been played on since.
    """
    file = folder / ARCHIVE_NAME
    engine = open_database(file, busy_timeout)
    ids = [row["id"] for row in rows.tables]
    try:
        with engine.begin() as connection:
            for column in TABLE_COLUMNS:
                connection.execute(sa.delete(column.table).where(column.in_(ids)))
            for into in FILLED:
                if found := getattr(rows, into.name):
                    connection.execute(sa.insert(into), found)
    except SQLAlchemyError as error:
        raise StorageError(f"{file}: {reason_of(error)}") from None
    finally:
        engine.dispose()
