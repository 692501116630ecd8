"""Records that are changed, and refused or not."""

from __future__ import annotations

import pytest

from coatl import Deck, Game, RecordError
from tests.game.games import bytes_of


def refused(text: str, deck: Deck | None = None) -> RecordError:
    with pytest.raises(RecordError) as error:
        Game.replay(text, deck)
    assert str(error.value) == f"line {error.value.line}: {error.value.reason}"
    assert 1 <= error.value.line <= len(text.splitlines()) + 1
    assert error.value.reason
    return error.value


def line_number(text: str, start: str) -> int:
    """The number of the first line that begins so."""
    return next(n for n, line in enumerate(text.splitlines(), 1) if line.startswith(start))


def changed(text: str, number: int, line: str | None) -> str:
    """A record with another line at a number, or without it."""
    lines = text.splitlines()
    lines[number - 1 : number] = [] if line is None else [line]
    return "\n".join(lines) + "\n"


def same(game: Game, other: Game) -> None:
    """Everything about two games but their chance is equal."""
    assert bytes_of(game) == bytes_of(other)
    assert game.digest == other.digest
    assert game.options == other.options
    assert game.commitment == other.commitment
    assert (game.can_undo, game.legal_moves()) == (other.can_undo, other.legal_moves())
    for seat in (None, *range(game.options.players)):
        assert game.events(seat) == other.events(seat)
        assert game.view(seat).to_json() == other.view(seat).to_json()
