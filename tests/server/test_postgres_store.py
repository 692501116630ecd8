"""PostgreSQL: several stores on one database, lost connections, and a database that is away."""

from __future__ import annotations

import random
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import psycopg
import pytest
from sqlalchemy.exc import OperationalError

from coatl.server.database import StorageError
from coatl.server.migrations import HEAD
from coatl.server.postgres import MISSING, name_of, read_url
from coatl.server.postgres_store import LostError, PostgresStore
from coatl.server.roles import Role
from coatl.server.store import ConflictError, Write, hash_token
from coatl.server.stores import open_store
from coatl.table.entries import Decided, Freed
from tests.cli.program import compiled, environment, one_line, quick_run
from tests.postgres import PostgresServer, shared_postgres
from tests.server.engines import (
    OPENED,
    SECRET,
    PostgresEngine,
    add_table,
    outcome,
    postgres_engine,
)
from tests.server.harness import ROOT, wait_until

pytestmark = pytest.mark.slow

MOVE = Decided(0, "done")


@pytest.fixture
def engine() -> Iterator[PostgresEngine]:
    with postgres_engine() as engine:
        yield engine


@pytest.fixture
def store(engine: PostgresEngine) -> Iterator[PostgresStore]:
    with engine.opened() as store:
        yield store


@pytest.fixture
def postgres() -> PostgresServer:
    return shared_postgres()


def count_entries(engine: PostgresEngine, table: str) -> int:
    return int(engine.query("SELECT count(*) FROM log WHERE table_id = ?", table)[0][0])


# ---------------------------------------------------------------- two stores


def test_whoever_comes_second_is_told_so(engine: PostgresEngine, store: PostgresStore) -> None:
    add_table(store, "a")
    with engine.opened() as other:
        assert outcome(partial(other.append, "a", 2, Decided(0, "theirs"))) is None
        error = outcome(partial(store.append, "a", 2, Decided(0, "ours")))
        assert isinstance(error, ConflictError)
        stored = store.load("a")
        assert stored is not None
        assert stored.entries[1:] == [Decided(0, "theirs")]
        seat = partial(other.add_seat, "a", hash_token("theirs"), 0)
        assert outcome(seat) is None
        for again in (
            partial(store.add_seat, "a", hash_token("ours"), 0),
            partial(store.free_place, "a", 2, Freed(0), 0),
            partial(store.open_table, "b", SECRET, OPENED, [], elsewhere=("a", 2, MOVE)),
        ):
            assert isinstance(outcome(again), ConflictError)
    assert store.list_ids("", 10) == ["a"]
    assert hash_token("theirs") in (store.load_access("a") or ())


def test_a_conflict_harms_no_other_write(engine: PostgresEngine, store: PostgresStore) -> None:
    """Of entries and of what is written with more than an entry, all in one batch."""
    for name in "abcd":
        add_table(store, name)
    with engine.opened() as other:
        assert outcome(partial(other.append, "b", 2, Decided(0, "theirs"))) is None
        assert outcome(partial(other.add_seat, "c", hash_token("theirs"), 0)) is None
    before = store.commits
    answers = engine.answers(6)
    with engine.nobody_may_write():
        store.append("d", 2, MOVE, answers.done("d", 2))
        wait_until(lambda: store.waiting == 0, "the first waits for the lock alone")
        for name in "ab":
            store.append(name, 2, MOVE, answers.done(name, 2))
        store.add_seat("c", hash_token("ours"), 0, answers.done("c", 1))
        store.add_seat("d", hash_token("ours"), 0, answers.done("d", 1))
        store.append("a", 3, MOVE, answers.done("a", 3))
    answers.wait()
    assert answers.failed == [("b", 2), ("c", 1)]
    conflicts = [error for *_, error in answers.told if error is not None]
    assert all(isinstance(error, ConflictError) for error in conflicts)
    assert answers.missing == []
    assert store.commits - before == 2


