"""The order of the tests."""

from __future__ import annotations

import pytest

FIRST = ("test_packaging.py", "browser")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What takes longest comes first, so that no worker is left alone with it at the end."""
    items.sort(key=lambda item: not set(item.path.parts).intersection(FIRST))
