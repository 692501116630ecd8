"""Colours are told apart in both themes: contrasts of the pairs that matter, as WCAG 2.2 counts.

The colours are those of `tokens.css`, and those of the ring around what has the focus.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
TOKENS = ROOT / "src" / "coatl" / "drawings" / "tokens.css"
BASE = ROOT / "web" / "src" / "assets" / "base.css"
TEXT, GRAPHICS = 4.5, 3.0  # success criteria 1.4.3 and 1.4.11

GROUNDS = ("ground", "ground-lo", "panel", "face")
ALL_GROUNDS = (*GROUNDS, "well")
PIECES = ("k", "r", "b", "y", "g", "w")
CARDS = ("r", "k", "b", "y", "g")
Colours = dict[str, str]


def declared(style: str) -> Colours:
    return dict(re.findall(r"--([\w-]+):\s*(#[0-9A-Fa-f]{3,8})\b", style))


def read_themes() -> dict[str, Colours]:
    """Each colour by its name; the dark theme changes some of the light one."""
    tokens = TOKENS.read_text(encoding="utf-8")
    light, dark = re.findall(r"^(?::root|\[data-theme=dark\])\{(.*?)^\}", tokens, re.M | re.S)
    shared = declared(BASE.read_text(encoding="utf-8"))
    on_cards = dict(re.findall(r"\.c([RKBYG])\{--cc:[^;]*;--on:(#\w+)\}", tokens))
    shared |= {f"on-card-{colour.lower()}": value for colour, value in on_cards.items()}
    return {"light": shared | declared(light), "dark": shared | declared(light) | declared(dark)}


THEMES = read_themes()
both_themes = pytest.mark.parametrize("colours", THEMES.values(), ids=THEMES)


def luminance(colour: str) -> float:
    digits = colour.lstrip("#")
    if len(digits) == 3:
        digits = "".join(digit * 2 for digit in digits)
    assert len(digits) == 6, f"{colour} can be seen through"
    parts = [int(digits[at : at + 2], 16) / 255 for at in (0, 2, 4)]
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def assert_told_apart(colours: Colours, pairs: Iterable[tuple[str, str]], least: float) -> None:
    found = {pair: contrast(colours[pair[0]], colours[pair[1]]) for pair in pairs}
    assert {pair: round(ratio, 2) for pair, ratio in found.items() if ratio < least} == {}


def test_contrast_is_counted_as_WCAG_does() -> None:
    assert contrast("#000", "#FFFFFF") == pytest.approx(21)
    assert contrast("#777777", "#FFFFFF") == pytest.approx(4.48, abs=0.005)


@both_themes
def test_text_on_its_grounds(colours: Colours) -> None:
    on_grounds = [(text, ground) for text in ("ink", "ink-2") for ground in ALL_GROUNDS]
    on_panels = [(text, ground) for text in ("accent", "bad") for ground in GROUNDS]
    on_panels += [("good", ground) for ground in ("ground", "panel", "face")]
    on_others = [
        ("on-lintel", "lintel"),
        ("on-lintel-2", "lintel"),
        ("on-accent", "accent-fill"),
        ("on-temple", "temple"),
        ("seal-ink", "seal-bg"),
        ("back-ink", "back"),
    ]
    assert_told_apart(colours, on_grounds + on_panels + on_others, TEXT)


@both_themes
def test_points_on_the_colour_of_a_card(colours: Colours) -> None:
    """They are large: at least 13 px and black."""
    assert_told_apart(colours, [(f"on-card-{c}", f"card-{c}") for c in CARDS], GRAPHICS)


@both_themes
def test_edges_of_controls_and_signs_of_choice(colours: Colours) -> None:
    signs = [(sign, ground) for sign in ("line-ui", "accent") for ground in ALL_GROUNDS]
    assert_told_apart(colours, signs, GRAPHICS)


@both_themes
def test_pieces_and_the_signs_on_them(colours: Colours) -> None:
    """Either the body or the edge of a piece stands out from what it lies on."""
    assert_told_apart(colours, [(f"{piece}-ink", piece) for piece in PIECES], GRAPHICS)
    for piece in PIECES:
        for ground in ("face", "panel", "well"):
            parts = (colours[piece], colours[f"{piece}-edge"])
            best = max(contrast(part, colours[ground]) for part in parts)
            assert best >= GRAPHICS, f"{piece} on {ground}: {best:.2f}"


@both_themes
def test_one_tone_of_the_focus_ring_is_seen_on_everything(colours: Colours) -> None:
    """And its two tones beside each other, whatever lies under them."""
    assert contrast(colours["ring-light"], colours["ring-dark"]) >= GRAPHICS
    below = [*ALL_GROUNDS, "lintel", "accent-fill", "temple", "back", *PIECES]
    for ground in [*below, *(f"card-{card}" for card in CARDS)]:
        tones = [contrast(colours[ring], colours[ground]) for ring in ("ring-light", "ring-dark")]
        assert max(tones) >= GRAPHICS, f"the ring on {ground}: {max(tones):.2f}"
