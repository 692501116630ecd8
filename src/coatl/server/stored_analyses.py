"""What is stored of analyses: what was asked for, how far it is, and the reports."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass

import msgspec
import sqlalchemy as sa

from coatl.analysis.data import Report, from_json
from coatl.server.protocol import AnalysisDepth
from coatl.server.schema import analyses
from coatl.server.store import Done, Store

Progress = tuple[int, int]  # steps that are done, and how many there are
MOST_FILES = 200  # analyses of files that are kept, the newest; those of tables all are


@dataclass(frozen=True)
class StoredAnalysis:
    """One row, without what was found so far."""

    depth: AnalysisDepth
    asker: bytes | None  # the hash of a token; None: whoever has the file
    wanted: bool
    done: int  # steps
    steps: int
    is_partial: bool  # there is something to go on from
    report: Report | None  # the last that was finished, perhaps of another depth


_COLUMNS = (
    *(analyses.c.depth, analyses.c.asker, analyses.c.wanted, analyses.c.done, analyses.c.steps),
    analyses.c.found.is_not(None).label("is_partial"),
    analyses.c.report,
)


class StoredAnalyses:
    """Reads are done at once and raise `StorageError`; writes tell `done`."""

    def __init__(self, store: Store) -> None:
        self._store = store

    # -------------------------------------------------------------- reading

    def load(self, id: str) -> StoredAnalysis | None:
        rows = self._store.ask(sa.select(*_COLUMNS).where(analyses.c.id == id))
        if not rows:
            return None
        row = rows[0]
        return StoredAnalysis(
            depth=row.depth,
            asker=row.asker,
            wanted=row.wanted,
            done=row.done,
            steps=row.steps,
            is_partial=bool(row.is_partial),
            report=_read_report(row.report),
        )

    def load_found(self, id: str) -> bytes | None:
        """What `Analysis.resume` takes."""
        rows = self._store.ask(sa.select(analyses.c.found).where(analyses.c.id == id))
        return rows[0].found if rows else None

    def is_wanted(self, id: str) -> bool:
        """Not if it was cancelled, or deleted with its table."""
        rows = self._store.ask(sa.select(analyses.c.wanted).where(analyses.c.id == id))
        return bool(rows and rows[0].wanted)

    # -------------------------------------------------------------- writing

    def add(self, id: str, table: str | None, depth: str, asker: bytes | None, done: Done) -> None:
        """A new one. Of those of files only the newest are kept."""
        files = analyses.c.table_id.is_(None)
        newest = sa.select(analyses.c.id).where(files).order_by(analyses.c.at.desc())
        new = {"id": id, "table_id": table, "depth": depth, "asker": asker, "at": time.time()}
        statements = [
            sa.insert(analyses).values(new | {"wanted": True, "done": 0, "steps": 0}),
            sa.delete(analyses).where(files, analyses.c.id.not_in(newest.limit(MOST_FILES))),
        ]
        self._store.change(statements, done)

    def go_on(self, id: str, asker: bytes | None, done: Done) -> None:
        """From what was found before."""
        self._update(id, {"asker": asker, "wanted": True}, done)

    def begin_anew(self, id: str, depth: str, asker: bytes | None, done: Done) -> None:
        """At another depth; the report stays until there is another."""
        values = {"depth": depth, "asker": asker, "wanted": True}
        self._update(id, {**values, "found": None, "done": 0, "steps": 0}, done)

    def cancel(self, id: str, done: Done) -> None:
        self._update(id, {"wanted": False}, done)

    def save(self, id: str, depth: str, progress: Progress, found: bytes, done: Done) -> None:
        """Unless another process has come further meanwhile, or makes one of another depth."""
        count, steps = progress
        behind = (analyses.c.depth == depth, analyses.c.done < count)
        self._update(id, {"done": count, "steps": steps, "found": found}, done, *behind)

    def finish(self, id: str, depth: str, steps: int, report: bytes, done: Done) -> None:
        values = {"done": steps, "steps": steps, "report": report}
        same = analyses.c.depth == depth
        self._update(id, {**values, "found": None, "wanted": False}, done, same)

    def _update(
        self, id: str, values: Mapping[str, object], done: Done, *where: sa.ColumnElement[bool]
    ) -> None:
        """Nothing happens if it was deleted meanwhile."""
        change = sa.update(analyses).where(analyses.c.id == id, *where)
        self._store.change([change.values(**values, at=time.time())], done)


def _read_report(content: bytes | None) -> Report | None:
    """None if there is none that this version knows."""
    if content is None:
        return None
    try:
        return from_json(content)
    except (ValueError, msgspec.MsgspecError):
        return None
