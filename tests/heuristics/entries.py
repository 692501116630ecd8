"""Entries to compiled functions that no command calls by themselves, for tests of them."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import ParamSpec, TypeVar

from coatl.compiler.cache import cache_folder
from coatl.compiler.functions import DISABLED
from coatl.compiler.jit import EntryPoint

P = ParamSpec("P")
R = TypeVar("R")


def compiled_entry(function: Callable[P, R]) -> EntryPoint[P, R]:
    """Compiled once for all processes and runs of the tests, until a source changes."""
    entry = EntryPoint(function, aside=False)
    if not DISABLED:
        entry.compile(_folder_of(function))
    return entry


def _folder_of(function: Callable[..., object]) -> Path | None:
    """Within the folder of what it calls, which is another one when that changes."""
    folder = cache_folder("coatl.heuristics")
    if folder is None:
        return None
    source = Path(function.__code__.co_filename).read_bytes()
    own = folder / f"tests-{hashlib.sha256(source).hexdigest()[:12]}"
    own.mkdir(exist_ok=True)
    return own
