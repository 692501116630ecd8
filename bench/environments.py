"""How fast the vector environment is beside Gymnasium's `SyncVectorEnv` of eight.

The two of eight do the same work: the same games, with the same seeds and with actions that were
chosen before, so choosing is not part of it. Needs the extra `coatl[env]`.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from typing import Any

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode, SyncVectorEnv, VectorEnv

import coatl.env.gym
from bench.measure import pin, save

EIGHT, MANY = 8, 512
THREADS = 2
ROUNDS = 9
DECISIONS = 16_384  # of all games together, in a round
KINDS: dict[str, dict[str, Any]] = {
    "solo": {"solo": ()},
    "2 players, random": {"players": 2},
    "4 players, random": {"players": 4},
}


def ours(games: int, arguments: dict[str, Any]) -> VectorEnv:
    return gymnasium.make_vec("Coatl-v0", num_envs=games, **arguments)


def singles(arguments: dict[str, Any]) -> VectorEnv:
    make = partial(coatl.env.gym.CoatlEnv, **arguments)  # without the wrappers of gymnasium.make
    return SyncVectorEnv([make] * EIGHT, autoreset_mode=AutoresetMode.SAME_STEP)


def choose_actions(envs: VectorEnv) -> list[Any]:
    """Legal actions at random, for games that begin with the same seed."""
    chooser, actions = np.random.default_rng(1), []
    observation, _ = envs.reset(seed=1)
    for _ in range(DECISIONS // envs.num_envs):
        masks = observation["action_mask"]
        actions.append((masks * chooser.random(masks.shape)).argmax(1))
        observation, *_ = envs.step(actions[-1])
    return actions


def play(
    envs: VectorEnv, actions: list[Any], clock: Callable[[], float] = time.process_time
) -> float:
    """Seconds of CPU time: less disturbed by whatever else runs here than those of the clock."""
    envs.reset(seed=1)
    begin = clock()
    for chosen in actions:
        envs.step(chosen)
    return clock() - begin


def compare(arguments: dict[str, Any]) -> tuple[float, float, float]:
    """Decisions a second: eight single environments, eight of ours, many of ours.

    They take turns, so that whatever else runs here disturbs all; of each, the best round counts.
    """
    eight, many = ours(EIGHT, arguments), ours(MANY, arguments)
    for_eight, for_many = choose_actions(eight), choose_actions(many)
    envs = [(singles(arguments), for_eight), (eight, for_eight), (many, for_many)]
    rounds = [[play(one, actions) for one, actions in envs] for _ in range(ROUNDS)]
    one, two, three = (DECISIONS / min(times) for times in zip(*rounds, strict=True))
    return one, two, three


def by_the_clock(arguments: dict[str, Any]) -> tuple[float, float]:
    """Decisions a second of the clock: eight single environments, many of ours on two threads."""
    many = ours(MANY, {**arguments, "threads": THREADS})
    envs = [(singles(arguments), choose_actions(ours(EIGHT, arguments)))]
    envs.append((many, choose_actions(many)))
    rounds = [[play(one, chosen, time.perf_counter) for one, chosen in envs] for _ in range(ROUNDS)]
    one, two = (DECISIONS / min(times) for times in zip(*rounds, strict=True))
    return one, two


def main() -> None:
    clocked = {name: by_the_clock(arguments) for name, arguments in KINDS.items()}
    pin()
    results: dict[str, float] = {}
    for name, arguments in KINDS.items():
        sync, eight, many = compare(arguments)
        print(f"{name}: decisions/s")
        for label, rate in (
            (f"SyncVectorEnv of {EIGHT}", sync),
            (f"VectorEnv of {EIGHT}", eight),
            (f"VectorEnv of {MANY}", many),
        ):
            print(f"  {label:20} {rate:>10,.0f} {rate / sync:>7.1f} times")
            results[f"{name}, {label}: decisions/s"] = rate
        sync, threaded = clocked[name]
        label = f"of {MANY} on {THREADS} threads"
        print(f"  {label:20} {threaded:>10,.0f} {threaded / sync:>7.1f} times by the clock")
        results[f"{name}, {label}: decisions/s"] = threaded
    save("environments", results)


if __name__ == "__main__":
    main()
