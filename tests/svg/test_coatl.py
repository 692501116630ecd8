"""A Cóatl and the cards on it."""

from __future__ import annotations

import pytest

import coatl
from coatl import NotationError, svg
from coatl.rules.pieces import COLOURS
from coatl.svg.art import Theme, definitions, palette
from coatl.svg.pen import VARIANTS
from tests.svg import reading


@pytest.mark.parametrize("colour", COLOURS)
def test_every_piece(colour: str) -> None:
    """Head, segment and tail; the head lies on top, so it comes last."""
    root = reading.read(svg.coatl(f"<{colour * 3}>"))
    assert reading.symbols(root) == [f"{kind}-{colour}" for kind in ("tail", "body", "head")]
    assert reading.title(root) == f"Cóatl <{colour * 3}>"


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("K", ["body-K"]),
        ("<K", ["head-K"]),
        ("K>", ["tail-K"]),
        ("KR", ["body-R", "body-K"]),
        ("<KR", ["body-R", "head-K"]),
        ("KR>", ["tail-R", "body-K"]),
        ("<KR>", ["tail-R", "head-K"]),
    ],
)
def test_open_and_closed_ends(text: str, kinds: list[str]) -> None:
    assert reading.symbols(reading.read(svg.coatl(text))) == kinds


@pytest.mark.parametrize("text", ["", "<", ">", "<>", "<K>", "K<", ">K", "KX", "kr", "K R", "<<K"])
def test_what_is_no_coatl(text: str) -> None:
    with pytest.raises(NotationError, match="a Cóatl is written like <KRRB"):
        svg.coatl(text)


def test_cards_with_what_they_are_worth() -> None:
    prophecy, temple = coatl.prophecies()[0], coatl.temples()[6]
    assert (prophecy.name, temple.name) == ("{Y}", "Y=G/6")
    root = reading.read(svg.coatl("<KYYYGG", ["Y=G/6", prophecy, "YG"]))
    worth = {card: card.points("KYYYGG") for card in (prophecy, temple)}
    assert list(worth.values()) == [2, 3]
    assert reading.title(root) == "Cóatl <KYYYGG, worth 6"
    assert reading.texts(root)[0] == "2"
    assert reading.counted(root)["chip-T"] == 1


def test_a_temple_card_sees_the_cards_beside_it() -> None:
    """Q7: "no black" is about the Prophecy cards that lie there."""
    alone = reading.read(svg.coatl("<KRRRB", ["noblack/11"]))
    beside = reading.read(svg.coatl("<KRRRB", ["noblack/11", "RRR"]))
    assert reading.title(alone) == "Cóatl <KRRRB, worth 3"
    assert reading.title(beside) == "Cóatl <KRRRB, worth 3"
    assert [reading.texts(root)[-1] for root in (alone, beside)] == ["3", "0"]


def test_an_unknown_card() -> None:
    with pytest.raises(NotationError, match="no card is named 'XX'"):
        svg.coatl("<KRRB", ["XX"])


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_every_symbol_of_the_drawings_can_be_used(theme: Theme) -> None:
    """In every variant: nothing is left of the page's variables."""
    from coatl.svg.art import _drawings

    for name in _drawings():
        for variant, values in VARIANTS.items():
            given = {"color": "#000", **values}
            for _, text in definitions(palette(theme), name, variant, given):
                assert "var(" not in text
                assert "currentColor" not in text


def test_an_id_means_the_same_in_every_drawing() -> None:
    """So that several drawings can stand in one page."""
    drawings = [
        *(svg.coatl(text, ["{R}", "noB/10"]) for text in ("<KRB", "RBG>", "YYY")),
        *(svg.card(card) for card in coatl.prophecies(True)),
        *(svg.card(card) for card in coatl.temples(True)),
        *(svg.card(card, theme="dark") for card in coatl.prophecies(True)),
    ]
    known: dict[str, str] = {}
    for drawing in drawings:
        for id, text in reading.definitions(reading.read(drawing)).items():
            assert known.setdefault(id, text) == text
