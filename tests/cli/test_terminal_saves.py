"""Saving a game, going on with it, and what is said if that cannot be done."""

from __future__ import annotations

from pathlib import Path

import pytest

from coatl import Game
from tests.cli.terminal_driver import Terminal, last_table, prompt_of, run_piped

pytestmark = pytest.mark.games


def record_of(folder: Path, *moves: str, seats: tuple[str, ...] = ("You", "bot:greedy")) -> Path:
    """A saved game in which these moves have been made."""
    game = Game.new(players=2, seed=4)
    game.seats = seats
    for move in moves:
        game.play(move)
    file = folder / "game.coatl"
    file.write_text(game.record(reveal_seed=True), "utf-8")
    return file


def board(said: str) -> str:
    """The last table with the list of moves, without the question after it."""
    return last_table(said).rpartition("\n")[0]


# ---------------------------------------------------------------- going on


def test_a_saved_game_goes_on_with_the_same_table_and_seats(tmp_path: Path) -> None:
    """Mid-turn, with a step that can still be taken back."""
    options = ("--people", "Ana", "--bots", "greedy,random,greedy", "--seed", "4")
    with Terminal("play", *options) as terminal:
        ana = prompt_of("Ana")
        terminal.read(ana)
        for line in ("done", "take b1", "take h1", "new B"):
            before = terminal.answer(line, ana)
        assert "Saved." in terminal.answer(f"save {tmp_path / 'game'}", ana)
        terminal.enter("quit")
        assert "Save the game" not in terminal.last_words()
    with Terminal("play", "--load", tmp_path / "game") as terminal:
        after = terminal.read(ana)
        assert board(after) == board(before)
        for seat in ("Ana (you)", "greedy 2", "random", "greedy 4"):
            assert f"\n{seat}: 0 points" in after
        assert "Ana takes back new B" in terminal.answer("undo", ana)
        terminal.answer("1", ana)
        assert "greedy 4" in terminal.answer("log", ana)


def test_a_loaded_game_remembers_the_people_and_what_happened(tmp_path: Path) -> None:
    file = record_of(tmp_path, "done", "drop RGRG", "done", "take b3", seats=("Ana", "Ben"))
    done = run_piped("play", "--load", file, lines=["log", "save", f"save {tmp_path / 'again'}"])
    assert (done.code, done.errors) == (0, "")
    assert "----- Ben takes over -----" in done.output
    assert "Ana takes R, R from b3" in done.output
    assert file.read_text("utf-8") == (tmp_path / "again").read_text("utf-8")


@pytest.mark.games
def test_others_can_take_the_seats_of_a_saved_game(tmp_path: Path) -> None:
    file = record_of(tmp_path, "done")
    changes = ("--people", "Ana,Ben")
    done = run_piped("play", "--load", file, *changes, lines=["drop RGRG", "done"])
    assert done.code == 0
    assert "----- Ben takes over -----" in done.output
    assert "----- Ana takes over -----" in done.output


@pytest.mark.games
def test_a_saved_game_without_names_gets_you_and_a_bot(tmp_path: Path) -> None:
    file = record_of(tmp_path, "done", "drop RGRG", "done")
    text = file.read_text("utf-8").replace("Seats: You, bot:greedy\n", "")
    file.write_text(text, "utf-8")
    done = run_piped("play", "--load", file)
    assert done.code == 0
    assert "\ngreedy: 0 points" in done.output
    assert "\nYou: 0 points" in done.output


# ---------------------------------------------------------------- places that cannot be written


def test_a_place_that_cannot_be_written_is_told_and_the_game_goes_on(tmp_path: Path) -> None:
    """Root may write anywhere, so these are places where nobody can."""
    (tmp_path / "file").write_text("")
    places = {".": "Is a directory", "no/such": "No such file", "file/x": "Not a directory"}
    places["n" * 300] = "File name too long"
    lines = [*(f"save {place}" for place in places), "save ~/my game.coatl", "done"]
    done = run_piped("play", "--seed", "4", lines=lines, cwd=tmp_path, HOME=str(tmp_path))
    assert (done.code, done.errors) == (0, "")
    said = " ".join(done.output.split())
    for reason in places.values():
        assert f"cannot be written: {reason}" in said
    assert "Turn 1: You" in done.output
    assert sorted(file.name for file in tmp_path.iterdir()) == ["file", "my game.coatl"]


def test_a_home_that_nobody_has_is_told_and_the_game_goes_on(tmp_path: Path) -> None:
    done = run_piped("play", "--seed", "4", lines=["save ~nosuchuser/x", "done"], cwd=tmp_path)
    assert (done.code, done.errors) == (0, "")
    assert "Turn 1: You" in done.output


# ---------------------------------------------------------------- files that cannot be loaded


def write(folder: Path, content: bytes) -> str:
    (folder / "file").write_bytes(content)
    return "file"


def make_missing(folder: Path) -> str:
    return "file"


def make_binary(folder: Path) -> str:
    return write(folder, bytes(range(256)))


def make_empty(folder: Path) -> str:
    return write(folder, b"")


def make_broken(folder: Path) -> str:
    text = record_of(folder, "done", "drop RGRG", "done", "take b3").read_text("utf-8")
    return write(folder, text.replace("take b3", "take b9").encode())


def make_finished(folder: Path) -> str:
    game = Game.new(players=2, seed=4)
    while not game.over:
        game.play(game.legal_moves()[0])
    return write(folder, game.record().encode())


def make_seedless(folder: Path) -> str:
    lines = record_of(folder, "done").read_text("utf-8").splitlines(keepends=True)
    return write(folder, "".join(line for line in lines if "Seed:" not in line).encode())


def make_unknown_bot(folder: Path) -> str:
    return record_of(folder, "done", seats=("You", "bot:clever")).name


def make_sound(folder: Path) -> str:
    return record_of(folder, "done").name


@pytest.mark.parametrize(
    ("make", "options", "reason"),
    [
        (make_missing, "", "file: No such file or directory"),
        (make_binary, "", "file: this is not a text file in UTF-8"),
        (make_empty, "", "file: line 1: the record breaks off"),
        (make_broken, "", "file: line 10: 'take b9': take names a space"),
        (make_finished, "", "file: this game is over"),
        (make_seedless, "", "file: the record has no seed"),
        (make_unknown_bot, "", "no player is called 'clever'"),
        (make_sound, "--seed 5 --no-tokens", "a saved game has its options"),
        (make_sound, "--bots greedy,greedy", "the saved game has 2 seats, not 3"),
    ],
)
def test_what_cannot_be_loaded_is_told_in_one_line(
    make: object, options: str, reason: str, tmp_path: Path
) -> None:
    assert callable(make)
    done = run_piped("play", "--load", make(tmp_path), *options.split(), cwd=tmp_path)
    assert done.code == 2
    assert done.output == ""
    assert done.errors.startswith("coatl: ")
    assert done.errors.count("\n") == 1
    assert reason in done.errors
