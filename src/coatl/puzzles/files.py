"""Files of puzzles: the one that comes with the program, and those that somebody makes."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from importlib import resources
from pathlib import Path

import msgspec

from coatl.puzzles.puzzle import BadPuzzles, Puzzle, UnknownPuzzle

FORMAT = 1


class PuzzleFile(msgspec.Struct, frozen=True):
    """A file of puzzles. They are counted from 1, in this order."""

    format: int
    seed: str  # that they were made with
    puzzles: tuple[Puzzle, ...]

    def puzzle(self, number: int) -> Puzzle:
        """Raises `UnknownPuzzle`."""
        if not 1 <= number <= len(self.puzzles):
            raise UnknownPuzzle(f"there are puzzles 1 to {len(self.puzzles)}, not {number}")
        return self.puzzles[number - 1]


@cache
def shipped() -> PuzzleFile:
    """The puzzles that come with the program."""
    text = resources.files("coatl.puzzles").joinpath("puzzles.json").read_bytes()
    return read_puzzles(text, "puzzles.json")


def load(file: Path) -> PuzzleFile:
    """The puzzles of a file; raises `BadPuzzles`, or `OSError` where it cannot be opened."""
    return read_puzzles(file.read_bytes(), str(file))


def read_puzzles(text: bytes, name: str) -> PuzzleFile:
    try:
        found = msgspec.json.decode(text, type=PuzzleFile)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise BadPuzzles(f"{name} is not a file of puzzles: {error}") from None
    if found.format != FORMAT:
        raise BadPuzzles(f"{name} has format {found.format}, and this program reads {FORMAT}")
    if not found.puzzles:
        raise BadPuzzles(f"{name} has no puzzles")
    return found


def write_puzzles(puzzles: Sequence[Puzzle], seed: str) -> bytes:
    """The text of a file, with a line for each puzzle."""
    lines = [msgspec.json.encode(puzzle) for puzzle in puzzles]
    head = b'{"format":%d,"seed":%s,"puzzles":[\n' % (FORMAT, msgspec.json.encode(seed))
    return head + b",\n".join(lines) + b"\n]}\n"
