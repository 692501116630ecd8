"""What comes out of a pipe: 80 columns without escape codes; and what a terminal gets instead."""

from __future__ import annotations

import os
import pty
import re
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path

import pytest
from rich.cells import cell_len

from coatl import Game
from tests.cli import program

pytestmark = program.compiled

COLOUR = re.compile(r"\x1b\[(?:\d+;)*(?:3[0-9]|4[0-9]|9[0-7]|10[0-7])[;m]")
LONGEST = "<" + "KRBYG" * 20 + ">"


@lru_cache(maxsize=1)
def record() -> str:
    """A game of four with long names."""
    game = Game.new(players=4, promo=True, seed=3)
    game.seats = tuple(letter * 40 for letter in "ÁÉÓÜ")
    for _ in range(60):
        moves = game.legal_moves()
        game.play(moves[len(moves) // 2])
    return game.record()


LINES = [
    ("--help",),
    ("cards",),
    ("cards", "--lang", "fr"),
    ("rules",),
    ("rules", "F3", "Q5", "rulings", "--lang", "fr"),
    ("score", "<KRRBGY>"),
    ("score", LONGEST),
    ("simulate", "--games", "30", "--players", "4"),
    ("simulate", "--games", "2", "--seed", "s" * 120),
    ("replay", "game.coatl"),
    ("replay", "game.coatl", "--turn", "9", "--seat", "2"),
    ("deck", "check", "my.toml"),
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    program.write(tmp_path, "game.coatl", record())
    program.write(tmp_path, "my.toml", program.SMALL_DECK)
    return tmp_path


@pytest.mark.parametrize("line", LINES, ids=lambda line: " ".join(line)[:40])
def test_a_pipe_gets_80_columns_and_no_escape_codes(folder: Path, line: tuple[str, ...]) -> None:
    text = program.output(*line, cwd=folder)
    assert "\x1b" not in text
    assert max(map(cell_len, text.splitlines())) <= 80


@pytest.mark.parametrize("env", [{"NO_COLOR": "1"}, {"TERM": "dumb"}], ids=str)
def test_the_environment_changes_nothing_in_a_pipe(folder: Path, env: dict[str, str]) -> None:
    for line in (LINES[1], LINES[2], LINES[6]):
        text = program.output(*line, cwd=folder)
        assert program.output(*line, cwd=folder, env=env) == text


def test_columns_can_be_asked_for(folder: Path) -> None:
    for columns in (60, 120):
        text = program.output("cards", env={"COLUMNS": str(columns)})
        assert 0.8 * columns < max(map(cell_len, text.splitlines())) <= columns


# ---------------------------------------------------------------- readers that stop reading


@contextmanager
def reading_one_line(*arguments: str, cwd: Path) -> Iterator[subprocess.Popen[str]]:
    """The program, whose output somebody stops reading after a line."""
    program.compile_kernel()
    with subprocess.Popen(
        [*program.COMMAND, *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=cwd,
        env=program.environment(),
    ) as process:
        assert process.stdout is not None
        process.stdout.readline()
        process.stdout.close()
        process.stdout = None
        yield process


@pytest.mark.parametrize(
    "line",
    [
        ("cards",),
        pytest.param(("replay", "game.coatl"), marks=pytest.mark.games),
        pytest.param(("simulate", "--games", "2", "--json"), marks=pytest.mark.games),
    ],
)
def test_a_broken_pipe_is_no_error(folder: Path, line: tuple[str, ...]) -> None:
    with reading_one_line(*line, cwd=folder) as process:
        _, errors = process.communicate(timeout=program.PATIENCE)
        assert errors == ""


def shell(line: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    """A line of bash in which `coatl` is ours; it fails if any program of a pipeline does."""
    program.compile_kernel()
    command = " ".join(program.COMMAND)
    return subprocess.run(
        ["bash", "-o", "pipefail", "-c", f'coatl() {{ {command} "$@"; }}; {line}'],
        capture_output=True,
        text=True,
        cwd=cwd,
        env=program.environment(),
        timeout=program.PATIENCE,
        check=False,
    )


def test_head(folder: Path) -> None:
    done = shell("coatl cards | head -1", folder)
    assert (done.stdout, done.stderr) == ("54 and 6 promo Prophecy cards\n", "")


def test_head_is_no_failure(folder: Path) -> None:
    assert shell("coatl cards | head -1", folder).returncode == 0


def test_a_full_disk(folder: Path) -> None:
    done = shell("coatl cards > /dev/full", folder)
    assert done.returncode == 2
    assert program.one_line(done.stderr) == "No space left on device"


def test_a_closed_output(folder: Path) -> None:
    assert "Traceback" not in shell("coatl cards >&-", folder).stderr


def test_an_output_that_lacks_our_letters(folder: Path) -> None:
    for line in ("cards", "--help"):
        done = shell(f"PYTHONIOENCODING=ascii coatl {line}", folder)
        assert (done.returncode, done.stderr) == (0, "")
        assert done.stdout.isascii()
        assert "?" in done.stdout


# ---------------------------------------------------------------- a terminal


def on_a_terminal(*arguments: str, cwd: Path, **changes: str) -> str:
    """What the program writes when its output is a terminal."""
    program.compile_kernel()
    ours, its = pty.openpty()
    with subprocess.Popen(
        [*program.COMMAND, *arguments],
        stdin=its,
        stdout=its,
        stderr=its,
        cwd=cwd,
        env=program.environment(COLUMNS="80", **changes),
    ) as process:
        os.close(its)
        text = b"".join(iter(lambda: read_some(ours), b""))
        assert process.wait(program.PATIENCE) == 0
    os.close(ours)
    return text.decode()


def read_some(terminal: int) -> bytes:
    try:
        return os.read(terminal, 65_536)
    except OSError:  # Linux says so when the other end is closed
        return b""


def test_a_terminal_gets_colours(folder: Path) -> None:
    assert COLOUR.search(on_a_terminal("score", "<KRRBGY>", cwd=folder))


def test_no_color(folder: Path) -> None:
    text = on_a_terminal("score", "<KRRBGY>", cwd=folder, NO_COLOR="1")
    assert not COLOUR.search(text)
    plain = program.ESCAPE.sub("", text).replace("\r\n", "\n")
    assert plain == program.output("score", "<KRRBGY>")
