"""The order of the tests, and silence while something is compiled."""

from __future__ import annotations

import os

import pytest

from coatl.compiler.progress import QUIET

os.environ[QUIET] = "1"  # for what the tests start, too

FIRST = ("test_packaging.py", "browser")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What takes longest comes first, so that no worker is left alone with it at the end."""
    items.sort(key=lambda item: not set(item.path.parts).intersection(FIRST))
