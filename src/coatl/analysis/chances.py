"""The chance of every seat to win, as a spectator's knowledge gives it.

What is hidden from a spectator is dealt out at random, many times. In each of these deals every
seat is asked for its chance at its own next decision, where the network can tell it; until then the
others play as the network would. Once the end has begun (E2, E3) a few simulations are played out,
in which seats that have no decision left see the result. `calibration` makes chances of the means.
"""

from __future__ import annotations

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


def spectator_means(
    policy: Policy, state: State, samples: int, seed: str, stop: Stop
) -> tuple[float, ...]:
    """What the network says of each seat, the mean of so many samples. Raises `Cancelled`."""
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
