"""Whatever is wrong on the command line: one line that says what, exit code 2, no traceback."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import pytest

from coatl import Game
from tests.cli import program

pytestmark = program.compiled

WRONG = [
    # words and options that do not exist, or lack something
    ("nosuch", "No such command 'nosuch'"),
    ("--nosuch", "No such option: --nosuch"),
    ("-v", "No such option: -v"),
    ("deck nosuch", "No such command 'nosuch'"),
    ("play --nosuch", "No such option: --nosuch"),
    ("play extra", "unexpected extra argument"),
    ("play --people", "'--people' requires an argument"),
    ("play --load", "'--load' requires an argument"),
    ("simulate extra", "unexpected extra argument"),
    ("simulate --seed", "'--seed' requires an argument"),
    ("simulate --jsn", "No such option: --jsn"),
    ("score", "Missing argument 'SERPENT'"),
    ("score K R", "unexpected extra argument"),
    ("score K --seat 1", "No such option: --seat"),
    ("cards extra", "no card is called 'extra'"),
    ("cards --lang", "'--lang' requires an argument"),
    ("cards --lang xx", "the languages are en, fr, de, not 'xx'"),
    ("learn second", "there is no lesson 'second'; there are first, tokens, solo"),
    ("learn --lang xx", "the languages are en, fr, de, not 'xx'"),
    ("learn --progress", "'--progress' requires an argument"),
    ("rules extra", "there is no clause or chapter 'extra'"),
    ("rules A13 A8", "there is no clause 'A13'; did you mean A12?"),
    ("rules --search", "'--search' requires an argument"),
    ("rules --search xyzzy", "no rule has all words of 'xyzzy'"),
    ("rules --lang xx", "the languages are en, fr, de, not 'xx'"),
    ("cards --deck", "'--deck' requires an argument"),
    ("deck check", "Missing argument 'FILE'"),
    ("deck check good.toml good.toml", "unexpected extra argument"),
    ("replay", "Missing argument 'FILE'"),
    ("replay over.coatl --turn", "'--turn' requires an argument"),
    # numbers
    ("simulate --games 0", "'--games'"),
    ("simulate --games -3", "'--games'"),
    ("simulate --games many", "'--games'"),
    ("simulate --games 1.5", "'--games'"),
    ("simulate --jobs 0", "'--jobs'"),
    ("simulate --jobs x", "'--jobs'"),
    ("simulate --players 5", "2 to 4 players"),
    ("simulate --players 1", "2 to 4 players"),
    ("simulate --players -1", "2 to 4 players"),
    ("simulate --players two", "'--players'"),
    ("replay over.coatl --turn x", "'--turn'"),
    ("replay over.coatl --seat one", "'--seat'"),
    ("play --people 5", "1 to 4 people, not 5"),
    ("play --people 0", ""),
    # options that do not go together
    ("simulate --solo --tokens", "solo has no Sacrifice tokens (D1)"),
    ("simulate --levels 1 --tokens", "solo has no Sacrifice tokens (D1)"),
    ("simulate --solo --players 2", "solo is for one player, not 2 (D1)"),
    ("simulate --solo --fewer-bodies", "fewer bodies are for 2 or 3 players (R22)"),
    ("simulate --players 4 --fewer-bodies", "fewer bodies are for 2 or 3 players (R22)"),
    ("simulate --levels 6", "levels are some of 1 2 3 4 5, such as 13, not '6' (D10)"),
    ("simulate --levels one", "(D10)"),
    ("simulate --levels 1.3", "(D10)"),
    ("play --levels 7", "(D10)"),
    ("play --solo --bots greedy", "solo is you against A.D.A.M., without bots (D1)"),
    ("play --solo --people 2", "solo is for one player, not 2 (D1)"),
    ("play --solo --tokens", "solo has no Sacrifice tokens (D1)"),
    ("play --people 4 --fewer-bodies", "(R22)"),
    ("play --people a,b,c,d,e", ""),
    ("play --people Ana,Ana", "two people have the same name"),
    ("play --people bot:greedy,Ana", "cannot begin with 'bot:'"),
    ("play --people A#a,Ben", "no comma and no #"),
    ("play --people Ana,", "1 to 40 characters"),
    ("play --bots greedy,greedy,greedy,greedy", ""),
    # bots
    ("simulate --bots champion", "no player is called 'champion'; there are novice, "),
    ("simulate --bots greedy,", "no player is called ''"),
    ("simulate --bots ,", "no player is called ''"),
    ("simulate --bots :X", "no player is called ':X'"),
    ("simulate --bots no_such_module:X", "No module named 'no_such_module'"),
    ("simulate --bots json:X", "the module json has no X"),
    ("simulate --bots json:dumps", "a player is a class with a method choose"),
    ("simulate --bots greedy,random,random --players 2", "3 bots for 2 seats"),
    ("simulate --bots greedy,random --players 3", "2 bots for 3 seats"),
    ("simulate --solo --bots greedy,random", "2 bots for 1 seat"),
    ("simulate --bots random,random,random,random,random", "2 to 4 players"),
    ("play --bots champion", "no player is called 'champion'"),
    # files
    ("simulate --deck missing.toml", "missing.toml: No such file or directory"),
    ("simulate --deck binary", "binary: this is not a text file in UTF-8"),
    ("simulate --deck .", ".: Is a directory"),
    ("simulate --deck few.toml", "few.toml: 13 Prophecy cards are needed; the deck has 7"),
    ("play --deck missing.toml", "missing.toml: No such file or directory"),
    ("play --deck few.toml", "few.toml: 13 Prophecy cards are needed; the deck has 7"),
    ("play --load missing.coatl", "missing.coatl: No such file or directory"),
    ("play --load binary", "binary: this is not a text file in UTF-8"),
    ("play --load few.toml", "line 1: expected 'Coatl record 1'"),
    ("play --load over.coatl", "over.coatl: this game is over"),
    ("play --load begun.coatl", "begun.coatl: the record has no seed"),
    ("play --load over.coatl --seed 1", "a saved game has its options"),
    ("replay over.coatl --deck missing.toml", "missing.toml: No such file or directory"),
]


@lru_cache(maxsize=1)
def records() -> tuple[str, str]:
    """A game that is over and one just begun."""
    begun, over = Game.new(seed=1), Game.new(seed=1)
    begun.play("done")
    while not over.over:
        over.play(over.legal_moves()[0])
    return begun.record(), over.record()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a few files, good and bad ones."""
    begun, over = records()
    program.write(tmp_path, "good.toml", program.SMALL_DECK)
    program.write(tmp_path, "few.toml", program.SMALL_DECK.replace("copies = 5", "copies = 1"))
    program.write_binary(tmp_path, "binary")
    program.write(tmp_path, "begun.coatl", begun)
    program.write(tmp_path, "over.coatl", over)
    return tmp_path


