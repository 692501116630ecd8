"""Keys and colours: Tab, Ctrl-C, Ctrl-D, NO_COLOR, and what people type by mistake."""

from __future__ import annotations

import re
from pathlib import Path

from coatl import Game
from tests.cli.terminal_driver import (
    ALONE,
    CTRL_C,
    CTRL_D,
    HIDE,
    MISTAKES,
    SAVE,
    STYLE_CODE,
    TAB,
    WIPE_SCROLLBACK,
    Terminal,
    prompt_of,
    read_offers,
)

YOU = prompt_of("You")
NOT_COLOURS = {"", "0", "1", "2", "3", "4", "7", "9", "22"}  # such as bold and dim


def style_numbers(written: str) -> set[str]:
    return {number for codes in STYLE_CODE.findall(written) for number in codes.split(";")}


# ---------------------------------------------------------------- colours


def test_without_colour_the_table_is_complete() -> None:
    view = Game.new(players=2, seed=4).view(0).data
    with Terminal("play", "--seed", "4", NO_COLOR="1") as terminal:
        text = terminal.read(YOU)
        assert style_numbers(terminal.written) <= NOT_COLOURS
    marks = {"b": "{}", "h": "<{}", "t": "{}>"}
    for space, colours in view.supply.items():
        pieces = " ".join(marks[space[0]].format(colour) for colour in colours)
        assert f"{space} {pieces} " in text
    own = view.seats[0]
    piles = [pile.top for pile in view.piles]
    for card in (*view.row, *own.hand, *own.temples, *piles):
        assert f" {card} " in text.replace("\n", " ")


def test_the_curtain_hides_the_hand_on_a_terminal_that_knows_no_codes() -> None:
    with Terminal("play", "--people", "Ana,Ben", "--seed", "4", TERM="dumb") as terminal:
        terminal.read(ALONE)
        terminal.answer("", prompt_of("Ana"))
        terminal.answer("done", HIDE)
        terminal.answer("", ALONE)
        assert "\x1b" not in terminal.written
        terminal.visible()
        assert "RKBYG" not in "\n".join(terminal.screen.display)


# ---------------------------------------------------------------- Tab


def test_tab_completes_moves_and_commands() -> None:
    with Terminal("play", "--seed", "4") as terminal:
        terminal.read(YOU)
        assert not style_numbers(terminal.written) <= NOT_COLOURS
        terminal.press(f"drop {TAB}{TAB}")  # twice: what there is
        listed = terminal.read(f"{YOU}drop ")
        assert {"{B}", "RKBYG", "YB+G"} <= set(listed.split())
        terminal.press(f"R{TAB}")
        assert "You discard RKBYG" in terminal.answer("", YOU)
        terminal.press(f"don{TAB}")
        assert terminal.answer("", YOU).startswith("done")
        terminal.press(f"tak{TAB}b3{TAB}")
        said = terminal.answer("", YOU)
        assert said.startswith("take b3")
        assert "You take R, R from b3" in said
        terminal.press(f"why ta{TAB}b4{TAB}")
        assert "take b4 is allowed." in terminal.answer("", YOU)
        terminal.press(f"hel{TAB}")
        assert "this list" in terminal.answer("", YOU)
        assert WIPE_SCROLLBACK not in terminal.written  # against bots there is nothing to hide


# ---------------------------------------------------------------- Ctrl-C and Ctrl-D


def test_ctrl_c_asks_whether_to_save(tmp_path: Path) -> None:
    file = tmp_path / "evening.coatl"
    with Terminal("play", "--seed", "4") as terminal:
        terminal.read(YOU)
        terminal.answer("done", YOU)
        terminal.answer("take b3", YOU)
        terminal.press("half a li")
        terminal.read("half a li")
        terminal.press(CTRL_C)
        terminal.read(SAVE)
        terminal.enter(str(file))
        farewell = terminal.last_words()
        assert "Saved." in farewell
        assert "Goodbye." in farewell
        assert terminal.code == 0
    assert "1.0 take b3" in file.read_text("utf-8")


