"""The players that follow the network."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from coatl.compiler.functions import DISABLED
from coatl.env.batch import Batch
from coatl.env.modes import training_mix
from coatl.env.seats import view_of
from coatl.game import Game
from coatl.net.weights import ENVIRONMENT, Policy, WeightsError, load_policy, save_random_policy
from coatl.options import Options
from coatl.players.network import (
    APPRENTICE,
    NOVICE,
    NetworkPlayer,
    Strength,
    ViewEvaluator,
)
from coatl.rules.cards import Deck, standard_deck
from coatl.rules.chance import new_chance
from coatl.simulate import play_out
from tests.players.small_network import MODES, new_game, small_policy, views_of_two_truths

pytestmark = pytest.mark.skipif(DISABLED, reason="the network needs compiled code")


@pytest.fixture(scope="module")
def policy(tmp_path_factory: pytest.TempPathFactory) -> Policy:
    return small_policy(tmp_path_factory.mktemp("weights"))


def test_the_environment_names_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "mine.npz"
    monkeypatch.setenv(ENVIRONMENT, str(path))
    with pytest.raises(WeightsError, match="mine"):
        NetworkPlayer(new_chance(1))
    save_random_policy(path)
    assert load_policy().path == path
    NetworkPlayer(new_chance(1))


# ---------------------------------------------------------------- what it sees


def test_a_view_gives_the_observation_of_training(policy: Policy) -> None:
    """The environment caches what cards read on Cóatl; a player has nothing but the view."""
    batch, evaluator = Batch(training_mix(12, 5), "views"), ViewEvaluator(policy)
    batch.reset()
    actions = np.zeros(batch.n, np.int16)
    for step in range(300):
        game = step % batch.n
        legal = evaluator.observe(view_of(batch, game))
        assert evaluator.observation.tobytes() == batch.observations[game].tobytes()
        assert legal.tolist() == np.flatnonzero(batch.masks[game]).tolist()
        batch.random_actions(actions)
        batch.step(actions)


def test_the_network_knows_the_standard_cards_only(policy: Policy) -> None:
    cards = standard_deck()
    game = Game.new(players=2, deck=Deck(cards.prophecies[::-1], cards.temples), seed=1)
    with pytest.raises(ValueError, match="the network knows the standard cards only"):
        ViewEvaluator(policy).observe(game.view(0))


# ---------------------------------------------------------------- the players


@pytest.mark.parametrize(
    "strength", [Strength(), APPRENTICE, NOVICE], ids=["artisan", "apprentice", "novice"]
)
def test_it_is_fixed_by_its_seed_and_blind_to_hidden_cards(
    policy: Policy, strength: Strength
) -> None:
    for step, view, other in views_of_two_truths(60, "blind"):
        choices = [
            NetworkPlayer(new_chance("n", stream=step), policy, strength).choose(seen, seen.moves)
            for seen in (view, other)
        ]
        assert choices[0] == choices[1]


@pytest.mark.parametrize("options", MODES, ids=str)
def test_it_plays_every_mode_and_a_seed_fixes_the_game(policy: Policy, options: Options) -> None:
    results = []
    for _ in range(2):
        game = new_game(options, "modes")
        strengths = [NOVICE, APPRENTICE, Strength(), Strength(1.0)]
        players = [
            NetworkPlayer(new_chance(seat), policy, strengths[seat])
            for seat in range(options.players)
        ]
        results.append(play_out(game, players))
    assert results[0] == results[1]


def test_a_temperature_wavers_but_never_blunders(policy: Policy) -> None:
    view = Game.new(players=2, seed="waver").view(0)
    sure = NetworkPlayer(new_chance(1), policy).choose(view, view.moves)
    for strength, least, most in ((Strength(3.0), 2, 99), (Strength(3.0, blunder=1.0), 1, 1)):
        player = NetworkPlayer(new_chance(1), policy, strength)
        chosen = {player.choose(view, view.moves).text for _ in range(30)}
        assert least <= len(chosen) <= most
        assert sure.text in chosen


def test_a_deck_of_ones_own_is_left_to_greedy(policy: Policy) -> None:
    game = Game.new(players=2, seed=1)
    view = game.view(0)
    view.deck = replace(view.deck, prophecies=view.deck.prophecies[::-1])
    move = NetworkPlayer(new_chance(1), policy).choose(view, view.moves)
    assert move in view.moves
