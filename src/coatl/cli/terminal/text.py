"""The terminal's board as plain text, for `str(game)`."""

from __future__ import annotations

from collections.abc import Sequence
from io import StringIO

from coatl.cli.console import make_console
from coatl.cli.terminal.board import Board
from coatl.rules.cards import Deck
from coatl.view import ViewData


def board_text(view: ViewData, deck: Deck, seats: Sequence[str]) -> str:
    """What a view shows, in 80 columns and without colours."""
    names = seats or [f"Seat {seat}" for seat in range(view.players)]
    out = StringIO()
    make_console(out).print(Board(deck, names).draw(view))
    return out.getvalue().rstrip("\n")
