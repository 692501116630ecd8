"""Plots as SVG, for the report and for pages: dots with intervals, and bars."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from xml.sax.saxutils import escape

from coatl.lab.estimates import Estimate

WIDTH, LEFT, RIGHT, ROW = 640, 150, 24, 22
STYLE = """
.ground{fill:#fff}.ink{fill:#222}.faint{stroke:#ccc}.zero{stroke:#777}
.one{fill:#1b6ca8;stroke:#1b6ca8}.two{fill:#b7791f;stroke:#b7791f}.dim{opacity:.45}
@media (prefers-color-scheme:dark){.ground{fill:#16191d}.ink{fill:#ddd}.faint{stroke:#3a3f46}
.zero{stroke:#999}.one{fill:#6db3ea;stroke:#6db3ea}.two{fill:#e2b15f;stroke:#e2b15f}}
"""
Format = Callable[[float], str]


def dots(title: str, rows: Sequence[tuple[str, Estimate]], number: Format, zero: float) -> str:
    """One line a row: its value and interval, beside a line at `zero`.

    Rows whose interval has that line in it are dim.
    """
    low = min([zero, *(estimate.low for _, estimate in rows)])
    high = max([zero, *(estimate.high for _, estimate in rows)])
    place = _scale(low, high)
    bottom = 44 + ROW * len(rows)
    parts = list(_axis(low, high, place, bottom, number))
    parts.append(_line(place(zero), 34, place(zero), bottom, "zero"))
    for at, (label, estimate) in enumerate(rows):
        y = 46 + ROW * at
        style = "one dim" if estimate.low <= zero <= estimate.high else "one"
        parts.append(_text(LEFT - 10, y + 4, label, "end"))
        parts.append(_line(place(estimate.low), y, place(estimate.high), y, style, 2))
        parts.append(
            f'<circle cx="{place(estimate.value):.1f}" cy="{y}" r="4" class="{style}">'
            f"<title>{escape(label)}: {number(estimate.value)} "
            f"({number(estimate.low)} to {number(estimate.high)})</title></circle>"
        )
    return _picture(title, parts, bottom + 26)


def bars(
    title: str, rows: Sequence[tuple[str, float, float]], names: tuple[str, str], number: Format
) -> str:
    """Two bars a row, side by side."""
    most = max((max(one, two) for _, one, two in rows), default=1.0) or 1.0
    place = _scale(0.0, most)
    bottom = 64 + ROW * len(rows)
    parts = [
        f'<rect x="{LEFT}" y="34" width="10" height="10" class="one"/>',
        _text(LEFT + 16, 43, names[0]),
        f'<rect x="{LEFT + 190}" y="34" width="10" height="10" class="two"/>',
        _text(LEFT + 206, 43, names[1]),
        *_axis(0.0, most, place, bottom, number, 54),
    ]
    for at, (label, *values) in enumerate(rows):
        y = 58 + ROW * at
        parts.append(_text(LEFT - 10, y + 12, label, "end"))
        for which, value in enumerate(values):
            parts.append(
                f'<rect x="{LEFT}" y="{y + 8 * which}" width="{place(value) - LEFT:.1f}" '
                f'height="7" class="{("one", "two")[which]}"/>'
            )
    return _picture(title, parts, bottom + 26)


def _scale(low: float, high: float) -> Callable[[float], float]:
    size = (WIDTH - LEFT - RIGHT) / ((high - low) or 1.0)
    return lambda value: LEFT + (value - low) * size


def _axis(
    low: float,
    high: float,
    place: Callable[[float], float],
    bottom: int,
    number: Format,
    top: int = 34,
) -> Iterator[str]:
    for value in ticks(low, high):
        x = place(value)
        yield _line(x, top, x, bottom, "faint")
        yield _text(x, bottom + 16, number(value), "middle")


def ticks(low: float, high: float) -> list[float]:
    """Some round numbers between two."""
    span = (high - low) or 1.0
    power = 10.0 ** math.floor(math.log10(span))
    step = next(power * part for part in (0.1, 0.2, 0.5, 1.0, 2.0) if span <= 7 * power * part)
    first, last = math.ceil(low / step), math.floor(high / step)
    return [round(step * number, 10) for number in range(first, last + 1)]


def _picture(title: str, parts: Sequence[str], height: int) -> str:
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img" '
        f'aria-label="{escape(title, {chr(34): "&quot;"})}" '
        'font-family="sans-serif" font-size="12">'
    )
    ground = f'<rect width="{WIDTH}" height="{height}" class="ground"/>'
    name = _text(12, 20, title, weight=' font-weight="bold"')
    return "\n".join([head, f"<style>{STYLE}</style>", ground, name, *parts, "</svg>"]) + "\n"


def _text(x: float, y: float, text: str, anchor: str = "start", weight: str = "") -> str:
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" class="ink"{weight}>'
        f"{escape(text)}</text>"
    )


def _line(x1: float, y1: float, x2: float, y2: float, style: str, width: int = 1) -> str:
    return (
        f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" '
        f'class="{style}" stroke-width="{width}"/>'
    )
