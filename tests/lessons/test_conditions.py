"""Each condition and each number, against a position."""

from __future__ import annotations

import pytest

from coatl.game import Game
from coatl.lessons.conditions import CHECKS, Sight, all_hold, read_condition
from coatl.lessons.facts import read_fact

POSITION = """
2p tokens row=YYY,RB,-,-,-,- piles=noK/8:7,noR/11:6
| board=<R,2G hand={R},GGRR temples=noY/7 tokens=pick
  coatl=<RGGRR:!GG! coatl=<KKKGGG>:KKK,GGG,noR/B=G
|
"""
HELD = [
    "board <R,2G",
    "not board 3G",
    "not board R",
    "coatl GGR",
    "coatl <RG",
    "not coatl RG",
    "within <RGGRRK",
    "not within RGGRR",
    "laid !GG!",
    "laid noR/B=G",
    "not laid GGRR",
    "hand GGRR",
    "not hand RB",
    "temple noY/7",
    "not temple noK/8",
    "row RB",
    "not row GGRR",
    "complete 1",
    "not complete 2",
    "begun 2",
    "not begun 1",
    "turns 1",
    "not turns 2",
    "points 9",
    "not points 10",
    "token pick",
    "not token priest",
    "phase main",
    "not phase temple",
    "can 1:GG*",
    "not can 1:KKK",
    "not over",
]


@pytest.fixture(scope="module")
def sight() -> Sight:
    return Sight(Game.from_position(" ".join(POSITION.split()), 0).view(0).data, turns=1)


@pytest.mark.parametrize("text", HELD)
def test_a_condition_holds(sight: Sight, text: str) -> None:
    assert read_condition(text).holds(sight)
    opposite = text.removeprefix("not ") if text.startswith("not ") else f"not {text}"
    assert not read_condition(opposite).holds(sight)


def test_every_kind_is_tried(sight: Sight) -> None:
    assert {read_condition(text).kind for text in HELD} == set(CHECKS)
    assert all_hold(map(read_condition, HELD), sight)
    assert not all_hold(map(read_condition, [*HELD, "over"]), sight)


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("limit board", 8),
        ("limit hand", 5),
        ("limit cards", 4),
        ("limit open", 2),
        ("limit coatls", 3),
        ("level {R} 3", 2),
        ("level {R} 6", 5),
        ("temple 2", 7),
        ("value 1", 2),
        ("value 3", 0),
        ("pieces 1", 5),
        ("pieces 3", 0),
        ("points", 9),
        ("adam", 0),
    ],
)
def test_numbers(sight: Sight, text: str, number: int) -> None:
    assert read_fact(text).number(sight) == number


def test_an_open_pair_counts_by_itself(sight: Sight) -> None:
    assert sight.me.coatls[0].value == 2
