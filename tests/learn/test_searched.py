"""Learning from whole games that are played with a search."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from coatl.encode import layout as at
from coatl.env.modes import ALL_LEVELS
from coatl.learn import checkpoint
from coatl.learn.net import WIN as NET_WIN
from coatl.learn.net import Net
from coatl.learn.searched import command, games
from coatl.learn.searched.games import (
    POINTS,
    SEARCHED,
    WIN,
    Examples,
    Player,
    PlaySettings,
    joined,
    load,
    play,
    save,
)
from coatl.learn.searched.study import Study, StudySettings, losses
from coatl.learn.settings import NetSize
from coatl.net.weights import SHIPPED_SOLO, Policy, load_policy

SHORT = PlaySettings(simulations=12, scenarios=2, levels="base", games=2)
SMALL = NetSize(32, 1, 16, 8, 8)
CPU = torch.device("cpu")


def player(seed: str = "a", **changes: Any) -> Player:
    return Player(load_policy(SHIPPED_SOLO), replace(SHORT, **changes), seed)


@pytest.fixture(scope="module")
def game() -> Examples:
    return player().play("one")


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """A network that has learnt nothing yet."""
    torch.manual_seed(1)
    path = tmp_path / "small.npz"
    checkpoint.save_policy(path, Net(SMALL), {})
    return path


def test_examples_are_positions_with_a_choice_and_how_the_game_ended(game: Examples) -> None:
    assert len(game.masks) > 20
    assert (game.masks.sum(1) > 1).all()
    assert (game.shares[game.masks == 0] == 0).all()
    assert (abs(game.shares.sum(1, dtype=np.int64) - 255) <= game.masks.sum(1)).all()
    assert game.outcomes[0, WIN] in (0, 1)
    assert np.all(game.outcomes[:, [WIN, POINTS]] == game.outcomes[0, [WIN, POINTS]])
    assert ((game.outcomes[:, SEARCHED] >= 0) & (game.outcomes[:, SEARCHED] <= 1)).all()


def test_searches_guess_before_the_last_action_and_know_at_the_end(game: Examples) -> None:
    assert len(np.unique(game.outcomes[:, SEARCHED])) > 10


def test_a_name_gives_the_same_game(game: Examples) -> None:
    again, other = player().play("one"), player("b").play("two")
    for ours, theirs in zip(game, again, strict=True):
        assert np.array_equal(np.asarray(ours), np.asarray(theirs))
    assert not np.array_equal(game.observations, other.observations)


def test_levels_take_turns() -> None:
    someone = player(levels="base,12345", simulations=2)
    levels = {
        tuple(someone.play(str(number)).observations[0, at.LEVELS : at.LEVELS + len(ALL_LEVELS)])
        for number in range(6)
    }
    assert levels == {(0,) * 5, (1,) * 5}


def test_now_and_then_another_move_is_tried() -> None:
    someone = player(wander=1.0)
    shares = np.array([0.5, 0.5, 0.0])
    assert {someone._choose(shares) for _ in range(50)} == {0, 1}
    someone = player(wander=0.0)
    assert {someone._choose(np.array([0.2, 0.5, 0.3])) for _ in range(50)} == {1}


def test_a_file_keeps_the_examples(game: Examples, tmp_path: Path) -> None:
    save(joined([game, game]), tmp_path / "games.npz")
    for kept, first in zip(load(tmp_path / "games.npz"), game, strict=True):
        assert np.array_equal(np.asarray(kept), np.concatenate([first, first]))
    assert [path.name for path in tmp_path.iterdir()] == ["games.npz"]
    save(game._replace(observations=game.observations[:, 1:]), tmp_path / "old.npz")
    with pytest.raises(ValueError, match="another layout"):
        load(tmp_path / "old.npz")


def test_players_follow_the_network_and_keep_what_was_played(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[Path] = []

    def note(path: Path) -> Policy:
        read.append(path)
        return load_policy(path)

    monkeypatch.setattr(games, "load_policy", note)
    for _ in range(2):
        play(SHIPPED_SOLO, tmp_path, replace(SHORT, simulations=2), "me", 0, print)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["me-0.npz", "me-1.npz"]
    assert read == [SHIPPED_SOLO] * 2
    first, second = (load(tmp_path / f"me-{number}.npz") for number in (0, 1))
    assert not np.array_equal(first.observations, second.observations)


def first_of(game: Examples, n: int) -> Examples:
    return Examples(
        game.observations[:n].copy(), game.masks[:n], game.shares[:n], game.outcomes[:n]
    )


def study(folder: Path, small: Path, **changes: Any) -> Study:
    settings = StudySettings(once=True, batch=32, warm_up=1, learning_rate=3e-3, kept=2000)
    out = small.with_name("learnt.npz")
    return Study(small, folder, out, replace(settings, **changes), CPU, lambda _: None)


def test_a_network_comes_nearer_to_the_searches(
    game: Examples, tmp_path: Path, small: Path
) -> None:
    folder = tmp_path / "games"
    folder.mkdir()
    save(game, folder / "a.npz")
    learning = study(folder, small, reuse=30.0)
    learning._take_files()
    drawn = learning.memory.parts(1000)[0]
    before = losses(learning.mean, drawn, 0.5)
    learning.run()
    learnt = checkpoint.load_policy(small.with_name("learnt.npz"), CPU)
    after = losses(learnt, drawn, 0.5)
    assert after.policy < 0.8 * before.policy
    assert after.win < 0.7 * before.win
    assert after.points < 0.5 * before.points
    notes = load_policy(small.with_name("learnt.npz")).about["searched"]
    assert notes == {"examples": len(game.masks), "steps": learning.steps}


def test_a_value_is_between_the_result_and_the_guess(game: Examples, small: Path) -> None:
    net = checkpoint.load_policy(small, CPU)
    columns = [torch.from_numpy(np.array(column)) for column in game]
    columns[3][:, WIN], columns[3][:, SEARCHED] = 1.0, 0.0
    with torch.no_grad():
        sure, half, wrong = (losses(net, tuple(columns), guess) for guess in (0.0, 0.5, 1.0))
        lost = net(columns[0])[1][:, NET_WIN].exp().log1p().mean()
    assert float(half.win) == pytest.approx(float(sure.win + wrong.win) / 2)
    assert float(wrong.win) == pytest.approx(float(lost), rel=1e-4)
    assert float(wrong.result) == pytest.approx(float(sure.win))


def test_the_oldest_examples_make_room(game: Examples, tmp_path: Path, small: Path) -> None:
    learning = study(tmp_path, small, kept=len(game.masks))
    learning.memory.add(game)
    nothing = first_of(game, 5)
    nothing.observations[:] = 0
    learning.memory.add(nothing)
    assert learning.memory.total == len(game.masks) + 5
    observations = learning.memory.columns[0]
    assert not observations[:5].any()
    assert observations[5:].any(1).all()


def test_some_games_are_for_tests_alone(game: Examples, tmp_path: Path, small: Path) -> None:
    folder = tmp_path / "games"
    folder.mkdir()
    for number in range(20):
        save(first_of(game, 3), folder / f"{number}.npz")
    learning = study(folder, small)
    learning._take_files()
    assert (learning.memory.total, learning.tests.total) == (57, 3)
    assert learning.test(learning.net) is not None


def test_without_games_there_is_nothing_to_learn(tmp_path: Path, small: Path) -> None:
    with pytest.raises(ValueError, match="no games to learn from"):
        study(tmp_path / "nothing", small).run()


def run_command(monkeypatch: pytest.MonkeyPatch, *arguments: object) -> None:
    monkeypatch.setattr(sys, "argv", ["searched", *map(str, arguments)])
    command.main()


def test_the_command_plays_and_learns(
    tmp_path: Path, small: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder, out = tmp_path / "games", tmp_path / "out.npz"
    common = ("--start", small, "--out", out, "--games", folder)
    setting = ("--set", "simulations=2", "--set", "games=1", "--set", "levels=base")
    run_command(monkeypatch, *common, "--only-play", "--minutes", 0, *setting)
    assert [path.name for path in folder.iterdir()] == ["run-0-0.npz"]
    run_command(monkeypatch, *common, "--processes", 0, "--set", "once=yes", "--set", "batch=16")
    assert "examples" in capsys.readouterr().out
    assert load_policy(out).about["searched"]["steps"] > 0


def test_what_the_command_does_not_know(
    tmp_path: Path, small: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    common = ("--start", small, "--out", tmp_path / "out.npz")
    for only in ((), ("--only-play", "--games", tmp_path / "games")):
        with pytest.raises(SystemExit, match="there is no setting colour"):
            run_command(monkeypatch, *common, *only, "--set", "colour=red")
    with pytest.raises(SystemExit):
        run_command(monkeypatch, *common, "--only-play")
    with pytest.raises(SystemExit, match="base, any or digits such as 135, not '6'"):
        run_command(monkeypatch, *common, "--set", "levels=base,6")
    with pytest.raises(SystemExit, match="there is no weights file nowhere"):
        run_command(monkeypatch, "--start", "nowhere.npz", *common[2:])
    with pytest.raises(SystemExit, match="another file than --start"):
        run_command(monkeypatch, "--start", small, "--out", small)


def test_a_player_that_breaks_ends_the_run(
    game: Examples, tmp_path: Path, small: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Rather than waiting for its games until the time is up."""
    monkeypatch.setattr(command, "play_for", no_player)
    monkeypatch.setattr("coatl.compiler.jit.load_packages", lambda *_: None)
    folder = tmp_path / "games"
    common = ("--start", small, "--out", tmp_path / "out.npz", "--games", folder)
    with pytest.raises(SystemExit, match="a process that plays has ended with status 3"):
        run_command(monkeypatch, *common, "--minutes", 60)


def no_player(*_: object) -> None:
    sys.exit(3)


def test_settings_are_of_the_right_type() -> None:
    overrides = {"games": "3", "levels": "1", "wander": "0.5", "other": "x"}
    changed = command.changed(SHORT, overrides)
    assert (changed.games, changed.levels, changed.wander) == (3, "1", 0.5)
    assert overrides == {"other": "x"}
