"""Marks of the browser tests."""

from __future__ import annotations

import pytest

from coatl.compiler.functions import DISABLED

in_a_browser = pytest.mark.skipif(
    DISABLED, reason="the server runs compiled, whatever the tests run as"
)
whole_games = [pytest.mark.games, in_a_browser]
