"""The order of the tests, silence while something is compiled, and less collecting of garbage."""

from __future__ import annotations

import gc
import os
import signal
from pathlib import Path

import pytest

from coatl.compiler.progress import QUIET

os.environ[QUIET] = "1"  # for what the tests start, too
# Threads of matrix products wait for each other as busily as they work. For matrices of this size
# that takes longer than it saves, most of all beside other tests. (NumPy looks when it is loaded.)
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
# What make has compiled is not compiled again for tests that are run without it.
os.environ.setdefault("COATL_CACHE_DIR", str(Path(__file__).parents[1] / ".cache" / "kernel"))

# A shell starts what it puts into the background with interrupts ignored, and what the tests start
# would inherit that: Ctrl-C is tested, so it has to mean something.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

OBJECTS = 50_000  # new ones until garbage is looked for; Python's own number is in the hundreds

FIRST = ("test_packaging.py", "browser")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What takes longest comes first, so that no worker is left alone with it at the end."""
    items.sort(key=lambda item: not set(item.path.parts).intersection(FIRST))


def pytest_collection_finish() -> None:
    """What was imported and collected stays until the end: nobody has to look through it again."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(OBJECTS)
