"""Ctrl-C during `coatl simulate`: what there is so far is told, and no process is left behind."""

from __future__ import annotations

import os
import re
import select
import signal
import subprocess
import termios
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.cli import program
from tests.cli.reports import read_report

pytestmark = [program.compiled, pytest.mark.games]

MANY = "1000000"
SLOW_BOT = """
import pathlib, time

class Slow:
    def __init__(self, chances):
        pathlib.Path("begun").touch()

    def choose(self, view, moves):
        time.sleep(5)
        return moves[0]
"""
SOME_GAMES = re.compile(r"(?<![\d/])[1-9]\d*/1000000")


class Simulation:
    """A long simulation whose progress is seen, as it writes that to a terminal."""

    def __init__(self, process: subprocess.Popen[str], terminal: int) -> None:
        self.process = process
        self._terminal = terminal
        self.errors = ""

    def wait_for(self, pattern: re.Pattern[str]) -> None:
        """Read on until the progress says so."""
        deadline = time.monotonic() + program.PATIENCE
        while not pattern.search(self.errors):
            assert time.monotonic() < deadline, self.errors
            self.read(1.0)

    def wait_for_file(self, file: Path) -> None:
        deadline = time.monotonic() + program.PATIENCE
        while not file.exists():
            assert time.monotonic() < deadline, self.errors
            self.read(0.02)

    def wait_for_processes(self, number: int) -> None:
        deadline = time.monotonic() + program.PATIENCE
        while len(self.relatives()) < number:
            assert time.monotonic() < deadline, self.errors
            self.read(0.0)

    def read(self, patience: float) -> bool:
        """Some of what was written; False at its end."""
        ready, _, _ = select.select([self._terminal], [], [], patience)
        if not ready:
            return True
        try:
            some = os.read(self._terminal, 65_536)
        except OSError:  # Linux says so when the other end is closed
            some = b""
        self.errors += program.ESCAPE.sub("", some.decode(errors="replace"))
        return bool(some)

    def finish(self) -> program.Run:
        """Read on to the end: whoever writes to a terminal that nobody reads has to wait."""
        deadline = time.monotonic() + program.PATIENCE
        while self.process.poll() is None:
            assert time.monotonic() < deadline, self.errors
            self.read(0.02)
        output, _ = self.process.communicate(timeout=program.PATIENCE)
        while self.read(0.2):
            if self.process.poll() is not None and not self.waiting():
                break
        return program.Run(self.process.returncode, output, self.errors)

    def waiting(self) -> bool:
        return bool(select.select([self._terminal], [], [], 0)[0])

    def relatives(self) -> list[str]:
        """Processes of the same session."""
        found = subprocess.run(
            ["ps", "-o", "pid=", "-s", str(self.process.pid)],
            capture_output=True,
            text=True,
            check=False,
        )
        return found.stdout.split()

    def all_gone(self) -> bool:
        """Helpers of Python's own notice the end a moment later."""
        deadline = time.monotonic() + 20
        while self.relatives() and time.monotonic() < deadline:
            time.sleep(0.05)
        return not self.relatives()


@contextmanager
def simulation(*arguments: str, cwd: Path | None = None) -> Iterator[Simulation]:
    program.compile_kernel()
    terminal, its = os.openpty()
    termios.tcsetwinsize(its, (24, 80))
    command = [*program.COMMAND, "simulate", "--games", MANY, *arguments]
    process = subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=its,
        text=True,
        cwd=cwd,
        env=program.environment(),
        start_new_session=True,  # so that its processes can be told from ours
    )
    os.close(its)
    with process:
        try:
            yield Simulation(process, terminal)
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
            os.close(terminal)


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_what_there_is_so_far_is_told(jobs: str) -> None:
    """Ctrl-C on a terminal reaches every process of the program."""
    with simulation("--json", "--seed", "1", "--jobs", jobs) as running:
        running.wait_for(SOME_GAMES)
        os.killpg(running.process.pid, signal.SIGINT)
        done = running.finish()
        assert done.code == 130
        assert "Traceback" not in done.err
        assert "coatl:" not in done.err
        report = read_report(done.out)
        assert report.interrupted
        assert report.games_wanted == int(MANY)
        assert 0 < report.games < report.games_wanted
        assert sum(report.ends.values()) == report.games
        assert running.all_gone()


@pytest.mark.games
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_signal_to_the_program_alone(jobs: str) -> None:
    with simulation("--jobs", jobs) as running:
        running.wait_for(SOME_GAMES)
        running.process.send_signal(signal.SIGINT)
        done = running.finish()
        assert done.code == 130
        assert "Traceback" not in done.err
        assert re.match(r"[\d,]+ games \(interrupted\), seed ", done.out)
        assert running.all_gone()


@contextmanager
def slow_simulation(folder: Path, *arguments: str) -> Iterator[Simulation]:
    """One in which a game takes longer than anybody waits here; its first one has begun."""
    program.write(folder, "bots.py", SLOW_BOT)
    with simulation("--bots", "bots:Slow", *arguments, cwd=folder) as running:
        running.wait_for_file(folder / "begun")
        yield running


def test_before_the_first_game_is_over(tmp_path: Path) -> None:
    with slow_simulation(tmp_path, "--json") as running:
        running.process.send_signal(signal.SIGINT)
        done = running.finish()
        assert (done.code, done.out) == (130, "")
        assert "coatl: interrupted before the first game was over" in done.err
        assert "Traceback" not in done.err


@pytest.mark.games
def test_games_that_have_begun_are_not_waited_for(tmp_path: Path) -> None:
    with slow_simulation(tmp_path, "--jobs", "2") as running:
        running.process.send_signal(signal.SIGINT)
        assert running.finish().code == 130


@pytest.mark.games
@pytest.mark.parametrize("processes", [1, 3])
def test_while_the_processes_start(processes: int) -> None:
    """As soon as there are so many, Python's own helper among them."""
    with simulation("--jobs", "2") as running:
        running.wait_for(re.compile("0/1000000"))
        running.wait_for_processes(processes)
        os.killpg(running.process.pid, signal.SIGINT)
        done = running.finish()
        assert "Traceback" not in done.err
        assert done.code == 130
        assert running.all_gone()
