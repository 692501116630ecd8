"""`coatl simulate`: many games between bots, as tables and as JSON."""

from __future__ import annotations

import re
import statistics
from collections import Counter
from functools import lru_cache
from pathlib import Path
from typing import Any

import jsonschema  # type: ignore[import-untyped]
import msgspec
import pytest

from coatl.cli.simulate import SimulationReport
from coatl.options import Options
from coatl.rules.cards import standard_deck
from coatl.simulate import GameResult, play_game, random_results
from tests.cli import program
from tests.cli.reports import read_report, strict_schema

pytestmark = program.compiled

TIMES = ("seconds", "games_per_s", "decisions_per_s")

BOTS = '''
class First:
    """Does the first thing that is allowed."""

    def __init__(self, chances):
        pass

    def choose(self, view, moves):
        return moves[0]


class Raises(First):
    def choose(self, view, moves):
        raise RuntimeError("I have no idea,\\nand two lines")


class Cheats(First):
    def choose(self, view, moves):
        return "take b9"


class Leaves(First):
    def choose(self, view, moves):
        raise SystemExit(7)


class Dies(First):
    def choose(self, view, moves):
        import os

        os._exit(3)


class Naked:
    def choose(self, view, moves):
        return moves[0]
'''


@pytest.fixture
def bots(tmp_path: Path) -> Path:
    """A folder with bots of one's own in ``bots.py``."""
    program.write(tmp_path, "bots.py", BOTS)
    return tmp_path


# ---------------------------------------------------------------- JSON


def report(*arguments: str, cwd: Path | None = None) -> SimulationReport:
    """With several processes the program is started as a shell does, since they start it again."""
    quick = "--jobs" not in arguments
    found = read_report(program.output("simulate", "--json", *arguments, cwd=cwd, quick=quick))
    check_sums(found)
    return found


def check_sums(report: SimulationReport) -> None:
    """What has to agree in every report."""
    assert report.games == report.games_wanted == sum(report.ends.values())
    assert not report.interrupted
    assert set(report.ends) <= {"third", "bodies", "passed"}
    assert report.games_per_s > 0
    assert report.decisions_per_s > report.games_per_s
    assert report.decisions_per_game == round(report.decisions / report.games, 1)
    assert [seat.seat for seat in report.seats] == list(range(1, max(report.players, 2) + 1))
    assert report.games <= sum(seat.wins for seat in report.seats)
    assert report.shared_wins or sum(seat.wins for seat in report.seats) == report.games
    for seat in report.seats:
        assert seat.win_rate == round(seat.wins / report.games, 4)
        for spread in (seat.points, seat.cards, report.turns):
            assert spread.least <= spread.mean <= spread.most
            assert 0 <= spread.deviation <= spread.most - spread.least
    for card in (*report.prophecies, *report.temples):
        assert card.per_game == round(card.fulfilled / report.games, 4)


def lasting(report: SimulationReport) -> dict[str, Any]:
    """A report without what differs from run to run."""
    fields: dict[str, Any] = msgspec.to_builtins(report)
    return {name: value for name, value in fields.items() if name not in (*TIMES, "jobs")}


@lru_cache(maxsize=1)
def twenty() -> SimulationReport:
    return report("--games", "20", "--seed", "7")


def test_the_schema_would_refuse_other_fields() -> None:
    fields = msgspec.to_builtins(twenty())
    for spoilt in ({**fields, "more": 1}, {**fields, "games": "20"}, {**fields, "seats": [{}]}):
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(spoilt, strict_schema())
    del fields["ends"]
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(fields, strict_schema())


def agrees(report: SimulationReport, results: list[GameResult], seats: int) -> None:
    """Every number of a report, from the games themselves."""
    deck = standard_deck()
    assert report.games == len(results)
    assert report.decisions == sum(result.decisions for result in results)
    assert report.ends == Counter(result.end for result in results)
    assert report.shared_wins == sum(len(result.winners) > 1 for result in results)
    turns = [result.turns for result in results]
    assert report.turns.mean == round(statistics.fmean(turns), 3)
    assert report.turns.deviation == round(statistics.pstdev(turns), 3)
    assert len(report.seats) == seats
    for number, seat in enumerate(report.seats):
        points = [result.points[number] for result in results]
        assert seat.points.mean == round(statistics.fmean(points), 3)
        assert seat.points.deviation == round(statistics.pstdev(points), 3)
        assert (seat.points.least, seat.points.most) == (min(points), max(points))
        assert seat.wins == sum(number in result.winners for result in results)
        cards = [result.cards[number] for result in results]
        assert seat.cards.mean == round(statistics.fmean(cards), 3)
    prophecies = Counter(deck.prophecies[n].name for result in results for n in result.prophecies)
    temples = Counter(deck.temples[n].name for result in results for n in result.temples)
    assert {card.card: card.fulfilled for card in report.prophecies} == prophecies
    assert {card.card: card.fulfilled for card in report.temples} == temples
    assert [card.fulfilled for card in report.prophecies] == sorted(
        prophecies.values(), reverse=True
    )