def test_ctrl_d_asks_too_and_enter_leaves() -> None:
    with Terminal("play", "--seed", "4") as terminal:
        terminal.read(YOU)
        terminal.answer("done", YOU)
        terminal.press(CTRL_D)
        terminal.read(SAVE)
        terminal.enter()
        assert terminal.last_words().strip() == "Goodbye."
        assert terminal.code == 0


def test_ctrl_c_twice_leaves_even_at_the_curtain() -> None:
    with Terminal("play", "--people", "2", "--seed", "4") as terminal:
        terminal.read(ALONE)
        terminal.answer("", prompt_of("Player 1"))
        terminal.answer("done", HIDE)
        terminal.press(CTRL_C)
        terminal.read(SAVE)
        terminal.press(CTRL_C)
        farewell = terminal.last_words()
        assert "Goodbye." in farewell
        assert "Traceback" not in farewell
        assert terminal.code == 0


def test_leaving_asks_again_if_the_file_cannot_be_written(tmp_path: Path) -> None:
    with Terminal("play", "--seed", "4") as terminal:
        terminal.read(YOU)
        terminal.answer("done", YOU)
        terminal.press(CTRL_C)
        terminal.read(SAVE)
        refusal = terminal.answer(str(tmp_path / "no" / "such"), SAVE)
        # The path is as long as the machine's folders are: the line may break anywhere.
        assert "cannot be written" in " ".join(refusal.split())
        terminal.enter(str(tmp_path / "here"))
        assert "Saved." in terminal.last_words()


def test_leaving_asks_if_something_was_taken_back_since_the_save(tmp_path: Path) -> None:
    with Terminal("play", "--seed", "4") as terminal:
        terminal.read(YOU)
        terminal.answer("drop {B}", YOU)
        terminal.answer(f"save {tmp_path / 'game'}", YOU)
        terminal.answer("undo", YOU)
        terminal.press(CTRL_C)
        terminal.read(SAVE)


# ---------------------------------------------------------------- mistakes

ANSWERS = {
    "xyz": "cannot read 'xyz'; a move is like 'take b3'",
    "0": "there are moves 1 to 4, not 0",
    "999999": "there are moves 1 to 4, not 999999",
    "-1": "cannot read '-1'",
    "take b9": "take names a space, one of b1, b2",
    "take b1": r"Not allowed: first choose which Prophecy .*\(S5, Your first prophecies\)",
    "drop RKBY": "Did you mean 'drop RKBYG'",
    "DROP  rkbyg": "You discard RKBYG",
    "undo": "You take back drop RKBYG",
    "why": "which move",
    "why xyz": "cannot read 'xyz'",
    "why 1": r"drop \{B\} is allowed",
    "why 99": "there are moves 1 to 4, not 99",
    "why take b1": r"take b1 is not allowed: .*\(S5, Your first prophecies\)",
    "save": "save FILE: under which name",
    "help": "Type the number of a move",
    "?": "Type the number of a move",
    "moves": "Discard",
    "cards": r"RKBYG \(in your hand\): From head to tail red, black, blue",
    "board": "Supply b1",
    "log": "You take back drop RKBYG",
}


def test_every_mistake_and_question_has_its_answer() -> None:
    with Terminal("play", "--seed", "4") as terminal:
        offers = read_offers(terminal.read(YOU))
        for line, pattern in ANSWERS.items():
            said = " ".join(terminal.answer(line, YOU).split())
            assert re.search(pattern, said), line
        assert "Nothing can be taken back" in terminal.answer("undo", YOU)
        for line in MISTAKES:
            said = terminal.answer(line, YOU)
            assert "Traceback" not in said
            assert line.strip() or said.split() == ["You>"]
        assert read_offers(terminal.answer("moves", YOU)) == offers


def test_a_very_long_number_is_no_move() -> None:
    with Terminal("play", "--seed", "4") as terminal:
        terminal.read(YOU)
        assert "there are moves 1 to 4" in " ".join(terminal.answer("9" * 5000, YOU).split())
