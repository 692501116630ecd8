"""`coatl lab`: what it refuses in one line, what it writes, and how it goes on."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import msgspec
import pytest

from coatl.compiler.functions import DISABLED
from coatl.lab.command import REPORT_FILE, LabRequest, make_setup, study, text_of
from coatl.lab.findings import Findings, read_csv, read_findings, row_types, rows_csv
from coatl.lab.outcome_tables import SeatRow
from coatl.lab.run import GAMES_FILE
from coatl.lab.setup import Setup
from coatl.options import OptionsError
from coatl.parallel.runs import RunError
from coatl.players.registry import UnknownPlayer
from coatl.rules.cards import DeckError
from tests.cli import program

pytestmark = pytest.mark.skipif(DISABLED, reason="whole games, too slow in plain Python")


def quiet(done: int, total: int) -> None:
    """Reports nothing."""


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        ({"bot": "champion"}, "no player is called 'champion'"),
        ({"bot": ""}, "no player is called ''"),
        ({"games": "0"}, "at least one game, not 0"),
        ({"games": "5,0,5"}, "at least one game, not 0"),
        ({"games": "5,5"}, "2 numbers of games for 3 numbers of players"),
        ({"games": "many"}, "--games is a number, or several such as 2,3, not 'many'"),
        ({"games": "-5"}, "--games is a number"),
        ({"players": "1"}, "it plays with 2 to 4 players; coatl simulate --solo"),
        ({"players": "2,5"}, "2 to 4 players"),
        ({"players": "2,2"}, "2 players are named twice"),
        ({"players": ""}, "--players is a number"),
        ({"players": "4", "fewer_bodies": True}, "R22"),
        ({"seed": ""}, "a seed is"),
        ({"resume": True}, "there is nothing to resume"),
        ({"bot": "artisan", "deck": "small"}, "artisan knows the printed cards only"),
        ({"bot": "priest:50", "deck": "small"}, "can be played by planner, greedy, random"),
        ({"bot": "greedy", "deck": "missing"}, "No such file"),
        ({"bot": "greedy", "deck": "tiny"}, "Prophecy cards are needed; the deck has"),
    ],
)
def test_what_cannot_be_played(given: dict[str, Any], reason: str, tmp_path: Path) -> None:
    program.write(tmp_path, "small", program.SMALL_DECK)
    program.write(tmp_path, "tiny", program.SMALL_DECK.replace("copies = 5", "copies = 1"))
    if "deck" in given:
        given = given | {"deck": tmp_path / given["deck"]}
    expected = (OptionsError, UnknownPlayer, RunError, DeckError, OSError)
    with pytest.raises(expected, match=re.escape(reason)):
        make_setup(LabRequest(tmp_path / "out", **given))


def test_what_is_usual(tmp_path: Path) -> None:
    setup, _ = make_setup(LabRequest(tmp_path))
    assert setup == Setup("artisan", (2, 3, 4), (4000, 4000, 4000), "1")
    setup, _ = make_setup(LabRequest(tmp_path, players="3", games="7", tokens=False))
    assert setup == Setup("artisan", (3,), (7,), tokens=False)


def test_a_folder_belongs_to_one_run(tmp_path: Path) -> None:
    request = LabRequest(tmp_path, bot="random", players="2", games="2", seed="x")
    setup, deck = make_setup(request)
    study(setup, deck, tmp_path, 1, quiet)
    with pytest.raises(RunError, match="a run is there; --resume goes on with it"):
        make_setup(request)
    assert make_setup(LabRequest(tmp_path, resume=True))[0] == setup
    more, _ = make_setup(LabRequest(tmp_path, games="3", resume=True))
    assert more == msgspec.structs.replace(setup, games=(3,))
    other, deck = make_setup(LabRequest(tmp_path, seed="y", resume=True))
    with pytest.raises(RunError, match="it has seed x, not y; use another folder"):
        study(other, deck, tmp_path, 1, quiet)
    (tmp_path / GAMES_FILE).write_text("hello\nworld\n", encoding="utf-8")
    with pytest.raises(RunError, match="not a file of the lab"):
        make_setup(LabRequest(tmp_path, resume=True))


# ---------------------------------------------------------------- what is written


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run with a deck of one's own, whose games are quick."""
    folder = tmp_path_factory.mktemp("lab")
    deck = program.write(folder, "small.toml", program.SMALL_DECK)
    request = LabRequest(folder, "random", "2,3", "24,12", "<seed>", deck)
    setup, own = make_setup(request)
    report = study(setup, own, folder, 1, quiet)
    assert report.file == folder / REPORT_FILE
    assert text_of(report).startswith("36 games of random\n")
    return folder


def test_the_report_is_well_formed_and_fetches_nothing(folder: Path) -> None:
    text = (folder / REPORT_FILE).read_text(encoding="utf-8")
    page = ElementTree.fromstring(text.removeprefix("<!DOCTYPE html>\n"))
    words = " ".join(page.itertext())
    assert "36 games of random" in words
    assert "24 of 2, 12 of 3" in words
    assert "seed <seed>." in words
    assert "://" not in text.replace("http://www.w3.org/2000/svg", "")
    assert not list(page.iter("script"))
    assert "prefers-color-scheme" in text
    assert 'name="viewport"' in text


def test_every_link_of_the_report_leads_somewhere(folder: Path) -> None:
    text = (folder / REPORT_FILE).read_text(encoding="utf-8")
    page = ElementTree.fromstring(text.removeprefix("<!DOCTYPE html>\n"))
    targets = {f"#{node.get('id')}" for node in page.iter("section")}
    assert {node.get("href") for node in page.iter("a")} == targets
    assert {"#seats", "#first-pick", "#cards", "#temples", "#race"} <= targets


def test_cards_of_ones_own_are_studied(folder: Path) -> None:
    findings = read_findings(folder)
    assert {row.card for row in findings.cards} <= {
        "{Y}",
        "{R}",
        "{K}",
        "{G}",
        "{B}",
        "YG",
        "!RB!Y",
    }
    assert {row.card for row in findings.temples} == {"noY/7", "noK/8", "R=Y/12"}


def test_tables_survive_their_files(folder: Path) -> None:
    findings = read_findings(folder)
    assert findings.sizes == {2: 24, 3: 12}
    for name, row_type in row_types().items():
        rows = getattr(findings, name)
        assert rows
        assert read_csv(row_type, rows_csv(row_type, rows)) == rows
        assert rows_csv(row_type, rows) == (folder / f"{name}.csv").read_text(encoding="utf-8")


def test_an_interval_that_is_not_known_is_empty() -> None:
    row = SeatRow(2, 1, 1, None, None)
    text = rows_csv(SeatRow, [row])
    assert text.splitlines()[1] == "2,1,1,,,,,,"
    assert read_csv(SeatRow, text) == [row]


def test_a_missing_file_is_an_empty_table(tmp_path: Path) -> None:
    assert read_findings(tmp_path) == Findings([], [], [], [], [], [], [], [], [])


# ---------------------------------------------------------------- the program


@program.compiled
def test_the_program(tmp_path: Path) -> None:
    words = ("lab", "--out", tmp_path / "a", "--bot", "random", "--games", "2", "--players", "2")
    text = program.output(*words)
    assert text.startswith("2 games of random\n")
    assert "2 players, seat 2: wins " in text
    assert "a run is there" in program.failure(*words)
    assert "no player is called" in program.failure("lab", "--out", tmp_path / "b", "--bot", "x")
    assert program.output("lab", "--out", tmp_path / "a", "--resume") == text
