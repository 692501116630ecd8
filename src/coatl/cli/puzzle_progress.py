"""Which puzzles somebody has tried and solved in the terminal, kept in a file."""

from __future__ import annotations

from datetime import date, timedelta
from pathlib import Path

import msgspec
import platformdirs

from coatl.cli.console import Failure


class Tried(msgspec.Struct, frozen=True):
    """How somebody did in a puzzle."""

    attempts: int = 0
    best: int | None = None  # points of the best answer so far
    solved: bool = False


class Kept(msgspec.Struct):
    """What is in the file."""

    puzzles: dict[str, Tried] = {}  # by position: a number may come to mean another puzzle
    days: list[str] = []  # on which the puzzle of the day was solved


class PuzzleProgress:
    """A file that is missing, or cannot be read, is an empty one."""

    def __init__(self, file: Path | None = None) -> None:
        self._file = file if file is not None else _default_file()
        self._kept = _read(self._file)

    def tried(self, position: str) -> Tried:
        return self._kept.puzzles.get(position, Tried())

    def keep(self, position: str, tried: Tried, day: date | None = None) -> None:
        """`day`: of which it is the puzzle. Raises `Failure` if it cannot be written."""
        self._kept.puzzles[position] = tried
        if day is not None and tried.solved and day.isoformat() not in self._kept.days:
            self._kept.days.append(day.isoformat())
        try:
            self._file.parent.mkdir(parents=True, exist_ok=True)
            self._file.write_bytes(msgspec.json.encode(self._kept))
        except OSError as error:
            raise Failure(f"{self._file}: {error.strerror or error}") from None

    def days_in_a_row(self, today: date) -> int:
        """Up to today, or to yesterday while today's puzzle is not solved."""
        solved = set(self._kept.days)
        day = today if today.isoformat() in solved else today - timedelta(days=1)
        count = 0
        while day.isoformat() in solved:
            count, day = count + 1, day - timedelta(days=1)
        return count


def _default_file() -> Path:
    return Path(platformdirs.user_data_dir("coatl", appauthor=False)) / "puzzles.json"


def _read(file: Path) -> Kept:
    try:
        return msgspec.json.decode(file.read_bytes(), type=Kept)
    except (OSError, msgspec.DecodeError, ValueError):
        return Kept()
