"""The command that holds chances and grades against how games ended."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from coatl.analysis.calibration import corrected
from coatl.compiler.functions import DISABLED
from coatl.players.bots import BOTS
from tools import calibration
from tools.calibration import play, play_missing, read_results
from tools.calibration_report import (
    Judgement,
    Pairs,
    PlayedGame,
    Position,
    fit_solo,
    tables,
    write_tables,
)

pytestmark = pytest.mark.skipif(DISABLED, reason="the search needs compiled code")


def game(number: int, bots: tuple[str, ...], winner: int, *means: float) -> PlayedGame:
    shares = tuple(float(seat == winner) for seat in range(max(len(bots), 2)))
    judged = tuple(Judgement(bot, (0.1, 0.0)) for bot in bots)
    return PlayedGame(number, bots, shares, (Position(3, 9, means),), judged)


GAMES = [
    game(0, ("artisan", "artisan"), 0, 0.8, 0.2),
    game(1, ("artisan", "artisan"), 1, 0.4, 0.1),
    game(2, ("artisan", "greedy"), 0, 0.6, 0.6),
    game(8, ("novice",), 1, 0.25),
    game(9, ("novice",), 0, 0.75),
]


def test_a_brier_score_is_of_chances_that_add_up_to_1() -> None:
    assert Pairs(GAMES[:1]).brier == pytest.approx(0.2**2)
    assert Pairs(GAMES[1:2]).brier == pytest.approx(0.8**2)
    assert Pairs(GAMES[3:4]).brier == pytest.approx(corrected(0.25) ** 2)
    assert Pairs(GAMES[:1], slope=2).brier == pytest.approx((1 / 17) ** 2)


def test_the_tables() -> None:
    text = tables(GAMES)
    assert text.startswith("5 games of the bots, 5 positions")
    assert "| 80 to 90 % | 80 % → 50 % (2) |  |  |  |" in text
    assert "| 2 players, the same bots | 2 | 0.250 | 0.340 | 0.640 |" in text
    rating = next(bot.strength for bot in BOTS if bot.name == "artisan")
    assert f"| `artisan` | {rating:,} | 5 | 5.0 % | 0.0 % | 50 % |" in text
    assert "9 turns were judged" not in text
    assert "8 turns were judged" in text


def test_the_line_in_solo_is_fitted_to_the_even_games() -> None:
    """Whoever is shown one half wins one time in four."""
    wins = [game(4 * number, ("novice",), 0 if number == 0 else 1, 0.5) for number in range(4)]
    others = [game(4 * number + 1, ("novice",), 0, 0.5) for number in range(4)]
    _, offset = fit_solo([*wins, *others])
    assert offset == pytest.approx(math.log(1 / 3), abs=0.05)


def test_tables_stand_between_the_markers(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("before\n<!-- calibration -->\nold\n<!-- end -->\nafter\n")
    write_tables(GAMES, page)
    text = page.read_text("utf-8")
    assert text == f"before\n<!-- calibration -->\n{tables(GAMES)}<!-- end -->\nafter\n"
    page.write_text("nothing\n")
    with pytest.raises(ValueError, match="no place"):
        write_tables(GAMES, page)


def test_only_games_that_are_missing_are_played(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(calibration, "JUDGED_TURNS", 1)
    file = tmp_path / "games.jsonl"
    play_missing(file, 2)
    lines = file.read_bytes().splitlines()
    file.write_bytes(lines[1] + b"\n")
    play_missing(file, 2)
    assert file.read_bytes().splitlines() == [lines[1], lines[0]]
    found = read_results(file)
    assert [one.number for one in found] == [0, 1]
    assert found[1] == play(1)
