"""The network: bytes of an observation in, logits of all actions and three values out.

Separate encoders read the table, the other seats and the open Cóatl (weights shared between seats
and between Cóatl); a residual trunk joins them. Actions on an open Cóatl are scored from the trunk
and that Cóatl's features. All layers are matrix products, ReLU and layer norms, so inference does
not need PyTorch.

Values for the seat to move: the expected training reward (for PPO), the logit of winning, and the
final points in units of `POINTS_UNIT`.
"""

from __future__ import annotations

import dataclasses
from typing import Any

import torch
from torch import nn
from torch.nn import functional as fn

from coatl.encode import layout as at
from coatl.encode.meanings import N_ACTIONS, OPEN, OPEN_ACTIONS
from coatl.learn.settings import NetSize
from coatl.rules.state import MAX_INCOMPLETE

POINTS_UNIT = 20.0
REWARD, WIN, POINTS = 0, 1, 2  # the values
N_VALUES = 3


class ResidualBlock(nn.Module):
    """A residual block initialised as the identity."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.inner = nn.Linear(width, width)
        self.outer = nn.Linear(width, width)
        nn.init.zeros_(self.outer.weight)
        nn.init.zeros_(self.outer.bias)

    def forward(self, x: Any) -> Any:
        return x + self.outer(fn.relu(self.inner(self.norm(x))))


class Net(nn.Module):
    def __init__(self, size: NetSize) -> None:
        super().__init__()
        self.size = size
        width, cell = size.width, size.open_width
        self.register_buffer("scale", torch.from_numpy(at.scales()), persistent=False)
        self.table = nn.Linear(at.OTHERS, width)
        self.other = nn.Linear(at.OTHER_SIZE, size.other_width)
        self.others = nn.Linear(at.N_OTHERS * size.other_width, width, bias=False)
        self.open1 = nn.Linear(at.OPEN_SIZE, cell)
        self.open2 = nn.Linear(cell, cell)
        self.opens = nn.Linear(MAX_INCOMPLETE * cell, width, bias=False)
        self.blocks = nn.ModuleList([ResidualBlock(width) for _ in range(size.blocks)])
        self.norm = nn.LayerNorm(width)
        self.policy = nn.Linear(width, OPEN)
        self.open_context = nn.Linear(width, cell)
        self.open_detail = nn.Linear(cell, cell, bias=False)
        self.open_policy = nn.Linear(cell, OPEN_ACTIONS)
        self.value1 = nn.Linear(width, size.value_width)
        self.value2 = nn.Linear(size.value_width, N_VALUES)
        for head in (self.policy, self.open_policy, self.value2):
            nn.init.normal_(head.weight, std=0.01)
            nn.init.zeros_(head.bias)

    def forward(self, observations: Any) -> tuple[Any, Any]:
        """Logits [n, N_ACTIONS] and values [n, N_VALUES], both float32."""
        kind = torch.bfloat16 if torch.is_autocast_enabled("cuda") else torch.float32
        x = observations.to(kind) * self.scale.to(kind)
        others = x[:, at.OTHERS : at.OPENS].reshape(-1, at.N_OTHERS, at.OTHER_SIZE)
        opens = x[:, at.OPENS : at.N_USED].reshape(-1, MAX_INCOMPLETE, at.OPEN_SIZE)
        seen = fn.relu(self.other(others)).flatten(1)
        cells = fn.relu(self.open2(fn.relu(self.open1(opens))))
        h = fn.relu(
            self.table(x[:, : at.OTHERS]) + self.others(seen) + self.opens(cells.flatten(1))
        )
        for block in self.blocks:
            h = block(h)
        h = fn.relu(self.norm(h))
        hidden = fn.relu(self.value1(h))
        judged = fn.relu(self.open_context(h).unsqueeze(1) + self.open_detail(cells))
        with torch.autocast(observations.device.type, enabled=False):  # bf16 logits are too coarse
            logits = [self.policy(h.float()), self.open_policy(judged.float()).flatten(1)]
            return torch.cat(logits, 1), self.value2(hidden.float())


def mixed_precision(device: Any) -> Any:
    return torch.autocast("cuda", torch.bfloat16, enabled=device.type == "cuda")


def log_policy(logits: Any, masks: Any) -> Any:
    """Log-probabilities of the actions; illegal ones get practically zero probability."""
    return fn.log_softmax(logits.masked_fill(masks == 0, -1e9), -1)


def expectations(values: Any) -> Any:
    """Values as expected outcomes: the logit of winning becomes a probability."""
    out = values.clone()
    out[..., WIN] = values[..., WIN].sigmoid()
    return out


def count_weights(net: Net) -> int:
    return sum(parameter.numel() for parameter in net.parameters())


def description(net: Net) -> dict[str, Any]:
    """Metadata stored with the weights."""
    return {
        "layout": at.VERSION,
        "observed": at.N_OBSERVED,
        "actions": N_ACTIONS,
        "points_unit": POINTS_UNIT,
        "size": dataclasses.asdict(net.size),
    }
