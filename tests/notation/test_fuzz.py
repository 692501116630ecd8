"""Whatever is typed, a text is read or refused with one of our own errors."""

from __future__ import annotations

from random import Random

import pytest

from coatl.errors import NotationError, PositionError
from coatl.notation import format_position, parse_position
from coatl.notation.moves import context_of, move_table, parse_decision
from coatl.rules.cards import standard_deck
from coatl.rules.decisions import N_DECISIONS
from tests.play import Mode, RandomGame

ODD = [
    *"KRBYG<>-+*!{}(),:=|^@0123456789 \t\n\0é²½",
    "--",
    "99999",
    "hand=",
    "coatl=",
    "| |",
    "solo ",
]
MODES = [Mode(2, tokens=True), Mode(4, promo=True), Mode(1, levels=31), Mode(3, fewer=True)]


def mutated(text: str, chooser: Random) -> str:
    """A few characters or words inserted, removed or doubled."""
    for _ in range(chooser.randint(1, 3)):
        at, end = sorted(chooser.randrange(len(text) + 1) for _ in range(2))
        match chooser.randrange(3):
            case 0:
                text = text[:at] + chooser.choice(ODD) + text[at:]
            case 1:
                text = text[:at] + text[min(end, at + 5) :]
            case _:
                text = text[:end] + text[at:end] + text[end:]
    return text


def some_positions() -> list[str]:
    """A position of each mode, some way into a game."""
    texts = []
    for mode in MODES:
        game = RandomGame(mode, seed=1)
        for number, _ in enumerate(game.decisions()):
            if number == 60:
                break
        texts.append(format_position(game.states[0]))
    return texts


@pytest.fixture(scope="module")
def positions() -> list[str]:
    return some_positions()


def test_any_position_is_read_or_refused(positions: list[str]) -> None:
    chooser = Random("positions")
    read = 0
    for _ in range(1500):
        text = mutated(chooser.choice(positions), chooser)
        try:
            states = parse_position(text)
        except (NotationError, PositionError):
            continue
        read += 1
        again = format_position(states[0])
        assert parse_position(again).tobytes() == states.tobytes(), text
    assert read > 0  # a space more is still the same position


def test_any_move_is_read_or_refused(positions: list[str]) -> None:
    chooser, deck = Random("moves"), standard_deck()
    for text in positions:
        state = parse_position(text)[0]
        moves = [
            move_table(deck).move(number, context_of(state)).text for number in range(N_DECISIONS)
        ]
        for _ in range(1500):
            try:
                decision = parse_decision(
                    deck, context_of(state), mutated(chooser.choice(moves), chooser)
                )
            except NotationError:
                continue
            assert 0 <= decision < N_DECISIONS
