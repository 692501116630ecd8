"""Results of several arenas: read, rated together, and true of the documentation and the bots."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from coatl.arena.ratings import rate
from coatl.arena.results import MatchResult, rate_results, ratings_text, read_results
from coatl.parallel.runs import RunError
from coatl.players.bots import BOTS

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "strength.md"
RESULTS = ROOT / "docs" / "strength-results.csv"
HEAD = "player,against,games,wins\n"


def test_results_of_a_pair_are_added_up_whoever_comes_first() -> None:
    found = rate_results(
        [
            MatchResult("a", "greedy", 10, 6),
            MatchResult("greedy", "a", 10, 1.5),
            MatchResult("b", "a", 8, 4),
        ]
    )
    expected = rate(("a", "greedy", "b"), {("a", "greedy"): (14.5, 5.5), ("b", "a"): (4, 4)})
    assert {one.player: one.games for one in found} == {"a": 28, "greedy": 20, "b": 8}
    for one in found:
        assert (one.rating, one.margin) == pytest.approx(expected[one.player], abs=1e-6)
    assert [one.rating for one in found] == sorted((one.rating for one in found), reverse=True)
    assert ratings_text(found).splitlines()[0].split() == ["player", "rating", "±", "games"]


def test_a_file_of_an_arena_can_be_read(tmp_path: Path) -> None:
    """It has more columns."""
    file = tmp_path / "matches.csv"
    file.write_text(
        "player,against,levels,games,wins,win_rate,fair_share\nnovice,random,,400,381.0,0.95,0.5\n"
    )
    assert read_results(file) == [MatchResult("novice", "random", 400, 381.0)]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "there is no column player"),
        ("player,against,games\n", "there is no column wins"),
        (HEAD + "a,b,1,0\na,b,many,0\n", "line 3: invalid literal"),
        (HEAD + "a,b,1\n", "line 2: float"),
        (HEAD + "a,b,10,11\n", "line 2: 11 wins of 10 games"),
        (HEAD + "a,a,10,5\n", "line 2: a match is between two different players"),
        ("player,against,games,wins,levels\na,A.D.A.M.,9,1,base\n", "line 2: .* of two players"),
        ("player,against,games,wins,fair_share\na,b,9,1,0.25\n", "line 2: .* of two players"),
    ],
)
def test_what_cannot_be_read_is_said_in_one_line(tmp_path: Path, text: str, reason: str) -> None:
    file = tmp_path / "results.csv"
    file.write_text(text)
    with pytest.raises(RunError, match=f"results.csv.*{reason}"):
        read_results(file)


def test_no_file_and_no_results(tmp_path: Path) -> None:
    with pytest.raises(RunError, match="No such file"):
        read_results(tmp_path / "nowhere.csv")
    with pytest.raises(RunError, match="no results"):
        rate_results([])


# ---------------------------------------------------------------- our bots


def cells(part: str) -> list[list[str]]:
    """The tables in a part of docs/strength.md, row by row."""
    text = PAGE.read_text("utf-8").partition(f"\n## {part}\n")[2].partition("\n## ")[0]
    rows = [line.split("|")[1:-1] for line in text.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in row] for row in rows]


def test_the_ladder_in_the_documentation_is_one_fit_over_the_results() -> None:
    ladder = {row[0].strip("`"): row[1] for row in cells("The ladder")[2:]}
    fitted = {
        one.player: f"{one.rating:.0f} ± {one.margin:.0f}" if one.margin else f"{one.rating:.0f}"
        for one in rate_results(read_results(RESULTS))
    }
    assert ladder == fitted
    assert list(ladder) == list(fitted)


def test_the_strengths_of_the_bots_are_those_ratings() -> None:
    fitted = {one.player: round(one.rating, -1) for one in rate_results(read_results(RESULTS))}
    assert {bot.name: bot.strength for bot in BOTS} == fitted


def test_the_results_are_those_in_the_documentation() -> None:
    """All of them that were measured at tables of two, between bots that there are."""
    told = []
    for player, against, games, wins, *_ in cells("Two players")[2:]:
        names = re.findall(r"`([^`]+)`", player + against)
        if len(names) > 1 and names[1] in {bot.name for bot in BOTS}:
            told.append((*names[:2], int(games.replace(",", "")), float(wins.strip(" %"))))
    kept = [
        (one.player, one.against, one.games, 100 * one.wins / one.games)
        for one in read_results(RESULTS)
    ]
    assert len(told) == len(kept)
    for row, result in zip(sorted(told), sorted(kept), strict=True):
        assert row[:3] == result[:3]
        assert row[3] == pytest.approx(result[3], abs=0.06)
