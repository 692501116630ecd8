"""A first compilation is told, in one line, to whoever waits for it and to nobody else."""

from __future__ import annotations

import io
import multiprocessing
import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from coatl.compiler import progress
from coatl.compiler.cache import COMPLETE
from coatl.compiler.functions import DISABLED
from coatl.compiler.packages import compiled_packages, description
from coatl.compiler.progress import QUIET, CompileProgress, ProgressLine, time_left

needs_jit = pytest.mark.skipif(DISABLED, reason="about the compiled kernel")

FIRST_USE = """
from coatl.compiler import jit
from coatl.rules import chance
jit.EntryPoint.compile = lambda self, folder: None
jit._start_helper = lambda *_: None
{switch}
chance.fill_words.load()
"""


class Screen(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture
def spoken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(QUIET)


def told(monkeypatch: pytest.MonkeyPatch, file: io.StringIO, *shares: float) -> str:
    monkeypatch.setattr(sys, "stderr", file)
    tell = ProgressLine()
    for share in shares:
        tell("coatl.rules", share)
    return file.getvalue()


def first_use(folder: Path, switch: str = "", **changes: str) -> str:
    """What a library call that compiles writes to standard error."""
    env = os.environ | {"COATL_CACHE_DIR": str(folder), QUIET: ""} | changes
    command = [sys.executable, "-c", FIRST_USE.format(switch=switch)]
    done = subprocess.run(command, env=env, check=True, capture_output=True, text=True)
    assert done.stdout == ""
    return done.stderr


# ---------------------------------------------------------------- the line


def test_everything_that_is_compiled_has_a_name() -> None:
    for what, seconds in map(description, compiled_packages()):
        reason = f"Compiling {what} for this machine, once:"
        assert len(f"{reason} 9 %, {seconds} s if it is idle") < 80
        assert len(f"{reason} 25 %, about 995 seconds left") < 80


@pytest.mark.usefixtures("spoken")
def test_in_a_file_it_is_one_line_at_the_beginning(monkeypatch: pytest.MonkeyPatch) -> None:
    assert told(monkeypatch, io.StringIO(), 0.0, 0.3, 1.0) == (
        "Compiling the rules for this machine, once:"
        " about 30 seconds, or several times that if it is slow or busy ...\n"
    )


@pytest.mark.usefixtures("spoken")
def test_on_a_terminal_the_line_keeps_count(monkeypatch: pytest.MonkeyPatch) -> None:
    times = iter([100.0, 101.0, 112.0, 125.6])
    clock = SimpleNamespace(monotonic=lambda: next(times))
    monkeypatch.setattr(progress, "time", clock)  # only there: others look at the clock, too
    text = told(monkeypatch, Screen(), 0.0, 0.09, 0.4, 1.0)
    reason = "Compiling the rules for this machine, once: "
    assert [shown.rstrip(" ") for shown in text.split("\r")] == [
        "",
        f"{reason}0 %, 30 s if it is idle",
        f"{reason}9 %, 30 s if it is idle",
        f"{reason}40 %, about 20 seconds left",  # 12 seconds for 40 %
        f"{reason}done in 26 seconds".ljust(79) + "\n",
    ]
    assert {len(shown.rstrip("\n")) for shown in text.split("\r")[1:]} == {79}  # none is left over


@pytest.mark.parametrize(
    ("taken", "share", "text"),
    [
        (5.0, 0.5, "a few seconds"),
        (5.1, 0.5, "about 10 seconds"),
        (60.0, 0.25, "about 180 seconds"),
        (60.0, 0.99, "a few seconds"),
    ],
)
def test_what_is_left_takes_as_long_as_what_is_done(taken: float, share: float, text: str) -> None:
    assert time_left(taken, share) == text


def test_nobody_is_told_who_asked_for_silence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(QUIET, "1")
    assert told(monkeypatch, io.StringIO(), 0.0, 1.0) == ""
    assert told(monkeypatch, Screen(), 0.0, 1.0) == ""


@pytest.mark.usefixtures("spoken")
def test_processes_that_share_work_are_silent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(multiprocessing, "parent_process", lambda: object())
    assert told(monkeypatch, io.StringIO(), 0.0, 1.0) == ""


@pytest.mark.usefixtures("spoken")
def test_who_has_no_standard_error_can_compile(monkeypatch: pytest.MonkeyPatch) -> None:
    closed = io.StringIO()
    closed.close()
    for gone in (None, closed):
        monkeypatch.setattr(sys, "stderr", gone)
        ProgressLine()("coatl.rules", 0.0)


# ---------------------------------------------------------------- the first use of the library


@needs_jit
def test_a_library_call_that_compiles_says_so_once(tmp_path: Path) -> None:
    line = first_use(tmp_path)
    assert line.startswith("Compiling the rules for this machine, once: ")
    assert line.count("\n") == 1


@needs_jit
@pytest.mark.parametrize(
    ("switch", "changes"), [("", {QUIET: "1"}), ("jit.report_progress = None", {})]
)
def test_it_can_be_told_to_be_silent(tmp_path: Path, switch: str, changes: dict[str, str]) -> None:
    assert first_use(tmp_path, switch, **changes) == ""


@needs_jit
def test_a_program_can_report_in_its_own_way(tmp_path: Path) -> None:
    switch = "import sys; jit.report_progress = lambda *told: print(*told, file=sys.stderr)"
    told = first_use(tmp_path, switch).splitlines()
    assert (told[0], told[-1]) == ("coatl.rules 0.0", "coatl.rules 1.0")


@needs_jit
def test_what_is_in_the_cache_needs_no_words(tmp_path: Path) -> None:
    assert first_use(
        tmp_path, "jit.EntryPoint.is_ready = lambda *_: True"
    )  # compiles nothing, though
    complete = [folder / COMPLETE for folder in tmp_path.iterdir()]
    assert all(file.exists() for file in complete)


# ---------------------------------------------------------------- how far it is


def test_the_share_grows_with_what_is_compiled_here_and_elsewhere() -> None:
    told: list[float] = []
    ready = [False, False]
    parts = [(lambda: ready[0], 60), (lambda: ready[1], 40)]
    progress = CompileProgress(lambda _, share: told.append(share), "coatl.rules", parts)
    progress.add(15)
    progress.add(15)
    ready[1] = True  # another process has compiled it
    progress.look()
    progress.look()
    ready[0] = True
    progress.end_part()
    progress.end()
    assert told == [0.0, 0.15, 0.3, 0.7, 0.99, 1.0]
