"""The wrappers pass the conformance tests of PettingZoo and Gymnasium."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, seed_test

from coatl.env.aec import CoatlAEC
from coatl.env.gym import CoatlEnv


@pytest.mark.parametrize("players", [2, 3, 4])
def test_pettingzoo_conformance(players: int) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # its advice, such as on the values of observations
        api_test(CoatlAEC(players), num_cycles=300)


def test_pettingzoo_seeds() -> None:
    seed_test(lambda: CoatlAEC(2, promo=True), num_cycles=100)


def test_an_agent_may_not_do_what_is_illegal() -> None:
    env = CoatlAEC(2)
    env.reset(seed=1)
    illegal = int(np.flatnonzero(env.observe(env.agent_selection)["action_mask"] == 0)[0])
    with pytest.raises(ValueError, match="may not do that now"):
        env.step(illegal)


@pytest.mark.parametrize(
    "env",
    [
        CoatlEnv(solo=()),
        CoatlEnv(solo=(1, 5), promo=True),
        CoatlEnv(2, "random", seat=1),
        CoatlEnv(3, "greedy", fewer_bodies=True),
    ],
    ids=["solo", "levels", "random", "greedy"],
)
def test_gymnasium_conformance(env: CoatlEnv) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        check_env(env, skip_render_check=True)


def test_a_whole_game_against_a_bot() -> None:
    env = CoatlEnv(2, "random", seat=1)
    observation, _ = env.reset(seed=4)
    chooser, over, total = np.random.default_rng(0), False, 0.0
    while not over:
        action = chooser.choice(np.flatnonzero(observation["action_mask"]))
        observation, reward, over, _, info = env.step(action)
        total += reward
    assert total in (-1.0, 0.0, 1.0)
    assert len(info["points"]) == 4


def test_an_illegal_action_changes_nothing() -> None:
    env = CoatlEnv(solo=())
    before, _ = env.reset(seed=2)
    after, reward, over, cut, info = env.step(int(np.flatnonzero(before["action_mask"] == 0)[0]))
    assert (reward, over, cut, info["illegal"]) == (-0.01, False, False, True)
    assert after["observation"].tobytes() == before["observation"].tobytes()
