"""How the application looks: the colours of the page as themes, and a shape for every colour."""

from __future__ import annotations

import rich.theme
from textual.theme import Theme

from coatl.rules.pieces import COLOURS
from coatl.svg.art import Theme as PageTheme
from coatl.svg.art import palette

DARK, LIGHT = "coatl-dark", "coatl-light"
PAGE_THEMES: dict[str, PageTheme] = {DARK: "dark", LIGHT: "light"}

# The seals of the page, as characters that nearly every font has: obsidian, flame, wave, sun, leaf.
SHAPES = {"K": "◆", "R": "▲", "B": "≈", "Y": "☼", "G": "♠"}
# The bands of the cards: pyramids, dots, chevrons, bars, hooks.
BANDS = {"black": "▴", "red": "●", "blue": "⌄", "yellow": "▪", "green": "ʃ"}


def make_theme(name: str) -> Theme:
    """The stone, ink and accent of the page."""
    colours = palette(PAGE_THEMES[name])
    variables = {
        variable: str(colours[token])
        for variable, token in (
            ("lintel", "lintel"),
            ("on-lintel", "on-lintel"),
            ("well", "well"),
            ("face", "face"),
            ("line", "line"),
            ("ink", "ink"),
            ("ink-quiet", "ink-2"),
            ("mark", "accent"),
            ("fill", "accent-fill"),
            ("on-fill", "on-accent"),
            ("footer-key-foreground", "accent"),
            ("footer-background", "lintel"),
            ("footer-description-foreground", "on-lintel"),
            ("block-cursor-background", "accent-fill"),
            ("block-cursor-foreground", "on-accent"),
        )
    }
    if name == LIGHT:  # the accent is too dark for the lintel
        variables["footer-key-foreground"] = str(palette("dark")["accent"])
    return Theme(
        name=name,
        primary=str(colours["accent-fill"]),
        secondary=str(colours["temple"]),
        accent=str(colours["accent"]),
        foreground=str(colours["ink"]),
        background=str(colours["ground"]),
        surface=str(colours["panel"]),
        panel=str(colours["panel"]),
        success=str(colours["good"]),
        warning=str(colours["accent"]),
        error=str(colours["bad"]),
        dark=name == DARK,
        variables=variables,
    )


def text_styles(name: str) -> rich.theme.Theme:
    """What texts name their styles by: ``piece.K``, ``card.red``, ``quiet`` and so on."""
    colours = palette(PAGE_THEMES[name])
    styles = {
        "quiet": str(colours["ink-2"]),
        "mark": f"bold {colours['accent']}",
        "face": f"on {colours['face']}",
        "temple": f"{colours['on-temple']} on {colours['temple']}",
    }
    for letter in COLOURS:
        small = letter.lower()
        fill = colours[small]
        if name == DARK and letter == "K":  # pieces have no edge here to stand out by
            fill = fill.mix(colours["k-hi"], 0.35)
        styles[f"piece.{letter}"] = f"bold {colours[small + '-ink']} on {fill}"
    for colour, letter in CARD_LETTERS.items():
        card = colours.card(letter)
        styles[f"card.{colour}"] = f"{card.on} on {card.frame}"
    return rich.theme.Theme(styles)


CARD_LETTERS = {"black": "K", "red": "R", "blue": "B", "yellow": "Y", "green": "G"}
