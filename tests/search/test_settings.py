"""How to search: numbers that can be searched with."""

from __future__ import annotations

from typing import Any

import pytest

from coatl.search.settings import SearchSettings


def test_a_turn_takes_about_as_long_at_every_table() -> None:
    assert [SearchSettings(simulations=600).budget(players) for players in (1, 2, 3, 4)] == [
        4800,
        600,
        300,
        200,
    ]


@pytest.mark.parametrize(
    ("setting", "kind", "reason"),
    [
        ({"simulations": 0}, ValueError, "the number of simulations is from 1 to"),
        ({"simulations": 2.5}, TypeError, "the number of simulations is a whole number"),
        ({"simulations": 10**30}, ValueError, "the number of simulations is from 1 to"),
        ({"others": -1}, ValueError, "the number of others' decisions"),
        ({"scenarios": -1}, ValueError, "the number of scenarios"),
        ({"threads": 0}, ValueError, "the number of threads"),
        ({"seconds": float("nan")}, ValueError, "seconds is a finite number, not nan"),
        ({"explore": float("inf")}, ValueError, "explore is a finite number, not inf"),
        ({"points": "many"}, TypeError, "points is a number, not 'many'"),
    ],
)
def test_settings_are_numbers(setting: dict[str, Any], kind: type[Exception], reason: str) -> None:
    with pytest.raises(kind, match=reason):
        SearchSettings(**setting)