@pytest.mark.parametrize(("line", "reason"), WRONG, ids=[line for line, _ in WRONG])
def test_one_line_says_what_is_wrong(folder: Path, line: str, reason: str) -> None:
    assert reason in program.failure(*line.split(), cwd=folder)


@pytest.mark.games
@pytest.mark.parametrize(("line", "reason"), WRONG[::24], ids=[line for line, _ in WRONG[::24]])
def test_started_as_a_shell_does(folder: Path, line: str, reason: str) -> None:
    assert reason in program.failure(*line.split(), cwd=folder, quick=False)


@pytest.mark.parametrize(
    "arguments",
    [
        ("score", "\udcff\udcfe"),  # not UTF-8
        ("replay", ""),
        ("replay", "no\nfile"),
        ("replay", "n" * 5000),
        ("deck", "check", ""),
        ("simulate", "--bots", ""),
        ("simulate", "--bots", "a b:X"),
        ("simulate", "--bots", "..:X"),
        ("play", "--seed", ""),
        ("play", "--seed", "two\nlines"),
        ("play", "--people", ""),
        ("play", "--people", " "),
        ("play", "--people", "é" * 41 + ",Ben"),
        ("play", "--people", "A\x1b[31m,Ben"),
    ],
    ids=lambda arguments: repr(arguments)[:40],
)
def test_odd_arguments(folder: Path, arguments: tuple[str, ...]) -> None:
    message = program.failure(*arguments, cwd=folder)
    assert message.isprintable() or "\udcff" in arguments[-1]


def test_no_players() -> None:
    assert "2 to 4 players" in program.failure("simulate", "--games", "1", "--players", "0")


@pytest.mark.parametrize(
    "line", ["simulate --players 5", "play --people 0", "play --bots random,random,random,random"]
)
def test_messages_name_what_can_be_typed(line: str) -> None:
    """Not what one would write in Python."""
    assert "solo=[" not in program.failure(*line.split())
