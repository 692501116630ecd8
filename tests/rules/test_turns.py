"""Whose turns are still to come, and who has had the last one (S2, E2, E3)."""

from __future__ import annotations

import pytest

from coatl.rules.turns import seats_since_third, seats_to_come
from tests.position import Position

THREE = "coatl=<KKK>:{K} coatl=<RRR>:{R} coatl=<BBB>:{B}"


@pytest.mark.parametrize(
    ("words", "to_come", "had"),
    [
        ("3p seat=1", (1,), ()),
        ("3p seat=3", (0,), ()),
        ("3p seat=2 end=third trigger=2 left=2 | |", (2, 0), ()),
        ("3p seat=3 end=third trigger=2 left=1 actions=2 | |", (0,), (1,)),
        ("3p seat=1 end=third trigger=2 left=0 | |", (), (1, 2)),
    ],
)
def test_turns_to_come_and_had(words: str, to_come: tuple[int, ...], had: tuple[int, ...]) -> None:
    state = Position(f"{words} {THREE}" if "third" in words else words).state
    assert seats_to_come(state) == to_come
    assert seats_since_third(state) == had