def test_random_bots_are_the_default() -> None:
    found = twenty()
    assert (found.players, found.options, found.levels, found.seed) == (2, ("tokens",), (), "7")
    assert [seat.player for seat in found.seats] == ["random", "random"]
    agrees(found, random_results(Options(2, True), "7", 20), seats=2)


def test_so_many_games_that_wins_are_shared() -> None:
    """And more than are played at a time."""
    found = report("--games", "1200", "--seed", "7")
    assert found.shared_wins > 0
    agrees(found, random_results(Options(2, True), "7", 1200), seats=2)


def test_greedy_against_random() -> None:
    found = report("--games", "3", "--bots", "greedy,random,random", "--seed", "x", "--no-tokens")
    assert (found.players, found.options) == (3, ())
    assert [seat.player for seat in found.seats] == ["greedy", "random", "random"]
    names = ["greedy", "random", "random"]
    played = [play_game(Options(3, False), names, "x", game) for game in range(3)]
    agrees(found, played, seats=3)


def test_one_name_stands_for_every_seat() -> None:
    found = report("--games", "1", "--bots", " random ", "--players", "4", "--promo")
    assert [seat.player for seat in found.seats] == ["random"] * 4
    assert found.options == ("tokens", "promo")


def test_fewer_bodies() -> None:
    found = report("--games", "2", "--players", "3", "--fewer-bodies", "--seed", "1")
    assert found.options == ("tokens", "fewer_bodies")
    options = Options(3, True, fewer_bodies=True)
    agrees(found, random_results(options, "1", 2), seats=3)


@pytest.mark.parametrize(
    ("arguments", "levels"),
    [
        (("--levels", "31"), (1, 3)),
        (("--solo",), ()),
        (("--solo", "--levels", "1, 3"), (1, 3)),
    ],
)
def test_solo(arguments: tuple[str, ...], levels: tuple[int, ...]) -> None:
    found = report("--games", "5", "--seed", "solo", *arguments)
    assert (found.players, found.options, found.levels) == (1, (), levels)
    assert [seat.player for seat in found.seats] == ["random", "A.D.A.M."]
    agrees(found, random_results(Options(1, False, solo=levels), "solo", 5), seats=2)


def test_the_same_seed_gives_the_same_games() -> None:
    again = report("--games", "20", "--seed", "7")
    assert lasting(again) == lasting(twenty())
    other = report("--games", "20", "--seed", "8")
    assert lasting(other) | {"seed": "7"} != lasting(twenty())


def test_a_seed_of_its_own_is_told() -> None:
    first = report("--games", "5")
    assert len(first.seed) >= 16
    assert lasting(report("--games", "5", "--seed", first.seed)) == lasting(first)


@pytest.mark.slow
@pytest.mark.parametrize(
    "arguments",
    [
        ("--games", "1200"),
        pytest.param(("--games", "1", "--solo"), marks=pytest.mark.games),
    ],
)
def test_processes_change_nothing(arguments: tuple[str, ...]) -> None:
    alone = report("--seed", "many", *arguments)
    shared = report("--seed", "many", "--jobs", "2", *arguments)
    assert (alone.jobs, shared.jobs) == (1, 2)
    assert lasting(alone) == lasting(shared)


def test_a_deck_of_ones_own(tmp_path: Path) -> None:
    program.write(tmp_path, "my.toml", program.SMALL_DECK)
    names = {"{Y}", "{R}", "{K}", "{G}", "{B}", "YG", "!RB!Y"}
    found = report("--games", "50", "--deck", "my.toml", "--seed", "1", cwd=tmp_path)
    assert {card.card for card in found.prophecies} == names
    assert {card.card for card in found.temples} == {"noY/7", "noK/8", "R=Y/12"}


