"""Lessons, puzzles, rules and new games from the menu."""

from __future__ import annotations

import json
from pathlib import Path
from textwrap import wrap

import pytest
from textual.widgets import Select

from coatl.cli.application.game_screen import GameScreen
from coatl.cli.application.home import Home
from coatl.cli.application.lesson_screen import LessonScreen
from coatl.cli.application.puzzle_screen import PuzzleScreen
from coatl.cli.application.replay_screen import ReplayScreen
from coatl.cli.application.rules_screen import RulesScreen
from coatl.cli.application.things import LaneEnd, Space
from coatl.game import Game
from coatl.lessons import LESSONS, NEXT, follow, load_common_words, moves_to_show, speak
from coatl.moves import Side
from coatl.puzzles import shipped, solution
from coatl.rulebook import LANGUAGES, Language
from tests.cli.application.driver import SMALL, WIDE, Player, run
from tests.cli.program import compiled

pytestmark = [compiled, pytest.mark.slow]


async def enter(player: Player, title: str) -> None:
    """An entry of the menu."""
    assert isinstance(player.screen, Home)
    titles = [entry[0] for entry in player.screen._entries()]
    await player.press("home", *["down"] * titles.index(title), "enter")


def test_a_lesson_points_judges_and_is_kept(tmp_path: Path) -> None:
    async def script(player: Player) -> None:
        await enter(player, "First lesson")
        assert isinstance(player.screen, LessonScreen)
        assert "step 1 of 10" in player.text
        assert "Press Enter to go on." in player.message
        await player.press("enter")
        task = player.message
        assert "two red segments" in task
        await player.press("up", "escape")
        assert player.message == task  # it stays until it is done
        assert player.widget(Space("b2")).has_class("hinted")
        await player.click(Space("b4"))
        assert "No red lies in that one" in player.message
        assert not player.table.moves
        await player.press("enter")
        assert "step 2 of 10" in player.text
        await player.press("h")
        assert "step 3 of 10" in player.text
        await player.press("u")
        assert "step 2 of 10" in player.text
        await player.press("h", "m")
        assert "step 3 of 10" in player.text  # in the menu

    run(script)
    kept = json.loads((tmp_path / "data" / "coatl" / "lessons.json").read_text())
    assert kept["first"]["step"] == 2


def test_a_lesson_has_an_end() -> None:
    async def script(player: Player) -> None:
        await enter(player, "Sacrifice tokens")
        for _ in range(60):
            if not isinstance(player.screen, LessonScreen):
                break
            await player.press("h")
        await player.press("escape")
        assert isinstance(player.screen, Home)
        assert "lesson, done" in player.text

    run(script)


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_a_lesson_says_fits_on_a_small_screen(language: Language) -> None:
    """In the six lines that it has for it."""
    words = load_common_words(language).terminal
    for name in LESSONS:
        run_so_far = follow(name, ())
        while not run_so_far.over:
            speech = speak(run_so_far, language)
            said = " ".join(filter(None, [speech.said, speech.text, words.read]))
            assert len(wrap(said, SMALL[0] - 2)) <= 6, said
            ways = moves_to_show(run_so_far)
            run_so_far = follow(name, (*run_so_far.path, ways[0] if ways else NEXT))


def test_a_puzzle_is_answered_checked_and_kept(tmp_path: Path) -> None:
    puzzle = shipped().puzzle(11)

    async def script(player: Player) -> None:
        await enter(player, "Puzzles")
        await player.type("11")
        assert isinstance(player.screen, PuzzleScreen)
        task = player.message
        assert "e checks the answer" in task
        await player.press("e")
        assert "not complete yet" in player.message
        await player.press("h")
        assert "3 attempts left" in player.message
        assert player.widget(LaneEnd(0, Side.RIGHT))
        for move in ("1+R>",):
            await player.press("colon")
            await player.type(move)
        await player.press("e")
        assert "The best answer has 10 points more. 2 attempts left." in player.message
        await player.press("u")
        assert player.message == task
        assert player.table.own_seat.coatls[0].pieces == "<BRRBBB"
        for text in solution(puzzle):
            player.table.make_move(player.game.move(text))
        await player.press("e")
        assert "Solved: 15 points" in player.message

    run(script)
    kept = json.loads((tmp_path / "data" / "coatl" / "puzzles.json").read_text())
    assert kept["puzzles"][puzzle.position] == {"attempts": 2, "best": 15, "solved": True}


def test_all_keys_of_a_puzzle_are_in_sight_on_a_small_screen() -> None:
    """Where there is no room beside the words, the key is the first letter of its word."""

    async def script(player: Player) -> None:
        await enter(player, "Puzzle of the day")
        assert isinstance(player.screen, PuzzleScreen)
        for size, start in [(SMALL, "Undo Why h Solution"), (WIDE, "u Undo")]:
            await player.resize(*size)
            keys = player.text.splitlines()[-1].strip()
            assert keys.startswith(start)
            assert keys.endswith("gain")
            assert "…" not in keys

    run(script)


def test_a_puzzle_that_is_not_there() -> None:
    async def script(player: Player) -> None:
        await enter(player, "Puzzles")
        await player.type("999")
        assert isinstance(player.screen, Home)
        assert "999" in player.text

    run(script)


def test_rules_are_searched() -> None:
    async def script(player: Player) -> None:
        await enter(player, "Rules")
        assert isinstance(player.screen, RulesScreen)
        assert "Build feathered serpents" in player.text
        await player.press("slash", *"two", "space", *"open")
        assert "A1 " in player.text
        assert "Build feathered serpents" not in player.text

    run(script)


def test_a_new_game_from_the_menu() -> None:
    async def script(player: Player) -> None:
        await enter(player, "New game")
        player.screen.query_one("#tokens", Select).value = True
        await player.press("enter")
        assert isinstance(player.screen, GameScreen)
        assert player.game.seats == ("You", "bot:greedy")
        assert player.game.options.tokens

    run(script)


def test_solo_with_levels_from_the_menu() -> None:
    async def script(player: Player) -> None:
        await enter(player, "Solo")
        await player.type("13")
        assert player.table.view.levels == (1, 3)
        await player.press("m")
        await enter(player, "Solo")
        await player.type("9")
        assert isinstance(player.screen, Home)
        assert "level" in player.text

    run(script)


def test_a_record_is_replayed_from_the_menu(tmp_path: Path) -> None:
    game = Game.new(players=2, seed="4")
    game.play("done")
    (tmp_path / "evening.coatl").write_text(game.record(reveal_seed=True))
    (tmp_path / "broken").write_text("nothing")

    async def script(player: Player) -> None:
        await enter(player, "Replay")
        await player.type("broken")
        assert isinstance(player.screen, Home)
        await enter(player, "Replay")
        await player.type("evening.coatl")
        assert isinstance(player.screen, ReplayScreen)

    run(script)


def test_dark_and_light() -> None:
    async def script(player: Player) -> None:
        await enter(player, "First lesson")
        dark = player.app.export_screenshot()
        text = player.text
        await player.press("d")
        assert player.app.theme == "coatl-light"
        assert player.text == text
        light = player.app.export_screenshot()
        assert "#c42e1a" in light.lower()  # red, as the page has it by day
        assert "#c42e1a" not in dark.lower()
        assert "#dd4932" in dark.lower()
        assert "#dd4932" not in light.lower()

    run(script)
