"""Pieces, Cóatl and cards as coloured text. Every piece has its letter, so colour is an extra."""

from __future__ import annotations

import os
import sys
from collections.abc import Collection, Iterable
from typing import TextIO

from rich.console import Console
from rich.text import Text
from rich.theme import Theme

from coatl.rules.cards import Prophecy
from coatl.rules.pieces import COLOURS

PIECE_STYLES = {letter: f"piece.{letter}" for letter in COLOURS}  # by theme, see `piece_theme`
FINE_COLOURS = {
    "piece.K": "bold #f5f0fa on #4a4357",
    "piece.R": "bold #fff3da on #c42e1a",
    "piece.B": "bold #f3f8ff on #2263b8",
    "piece.Y": "bold #4d2f06 on #ffce47",
    "piece.G": "bold #04261a on #3bae86",
}
SIXTEEN_COLOURS = {
    "piece.K": "bold white on black",
    "piece.R": "bold white on red",
    "piece.B": "bold white on blue",
    "piece.Y": "black on yellow",
    "piece.G": "black on green",
}
TEMPLE_STYLE = "bold"
PIPED_WIDTH = 80  # where there is no terminal


class PlainConsole(Console):
    """Leaves a broken pipe to the caller, where Rich would end the program with code 1."""

    def on_broken_pipe(self) -> None:
        raise BrokenPipeError


def piece_theme(color_system: str | None) -> Theme:
    """The colours of the pieces as a terminal can show them."""
    few = color_system in ("standard", "windows")
    return Theme(SIXTEEN_COLOURS if few else FINE_COLOURS)


def make_console(file: TextIO | None = None) -> Console:
    """A console that honours NO_COLOR and writes 80 columns into files and pipes."""
    target = sys.stdout if file is None else file
    width = None if target.isatty() or "COLUMNS" in os.environ else PIPED_WIDTH
    console = PlainConsole(file=file, width=width, highlight=False, markup=False, emoji=False)
    console.push_theme(piece_theme(console.color_system))
    return console


def label(text: str) -> Text:
    """The beginning of a line; what is appended has a style of its own."""
    return Text().append(text, "bold")


def plural(n: int, noun: str) -> str:
    return f"{n} {noun}" + ("" if n == 1 else "s")


def piece_text(piece: str) -> Text:
    """``<K``, ``K`` or ``K>``, painted."""
    return Text(piece, PIECE_STYLES[piece.strip("<>")])


def pieces_text(pieces: Iterable[str]) -> Text:
    """Pieces in a row, or a dot for none."""
    return Text(" ").join([piece_text(piece) for piece in pieces]) or Text("·", "dim")


def coatl_text(pieces: str, used: Collection[int] | None = None) -> Text:
    """A Cóatl head to tail; with `used`, the other pieces are small letters without colour."""
    text = Text()
    at = -1
    for letter in pieces:
        if letter in COLOURS:
            at += 1
        index = min(max(at, 0), sum(map(pieces.count, COLOURS)) - 1)
        if used is None or index in used:
            nearest = letter if letter in COLOURS else _neighbour(pieces, letter)
            text.append(letter, PIECE_STYLES[nearest])
        else:
            text.append(letter.lower(), "dim")
    return text


def _neighbour(pieces: str, mark: str) -> str:
    """The letter that a ``<`` or ``>`` belongs to."""
    return pieces[1] if mark == "<" else pieces[-2]


def pattern_text(card: Prophecy) -> Text:
    """A card's name, its colours painted."""
    text = Text()
    for letter in card.name:
        text.append(letter, PIECE_STYLES.get(letter, ""))
    return text


def temple_text(name: str) -> Text:
    return Text(name, TEMPLE_STYLE)


def levels_text(card: Prophecy) -> str:
    """Times met and points: ``1→2 2→5``."""
    return " ".join(f"{times}→{points}" for times, points in sorted(card.levels.items()))
