"""`coatl puzzles`: the puzzle of the day or any other, the list, making and proving a file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from pathlib import Path

from coatl import puzzles
from coatl.cli.console import Failure
from coatl.cli.puzzle_progress import PuzzleProgress, Tried
from coatl.cli.terminal.puzzle import QUESTIONS, PuzzleSession
from coatl.compiler import jit
from coatl.puzzles import BOTS, BadPuzzles, Puzzle, PuzzleFile, PuzzleKind, UnknownPuzzle
from coatl.text.drawing import make_console, plural


def play_of_day(day: str | None, file: Path | None, progress: Path | None) -> None:
    """The puzzle of a day, of today if none is named."""
    when = puzzles.today() if day is None else read_day(day)
    found = read(file)
    number = puzzles.number_of_day(when, len(found.puzzles))
    title = f"Puzzle of the day, {when.isoformat()} (number {number})"
    kept = PuzzleProgress(progress)
    _play(found, number, title, kept, when)
    row = kept.days_in_a_row(when)
    if row:
        make_console().print(f"{plural(row, 'day')} in a row.")


def play_number(number: int, file: Path | None, progress: Path | None) -> None:
    found = read(file)
    _play(found, number, f"Puzzle {number}", PuzzleProgress(progress), None)


def _play(
    found: PuzzleFile, number: int, title: str, kept: PuzzleProgress, day: date | None
) -> None:
    try:
        puzzle = found.puzzle(number)
    except UnknownPuzzle as error:
        raise Failure(str(error)) from None
    jit.load_all()

    def keep(tried: Tried) -> None:
        kept.keep(puzzle.position, tried, day)

    try:
        session = PuzzleSession(puzzle, title, kept.tried(puzzle.position), make_console(), keep)
    except BadPuzzles as error:
        raise Failure(f"puzzle {number}: {error}") from None
    session.run()


def list_puzzles(kind: str | None, file: Path | None, progress: Path | None) -> None:
    """Number, question, how many bots miss it, and how far somebody is."""
    wanted = None if kind is None else read_kind(kind)
    found, kept, console = read(file), PuzzleProgress(progress), make_console()
    console.print(f"{'number':<8}{'question':<28}{'found by':<12}you")
    for number, puzzle in enumerate(found.puzzles, 1):
        if wanted is not None and puzzle.kind is not wanted:
            continue
        tried = kept.tried(puzzle.position)
        state = "solved" if tried.solved else "tried" if tried.attempts else ""
        bots = f"{len(puzzle.found)} of {len(BOTS)}"
        console.print(f"{number:<8}{QUESTIONS[puzzle.kind][0]:<28}{bots:<12}{state}".rstrip())


def make(
    seed: str, out: Path, counts: Mapping[PuzzleKind, int], jobs: int, keep: Path | None
) -> None:
    """Write a new file of puzzles, which begins with those of another one if it is named."""
    from coatl.puzzles.making import make_puzzles

    kept = () if keep is None else read(keep).puzzles
    if not any(counts.values()) and not kept:
        raise Failure("no puzzles are asked for")
    jit.load_all()
    _prove(kept)
    console = make_console()
    try:
        made = make_puzzles(seed, counts, jobs, lambda line: console.print(line), kept)
    except BadPuzzles as error:
        raise Failure(str(error)) from None
    out.write_bytes(puzzles.write_puzzles(made, seed))
    console.print(f"{plural(len(made), 'puzzle')} in {out}")


def check(file: Path | None) -> None:
    """Prove every puzzle of a file again."""
    found = read(file)
    jit.load_all()
    _prove(found.puzzles)
    make_console().print(f"{plural(len(found.puzzles), 'puzzle')}: each has one best answer.")


def _prove(found: Sequence[Puzzle]) -> None:
    """Fails at the first that is not proven."""
    from coatl.puzzles.checking import why_unproven

    for number, puzzle in enumerate(found, 1):
        reason = why_unproven(puzzle)
        if reason is not None:
            raise Failure(f"puzzle {number}: {reason}")


def read(file: Path | None) -> PuzzleFile:
    try:
        return puzzles.shipped() if file is None else puzzles.load(file)
    except BadPuzzles as error:
        raise Failure(str(error)) from None


def read_day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise Failure(f"{text!r} is not a day such as 2026-11-18") from None


def read_kind(text: str) -> PuzzleKind:
    try:
        return PuzzleKind(text)
    except ValueError:
        raise Failure(f"{text!r} is none of {', '.join(PuzzleKind)}") from None
