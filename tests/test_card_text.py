"""Cards in words: every card has a sentence, made from its pattern, levels and requirements."""

from __future__ import annotations

import re

import pytest

from coatl.card_text import (
    levels_text,
    prophecy_requirement,
    prophecy_sentence,
    requirement_text,
    temple_sentence,
)
from coatl.rulebook import Language
from coatl.rules.cards import Prophecy, Temple, prophecies, temples
from coatl.rules.deckfile import parse_deck

COLOURS = {"K": "black", "R": "red", "B": "blue", "Y": "yellow", "G": "green"}


def prophecy(pattern: str, levels: str = "1 = 2") -> Prophecy:
    """A card of a deck of one's own."""
    entry = f'colour = "red"\nlevels = {{ {levels} }}\ncards = ["{pattern}"]'
    (card,) = parse_deck(f"[[prophecy]]\n{entry}\n").prophecies
    return card


def temple(requirements: str, *points: int) -> Temple:
    entry = f'points = {list(points)}\ncards = ["{requirements}"]'
    (card,) = parse_deck(f"[[temple]]\n{entry}\n").temples
    return card


def sentence(name: str, language: Language = "en") -> str:
    """Of a printed card."""
    found = [
        prophecy_sentence(card, language) for card in prophecies(promo=True) if card.name == name
    ]
    found += [temple_sentence(card, language) for card in temples(promo=True) if card.name == name]
    (text,) = found
    return text


# ---------------------------------------------------------------- the printed cards


@pytest.mark.parametrize("card", prophecies(promo=True), ids=lambda card: card.name)
def test_every_prophecy_card_has_a_sentence(card: Prophecy) -> None:
    text = prophecy_sentence(card)
    assert text[0].isupper()
    assert text.endswith(".")
    assert "  " not in text
    for letter, colour in COLOURS.items():
        assert (letter in card.name) == (colour in text.lower())
    for points in card.levels.values():
        assert f" {points}" in text


@pytest.mark.parametrize("card", temples(promo=True), ids=lambda card: card.name)
def test_every_temple_card_has_a_sentence(card: Temple) -> None:
    text = temple_sentence(card)
    assert text[0].isupper()
    assert text.endswith(".")
    for requirement in card.requirements:
        assert requirement_text(requirement) in text[0].lower() + text[1:]
    for points in card.levels:
        assert f" {points}" in text


def test_no_two_cards_have_the_same_sentence() -> None:
    texts = [prophecy_sentence(card) for card in prophecies(promo=True)]
    texts += [temple_sentence(card) for card in temples(promo=True)]
    assert len(set(texts)) == len(texts) == 55 + 20


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("{Y}", "Yellow pieces anywhere: three 2 points, four 3, five 4, six 5."),
        ("!YY!", "Two yellow in a row, with no yellow beside them: once 2 points, twice 5."),
        ("KKK", "Three black in a row: once 3 points, twice 7."),
        ("RK", "From head to tail red then black: once 1 point, twice 3, three times 5."),
        ("KBKB", "From head to tail black, blue, black then blue: 5 points."),
        ("RRRGG", "From head to tail three red then two green: 6 points."),
        ("BBYY", "From head to tail two blue then two yellow: 4 points."),
        ("YKRGB", "From head to tail yellow, black, red, green then blue: 7 points."),
        ("YK+R", "From head to tail yellow, one or more black then red: once 2 points, twice 6."),
        (
            "KY*+YK",
            "From head to tail black, yellow, one or more of any colour, yellow then black: "
            "4 points.",
        ),
        ("{YYGGR}", "One red, two yellow and two green anywhere, in any order: 3 points."),
        (
            "{YYKKRB}",
            "Two black, one red, one blue and two yellow anywhere, in any order: 4 points.",
        ),
        ("noY/7", "No yellow piece; exactly 7 pieces: one 3 points, both 7."),
        (
            "R=Y/12",
            "As many red as yellow pieces, at least one each; exactly 12 pieces: "
            "one 3 points, both 7.",
        ),
        (
            "noK/B=R",
            "No black piece; as many blue as red pieces, at least one each: one 3 points, both 7.",
        ),
        (
            "noblue/R=B/10",
            "No blue Prophecy card on it; as many red as blue pieces, at least one each; "
            "exactly 10 pieces: one 3 points, two 6, all 10.",
        ),
        ("noyellow/noG", "No yellow Prophecy card on it; no green piece: one 3 points, both 7."),
    ],
)
def test_one_card_of_each_family(name: str, text: str) -> None:
    assert sentence(name) == text


