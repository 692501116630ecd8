"""Cards: whole, face down, and small beside a Cóatl. A whole card has 112 × 158 units."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from coatl.errors import NotationError
from coatl.rules.cards import Deck, Prophecy, Requirement, Temple, TempleRequirement
from coatl.rules.pieces import COLOUR_NAMES, COLOURS
from coatl.svg.art import BLACK, WHITE, Colour, motif_width
from coatl.svg.pen import Pen, Point, dimmed, moved, number, roofed, stepped
from coatl.svg.pieces import (
    amounts_of,
    cells_of,
    row_of_cells,
    seal,
    strike,
)

Card = Prophecy | Temple
Shape = Callable[[float, float, float, float], list[Point]]

WIDTH, HEIGHT = 112, 158
CHIP_WIDTH, CHIP_HEIGHT = 88, 64
_FRAME, _EDGE = 4.5, 1.15
_INSIDE = (_FRAME, _FRAME, WIDTH - 2 * _FRAME, HEIGHT - 2 * _FRAME)  # x, y, width, height
_BAND = 20
_SMALL = 92  # a card less wide has no words, and larger numbers

# Heights of the pieces of a pattern by their number, and of the steps by theirs.
_PATTERNS = (58, 52, 37, 29, 24)
_CHIP_PATTERNS = (30, 28, 28, 23, 20)
_STEPS = {2: (24, 37), 3: (22, 30, 38), 4: (21, 27.5, 34, 40.5)}
_TEMPLE_STEPS = {1: (35,), 2: (25, 35), 3: (23, 29, 35)}
_TEMPLE_WORDS = {1: ("",), 2: ("one", "both"), 3: ("", "", "")}


def find_card(what: str | Card, deck: Deck) -> Card:
    """A card by its name; raises `NotationError` if the deck has none of that name."""
    if isinstance(what, Prophecy | Temple):
        return what
    if what in deck.prophecy_ids:
        return deck.prophecies[deck.prophecy_ids[what]]
    if what in deck.temple_ids:
        return deck.temples[deck.temple_ids[what]]
    raise NotationError(f"no card is named {what!r}")


def letter_of(card: Card) -> str:
    """The letter of a card's colour; T: a Temple card."""
    return COLOURS[COLOUR_NAMES.index(card.colour)] if isinstance(card, Prophecy) else "T"


def card(pen: Pen, what: Card, x: float, y: float, width: float) -> str:
    if isinstance(what, Prophecy):
        drawn = _prophecy(pen, what, width / WIDTH)
    else:
        drawn = _temple(pen, what, width / WIDTH)
    return moved(drawn, x, y, width / WIDTH)


def back(pen: Pen, x: float, y: float, width: float, temple: bool = False) -> str:
    """A card that lies face down."""
    shape = roofed if temple else stepped
    base = pen["back"]
    drawn = (
        pen.polygon(shape(0, 0, WIDTH, HEIGHT), base.mix(BLACK, 0.22))
        + pen.polygon(shape(*_INSIDE), pen.fade(base.mix(WHITE, 0.1), base))
        + pen.use("back", 24, 31, 1)
    )
    whole = pen.once("temple-back" if temple else "prophecy-back", drawn)
    return moved(whole, x, y, width / WIDTH)


def empty(pen: Pen, x: float, y: float, width: float) -> str:
    """A place without a card."""
    hole = pen.polygon(stepped(0, 0, WIDTH, HEIGHT), pen["well"].faded(0.6))
    return moved(hole, x, y, width / WIDTH)


# ---------------------------------------------------------------- Prophecy cards


def _prophecy(pen: Pen, card: Prophecy, px: float) -> str:
    """`px`: the size of a unit on the page."""
    letter = letter_of(card)
    x, y, width, height = _INSIDE
    levels = sorted(card.levels.items())
    if len(levels) == 1:
        ladder, top = _pyramid(pen, levels[0][1])
    else:
        ladder, top = _ladder(pen, levels, px)
    face = pen.fade(pen["face"], pen["face"].mix(pen["well"], 0.26))
    unmet = [False] * max(card.levels)
    pitch = min(10, 96 / len(unmet))
    middle = (y + _BAND + top - 12.5) / 2
    return (
        pen.rect(x, y + _BAND - 1, width, height - _BAND + 1, face)
        + ladder
        + _frame(pen, letter, stepped, _opening(x, y + _BAND, width, height - _BAND))
        + _band(pen, letter, WIDTH / 2, y + _BAND / 2, 66, 9.2)
        + _wish(pen, card, WIDTH / 2, middle, px)
        + _pips(pen, unmet, WIDTH / 2 - pitch * len(unmet) / 2, top - 7.6, pitch, pen["ink-2"])
    )


