"""Whole games at a terminal, from the first question to the score sheet, with mistakes."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from coatl import Game
from tests.cli.terminal_driver import Crowd, Terminal, plain

ONE = ("You",)
TWO = ("Ana", "Ben")
THREE = ("Player 1", "Player 2", "Player 3")
POINTS = re.compile(r"^(\S[^:\n]*): (\d+) points?$", re.MULTILINE)
COATL_POINTS = re.compile(r"^  Cóatl \d  \S+  (\d+) points?$", re.MULTILINE)
CARD_POINTS = re.compile(r"^    \S+  (?:\d× |\d of \d met )?(?: )?(\d+)$", re.MULTILINE)


def play_to_the_sheet(
    arguments: str, names: tuple[str, ...], seed: int, file: Path
) -> tuple[str, Game]:
    """The score sheet that is shown, and the game as it was saved after it."""
    with Terminal("play", "--terminal", *arguments.split(), "--seed", str(seed)) as terminal:
        Crowd(terminal, names, seed).play()
        shown = plain(terminal.written)
        said = terminal.answer(f"save {file}", "Saved\\. .*")
        assert str(file) in said + terminal.last_words()
        assert terminal.code == 0
    return shown[shown.rindex("Score sheet:") :], Game.replay(file.read_text("utf-8"))


def check_sheet(sheet: str, game: Game) -> None:
    """The sheet tells the points of the game; cards add up to Cóatl, and Cóatl to players."""
    assert game.over
    outcome = game.outcome()
    told = [(name, int(points)) for name, points in POINTS.findall(sheet)]
    assert tuple(points for _, points in told) == outcome.points
    people = sum(outcome.points[: game.options.players])
    assert sum(map(int, COATL_POINTS.findall(sheet))) == people
    assert sum(map(int, CARD_POINTS.findall(sheet))) == sum(outcome.points)
    for seat in outcome.winners:
        assert re.search(rf"\b{re.escape(told[seat][0])}.* wins?\b", sheet)


def test_a_whole_game_against_a_bot(tmp_path: Path) -> None:
    sheet, game = play_to_the_sheet("--bots random --no-tokens", ONE, 2, tmp_path / "game.coatl")
    check_sheet(sheet, game)
    assert game.seats == ("You", "bot:random")


@pytest.mark.games
@pytest.mark.parametrize(
    ("arguments", "names", "seed"),
    [
        ("--bots greedy,random,greedy --no-tokens --promo", ONE, 2),
        ("--people Ana,Ben --no-tokens --fewer-bodies", TWO, 4),
        ("--people 3 --bots greedy", THREE, 5),
        ("--solo", ONE, 7),
        ("--levels 1,2,3,4,5 --promo", ONE, 9),
    ],
)
def test_whole_games_of_every_kind(
    arguments: str, names: tuple[str, ...], seed: int, tmp_path: Path
) -> None:
    sheet, game = play_to_the_sheet(arguments, names, seed, tmp_path / "game.coatl")
    check_sheet(sheet, game)
    assert tuple(name for name in game.seats if not name.startswith("bot:")) == names


@pytest.mark.games
def test_after_the_game_enter_leaves(tmp_path: Path) -> None:
    """A game that is nearly over is loaded, so that its end comes soon."""
    with Terminal("play", "--load", nearly_over(tmp_path)) as terminal:
        Crowd(terminal, ONE, 1).play()
        terminal.enter()
        assert terminal.last_words().strip() == ""
        assert terminal.code == 0


def nearly_over(folder: Path) -> Path:
    """A saved game against a bot, some decisions before its end."""
    game = Game.new(players=2, tokens=False, seed=3)
    texts = []
    while not game.over:
        texts.append(game.legal_moves()[0].text)
        game.play(texts[-1])
    game = Game.new(players=2, tokens=False, seed=3)
    game.seats = ("You", "bot:random")
    for text in texts[:-8]:
        game.play(text)
    file = folder / "nearly.coatl"
    file.write_text(game.record(reveal_seed=True), "utf-8")
    return file
