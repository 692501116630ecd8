"""A training run on disk: a few files of at most 12 MB each, replaced atomically.

| file | holds |
| --- | --- |
| `weights.pt` | the network in full precision, and where the run stands |
| `optimiser.pt` | the optimiser's moments, as bfloat16 |
| `pool0.pt` … | past snapshots as half floats, two a file |
| `policy.npz` | the network as half floats, for players: arrays by name, and `about` as JSON |
| `curve.json`, `curve.svg` | the learning curve |
"""

from __future__ import annotations

import dataclasses
import json
import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import torch

from coatl.learn.curriculum import Curriculum
from coatl.learn.net import Net, description
from coatl.learn.settings import NetSize
from coatl.net import weights

WEIGHTS, OPTIMISER, POLICY = "weights.pt", "optimiser.pt", "policy.npz"
POOL_FILES, SNAPSHOTS_A_FILE = 3, 2

StateDict = dict[str, Any]


@dataclass
class TrainingProgress:
    """Where a run stands."""

    minutes: float = 0.0  # trained so far, in all runs
    decisions: int = 0
    updates: int = 0
    runs: int = 0
    pace: float = 1.0  # learning rate factor, adjusted by the KL divergence
    curriculum: Curriculum = field(default_factory=Curriculum)


def half(state: StateDict) -> StateDict:
    return {name: tensor.half().cpu() for name, tensor in state.items()}


def save(
    folder: Path,
    net: Net,
    optimiser: Any,
    progress: TrainingProgress,
    pool: Sequence[StateDict],
    notes: StateDict,
) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    full = {name: tensor.cpu() for name, tensor in net.state_dict().items()}
    about = {"size": dataclasses.asdict(net.size), "progress": dataclasses.asdict(progress)}
    _write(folder / WEIGHTS, {"weights": full, **about})
    _write(folder / OPTIMISER, _packed(optimiser.state_dict()))
    kept = spread(pool, POOL_FILES * SNAPSHOTS_A_FILE)
    for number in range(POOL_FILES):
        part = kept[number * SNAPSHOTS_A_FILE : (number + 1) * SNAPSHOTS_A_FILE]
        if part:
            _write(folder / f"pool{number}.pt", [half(state) for state in part])
    save_policy(folder / POLICY, net, notes)


def save_policy(path: Path, net: Net, notes: StateDict) -> None:
    """The network for players: no PyTorch is needed to read it."""
    arrays = {name: tensor.numpy() for name, tensor in half(net.state_dict()).items()}
    about = json.dumps(description(net) | notes)
    temporary = path.with_suffix(".tmp.npz")
    np.savez(temporary, about=np.array(about), **arrays)
    os.replace(temporary, path)


def load_policy(path: Path, device: Any) -> Net:
    """The network of a `policy.npz`; raises `WeightsError` (a `ValueError`) if it is unusable."""
    about = weights.load_policy(path).about
    net = Net(NetSize(**about["size"]))
    with np.load(path, allow_pickle=False) as stored:
        arrays = {name: stored[name] for name in stored.files if name != "about"}
    net.load_state_dict({name: torch.from_numpy(array) for name, array in arrays.items()})
    return net.to(device)


def load(folder: Path, device: Any) -> tuple[Net, StateDict, TrainingProgress, list[StateDict]]:
    """Network, state of its optimiser, progress and snapshots."""
    found = torch.load(folder / WEIGHTS, map_location="cpu", weights_only=True)
    net = Net(NetSize(**found["size"]))
    net.load_state_dict(found["weights"])
    stands = found["progress"]
    progress = TrainingProgress(**(stands | {"curriculum": Curriculum(**stands["curriculum"])}))
    moments = torch.load(folder / OPTIMISER, map_location="cpu", weights_only=True)
    return net.to(device), _unpacked(moments), progress, load_pool(folder, device)


def load_pool(folder: Path, device: Any) -> list[StateDict]:
    """The snapshots of a run, the oldest first."""
    pool: list[StateDict] = []
    for number in range(POOL_FILES):
        path = folder / f"pool{number}.pt"
        if path.exists():
            pool += torch.load(path, map_location=device, weights_only=True)
    return pool


def spread(items: Sequence[StateDict], most: int) -> list[StateDict]:
    """At most `most` of the items, evenly spaced from first to last."""
    if len(items) <= most:
        return list(items)
    return [items[round(k * (len(items) - 1) / (most - 1))] for k in range(most)]


def _packed(state: StateDict) -> StateDict:
    moments = {
        number: {
            name: value.bfloat16().cpu() if value.dim() else value.cpu()
            for name, value in of.items()
        }
        for number, of in state["state"].items()
    }
    return {"state": moments, "param_groups": state["param_groups"]}


def _unpacked(state: StateDict) -> StateDict:
    moments = {
        number: {name: value.float() for name, value in of.items()}
        for number, of in state["state"].items()
    }
    return {"state": moments, "param_groups": state["param_groups"]}


def _write(path: Path, what: Any) -> None:
    temporary = path.with_suffix(".tmp")
    torch.save(what, temporary)
    os.replace(temporary, path)
