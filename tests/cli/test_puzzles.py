"""`coatl puzzles`: solving in the terminal, days in a row, the list, files that cannot be used."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest
from msgspec.structs import replace

from coatl.cli.puzzle_progress import PuzzleProgress, Tried
from coatl.puzzles import solution, write_puzzles
from tests.cli import program
from tests.puzzles.examples import ADAM, CARDS, CLOSE, WIN

pytestmark = program.compiled

DAY = "2026-11-17"  # whose puzzle is number 3 of four
WORSE = ("1+R", "1+G", "1+K>", "1:RRR", "check")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "mine.json"
    path.write_bytes(write_puzzles([WIN, CARDS, ADAM, CLOSE], "x"))
    return path


def puzzles(file: Path, *arguments: str, lines: tuple[str, ...] = ()) -> str:
    options = ("--file", str(file), "--progress", str(file.with_name("progress.json")))
    typed = "".join(f"{line}\n" for line in lines)
    done = program.quick_run("puzzles", *arguments, *options, input=typed)
    assert (done.code, done.err) == (0, "")
    return " ".join(done.out.split())


def test_the_puzzle_of_the_day(file: Path) -> None:
    text = puzzles(file, "--day", DAY, lines=(*solution(ADAM), "check"))
    assert f"Puzzle of the day, {DAY} (number 3): Beat A.D.A.M." in text
    assert "You have 3 points, A.D.A.M. has 5." in text
    assert text.endswith("Solved: 3 points, and no answer has more. 1 day in a row.")
    progress = PuzzleProgress(file.with_name("progress.json"))
    assert progress.tried(ADAM.position) == Tried(1, 3, True)
    progress.keep(CARDS.position, Tried(2, 5, True), date(2026, 11, 18))
    assert progress.days_in_a_row(date(2026, 11, 18)) == 2
    assert progress.days_in_a_row(date(2026, 11, 19)) == 2  # today is not over
    assert progress.days_in_a_row(date(2026, 11, 20)) == 0
    assert "3 Beat A.D.A.M. 0 of 5 solved" in puzzles(file, "list")


def test_worse_answers_and_the_solution(file: Path) -> None:
    lines = (*WORSE, "solution", "check", "undo", "again", *WORSE, "solution", "again")
    text = puzzles(file, "play", "4", lines=(*lines, *solution(CLOSE), "check"))
    assert "3 points. The best answer has 3 points more. 2 attempts left." in text
    assert "First try it: 2 attempts left." in text
    assert "1+R, 1+K>, 1:RRR, 1:noG/9: <KRRRK>:RRR,noG/9, 6 points." in text
    assert text.endswith("Solved: 6 points, and no answer has more.")


def test_cards_that_are_not_met(file: Path) -> None:
    lines = ("1:YG", "1:RRR", "why 1:YG", "check", "undo", "undo", *solution(CARDS), "check")
    text = puzzles(file, "play", "2", lines=lines)
    assert "1 card does not count: it is not met, or there is no place left." in text
    assert "Whether a card is met is said when you check." in text
    assert "Solved: 5 points" in text


def test_nothing_is_told_that_gives_the_answer_away(file: Path) -> None:
    text = puzzles(file, "play", "1", lines=("moves", "cards", "help", "1+G", "done", "check"))
    assert "would score" not in text
    assert "The Cóatl is not complete yet." in text
    assert "the best of the others has 4." in text


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("play", "9"), "there are puzzles 1 to 4, not 9"),
        (("--day", "today"), "'today' is not a day such as 2026-11-18"),
        (("list", "--kind", "chess"), "'chess' is none of close, cards, win, adam"),
    ],
)
def test_what_is_wrong_gets_one_line(file: Path, arguments: tuple[str, ...], message: str) -> None:
    done = program.quick_run("puzzles", *arguments, "--file", str(file))
    assert (done.code, done.err) == (2, f"coatl: {message}\n")


def test_damaged_files_get_one_line(file: Path) -> None:
    file.write_bytes(file.read_bytes()[:200])
    done = program.quick_run("puzzles", "--file", str(file))
    assert done.code == 2
    assert done.err.startswith(f"coatl: {file} is not a file of puzzles: ")
    over = "2p phase=over end=passed passes=2 | |"
    file.write_bytes(write_puzzles([CLOSE], "x").replace(CLOSE.position.encode(), over.encode()))
    for command in ("play", "1"), ("check",):
        done = program.quick_run("puzzles", *command, "--file", str(file))
        line = "coatl: puzzle 1: in the position of the puzzle the game is over\n"
        assert (done.code, done.err) == (2, line)


def test_making_and_proving_a_file(tmp_path: Path) -> None:
    out = tmp_path / "made.json"
    counts = ("--close", "0", "--cards", "0", "--win", "0", "--adam", "0")
    done = program.quick_run("puzzles", "make", "--seed", "s", "--out", str(out), *counts)
    assert (done.code, done.err) == (2, "coatl: no puzzles are asked for\n")
    out.write_bytes(write_puzzles([CLOSE, ADAM], "s"))
    done = program.quick_run("puzzles", "check", "--file", str(out))
    assert done.out == "2 puzzles: each has one best answer.\n"


def test_puzzles_that_are_kept_have_to_be_proven(tmp_path: Path) -> None:
    kept, out = tmp_path / "kept.json", tmp_path / "made.json"
    kept.write_bytes(write_puzzles([ADAM, replace(CLOSE, points=5)], "s"))
    command = ("puzzles", "make", "--seed", "s", "--out", str(out), "--keep", str(kept))
    done = program.quick_run(*command)
    wrong = f"coatl: puzzle 2: its best answer is {CLOSE.answer} with {CLOSE.points} points\n"
    assert (done.code, done.err, out.exists()) == (2, wrong, False)
