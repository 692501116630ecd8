"""The page's drawings and colours, read from `coatl/drawings`.

The files are written for the page: what depends on the theme, on a piece's colour or on its size is
a CSS variable there. Here every variable is replaced by its value, so that a drawing needs no style
sheet and looks the same in any program that shows SVG.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from typing import Literal, NamedTuple, get_args
from xml.etree import ElementTree

Theme = Literal["light", "dark"]
THEMES: tuple[str, ...] = get_args(Theme)

_RULE = re.compile(r"([^{}]+)\{([^{}]*)\}")
_VARIABLE = re.compile(r"var\(--([\w-]+)(?:,([^()]*))?\)")
_REFERENCE = re.compile(r"url\(#([\w-]+)\)")


def _read(name: str) -> str:
    return (resources.files("coatl") / "drawings" / name).read_text(encoding="utf-8")


# ---------------------------------------------------------------- colours


class Colour(NamedTuple):
    """Red, green and blue from 0 to 255, and opacity from 0 to 1."""

    red: float
    green: float
    blue: float
    opacity: float = 1

    @classmethod
    def read(cls, text: str) -> Colour:
        """``#RRGGBB``, ``#RRGGBBAA`` or ``#RGB``."""
        digits = text.removeprefix("#")
        if len(digits) == 3:
            digits = "".join(digit * 2 for digit in digits)
        red, green, blue, *opacity = bytes.fromhex(digits)
        return cls(red, green, blue, opacity[0] / 255 if opacity else 1)

    def __str__(self) -> str:
        numbers = [round(part) for part in self[:3]]
        if self.opacity == 1:
            return "#{:02x}{:02x}{:02x}".format(*numbers)
        return "rgba({},{},{},{:.3g})".format(*numbers, self.opacity)

    def mix(self, other: Colour, share: float) -> Colour:
        """As ``color-mix(in srgb, …)`` does with opaque colours."""
        return Colour(*(a + (b - a) * share for a, b in zip(self, other, strict=True)))

    def faded(self, opacity: float) -> Colour:
        return self._replace(opacity=opacity)


BLACK, WHITE = Colour(0, 0, 0), Colour(255, 255, 255)


@dataclass(frozen=True)
class CardColours:
    frame: Colour
    edge: Colour  # a thin line round the frame
    on: Colour  # what is drawn on the frame


class Palette:
    """The colours of a theme, by their names in ``tokens.css``: ``palette["ground"]``."""

    def __init__(self, theme: Theme) -> None:
        self.theme = theme
        self._rules = _style_rules()
        self._values = dict(self._rules[":root"])
        if theme == "dark":
            self._values |= self._rules["[data-theme=dark]"]

    def __getitem__(self, name: str) -> Colour:
        return Colour.read(self._values[name])

    @property
    def font(self) -> str:
        return self._values["font"]

    def card(self, letter: str) -> CardColours:
        """By the letter of a card colour, T for a Temple card."""
        scope = self._rules[f".c{letter}"]
        frame = Colour.read(self.fill_in(scope["cc"], {}))
        share = float(self._values["card-edge-mix"].removesuffix("%")) / 100
        edge = frame.mix(self["card-edge"], share)
        return CardColours(frame, edge, Colour.read(self.fill_in(scope["on"], {})))

    def piece(self, letter: str) -> Mapping[str, str]:
        """The variables of a piece of that colour, W for any colour."""
        return self._rules[f".{letter}"]

    def fill_in(self, text: str, scope: Mapping[str, str]) -> str:
        """A text with values in place of the variables."""

        def value(found: re.Match[str]) -> str:
            name, default = found.groups()
            inner = scope.get(name, self._values.get(name, default))
            return self.fill_in(inner, scope)

        filled = _VARIABLE.sub(value, text)
        is_colour = re.fullmatch("#[0-9A-Fa-f]{8}", filled)  # which older programs cannot read
        return str(Colour.read(filled)) if is_colour else filled


@lru_cache(maxsize=1)
def _style_rules() -> dict[str, dict[str, str]]:
    """Selector → name → value, of ``tokens.css``."""
    text = re.sub(r"/\*.*?\*/", "", _read("tokens.css"), flags=re.DOTALL)
    rules: dict[str, dict[str, str]] = {}
    for selectors, body in _RULE.findall(text):
        pairs = [line.split(":", 1) for line in body.split(";") if ":" in line]
        values = {name.strip().removeprefix("--"): value.strip() for name, value in pairs}
        for selector in selectors.split(","):
            rules.setdefault(selector.strip(), {}).update(values)
    return rules


@lru_cache(maxsize=2)
def palette(theme: Theme) -> Palette:
    return Palette(theme)


# ---------------------------------------------------------------- symbols


@lru_cache(maxsize=1)
def _drawings() -> dict[str, ElementTree.Element]:
    """Everything with a name in the drawings; a symbol becomes a group."""
    found = {}
    for file in ("pieces.svg", "table.svg"):
        for element in _parse(file).iterfind("defs/*"):
            found[element.attrib["id"]] = element
            if element.tag == "symbol":
                element.tag = "g"
                element.attrib = {"id": element.attrib["id"]}
    for name in ("fret", *(f"motif-{letter}" for letter in "KRBYG")):
        whole = _parse(f"{name}.svg")
        group = ElementTree.Element("g", {"id": name})
        group.extend(whole)
        found[name] = group
    return found


@lru_cache(maxsize=5)
def motif_width(letter: str) -> float:
    """Of the motif of a card colour, which is 12 high."""
    return float(_parse(f"motif-{letter}.svg").attrib["width"])


def _parse(file: str) -> ElementTree.Element:
    """The elements of a file, under their plain names."""
    root = ElementTree.fromstring(_read(file))
    for element in root.iter():
        element.tag = element.tag.removeprefix("{http://www.w3.org/2000/svg}")
    return root


def definitions(
    colours: Palette, name: str, variant: str, scope: Mapping[str, str]
) -> Iterator[tuple[str, str]]:
    """The ids and texts of a drawing and of what it refers to.

    An id names the theme and the variant. So whatever else stands in the same page of a notebook,
    an id that is there twice means the same both times.
    """
    element = deepcopy(_drawings()[name])
    element.tail = ""
    letter = name[-1] if name[-2:-1] == "-" else ""
    values = {**(colours.piece(letter) if letter in list("KRBYGW") else {}), **scope}
    referred: dict[str, None] = {}  # in order
    for part in element.iter():
        for key, text in part.attrib.items():
            reference = text[1:] if key == "href" else "".join(_REFERENCE.findall(text))
            if reference:
                referred[reference] = None
                text = text.replace(reference, id_of(colours, reference, ""))
            text = colours.fill_in(text, values)
            part.attrib[key] = values["color"] if text == "currentColor" else text
    _remove_invisible(element)
    element.attrib["id"] = id_of(colours, name, variant)
    for other in referred:
        yield from definitions(colours, other, "", {})
    yield element.attrib["id"], ElementTree.tostring(element, encoding="unicode")


def _remove_invisible(element: ElementTree.Element) -> None:
    """The carving of small pieces has no opacity."""
    for child in list(element):
        if child.attrib.get("opacity") == "0":
            element.remove(child)
        else:
            _remove_invisible(child)


def id_of(colours: Palette, name: str, variant: str) -> str:
    return "-".join(["coatl", colours.theme, name, *([variant] if variant else [])])
