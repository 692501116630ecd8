"""Promised pictures and examples: each is one we know, and shows what the text beside it claims."""

from __future__ import annotations

import re

import pytest

from coatl import rulebook
from coatl.cli.cards import read_serpent
from coatl.rulebook import LANGUAGES, PICTURES, Language, RuleItem, RulePicture
from coatl.rules.cards import Prophecy, Temple, standard_deck
from tests.position import Position

ITEMS = list(rulebook.load("en").items)
WITH_CARDS = [item for item in ITEMS if item.picture is not None and item.picture.cards]
EXAMPLE = "F3"


def card(name: str) -> Prophecy | Temple:
    deck = standard_deck()
    if name in deck.prophecy_ids:
        return deck.prophecies[deck.prophecy_ids[name]]
    return deck.temples[deck.temple_ids[name]]


def every_picture(item: RuleItem) -> list[RulePicture]:
    steps = [step.picture for step in item.steps]
    return [picture for picture in (item.picture, *steps) if picture is not None]


def places_counted(picture: RulePicture) -> set[int]:
    """Of the pieces that its Prophecy cards count, from 1."""
    cards = [card(name) for name in picture.cards]
    matches = [one.matches(picture.coatl) for one in cards if isinstance(one, Prophecy)]
    return {at + 1 for found in matches for match in found.positions for at in match}


def test_every_picture_is_known_and_every_known_one_is_promised() -> None:
    assert {picture.name for item in ITEMS for picture in every_picture(item)} == set(PICTURES)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_picture_has_words(language: Language) -> None:
    for item in rulebook.load(language).items:
        assert item.picture is None or item.picture.alt


@pytest.mark.parametrize("language", ["fr", "de"])
def test_pictures_and_points_are_the_same_in_every_language(language: Language) -> None:
    def shown(book: rulebook.Rulebook) -> list[object]:
        return [
            (item.id, [(p.name, p.coatl, p.cards, p.points, p.lit) for p in every_picture(item)])
            for item in book.items
        ] + [(item.id, [step.points for step in item.steps]) for item in book.items]

    assert shown(rulebook.load(language)) == shown(rulebook.load("en"))


@pytest.mark.parametrize("item", ITEMS, ids=lambda item: item.id)
def test_what_is_in_a_picture_is_of_the_game(item: RuleItem) -> None:
    for picture in every_picture(item):
        assert not picture.coatl or read_serpent(picture.coatl)
        assert all(card(name) for name in picture.cards)
        assert (picture.name == "example") == bool(picture.cards and picture.coatl)
        assert len(picture.points) == (len(picture.cards) if picture.coatl else 0)


@pytest.mark.parametrize("item", WITH_CARDS, ids=lambda item: item.id)
def test_points_and_lit_pieces_are_those_of_the_engine(item: RuleItem) -> None:
    for picture in every_picture(item):
        assert picture.points == tuple(
            card(name).points(picture.coatl) for name in picture.cards if picture.coatl
        )
        assert set(picture.lit) == places_counted(picture)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("id", [item.id for item in WITH_CARDS if item.id != EXAMPLE])
def test_the_words_of_an_example_name_its_points(language: Language, id: str) -> None:
    picture = rulebook.load(language).clause(id).picture
    assert picture is not None
    told = [int(n) for n in re.findall(r"(\d+) [pP]", picture.alt)]
    assert told == [points for points in picture.points if points]


# ---------------------------------------------------------------- the worked example


def test_F3_the_worked_example_is_worth_what_the_rulebook_says() -> None:
    item = rulebook.load("en").clause(EXAMPLE)
    picture = item.picture
    assert picture is not None
    *steps, total = item.steps
    assert tuple(step.points for step in steps) == picture.points
    assert [step.picture.cards for step in steps if step.picture] == [
        (name,) for name in picture.cards
    ]
    assert total.points == sum(picture.points) == 17
    table = Position(
        f"2p phase=over end=passed | coatl={picture.coatl}:{','.join(picture.cards)} |"
    )
    assert table.scores()[0] == [total.points, 0]


@pytest.mark.parametrize("language", LANGUAGES)
def test_F3_its_steps_say_their_points(language: Language) -> None:
    for step in rulebook.load(language).clause(EXAMPLE).steps:
        assert re.findall(r"(\d+) [pP]", step.text)[-1] == str(step.points)


@pytest.mark.parametrize("language", LANGUAGES)
def test_F3_its_steps_name_the_pieces_that_count(language: Language) -> None:
    """One by one, or from the first to the last; each step that has any."""
    for step in rulebook.load(language).clause(EXAMPLE).steps:
        if step.picture is None or not step.picture.lit:
            continue
        lit, named = step.picture.lit, {int(n) for n in re.findall(r"\d+", step.text)}
        in_a_row = lit == tuple(range(lit[0], lit[-1] + 1))
        assert ({lit[0], lit[-1]} if in_a_row else set(lit)) <= named
