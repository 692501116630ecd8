"""Runs the real program `coatl` in a process of its own, and holds a few files to run it on."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO

import pytest

from coatl.compiler.functions import DISABLED
from tests.warm.process import WarmProcess
from tests.warm.start import compile_kernel as compile_kernel
from tests.warm.start import environment as environment

INSTALLED = Path(sys.executable).parent / "coatl"
COMMAND = [str(INSTALLED)] if INSTALLED.exists() else [sys.executable, "-m", "coatl.cli.main"]
PATIENCE = 120  # seconds until a test gives up
ESCAPE = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")

compiled = pytest.mark.skipif(
    DISABLED, reason="the program runs compiled, whatever the tests run as"
)


@dataclass(frozen=True)
class Run:
    """How a program ended and what it wrote."""

    code: int
    out: str
    err: str


def run(
    *arguments: str | Path,
    input: str = "",
    env: Mapping[str, str] | None = None,
    cwd: Path | None = None,
) -> Run:
    """Start ``coatl`` as a shell does; `env` is added to its environment."""
    compile_kernel()
    done = subprocess.run(
        [*COMMAND, *map(str, arguments)],
        input=input,
        capture_output=True,
        encoding="utf-8",
        errors="surrogateescape",
        env=environment(**(env or {})),
        cwd=cwd,
        timeout=PATIENCE,
        check=False,
    )
    return Run(done.returncode, done.stdout, done.stderr)


def quick_run(
    *arguments: str | Path,
    input: str = "",
    env: Mapping[str, str] | None = None,
    cwd: Path | None = None,
) -> Run:
    """The same in a fraction of the time: a fork of a process that has the kernel loaded."""
    with TemporaryFile() as out, TemporaryFile() as err, TemporaryFile() as given:
        given.write(input.encode("utf-8", errors="surrogateescape"))
        given.seek(0)
        files = (given.fileno(), out.fileno(), err.fileno())
        process = WarmProcess([*map(str, arguments)], files, environment(**(env or {})), cwd)
        code = process.wait(PATIENCE)
        return Run(code, _read(out), _read(err))


def _read(file: IO[bytes]) -> str:
    file.seek(0)
    return file.read().decode("utf-8", errors="surrogateescape")


def output(
    *arguments: str | Path,
    env: Mapping[str, str] | None = None,
    cwd: Path | None = None,
    quick: bool = True,
) -> str:
    """What a command that goes well prints."""
    done = (quick_run if quick else run)(*arguments, env=env, cwd=cwd)
    assert (done.code, done.err) == (0, ""), done
    return done.out


def failure(*arguments: str | Path, cwd: Path | None = None, quick: bool = True) -> str:
    """The one line of a command that fails because of what the user gave it."""
    done = (quick_run if quick else run)(*arguments, cwd=cwd)
    assert (done.code, done.out) == (2, ""), done
    return one_line(done.err)


def one_line(errors: str) -> str:
    """The message in standard error, which is one line that begins with our name."""
    assert errors.startswith("coatl: "), errors
    assert errors.endswith("\n"), errors
    assert errors.count("\n") == 1, errors
    assert "Traceback" not in errors
    message = errors.removeprefix("coatl: ").strip()
    assert message
    return message


def words(text: str) -> list[str]:
    """The words of an output; tables are padded with spaces, so lines do not matter."""
    return text.split()


def flowing(text: str) -> str:
    """An output with every run of spaces and line ends as one space."""
    return " ".join(text.split())


# ---------------------------------------------------------------- files to run it on

SMALL_DECK = """
[[prophecy]]
colour = "red"
copies = 5
levels = { 2 = 2, 4 = 3 }
cards = ["{Y}", "{R}", "{K}", "{G}", "{B}"]
[[prophecy]]
colour = "blue"
levels = { 1 = 1, 2 = 3 }
cards = ["Y G", "!R B !Y"]
[[temple]]
points = [3, 7]
copies = 2
cards = ["no Y / 7", "no K / 8", "R=Y / 12"]
"""  # enough for up to 4 players: 27 Prophecy cards, 6 Temple cards


def write(folder: Path, name: str, text: str) -> Path:
    file = folder / name
    file.write_text(text, encoding="utf-8")
    return file


BINARY = b"\x00\xff\xfe\x80coatl"


def write_binary(folder: Path, name: str) -> Path:
    file = folder / name
    file.write_bytes(BINARY)
    return file
