"""Many games in step are those of single environments, reward by reward."""

from __future__ import annotations

import warnings
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import data_equivalence
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from gymnasium.wrappers.vector import RecordEpisodeStatistics

import coatl.env.gym
from coatl.encode.meanings import N_ACTIONS
from coatl.env.vector import CoatlVectorEnv

GAMES = 4
KINDS: list[dict[str, Any]] = [
    {"solo": (1,), "rewards": "margin"},
    {"players": 3, "seat": 2},
    {"players": 2, "bot": "novice", "rewards": {"points": 1.0, "open_points": 0.5}},
]


def some_actions(masks: Any, chooser: np.random.Generator, illegal: float) -> Any:
    """A random legal action for each row, or now and then any action at all."""
    legal = [chooser.choice(np.flatnonzero(mask)) for mask in masks]
    return np.where(chooser.random(len(masks)) < illegal, chooser.integers(N_ACTIONS), legal)


@pytest.mark.parametrize("arguments", KINDS, ids=["solo", "random", "novice"])
def test_the_games_are_those_of_single_environments(arguments: dict[str, Any]) -> None:
    singles = SyncVectorEnv(
        [lambda: coatl.env.gym.CoatlEnv(**arguments)] * GAMES,
        autoreset_mode=AutoresetMode.SAME_STEP,
    )
    together = gymnasium.make_vec("Coatl-v0", num_envs=GAMES, **arguments)
    assert isinstance(together.unwrapped, CoatlVectorEnv)
    assert together.single_observation_space == singles.single_observation_space
    assert together.observation_space == singles.observation_space
    assert together.action_space == singles.action_space
    one, other = singles.reset(seed=5), together.reset(seed=5)
    chooser, ended = np.random.default_rng(2), 0
    for _ in range(600):
        assert data_equivalence(one, other)
        assert other[0] in together.observation_space
        actions = some_actions(other[0]["action_mask"], chooser, 0.02)
        one, other = singles.step(actions), together.step(actions)
        ended += int(other[2].sum())
        if ended > GAMES:
            break
    assert ended > GAMES  # so some games were the second of their place
    assert data_equivalence(singles.reset(), together.reset())


def test_a_list_of_seeds_is_one_for_each_game() -> None:
    envs = CoatlVectorEnv(3, solo=())
    by_number, _ = envs.reset(seed=7)
    by_list, _ = envs.reset(seed=[7, 8, 9])
    assert data_equivalence(by_number, by_list)
    unseeded, _ = envs.reset(seed=[7, None, 9])
    assert (unseeded["observation"][::2] == by_list["observation"][::2]).all()
    with pytest.raises(ValueError, match="2 seeds for 3 games"):
        envs.reset(seed=[1, 2])


def test_copies_are_the_callers() -> None:
    for copy in (True, False):
        envs = CoatlVectorEnv(2, solo=(), copy=copy)
        first, _ = envs.reset(seed=1)
        kept = first["observation"].copy()
        envs.step(first["action_mask"].argmax(1))
        assert (first["observation"] == kept).all() == copy


def test_wrappers_of_gymnasium_count_the_games() -> None:
    envs = RecordEpisodeStatistics(CoatlVectorEnv(GAMES, players=2))
    observation, _ = envs.reset(seed=3)
    chooser = np.random.default_rng(3)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        while envs.episode_count < GAMES:
            actions = some_actions(observation["action_mask"], chooser, 0)
            observation, _, over, _, infos = envs.step(actions)
            if over.any():
                assert set(infos["episode"]["r"][over]) <= {-1.0, 0.0, 1.0}
                assert (infos["final_info"]["points"][over, :2] >= 0).all()


def test_actions_that_are_none_are_refused_and_change_nothing() -> None:
    envs = CoatlVectorEnv(2, solo=(), render_mode="ansi")
    with pytest.raises(ValueError, match="call reset first"):
        envs.step([0, 0])
    before, _ = envs.reset(seed=1)
    for actions, reason in (
        ([0, N_ACTIONS], "an action is from 0 to"),
        ([-1, 0], "an action is from 0 to"),
        ([0], "an action for each of 2 games"),
    ):
        with pytest.raises(ValueError, match=reason):
            envs.step(actions)
    with pytest.raises(TypeError, match="actions are whole numbers"):
        envs.step([0.0, 1.0])
    shown = envs.render()
    assert shown is not None
    assert len(shown) == 2
    assert all("Setup" in text for text in shown)
    assert envs._batch is not None
    assert data_equivalence(envs._observation(envs._batch), before)
