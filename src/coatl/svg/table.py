"""A whole game: what lies in the middle on the left, the players on the right."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from coatl.rules.cards import Deck, standard_deck
from coatl.svg import middle, seats
from coatl.svg.cards import find_card
from coatl.svg.pen import Drawing, Pen, shortened
from coatl.svg.pieces import HEAD, Piece, piece

if TYPE_CHECKING:
    from coatl.view import View, ViewData

_MARGIN, _GUTTER, _LINTEL = 16, 30, 46
_WIDTH = middle.WIDTH + seats.WIDTH + 2 * _MARGIN + _GUTTER

# What a seat does, by phase.
_DOING = {
    "setup": "chooses the cards to keep",
    "main": "is to play",
    "pick": "chooses Prophecy cards",
    "assemble": "assembles",
    "fulfil": "completes a Cóatl",
    "temple": "may fulfil a Temple card",
    "future": "sees the future",
}


@runtime_checkable
class RunningGame(Protocol):
    """What is asked of a game that is drawn; `coatl.Game` has it."""

    @property
    def deck(self) -> Deck: ...

    @property
    def seats(self) -> tuple[str, ...]: ...

    def view(self, seat: int | None = None) -> View: ...


def view_of(
    what: RunningGame | View | ViewData, seat: int | None
) -> tuple[ViewData, tuple[str, ...], Deck]:
    """The data to draw, the names of the seats as far as they are known, and the deck."""
    from coatl.view import View, ViewData

    if isinstance(what, RunningGame):
        return what.view(seat).data, what.seats, what.deck
    if seat is not None:
        raise ValueError("a view is that of one seat already; give the game to choose a seat")
    if isinstance(what, View):
        return what.data, (), what.deck
    if isinstance(what, ViewData):
        return what, (), standard_deck()
    raise TypeError(f"a Game, a View or its data can be drawn, not {type(what).__name__}")


def draw_table(
    pen: Pen, data: ViewData, deck: Deck, names: Sequence[str], width: int | None
) -> Drawing:
    letters = [_letter(name) for name in names] or [str(seat) for seat in range(data.players)]
    known = names or [f"Seat {seat}" for seat in range(data.players)]
    if len(known) != data.players:
        raise ValueError(f"{data.players} names are needed, not {len(known)}")
    find = partial(find_card, deck=deck)
    top = _LINTEL + 14
    left, left_end = middle.Middle(pen, data, find, _MARGIN).draw(top)
    x = _MARGIN + middle.WIDTH + _GUTTER
    right, right_end = seats.Seats(pen, data, known, letters, find, x).draw(top)
    words = _situation(data, known)
    content = _lintel(pen, data, known, words) + left + right
    height = max(left_end, right_end) + _MARGIN
    return pen.drawing(content, _WIDTH, height, f"Cóatl, turn {data.turn}: {words}", width)


def _letter(name: str) -> str:
    """The first letter of a name that shows."""
    return next((letter.upper() for letter in name if letter.isprintable() and letter > " "), "")


def _situation(data: ViewData, names: Sequence[str]) -> str:
    if data.phase == "over":
        return "The game is over"
    if data.to_move is None:
        return "A.D.A.M. plays"
    return f"{shortened(names[data.to_move], 30)} {_DOING[data.phase]}"


def _lintel(pen: Pen, data: ViewData, names: Sequence[str], words: str) -> str:
    """The bar at the top: whose turn it is, and who sees this."""
    seen = "a spectator" if data.seat is None else shortened(names[data.seat], 16)
    turn = f"Turn {data.turn}"
    if data.turns_left is not None and data.phase != "over":
        turn += ", final turns"
    d = f"M0 {_LINTEL}V6Q0 0 6 0H{_WIDTH - 6}Q{_WIDTH} 0 {_WIDTH} 6V{_LINTEL}Z"
    base = 27
    return (
        pen.path(d, pen["lintel"])
        + pen.strip("fret", _LINTEL - 7, _WIDTH, 7, 0.5)
        + piece(pen, Piece(HEAD, "G"), _MARGIN, 5, 30)
        + pen.text(_MARGIN + 50, base, "Cóatl", 21, pen["on-lintel"], 900, "start")
        + pen.text(_MARGIN + 128, base, turn, 14, pen["on-lintel-2"], 400, "start")
        + pen.text(_WIDTH / 2 + 40, base, words, 17, pen["on-lintel"], 500)
        + pen.text(_WIDTH - _MARGIN, base, f"as {seen} sees it", 14, pen["on-lintel-2"], 400, "end")
    )
