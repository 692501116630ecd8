"""What the environments reward: a few choices by name, or weights of one's own."""

from __future__ import annotations

from collections.abc import Mapping

from coatl.env.batch import Batch

# The arguments of `Batch.set_weights` for each choice.
REWARDS: Mapping[str, Mapping[str, float]] = {
    "win": {"win": 1.0},  # at the end: 1 for winning alone, on average 0; solo 1 or -1
    "points": {"points": 1.0},  # the points of a Cóatl when it is completed
    "margin": {"points": 1.0, "rivals": 1.0},  # the same, less the mean of the others' points
}

ILLEGAL_REWARD = -0.01  # where an illegal action is no error: it changes nothing

Rewards = str | Mapping[str, float]


def set_rewards(batch: Batch, rewards: Rewards) -> None:
    """Let a batch reward what was chosen; ValueError names a choice or a weight there is not."""
    weights = reward_weights(rewards)
    try:
        batch.set_weights(**weights)
    except TypeError as error:
        if "keyword" not in str(error):
            raise
        raise ValueError(f"no such reward: {error}") from None


def reward_weights(rewards: Rewards) -> Mapping[str, float]:
    """The weights of a choice; ValueError if there is none of that name."""
    if not isinstance(rewards, str):
        return rewards
    if rewards not in REWARDS:
        raise ValueError(f"rewards are {', '.join(REWARDS)} or weights, not {rewards!r}")
    return REWARDS[rewards]