def _frame(pen: Pen, letter: str, shape: Shape, opening: Sequence[Point]) -> str:
    colours = pen.colours.card(letter)
    outer = shape(0, 0, WIDTH, HEIGHT)
    inner = shape(_EDGE, _EDGE, WIDTH - 2 * _EDGE, HEIGHT - 2 * _EDGE)
    frame = pen.ring(outer, opening, colours.frame) + pen.ring(outer, inner, colours.edge)
    return pen.once(f"frame-{letter}", frame)


def _opening(x: float, y: float, width: float, height: float, step: float = 5) -> list[Point]:
    """A box whose lower corners are stepped: what a frame with a band leaves free."""
    lower = [point for point in stepped(x, y, width, height, step) if point[1] > y + height / 2]
    return [(x, y), (x + width, y), *lower]


def _band(pen: Pen, letter: str, x: float, y: float, width: float, height: float) -> str:
    """As many motifs as there is room for round a place, evenly spread."""
    scale = height / 12
    one = motif_width(letter) * scale
    count = int(width / one)
    pitch = one if count == 1 else (width - one) / (count - 1)
    left = x - (pitch * (count - 1) + one) / 2
    ink = pen.colours.card(letter).on
    motifs = [
        pen.motif(f"motif-{letter}", left + place * pitch, y - height / 2, scale, ink)
        for place in range(count)
    ]
    return dimmed("".join(motifs), 0.88)


def _wish(pen: Pen, card: Prophecy, x: float, middle: float, px: float) -> str:
    cells = cells_of(card.pattern)
    if not cells:
        return _amounts(pen, amounts_of(card.pattern), x, middle)
    count = len(cells)
    height = _PATTERNS[count - 1] if count <= len(_PATTERNS) else 120 / count
    return row_of_cells(pen, cells, x, middle - height * 0.56, height, px, 14.5)


