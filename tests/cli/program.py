"""Runs the real program `coatl` in a process of its own, and holds a few files to run it on."""

from __future__ import annotations

import atexit
import json
import os
import re
import select
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import pytest

from coatl.compiler.functions import DISABLED
from tests.cli.warm import Order

INSTALLED = Path(sys.executable).parent / "coatl"
COMMAND = [str(INSTALLED)] if INSTALLED.exists() else [sys.executable, "-m", "coatl.cli.main"]
PATIENCE = 120  # seconds until a test gives up
OURS = ("NO_COLOR", "FORCE_COLOR", "COLUMNS", "LINES", "TTY_COMPATIBLE", "TTY_INTERACTIVE")
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


def environment(**changes: str) -> dict[str, str]:
    """Ours without what changes colours, width, language or speed; with `changes`."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if name not in OURS and not name.startswith(("NUMBA_", "PYTHON", "COV_", "_COATL", "COMP_"))
    }
    return kept | {"TERM": "xterm-256color", "LC_ALL": "C.UTF-8"} | changes


@lru_cache(maxsize=1)
def compile_kernel() -> None:
    """So that no command has to tell of a first compilation."""
    command = [sys.executable, "-c", "from coatl.compiler import jit; jit.load_all()"]
    subprocess.run(command, env=environment(), timeout=5 * PATIENCE, check=True)


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
    *arguments: str | Path, env: Mapping[str, str] | None = None, cwd: Path | None = None
) -> Run:
    """The same in a fraction of the time: a fork of a process that has the kernel loaded."""
    return _warm().run(
        {
            "arguments": [str(argument) for argument in arguments],
            "cwd": str(cwd or Path.cwd()),
            "env": environment(**(env or {})),
            "files": [],
        }
    )


class Warm:
    """The process of `tests.cli.warm`."""

    def __init__(self) -> None:
        server = Path(__file__).with_name("warm.py")
        self._folder = tempfile.TemporaryDirectory()
        self._out, self._err = Path(self._folder.name, "out"), Path(self._folder.name, "err")
        self._process = subprocess.Popen(
            [sys.executable, "-P", str(server)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=environment(),
            text=True,
        )

    def run(self, order: Order) -> Run:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._out.touch()
        self._err.touch()
        order["files"] = [os.devnull, str(self._out), str(self._err)]
        print(json.dumps(order), file=self._process.stdin, flush=True)
        ready, _, _ = select.select([self._process.stdout], [], [], PATIENCE)
        assert ready, f"coatl {order['arguments']} does not end"
        code = int(self._process.stdout.readline())
        return Run(code, *(_read(file) for file in (self._out, self._err)))

    def close(self) -> None:
        self._process.kill()
        self._process.communicate()
        self._folder.cleanup()


def _read(file: Path) -> str:
    return file.read_text(encoding="utf-8", errors="surrogateescape")


@lru_cache(maxsize=1)
def _warm() -> Warm:
    warm = Warm()
    atexit.register(warm.close)
    return warm


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
