"""`coatl warmup`: compiles beforehand, and says what was done."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest

from coatl.cli import warmup
from coatl.compiler import jit
from coatl.compiler.packages import compiled_packages
from tests.cli import program

pytestmark = program.compiled


@pytest.fixture
def compiled(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> set[str]:
    """The packages in a cache in which compiling takes no time."""
    cached: set[str] = set()
    monkeypatch.setattr(warmup, "cache_folder", lambda: tmp_path / "hash")
    monkeypatch.setattr(warmup, "is_cached", lambda package: package in cached)
    monkeypatch.setattr(jit, "load_all", cached.add)
    monkeypatch.setattr(jit, "report_progress", jit.report_progress)  # the command sets it
    return cached


def test_everything_is_compiled(compiled: set[str], capsys: pytest.CaptureFixture[str]) -> None:
    compiled.add("coatl.net")
    warmup.warm_up(None)
    *lines, where = capsys.readouterr().out.splitlines()
    names = ["rules", "encode", "solver", "env", "heuristics"]
    names += ["search", "search.batched", "search.playouts"]
    assert lines == [f"{name}: compiled in 0 s" for name in names]
    assert where.startswith("Compiled code is in /")
    assert compiled == set(compiled_packages())


def test_on_a_terminal_the_line_of_a_part_keeps_count(
    compiled: set[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def load(package: str) -> None:
        assert jit.report_progress is not None
        for share in (0.0, 0.5, 1.0):
            jit.report_progress(package, share)

    screen = io.StringIO()
    monkeypatch.setattr(screen, "isatty", lambda: True)
    monkeypatch.setattr(sys, "stdout", screen)
    monkeypatch.setattr(jit, "load_all", load)
    warmup.warm_up("rules")
    first, *_ = screen.getvalue().split("\n")
    assert [shown.rstrip() for shown in first.split("\r")] == [
        *("", "rules: 0 %", "rules: 50 %, a few seconds left", "rules: 100 %"),
        "rules: compiled in 0 s",
    ]


def test_a_second_time_there_is_nothing_to_do(
    compiled: set[str], capsys: pytest.CaptureFixture[str]
) -> None:
    compiled.update(compiled_packages())
    warmup.warm_up(None)
    assert capsys.readouterr().out.startswith(
        "Nothing to do: rules, encode, solver, env, heuristics, net, search, search.batched,"
        " search.playouts are compiled already.\n"
    )


def test_only_some_are_compiled(compiled: set[str]) -> None:
    warmup.warm_up("rules, net,rules")
    assert compiled == {"coatl.rules", "coatl.net"}


@pytest.mark.parametrize("only", ["rulez", "", "rules,", "coatl.rules"])
def test_an_unknown_name_lists_the_known_ones(only: str) -> None:
    line = program.failure("warmup", "--only", only)
    assert line.startswith("nothing that is compiled is called ")
    assert line.endswith(
        "there are rules, encode, solver, env, heuristics, net, search, search.batched,"
        " search.playouts"
    )


def test_what_is_compiled_is_found_by_the_next_command() -> None:
    """The rules are, by then; the second time says so."""
    program.output("warmup", "--only", "rules")
    again = program.output("warmup", "--only", "rules")
    assert again.startswith("Nothing to do: rules is compiled already.\n")


def test_plain_python_compiles_nothing() -> None:
    done = program.run("warmup", env={"NUMBA_DISABLE_JIT": "1"})
    assert done.code == 2
    assert "nothing is compiled" in program.one_line(done.err)