def test_others_are_told_of_what_was_stored(store: PostgresStore) -> None:
    told: list[str] = []
    store.tell_others = told.extend
    add_table(store, "a")
    assert outcome(partial(store.append, "a", 2, MOVE)) is None
    assert outcome(partial(store.append, "a", 2, MOVE)) is not None  # nothing to tell
    assert outcome(partial(store.add_seat, "a", hash_token("x"), 0)) is None
    assert outcome(partial(store.remove, ["a"])) is None
    wait_until(lambda: len(told) >= 4, "the last one is told of after the answer")
    assert told == ["a"] * 4


def test_what_is_new(engine: PostgresEngine, store: PostgresStore) -> None:
    for name in "abc":
        add_table(store, name)
    for version in (2, 3):
        assert outcome(partial(store.append, "a", version, Decided(0, f"{version}"))) is None
    found = store.load_new({"a": 1, "b": 1, "c": 0, "gone": 5})
    assert found == {
        "a": [(2, Decided(0, "2")), (3, Decided(0, "3"))],
        "b": [],
        "c": [(1, OPENED)],
    }
    assert store.load_new({"a": 2})["a"] == [(3, Decided(0, "3"))]
    assert store.load_new({}) == {}
    shared_postgres().cut(engine.name)
    assert store.load_new({"b": 1}) == {"b": []}  # by another connection


def test_a_table_that_cannot_be_read_keeps_no_other_from_being_read(
    engine: PostgresEngine, store: PostgresStore
) -> None:
    for name in "ab":
        add_table(store, name)
        assert outcome(partial(store.append, name, 2, MOVE)) is None
    engine.query("UPDATE log SET entry = '{' WHERE table_id = 'a' AND version = 1")
    assert store.load_new({"a": 1, "b": 1}) == {"a": [], "b": [(2, MOVE)]}


def test_all_processes_make_the_same_of_an_address(engine: PostgresEngine) -> None:
    with engine.opened() as one, engine.opened() as other:
        assert one.hash_address("127.0.0.1") == other.hash_address("127.0.0.1")
        assert one.hash_address("127.0.0.1") != one.hash_address("127.0.0.2")
        assert one.process != other.process
        with postgres_engine() as elsewhere, elsewhere.opened() as third:
            assert third.hash_address("127.0.0.1") != one.hash_address("127.0.0.1")


# ---------------------------------------------------------------- leases


def test_one_process_has_a_lease(engine: PostgresEngine) -> None:
    """Until it gives it back, or the database's clock says that it is over."""
    with engine.opened() as one, engine.opened() as other:
        assert one.claim("a", 600)
        assert one.claim("a", 600)
        assert not other.claim("a", 600)
        assert one.renew(["a", "b"], 600) == {"a"}
        assert other.renew(["a"], 600) == set()
        other.release(["a"])  # it is not theirs
        assert not other.claim("a", 600)
        one.release(["a"])
        assert other.claim("a", 600)
        engine.query("UPDATE leases SET until = until - 700")
        assert other.renew(["a"], 600) == set()
        assert one.claim("a", 600)
        assert not other.claim("a", 600)


def test_old_leases_are_forgotten(engine: PostgresEngine, store: PostgresStore) -> None:
    for name in ("old", "new"):
        assert store.claim(name, 600)
    engine.query("UPDATE leases SET until = until - 10000 WHERE name = 'old'")
    store.forget_leases(3600)
    assert engine.query("SELECT name FROM leases") == [("new",)]


# ---------------------------------------------------------------- lost connections


def break_commits(
    monkeypatch: pytest.MonkeyPatch,
    store: PostgresStore,
    before: Callable[[list[Write]], None] = lambda _batch: None,
    after: Callable[[list[Write]], None] = lambda _batch: None,
) -> None:
    """Call something before and after each commit, which may break the connection."""

    def surround(commit: Callable[..., Any]) -> Callable[..., Any]:
        def call(batch: list[Write], *arguments: Any) -> Any:
            before(batch)
            results = commit(batch, *arguments)
            after(batch)
            return results

        return call

    for name in ("_commit", "_commit_entries"):
        monkeypatch.setattr(store, name, surround(getattr(store, name)))


