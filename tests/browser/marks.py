"""Marks of the browser tests; `make test-quick` leaves out all of them but test_smoke.py."""

from __future__ import annotations

import pytest

from coatl.compiler.functions import DISABLED

compiled = pytest.mark.skipif(
    DISABLED, reason="the server runs compiled, whatever the tests run as"
)
in_a_browser = [pytest.mark.slow, compiled]
whole_games = [pytest.mark.games, compiled]
