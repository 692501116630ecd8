"""Networks that another one is taught by: at every position it says what it would play.

A small network becomes nearly as strong as a large one that way, and one network can learn from
two: one for solo, one for all other games.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch.nn import functional as fn

from coatl.encode import layout as at
from coatl.learn import checkpoint
from coatl.learn.net import POINTS, WIN, Net, log_policy, mixed_precision
from coatl.rules.state import MAX_PLAYERS

VALUE_WEIGHTS = {WIN: 0.5, POINTS: 0.25}


@dataclass(frozen=True)
class Opinion:
    """What a teacher says of positions."""

    logs: Any  # of its policy
    values: Any


class Teacher:
    """One network, or one for games with others and one for solo."""

    def __init__(self, nets: list[Net]) -> None:
        self._nets = nets

    @classmethod
    def load(cls, files: str, device: Any) -> Teacher:
        """From one `policy.npz`, or two with a comma between them: with others, solo."""
        paths = [Path(name) for name in files.split(",")]
        if len(paths) > 2:
            raise ValueError(f"teachers are one or two files, not {files!r}")
        nets = [checkpoint.load_policy(path, device).eval() for path in paths]
        return cls([net.requires_grad_(False) for net in nets])

    @torch.no_grad()
    def judge(self, observations: Any, masks: Any) -> Opinion:
        with mixed_precision(observations.device):
            logits, values = self._nets[0](observations)
            if len(self._nets) > 1:
                alone = is_solo(observations)[:, None]
                solo_logits, solo_values = self._nets[1](observations)
                logits = torch.where(alone, solo_logits, logits)
                values = torch.where(alone, solo_values, values)
        return Opinion(log_policy(logits, masks), values)


def is_solo(observations: Any) -> Any:
    """Which observations are of solo games."""
    return observations[:, at.PLAYERS : at.PLAYERS + MAX_PLAYERS].float().argmax(1) == 0


def distance(logs: Any, values: Any, opinion: Opinion) -> Any:
    """How far a network is from its teacher: the mean KL divergence of the policies, and how
    differently both judge winning and points.
    """
    wanted = opinion.logs.exp()
    policy = (wanted * (opinion.logs.clamp_min(-50) - logs.clamp_min(-50))).sum(-1).mean()
    won = opinion.values[:, WIN].sigmoid()
    win = fn.binary_cross_entropy_with_logits(values[:, WIN], won)
    points = fn.smooth_l1_loss(values[:, POINTS], opinion.values[:, POINTS], beta=0.5)
    return policy + VALUE_WEIGHTS[WIN] * win + VALUE_WEIGHTS[POINTS] * points
