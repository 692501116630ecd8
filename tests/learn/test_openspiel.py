"""OpenSpiel's own tests of a game, and its search with our sampler."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pyspiel
import pytest
from open_spiel.python import rl_environment
from open_spiel.python.algorithms import ismcts, mcts
from open_spiel.python.observation import make_observation

import coatl.env.openspiel
from coatl.encode.layout import N_OBSERVED
from coatl.rules.pieces import BODY, N_COLOURS
from coatl.rules.state import MAX_PLAYERS

GAMES = [
    "python_coatl",
    "python_coatl(players=3,promo=True,tokens=False)",
    "python_coatl(players=4)",
    "python_coatl(players=2,fewer_bodies=True)",
    "python_coatl(players=1)",
    "python_coatl(players=1,levels=135,promo=True)",
]


def play(state: Any, chooser: np.random.RandomState, decisions: int | None = None) -> Any:
    """At random until so many decisions were made, or to the end."""
    while not state.is_terminal():
        if state.is_chance_node():
            results, odds = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(chooser.choice(results, p=odds))
        elif decisions == 0:
            break
        else:
            state.apply_action(chooser.choice(state.legal_actions()))
            decisions = None if decisions is None else decisions - 1
    return state


@pytest.mark.parametrize("name", GAMES)
def test_random_sim_test_passes(name: str) -> None:
    game = pyspiel.load_game(name)
    pyspiel.random_sim_test(game, num_sims=2, serialize=True, verbose=False)


def test_it_is_registered_with_its_players() -> None:
    assert "python_coatl" in pyspiel.registered_names()
    assert coatl.env.openspiel.PARAMETERS["players"] == 2
    kind = pyspiel.load_game("python_coatl").get_type()
    assert (kind.min_num_players, kind.max_num_players) == (1, MAX_PLAYERS)
    assert kind.chance_mode == pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC
    for wrong in ("players=5", "levels=3", "players=1,levels=9"):
        with pytest.raises(Exception, match=r"players|levels"):
            pyspiel.load_game(f"python_coatl({wrong})")


@pytest.mark.parametrize("name", GAMES)
def test_pickles_are_equal(name: str) -> None:
    game = pyspiel.load_game(name)
    assert str(pickle.loads(pickle.dumps(game))) == str(game)
    chooser = np.random.RandomState(2)
    for state in (game.new_initial_state(), play(game.new_initial_state(), chooser, 9)):
        twin = pickle.loads(pickle.dumps(state))
        assert twin.played == state.played
        assert twin.history() == state.history()
        assert str(twin) == str(state)
        assert twin.serialize() == state.serialize()
    ended = play(twin, chooser)
    assert not state.is_terminal()
    assert ended.is_terminal()
    assert pickle.loads(pickle.dumps(ended)).returns() == ended.returns()


@pytest.mark.parametrize("name", GAMES)
def test_returns_are_those_of_the_game(name: str) -> None:
    game = pyspiel.load_game(name)
    for seed in range(3):
        state = play(game.new_initial_state(), np.random.RandomState(seed))
        winners, returns = state.played.state.winners(), state.returns()
        if game.num_players() == 1:
            assert returns == [1.0 if 0 in winners else -1.0]
        else:
            assert sum(returns) == pytest.approx(0)
            best = [seat for seat, value in enumerate(returns) if value == max(returns)]
            assert tuple(best) == winners


def test_every_draw_is_a_chance_node_of_its_own() -> None:
    state = pyspiel.load_game("python_coatl").new_initial_state()
    assert state.chance_outcomes() == [(BODY + colour, 0.2) for colour in range(N_COLOURS)]
    second = state.child(BODY).chance_outcomes()  # C2: 24 of each of 5 colours, less the one drawn
    assert second == [(BODY, 23 / 119)] + [(BODY + colour, 24 / 119) for colour in range(1, 5)]
    draws = 0
    while state.is_chance_node():
        results, odds = zip(*state.chance_outcomes(), strict=True)
        assert sum(odds) == pytest.approx(1)
        state.apply_action(results[0])
        draws += 1
    # S1: 6 x 2 bodies, 2 heads, 2 tails; S3: two Temple cards each, two tops; S4: 6; S5: hands.
    hands = state.played.state.records["players"][0]["n_hand"][:2].sum()
    temples = state.played.state.records["players"][0]["n_temples"][:2].sum()
    assert draws == 12 + 2 + 2 + temples + 2 + 6 + hands
    assert state.action_to_string(state.current_player(), state.legal_actions()[0])


def test_observations_are_those_of_the_seat() -> None:
    game = pyspiel.load_game("python_coatl(players=3)")
    state = play(game.new_initial_state(), np.random.RandomState(1), 20)
    mover, observation = state.current_player(), make_observation(game)
    observation.set_from(state, mover)
    expected = state.played.state.observation().values
    assert observation.tensor.tolist() == expected.tolist()
    assert list(state.observation_tensor(mover)) == expected.tolist()
    assert game.observation_tensor_shape() == [N_OBSERVED]
    observation.set_from(state, (mover + 1) % 3)
    assert not observation.tensor.any()
    shown = state.observation_string((mover + 1) % 3)
    assert shown == state.played.state.view((mover + 1) % 3).to_json().decode()
    with pytest.raises(ValueError, match="no observer with perfect recall"):
        make_observation(game, pyspiel.IIGObservationType(perfect_recall=True))


def test_a_sampled_state_is_played_on_and_kept() -> None:
    state = play(
        pyspiel.load_game("python_coatl").new_initial_state(), np.random.RandomState(3), 12
    )
    mover = state.current_player()
    sampled = state.resample_from_infostate(mover, lambda: 0.3)
    other = state.resample_from_infostate(mover, lambda: 0.7)
    assert sampled.observation_string(mover) == state.observation_string(mover)
    assert sampled.legal_actions() == state.legal_actions()
    assert sampled.played != other.played
    assert pickle.loads(pickle.dumps(sampled)).played == sampled.played
    before = state.serialize()
    assert play(sampled.clone(), np.random.RandomState(4)).is_terminal()
    assert state.serialize() == before


@pytest.mark.parametrize("name", ["python_coatl", "python_coatl(players=1)"])
def test_ismcts_plays_it_with_our_sampler(name: str) -> None:
    """It checks at each simulation that the sampled state is one the player cannot tell apart."""
    game, chooser = pyspiel.load_game(name), np.random.RandomState(5)
    evaluator = mcts.RandomRolloutEvaluator(n_rollouts=1, random_state=chooser)
    bot = ismcts.ISMCTSBot(
        game, evaluator, uct_c=1.4, max_simulations=6, random_state=chooser,
        use_observation_string=True,
    )  # fmt: skip
    state = play(game.new_initial_state(), chooser, 0)
    for _ in range(12):
        action = bot.step(state)
        assert action in state.legal_actions()
        state.apply_action(action)
        play(state, chooser, 0)
        if state.is_terminal():
            break
    assert state.move_number() > 12


def test_an_environment_of_openspiel_is_made_of_it() -> None:
    env = rl_environment.Environment("python_coatl", enable_legality_check=True)
    env.seed(1)
    step, chooser = env.reset(), np.random.RandomState(1)
    while not step.last():
        mover = step.observations["current_player"]
        legal = step.observations["legal_actions"][mover]
        assert len(step.observations["info_state"][mover]) == N_OBSERVED
        step = env.step([chooser.choice(legal)])
    assert sum(step.rewards) == 0
