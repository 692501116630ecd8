"""Copies all tables from one database to another, such as from SQLite to PostgreSQL.

What is at the other one already is left alone, so an interrupted copy can be repeated. Every table
is read back and compared, and its log is replayed.
"""

from __future__ import annotations

import queue
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import msgspec

from coatl.server.database import StorageError
from coatl.server.store import DamagedTableError, Rows, Store
from coatl.table import Table

BATCH = 50  # tables at a time


@dataclass
class CopyReport:
    """What became of the tables, by their ids."""

    copied: int = 0
    there: int = 0  # the same as here, so nothing had to be done
    different: list[str] = field(default_factory=list)  # another log there: nothing was done
    damaged: list[str] = field(default_factory=list)  # copied, but the log cannot be replayed

    @property
    def count(self) -> int:
        return self.copied + self.there + len(self.different)


def copy_tables(source: Store, target: Store, report: Callable[[CopyReport], None]) -> CopyReport:
    """Nobody may use either of them meanwhile. Raises `StorageError`, with all that is whole."""
    done, after = CopyReport(), ""
    while ids := source.list_ids(after, BATCH):
        after = ids[-1]
        _copy(source, target, ids, done)
        report(done)
    return done


def _copy(source: Store, target: Store, ids: Sequence[str], done: CopyReport) -> None:
    here, there = _by_table(source.read_rows(ids)), _by_table(target.read_rows(ids))
    missing = [id for id in ids if id not in there]
    for id in set(ids) - set(missing):
        if here[id] == there[id]:
            done.there += 1
        else:
            done.different.append(id)
    if missing:
        _add(target, source.read_rows(missing))
        copied = _by_table(target.read_rows(missing))
        for id in missing:
            if copied[id] != here[id]:
                raise StorageError(f"what was written of {id} is not what was read")
            done.copied += 1
            if not _can_be_replayed(target, id):
                done.damaged.append(id)


def _by_table(rows: Rows) -> dict[str, tuple[object, ...]]:
    """All that is stored of each table, in a form that can be compared."""
    found: dict[str, tuple[list[object], list[object], list[object]]] = {
        row["id"]: ([(row["created"], row["secret"])], [], []) for row in rows.tables
    }
    for row in rows.tokens:
        found[row["table_id"]][1].append((bytes(row["hash"]), str(row["role"]), row["place"]))
    for row in rows.log:
        found[row["table_id"]][2].append((row["version"], bytes(row["entry"]), row["at"]))
    return {
        id: (tuple(table), frozenset(tokens), tuple(sorted(log, key=repr)))
        for id, (table, tokens, log) in found.items()
    }


def _add(target: Store, rows: Rows) -> None:
    answer: queue.SimpleQueue[Exception | None] = queue.SimpleQueue()
    target.add(rows, answer.put)
    error = answer.get()
    if error is not None:
        raise error


def _can_be_replayed(store: Store, id: str) -> bool:
    try:
        stored = store.load(id)
        assert stored is not None
        Table.rebuild(stored.entries, stored.secret)
    except (ValueError, LookupError, msgspec.MsgspecError, DamagedTableError):
        return False
    return True
