"""The chance of every seat to win, as a spectator's knowledge gives it.

What is hidden from a spectator is dealt out at random, many times. In each of these deals every
seat is asked for its chance at its own next decision, where the network can tell it; until then the
others play as the network would. Once the end has begun (E2, E3) a few simulations are played out,
in which seats that have no decision left see the result. The means are divided by their sum.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from coatl.net.weights import Policy
from coatl.rules.chance import new_chance
from coatl.rules.state import END_NONE
from coatl.search.search import Search
from coatl.search.settings import SearchSettings
from coatl.state import State

FINAL_SIMULATIONS = 12  # of each sample and seat once the end has begun

Stop = np.ndarray[tuple[int], np.dtype[np.int8]]


class Cancelled(Exception):  # noqa: N818 - somebody wanted it so
    """The analysis was told to stop in the middle of a step."""


def spectator_chances(
    policy: Policy, state: State, samples: int, seed: str, stop: Stop
) -> tuple[float, ...]:
    """Of each seat that can win, in all 1; in solo the second is A.D.A.M."""
    return normalised(raw_chances(policy, state, samples, seed, stop))


def raw_chances(
    policy: Policy, state: State, samples: int, seed: str, stop: Stop
) -> tuple[float, ...]:
    """What the network says of each seat, the mean of so many samples."""
    chances = new_chance(seed)
    search = Search(policy, chances, SearchSettings(simulations=FINAL_SIMULATIONS))
    view = state.view(None)
    simulations = 1 if state.turn_order.end == END_NONE else FINAL_SIMULATIONS
    totals = np.zeros(state.players)
    for _ in range(samples):
        sample = view.sample(chances)
        for seat in range(state.players):
            totals[seat] += search.estimate(sample.view(seat), simulations, stop)
            if stop[0]:
                raise Cancelled
    return tuple((totals / samples).tolist())


def normalised(chances: Sequence[float]) -> tuple[float, ...]:
    """Chances that add up to 1; a single one is completed by A.D.A.M.'s."""
    if len(chances) == 1:
        return (chances[0], 1.0 - chances[0])
    total = sum(chances)
    if total <= 0:
        return tuple(1.0 / len(chances) for _ in chances)
    return tuple(chance / total for chance in chances)
