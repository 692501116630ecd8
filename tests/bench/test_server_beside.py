"""The server beside an older one: who is measured when, and what is said where it cannot be."""

from __future__ import annotations

import gc
from pathlib import Path

import pytest

from bench import gc_times, server_beside
from bench.server import CURRENT, Version
from bench.server_beside import NEW, OLD

VERSIONS = {OLD: Version("old"), NEW: CURRENT}


def test_both_take_turns_and_the_median_counts() -> None:
    asked: list[str] = []
    values = iter([1.0, 10.0, 5.0, 30.0, 2.0, 20.0])

    def measure(pace: float, version: Version) -> dict[str, float]:
        asked.append(version.program)
        return {"decisions a second": next(values)}

    found = server_beside.compare(VERSIONS, 0.0, 3, measure)
    assert asked == ["old", CURRENT.program] * 3
    assert found == {"decisions a second, 0.1": 2.0, "decisions a second, now": 20.0}


def test_a_row_has_both_figures() -> None:
    names = ("decisions a second", "server µs a decision", "median ms", "p99 ms", "worst ms")
    both = {
        f"{name}, {who}": value
        for name in (*names, "longest collection ms")
        for who, value in ((OLD, 1.0), (NEW, 3.0))
    }
    rows = server_beside.rows(both, both)
    assert len(rows) == 7
    assert all((old, new) == (1.0, 3.0) for _, old, new, _ in rows)


def test_without_the_history_one_line_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    monkeypatch.setattr(server_beside, "ROOT", tmp_path)
    monkeypatch.setattr(server_beside, "FOLDER", tmp_path / "release")
    server_beside.main()
    (line,) = capsys.readouterr().out.splitlines()
    assert "is left out" in line


def test_collections_are_timed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "collections"
    monkeypatch.setenv(gc_times.FILE, str(file))
    monkeypatch.setattr(gc, "callbacks", callbacks := [])  # type: ignore[var-annotated]
    gc_times.watch()
    for phase in ("start", "stop"):
        callbacks[0](phase, {"generation": 2})
    at, generation, _ = file.read_text().split()
    assert generation == "2"
    assert float(at) > 0


def test_the_longest_collection_is_of_the_time_asked_for(tmp_path: Path) -> None:
    file = tmp_path / "collections"
    file.write_text("1.0 2 90.0\n2.5 0 0.5\n3.0 1 4.5\n")
    assert gc_times.longest(file, 2.0, 4.0) == 4.5
    assert gc_times.longest(file, 9.0, 10.0) == 0.0
    assert gc_times.longest(file, 2.0, 2.7) == 0.5
