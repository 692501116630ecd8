"""Notices when the files of an open database vanish, are replaced or are cut.

A program that has a file open can go on writing to it after somebody has deleted it: SQLite says
that everything is stored, and nobody will ever read it again.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path


class FileLostError(OSError):
    """A file is not the one that was opened; the message is for people."""


@dataclass(frozen=True)
class _Seen:
    identity: tuple[int, int]  # device and number of the file
    size: int
    changed: int  # when it was last written to


class FileWatch:
    """Remembers a database's file and its write-ahead log as they were when we last wrote."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._log = file.with_name(f"{file.name}-wal")
        self._seen: dict[Path, _Seen] = {}
        self.remember()

    def remember(self) -> None:
        """As the files are now: after opening them, and after each commit of ours."""
        self._seen = {path: seen for path in (self._file, self._log) if (seen := _look(path))}

    def check(self) -> None:
        """Raises `FileLostError` unless the files are still the same ones."""
        for path, before in self._seen.items():
            now = _look(path)
            if now is None:
                raise FileLostError(f"{path.name} has vanished")
            if now.identity != before.identity:
                raise FileLostError(f"{path.name} was replaced by another file")

    @property
    def is_shorter(self) -> bool:
        """Is a file shorter than it was? SQLite never makes one shorter while we have it open."""
        return any(
            (now := _look(path)) is None or now.size < before.size
            for path, before in self._seen.items()
        )

    @property
    def is_changed(self) -> bool:
        """Was the file written to since we last did? Its log may be: readers tidy it up."""
        before, now = self._seen.get(self._file), _look(self._file)
        return self.is_shorter or before is None or now is None or now.changed != before.changed


def _look(path: Path) -> _Seen | None:
    try:
        found = os.stat(path)
    except OSError:
        return None
    return _Seen((found.st_dev, found.st_ino), found.st_size, found.st_mtime_ns)
