"""The benchmarks: their arithmetic, their tables and what they say when something is missing."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest

from bench import beside, measure, peers, processors
from bench.measure import Bench, MeasureError, Round, Run, Speed
from coatl import State

# ---------------------------------------------------------------- a speed out of rounds


def a_round(first: float, both: float, decisions: int = 100) -> Round:
    """10 games in so many seconds, then 20."""
    return Run(10, 50, first), Run(20, 50 + decisions, both)


def test_speed_is_that_of_the_second_half() -> None:
    """10 games and 100 decisions in 2 s more; what is done once, for 4 s, cancels out."""
    assert measure.speed([a_round(6, 8)]) == Speed(decisions=50, games=5, noise=0)


def test_speed_is_the_median_of_the_rounds() -> None:
    """The best would be the disturbed first run of the first round: 10 games in half a second."""
    rounds = [a_round(2, 2.5), a_round(1, 2), a_round(1, 2.25)]
    assert measure.speed(rounds) == Speed(decisions=100, games=10, noise=0.5)


def test_speed_counts_games_and_decisions_apart() -> None:
    """Rounds may be of other games: equally fast, but longer."""
    rounds = [a_round(1, 2, 100), a_round(1, 3, 200), a_round(1, 4, 300)]
    assert measure.speed(rounds) == Speed(decisions=100, games=5, noise=0)


def test_one_hopeless_round_does_no_harm() -> None:
    rounds = [a_round(1, 2), a_round(3, 2), a_round(1, 2)]
    assert measure.speed(rounds) == Speed(decisions=100, games=10, noise=2)


@pytest.mark.parametrize("seconds", [1.0, 0.5])
def test_no_speed_if_more_games_take_no_longer(seconds: float) -> None:
    with pytest.raises(MeasureError, match="more games took no longer"):
        measure.speed([a_round(1, seconds)])


def test_twice_as_many_games_begin_with_the_same() -> None:
    bench = Bench(2)
    assert bench.play(2) == bench.play(1) + bench.play(1, first=1)
    assert beside.kernel_run(bench, 1).decisions == bench.play(1)


def test_games_in_python_are_counted() -> None:
    run = beside.game_run(1)
    assert run.decisions == beside.state_run(1).decisions  # the very same game
    assert run.games == 1
    assert run.decisions > 50
    assert run.seconds > 0


def counting(name: str, games: int, calls: list[tuple[str, int]]) -> beside.Contestant:
    """Ten decisions and a second a game, after a second to start."""

    def play(n: int) -> Round:
        calls.append((name, n))
        return Run(n, 10 * n, 1.0 + n), Run(2 * n, 20 * n, 1.0 + 2 * n)

    return beside.Contestant(name, games, play)


def test_all_take_turns_in_every_round() -> None:
    calls: list[tuple[str, int]] = []
    speeds = beside.take_turns([counting("a", 3, calls), counting("b", 5, calls)], rounds=2)
    assert calls == 2 * [("a", 3), ("b", 5)]
    assert speeds == {"a": Speed(10, 1, 0), "b": Speed(10, 1, 0)}


def test_we_play_twice_as_many_games_too() -> None:
    for one in beside.ours():
        first, second = one.play(1)
        assert (first.games, second.games) == (1, 2)
        assert 0 < first.decisions < second.decisions


def test_ours_and_theirs_alternate() -> None:
    a, b, c, x = (counting(name, 1, []) for name in "abcx")
    assert beside.alternating([a, b, c], [x]) == [a, x, b, c]
    assert beside.alternating([x], [a, b]) == [x, a, b]


def test_every_peer_is_known_and_has_a_number_of_games() -> None:
    assert list(beside.PEER_OF.values()) == list(beside.PEER_GAMES) == list(peers.NAMES)
    assert all(games <= peers.MOST_GAMES for games in beside.PEER_GAMES.values())


# ---------------------------------------------------------------- one core


def test_pin_chooses_the_last_core(monkeypatch: pytest.MonkeyPatch) -> None:
    chosen: list[object] = []
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 3, 1}, raising=False)
    monkeypatch.setattr(
        os, "sched_setaffinity", lambda who, cores: chosen.append((who, cores)), raising=False
    )
    assert measure.pin() == 3
    assert chosen == [(0, {3})]


def test_pin_says_where_it_cannot(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(os, "sched_setaffinity", raising=False)
    assert measure.pin() is None


# ---------------------------------------------------------------- tables


@pytest.mark.parametrize(
    ("value", "text"),
    [(4188411.4, "4,188,411"), (107.2, "107"), (39.04, "39.0"), (5.15, "5.2"), (0.0254, "0.025")],
)
def test_figures(value: float, text: str) -> None:
    assert beside.figure(value) == text


def test_table_is_aligned_markdown() -> None:
    assert beside.table(("who", "n"), [("Cóatl", "1"), ("x", "2,000")]).splitlines() == [
        "| who   |     n |",
        "| ----- | ----: |",
        "| Cóatl |     1 |",
        "| x     | 2,000 |",
    ]


def some_speeds() -> dict[str, Speed]:
    speeds = {name: Speed(50_000, 100, 0.126) for name in beside.PEER_OF}
    return {
        beside.KERNEL: Speed(5_000_000, 20_000, 0.01),
        beside.STATE: Speed(500_000, 2_500, 0),
        beside.GAME: Speed(25_000, 250, 0),
    } | speeds


def cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip("|").split("|")]


def test_speed_table() -> None:
    lines = beside.speed_table(some_speeds()).splitlines()
    assert cells(lines[0]) == ["random play", "decisions/s", "games/s", "noise"]
    assert cells(lines[2]) == [beside.KERNEL, "5,000,000", "20,000", "±1%"]
    assert cells(lines[5]) == [beside.CATANATRON, "50,000", "100", "±13%"]
    assert len(lines) == 2 + 3 + len(beside.PEER_OF)


def test_ratio_table_has_the_aims() -> None:
    """Of the kernel 100 times the decisions is enough, 200 times the games is not."""
    lines = beside.ratio_table(some_speeds()).splitlines()
    assert cells(lines[2]) == [
        beside.CATANATRON,
        "100 (aim 70)",
        "10.0 (aim 8)",
        "0.5 (aim 3, missed)",
        "200 (aim 380, missed)",
    ]
    assert cells(lines[3])[1:] == ["100", "10.0", "0.5 (aim 1, missed)", "200"]
    assert cells(lines[4])[1:] == ["100", "10.0", "0.5", "200"]


def test_an_aim_just_met_is_met() -> None:
    assert beside.aimed(70, 70) == "70.0 (aim 70)"


def test_results_are_saved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(measure, "RESULTS", tmp_path / "results")
    measure.save("peers", beside.as_results(some_speeds()))
    saved = json.loads((tmp_path / "results/peers.json").read_text())
    assert saved["speeds"][beside.GAME] == {"decisions": 25_000, "games": 250, "noise": 0}
    assert saved["ratios"][f"{beside.KERNEL} : {beside.CATANATRON}"] == {
        "decisions": 100,
        "games": 200,
    }
    assert saved["python"]


# ---------------------------------------------------------------- what can go wrong


@pytest.fixture
def script(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file that is run in place of peers.py, by this Python."""
    file = tmp_path / "peer.py"
    monkeypatch.setattr(beside, "PEERS", file)
    monkeypatch.setattr(beside, "PEERS_PYTHON", Path(sys.executable))
    return file


