"""What `coatl train` and ``python -m coatl.learn`` do with their options."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import torch

from coatl.learn.settings import TrainingSettings, laptop
from coatl.learn.train import Trainer


def train(
    minutes: float,
    folder: Path,
    resume: Path | None = None,
    plan: float = 0.0,
    games: int = 0,
    device: str = "auto",
    players: str = "",
    seed: int = 1,
    overrides: Mapping[str, str] | None = None,
    log: Callable[[str], None] = print,
    cluster: str = "",
    start: Path | None = None,
) -> Trainer:
    """Train and evaluate; `overrides` set any other field of `TrainingSettings` by name.

    `start`: weights to begin with; `cluster`: a Ray cluster that plays the games.
    """
    if not re.fullmatch(r"([1-4](,[1-4])*)?", players):
        raise ValueError(f"players are sizes such as 2 or 2,3,4,1, not {players!r}")
    if device == "auto":
        device = "cuda" if torch.cuda.is_available() else "cpu"
    settings = TrainingSettings() if device == "cuda" else laptop(TrainingSettings())
    changed = _typed(overrides or {})
    widths = {name: changed.pop(name) for name in list(changed) if hasattr(settings.size, name)}
    settings = dataclasses.replace(
        settings,
        minutes=minutes,
        plan=plan,
        players=players,
        seed=seed,
        size=dataclasses.replace(settings.size, **widths),
        **changed,
    )
    if games:
        settings = dataclasses.replace(settings, games=games)
    trainer = Trainer(settings, folder, torch.device(device), resume, log, cluster, start)
    trainer.run()
    return trainer


def _typed(overrides: Mapping[str, str]) -> dict[str, Any]:
    """Converts values to the types of the settings; raises `ValueError` for unknown names."""
    usual = dataclasses.asdict(TrainingSettings())
    widths = usual.pop("size")
    kinds: dict[str, Any] = {name: type(value) for name, value in (usual | widths).items()}
    for name in overrides:
        if name not in kinds:
            raise ValueError(f"there is no setting {name!r}; there are {', '.join(kinds)}")
    return {name: kinds[name](text) for name, text in overrides.items()}
