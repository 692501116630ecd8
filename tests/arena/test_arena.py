"""The arena: fair schedules, intervals, resuming to the same result, players that fail."""

from __future__ import annotations

import csv
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import jsonschema  # type: ignore[import-untyped]
import msgspec
import pytest

from coatl.arena.__main__ import main
from coatl.arena.command import ArenaRequest, make_setup, measure
from coatl.arena.play import _played
from coatl.arena.ratings import rate, wilson
from coatl.arena.report import ArenaReport, make_report
from coatl.arena.run import GAMES_FILE, Book, run
from coatl.arena.schedule import Setup, fixtures, matches, read_levels_sets
from coatl.compiler.cache import cache_folder
from coatl.compiler.functions import DISABLED
from coatl.game import Game
from coatl.options import OptionsError
from coatl.parallel.runs import RunError
from coatl.players.registry import UnknownPlayer

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.skipif(DISABLED, reason="whole games, too slow in plain Python")


def quiet(done: int, total: int) -> None:
    """Reports nothing."""


# ---------------------------------------------------------------- schedules


def test_both_sides_play_the_same_deals_from_every_seat() -> None:
    setup = Setup(("a", "b", "c"), games=4)
    assert [(match.one, match.other) for match in matches(setup)] == [
        ("a", "b"),
        ("a", "c"),
        ("b", "c"),
    ]
    games = [f for f in fixtures(setup) if f.match == 0]
    assert [(f.deal, f.names) for f in games] == [
        (0, ("a", "b")),
        (0, ("b", "a")),
        (1, ("a", "b")),
        (1, ("b", "a")),
    ]


def test_at_four_seats_one_meets_a_table_of_the_other() -> None:
    games = list(fixtures(Setup(("a", "b"), games=4, seats=4)))
    assert [f.names.index("a") for f in games] == [0, 1, 2, 3]
    assert {f.deal for f in games} == {0}
    assert all(f.names.count("b") == 3 for f in games)


def test_a_shared_win_counts_in_part() -> None:
    fixture = next(fixtures(Setup(("a", "b"), games=1, seats=3)))
    position = "3p phase=over end=passed | coatl=<KKKR>:{K} | coatl=<KKKR>:{K} |"
    game = Game.from_position(position)
    assert game.outcome().winners == (0, 1)
    played = _played(fixture, game, [], None)
    assert played.shares == (0.5, 0.5, 0.0)


def test_sets_of_levels() -> None:
    assert read_levels_sets("base,1,51,12345") == ((), (1,), (1, 5), (1, 2, 3, 4, 5))
    with pytest.raises(OptionsError, match="sets such as base,1,13,12345"):
        read_levels_sets("6")


@pytest.mark.parametrize(
    ("players", "options", "reason"),
    [
        ("greedy", {}, "two players at least"),
        ("greedy,greedy", {}, "greedy is named twice"),
        ("greedy,random", {"seats": 5}, "2, 3 or 4 seats, not 5"),
        ("greedy,random", {"seats": 4, "fewer_bodies": True}, "R22"),
        ("greedy,random", {"seed": ""}, "a seed is"),
        ("greedy,champion", {}, "no player is called 'champion'"),
    ],
)
def test_what_cannot_be_played(players: str, options: dict[str, Any], reason: str) -> None:
    with pytest.raises((RunError, OptionsError, UnknownPlayer), match=reason):
        make_setup(ArenaRequest(players, 4, **options))


# ---------------------------------------------------------------- numbers


def test_wilson_intervals() -> None:
    assert wilson(50, 100) == pytest.approx((0.4038, 0.5962), abs=1e-4)
    assert wilson(100, 100) == pytest.approx((0.9630, 1.0), abs=1e-4)
    assert wilson(0, 0) == (0.0, 1.0)