# ---------------------------------------------------------------- tables


def test_the_tables_say_the_same() -> None:
    text = program.output("simulate", "--games", "20", "--seed", "7")
    found = twenty()
    assert text.startswith("20 games, seed 7: ")
    assert f"{found.turns.mean:.1f} turns ({found.turns.least} to {found.turns.most})" in text
    rows = [line.split() for line in text.splitlines() if re.match(r"\d  ", line)]
    assert rows == [
        [
            *(str(seat.seat), seat.player, str(seat.wins), f"{seat.win_rate:.1%}"),
            *(f"{seat.points.mean:.1f}", f"{seat.points.deviation:.1f}"),
            *(str(seat.points.least), str(seat.points.most), f"{seat.cards.mean:.1f}"),
        ]
        for seat in found.seats
    ]
    for cards in (found.prophecies, found.temples):
        assert f": {cards[0].card} {cards[0].per_game:.2f}, {cards[1].card} " in (
            program.flowing(text)
        )


def test_the_tables_of_a_solo_game() -> None:
    text = program.output("simulate", "--games", "3", "--levels", "1", "--seed", "1")
    assert "A.D.A.M." in text
    assert "They ended: " in text


# ---------------------------------------------------------------- bots of one's own


def test_a_bot_that_lies_where_one_works(bots: Path) -> None:
    found = report("--games", "2", "--bots", "bots:First,random", "--seed", "1", cwd=bots)
    assert [seat.player for seat in found.seats] == ["bots:First", "random"]


@pytest.mark.games
def test_such_a_bot_and_a_deck_in_several_processes(bots: Path) -> None:
    program.write(bots, "my.toml", program.SMALL_DECK)
    wanted = ("--games", "6", "--bots", "bots:First,random", "--seed", "1", "--deck", "my.toml")
    alone = report(*wanted, cwd=bots)
    assert lasting(report(*wanted, "--jobs", "2", cwd=bots)) == lasting(alone)


@pytest.mark.parametrize(
    ("bot", "jobs", "reason"),
    [
        ("Raises", "1", "RuntimeError: I have no idea, and two lines"),
        pytest.param(
            *("Raises", "2", "RuntimeError: I have no idea, and two lines"), marks=pytest.mark.games
        ),
        ("Cheats", "1", "NotationError: 'take b9': take names a space"),
        ("Naked", "1", "TypeError: "),
    ],
)
def test_a_bot_that_fails(bots: Path, bot: str, jobs: str, reason: str) -> None:
    line = ("simulate", "--games", "9", "--json", "--jobs", jobs, "--bots", f"random,bots:{bot}")
    message = program.failure(*line, cwd=bots, quick=jobs == "1")
    assert message.startswith("game ")
    assert f"of random, bots:{bot}: {reason}" in message


def test_a_bot_that_leaves(bots: Path) -> None:
    line = ("simulate", "--games", "1", "--bots", "bots:Leaves")
    assert "bots:Leaves" in program.failure(*line, cwd=bots)


@pytest.mark.games
def test_a_bot_that_takes_its_process_with_it(bots: Path) -> None:
    line = ("simulate", "--games", "1", "--jobs", "2", "--bots", "bots:Dies")
    program.failure(*line, cwd=bots, quick=False)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("1 / 0", "ZeroDivisionError"),
        ("def (", "SyntaxError"),
        ("import no_such_thing", "No module named 'no_such_thing'"),
        ("Bot = 3", "a player is a class with a method choose"),
        ("", "has no Bot"),
        pytest.param(
            *("raise SystemExit(1)", "SystemExit"),
        ),
    ],
)
def test_a_module_without_a_bot(tmp_path: Path, text: str, reason: str) -> None:
    program.write(tmp_path, "mine.py", text)
    message = program.failure("simulate", "--bots", "mine:Bot", cwd=tmp_path)
    assert message.startswith("mine:Bot: ")
    assert reason in message


# ---------------------------------------------------------------- seeds


def test_a_seed_is_shown_as_it_is() -> None:
    text = program.output("simulate", "--games", "1", "--seed", "[/b] :dog:")
    assert text.startswith("1 game, seed [/b] :dog:: ")


@pytest.mark.parametrize("seed", ["", "a\nb"])
def test_a_seed_is_a_line_of_text(seed: str) -> None:
    message = program.failure("simulate", "--games", "1", "--seed", seed)
    assert "a seed is a whole number or a line of text" in message
