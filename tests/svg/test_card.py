"""Every card can be drawn, and shows what it asks for and what it is worth."""

from __future__ import annotations

from pathlib import Path

import pytest

import coatl
from coatl import NotationError, Prophecy, Temple, svg
from coatl.card_text import prophecy_sentence, temple_sentence
from coatl.rules.deckfile import parse_deck
from coatl.svg.art import Theme
from tests.svg import reading

PROPHECIES, TEMPLES = coatl.prophecies(promo=True), coatl.temples(promo=True)


def name_of(card: Prophecy | Temple) -> str:
    return card.name


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("card", PROPHECIES, ids=name_of)
def test_every_prophecy_card(card: Prophecy, theme: Theme) -> None:
    root = reading.read(svg.card(card, theme=theme))
    assert reading.title(root) == prophecy_sentence(card)
    expected = [str(points) for points in card.levels.values()]
    if len(expected) > 1:
        expected += [f"{times}×" for times in card.levels]
    amounts = [str(n) for n in card.pattern.needs if n] if card.pattern.shortest > 1 else []
    expected += amounts if card.pattern.is_set else []
    assert sorted(reading.texts(root)) == sorted(expected)


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("card", TEMPLES, ids=name_of)
def test_every_temple_card(card: Temple, theme: Theme) -> None:
    root = reading.read(svg.card(card, theme=theme))
    assert reading.title(root) == temple_sentence(card)
    assert {str(points) for points in card.levels} <= set(reading.texts(root))


@pytest.mark.parametrize(
    ("name", "pieces"),
    [
        ("{Y}", {"body-Y": 1}),
        ("KKK", {"body-K": 3}),
        ("RGRG", {"body-R": 2, "body-G": 2}),
        ("!YY!", {"body-Y": 4, "cross": 2}),
        ("YK+R", {"body-Y": 1, "body-K": 1, "body-R": 1, "inf-2b2118": 1}),
        ("RB*+BR", {"body-R": 2, "body-B": 2, "body-W": 1}),
        ("{YYGGR}", {"glyph-Y": 1, "glyph-G": 1, "glyph-R": 1}),
    ],
)
def test_a_prophecy_card_shows_its_pattern(name: str, pieces: dict[str, int]) -> None:
    drawn = reading.counted(reading.read(svg.card(name)))
    frame = {key: n for key, n in drawn.items() if key.startswith(("motif-", "frame-"))}
    assert dict(drawn) == frame | pieces


def test_pieces_are_drawn_from_the_last_to_the_first() -> None:
    """Each lies on the next, so the first comes last."""
    drawn = [name for name in reading.symbols(reading.read(svg.card("YKRGB"))) if "body" in name]
    assert drawn == ["body-B", "body-G", "body-R", "body-K", "body-Y"]


@pytest.mark.parametrize(
    ("name", "symbols"),
    [
        ("noB/10", {"glyph-B": 1, "length": 1}),
        ("R=Y/12", {"glyph-R": 1, "glyph-Y": 1, "length": 1}),
        ("noblack/11", {"motif-K-f4eefa": 1, "length": 1}),
    ],
)
def test_a_temple_card_shows_its_requirements(name: str, symbols: dict[str, int]) -> None:
    drawn = reading.counted(reading.read(svg.card(name)))
    assert dict(drawn) == {"spiral": 1, "frame-T": 1} | symbols


@pytest.mark.parametrize("name", ["RGRG", "noB/10"])
def test_a_name_or_the_card_itself(name: str) -> None:
    cards: list[Prophecy | Temple] = [*PROPHECIES, *TEMPLES]
    (found,) = [card for card in cards if card.name == name]
    assert svg.card(name) == svg.card(found)


def test_the_cards_of_another_deck() -> None:
    """With more pieces, levels and requirements than the printed cards have."""
    deck = parse_deck(
        """
        [[prophecy]]
        colour = "green"
        levels = { 1 = 1, 2 = 2, 4 = 3, 8 = 4, 12 = 5 }
        cards = ["K R B Y G K", "K * R"]

        [[prophecy]]
        colour = "red"
        levels = { 1 = 3 }
        cards = ["{KRBYG}"]

        [[temple]]
        points = [1]
        cards = ["no K"]

        [[temple]]
        points = [1, 2, 3, 4]
        cards = ["no K / R=B / 9 / no red"]
        """,
        "deck",
    )
    names = [*deck.prophecy_names, *deck.temple_names]
    for name in names:
        reading.read(svg.card(name, deck=deck))
        reading.read(svg.coatl("<KRBYG", [name], deck=deck))
    with pytest.raises(NotationError, match="no card is named 'K\\*R'"):
        svg.card("K*R")


@pytest.mark.parametrize("name", ["", "nope", "<K", "K R", "rgrg"])
def test_an_unknown_name(name: str) -> None:
    with pytest.raises(NotationError, match=f"no card is named '{name}'"):
        svg.card(name)


def test_an_unknown_theme() -> None:
    with pytest.raises(ValueError, match="a theme is light or dark, not 'blue'"):
        svg.card("KKK", theme="blue")  # type: ignore[arg-type]


def test_the_themes_differ_in_their_colours_only() -> None:
    light, dark = (reading.read(svg.card("KKK", theme=theme)) for theme in ("light", "dark"))
    assert str(svg.card("KKK")) != str(svg.card("KKK", theme="dark"))
    assert reading.texts(light) == reading.texts(dark)
    assert [name.partition("-")[0] for name in reading.symbols(light)] == [
        name.partition("-")[0] for name in reading.symbols(dark)
    ]


def test_a_drawing(tmp_path: Path) -> None:
    drawing = svg.card("KKK", width=100)
    assert repr(drawing) == f"<Drawing 100 × {drawing.height}>"
    assert drawing._repr_svg_() == str(drawing)
    root = reading.read(drawing)
    assert (root.attrib["width"], root.attrib["height"]) == ("100", str(drawing.height))
    assert root.attrib["viewBox"] == reading.read(svg.card("KKK")).attrib["viewBox"]
    drawing.save(tmp_path / "card.svg")
    assert (tmp_path / "card.svg").read_text(encoding="utf-8") == str(drawing)


def test_a_width_of_nothing() -> None:
    with pytest.raises(ValueError, match="a drawing is at least 1 wide, not 0"):
        svg.card("KKK", width=0)
