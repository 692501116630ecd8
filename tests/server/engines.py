"""Both databases for the tests of stores, behind one interface; and who was told what of writes."""

from __future__ import annotations

import sqlite3
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, closing, contextmanager
from pathlib import Path
from typing import Any

import psycopg

from coatl.fairness import promise_of
from coatl.server.postgres_store import PostgresStore
from coatl.server.roles import Role
from coatl.server.sqlite_store import FILE_NAME, SqliteStore
from coatl.server.store import Done, Store, hash_token
from coatl.table.entries import Opened, PlaceKind, PlaceSpec
from tests.postgres import shared_postgres

SECRET = "42" * 32
OPENED = Opened((PlaceSpec(PlaceKind.PERSON), PlaceSpec(PlaceKind.PERSON)), promise_of(SECRET))
PATIENCE = 60  # seconds until a test gives up


class Answers:
    """Notes who was told what, and lets a test wait for all."""

    def __init__(self, expected: int, is_readable: Callable[[str, int], bool]) -> None:
        self.expected = expected
        self.told: list[tuple[str, int, Exception | None]] = []
        self.missing: list[tuple[str, int]] = []  # told before others could read it
        self._is_readable = is_readable
        self._all = threading.Event()

    def done(self, table: str, version: int) -> Done:
        def tell(error: Exception | None) -> None:
            if error is None and not self._is_readable(table, version):
                self.missing.append((table, version))
            self.told.append((table, version, error))
            if len(self.told) >= self.expected:
                self._all.set()

        return tell

    def wait(self) -> None:
        assert self._all.wait(PATIENCE), f"told {len(self.told)} of {self.expected}"

    @property
    def failed(self) -> list[tuple[str, int]]:
        return [(table, version) for table, version, error in self.told if error is not None]


def outcome(write: Callable[[Done], None]) -> Exception | None:
    """Wait for one write; why it failed."""
    told: list[Exception | None] = []
    over = threading.Event()

    def done(error: Exception | None) -> None:
        told.append(error)
        over.set()

    write(done)
    assert over.wait(PATIENCE)
    assert len(told) == 1
    return told[0]


Tokens = Sequence[tuple[bytes, Role, int | None]]


def add_table(store: Store, name: str, access: Tokens | None = None) -> None:
    """Returns when it is stored."""
    if access is None:
        access = [(hash_token(f"{name} owner"), Role.OWNER, None)]
    tokens = access
    assert outcome(lambda done: store.open_table(name, SECRET, OPENED, tokens, done)) is None


class Engine(ABC):
    """A database that a test has to itself."""

    @abstractmethod
    def close(self) -> None:
        """Nothing is asked any more."""

    @abstractmethod
    def open(self) -> Store:
        """Whoever opens it closes it."""

    @abstractmethod
    def query(self, question: str, *values: object) -> list[Any]:
        """By another connection, as another process would; `?` stands for a value."""

    @abstractmethod
    def nobody_may_write(self) -> AbstractContextManager[None]:
        """Writes wait meanwhile."""

    @contextmanager
    def opened(self) -> Iterator[Store]:
        store = self.open()
        try:
            yield store
        finally:
            store.close()

    def is_readable(self, table: str, version: int) -> bool:
        question = "SELECT count(*) FROM log WHERE table_id = ? AND version = ?"
        return bool(self.query(question, table, version - 1)[0][0])

    def answers(self, expected: int) -> Answers:
        return Answers(expected, self.is_readable)


class SqliteEngine(Engine):
    """A file in a folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def close(self) -> None:
        pass  # each question has a connection of its own

    def open(self) -> SqliteStore:
        return SqliteStore(self._folder)

    def query(self, question: str, *values: object) -> list[Any]:
        with closing(sqlite3.connect(self._folder / FILE_NAME)) as other, other:
            return other.execute(question, values).fetchall()

    @contextmanager
    def nobody_may_write(self) -> Iterator[None]:
        with closing(sqlite3.connect(self._folder / FILE_NAME, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            yield
            other.execute("ROLLBACK")


class PostgresEngine(Engine):
    """A database of a real server."""

    def __init__(self, address: str) -> None:
        self.address = address
        self._other: psycopg.Connection[Any] | None = None

    def close(self) -> None:
        if self._other is not None:
            self._other.close()

    @property
    def name(self) -> str:
        return self.address.rpartition("/")[2]

    def open(self, patience: float = PATIENCE) -> PostgresStore:
        return PostgresStore(self.address, patience)

    @contextmanager
    def opened(self, patience: float = PATIENCE) -> Iterator[PostgresStore]:
        store = self.open(patience)
        try:
            yield store
        finally:
            store.close()

    def query(self, question: str, *values: object) -> list[Any]:
        question = question.replace("?", "%s")
        while True:
            if self._other is None or self._other.closed:
                self._other = psycopg.connect(self.address, autocommit=True)
            try:
                found = self._other.execute(question, values)
                return found.fetchall() if found.description else []
            except psycopg.OperationalError:  # it was cut
                self._other.close()

    @contextmanager
    def nobody_may_write(self) -> Iterator[None]:
        with psycopg.connect(self.address) as other:
            other.execute("LOCK TABLE log IN SHARE MODE")
            yield
            other.rollback()


@contextmanager
def postgres_engine() -> Iterator[PostgresEngine]:
    """A new database."""
    with shared_postgres().database() as address, closing(PostgresEngine(address)) as engine:
        yield engine
