"""Thousands of games at once for learning, and the game as Gymnasium, PettingZoo and OpenSpiel
know it.

Names load when they are first used: the adapters need packages of the extras ``coatl[env]`` and
``coatl[openspiel]``.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from coatl.env.aec import CoatlAEC
    from coatl.env.batch import Batch
    from coatl.env.gym import CoatlEnv
    from coatl.env.modes import training_mix
    from coatl.env.parallel import CoatlParallel
    from coatl.env.vector import CoatlVectorEnv

_HOMES = {
    "Batch": "coatl.env.batch",
    "CoatlAEC": "coatl.env.aec",
    "CoatlEnv": "coatl.env.gym",
    "CoatlParallel": "coatl.env.parallel",
    "CoatlVectorEnv": "coatl.env.vector",
    "training_mix": "coatl.env.modes",
}

__all__ = ["Batch", "CoatlAEC", "CoatlEnv", "CoatlParallel", "CoatlVectorEnv", "training_mix"]

if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        if name not in _HOMES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        return getattr(import_module(_HOMES[name]), name)
