"""Which of two networks plays: solo games have one of their own."""

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
def two(tmp_path_factory: pytest.TempPathFactory) -> Policy:
    """Small networks that differ, the second one for solo."""
    folder = tmp_path_factory.mktemp("weights")
    paths = [folder / "usual.npz", folder / "solo.npz"]
    for seed, path in enumerate(paths):
        save_random_policy(path, seed=seed)
    usual, solo = map(load_policy, paths)
    return replace(usual, solo=solo)


def solo_game(levels: tuple[int, ...]) -> Game:
    return Game.new(solo=levels, seed=3)


@pytest.mark.parametrize("levels", [(), (4,), (1, 2, 3, 4, 5)], ids=str)
def test_solo_has_a_network_of_its_own(two: Policy, levels: tuple[int, ...]) -> None:
    chosen = NetworkChoice(two).of(solo_game(levels).view(0))
    assert two.solo is not None
    assert np.array_equal(chosen.matrices, two.solo.matrices)


def test_games_with_others_have_the_usual_one(two: Policy) -> None:
    choice = NetworkChoice(two)
    for players in (2, 3, 4):
        assert choice.of(Game.new(players=players, seed=3).view(0)) is choice.usual


def test_a_network_without_another_plays_everything(two: Policy) -> None:
    choice = NetworkChoice(replace(two, solo=None))
    assert choice.of(solo_game((4,)).view(0)) is choice.usual


@pytest.mark.skipif(DISABLED, reason="the network needs compiled code")
def test_players_change_the_network_with_the_game(two: Policy) -> None:
    """The server lends one player to many tables."""
    assert two.solo is not None
    evaluator, only_solo = ViewEvaluator(two), ViewEvaluator(two.solo)
    usual = ViewEvaluator(replace(two, solo=None))
    alone, together = solo_game((4,)), Game.new(players=2, seed=3)
    for game, expected in ((alone, only_solo), (together, usual), (alone, only_solo)):
        view = game.view(game.seat)
        evaluator.observe(view)
        expected.observe(view)
        assert np.array_equal(evaluator.evaluate()[0], expected.evaluate()[0])


@pytest.mark.skipif(DISABLED, reason="the network needs compiled code")
def test_a_search_asks_the_network_of_the_game(two: Policy) -> None:
    assert two.solo is not None
    settings = SearchSettings(simulations=4, scenarios=2)
    view = solo_game((4,)).view(0)
    visits = []
    for policy in (two, two.solo, replace(two, solo=None)):
        player = SearchPlayer(new_chance(1), policy, settings)
        player.choose(view, view.moves)
        visits.append(player._searches[0].visits())
    assert visits[0] == visits[1] != visits[2]


def test_both_networks_are_shipped_and_one_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(ENVIRONMENT, raising=False)
    shipped = load_policy()
    assert shipped.solo is not None
    assert (shipped.path, shipped.solo.path) == (SHIPPED, SHIPPED_SOLO)
    assert load_policy(SHIPPED).solo is None
    save_random_policy(tmp_path / "mine.npz")
    monkeypatch.setenv(ENVIRONMENT, str(tmp_path / "mine.npz"))
    assert load_policy().solo is None


def test_without_the_second_file_a_line_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(ENVIRONMENT, raising=False)
    monkeypatch.setattr("coatl.net.weights.SHIPPED_SOLO", tmp_path / "none.npz")
    with pytest.raises(WeightsError, match=r"^there is no weights file .*none\.npz$"):
        load_policy()
