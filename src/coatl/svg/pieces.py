"""Pieces, Cóatl, patterns and seals. Pieces are drawn in boxes 64 high and stand out of them."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import NamedTuple

from coatl.errors import NotationError
from coatl.rules.patterns import Pattern
from coatl.rules.pieces import COLOURS
from coatl.svg.art import BLACK, WHITE, Colour
from coatl.svg.pen import Pen, dimmed, moved, number

HEAD, BODY, TAIL = "head", "body", "tail"
_BOX = 64
_WIDTHS = {HEAD: 78, BODY: 46, TAIL: 88}
_LEFT, _RIGHT = 0.2, 0.24  # what stands out at the ends of a Cóatl, in heights
_WAVE, _HEIGHT_OF_WAVE, _LEAN = 52, 0.1, 7  # degrees a piece, heights, degrees

_COATL = re.compile(rf"(<?)([{COLOURS}]+)(>?)")


class Piece(NamedTuple):
    kind: str
    colour: str  # a letter of COLOURS

    def width(self, height: float) -> float:
        return _WIDTHS[self.kind] * height / _BOX


def read_coatl(text: str) -> list[Piece]:
    """The pieces of a Cóatl such as ``<KRB``, head to tail; raises `NotationError`."""
    found = _COATL.fullmatch(text)
    if found is None or (found[1] and found[3] and len(found[2]) < 2):
        raise NotationError(
            f"a Cóatl is written like <KRRB or KRB> in the letters {COLOURS}, not {text[:50]!r}"
        )
    head, colours, tail = found.groups()
    kinds = [BODY] * len(colours)
    if head:
        kinds[0] = HEAD
    if tail:
        kinds[-1] = TAIL
    return [Piece(kind, colour) for kind, colour in zip(kinds, colours, strict=True)]


def read_piece(text: str) -> Piece:
    """``<K``, ``K`` or ``K>``."""
    (piece,) = read_coatl(text)
    return piece


# ---------------------------------------------------------------- pieces and Cóatl


def piece(
    pen: Pen, what: Piece, x: float, y: float, height: float, turn: str = "", px: float = 1
) -> str:
    """A piece whose box has its corner at a place; `px` is the size of a unit on the page."""
    size = size_of(height * px)
    return pen.use(f"{what.kind}-{what.colour}", x, y, height / _BOX, size, turn)


def outline(pen: Pen, kind: str, x: float, y: float, height: float, variant: str) -> str:
    return pen.use(f"slot-{kind}", x, y, height / _BOX, variant)


def size_of(height: float) -> str:
    """Small pieces get thicker edges and less carving."""
    return "s" if height < 30 else "m" if height < 44 else ""


def coatl_width(pieces: Sequence[Piece], height: float) -> float:
    return sum(one.width(height) for one in pieces) + (_LEFT + _RIGHT) * height


def fitting_height(pieces: Sequence[Piece], width: float, most: float) -> float:
    """The height at which a Cóatl fits into a width."""
    return min(most, width / coatl_width(pieces, 1))


def coatl(pen: Pen, pieces: Sequence[Piece], x: float, y: float, height: float) -> str:
    """A Cóatl in waves; the head lies on top of the others."""
    drawn = []
    left = x + _LEFT * height
    for place, one in enumerate(pieces):
        angle = math.radians(place * _WAVE)
        middle = f"{number(one.width(height) / 2)} {number(height / 2)}"
        turn = f" rotate({number(math.cos(angle) * _LEAN)} {middle})"
        top = y + math.sin(angle) * _HEIGHT_OF_WAVE * height
        drawn.append(piece(pen, one, left, top, height, turn))
        left += one.width(height)
    return "".join(reversed(drawn))


# ---------------------------------------------------------------- what cards show


class Cell(NamedTuple):
    """One step of a pattern that is read from head to tail."""

    colour: str  # W: any
    crossed: bool = False  # such a piece must not be there
    repeats: bool = False


def cells_of(pattern: Pattern) -> list[Cell]:
    """Empty if the pattern wants several pieces anywhere; one to be counted is a line of one."""
    if pattern.is_set:
        return [Cell(colour) for colour in amounts_of(pattern)] if pattern.shortest == 1 else []
    items = [
        Cell("W" if item.colour is None else COLOURS[item.colour], repeats=item.repeats)
        for item in pattern.items
    ]
    before, after = (
        [] if colour is None else [Cell(COLOURS[colour], crossed=True)]
        for colour in (pattern.not_before, pattern.not_after)
    )
    return [*before, *items, *after]


def amounts_of(pattern: Pattern) -> dict[str, int]:
    """How many pieces of which colours a set asks for, in the order of its text."""
    letters = [letter for letter in pattern.text if letter in COLOURS]
    return {letter: letters.count(letter) for letter in letters}


def row_of_cells(
    pen: Pen, cells: Sequence[Cell], middle: float, y: float, height: float, px: float, badge: float
) -> str:
    """A pattern round a middle. `px` is the size of a unit on the page, `badge` that of an ∞."""
    width = _WIDTHS[BODY] * height / _BOX
    left = middle - width * len(cells) / 2 - 0.02 * width * len(cells)
    drawn = []
    for place, cell in enumerate(cells):
        x = left + place * width
        drawn.append(_cell(pen, cell, x, y, height, size_of(height * px)))
        if cell.repeats and cell.colour != "W":
            drawn[-1] += _badge(pen, x + 0.46 * width, y + 0.96 * height, badge)
    return "".join(reversed(drawn))


def _cell(pen: Pen, cell: Cell, x: float, y: float, height: float, size: str) -> str:
    scale = height / _BOX
    if cell.colour == "W" and not cell.repeats:
        return pen.use("slot-body", x, y, scale, "any")
    body = pen.use(f"body-{cell.colour}", x, y, scale, size)
    return dimmed(body, 0.42) + pen.use("cross", x, y, scale) if cell.crossed else body


def _badge(pen: Pen, x: float, y: float, height: float) -> str:
    """The sign for one or more, on ivory in either theme."""
    width, top = 1.9 * height, y - 0.18 * height
    place = f'x="{number(x - width / 2)}" y="{number(top)}" rx="{number(height / 2)}"'
    size = f'width="{number(width)}" height="{number(height)}"'
    pill = f'<rect {place} {size} fill="#fffaf0" stroke="#4a3d2c" stroke-width="1.3"/>'
    scale = 0.72 * height / 12
    ink = Colour.read("#2b2118")
    return pill + pen.motif("inf", x - 12 * scale, top + height / 2 - 6 * scale, scale, ink)


def seal(pen: Pen, colour: str, x: float, y: float, size: float, struck: bool = False) -> str:
    """A colour as a round seal about a place; struck: none of it."""
    radius, edge = size / 2, size * 0.055
    glyph = 0.64 * (size - 2 * edge)
    base = Colour.read(pen.colours.fill_in("var(--c)", pen.colours.piece(colour)))
    rim = Colour.read(pen.colours.fill_in("var(--edge)", pen.colours.piece(colour)))
    inside = radius - edge
    drawn = (
        pen.circle(x, y, radius, rim)
        + pen.circle(x, y, inside, base)
        + _crescent(pen, x, y, inside, 0.07 * size, WHITE)
        + _crescent(pen, x, y, inside, -0.07 * size, BLACK)
        + pen.use(f"glyph-{colour}", x - glyph / 2, y - glyph / 2, glyph / 24)
    )
    return drawn + strike(pen, x, y, 1.24 * size, 0.145 * size, -45) if struck else drawn


def _crescent(pen: Pen, x: float, y: float, radius: float, depth: float, colour: Colour) -> str:
    """The light at the top of a disc, or the shade at its bottom."""
    half = math.sqrt(radius**2 - depth**2 / 4)
    ends = [f"{number(x + side * half)} {number(y + depth / 2)}" for side in (-1, 1)]
    arc, down = f"A{number(radius)} {number(radius)} 0", int(depth > 0)
    d = f"M{ends[0]}{arc} 1 {down} {ends[1]}{arc} 0 {1 - down} {ends[0]}Z"
    return pen.path(d, colour.faded(0.22))


def strike(pen: Pen, x: float, y: float, width: float, height: float, angle: float) -> str:
    """A bar across something that must not be there."""
    bar = f'x="{number(-width / 2)}" y="{number(-height / 2)}" rx="{number(height / 2)}"'
    size = f'width="{number(width)}" height="{number(height)}"'
    line = f'stroke="{pen["face"]}" stroke-width="{number(height * 0.25)}"'
    turn = f'transform="rotate({number(angle)})"'
    return moved(f'<rect {bar} {size} {turn} fill="{pen["bad"]}" {line}/>', x, y)
