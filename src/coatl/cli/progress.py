"""How far somebody is in each lesson of the terminal, kept in a file."""

from __future__ import annotations

from pathlib import Path

import msgspec
import platformdirs

from coatl.cli.console import Failure


class Place(msgspec.Struct, frozen=True):
    """Where somebody is in a lesson."""

    path: tuple[str, ...] = ()  # what was done
    step: int = 0  # the number of the step, should the path be of no use any more


class Progress:
    """The places by lesson. A file that is missing, or cannot be read, is an empty one."""

    def __init__(self, file: Path | None = None) -> None:
        self._file = file if file is not None else _default_file()
        self._places = _read(self._file)

    def place(self, lesson: str) -> Place:
        return self._places.get(lesson, Place())

    def keep(self, lesson: str, place: Place) -> None:
        """Raises `Failure` if it cannot be written."""
        self._places[lesson] = place
        try:
            self._file.parent.mkdir(parents=True, exist_ok=True)
            self._file.write_bytes(msgspec.json.encode(self._places))
        except OSError as error:
            raise Failure(f"{self._file}: {error.strerror or error}") from None


def _default_file() -> Path:
    return Path(platformdirs.user_data_dir("coatl", appauthor=False)) / "lessons.json"


def _read(file: Path) -> dict[str, Place]:
    try:
        return msgspec.json.decode(file.read_bytes(), type=dict[str, Place])
    except (OSError, msgspec.DecodeError, ValueError):
        return {}
