"""Which of several networks plays: solo has one of its own, and so have three or four players."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from coatl.compiler.functions import DISABLED
from coatl.game import Game
from coatl.net.choice import NetworkChoice
from coatl.net.weights import (
    ENVIRONMENT,
    SHIPPED,
    SHIPPED_MANY,
    SHIPPED_SOLO,
    Policy,
    WeightsError,
    load_policy,
    save_random_policy,
)
from coatl.players.network import ViewEvaluator
from coatl.players.search import SearchPlayer
from coatl.rules.chance import new_chance
from coatl.search.settings import SearchSettings


@pytest.fixture(scope="module")
def three(tmp_path_factory: pytest.TempPathFactory) -> Policy:
    """Small networks that differ: the usual one, one for solo, one for three or four players."""
    folder = tmp_path_factory.mktemp("weights")
    paths = [folder / f"{name}.npz" for name in ("usual", "solo", "many")]
    for seed, path in enumerate(paths):
        save_random_policy(path, seed=seed)
    usual, solo, many = map(load_policy, paths)
    return replace(usual, solo=solo, many=many)


def solo_game(levels: tuple[int, ...]) -> Game:
    return Game.new(solo=levels, seed=3)


@pytest.mark.parametrize("levels", [(), (4,), (1, 2, 3, 4, 5)], ids=str)
def test_solo_has_a_network_of_its_own(three: Policy, levels: tuple[int, ...]) -> None:
    chosen = NetworkChoice(three).of(solo_game(levels).view(0))
    assert three.solo is not None
    assert np.array_equal(chosen.matrices, three.solo.matrices)


@pytest.mark.parametrize("players", [3, 4])
def test_three_and_four_players_have_a_network_of_their_own(three: Policy, players: int) -> None:
    chosen = NetworkChoice(three).of(Game.new(players=players, seed=3).view(0))
    assert three.many is not None
    assert np.array_equal(chosen.matrices, three.many.matrices)


def test_two_players_have_the_usual_one(three: Policy) -> None:
    choice = NetworkChoice(three)
    assert choice.of(Game.new(players=2, seed=3).view(0)) is choice.usual


def test_a_network_is_made_once(three: Policy) -> None:
    choice, view = NetworkChoice(three), Game.new(players=4, seed=3).view(0)
    assert choice.of(view) is choice.of(view)


@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_a_network_without_others_plays_everything(three: Policy, players: int) -> None:
    choice = NetworkChoice(replace(three, solo=None, many=None))
    game = solo_game((4,)) if players == 1 else Game.new(players=players, seed=3)
    assert choice.of(game.view(0)) is choice.usual


@pytest.mark.skipif(DISABLED, reason="the network needs compiled code")
def test_players_change_the_network_with_the_game(three: Policy) -> None:
    """The server lends one player to many tables."""
    assert three.solo is not None
    assert three.many is not None
    evaluator = ViewEvaluator(three)
    usual = ViewEvaluator(replace(three, solo=None, many=None))
    solo, many = ViewEvaluator(three.solo), ViewEvaluator(three.many)
    alone, pair = solo_game((4,)), Game.new(players=2, seed=3)
    table = Game.new(players=3, seed=3)
    for game, expected in ((alone, solo), (pair, usual), (table, many), (alone, solo)):
        view = game.view(game.seat)
        evaluator.observe(view)
        expected.observe(view)
        assert np.array_equal(evaluator.evaluate()[0], expected.evaluate()[0])


@pytest.mark.skipif(DISABLED, reason="the network needs compiled code")
def test_a_search_asks_the_network_of_the_game(three: Policy) -> None:
    assert three.solo is not None
    settings = SearchSettings(simulations=4, scenarios=2)
    view = solo_game((4,)).view(0)
    visits = []
    for policy in (three, three.solo, replace(three, solo=None)):
        player = SearchPlayer(new_chance(1), policy, settings)
        player.choose(view, view.moves)
        visits.append(player._searches[0].visits())
    assert visits[0] == visits[1] != visits[2]


def test_three_networks_are_shipped_and_one_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(ENVIRONMENT, raising=False)
    shipped = load_policy()
    assert shipped.solo is not None
    assert shipped.many is not None
    paths = (shipped.path, shipped.solo.path, shipped.many.path)
    assert paths == (SHIPPED, SHIPPED_SOLO, SHIPPED_MANY)
    save_random_policy(tmp_path / "mine.npz")
    monkeypatch.setenv(ENVIRONMENT, str(tmp_path / "mine.npz"))
    for single in (load_policy(SHIPPED), load_policy()):
        assert (single.solo, single.many) == (None, None)


@pytest.mark.parametrize("missing", ["SHIPPED_SOLO", "SHIPPED_MANY"])
def test_without_the_other_files_a_line_says_so(
    missing: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(ENVIRONMENT, raising=False)
    monkeypatch.setattr(f"coatl.net.weights.{missing}", tmp_path / "none.npz")
    with pytest.raises(WeightsError, match=r"^there is no weights file .*none\.npz$"):
        load_policy()