def fail_once(monkeypatch: pytest.MonkeyPatch, store: PostgresStore, when: str) -> list[int]:
    """The connection breaks before or after the first commit; a number for each that is tried."""
    tries: list[int] = []

    def note(batch: list[Write]) -> None:
        tries.append(len(batch))
        if when == "before":
            fail(batch)

    def fail(_batch: list[Write]) -> None:
        if len(tries) == 1:
            raise OperationalError("COMMIT", {}, Exception("broken"))

    if when == "before":
        break_commits(monkeypatch, store, before=note)
    else:
        break_commits(monkeypatch, store, before=note, after=fail)
    return tries


Writer = Callable[[PostgresStore], Exception | None]
WRITES: dict[str, Writer] = {
    "entry": lambda store: outcome(partial(store.append, "a", 2, MOVE)),
    "table": lambda store: outcome(
        partial(
            store.open_table,
            "new",
            SECRET,
            OPENED,
            [(hash_token("x"), Role.SEAT, 0)],
            elsewhere=("a", 2, MOVE),
        )
    ),
    "seat": lambda store: outcome(partial(store.add_seat, "a", hash_token("x"), 1)),
    "freed": lambda store: outcome(partial(store.free_place, "a", 2, Freed(0), 0)),
    "removed": lambda store: outcome(partial(store.remove, ["a"])),
}


@pytest.mark.parametrize("when", ["before", "after"])
@pytest.mark.parametrize("write", WRITES.values(), ids=WRITES)
def test_a_commit_whose_answer_was_lost_counts_once(
    store: PostgresStore, monkeypatch: pytest.MonkeyPatch, when: str, write: Writer
) -> None:
    add_table(store, "a", [(hash_token("seat"), Role.SEAT, 0)])
    tries = fail_once(monkeypatch, store, when)
    assert write(store) is None
    assert tries == [1, 1]
    if write is not WRITES["removed"]:
        assert isinstance(write(store), ConflictError)  # it is there, once


