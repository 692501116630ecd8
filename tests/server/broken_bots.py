"""Bots that break, each in a way of its own; a test's server knows them after `REGISTER`."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from coatl.moves import Move
from coatl.view import View
from tests.server.harness import wait_until

GATE = "COATL_TEST_GATE"  # the variable that tells Thoughtful its folder
HASTE = 2  # seconds that a hasty server waits for a bot


class BrokenBot:
    """What they have in common: two good moves come first."""

    def __init__(self, chances: Any) -> None:
        self.turns = 0

    def choose(self, view: View, moves: Sequence[Move]) -> Any:
        self.turns += 1
        return moves[0] if self.turns < 3 else self.break_down(moves)

    def break_down(self, moves: Sequence[Move]) -> Any:
        raise NotImplementedError


class Raising(BrokenBot):
    def break_down(self, moves: Sequence[Move]) -> Any:
        raise RuntimeError("it hurts")


class Exiting(BrokenBot):
    def break_down(self, moves: Sequence[Move]) -> Any:
        raise SystemExit(3)


class Cheating(BrokenBot):
    def break_down(self, moves: Sequence[Move]) -> Any:
        return "drop YYY"  # never once the setup is over


class Babbling(BrokenBot):
    def break_down(self, moves: Sequence[Move]) -> Any:
        return None


class Verbose(BrokenBot):
    def break_down(self, moves: Sequence[Move]) -> Any:
        raise ValueError("x" * 10_000)


class Stillborn(BrokenBot):
    def __init__(self, chances: Any) -> None:
        raise OSError("no model")


class Sleeping(BrokenBot):
    def choose(self, view: View, moves: Sequence[Move]) -> Any:
        threading.Event().wait()


class Spinning(BrokenBot):
    def choose(self, view: View, moves: Sequence[Move]) -> Any:
        while True:
            pass


class Thoughtful(BrokenBot):
    """Answers when there is a file `go` in the folder of the test; files tell how far it is."""

    def choose(self, view: View, moves: Sequence[Move]) -> Any:
        folder = Path(os.environ[GATE])
        (folder / "asked").touch()
        wait_for_file(folder / "go")
        (folder / "answered").touch()
        return moves[0]


def wait_for_file(file: Path) -> None:
    wait_until(file.exists, f"{file.name} is there")


class Slow(BrokenBot):
    """Answers, but after it has been given up on by a hasty server."""

    def choose(self, view: View, moves: Sequence[Move]) -> Any:
        time.sleep(HASTE + 0.5)
        return moves[0]


BROKEN = {
    "raising": ("Raising", "RuntimeError: it hurts"),
    "exiting": ("Exiting", "SystemExit: 3"),
    "cheating": ("Cheating", "played 'drop YYY'"),
    "babbling": ("Babbling", "played 'None'"),
    "verbose": ("Verbose", "ValueError: xxx"),
    "stillborn": ("Stillborn", "OSError: no model"),
}
OTHERS = ("Sleeping", "Slow", "Spinning", "Thoughtful")
PATHS = {name.lower(): f"{__name__}:{name}" for name in OTHERS}
PATHS |= {name: f"{__name__}:{found}" for name, (found, _) in BROKEN.items()}
REGISTER = f"from coatl.players.registry import PLAYERS\nPLAYERS |= {PATHS!r}"
