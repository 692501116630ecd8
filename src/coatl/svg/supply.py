"""The supply stone, in a square of 400 units. Angles in degrees, 0 at 3 o'clock (C4)."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import NamedTuple

from coatl.rules.pieces import SPACES
from coatl.svg.pen import Pen, moved, number
from coatl.svg.pieces import BODY, HEAD, TAIL, Piece, outline, piece

SIZE = 400
_CORNER = 7


class _Well(NamedTuple):
    """A space: its sunk area, where its pieces lie, and how they are turned."""

    kind: str
    area: str
    x: float
    y: float
    turn: float = 0
    upright: bool = False  # two pieces stand one above the other
    height: float = 49
    hollow: float = 42  # the height of the outline in an empty space


def _polar(radius: float, angle: float) -> tuple[float, float]:
    a = math.radians(angle)
    return SIZE / 2 + radius * math.cos(a), SIZE / 2 + radius * math.sin(a)


def _sector(inner: float, outer: float, centre: float, span: float) -> str:
    """A sector of a ring with rounded corners."""
    a, b = centre - span / 2, centre + span / 2
    near, far = math.degrees(_CORNER / inner), math.degrees(_CORNER / outer)

    def p(radius: float, angle: float) -> str:
        return " ".join(number(part, 1) for part in _polar(radius, angle))

    return (
        f"M{p(outer, a + far)}A{outer} {outer} 0 0 1 {p(outer, b - far)}"
        f"Q{p(outer, b)} {p(outer - _CORNER, b)}L{p(inner + _CORNER, b)}"
        f"Q{p(inner, b)} {p(inner, b - near)}A{inner} {inner} 0 0 0 {p(inner, a + near)}"
        f"Q{p(inner, a)} {p(inner + _CORNER, a)}L{p(outer - _CORNER, a)}"
        f"Q{p(outer, a)} {p(outer, a + far)}Z"
    )


def _outer(angle: float, turn: float) -> _Well:
    """Body segments: pairs lie along the ring; at the sides they stand one above the other."""
    upright = turn == 0
    height = 58 if upright else 60
    place = _polar(141, angle)
    area = _sector(107, 175, angle, 56)
    return _Well(BODY, area, *place, turn, upright, height, height * 0.8)


def _inner(kind: str, angle: float) -> _Well:
    x, y = (151 if kind == HEAD else 250), (158 if angle < 0 else 247)
    return _Well(kind, _sector(33, 96, angle, 83), x, y)


_RING = [
    _outer(*place) for place in ((-120, -30), (-60, 30), (0, 0), (60, -30), (120, 30), (180, 0))
]
_MIDDLE = [_inner(*place) for place in ((HEAD, -135), (HEAD, 135), (TAIL, -45), (TAIL, 45))]
_WELLS = dict(zip(SPACES, _RING + _MIDDLE, strict=True))


def supply(pen: Pen, colours: Mapping[str, str], x: float, y: float, size: float) -> str:
    """The stone with what lies on it, by space."""
    scale = size / SIZE
    areas = "".join(pen.path(well.area, pen["well"]) for well in _WELLS.values())
    lying = [_pieces(pen, well, colours.get(space, ""), scale) for space, well in _WELLS.items()]
    drawn = (
        pen.sunk(pen.use("stone", 0, 0, 1), "stone-shadow")
        + pen.sunk(areas)
        + pen.use("stone-centre", SIZE / 2, SIZE / 2, 1)
        + pen.raised("".join(lying))
    )
    return moved(drawn, x, y, scale)


def _pieces(pen: Pen, well: _Well, colours: str, px: float) -> str:
    """What lies in a space, or the outline of what may; drawn round its middle."""
    if not colours:
        empty = Piece(well.kind, "")
        shape = outline(
            pen, well.kind, -empty.width(well.hollow) / 2, -well.hollow / 2, well.hollow, "hollow"
        )
        drawn = f'<g opacity=".35">{shape}</g>'
    else:
        drawn = _row(pen, [Piece(well.kind, colour) for colour in colours], well, px)
    turn = f" rotate({number(well.turn)})" if well.turn else ""
    return f'<g transform="translate({number(well.x)} {number(well.y)}){turn}">{drawn}</g>'


def _row(pen: Pen, pieces: list[Piece], well: _Well, px: float) -> str:
    """The first piece lies on top."""
    height, width = well.height, pieces[0].width(well.height)
    if well.upright:
        pitch = 0.87 * height
        top = -(pitch * (len(pieces) - 1) + height) / 2
        places = [(-width / 2, top + n * pitch) for n in range(len(pieces))]
    else:
        left = -width * len(pieces) / 2
        places = [(left + n * width, -height / 2) for n in range(len(pieces))]
    drawn = [
        piece(pen, one, x, y, height, px=px) for one, (x, y) in zip(pieces, places, strict=True)
    ]
    return "".join(reversed(drawn))
