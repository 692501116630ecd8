"""The command that holds chances and grades against how games ended."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from coatl.analysis.calibration import corrected
from coatl.compiler.functions import DISABLED
from coatl.players.bots import BOTS
from tools import calibration
from tools.calibration import PAIRS, judge, play, play_missing, read_results
from tools.calibration_report import (
    JudgedGame,
    Judgement,
    Pairs,
    PlayedGame,
    Position,
    Turns,
    fit_solo,
    tables,
    write_tables,
)

pytestmark = pytest.mark.skipif(DISABLED, reason="the search needs compiled code")


def game(number: int, bots: tuple[str, ...], winner: int, *means: float) -> PlayedGame:
    shares = tuple(float(seat == winner) for seat in range(max(len(bots), 2)))
    return PlayedGame(number, bots, shares, (Position(3, 9, means),))


def judged(number: int, bots: tuple[str, str], *turns: tuple[int, float, float]) -> JudgedGame:
    """A game that the first seat won, 30 to 20; of each turn its seat, the chance, the loss."""
    judgements = [
        Judgement(seat, 5, 10, "take", (chance, chance), (loss, 0.0), (20 * loss, 0.0))
        for seat, chance, loss in turns
    ]
    return JudgedGame(number, bots, (1.0, 0.0), (30, 20), tuple(judgements))


GAMES = [
    game(0, ("artisan", "artisan"), 0, 0.8, 0.2),
    game(1, ("artisan", "artisan"), 1, 0.4, 0.1),
    game(2, ("artisan", "greedy"), 0, 0.6, 0.6),
    game(8, ("novice",), 1, 0.25),
    game(9, ("novice",), 0, 0.75),
]


JUDGED = [
    judged(0, ("artisan", "greedy"), (0, 0.5, 0.1), (1, 0.5, 0.3), (1, 0.9, 0.02)),
    judged(1, ("greedy", "artisan"), (0, 0.5, 0.2), (1, 0.5, 0.0)),
    judged(2, ("greedy", "greedy"), (0, 1.0, 0.4)),
]


def test_a_brier_score_is_of_chances_that_add_up_to_1() -> None:
    assert Pairs(GAMES[:1]).brier == pytest.approx(0.2**2)
    assert Pairs(GAMES[1:2]).brier == pytest.approx(0.8**2)
    assert Pairs(GAMES[3:4]).brier == pytest.approx(corrected(0.25) ** 2)
    assert Pairs(GAMES[:1], slope=2).brier == pytest.approx((1 / 17) ** 2)


def test_the_tables() -> None:
    text = tables(GAMES, JUDGED)
    assert text.startswith("5 games of the bots, 5 positions")
    assert "| 80 to 90 % | 80 % → 50 % (2) |  |  |  |" in text
    assert "| 2 players, the same bots | 2 | 0.250 | 0.340 | 0.640 |" in text
    ratings = {bot.name: f"{bot.strength:,}" for bot in BOTS if bot.strength is not None}
    artisan = "| 2 | 0.50 ± 0.69 | 2.5 % ± 3.5 % | 2.5 % ± 3.5 % | 75 % |"  # 5 % and 0 %
    assert f"| `artisan` | the network | {ratings['artisan']} {artisan}" in text
    assert f"| `greedy` | rules | {ratings['greedy']} | 4 | 2.30 ± 1.09 | 11.2 %" in text
    # In the first game greedy lost 16 points (the mean of 3 and 0.2, ten times) and artisan 10.
    assert "| `greedy` | 2 | 13.0 ± 9.7 | 0.0 ± 13.9 |" in text
    assert "| `artisan` | 2 | −13.0 ± 9.7 | 0.0 ± 13.9 |" in text
    assert "6 turns were judged" in text


def test_where_the_game_is_decided_a_turn_counts_less() -> None:
    turns = Turns(JUDGED, "greedy")
    assert turns.counted == pytest.approx([0.15, 0.0, 0.1, 0.2])  # 2 % are within the margin
    assert turns.open == pytest.approx([1.0, 0.36, 1.0, 0.0])
    assert turns.interval(turns.counted, turns.open)[0] == pytest.approx(0.25 / 2.36)


def test_turns_of_one_game_count_as_one_for_the_interval() -> None:
    lost = Turns([judged(0, ("artisan", "greedy"), (0, 0.5, 0.4), (0, 0.5, 0.0))])
    assert lost.interval(lost.counted) == pytest.approx((0.1, 0.0))
    two = [judged(n, ("artisan", "greedy"), (0, 0.5, loss)) for n, loss in enumerate((0.4, 0.0))]
    apart = Turns(two)
    assert apart.interval(apart.counted) == pytest.approx((0.1, 1.96 * 0.1 / 2**0.5))


def test_the_line_in_solo_is_fitted_to_the_even_games() -> None:
    """Whoever is shown one half wins one time in four."""
    wins = [game(4 * number, ("novice",), 0 if number == 0 else 1, 0.5) for number in range(4)]
    others = [game(4 * number + 1, ("novice",), 0, 0.5) for number in range(4)]
    _, offset = fit_solo([*wins, *others])
    assert offset == pytest.approx(math.log(1 / 3), abs=0.05)


def test_tables_stand_between_the_markers(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("before\n<!-- calibration -->\nold\n<!-- end -->\nafter\n")
    write_tables(GAMES, JUDGED, page)
    text = page.read_text("utf-8")
    assert text == f"before\n<!-- calibration -->\n{tables(GAMES, JUDGED)}<!-- end -->\nafter\n"
    page.write_text("nothing\n")
    with pytest.raises(ValueError, match="no place"):
        write_tables(GAMES, JUDGED, page)


def test_only_games_that_are_missing_are_played(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    play_missing(file, PlayedGame, 2, play)
    lines = file.read_bytes().splitlines()
    file.write_bytes(lines[1] + b"\n")
    found = play_missing(file, PlayedGame, 2, play)
    assert file.read_bytes().splitlines() == [lines[1], lines[0]]
    assert [one.number for one in found] == [0, 1]
    assert found[1] == play(1)
    assert play_missing(file, PlayedGame, 1, play) == found[:1]


def test_a_judged_game_tells_of_some_turns_of_both_seats(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(calibration, "JUDGED_TURNS", 2)
    number = PAIRS.index(("novice", "greedy"))
    game = judge(number)
    assert game == judge(number)
    assert game.bots == ("novice", "greedy")
    assert {one.seat for one in game.judgements} == {0, 1}
    assert len(game.judgements) <= 4
    for one in game.judgements:
        assert len(one.chances) == len(one.losses) == 2
        assert all(0 <= loss <= 1 for loss in one.losses)
        assert all(0 <= chance <= 1 for chance in one.chances)
    file = tmp_path / "judged.jsonl"
    assert play_missing(file, JudgedGame, number + 1, lambda _: game) == [game]
    assert read_results(file, JudgedGame) == [game]


def test_every_bot_meets_every_bot_on_both_seats() -> None:
    assert len(set(PAIRS)) == len(PAIRS) == len(calibration.BOTS) ** 2