# ---------------------------------------------------------------- other languages


@pytest.mark.parametrize(
    ("name", "french", "german"),
    [
        (
            "{Y}",
            "Pièces jaunes n’importe où : 2 points pour trois, 3 pour quatre, 4 pour cinq, "
            "5 pour six.",
            "Gelbe Teile an beliebiger Stelle: 2 Punkte für drei, 3 für vier, 4 für fünf, "
            "5 für sechs.",
        ),
        (
            "!YY!",
            "Deux pièces jaunes à la suite, sans jaune à côté : une fois 2 points, deux fois 5.",
            "Zwei gelbe Teile in Folge, ohne gelbes daneben: einmal 2 Punkte, zweimal 5.",
        ),
        (
            "RK",
            "Une pièce rouge, puis une noire, de la tête à la queue : une fois 1 point, "
            "deux fois 3, trois fois 5.",
            "Ein rotes Teil, dann ein schwarzes, vom Kopf zum Schwanz: einmal 1 Punkt, "
            "zweimal 3, dreimal 5.",
        ),
        (
            "KY*+YK",
            "Une pièce noire, une jaune, une ou plusieurs de n’importe quelles couleurs, "
            "une jaune, puis une noire, de la tête à la queue : 4 points.",
            "Ein schwarzes Teil, ein gelbes, ein oder mehrere beliebiger Farben, ein gelbes, "
            "dann ein schwarzes, vom Kopf zum Schwanz: 4 Punkte.",
        ),
        (
            "{YYGGR}",
            "Une pièce rouge, deux jaunes et deux vertes, n’importe où et dans n’importe quel "
            "ordre : 3 points.",
            "Ein rotes Teil, zwei gelbe und zwei grüne, an beliebiger Stelle und in beliebiger "
            "Reihenfolge: 3 Punkte.",
        ),
        (
            "noblue/R=B/10",
            "Aucune carte Prophétie bleue dessus ; autant de pièces rouges que de bleues, au moins "
            "une de chaque ; exactement 10 pièces : 3 points pour une condition, 6 pour deux, "
            "10 pour toutes.",
            "Keine blaue Prophezeiungskarte daran; gleich viele rote wie blaue Teile, je "
            "mindestens eins; genau 10 Teile: 3 Punkte für eine Voraussetzung, 6 für zwei, "
            "10 für alle.",
        ),
    ],
)
def test_other_languages(name: str, french: str, german: str) -> None:
    assert sentence(name, "fr").replace("\u00a0", " ") == french
    assert sentence(name, "de") == german


@pytest.mark.parametrize("language", ["fr", "de"])
def test_every_card_has_a_sentence_of_its_own_in_every_language(language: Language) -> None:
    every: list[Prophecy | Temple] = [*prophecies(promo=True), *temples(promo=True)]
    texts = [sentence(card.name, language) for card in every]
    assert len(set(texts)) == len(texts) == 55 + 20
    assert not {sentence(card.name) for card in every} & set(texts)
    for card, text in zip(every, texts, strict=True):
        assert text[0].isupper()
        assert text.endswith(".")
        points = card.levels.values() if isinstance(card, Prophecy) else card.levels
        assert all(re.search(rf"\b{n}\b", text) for n in points)


