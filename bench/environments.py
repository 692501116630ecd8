"""How fast the vector environment is beside Gymnasium's `SyncVectorEnv` at the same work.

Both play the same games: the same seeds, and actions that were chosen before. What is compared is
what they take for the same steps, so choosing is not part of it. Needs the extra `coatl[env]`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode, SyncVectorEnv, VectorEnv

from bench.measure import ROUNDS, pin, save, timed
from coatl.env.gym import CoatlEnv

GAMES = 8
STEPS = 1500
KINDS: dict[str, dict[str, Any]] = {
    "solo": {"solo": ()},
    "2 players, random": {"players": 2},
    "4 players, random": {"players": 4},
    "2 players, novice": {"players": 2, "bot": "novice"},
}


def together(arguments: dict[str, Any]) -> VectorEnv:
    return gymnasium.make_vec("Coatl-v0", num_envs=GAMES, **arguments)


def singles(make: Callable[[], Any]) -> VectorEnv:
    return SyncVectorEnv([make] * GAMES, autoreset_mode=AutoresetMode.SAME_STEP)


def choose_actions(envs: VectorEnv) -> list[Any]:
    """Legal actions at random, for games that begin with the same seed."""
    chooser, actions = np.random.default_rng(1), []
    observation, _ = envs.reset(seed=1)
    for _ in range(STEPS):
        legal = observation["action_mask"] * chooser.random(observation["action_mask"].shape)
        actions.append(legal.argmax(1))
        observation, *_ = envs.step(actions[-1])
    return actions


def play(envs: VectorEnv, actions: list[Any]) -> None:
    envs.reset(seed=1)
    for chosen in actions:
        envs.step(chosen)


def compare(arguments: dict[str, Any]) -> tuple[float, float, float]:
    """Decisions a second of ours; how many times that of bare and of usual single environments.

    Usual ones come from `gymnasium.make`, which wraps them in its checks. The three take turns, so
    that whatever else runs here disturbs all of them; of each, the best round counts.
    """
    envs = [
        together(arguments),
        singles(partial(CoatlEnv, **arguments)),
        singles(partial(gymnasium.make, "Coatl-v0", **arguments)),
    ]
    actions = choose_actions(envs[0])
    rounds = [[timed(partial(play, one, actions)) for one in envs] for _ in range(ROUNDS)]
    ours, bare, usual = (min(times) for times in zip(*rounds, strict=True))
    return GAMES * STEPS / ours, bare / ours, usual / ours


def main() -> None:
    pin()
    results: dict[str, float] = {}
    print(f"{GAMES} games, {'decisions/s':>17} {'times bare':>12} {'times usual':>12}")
    for name, arguments in KINDS.items():
        rate, bare, usual = compare(arguments)
        print(f"{name:20} {rate:>13,.0f} {bare:>12.1f} {usual:>12.1f}")
        results[f"{name}: decisions/s"] = rate
        results[f"{name}: times SyncVectorEnv of bare environments"] = bare
        results[f"{name}: times SyncVectorEnv of gymnasium.make"] = usual
    save("environments", results)


if __name__ == "__main__":
    main()
