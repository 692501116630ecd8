"""Opens the database that a server is given: a folder, or the address of a PostgreSQL database."""

from __future__ import annotations

from pathlib import Path

from coatl.server.database import StorageError
from coatl.server.postgres import MISSING, is_postgres
from coatl.server.sqlite_store import SqliteStore
from coatl.server.store import Store


def open_store(place: str | Path, patience: float) -> Store:
    """`patience` is how many seconds to wait for the database; raises `StorageError`."""
    if isinstance(place, str) and is_postgres(place):
        try:
            from coatl.server.postgres_store import PostgresStore
        except ImportError:
            raise StorageError(MISSING) from None
        return PostgresStore(place, patience)
    return SqliteStore(Path(place), patience)
