"""What a store promises, whichever database keeps the tables."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from msgspec.structs import replace

from coatl.analysis import to_json
from coatl.analysis.data import VERSION
from coatl.server.migrations import HEAD
from coatl.server.roles import Role
from coatl.server.store import Access, Store, hash_token
from coatl.server.stored_analyses import StoredAnalyses, StoredAnalysis
from coatl.table import encode_entry
from coatl.table.entries import AnyEntry, Decided, Freed, Opened, Rematched
from tests.server.engines import (
    OPENED,
    SECRET,
    Engine,
    SqliteEngine,
    add_table,
    outcome,
    postgres_engine,
)
from tests.server.harness import wait_until
from tools.protocol_examples import report_example


@pytest.fixture(params=["sqlite", "postgres"])
def engine(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Engine]:
    if request.param == "sqlite":
        yield SqliteEngine(tmp_path)
    else:
        with postgres_engine() as engine:
            yield engine


@pytest.fixture
def store(engine: Engine) -> Iterator[Store]:
    with engine.opened() as store:
        yield store


def entries_of(store: Store, table: str) -> list[AnyEntry]:
    stored = store.load(table)
    assert stored is not None
    return stored.entries


# ---------------------------------------------------------------- writing


def test_what_was_written_is_read(engine: Engine) -> None:
    entries: list[AnyEntry] = [OPENED]
    with engine.opened() as store:
        add_table(store, "a")
        answers = engine.answers(3)
        for version in (2, 3, 4):
            entries.append(Decided(0, f"move {version}", f"{version}"))
            store.append("a", version, entries[-1], answers.done("a", version))
        answers.wait()
        check_stored(store, entries)
        assert store.load("b") is None
        assert store.load_access("b") is None
    with engine.opened() as store:
        check_stored(store, entries)


def check_stored(store: Store, entries: list[AnyEntry]) -> None:
    stored = store.load("a")
    assert stored is not None
    assert (stored.secret, stored.entries) == (SECRET, entries)
    assert [access.role for access in stored.access.values()] == ["owner"]
    assert store.load_access("a") == stored.access
    found = store.find_access([hash_token("a owner"), hash_token("nobody")])
    assert [(hashed, access.table) for hashed, access in found] == [(hash_token("a owner"), "a")]
    assert store.count_tables() == 1


def test_a_log_with_a_hole_is_not_believed(engine: Engine, store: Store) -> None:
    add_table(store, "a")
    answers = engine.answers(3)
    for version in (2, 3, 4):
        store.append("a", version, Decided(0, "done", None), answers.done("a", version))
    answers.wait()
    engine.query("DELETE FROM log WHERE table_id = 'a' AND version = 2")
    with pytest.raises(ValueError, match="missing"):
        store.load("a")


def test_a_new_table_and_an_entry_elsewhere_are_stored_together_or_not_at_all(
    store: Store,
) -> None:
    """As a rematch is, whose table nobody could find without the entry at the old one."""
    add_table(store, "old")
    for version, kept in ((1, False), (2, True)):  # version 1 is there already
        elsewhere = ("old", version, Rematched("new", None))
        error = outcome(partial(store.open_table, "new", SECRET, OPENED, [], elsewhere=elsewhere))
        assert (error is None) == kept
        assert (store.load("new") is not None) == kept
        assert len(entries_of(store, "old")) == 1 + kept


def test_many_writes_share_a_commit(engine: Engine, store: Store) -> None:
    """Each is told once, and not before others can read it."""
    for name in "abc":
        add_table(store, name)
    before = store.commits
    answers = engine.answers(300)
    with engine.nobody_may_write():
        for version in range(2, 102):
            for name in "abc":
                store.append(name, version, Decided(0, "done"), answers.done(name, version))
        assert answers.told == []
    answers.wait()
    assert store.commits - before < 10
    assert answers.missing == []
    assert len(answers.told) == len({told[:2] for told in answers.told}) == 300
    assert answers.failed == []


def test_one_bad_write_harms_no_other(engine: Engine, store: Store) -> None:
    """A version that is there already, in the middle of a batch."""
    add_table(store, "a")
    answers = engine.answers(5)
    with engine.nobody_may_write():
        for version in (2, 3, 1, 4, 5):
            store.append("a", version, Decided(0, "done"), answers.done("a", version))
    answers.wait()
    assert answers.failed == [("a", 1)]
    assert [type(entry) for entry in entries_of(store, "a")] == [Opened, *[Decided] * 4]


def test_of_two_entries_for_one_version_one_is_stored(engine: Engine, store: Store) -> None:
    """Also if they come in one batch."""
    add_table(store, "a")
    answers = engine.answers(3)
    with engine.nobody_may_write():
        store.append("a", 2, Decided(0, "first"), answers.done("a", 2))
        wait_until(lambda: store.waiting == 0, "it waits for the lock alone")
        for move in ("one", "other"):
            store.append("a", 3, Decided(0, move), answers.done("a", 3))
    answers.wait()
    assert answers.failed == [("a", 3)]
    assert entries_of(store, "a")[1:] == [Decided(0, "first"), Decided(0, "one")]


def test_an_entry_of_no_table_harms_no_other(engine: Engine, store: Store) -> None:
    add_table(store, "a")
    answers = engine.answers(3)
    with engine.nobody_may_write():
        for name in ("a", "nosuch"):
            store.append(name, 2, Decided(0, "done"), answers.done(name, 2))
        store.add_seat("nosuch", hash_token("seat"), 0, answers.done("nosuch", 3))
    answers.wait()
    assert answers.failed == [("nosuch", 2), ("nosuch", 3)]
    assert len(entries_of(store, "a")) == 2


def test_closing_writes_what_waits(engine: Engine) -> None:
    store = engine.open()
    add_table(store, "a")
    answers = engine.answers(50)
    for version in range(2, 52):
        store.append("a", version, Decided(0, "done"), answers.done("a", version))
    store.close()
    assert len(answers.told) == 50
    assert answers.missing == answers.failed == []


# ---------------------------------------------------------------- places


def test_one_token_for_a_place(store: Store) -> None:
    add_table(store, "a")
    add_table(store, "b")
    mine, yours = hash_token("mine"), hash_token("yours")
    assert outcome(partial(store.add_seat, "a", mine, 0)) is None
    assert outcome(partial(store.add_seat, "a", yours, 0)) is not None
    assert outcome(partial(store.add_seat, "a", mine, 1)) is not None
    assert outcome(partial(store.add_seat, "a", yours, 1)) is None
    assert outcome(partial(store.add_seat, "b", mine, 0)) is None
    access = store.load_access("a")
    assert access is not None
    assert access[mine] == Access("a", Role.SEAT, 0)
    assert access[yours] == Access("a", Role.SEAT, 1)
    assert len(access) == 3


def test_a_place_is_freed_with_its_entry_or_not_at_all(store: Store) -> None:
    add_table(store, "a")
    seat, owner = hash_token("seat"), hash_token("a owner")
    assert outcome(partial(store.add_seat, "a", seat, 1)) is None
    for version, is_freed in ((1, False), (2, True)):
        error = outcome(partial(store.free_place, "a", version, Freed(1), 1))
        assert (error is None) == is_freed
        assert set(store.load_access("a") or ()) == ({owner} if is_freed else {owner, seat})
        assert entries_of(store, "a")[1:] == ([Freed(1)] if is_freed else [])
    assert outcome(partial(store.add_seat, "a", hash_token("next"), 1)) is None


# ---------------------------------------------------------------- analyses


def add_analysis(store: Store, table: str) -> None:
    add = partial(StoredAnalyses(store).add, table, table, "quick", hash_token("mine"))
    assert outcome(add) is None


def test_an_analysis_is_kept_step_by_step(store: Store) -> None:
    add_table(store, "a")
    add_analysis(store, "a")
    kept = StoredAnalyses(store)
    mine, report = hash_token("mine"), report_example()
    assert kept.load("a") == StoredAnalysis("quick", mine, True, 0, 0, False, None)
    assert outcome(partial(kept.save, "a", "quick", (1, 4), b"found")) is None
    assert outcome(partial(kept.cancel, "a")) is None
    assert kept.load("a") == StoredAnalysis("quick", mine, False, 1, 4, True, None)
    assert (kept.load_found("a"), kept.is_wanted("a")) == (b"found", False)
    other = hash_token("other")
    assert outcome(partial(kept.go_on, "a", other)) is None
    assert kept.load("a") == StoredAnalysis("quick", other, True, 1, 4, True, None)
    assert outcome(partial(kept.finish, "a", "quick", 4, to_json(report))) is None
    assert kept.load("a") == StoredAnalysis("quick", other, False, 4, 4, False, report)
    assert outcome(partial(kept.save, "a", "quick", (2, 4), b"late")) is None  # by another process
    assert kept.load("a") == StoredAnalysis("quick", other, False, 4, 4, False, report)
    assert outcome(partial(kept.begin_anew, "a", "deep", mine)) is None
    assert outcome(partial(kept.save, "a", "quick", (3, 4), b"of another depth")) is None
    assert outcome(partial(kept.finish, "a", "quick", 4, b"of another depth")) is None
    assert kept.load("a") == StoredAnalysis("deep", mine, True, 0, 0, False, report)
    newer = to_json(replace(report, version=VERSION + 1))
    assert outcome(partial(kept.finish, "a", "deep", 4, newer)) is None
    assert kept.load("a") == StoredAnalysis("deep", mine, False, 4, 4, False, None)
    assert (kept.load("b"), kept.load_found("b"), kept.is_wanted("b")) == (None, None, False)


# ---------------------------------------------------------------- whole tables


def test_removed_tables_leave_nothing(engine: Engine, store: Store) -> None:
    for name in "abc":
        add_table(store, name)
        add_analysis(store, name)
    assert outcome(partial(store.remove, ["a", "c", "nosuch"])) is None
    assert store.list_ids("", 10) == ["b"]
    for name in ("tokens", "log", "analyses"):
        found = engine.query(f"SELECT table_id FROM {name}")
        assert {table for (table,) in found} == {"b"}


def test_the_archive(store: Store) -> None:
    assert not store.remove_archived("a")  # there is no archive yet
    for name in "ab":
        add_table(store, name)
        add_analysis(store, name)
    store.archive(["a", "b"])
    store.archive(["a"])  # again, as after a failure
    assert store.list_ids("", 10) == ["a", "b"]
    assert store.remove_archived("a")
    assert not store.remove_archived("a")
    assert store.remove_archived("b")


def test_rows_are_taken_to_another_store(store: Store, tmp_path: Path) -> None:
    for name in "abc":
        add_table(store, name)
    add_analysis(store, "a")
    with SqliteEngine(tmp_path / "other").opened() as other:
        rows = store.read_rows(["a", "c"])
        assert outcome(partial(other.add, rows)) is None
        assert other.list_ids("", 10) == ["a", "c"]
        assert other.load("a") == store.load("a")
        assert other.read_rows(["a", "c"]) == rows
        assert [row["id"] for row in rows.analyses] == ["a"]
        back = other.read_rows(["a"])
        assert outcome(partial(store.remove, ["a"])) is None
        assert outcome(partial(store.add, back)) is None
        assert other.load("a") == store.load("a")
        assert outcome(partial(store.add, back)) is not None  # it is there already


# ---------------------------------------------------------------- finding


def test_the_newest_table_is_found_first(engine: Engine, store: Store) -> None:
    token = hash_token("mine")
    for number, name in enumerate("bca"):
        add_table(store, name, [(token, Role.SEAT, number % 2)])
        engine.query("UPDATE tables SET created = ? WHERE id = ?", 100.0 + number, name)
    found = store.find_access([token])
    assert [access.table for _, access in found] == ["a", "c", "b"]
    assert {hashed for hashed, _ in found} == {token}
    assert [access for _, access in store.find_access([token], most=1)] == [
        Access("a", Role.SEAT, 0)
    ]
    assert store.find_access([]) == []


def test_lists_of_tables(engine: Engine, store: Store) -> None:
    for number, name in enumerate("cab"):
        add_table(store, name)
        engine.query("UPDATE tables SET created = ? WHERE id = ?", 100.0 + number, name)
    assert outcome(partial(store.append, "a", 2, Decided(0, "done"))) is None
    assert store.list_ids("", 2) == ["a", "b"]
    assert store.list_ids("b", 2) == ["c"]
    assert [last.table for last in store.list_tables("", 102.0, 10)] == ["a", "c"]
    assert [last.table for last in store.list_tables("", 103.0, 2)] == ["a", "b"]
    assert [last.table for last in store.list_tables("a", 103.0, 10)] == ["b", "c"]
    last = {last.table: last.entry for last in store.read_last_entries(["a", "c", "nosuch"])}
    assert last == {"a": encode_entry(Decided(0, "done")), "c": encode_entry(OPENED)}


# ---------------------------------------------------------------- the database


def test_a_new_database_has_the_newest_schema(engine: Engine, store: Store) -> None:
    assert engine.query("SELECT version_num FROM alembic_version") == [(HEAD,)]


def test_it_can_be_asked_whether_all_is_well(store: Store) -> None:
    store.check()
    for _ in range(2):
        store.probe()
    assert store.count_tables() == 0
