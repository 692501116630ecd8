"""Small decks of one's own for the tests."""

from __future__ import annotations

from pathlib import Path

SMALL = """\
# A deck of one's own.

[[prophecy]]
colour = "red"
copies = 4
levels = { 2 = 2, 4 = 3 }
cards = ["{K}", "{R}", "{Y}"]

[[prophecy]]
colour = "blue"
copies = 3
levels = { 1 = 1, 2 = 3 }
cards = ["K R", "Y+ G", "B * B", "!G G !G"]

[[temple]]
points = [3, 7]
copies = 2
cards = ["no Y / 7", "R=Y / 12"]

[[temple]]
points = [5]
cards = ["4"]
"""


def deck_file(folder: Path, text: str) -> Path:
    path = folder / "my.toml"
    path.write_text(text, encoding="utf-8")
    return path
