"""The wrappers pass the conformance tests of PettingZoo and Gymnasium."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, seed_test

from coatl.encode.meanings import N_ACTIONS
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


WRONG = [
    (-1, ValueError, "an action is from 0 to"),
    (N_ACTIONS, ValueError, "an action is from 0 to"),
    (2**70, ValueError, "an action is from 0 to"),
    (3.0, TypeError, "an action is a whole number"),
    (None, TypeError, "an action is a whole number"),
    (np.array([1, 2]), TypeError, "an action is a whole number"),
]


@pytest.mark.parametrize(("action", "kind", "reason"), WRONG, ids=repr)
def test_an_action_is_one_of_the_action_space(
    action: Any, kind: type[Exception], reason: str
) -> None:
    agents, env = CoatlAEC(2), CoatlEnv(solo=())
    agents.reset(seed=1)
    before, _ = env.reset(seed=1)
    for one in (agents, env):
        with pytest.raises(kind, match=reason):
            one.step(action)
    assert env._observation()["observation"].tobytes() == before["observation"].tobytes()


def test_reset_comes_first_and_after_the_end() -> None:
    agents, env = CoatlAEC(2), CoatlEnv(2)
    for one in (agents, env):
        with pytest.raises(ValueError, match="no game is under way: call reset first"):
            one.step(0)
    observation, _ = env.reset(seed=5)
    over = False
    while not over:
        legal = np.flatnonzero(observation["action_mask"])
        observation, _, over, _, _ = env.step(legal[-1])
    with pytest.raises(ValueError, match="call reset first"):
        env.step(int(np.flatnonzero(observation["action_mask"])[0]))
    agents.reset(seed=5)
    while agents.agents:
        seen = agents.observe(agents.agent_selection)["action_mask"]
        over = agents.terminations[agents.agent_selection]
        agents.step(None if over else int(np.flatnonzero(seen)[-1]))
    with pytest.raises(ValueError, match="call reset first"):
        agents.step(0)


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