def test_ratings_follow_elo() -> None:
    found = rate(("strong", "greedy"), {("strong", "greedy"): (909.5, 90.5)})
    assert found["greedy"] == (1000.0, 0.0)
    assert found["strong"][0] == pytest.approx(1400, abs=5)
    assert 20 < found["strong"][1] < 60


def test_ratings_stay_finite_and_in_order() -> None:
    results = {("a", "b"): (20.0, 0.0), ("b", "c"): (20.0, 0.0), ("a", "c"): (20.0, 0.0)}
    found = rate(("a", "b", "c"), results)
    assert found["a"] == (1000.0, 0.0)
    assert found["a"][0] > found["b"][0] > found["c"][0] > -1000


# ---------------------------------------------------------------- playing


def without_times(book: Book) -> list[dict[str, Any]]:
    lines = [msgspec.to_builtins(game) for game in book.results()]
    return [{name: value for name, value in line.items() if name != "seconds"} for line in lines]


def test_interrupted_and_resumed_to_the_same_result(tmp_path: Path) -> None:
    setup = make_setup(ArenaRequest("greedy,random", 4))
    whole, _ = run(setup, None, 1, quiet)

    def interrupt(done: int, total: int) -> None:
        if done == 2:
            raise KeyboardInterrupt

    part, interrupted = run(setup, tmp_path, 1, interrupt)
    assert interrupted
    assert len(part.results()) == 2
    assert make_report(setup, part.results(), True).interrupted
    with open(tmp_path / GAMES_FILE, "ab") as file:
        file.write(b'{"match":0,"game":2,"de')  # the power went
    reported: list[tuple[int, int]] = []
    resumed, interrupted = run(setup, tmp_path, 1, lambda *counts: reported.append(counts))
    assert not interrupted
    assert reported == [(2, 4), (3, 4), (4, 4)]
    assert without_times(resumed) == without_times(whole)
    again = Book(setup, tmp_path)
    assert again.missing() == []
    assert again.results() == resumed.results()
    more, _ = run(msgspec.structs.replace(setup, games=5), tmp_path, 1, quiet)
    assert without_times(more)[:4] == without_times(whole)


def test_a_folder_belongs_to_one_arena(tmp_path: Path) -> None:
    Book(make_setup(ArenaRequest("greedy,random", 2)), tmp_path)
    with pytest.raises(RunError, match="it has seed 1, not 2; use another folder"):
        Book(make_setup(ArenaRequest("greedy,random", 2, seed="2")), tmp_path)
    (tmp_path / GAMES_FILE).write_text("hello\nworld\n", encoding="utf-8")
    with pytest.raises(RunError, match="not a file of an arena"):
        Book(make_setup(ArenaRequest("greedy,random", 2)), tmp_path)


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("Raising", "raised SystemExit: I have had enough"),
        ("Illegal", "chose 'take everything', which is not legal"),
        ("Stillborn", "raised OSError: no model"),
        ("Silent", "gave no answer within 0.2 s"),
    ],
)
@pytest.mark.parametrize("seats", [2, 3])
def test_a_player_that_fails_loses_and_is_reported(name: str, reason: str, seats: int) -> None:
    own = f"tests.arena.failing_players:{name}"
    patience = 0.2 if name == "Silent" else 60.0
    setup = make_setup(ArenaRequest(f"random,{own}", 2, seats=seats, seconds=patience))
    book, _ = run(setup, None, 1, quiet)
    report = make_report(setup, book.results(), False)
    assert report.games == 2
    assert report.matches[0].forfeits == 2
    assert report.matches[0].win_rate.share == 1.0 / (seats - 1)
    assert report.players[1].forfeits == (reason,)
    assert report.players[0].forfeits == ()


def test_solo_by_levels() -> None:
    setup = make_setup(ArenaRequest("greedy", 1, solo="base,12345"))
    report = measure(setup, None, 1, quiet)
    assert [(match.levels, match.against) for match in report.matches] == [
        ("base", "A.D.A.M."),
        ("12345", "A.D.A.M."),
    ]
    assert all(match.games == 1 for match in report.matches)
    assert report.players[0].rating is None