def test_no_environment_is_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(beside, "ROOT", tmp_path)
    with pytest.raises(SystemExit) as caught:
        beside.main()
    assert caught.value.code == (  # a text: printed, and exit status 1
        "bench-peers: there is no .venv-peers/bin/python: run `make bench-peers`"
    )


def test_a_peer_reports(script: Path) -> None:
    runs = [{"games": n, "decisions": 7 * n, "cut": 0, "seconds": n / 2} for n in (3, 6)]
    script.write_text(
        "import json, sys\n"
        "assert sys.argv[1:] == ['x', '3']\n"
        f"print(json.dumps({{'package': 'chess', 'version': '1', 'runs': {runs}}}))\n"
    )
    assert beside.peer_round("x", 3) == (Run(3, 21, 1.5), Run(6, 42, 3.0))


def test_a_peer_that_fails_is_one_line(script: Path) -> None:
    script.write_text("raise ValueError('no board')")
    with pytest.raises(MeasureError, match=r"^x: ValueError: no board$"):
        beside.ask_peer("x", 1)


def test_a_peer_that_dies_silently_is_one_line(script: Path) -> None:
    script.write_text("raise SystemExit(3)")
    with pytest.raises(MeasureError, match=r"^x: exit code 3$"):
        beside.ask_peer("x", 1)


