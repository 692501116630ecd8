"""The players: board, hand and Cóatl of each, one below the other; in solo A.D.A.M. too."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from coatl.rules.cards import Prophecy, Temple
from coatl.rules.pieces import BOARD_SPACES
from coatl.rules.state import TOKENS
from coatl.svg import cards as faces
from coatl.svg.cards import Card, Laid
from coatl.svg.pen import Pen, dimmed, shortened, stepped
from coatl.svg.pieces import (
    BODY,
    HEAD,
    Piece,
    coatl,
    fitting_height,
    piece,
    read_coatl,
    read_piece,
    seal,
)

if TYPE_CHECKING:
    from coatl.view import AdamCard, AdamView, CoatlView, SeatView, ViewData

WIDTH = 780
_HEADER = 38
_WELL_WIDTH, _WELL_HEIGHT, _WELL_GAP = 43, 44, 5
_TRAY_WIDTH = 4 * (_WELL_WIDTH + _WELL_GAP) + 11
_DOCK = 2 * (_WELL_HEIGHT + _WELL_GAP) + 11  # board and hand
_CARD = 76  # the width of a card in hand
_ADAM_CARD = 84
_TAG = 74  # what a Cóatl is worth
_LONGEST_NAME = 24


class _Lane(NamedTuple):
    """How a Cóatl and its cards are laid out."""

    pieces: Sequence[Piece]
    laid: Sequence[Laid]
    size: float  # the height of a piece
    height: float  # of the whole lane


class Seats:
    """The right column of a drawing; `find` gives the card of a name."""

    def __init__(
        self,
        pen: Pen,
        data: ViewData,
        names: Sequence[str],
        letters: Sequence[str],
        find: Callable[[str], Card],
        x: float,
    ) -> None:
        self.pen, self.data, self.find, self.x = pen, data, find, x
        self.names, self.letters = names, letters
        self.lane = 76 if data.players <= 2 else 62  # the height of a Cóatl

    def draw(self, y: float) -> tuple[str, float]:
        """All of them, and where they end."""
        drawn = []
        for number, seat in enumerate(self.data.seats):
            lanes = [self._plan(one) for one in seat.coatls]
            drawn.append(self._seat(number, seat, lanes, y))
            y += _HEADER + _DOCK + sum(lane.height + 6 for lane in lanes) + 22
        if self.data.adam is not None:
            drawn.append(self._adam(self.data.adam, y))
            y += _HEADER + _ADAM_CARD * faces.HEIGHT / faces.WIDTH + 12
        return "".join(drawn), y - 10

    def _seat(self, number: int, seat: SeatView, lanes: Sequence[_Lane], y: float) -> str:
        name, letter = self.names[number], self.letters[number]
        words = "plays now" if self.data.to_move == number else ""
        drawn = [
            self._header(name, letter, words, seat.points, y, bool(words)),
            self._tokens(seat, y),
            self._board(seat.board, y + _HEADER),
            self._hand(seat, y + _HEADER),
        ]
        top = y + _HEADER + _DOCK + 8
        for one, lane in zip(seat.coatls, lanes, strict=True):
            drawn.append(self._ground(one, lane.height, top) + self._coatl(lane, top))
            top += lane.height + 6
        return "".join(drawn)

    def _header(self, name: str, letter: str, words: str, points: int, y: float, now: bool) -> str:
        """A letter in a stone, a name, what they do, and the points on the right."""
        pen, x = self.pen, self.x
        shown = shortened(name, _LONGEST_NAME)
        drawn = pen.use("avatar", x, y, 30 / 34)
        drawn += pen.text(x + 15, y + 21, letter, 17, pen["seal-ink"], 900)
        drawn += pen.text(x + 40, y + 21, shown, 17, pen["ink"], 800, "start")
        left = x + 40 + 11.5 * len(shown) + 8
        drawn += pen.text(left, y + 21, words, 13.5, pen["ink-2"], 500, "start")
        drawn += pen.text(x + WIDTH, y + 24, points, 26, pen["ink"], 900, "end")
        bar = pen.rect(x - 10, y, 4, 30, pen["ink"]) if now else ""
        return drawn + bar

    def _tokens(self, seat: SeatView, y: float) -> str:
        """Sacrifice tokens; those that are used up are faint (S6)."""
        if "tokens" not in self.data.options:
            return ""
        drawn = []
        for place, token in enumerate(TOKENS):
            left = self.x + WIDTH - 170 + place * 36
            one = self.pen.use(f"token-{token}", left, y, 30 / 48)
            drawn.append(one if token in seat.tokens else dimmed(one, 0.38))
        return "".join(drawn)

    # ------------------------------------------------------------ board and hand

    def _board(self, pieces: Sequence[str], y: float) -> str:
        pen = self.pen
        tray = pen.rect(self.x, y, _TRAY_WIDTH, _DOCK, pen["panel"], 6)
        places = [
            (
                self.x + 8 + place % 4 * (_WELL_WIDTH + _WELL_GAP),
                y + 8 + place // 4 * (_WELL_HEIGHT + _WELL_GAP),
            )
            for place in range(BOARD_SPACES)
        ]
        wells = [pen.rect(*place, _WELL_WIDTH, _WELL_HEIGHT, pen["well"], 5) for place in places]
        lying = [
            self._in_well(text, *place, _WELL_WIDTH, _WELL_HEIGHT, 36)
            for text, place in zip(pieces, places, strict=False)
        ]
        return pen.raised(tray) + pen.sunk("".join(wells)) + pen.raised("".join(lying))

    def _in_well(
        self, text: str, x: float, y: float, width: float, height: float, size: float
    ) -> str:
        """A piece in the middle of a well; heads and tails are longer, so smaller."""
        one = read_piece(text)
        tall = size if one.kind == BODY else 0.72 * size
        up = 0 if one.kind == HEAD else 0.07 * tall
        left = x + (width - one.width(tall)) / 2 - 0.02 * tall
        return piece(self.pen, one, left, y + (height - tall) / 2 - up, tall)

    def _hand(self, seat: SeatView, y: float) -> str:
        """Cards that this view knows, and the others face down."""
        shown: list[tuple[Card | None, bool]] = [
            *((self.find(name), False) for name in seat.hand),
            *[(None, False)] * (seat.hand_size - len(seat.hand)),
            *((self.find(name), True) for name in seat.temples),
            *[(None, True)] * (seat.temple_count - len(seat.temples)),
        ]
        if not shown:
            return ""
        left = self.x + _TRAY_WIDTH + 16
        room = self.x + WIDTH - left - _CARD
        pitch = min(_CARD + 6, room / max(1, len(shown) - 1))
        top = y + (_DOCK - _CARD * faces.HEIGHT / faces.WIDTH) / 2
        drawn = []
        for place, (card, temple) in enumerate(shown):
            x = left + place * pitch
            if card is None:
                drawn.append(faces.back(self.pen, x, top, _CARD, temple))
            else:
                drawn.append(faces.card(self.pen, card, x, top, _CARD))
        return self.pen.raised("".join(drawn))

    # ------------------------------------------------------------ Cóatl

    def _plan(self, one: CoatlView) -> _Lane:
        """The cards of a Cóatl lie beside it; below it where it would get too small."""
        pieces, laid = read_coatl(one.pieces), self._laid(one)
        room, most = WIDTH - _TAG - 10, 0.68 * self.lane
        beside = fitting_height(pieces, room - len(laid) * self._chip_pitch, most)
        if beside >= 0.4 * self.lane:
            return _Lane(pieces, laid, beside, self.lane)
        whole = fitting_height(pieces, room, most)
        return _Lane(pieces, laid, whole, 2 * self.lane - 14)

    @property
    def _chip_pitch(self) -> float:
        return (self.lane - 14) * faces.CHIP_WIDTH / faces.CHIP_HEIGHT + 6

    def _coatl(self, lane: _Lane, y: float) -> str:
        pen, pitch = self.pen, self._chip_pitch
        top = y + (self.lane - lane.size) / 2 - 0.02 * lane.size
        left = self.x + WIDTH - 2 - pitch * len(lane.laid)
        chips = [
            faces.chip(pen, card, left + n * pitch, y + lane.height - self.lane + 7, self.lane - 14)
            for n, card in enumerate(lane.laid)
        ]
        one = coatl(pen, lane.pieces, self.x + _TAG + 6, top, lane.size)
        return pen.raised(one) + "".join(chips)

    def _ground(self, one: CoatlView, height: float, y: float) -> str:
        """Below a Cóatl: raised once it is complete, sunk before; and what it is worth."""
        pen = self.pen
        fill = pen["panel"] if one.complete else pen["well"].faded(0.6)
        ground = pen.rect(self.x, y, WIDTH, height, fill, 6)
        tag = pen.rect(self.x, y, _TAG, height, pen["panel"], 6)
        middle = self.x + _TAG / 2
        words = "complete" if one.complete else "open"
        return (
            (pen.raised(ground) if one.complete else ground)
            + pen.raised(tag)
            + pen.text(middle, y + height / 2 + 4, one.value, 25, pen["ink"], 900)
            + pen.text(middle, y + height / 2 + 20, words, 12, pen["ink-2"], 700)
        )

    def _laid(self, one: CoatlView) -> list[Laid]:
        laid = []
        for progress in one.cards:
            prophecy = self.find(progress.card)
            assert isinstance(prophecy, Prophecy)
            laid.append(Laid.prophecy(prophecy, progress.times))
        if one.temple is not None:
            temple = self.find(one.temple.card)
            assert isinstance(temple, Temple)
            laid.append(Laid.temple(temple, one.temple.met))
        return laid

    # ------------------------------------------------------------ A.D.A.M.

    def _adam(self, adam: AdamView, y: float) -> str:
        levels = ", ".join(str(level) for level in self.data.levels)
        words = f"levels {levels}" if levels else "base game"
        now = self.data.to_move is None and self.data.phase != "over"
        pitch = WIDTH / max(4, len(adam.cards))
        return "".join(
            [
                self._header("A.D.A.M.", "A", words, adam.points, y, now),
                self._fulfilled(adam, y),
                *(
                    self._adam_card(one, self.x + place * pitch, y + _HEADER)
                    for place, one in enumerate(adam.cards)
                ),
            ]
        )

    def _adam_card(self, one: AdamCard, x: float, y: float) -> str:
        """A card, the pieces that lie on it, and the colours it still needs."""
        pen = self.pen
        wanted = [*one.pieces, *one.missing]
        tall = _ADAM_CARD * faces.HEIGHT / faces.WIDTH
        pitch = min(32.0, tall / max(1, -(-len(wanted) // 3)))
        places = [(x + _ADAM_CARD + 7 + n % 3 * 32, y + n // 3 * pitch) for n in range(len(wanted))]
        wells = "".join(pen.rect(*place, 29, pitch - 3, pen["well"], 3) for place in places)
        drawn = []
        for number, (text, (left, top)) in enumerate(zip(wanted, places, strict=True)):
            if number < len(one.pieces):
                drawn.append(self._in_well(text, left, top, 29, pitch - 3, 25))
            else:
                drawn.append(seal(pen, text, left + 14.5, top + (pitch - 3) / 2, 15))
        card = pen.raised(faces.card(pen, self.find(one.card), x, y, _ADAM_CARD))
        return card + pen.sunk(wells) + "".join(drawn)

    def _fulfilled(self, adam: AdamView, y: float) -> str:
        """Pieces not yet placed, then his pile: a flag a card with its highest points (D9)."""
        pen = self.pen
        left = self.x + WIDTH - 70
        drawn = []
        for name in reversed(adam.fulfilled):
            card = self.find(name)
            assert isinstance(card, Prophecy)
            colours = pen.colours.card(faces.letter_of(card))
            left -= 25
            drawn.append(pen.polygon(stepped(left, y + 4, 21, 22, 1.5), colours.frame))
            points = pen.text(left + 10.5, y + 20, card.best_points, 14, colours.on, 900)
            drawn.append(points)
        for text in reversed(adam.holding):
            one = read_piece(text)
            left -= one.width(26) + 6
            drawn.append(piece(pen, one, left, y, 26))
        return "".join(drawn)
