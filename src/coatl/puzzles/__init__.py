"""Puzzles: positions from games of strong bots, each with one best answer that is proven.

>>> from coatl import puzzles
>>> puzzle = puzzles.shipped().puzzle(1)
>>> attempt = puzzles.follow(puzzle, puzzles.solution(puzzle))
>>> attempt.judge().solved
True
"""

from coatl.puzzles.attempt import Attempt, Verdict, follow, solution
from coatl.puzzles.daily import number_of_day, today
from coatl.puzzles.files import PuzzleFile, load, read_puzzles, shipped, write_puzzles
from coatl.puzzles.puzzle import (
    BOTS,
    SOLVER_SEAT,
    BadPuzzles,
    Completed,
    Puzzle,
    PuzzleKind,
    UnknownPuzzle,
)

__all__ = [
    "BOTS",
    "SOLVER_SEAT",
    "Attempt",
    "BadPuzzles",
    "Completed",
    "Puzzle",
    "PuzzleFile",
    "PuzzleKind",
    "UnknownPuzzle",
    "Verdict",
    "follow",
    "load",
    "number_of_day",
    "read_puzzles",
    "shipped",
    "solution",
    "today",
    "write_puzzles",
]
