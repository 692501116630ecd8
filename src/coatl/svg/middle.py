"""What lies between the players: supply, Prophecy cards, deck, Temple piles and bags."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from coatl.rules.pieces import COLOURS
from coatl.svg import cards as faces
from coatl.svg.cards import Card
from coatl.svg.pen import Pen
from coatl.svg.pieces import piece, read_piece
from coatl.svg.supply import supply

if TYPE_CHECKING:
    from coatl.view import ViewData

WIDTH = 292
_CARD, _GAP = 92, 8
_TALL = _CARD * faces.HEIGHT / faces.WIDTH
_LABEL = 22  # from the top of a line of words to what it names


class Middle:
    """The left column of a drawing; `find` gives the card of a name."""

    def __init__(self, pen: Pen, data: ViewData, find: Callable[[str], Card], x: float) -> None:
        self.pen, self.data, self.find, self.x = pen, data, find, x

    def draw(self, y: float) -> tuple[str, float]:
        """All of it, and where it ends."""
        row = y + WIDTH + 20
        piles = row + 2 * (_TALL + _GAP) + 8 + _LABEL
        bags = piles + _TALL + 16
        drawn = (
            supply(self.pen, self.data.supply, self.x, y, WIDTH)
            + self._label("Prophecies", row)
            + self.pen.raised(self._row(row + _LABEL))
            + self._label("Deck", piles)
            + self._label("Temples", piles, 1)
            + self.pen.raised(self._deck(piles + _LABEL) + self._piles(piles + _LABEL))
            + self._label("Bags", bags + _LABEL)
            + self._bags(bags + 2 * _LABEL)
        )
        return drawn, bags + 2 * _LABEL + 3 * 27

    def _label(self, words: str, y: float, column: int = 0) -> str:
        left = self.x + column * (_CARD + _GAP)
        return self.pen.text(left, y + 13, words, 13, self.pen["ink-2"], 700, "start")

    def _place(self, number: int, y: float) -> tuple[float, float]:
        return self.x + number % 3 * (_CARD + _GAP), y + number // 3 * (_TALL + _GAP)

    def _row(self, y: float) -> str:
        drawn = []
        for number, name in enumerate(self.data.row):
            place = self._place(number, y)
            if name is None:
                drawn.append(faces.empty(self.pen, *place, _CARD))
            else:
                drawn.append(faces.card(self.pen, self.find(name), *place, _CARD))
        return "".join(drawn)

    def _deck(self, y: float) -> str:
        draw = faces.back if self.data.deck else faces.empty
        return draw(self.pen, self.x, y, _CARD) + self._count(self.data.deck, 0, y + _TALL - 12)

    def _piles(self, y: float) -> str:
        drawn = []
        for number, pile in enumerate(self.data.piles, 1):
            place = self._place(number, y)
            if pile.top is None:
                drawn.append(faces.empty(self.pen, *place, _CARD))
            else:
                drawn.append(faces.card(self.pen, self.find(pile.top), *place, _CARD))
            drawn.append(self._count(pile.size, number, y + 14))
        return "".join(drawn)

    def _count(self, count: int, column: int, y: float) -> str:
        """How many cards lie there, in a corner of them."""
        pen, x = self.pen, self.x + column * (_CARD + _GAP) + _CARD - 9
        disc = pen.circle(x, y, 14, pen["ground"]) + pen.circle(x, y, 12.5, pen["lintel"])
        return disc + pen.text(x, y + 5, count, 13.5, pen["on-lintel"], 800)

    def _bags(self, y: float) -> str:
        """What is still in the bags (H3): segments, heads and tails of each colour."""
        drawn = []
        for line, write in enumerate(("{}", "<{}", "{}>")):
            for column, colour in enumerate(COLOURS):
                text = write.format(colour)
                x, top = self.x + 4 + column * WIDTH / 5, y + line * 27
                one = read_piece(text)
                drawn.append(piece(self.pen, one, x + (28 - one.width(20)) / 2, top - 1, 20))
                count = self.data.bag.get(text, 0)
                ink = self.pen["ink" if count else "ink-2"]
                drawn.append(self.pen.text(x + 35, top + 16, count, 14, ink, 700, "start"))
        return "".join(drawn)