def test_a_peer_that_hangs_is_one_line(script: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script.write_text("import time; time.sleep(60)")
    monkeypatch.setattr(beside, "LONGEST", 0.2)
    with pytest.raises(MeasureError, match=r"^x: 5 games took more than 0.2 s$"):
        beside.ask_peer("x", 5)


@pytest.mark.parametrize(("name", "package"), [("catanatron",) * 2, ("backgammon", "open_spiel")])
def test_a_peer_that_is_not_installed_is_one_line(name: str, package: str) -> None:
    """Without site-packages nothing is."""
    command = [sys.executable, "-I", "-S", peers.__file__, name, "1"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 1
    assert done.stderr.startswith(f"{package} is not installed here: ")
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ("", "usage: "),
        ("catanatron", "usage: "),
        ("chess 1", "usage: "),
        ("catanatron -1", "usage: "),
        ("catanatron 0", "from 1 to "),
        ("catanatron 1000001", "from 1 to "),
    ],
)
def test_peers_refuse_nonsense(arguments: str, text: str) -> None:
    with pytest.raises(SystemExit, match=f"^{text}"):
        peers.main(arguments.split())


# ---------------------------------------------------------------- the loop over OpenSpiel


class Coins:
    """A game in OpenSpiel's terms: chance and players in turn, six times; or without end."""

    def __init__(self, steps: float = 6) -> None:
        self.steps = steps
        self.played: list[int] = []

    def is_terminal(self) -> bool:
        return len(self.played) == self.steps

    def is_chance_node(self) -> bool:
        return len(self.played) % 2 == 0

    def chance_outcomes(self) -> list[tuple[int, float]]:
        assert self.is_chance_node()
        return [(1, 0.0), (2, 1.0)]

    def legal_actions(self) -> list[int]:
        assert not self.is_chance_node()
        return [7]

    def apply_action(self, action: int) -> None:
        self.played.append(action)


def load(state: Callable[[], Coins], monkeypatch: pytest.MonkeyPatch) -> peers.PlayOne:
    game = SimpleNamespace(new_initial_state=state)
    fake = SimpleNamespace(load_game={"coins": game}.__getitem__)
    monkeypatch.setitem(sys.modules, "pyspiel", fake)
    return peers.open_spiel("coins")


def test_chance_is_drawn_but_not_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    played: list[Coins] = []

    def state() -> Coins:
        played.append(Coins())
        return played[-1]

    tally = peers.play_games(load(state, monkeypatch), 2)
    assert [one.played for one in played] == 2 * [[2, 7, 2, 7, 2, 7]]
    assert (tally.games, tally.decisions, tally.cut) == (2, 6, 0)


def test_a_game_without_end_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(peers, "MOST_STEPS", 100)
    with pytest.raises(SystemExit, match="did not end in 100 steps"):
        peers.play_games(load(lambda: Coins(float("inf")), monkeypatch), 1)


def test_copies_are_timed(monkeypatch: pytest.MonkeyPatch) -> None:
    clones: list[State] = []
    monkeypatch.setattr(beside, "CLONES", 10)
    monkeypatch.setattr(State, "clone", lambda state: clones.append(state))
    beside.clone_time()
    assert len(clones) == 10 * measure.ROUNDS


# ---------------------------------------------------------------- code for other processors


def test_processors_are_compared_with_this_one() -> None:
    results = {
        processors.HERE: {"rules: decisions/s": 4000.0, "search: simulations/s": 200.0},
        "x86-64-v3": processors.best_of(
            [
                {"rules: decisions/s": 3920.0, "search: simulations/s": 150.0},
                {"rules: decisions/s": 3800.0, "search: simulations/s": 170.0},
            ]
        ),
    }
    assert processors.table(results).splitlines() == [
        "| code for | rules: decisions/s | search: simulations/s |",
        "| --- | ---: | ---: |",
        "| this processor | 4,000 | 200 |",
        "| x86-64-v3 | 3,920 (-2%) | 170 (-15%) |",
    ]


def test_code_for_another_processor_is_asked_for_as_in_the_image() -> None:
    dockerfile = (Path(__file__).parents[2] / "Dockerfile").read_text("utf-8")
    env = processors.environment("x86-64-v3")
    assert (env["NUMBA_CPU_NAME"], env["NUMBA_CPU_FEATURES"]) == ("x86-64-v3", "")
    assert "NUMBA_CPU_NAME=${CPU}" in dockerfile
    assert 'NUMBA_CPU_FEATURES=""' in dockerfile