def test_an_answer_that_was_lost_is_no_excuse_for_a_conflict(
    engine: PostgresEngine, store: PostgresStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is there is another's, even if it looks the same."""
    add_table(store, "a")
    with engine.opened() as other:
        assert outcome(partial(other.append, "a", 2, MOVE)) is None
    fail_once(monkeypatch, store, "after")
    assert isinstance(outcome(partial(store.append, "a", 2, MOVE)), ConflictError)


def test_a_lost_answer_and_a_bad_write_in_one_batch(
    engine: PostgresEngine, store: PostgresStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The table of one is removed before the second try: the others are there all the same."""
    for name in "abc":
        add_table(store, name)
    sizes: list[int] = []

    def lose_the_answer(batch: list[Write]) -> None:
        sizes.append(len(batch))
        if len(sizes) == 2:
            for question in ("tokens WHERE table_id", "log WHERE table_id", "tables WHERE id"):
                engine.query(f"DELETE FROM {question} = 'b'")
            raise OperationalError("COMMIT", {}, Exception("broken"))

    break_commits(monkeypatch, store, after=lose_the_answer)
    answers = engine.answers(4)
    with engine.nobody_may_write():
        store.append("a", 2, MOVE, answers.done("a", 2))
        wait_until(lambda: store.waiting == 0, "the first waits for the lock alone")
        for name, version in (("a", 3), ("b", 2), ("c", 2)):
            store.append(name, version, MOVE, answers.done(name, version))
    answers.wait()
    assert sizes[:2] == [1, 3]
    assert answers.failed == [("b", 2)]
    assert [count_entries(engine, name) for name in "abc"] == [3, 0, 2]


def test_connections_are_cut_again_and_again(
    engine: PostgresEngine, store: PostgresStore, postgres: PostgresServer
) -> None:
    """While writes wait and while they are under way: each is told once, and truly."""
    names = "abcd"
    for name in names:
        add_table(store, name)
    rng, cuts, versions = random.Random(1), 0, 120
    answers = engine.answers(versions * len(names))
    for version in range(2, 2 + versions):
        for name in names:
            store.append(name, version, MOVE, answers.done(name, version))
        if rng.random() < 0.1:
            postgres.cut(engine.name)
            cuts += 1
    answers.wait()
    assert cuts > 5
    assert len(answers.told) == len({told[:2] for told in answers.told})
    assert answers.failed == answers.missing == []
    assert [count_entries(engine, name) for name in names] == [1 + versions] * len(names)
    store.check()
    assert store.load("a") is not None


def test_cut_while_a_write_waits_for_a_lock(
    engine: PostgresEngine, store: PostgresStore, postgres: PostgresServer
) -> None:
    add_table(store, "a")
    with engine.nobody_may_write():
        answers = engine.answers(2)
        store.append("a", 2, MOVE, answers.done("a", 2))
        store.append("a", 3, MOVE, answers.done("a", 3))
        wait_until(lambda: is_waiting_for_lock(postgres, engine.name), "the write waits")
        kill_waiting(postgres, engine.name)
        assert answers.told == []
    answers.wait()
    assert answers.failed == []
    assert count_entries(engine, "a") == 3


WAITING = "FROM pg_stat_activity WHERE datname = %s AND wait_event_type = 'Lock'"


def is_waiting_for_lock(postgres: PostgresServer, name: str) -> bool:
    with postgres.connect("postgres") as connection:
        return connection.execute(f"SELECT 1 {WAITING}", [name]).fetchone() is not None


def kill_waiting(postgres: PostgresServer, name: str) -> None:
    with postgres.connect("postgres") as connection:
        connection.execute(f"SELECT pg_terminate_backend(pid) {WAITING}", [name])


# ---------------------------------------------------------------- a database that is away


def test_the_database_is_restarted(
    engine: PostgresEngine, store: PostgresStore, postgres: PostgresServer
) -> None:
    """What is written and read meanwhile waits, and is done once."""
    add_table(store, "a")
    postgres.stop()
    answers = engine.answers(3)
    loaded: list[Any] = []
    reading = threading.Thread(target=lambda: loaded.append(store.load("a")))
    try:
        for version in (2, 3, 4):
            store.append("a", version, MOVE, answers.done("a", version))
        reading.start()
        with pytest.raises(LostError):
            store.load_new({"a": 1})
        assert answers.told == []
    finally:
        postgres.start()
    answers.wait()
    reading.join(60)
    assert answers.failed == []
    assert count_entries(engine, "a") == 4
    assert len(loaded) == 1
    assert loaded[0] is not None
    store.check()


def test_away_for_too_long(engine: PostgresEngine, postgres: PostgresServer) -> None:
    with engine.opened(patience=0.0) as store:
        add_table(store, "a")
        store.check()
        postgres.stop()
        try:
            error = outcome(partial(store.append, "a", 2, MOVE))
            assert type(error) is StorageError
            for question in (
                store.check,
                store.probe,
                partial(store.load, "a"),
                partial(store.load_access, "a"),
                partial(store.archive, ["a"]),
                partial(store.claim, "a", 1.0),
                partial(store.remove_archived, "a"),
                store.count_tables,
            ):
                with pytest.raises(StorageError) as raised:
                    question()
                assert "\n" not in str(raised.value)
            assert store.figures.write_failures > 0
            assert store.figures.read_failures > 0
        finally:
            postgres.start()
        store.probe()
        store.check()
        assert outcome(partial(store.append, "a", 2, MOVE)) is None
        assert count_entries(engine, "a") == 2


# ---------------------------------------------------------------- opening


def test_a_commit_is_on_the_disk_whatever_the_database_is_set_to(engine: PostgresEngine) -> None:
    engine.query(f"ALTER DATABASE {engine.name} SET synchronous_commit = off")
    with engine.opened() as store, store._engine.connect() as connection:
        assert connection.exec_driver_sql("SHOW synchronous_commit").scalar() == "on"
    engine.query(f"ALTER DATABASE {engine.name} SET synchronous_commit = remote_apply")
    with engine.opened() as store, store._engine.connect() as connection:
        assert connection.exec_driver_sql("SHOW synchronous_commit").scalar() == "remote_apply"


@pytest.fixture
def empty(postgres: PostgresServer) -> Iterator[str]:
    """A database without any schema."""
    name = "empty"
    with postgres.connect("postgres") as connection:
        connection.execute(f"CREATE DATABASE {name}")
    yield postgres.address(name)
    with postgres.connect("postgres") as connection:
        connection.execute(f"DROP DATABASE {name} WITH (FORCE)")


def test_many_open_an_empty_database_at_once(empty: str) -> None:
    """Processes, as Alembic is not made for threads."""
    code = (
        "import sys; from coatl.server.postgres_store import PostgresStore;"
        "store = PostgresStore(sys.argv[1]); print(store.hash_address('x')); store.close()"
    )
    command = [sys.executable, "-c", code, empty]
    running = [
        subprocess.Popen(
            command, env=environment(), cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        for _ in range(4)
    ]
    done = [process.communicate(timeout=120) for process in running]
    assert [process.returncode for process in running] == [0] * 4, done
    assert len({out for out, _ in done}) == 1
    with psycopg.connect(empty) as connection:
        found = connection.execute("SELECT version_num FROM alembic_version").fetchall()
        assert found == [(HEAD,)]


def refusal(address: str) -> str:
    with pytest.raises(StorageError) as raised:
        open_store(address, 1.0)
    message = str(raised.value)
    assert "\n" not in message
    assert "sesame" not in message
    return message


def with_password(address: str) -> str:
    return address.replace("coatl@", "coatl:sesame@")


def test_a_database_of_a_newer_version(engine: PostgresEngine) -> None:
    engine.query("UPDATE alembic_version SET version_num = '9999'")
    message = refusal(with_password(engine.address))
    shown = engine.address.replace("coatl@", "coatl:***@")
    assert message == f"{shown}: the database was made by a newer version of coatl"
    assert engine.query("SELECT version_num FROM alembic_version") == [("9999",)]


def test_a_database_that_is_not_there(postgres: PostgresServer) -> None:
    address = with_password(postgres.address("nosuch"))
    assert 'database "nosuch" does not exist' in refusal(address)
    assert "refused" in refusal("postgresql://coatl:sesame@127.0.0.1:9/coatl")
    assert "refused" in refusal("postgres://coatl@127.0.0.1:9/coatl?password=sesame")


@pytest.mark.parametrize(
    "address", ["postgresql://coatl:sesame@127.0.0.1:port/x", "postgresql://[::1/sesame"]
)
def test_an_address_that_is_none(address: str) -> None:
    message = refusal(address)
    assert message == "a database is postgresql://USER:PASSWORD@HOST:PORT/NAME, or a folder"


def test_a_name_for_people() -> None:
    url = read_url("postgres://ana:sesame@db/games?password=sesame&sslmode=require")
    assert name_of(url) == "postgresql://ana:***@db/games"


@compiled
@pytest.mark.parametrize(
    "command",
    [("serve", "--port", "0", "--database"), ("database", "check", "--database")],
)
def test_the_command_says_it_in_one_line(command: tuple[str, ...]) -> None:
    done = quick_run(*command, "postgresql://coatl:sesame@127.0.0.1:9/coatl")
    assert (done.code, done.out) == (2, "")
    message = one_line(done.err)
    assert message.startswith("postgresql://coatl:***@127.0.0.1:9/coatl")
    assert "sesame" not in message


@pytest.mark.parametrize(
    "arguments",
    [
        ("serve", "--port", "0", "--database", "postgresql://x@127.0.0.1/x"),
        ("database", "check", "--database", "postgresql://x@127.0.0.1/x"),
        ("tables", "list", "--database", "postgresql://x@127.0.0.1/x"),
        ("database", "copy", "postgresql://x@127.0.0.1/x", "folder"),
    ],
    ids=lambda arguments: " ".join(arguments[:2]),
)
@compiled
def test_without_the_driver(arguments: tuple[str, ...]) -> None:
    """As where coatl was installed without its extra."""
    code = (
        "import sys; sys.modules['psycopg'] = None; from coatl.cli.main import main;"
        "sys.argv = ['coatl', *sys.argv[1:]]; main()"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments],
        env=environment(),
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert one_line(done.stderr) == MISSING