def test_files_and_records(tmp_path: Path) -> None:
    setup = make_setup(ArenaRequest("greedy,random", 2, records=True))
    report = measure(setup, tmp_path, 1, quiet)
    found = json.loads((tmp_path / "arena.json").read_text(encoding="utf-8"))
    schemas, components = msgspec.json.schema_components(
        [ArenaReport], ref_template="#/$defs/{name}"
    )
    jsonschema.validate(found, {**schemas[0], "$defs": components})
    with open(tmp_path / "matches.csv", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert float(rows[0]["win_rate"]) == report.matches[0].win_rate.share
    with open(tmp_path / "players.csv", encoding="utf-8") as file:
        assert [row["player"] for row in csv.DictReader(file)] == ["greedy", "random"]
    picture = ElementTree.parse(tmp_path / "arena.svg").getroot()
    words = [node.text for node in picture.iter("{http://www.w3.org/2000/svg}text")]
    assert {"greedy", "random"} <= set(words)
    records = sorted((tmp_path / "records").iterdir())
    assert len(records) == 2
    assert Game.replay(records[0].read_text(encoding="utf-8")).over
    with pytest.raises(RunError, match="--out DIR"):
        measure(setup, None, 1, quiet)


def test_a_record_has_the_end_of_a_long_name(tmp_path: Path) -> None:
    own = "tests.arena.failing_players:LastMoveOfAll"
    measure(make_setup(ArenaRequest(f"random,{own}", 1, records=True)), tmp_path, 1, quiet)
    (record,) = (tmp_path / "records").iterdir()
    game = Game.replay(record.read_text(encoding="utf-8"))
    assert game.seats == ("bot:random", "bot:.arena.failing_players:LastMoveOfAll")


# ---------------------------------------------------------------- the plain command


def test_the_plain_command(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    words = ["--players", "greedy,random", "--games", "2", "--out", str(tmp_path)]
    assert main(words) == 0
    table = capsys.readouterr().out
    assert table.startswith("2 games, seed 1\n")
    assert "greedy  random       2  " in table
    assert main([*words, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["games"] == 2
    assert main(["--players", "greedy,nobody"]) == 2
    assert capsys.readouterr().err.startswith("coatl: no player is called 'nobody'")


@pytest.mark.games
def test_several_processes_play_the_same_games() -> None:
    setup = make_setup(ArenaRequest("greedy,random", 4))
    assert without_times(run(setup, None, 2, quiet)[0]) == without_times(
        run(setup, None, 1, quiet)[0]
    )


def test_a_process_that_dies_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    own = "tests.arena.failing_players:Dying"
    assert main(["--players", f"random,{own}", "--games", "1", "--jobs", "2"]) == 2
    assert capsys.readouterr().err == f"coatl: a process died while random, {own} played\n"


def test_it_needs_neither_typer_nor_rich() -> None:
    program = (
        "import sys\n"
        "for name in ('typer', 'rich', 'platformdirs', 'starlette'): sys.modules[name] = None\n"
        "from coatl.arena.__main__ import main\n"
        "sys.exit(main(['--players', 'random,greedy', '--games', '1', '--json']))\n"
    )
    env = os.environ | {"PYTHONPATH": str(ROOT / "src")}
    cache = cache_folder()
    assert cache is not None
    env["COATL_CACHE_DIR"] = str(cache.parent)
    done = subprocess.run(
        [sys.executable, "-c", program], env=env, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["games"] == 1


def test_a_cluster_without_ray_is_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)  # as if it were not installed
    assert main(["--players", "greedy,random", "--games", "1", "--ray", "local"]) == 2
    assert capsys.readouterr().err == "coatl: a cluster needs ray: pip install 'coatl[ray]'\n"
