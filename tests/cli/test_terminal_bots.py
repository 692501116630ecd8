"""A bot of one's own at the terminal: whatever it does, the game goes on."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.terminal_driver import Terminal, prompt_of, run_piped

pytestmark = pytest.mark.games

BOTS = '''
class First:
    """Takes the first move it is offered."""

    def __init__(self, chances):
        pass

    def choose(self, view, moves):
        return moves[0]


class Raises(First):
    def choose(self, view, moves):
        raise ValueError("I have\\nno [red]idea[/red]")


class RaisesLater(First):
    def choose(self, view, moves):
        if view.data.turn < 4:
            return moves[0]
        raise KeyError("later")


class Illegal(First):
    def choose(self, view, moves):
        return "take b1"


class Nothing(First):
    def choose(self, view, moves):
        return None


class Stillborn(First):
    def __init__(self, chances):
        raise ValueError("not born")
'''


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "mine.py").write_text(BOTS)
    return tmp_path


FAILURES = {
    "Illegal": "IllegalMove: take b1: first choose",
    "Nothing": "AttributeError: ",
    "RaisesLater": "KeyError: 'later'",
}


def test_bots_that_fail_are_replaced(folder: Path) -> None:
    options = ("--bots", ",".join(f"mine:{bot}" for bot in FAILURES), "--seed", "4")
    done = run_piped("play", *options, lines=["done", "1", "1", "1", "log"], cwd=folder)
    assert (done.code, done.errors) == (0, "")
    said = " ".join(done.output.split())
    for bot, reason in FAILURES.items():
        assert said.count(f"mine:{bot} failed ({reason}") == 1
    assert said.count("greedy takes over") == len(FAILURES)
    assert "Turn 13: You" in done.output


def test_the_reason_of_a_bot_is_told_in_one_line(folder: Path) -> None:
    with Terminal("play", "--bots", "mine:Raises", "--seed", "4", cwd=folder) as terminal:
        you = prompt_of("You")
        terminal.read(you)
        said = terminal.answer("done", you)
        assert (
            "\nmine:Raises failed (ValueError: I have no [red]idea[/red]); greedy takes over\n"
            "  mine:Raises discards 1 card\n"
        ) in said


def test_a_bot_that_cannot_be_made_is_told_in_one_line(folder: Path) -> None:
    done = run_piped("play", "--bots", "mine:Stillborn", cwd=folder)
    assert done.code == 2
    assert done.errors.startswith("coatl: mine:Stillborn")
    assert done.errors.count("\n") == 1


def test_a_saved_game_with_a_bot_of_ones_own_goes_on(folder: Path) -> None:
    options = ("--bots", "mine:First", "--seed", "4")
    done = run_piped("play", *options, lines=["done", "1", "save game"], cwd=folder)
    assert done.code == 0
    again = run_piped("play", "--load", "game", lines=["1"], cwd=folder)
    assert (again.code, again.errors) == (0, "")
    assert "mine:First" in again.output


def test_a_bot_that_does_not_exist_is_told_in_one_line(folder: Path) -> None:
    done = run_piped("play", "--bots", "mine:Nobody", cwd=folder)
    assert (done.code, done.output) == (2, "")
    assert done.errors == "coatl: mine:Nobody: the module mine has no Nobody\n"