def _amounts(pen: Pen, amounts: dict[str, int], x: float, middle: float) -> str:
    """So many of each colour: side by side, or in two columns if there are more than three."""
    rows = -(-len(amounts) // 2)
    pitch = min(30, 66 / rows)
    drawn = []
    for place, (colour, amount) in enumerate(amounts.items()):
        if len(amounts) <= 3:
            left = x + (place - (len(amounts) - 1) / 2) * 32
            drawn.append(seal(pen, colour, left, middle - 9, 25.5))
            drawn.append(pen.text(left, middle + 22, amount, 18, pen["ink"], 900))
        else:
            left, top = x - 25 + place % 2 * 50, middle + (place // 2 - (rows - 1) / 2) * pitch
            drawn.append(seal(pen, colour, left - 8, top, 0.85 * pitch))
            drawn.append(pen.text(left + 14, top + 6.5, amount, 18, pen["ink"], 900))
    return "".join(drawn)


def _pips(pen: Pen, met: Sequence[bool], x: float, y: float, pitch: float, ink: Colour) -> str:
    """One diamond for each time a card can be met; filled: met now."""
    half = 0.42 * pitch
    drawn = []
    for place, full in enumerate(met):
        left = x + (place + 0.5) * pitch - half
        up, down = f"{number(half)} {number(-half)}", f"{number(half)} {number(half)}"
        d = f"M{number(left)} {number(y)}l{up} {down} {number(-half)} {number(half)}z"
        drawn.append(pen.path(d, ink if full else "none", ink, pitch * 0.13))
    return "".join(drawn)


def _ladder(pen: Pen, levels: Sequence[tuple[int, int]], px: float) -> tuple[str, float]:
    """The levels as steps, and where they begin."""
    heights = _STEPS.get(len(levels)) or [
        21 + 20 * place / (len(levels) - 1) for place in range(len(levels))
    ]
    small = px * WIDTH < _SMALL
    size = (13 if len(levels) > 3 else 14) / px if small else 17 if len(levels) > 3 else 19
    drawn = _steps(pen, heights, [str(points) for _, points in levels], size)
    if small:
        return drawn, HEIGHT - _FRAME - max(heights)
    x, _, width, _ = _INSIDE
    step = width / len(levels)
    for place, ((times, _), height) in enumerate(zip(levels, heights, strict=True)):
        left, base = x + (place + 0.5) * step, HEIGHT - _FRAME - height - 3.5
        drawn += pen.text(left, base, f"{times}×", 12.8, pen["ink-2"], 800)
    return drawn, HEIGHT - _FRAME - max(heights) - 15


def _steps(pen: Pen, heights: Sequence[float], numbers: Sequence[str], size: float) -> str:
    x, _, width, _ = _INSIDE
    bottom, step = HEIGHT - _FRAME, width / len(heights)
    fill = pen["well"].mix(pen["face"], 0.4)
    drawn = []
    for place, (height, text) in enumerate(zip(heights, numbers, strict=True)):
        left, top = x + place * step, bottom - height
        drawn.append(pen.rect(left, top, step, height, fill))
        line = f"M{number(left)} {number(bottom)}V{number(top)}H{number(left + step)}"
        drawn.append(pen.path(line, "none", pen["line-ui"], 1.5))
        base = top + 3.4 + min(0.8 * size, (height - 3.4 + 0.7 * size) / 2)
        drawn.append(pen.text(left + step / 2, base, text, size, pen["ink"], 900))
    return "".join(drawn)


def _pyramid(pen: Pen, points: int) -> tuple[str, float]:
    """The points of a card with one level, and where they begin."""
    x, _, width, _ = _INSIDE
    top, height = HEIGHT - _FRAME - 49, 49
    outer = _pyramid_outline(x, top, width, height)
    inner = _pyramid_outline(x + 1.5, top + 1.5, width - 3, height - 1.5)
    fill = pen["well"].mix(pen["face"], 0.4)
    drawn = pen.polygon(outer, pen["line-ui"]) + pen.polygon(inner, fill)
    return drawn + pen.text(WIDTH / 2, top + 36, points, 24, pen["ink"], 900), top


def _pyramid_outline(x: float, y: float, width: float, height: float) -> list[Point]:
    left = [(0, 1), (0, 0.74), (0.12, 0.74), (0.12, 0.49), (0.24, 0.49), (0.24, 0.24)]
    left += [(0.36, 0.24), (0.36, 0)]
    both = [*left, *((1 - a, b) for a, b in reversed(left))]
    return [(x + a * width, y + b * height) for a, b in both]


# ---------------------------------------------------------------- Temple cards


def _temple(pen: Pen, card: Temple, px: float) -> str:
    x, y, width, _ = _INSIDE
    count = len(card.requirements)
    heights = _TEMPLE_STEPS.get(len(card.levels)) or [
        23 + 12 * place / (len(card.levels) - 1) for place in range(len(card.levels))
    ]
    face = pen.fade(pen["face"], pen["face"].mix(pen["well"], 0.4))
    top, bottom = y + 23, HEIGHT - _FRAME - max(heights) - 5
    gap = 4 if count < 3 else 2.8
    door = (bottom - top - gap * (count - 1)) / count
    drawn = [pen.polygon(roofed(*_INSIDE), face), pen.use("spiral", WIDTH / 2 - 13, 9.5, 1.083)]
    for place, condition in enumerate(card.requirements):
        above = top + place * (door + gap)
        drawn.append(_door(pen, x + 7, above, width - 14, door))
        scale = min(1.0, door / 37)
        inside = requirement(pen, condition)
        drawn.append(moved(inside, WIDTH / 2, above + door / 2, scale))
    words = _TEMPLE_WORDS.get(len(card.levels), ("",) * len(card.levels))
    if px * WIDTH < _SMALL:
        words = ("",) * len(card.levels)
    drawn.append(_temple_steps(pen, card, heights, words, px))
    drawn.append(_frame(pen, "T", roofed, roofed(*_INSIDE)))
    return "".join(drawn)


def _door(pen: Pen, x: float, y: float, width: float, height: float) -> str:
    fill = pen["well"].faded(0.45)
    return (
        pen.rect(x, y, width, height, pen["line"])
        + pen.rect(x + 1.4, y + 1.4, width - 2.8, height - 2.8, pen["face"])
        + pen.rect(x + 1.4, y + 1.4, width - 2.8, height - 2.8, fill)
    )


def _temple_steps(
    pen: Pen, card: Temple, heights: Sequence[float], words: Sequence[str], px: float
) -> str:
    if not any(words):
        size = 14 / px if px * WIDTH < _SMALL else 17.5
        return _steps(pen, heights, [str(points) for points in card.levels], size)
    drawn = _steps(pen, heights, [""] * len(heights), 19)
    x, _, width, _ = _INSIDE
    step = width / len(heights)
    for place, (points, word) in enumerate(zip(card.levels, words, strict=True)):
        middle, base = x + (place + 0.5) * step, HEIGHT - _FRAME - heights[place] + 18
        left = middle - (14 + 7 * len(word)) / 2
        drawn += pen.text(left, base, points, 19, pen["ink"], 900, "start")
        drawn += pen.text(left + 15.5, base, word, 11.6, pen["ink"], 700, "start")
    return drawn


def requirement(pen: Pen, condition: TempleRequirement) -> str:
    """What a Temple card asks for, drawn round the origin, about 30 high."""
    a = COLOURS[condition.a % len(COLOURS)]
    match condition.kind:
        case Requirement.NONE_OF:
            return seal(pen, a, 0, 0, 29, struck=True)
        case Requirement.EQUAL:
            sign = pen.text(0, 6, "=", 19, pen["ink"], 900)
            return seal(pen, a, -24, 0, 29) + sign + seal(pen, COLOURS[condition.b], 24, 0, 29)
        case Requirement.EXACTLY:
            drawn = pen.use("length", -36, -9.5, 1)
            return drawn + pen.text(4, 9, condition.a, 25, pen["ink"], 900, "start")
        case Requirement.NO_PROPHECY:
            return _no_card(pen, a)


def _no_card(pen: Pen, letter: str) -> str:
    """A small card of a colour, struck."""
    frame = pen.colours.card(letter).frame
    return (
        pen.polygon(stepped(-14.5, -15, 29, 30, 2), frame)
        + pen.rect(-11.7, -4.2, 23.4, 16.4, pen["face"])
        + _band(pen, letter, 0, -9.3, 25, 7.4)
        + strike(pen, 0, 4.5, 34, 4, -24)
    )


# ---------------------------------------------------------------- beside a Cóatl


class Laid(NamedTuple):
    """A card that lies beside a Cóatl, and what it is worth there."""

    card: Card
    met: Sequence[bool]  # each time it can be met; of a Temple card, each requirement
    points: int

    @classmethod
    def prophecy(cls, card: Prophecy, times: int) -> Laid:
        met = [place < times for place in range(max(card.levels))]
        return cls(card, met, card.points_for(times))

    @classmethod
    def temple(cls, card: Temple, met: Sequence[bool]) -> Laid:
        return cls(card, met, card.points_for(met))


def chip(pen: Pen, laid: Laid, x: float, y: float, height: float) -> str:
    """A card beside a Cóatl: what it asks for, how often it is met, the points for that."""
    colours = pen.colours.card(letter_of(laid.card))
    px = height / CHIP_HEIGHT
    if isinstance(laid.card, Prophecy):
        condition = _chip_pattern(pen, laid.card, px)
    else:
        condition = _chip_requirements(pen, laid.card, laid.met)
    drawn = (
        pen.rect(3, 3, 82, 38, pen["face"])
        + condition
        + _chip_frame(pen, letter_of(laid.card))
        + _pips(pen, laid.met, 9, 50.5, min(9.5, 52 / len(laid.met)), colours.on)
        + pen.text(79, 56.5, laid.points, 17, colours.on, 900, "end")
    )
    return moved(drawn, x, y, px)


def _chip_frame(pen: Pen, letter: str) -> str:
    colours = pen.colours.card(letter)
    outer = stepped(0, 0, CHIP_WIDTH, CHIP_HEIGHT, 3.5)
    upper = [point for point in stepped(3, 3, 82, 58, 3.5) if point[1] < 32]
    frame = pen.ring(outer, [*upper, (85, 40), (3, 40)], colours.frame)
    edge = pen.ring(outer, stepped(1, 1, CHIP_WIDTH - 2, CHIP_HEIGHT - 2, 3.5), colours.edge)
    return pen.once(f"chip-{letter}", frame + edge)


def _chip_pattern(pen: Pen, card: Prophecy, px: float) -> str:
    cells = cells_of(card.pattern)
    if cells:
        count = len(cells)
        height = _CHIP_PATTERNS[count - 1] if count <= 5 else 100 / count
        return row_of_cells(pen, cells, 44, 21.5 - height * 0.58, height, px, 10.5)
    amounts = amounts_of(card.pattern)
    pitch = 22 if len(amounts) <= 3 else 17.5
    drawn = []
    for place, (colour, amount) in enumerate(amounts.items()):
        x = 44 + (place - (len(amounts) - 1) / 2) * pitch
        drawn.append(seal(pen, colour, x, 14, 17))
        drawn.append(pen.text(x, 36, amount, 13, pen["ink"], 900))
    return "".join(drawn)


def _chip_requirements(pen: Pen, card: Temple, met: Sequence[bool]) -> str:
    """The requirements in a row; those not met are faint."""
    widths = [_chip_width(condition) for condition in card.requirements]
    scale = min(0.78, 74 / (sum(widths) + 8 * (len(widths) - 1)))
    left = 44 - scale * (sum(widths) + 8 * (len(widths) - 1)) / 2
    drawn = []
    for condition, width, full in zip(card.requirements, widths, met, strict=True):
        if condition.kind == Requirement.EXACTLY:
            inside = pen.text(0, 9, condition.a, 25, pen["ink"], 900)
        else:
            inside = requirement(pen, condition)
        placed = moved(inside, left + scale * width / 2, 21.5, scale)
        drawn.append(placed if full else dimmed(placed, 0.45))
        left += scale * (width + 8)
    return "".join(drawn)


def _chip_width(condition: TempleRequirement) -> float:
    return {Requirement.EQUAL: 77, Requirement.EXACTLY: 30}.get(condition.kind, 32)
