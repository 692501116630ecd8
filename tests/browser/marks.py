"""Marks of the browser tests."""

from __future__ import annotations

import pytest

from coatl.rules import jit

in_a_browser = pytest.mark.skipif(
    jit.DISABLED, reason="the server runs compiled, whatever the tests run as"
)
whole_games = [pytest.mark.games, in_a_browser]