@pytest.mark.parametrize(
    ("pattern", "french", "german"),
    [
        ("K", "une pièce noire", "ein schwarzes Teil"),
        ("*", "une pièce quelconque", "ein beliebiges Teil"),
        (
            "!R R R !B",
            "deux pièces rouges à la suite, sans rouge juste avant et sans bleue juste après",
            "zwei rote Teile in Folge, ohne rotes direkt davor und ohne blaues direkt dahinter",
        ),
        (
            "K+ K+",
            "une ou plusieurs pièces noires, puis une ou plusieurs noires, de la tête à la queue",
            "ein oder mehrere schwarze Teile, dann ein oder mehrere schwarze, vom Kopf zum Schwanz",
        ),
        (
            "R * * R",
            "une pièce rouge, deux de n’importe quelle couleur, puis une rouge, "
            "de la tête à la queue",
            "ein rotes Teil, zwei beliebiger Farbe, dann ein rotes, vom Kopf zum Schwanz",
        ),
    ],
)
def test_odd_patterns_in_other_languages(pattern: str, french: str, german: str) -> None:
    card = prophecy(pattern)
    assert prophecy_requirement(card, "fr") == french
    assert prophecy_requirement(card, "de") == german


# ---------------------------------------------------------------- decks of one's own


@pytest.mark.parametrize(
    ("pattern", "requirement"),
    [
        ("!R R R !B", "two red in a row, with no red just before and no blue just after"),
        ("!K R R !K", "two red in a row, with no black beside them"),
        ("!R B B", "two blue in a row, with no red just before"),
        ("B Y !Y", "from head to tail blue then yellow, with no yellow just after"),
        ("K+ K+", "from head to tail one or more black then one or more black"),
        ("K+", "one or more black in a row"),
        ("* *", "two of any colour in a row"),
        ("*+", "one or more of any colour in a row"),
        ("R R+", "from head to tail red then one or more red"),
        ("R * R", "from head to tail red, one of any colour then red"),
        ("R * * R", "from head to tail red, two of any colour then red"),
        ("K K K K K K K K K K", "10 black in a row"),
        (
            "{KRBYG}",
            "one black, one red, one blue, one yellow and one green anywhere, in any order",
        ),
        ("{KK}", "two black anywhere, in any order"),
    ],
)
def test_odd_patterns(pattern: str, requirement: str) -> None:
    assert prophecy_requirement(prophecy(pattern)) == requirement


@pytest.mark.parametrize("pattern", ["K", "!R B !Y", "B !B", "*"])
def test_a_single_piece_is_not_in_a_row(pattern: str) -> None:
    assert " in a row" not in prophecy_requirement(prophecy(pattern))


@pytest.mark.parametrize(
    ("pattern", "levels", "text"),
    [
        ("R B", "1 = 5", "5 points"),
        ("R B", "1 = 1", "1 point"),
        ("R B", "2 = 5", "twice 5 points"),
        ("R B", "3 = 1", "three times 1 point"),
        ("R B", "1 = 1, 4 = 9", "once 1 point, four times 9"),
        ("{R}", "2 = 5", "two 5 points"),
        ("{R}", "1 = 1, 3 = 2", "one 1 point, three 2"),
        ("{RB}", "1 = 1, 2 = 2", "once 1 point, twice 2"),
    ],
)
def test_levels(pattern: str, levels: str, text: str) -> None:
    card = prophecy(pattern, levels)
    assert levels_text(card) == text
    assert prophecy_sentence(card).endswith(f": {text}.")


def test_two_numbers_do_not_stand_side_by_side() -> None:
    assert "10 5" not in prophecy_sentence(prophecy("{K}", "10 = 5"))


def test_temple_cards_of_ones_own() -> None:
    assert temple_sentence(temple("no K", 5)) == "No black piece: 5 points."
    assert temple_sentence(temple("4", 2)) == "Exactly 4 pieces: 2 points."
    four = temple_sentence(temple("no red / no K / 4 / R=Y", 2, 3, 4, 5))
    assert four.endswith(": one 2 points, two 3, three 4, all 5.")


@pytest.mark.parametrize("card", [temple("no K", 1), temple("no K / 4", 1, 2)], ids=["1", "2"])
def test_one_point_of_a_temple_card(card: Temple) -> None:
    assert "1 points" not in temple_sentence(card)
