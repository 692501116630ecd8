"""The rules in three languages: the same clauses, numbers and references, each in its own words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from coatl import rulebook
from coatl.rulebook import LANGUAGES, Language, Rulebook, RuleItem
from coatl.rulebook.files import read_language
from coatl.rules.causes import Cause
from coatl.rules.pieces import (
    BOARD_SPACES,
    BODIES_OF_A_COLOUR,
    FEWER_BODIES_OF_A_COLOUR,
    HEADS_OF_A_COLOUR,
    SOLO_BODIES_OF_A_COLOUR,
    TAILS_OF_A_COLOUR,
)
from coatl.rules.state import HAND_LIMIT, MAX_CARDS_ON_COATL, MAX_COATLS, MAX_INCOMPLETE
from tools import rules_docs

SOURCES = Path(__file__).parents[2] / "src" / "coatl"
OTHERS: tuple[Language, ...] = ("fr", "de")

# Ids are never reused and none disappears: the last number of each letter, and the first.
FAMILIES = {
    "C": (1, 6),
    "S": (1, 6),
    "T": (0, 5),
    "P": (1, 4),
    "A": (1, 12),
    "K": (1, 4),
    "Q": (1, 8),
    "E": (1, 4),
    "F": (1, 3),
    "D": (1, 10),
    "H": (1, 3),
    "R": (1, 23),
}
IDS = {f"{letter}{n}" for letter, (a, b) in FAMILIES.items() for n in range(a, b + 1)}
CITED = re.compile(r"\b[A-Z]\d+\b")


def texts_of(item: RuleItem) -> list[str]:
    alt = [] if item.picture is None else [item.picture.alt]
    return [item.text, *(step.text for step in item.steps), *alt]


def texts(book: Rulebook) -> Iterator[tuple[str, list[str]]]:
    """Everything but titles, by id."""
    for chapter in book.chapters:
        yield chapter.id, [chapter.lead]
    for item in book.items:
        yield item.id, texts_of(item)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_clause_is_there_once(language: Language) -> None:
    ids = [item.id for item in rulebook.load(language).clauses]
    assert len(ids) == len(set(ids))
    assert set(ids) == IDS, "FAMILIES has the last number of each letter"


@pytest.mark.parametrize("language", LANGUAGES)
def test_ids_tell_everything_apart(language: Language) -> None:
    """They are parts of addresses, whatever they name."""
    book = rulebook.load(language)
    ids = [chapter.id for chapter in book.chapters] + [item.id for item in book.items]
    ids += [part.id for chapter in book.chapters for part in chapter.parts]
    assert len({id.lower() for id in ids}) == len(ids)
    assert all(re.fullmatch(r"[A-Z]\d+|[a-z]+(-[a-z]+)*", id) for id in ids)


@pytest.mark.parametrize("language", OTHERS)
def test_no_text_is_the_same_in_two_languages(language: Language) -> None:
    assert rulebook.load("fr").title != rulebook.load("de").title
    english, other = dict(texts(rulebook.load("en"))), dict(texts(rulebook.load(language)))
    assert english.keys() == other.keys()
    assert [id for id in english if set(english[id]) & set(other[id])] == []


def test_french_and_german_differ_too() -> None:
    french, german = dict(texts(rulebook.load("fr"))), dict(texts(rulebook.load("de")))
    assert [id for id in french if set(french[id]) & set(german[id])] == []


@pytest.mark.parametrize("language", OTHERS)
def test_the_same_numbers_stand_in_every_language(language: Language) -> None:
    def numbers(book: Rulebook) -> dict[str, list[list[str]]]:
        """Without the ids of clauses."""
        return {
            id: [sorted(re.findall(r"\d+", CITED.sub("", text))) for text in many]
            for id, many in texts(book)
        }

    assert numbers(rulebook.load(language)) == numbers(rulebook.load("en"))


@pytest.mark.parametrize("language", OTHERS)
def test_the_same_clauses_are_cited_in_every_language(language: Language) -> None:
    def cited(book: Rulebook) -> dict[str, list[list[str]]]:
        return {id: [CITED.findall(text) for text in many] for id, many in texts(book)}

    assert cited(rulebook.load(language)) == cited(rulebook.load("en"))


def test_what_a_text_cites_exists_and_is_not_itself() -> None:
    for id, many in texts(rulebook.load("en")):
        cited = {clause for text in many for clause in CITED.findall(text)}
        assert cited <= IDS - {id}, id


@pytest.mark.parametrize("language", LANGUAGES)
def test_texts_are_sentences_and_titles_are_not(language: Language) -> None:
    book = rulebook.load(language)
    for id, many in texts(book):
        for text in many:
            assert re.search(r"[.:?]$", text), (id, text)
            assert text[0].isupper() or not text[0].isalpha(), (id, text)
            assert not re.search(r"  |\n|[\"']|\.\.", text), (id, text)
    titles = [item.title for item in book.items]
    for title in titles:
        assert 1 < len(title.split(" ")) <= 6, title
        assert title.endswith("A.D.A.M.") or not re.search(r"[.:;?!]$", title)
    assert len(set(titles)) == len(titles)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_title_stands_where_there_are_several_parts(language: Language) -> None:
    for chapter in rulebook.load(language).chapters:
        assert all(bool(part.title) == (len(chapter.parts) > 1) for part in chapter.parts)


def test_chapters_stand_within_earlier_ones() -> None:
    seen: list[str] = []
    for chapter in rulebook.load("en").chapters:
        assert chapter.within is None or chapter.within in seen
        seen.append(chapter.id)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_files_hold_clauses_in_the_order_of_their_ids(language: Language) -> None:
    """So that one finds them."""
    ids = [id for id in read_language(language)["items"] if id in IDS]
    assert ids == sorted(ids, key=lambda id: (list(FAMILIES).index(id[0]), int(id[1:])))


# ---------------------------------------------------------------- what the program knows


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_limits_are_those_of_the_program(language: Language) -> None:
    steps = [step.text for step in rulebook.load(language).clause("limits").steps]
    found = [int(text.split(" ")[0]) for text in steps]
    assert found == [BOARD_SPACES, HAND_LIMIT, MAX_INCOMPLETE, MAX_COATLS, MAX_CARDS_ON_COATL, 1]


@pytest.mark.parametrize(
    ("clause", "numbers"),
    [
        ("C2", [HEADS_OF_A_COLOUR, TAILS_OF_A_COLOUR, BODIES_OF_A_COLOUR]),
        ("C5", [BOARD_SPACES]),
        ("T2", [BOARD_SPACES]),
        ("P2", [HAND_LIMIT]),
        ("A6", [MAX_CARDS_ON_COATL]),
        ("D1", [SOLO_BODIES_OF_A_COLOUR, HEADS_OF_A_COLOUR, TAILS_OF_A_COLOUR]),
        ("R22", list(FEWER_BODIES_OF_A_COLOUR.values())),
    ],
)
def test_numbers_are_those_of_the_program(clause: str, numbers: list[int]) -> None:
    text = rulebook.load("en").clause(clause).text
    assert {str(n) for n in numbers} <= set(re.findall(r"\d+", text))


@pytest.mark.parametrize("language", LANGUAGES)
def test_that_a_solo_game_ends_at_once_is_said_where_it_begins(language: Language) -> None:
    (solo,) = [chapter for chapter in rulebook.load(language).chapters if chapter.id == "solo"]
    assert "R18" in solo.lead


def test_refusals_cite_clauses_that_exist() -> None:
    causes = {cause.clause for cause in Cause if cause is not Cause.ALLOWED}
    assert len(causes) > 20
    assert causes <= IDS


def test_clauses_cited_in_the_code_exist() -> None:
    cited = set()
    for file in SOURCES.rglob("*.py"):
        cited |= set(re.findall(r"\(([A-Z]\d+)\)", file.read_text(encoding="utf-8")))
    assert len(cited) > 40
    assert cited <= IDS


# ---------------------------------------------------------------- docs/rules.md


def test_the_page_is_current() -> None:
    page = rules_docs.PAGE.read_text(encoding="utf-8")
    assert page == rules_docs.make_page(), "run `make rules`"


def test_the_page_has_every_text_and_note() -> None:
    page = rules_docs.make_page()
    for item in rulebook.load("en").items:
        assert item.text in page
        assert all(step.text in page for step in item.steps)
    assert all(note in page for note in rules_docs.notes()["notes"].values())
    assert all(source in page for source in rules_docs.notes()["sources"].values())


def test_notes_are_about_clauses_and_chapters_that_exist() -> None:
    assert set(rules_docs.notes()["notes"]) <= IDS
    chapters = {chapter.id for chapter in rulebook.load("en").chapters}
    assert set(rules_docs.notes()["sources"]) <= chapters


def test_the_page_lists_clauses_by_number() -> None:
    found = re.findall(r"^- \*\*([A-Z])(\d+)\*\*", rules_docs.make_page(), re.MULTILINE)
    for letter, (first, last) in FAMILIES.items():
        assert [int(n) for of, n in found if of == letter] == list(range(first, last + 1))


def test_sections_keep_their_numbers() -> None:
    """Code and documents speak of section 9 of the rules."""
    found = re.findall(r"^##+ ([\d.]+) ", rules_docs.make_page(), re.MULTILINE)
    assert found == ["1", "2", "3", "3.1", "3.2", "3.3", "3.4", "4", "5", "6", "7", "8", "9", "10"]
