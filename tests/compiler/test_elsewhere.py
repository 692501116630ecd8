"""Another process compiles a package, says how far it is, and ends when it is told to."""

from __future__ import annotations

import sys
import threading
from pathlib import Path

import pytest

from coatl.compiler import elsewhere, jit
from coatl.compiler.elsewhere import CompileError, CompileProcess, can_compile_elsewhere
from coatl.compiler.functions import DISABLED
from coatl.compiler.packages import RULES

Reports = list[tuple[str, float]]


def run(task: str, monkeypatch: pytest.MonkeyPatch) -> Reports:
    """What a process that does something else is understood to report."""
    monkeypatch.setattr(elsewhere, "TASK", task)
    reports: Reports = []
    CompileProcess(RULES, lambda package, share: reports.append((package, share))).run()
    return reports


def test_what_it_reports(monkeypatch: pytest.MonkeyPatch) -> None:
    task = "print(0.0); print('some warning'); print(0.5); print(1.0)"
    assert run(task, monkeypatch) == [(RULES, 0.0), (RULES, 0.5), (RULES, 1.0)]


def test_why_it_failed(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(CompileError, match=r"OSError: the disk is full$"):
        run("print(0.5); raise OSError('the disk is full')", monkeypatch)


def test_that_it_was_killed(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(CompileError, match=r"^it ended with the code -9$"):
        run("import os; os.kill(os.getpid(), 9)", monkeypatch)


def test_that_there_is_no_process(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(sys, "executable", str(tmp_path / "nosuch"))
    with pytest.raises(CompileError, match=r"^no process can be started"):
        run("", monkeypatch)


@pytest.mark.parametrize("stubborn", [False, True])
def test_stopping(monkeypatch: pytest.MonkeyPatch, stubborn: bool) -> None:
    """Also one that does not listen."""
    ignore = "import signal; signal.signal(signal.SIGINT, signal.SIG_IGN)\n" if stubborn else ""
    monkeypatch.setattr(
        elsewhere, "TASK", f"{ignore}print(0.0, flush=True)\nimport time\nwhile True: time.sleep(1)"
    )
    monkeypatch.setattr(elsewhere, "STOP_SECONDS", 0.01 if stubborn else 60)
    begun = threading.Event()
    process = CompileProcess(RULES, lambda *_: begun.set())
    failures: list[CompileError] = []

    def work() -> None:
        try:
            process.run()
        except CompileError as error:
            failures.append(error)

    thread = threading.Thread(target=work)
    thread.start()
    assert begun.wait(60)
    process.stop()
    thread.join(60)
    assert len(failures) == 1
    process.stop()  # once more does no harm


def test_stopping_before_it_starts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(CompileProcess, "_start", lambda _: pytest.fail("started"))
    process = CompileProcess(RULES, lambda *_: None)
    process.stop()
    with pytest.raises(CompileError):
        process.run()


def test_what_the_process_does(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def load(package: str) -> None:
        assert jit.report_progress is not None
        for share in (0.0, 0.5, 1.0):
            jit.report_progress(package, share)

    monkeypatch.setattr(jit, "report_progress", None)
    monkeypatch.setattr(jit, "load_all", load)
    elsewhere.compile_and_tell(RULES)
    assert capsys.readouterr().out.split() == ["0.0", "0.5", "1.0"]


@pytest.mark.skipif(DISABLED, reason="about the compiled kernel")
def test_when_it_is_worth_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    cached: set[str] = set()
    folders: dict[str, Path] = {RULES: tmp_path}
    monkeypatch.setattr(elsewhere, "is_cached", cached.__contains__)
    monkeypatch.setattr(elsewhere, "cache_folder", folders.get)
    assert can_compile_elsewhere(RULES)
    cached.add(RULES)
    assert not can_compile_elsewhere(RULES)
    cached.clear()
    folders.clear()  # nothing could be handed over
    assert not can_compile_elsewhere(RULES)
