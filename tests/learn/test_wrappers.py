"""The wrappers pass the conformance tests of PettingZoo and Gymnasium."""

from __future__ import annotations

import warnings
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env, data_equivalence
from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, seed_test
from pettingzoo.test.render_test import render_test

from coatl.encode.meanings import N_ACTIONS
from coatl.env.aec import CoatlAEC
from coatl.env.gym import CoatlEnv
from coatl.env.parallel import WAIT, CoatlParallel


@pytest.mark.parametrize("players", [2, 3, 4])
def test_pettingzoo_conformance(players: int) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # its advice, such as on the values of observations
        api_test(CoatlAEC(players), num_cycles=300)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_pettingzoo_parallel_conformance(players: int) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # such as of agents that were given nothing
        parallel_api_test(CoatlParallel(players), num_cycles=1500)


def test_pettingzoo_seeds() -> None:
    seed_test(lambda: CoatlAEC(2, promo=True), num_cycles=100)
    parallel_seed_test(lambda: CoatlParallel(3), num_cycles=100)


def test_pettingzoo_rendering(capsys: pytest.CaptureFixture[str]) -> None:
    render_test(CoatlAEC, {"svg": lambda drawn: drawn.startswith("<svg")})
    assert "Supply" in capsys.readouterr().out


def last_action(mask: Any) -> int:
    return int(np.flatnonzero(mask)[-1])


@pytest.mark.parametrize("rewards", ["win", "points", "margin", {"win": 2.0, "points": 0.5}])
def test_both_pettingzoo_environments_play_the_same_game(rewards: Any) -> None:
    """With the same actions, observations and rewards, which are those that were chosen."""
    turns, parallel = CoatlAEC(3, rewards=rewards), CoatlParallel(3, rewards=rewards)
    turns.reset(seed=11)
    seen, _ = parallel.reset(seed=11)
    chooser, totals = np.random.default_rng(1), dict.fromkeys(parallel.agents, 0.0)
    while parallel.agents:
        mover, mask = turns.agent_selection, turns.observe(turns.agent_selection)["action_mask"]
        assert [a for a in parallel.agents if not seen[a]["action_mask"][WAIT]] == [mover]
        assert seen[mover]["observation"].tobytes() == turns.observe(mover)["observation"].tobytes()
        assert seen[mover]["action_mask"][:WAIT].tobytes() == mask.tobytes()
        action = int(chooser.choice(np.flatnonzero(mask)))
        others = {agent: WAIT for agent in parallel.agents if agent != mover}
        seen, gained, over, _, infos = parallel.step({mover: action} | others)
        turns.step(action)
        assert gained == turns.rewards
        totals = {agent: totals[agent] + gained[agent] for agent in totals}
    assert over == turns.terminations
    assert infos == turns.infos
    points = np.array([infos[agent]["points"] for agent in totals])
    expected = {"points": points, "margin": points - (points.sum() - points) / 2}
    if isinstance(rewards, str) and rewards in expected:
        assert np.allclose(list(totals.values()), expected[rewards], atol=1e-4)
    best = points == points.max()
    if rewards == "win" and best.sum() == 1:
        assert np.allclose(list(totals.values()), np.where(best, 1.0, -0.5))
    assert any(totals.values())


def test_rewards_that_there_are_not_are_named() -> None:
    for make in (CoatlAEC, CoatlParallel, CoatlEnv):
        with pytest.raises(ValueError, match="rewards are win, points, margin or weights"):
            make(rewards="glory")
    env = CoatlEnv(rewards={"glory": 1.0})
    with pytest.raises(ValueError, match=r"no such reward: .*glory"):
        env.reset(seed=1)


def test_what_who_is_not_asked_does_is_ignored() -> None:
    env = CoatlParallel(2)
    seen, _ = env.reset(seed=1)
    asked, waits = env.agents if seen["player_0"]["action_mask"][WAIT] == 0 else env.agents[::-1]
    with pytest.raises(ValueError, match=f"{asked} is asked, and has no action"):
        env.step({waits: WAIT})
    after, rewards, over, _, infos = env.step({asked: WAIT})
    assert data_equivalence(after, seen)
    assert rewards == {asked: -0.01, waits: 0.0}
    assert infos == {asked: {"illegal": True}, waits: {}}
    assert not any(over.values())
    legal = last_action(seen[asked]["action_mask"])
    after, *_ = env.step({asked: legal, waits: legal})
    again = CoatlParallel(2)
    again.reset(seed=1)
    assert data_equivalence(again.step({asked: legal})[0], after)  # waiting need not be said


def test_a_picture_of_the_end_is_of_the_end() -> None:
    env, agents = CoatlEnv(solo=(), render_mode="ansi"), CoatlAEC(2, render_mode="ansi")
    seen, _ = env.reset(seed=3)
    assert "Setup" in env.render()
    over = False
    while not over:
        seen, _, over, _, _ = env.step(last_action(seen["action_mask"]))
    assert "The game is over" in env.render()
    agents.reset(seed=3)
    while not any(agents.terminations.values()):
        agents.step(last_action(agents.observe(agents.agent_selection)["action_mask"]))
    assert "The game is over" in str(agents.render())
    with pytest.raises(ValueError, match="render modes are human, ansi, svg, not 'rgb_array'"):
        CoatlEnv(render_mode="rgb_array")


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
        env.step(0)
    assert not observation["observation"].any()
    assert not observation["action_mask"].any()
    agents.reset(seed=5)
    while agents.agents:
        seen = agents.observe(agents.agent_selection)["action_mask"]
        over = agents.terminations[agents.agent_selection]
        agents.step(None if over else int(np.flatnonzero(seen)[-1]))
    with pytest.raises(ValueError, match="call reset first"):
        agents.step(0)


GYMNASIUM: list[dict[str, Any]] = [
    {"solo": ()},
    {"solo": (1, 5), "promo": True, "rewards": "margin"},
    {"players": 2, "seat": 1},
    {"players": 3, "bot": "greedy", "fewer_bodies": True, "rewards": {"points": 0.5}},
]


@pytest.mark.parametrize("arguments", GYMNASIUM, ids=["solo", "levels", "random", "greedy"])
def test_gymnasium_conformance(arguments: dict[str, Any]) -> None:
    """Made as everybody makes it, so that every render mode and the closing are checked, too."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        check_env(gymnasium.make("Coatl-v0", **arguments).unwrapped)


def test_gymnasium_finds_it_by_the_name_of_the_module() -> None:
    assert isinstance(gymnasium.make("coatl.env.gym:Coatl-v0").unwrapped, CoatlEnv)


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
