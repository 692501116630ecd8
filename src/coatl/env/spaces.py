"""The spaces of the environments, as Gymnasium and PettingZoo know them."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces

from coatl.encode.layout import N_OBSERVED
from coatl.encode.meanings import N_ACTIONS

Observation = dict[str, Any]


def observation_space(n_actions: int = N_ACTIONS) -> Any:
    """What every agent sees: docs/observation.md, and which actions are legal."""
    return spaces.Dict(
        {
            "observation": spaces.Box(-128, 127, (N_OBSERVED,), np.int8),
            "action_mask": spaces.Box(0, 1, (n_actions,), np.int8),
        }
    )


def nothing_to_see(n_actions: int = N_ACTIONS) -> Observation:
    """The observation where there is none, as after the end: all zero."""
    return {
        "observation": np.zeros(N_OBSERVED, np.int8),
        "action_mask": np.zeros(n_actions, np.int8),
    }
