"""What every drawing is made with: shapes, text, the page's symbols, and the finished document."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from xml.sax.saxutils import escape, quoteattr

from coatl.svg import art
from coatl.svg.art import Colour, Theme

Paint = Colour | str
Point = tuple[float, float]

# How the drawing of a piece changes with its size on the page, and what an outline looks like.
VARIANTS: dict[str, dict[str, str]] = {
    "": {},
    "m": {"edge-w": "2.2"},
    "s": {"edge-w": "2.7", "detail": "0"},
    "hollow": {"slot-line": "var(--disc-cut)", "slot-dash": "none"},
    "any": {"slot": "var(--w)", "slot-line": "var(--w-edge)", "slot-dash": "none"},
}

_RAISED = (
    '<filter id="{id}" x="-10%" y="-10%" width="120%" height="130%">'
    '<feDropShadow dx="0" dy="1.6" stdDeviation="1.8" '
    'flood-color="{colour}" flood-opacity="{share}"/></filter>'
)
_FADE = (
    '<linearGradient id="{id}" x1="0" y1="0" x2="0" y2="1">'
    '<stop offset="0" stop-color="{top}"/><stop offset="1" stop-color="{bottom}"/></linearGradient>'
)
_FORBIDDEN = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")  # in XML 1.0


@dataclass(frozen=True, repr=False)
class Drawing:
    """A finished drawing. `str` gives a complete SVG document; notebooks show it by themselves."""

    text: str
    width: int
    height: int

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<Drawing {self.width} × {self.height}>"

    def _repr_svg_(self) -> str:
        return self.text

    def save(self, path: str | Path) -> None:
        """Write it to a file."""
        Path(path).write_text(self.text, encoding="utf-8")


class Pen:
    """Draws in the colours of one theme. Methods return elements as text."""

    def __init__(self, theme: Theme) -> None:
        if theme not in art.THEMES:
            raise ValueError(f"a theme is {' or '.join(art.THEMES)}, not {theme!r}")
        self.colours = art.palette(theme)
        self._definitions: dict[str, str] = {}

    def __getitem__(self, name: str) -> Colour:
        """A colour of the theme."""
        return self.colours[name]

    # ------------------------------------------------------------ shapes

    def rect(
        self, x: float, y: float, width: float, height: float, fill: Paint, radius: float = 0
    ) -> str:
        corner = f' rx="{number(radius)}"' if radius else ""
        size = f'width="{number(width)}" height="{number(height)}"'
        return f'<rect x="{number(x)}" y="{number(y)}" {size}{corner} fill="{fill}"/>'

    def polygon(self, points: Iterable[Point], fill: Paint) -> str:
        text = " ".join(f"{number(x)},{number(y)}" for x, y in points)
        return f'<polygon points="{text}" fill="{fill}"/>'

    def ring(self, outer: Iterable[Point], inner: Iterable[Point], fill: Paint) -> str:
        """What lies between two outlines."""
        parts = [
            "M" + "L".join(f"{number(x)} {number(y)}" for x, y in line) + "Z"
            for line in (outer, inner)
        ]
        return f'<path d="{"".join(parts)}" fill="{fill}" fill-rule="evenodd"/>'

    def path(self, d: str, fill: Paint = "none", stroke: Paint = "none", width: float = 1) -> str:
        line = "" if stroke == "none" else f' stroke="{stroke}" stroke-width="{number(width)}"'
        return f'<path d="{d}" fill="{fill}"{line}/>'

    def circle(self, x: float, y: float, radius: float, fill: Paint) -> str:
        return f'<circle cx="{number(x)}" cy="{number(y)}" r="{number(radius)}" fill="{fill}"/>'

    def text(
        self,
        x: float,
        y: float,
        content: object,
        size: float,
        fill: Paint,
        weight: int = 400,
        anchor: str = "middle",
    ) -> str:
        """One line; `y` is its base line."""
        look = f'font-size="{number(size)}" font-weight="{weight}" fill="{fill}"'
        place = f'x="{number(x)}" y="{number(y)}" text-anchor="{anchor}"'
        return f"<text {place} {look}>{plain(content)}</text>"

    # ------------------------------------------------------------ definitions

    def use(
        self, name: str, x: float, y: float, scale: float, variant: str = "", turn: str = ""
    ) -> str:
        """A symbol with its corner at a place; `turn` goes before the scale."""
        id = self._define(name, variant, VARIANTS[variant])
        move = f"translate({number(x)} {number(y)})"
        return f'<use href="#{id}" transform="{move}{turn} scale({number(scale, 4)})"/>'

    def motif(self, name: str, x: float, y: float, scale: float, ink: Colour) -> str:
        """A symbol in one colour."""
        variant = re.sub(r"\W+", "-", str(ink)).strip("-")
        id = self._define(name, variant, {"color": str(ink)})
        move = f"translate({number(x)} {number(y)}) scale({number(scale, 4)})"
        return f'<use href="#{id}" transform="{move}"/>'

    def strip(self, name: str, y: float, width: float, height: float, scale: float) -> str:
        """A band across a drawing, filled with a symbol again and again."""
        ink = self["on-lintel-2"].faded(0.32)
        tile = self.motif(name, 0, 0, scale, ink)
        id = art.id_of(self.colours, "strip", name)
        size = f'width="{number(32 * scale)}" height="{number(height)}"'
        self._definitions[id] = (
            f'<pattern id="{id}" y="{number(y)}" {size} patternUnits="userSpaceOnUse">'
            f"{tile}</pattern>"
        )
        return self.rect(0, y, width, height, f"url(#{id})")

    def once(self, name: str, content: str) -> str:
        """Something that may be drawn often, defined once under a name of its own."""
        id = art.id_of(self.colours, name, "")
        self._definitions[id] = f'<g id="{id}">{content}</g>'
        return f'<use href="#{id}"/>'

    def _define(self, name: str, variant: str, values: Mapping[str, str]) -> str:
        id = art.id_of(self.colours, name, variant)
        if id not in self._definitions:
            self._definitions |= art.definitions(self.colours, name, variant, values)
        return id

    def fade(self, top: Colour, bottom: Colour) -> str:
        """A paint that goes from one colour to another, from top to bottom."""
        id = art.id_of(self.colours, "fade", f"{top}{bottom}".replace("#", ""))
        self._definitions[id] = _FADE.format(id=id, top=top, bottom=bottom)
        return f"url(#{id})"

    def raised(self, content: str) -> str:
        """With a shadow below."""
        id = art.id_of(self.colours, "raised", "")
        dark = self.colours.theme == "dark"
        look = {"colour": "#000" if dark else "#2b2118", "share": ".7" if dark else ".36"}
        self._definitions[id] = _RAISED.format(id=id, **look)
        return f'<g filter="url(#{id})">{content}</g>'

    def sunk(self, content: str, filter: str = "sunk") -> str:
        """With the shadow of an edge above."""
        return f'<g filter="url(#{self._define(filter, "", {})})">{content}</g>'

    # ------------------------------------------------------------ the document

    def drawing(
        self, content: str, width: float, height: float, title: str, shown: int | None
    ) -> Drawing:
        """The document, on a ground of its own; `shown` is its width in a page."""
        if shown is not None and shown < 1:
            raise ValueError(f"a drawing is at least 1 wide, not {shown}")
        w, h = round(width if shown is None else shown), height
        h = max(1, round(height * w / width))
        root = (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{w}" height="{h}" '
            f'viewBox="0 0 {number(width)} {number(height)}" role="img" '
            f"font-family={quoteattr(self.colours.font)}>"
        )
        known = "\n".join(self._definitions.values())
        ground = self.rect(0, 0, width, height, self["ground"], 6)
        text = f"{root}\n<title>{plain(title)}</title>\n<defs>\n{known}\n</defs>\n{ground}\n"
        return Drawing(f"{text}{content}\n</svg>\n", w, h)


def number(value: float, digits: int = 2) -> str:
    text = f"{value:.{digits}f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def plain(content: object) -> str:
    """A text as it may stand in XML."""
    return escape(_FORBIDDEN.sub("�", str(content)))


def shortened(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 1].rstrip() + "…"


def moved(content: str, x: float, y: float, scale: float = 1) -> str:
    grown = "" if scale == 1 else f" scale({number(scale, 4)})"
    return f'<g transform="translate({number(x)} {number(y)}){grown}">{content}</g>'


def dimmed(content: str, opacity: float) -> str:
    return f'<g opacity="{number(opacity)}">{content}</g>'


# ---------------------------------------------------------------- outlines


def stepped(x: float, y: float, width: float, height: float, step: float = 5) -> list[Point]:
    """A box whose corners are cut in two steps."""
    cut = [(0, 2), (1, 2), (1, 1), (2, 1), (2, 0)]
    corner = [(a * step, b * step) for a, b in cut]
    right, bottom = x + width, y + height
    return [
        *((x + a, y + b) for a, b in corner),
        *((right - a, y + b) for a, b in reversed(corner)),
        *((right - a, bottom - b) for a, b in corner),
        *((x + a, bottom - b) for a, b in reversed(corner)),
    ]


def roofed(x: float, y: float, width: float, height: float, step: float = 7) -> list[Point]:
    """A box with a roof of three steps."""
    cut = [(0, 3.2), (1.6, 3.2), (1.6, 2.1), (3.2, 2.1), (3.2, 1), (4.8, 1), (4.8, 0)]
    corner: Sequence[Point] = [(a * step, b * step) for a, b in cut]
    right, bottom = x + width, y + height
    return [
        *((x + a, y + b) for a, b in corner),
        *((right - a, y + b) for a, b in reversed(corner)),
        (right, bottom),
        (x, bottom),
    ]
