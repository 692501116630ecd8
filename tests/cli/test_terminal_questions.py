"""The questions before a game, for those who give no options."""

from __future__ import annotations

import pytest

from tests.cli.terminal_driver import CTRL_C, CTRL_D, Terminal, prompt_of

PEOPLE = r"How many people play at this machine\? \[1\] "
BOTS = r"How many bots join\?[^\[]*\[\d\] "
WHICH = r"Which bot: .*\? \[greedy\] "
TOKENS = r"Sacrifice tokens\?.*\[n\] "
LEVELS = r"A\.D\.A\.M\.'s levels.*\[none\]: "
YOU = prompt_of("You")


def test_enter_through_all_the_questions_starts_a_game() -> None:
    with Terminal("play", "--terminal") as terminal:
        terminal.read(PEOPLE)
        for question in (BOTS, WHICH, TOKENS):
            terminal.answer("", question)
        said = terminal.answer("", YOU)
        assert "Setup: You" in said
        assert "greedy: 0 points" in said
        assert "Tokens" not in said
        terminal.enter("quit")  # before the first move there is nothing to save
        assert terminal.last_words().split() == ["quit", "Goodbye."]
        assert terminal.code == 0


def test_wrong_numbers_are_asked_again() -> None:
    with Terminal("play", "--terminal") as terminal:
        terminal.read(PEOPLE)
        for wrong in ("0", "5", "-1", "two", "1.0", "99999999999999999999", "²"):
            assert "A number from 1 to 4, please." in terminal.answer(wrong, PEOPLE)
        terminal.answer("2", BOTS)
        for wrong in ("3", "-1", "x"):
            assert "A number from 0 to 2, please." in terminal.answer(wrong, BOTS)
        terminal.answer("2", WHICH)
        terminal.press("ran\t")
        terminal.answer("", TOKENS)
        said = terminal.answer("y", "press Enter when you are alone. ")
        assert "It is Player 1's turn." in said
        said = terminal.answer("", prompt_of("Player 1"))
        assert "random 3: 0 points" in said
        assert "random 4: 0 points" in said
        assert "Tokens  pick, future, priest" in said


def test_one_person_without_bots_plays_solo() -> None:
    with Terminal("play", "--terminal") as terminal:
        terminal.read(PEOPLE)
        terminal.answer("1", BOTS)
        terminal.answer("0", LEVELS)
        assert "A.D.A.M.: 0 points" in terminal.answer("", YOU)


@pytest.mark.parametrize(
    ("people", "question", "key"),
    [("", BOTS, CTRL_C), ("4", TOKENS, CTRL_D)],  # four people are not asked for bots
    ids=["ctrl-c", "ctrl-d"],
)
def test_leaving_at_a_question(people: str, question: str, key: str) -> None:
    with Terminal("play", "--terminal") as terminal:
        terminal.read(PEOPLE)
        terminal.answer(people, question)
        terminal.press(key)
        assert terminal.last_words().strip().endswith("Goodbye.")
        assert terminal.code == 0


def test_a_wrong_bot_is_asked_again() -> None:
    with Terminal("play", "--terminal") as terminal:
        terminal.read(PEOPLE)
        terminal.answer("", BOTS)
        terminal.answer("", WHICH)
        terminal.enter("clever")
        assert terminal.wait(WHICH, TOKENS) == 0


def test_wrong_levels_are_asked_again() -> None:
    with Terminal("play", "--terminal") as terminal:
        terminal.read(PEOPLE)
        terminal.answer("", BOTS)
        terminal.answer("0", LEVELS)
        terminal.answer("9", LEVELS)
        terminal.answer("13", YOU)
