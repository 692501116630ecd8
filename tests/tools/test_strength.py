"""`make strength`: which contests there are, and how they come into the page."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import msgspec
import pytest

from coatl.arena.command import ArenaRequest, make_setup
from coatl.arena.report import MatchReport, Share
from tools.strength import (
    HEADS,
    PAGE,
    Contest,
    chosen,
    contests,
    results_csv,
    row_of,
    tables,
    with_tables,
    write,
)

MATCH = MatchReport(
    "artisan",
    "artisan@a/first.npz",
    None,
    8,
    6.5,
    Share(0.8125, 0.5, 0.9),
    0.5,
    41,
    38.04,
    46,
    0,
)


def test_every_contest_can_be_played_and_has_a_folder_of_its_own() -> None:
    found = contests(None)
    for contest in found:
        setup = make_setup(replace(contest.request, seed="any"))
        assert len(setup.solo) == 1 or len(setup.players) == 2
    assert len({contest.folder for contest in found}) == len(found)


def test_some_contests_can_be_chosen_in_an_order() -> None:
    found = contests("first.npz")
    assert chosen(found, "") == found
    some = chosen(found, "solo-priest-12345,two-players-artisan,solo-priest")
    assert some[0].folder == "solo-priest-12345"
    assert some[1].folder == "two-players-artisan-planner-2-seats"
    assert some[-1].folder.startswith("solo-priest-")
    assert len({one.folder for one in some}) == len(some)


def test_contests_with_the_first_edition_are_left_out_without_its_file() -> None:
    assert "editions" not in {contest.table for contest in contests(None)}
    with_it = [one for one in contests("first.npz") if one.table == "editions"]
    assert all(one.request.players.endswith("@first.npz") for one in with_it)
    assert {one.request.seats for one in with_it} == {2, 4}


def test_a_row_names_the_first_edition_and_no_path_of_a_machine() -> None:
    contest = Contest("editions", ArenaRequest("artisan,artisan@a/first.npz", 8), "60 %", "two")
    cells = ["two", "`artisan`", "`artisan@first.npz`", "8", "81.2 %", "50.0 to 90.0", "60 %"]
    assert row_of(contest, MATCH) == [*cells, "41.0", "38.0", "46.0"]


def test_tables_are_written_between_their_marks() -> None:
    contest = Contest("two players", ArenaRequest("artisan,greedy", 8))
    texts = tables([(contest, MATCH)])
    page = "before\n<!-- table: two players -->\nold\n<!-- end of table -->\nafter\n"
    written = with_tables(page, texts)
    assert written.startswith("before\n")
    assert written.endswith("\nafter\n")
    assert "old" not in written
    assert "| `artisan` |" in written
    assert with_tables(written, texts) == written
    with pytest.raises(ValueError, match="no mark <!-- table: two players -->"):
        with_tables("nothing", texts)


def test_the_page_has_the_marks_of_all_tables() -> None:
    page = PAGE.read_text("utf-8")
    for name in HEADS:
        assert page.count(f"<!-- table: {name} -->") == 1, name
    assert page.count("<!-- end of table -->") == len(HEADS)


def test_what_was_not_played_again_stays(tmp_path: Path) -> None:
    page, results = tmp_path / "page.md", tmp_path / "results.csv"
    page.write_text("<!-- table: solo -->\nold\n<!-- end of table -->\n")
    results.write_text("older games\n")
    match = msgspec.structs.replace(MATCH, levels="12345")
    write([(Contest("solo", ArenaRequest("priest", 8, solo="12345")), match)], "x", page, results)
    assert "| 12345 | 8 | 81.2 % |" in page.read_text("utf-8")
    assert results.read_text("utf-8") == "older games\n"


def test_only_games_of_two_are_rated() -> None:
    two = Contest("two players", ArenaRequest("artisan,greedy", 8))
    others = [replace(two, table=name) for name in HEADS if name != "two players"]
    text = results_csv([(one, MATCH) for one in (two, *others)], "seed")
    assert text == "player,against,games,wins,seed\nartisan,artisan@a/first.npz,8,6.5,seed\n"
