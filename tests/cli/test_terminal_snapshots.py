"""The table at 80 columns, compared with the text files in `snapshots`.

A game is a list of moves there (`.moves`). ``COATL_RENEW_SNAPSHOTS=1`` writes the texts anew; read
the diff.
"""

from __future__ import annotations

import os
import re
from functools import cache
from pathlib import Path

import pytest
from rich.cells import cell_len

from tests.cli.terminal_driver import COLUMNS, last_table, run_piped

pytestmark = pytest.mark.games

FOLDER = Path(__file__).parent / "snapshots"
NEAR_THE_END = 156  # moves of the game of four, after which its table is full


def moves_of(name: str) -> list[str]:
    return (FOLDER / f"{name}.moves").read_text("utf-8").splitlines()


def play(options: str, lines: list[str]) -> str:
    """Everything written in a game with these lines as its input; all of them are understood."""
    done = run_piped("play", "--terminal", "--seed", "4", *options.split(), lines=lines)
    assert (done.code, done.errors) == (0, "")
    assert "Not allowed" not in done.output
    assert "cannot read" not in done.output
    assert [line for line in done.output.splitlines() if cell_len(line) > COLUMNS] == []
    return done.output


def compare(name: str, text: str) -> None:
    """With the text that is kept; spaces at the end of a line do not count."""
    file = FOLDER / f"{name}.txt"
    shown = "".join(f"{line.rstrip()}\n" for line in text.splitlines())
    if os.environ.get("COATL_RENEW_SNAPSHOTS") == "1":
        file.write_text(shown, "utf-8")
    assert shown == file.read_text("utf-8")


def test_the_first_moves_of_a_game_with_the_commands() -> None:
    lines = ["help", "cards", "drop RKBYG", "undo", "why take b1", "log", "quit"]
    compare("first_moves", play("--people Ana,Ben", lines))


def test_two_players_with_tokens_in_the_middle_of_a_game() -> None:
    lines = [*moves_of("two_players"), "moves", "cards"]
    compare("two_players", last_table(play("--people Ana,Ben --tokens", lines)))


@cache
def game_of_four() -> str:
    return play("--people 4", moves_of("four_players"))


@pytest.mark.games
def test_four_players_near_the_end_and_their_score_sheet() -> None:
    output = game_of_four()
    after_prompts = re.split(r"^Player \d> ", output, flags=re.MULTILINE)
    compare("four_players", last_table(after_prompts[NEAR_THE_END]))
    compare("score_sheet", output[output.index("Score sheet:") :])


@pytest.mark.games
def test_the_title_of_a_final_turn_says_all() -> None:
    """Also that players after the one with the third Cóatl have two actions (E2): here 3 and 4."""
    output = game_of_four()
    titles = [line for line in output.splitlines() if line.startswith("Final turns")]
    assert titles
    assert [title for title in titles if "…" in title] == []
    turn = output[output.index("\nTurn 75: Player 3") : output.index("\nTurn 76: Player 4")]
    assert "2 actions" in turn


def test_solo_against_adam_with_levels() -> None:
    compare("solo", last_table(play("--levels 24", moves_of("solo"))))


@pytest.mark.parametrize("name", ["two_players", "four_players", "solo"])
def test_the_kept_tables_show_what_they_are_kept_for(name: str) -> None:
    """Several Cóatl and laid cards: a snapshot of an empty table would prove little."""
    text = (FOLDER / f"{name}.txt").read_text("utf-8")
    assert text.count("  Cóatl ") >= 2
    assert "×: " in text
