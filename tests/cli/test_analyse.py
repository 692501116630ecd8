"""`coatl analyse`: a finished game as text, JSON, a page or a curve, and what it refuses."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from coatl import Game
from coatl.analysis import from_json
from coatl.rules.deckfile import parse_deck
from tests.analysis.games import missed_win, play_on
from tests.cli import program

pytestmark = program.compiled


def saved(folder: Path) -> Path:
    return program.write(folder, "missed.coatl", missed_win())


def test_the_analysis_in_words(tmp_path: Path) -> None:
    told = program.flowing(program.output("analyse", saved(tmp_path), "--depth", "quick"))
    assert "Seat 1 won: Seat 1 3, Seat 2 0." in told
    assert "1. Turn 41: Seat 2 takes KR; chance" in told
    assert "Better: add G> to Cóatl 1 (" in told
    assert "41 Seat 2 takes KR 100 % 0 %" in told
    assert "Depth: quick, with 8 samples a turn" in told


def test_the_analysis_in_german(tmp_path: Path) -> None:
    told = program.flowing(
        program.output("analyse", saved(tmp_path), "--depth", "quick", "--language", "de")
    )
    assert "Besser: G> an Cóatl 1 anfügen" in told


def test_json_page_and_curve(tmp_path: Path) -> None:
    file = saved(tmp_path)
    report = from_json(program.output("analyse", file, "--depth", "quick", "--json"))
    assert report.turns[0].seat == 1
    page = program.output("analyse", file, "--depth", "quick", "--html", "--lang", "fr")
    assert ElementTree.fromstring(page).get("lang") == "fr"
    drawing = program.output("analyse", file, "--depth", "quick", "--svg")
    assert ElementTree.fromstring(drawing).tag.endswith("svg")


def test_only_the_turns_of_one_seat(tmp_path: Path) -> None:
    told = program.output("analyse", saved(tmp_path), "--depth", "quick", "--seat", "1", "--json")
    assert json.loads(told)["turns"] == []


def test_it_goes_on_from_what_was_kept(tmp_path: Path) -> None:
    file, kept = saved(tmp_path), tmp_path / "kept.json"
    command = ("analyse", file, "--depth", "quick", "--json", "--keep", kept)
    whole = program.output(*command)
    found = json.loads(kept.read_text())
    assert found["turns"][0]["turn"] == 41
    found["turns"][0]["chance"] = 0.125  # as only what was kept can say
    kept.write_text(json.dumps(found))
    again = program.output(*command)
    assert from_json(again).turns[0].chance == 0.125
    assert from_json(whole).course == from_json(again).course


def test_games_that_cannot_be_analysed(tmp_path: Path) -> None:
    def refused(text: str, *options: str) -> str:
        return program.failure("analyse", program.write(tmp_path, "game.coatl", text), *options)

    assert refused(Game.new(players=2, seed=1).record()).endswith(
        "game.coatl: the game is not over; only finished games can be analysed"
    )
    assert "line 1: format 9 is newer" in refused("Coatl record 9\n")
    assert "line 6: " in refused(missed_win().replace("take b1", "take b9"))
    own = Game.new(players=2, seed=1, deck=parse_deck(program.SMALL_DECK, "small.toml"))
    assert "only games with the printed cards" in refused(play_on(own).record())
    assert refused(missed_win(), "--seat", "3").endswith("the seats of this game are 1 to 2")
    assert "quick, normal, deep, not 'endless'" in refused(missed_win(), "--depth", "endless")
    assert refused(missed_win(), "--json", "--html") == "one of --json, --html and --svg"
    assert "the languages are en, fr, de" in refused(missed_win(), "--lang", "xx")


def test_a_missing_file_and_missing_weights(tmp_path: Path) -> None:
    assert "No such file" in program.failure("analyse", tmp_path / "none.coatl")
    done = program.quick_run(
        "analyse", saved(tmp_path), env={"COATL_WEIGHTS": str(tmp_path / "none.npz")}
    )
    assert done.code == 2
    assert "there is no weights file" in program.one_line(done.err)


@pytest.mark.parametrize("kept", ["{}", "nonsense"])
def test_what_was_kept_must_fit(tmp_path: Path, kept: str) -> None:
    file = program.write(tmp_path, "kept.json", kept)
    message = program.failure("analyse", saved(tmp_path), "--keep", file)
    assert "what was kept of the analysis cannot be read" in message
