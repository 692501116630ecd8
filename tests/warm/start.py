"""What a `coatl` that is started by the tests finds: its environment, and a compiled kernel."""

from __future__ import annotations

import os
import subprocess
import sys
from functools import lru_cache

from coatl.compiler.cache import is_cached
from coatl.compiler.packages import RULES

OURS = ("NO_COLOR", "FORCE_COLOR", "COLUMNS", "LINES", "TTY_COMPATIBLE", "TTY_INTERACTIVE")
PATIENCE = 600  # seconds


def environment(**changes: str) -> dict[str, str]:
    """Ours without what changes colours, width, language or speed; with `changes`."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if name not in OURS and not name.startswith(("NUMBA_", "PYTHON", "COV_", "_COATL", "COMP_"))
    }
    return kept | {"TERM": "xterm-256color", "LC_ALL": "C.UTF-8"} | changes


@lru_cache(maxsize=1)
def compile_kernel() -> None:
    """So that no command has to tell of a first compilation."""
    as_they_are_started = not any(name.startswith("NUMBA_") for name in os.environ)
    if as_they_are_started and is_cached(RULES):
        return
    command = [sys.executable, "-c", "from coatl.compiler import jit; jit.load_all()"]
    subprocess.run(command, env=environment(), timeout=PATIENCE, check=True)
