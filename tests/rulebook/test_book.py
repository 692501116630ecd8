"""Loading, finding and searching the rules; and what is refused when the files do not agree."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from typing import Any, cast

import pytest

from coatl import rulebook
from coatl.rulebook import LANGUAGES, Language, UnknownRule, find_language
from coatl.rulebook.files import flowing, read_book, read_language
from coatl.rulebook.reading import put_together

ENGLISH = rulebook.load("en")


def ids(text: str, language: Language = "en") -> list[str]:
    return [item.id for item in rulebook.load(language).search(text)]


# ---------------------------------------------------------------- finding


def test_a_clause_by_its_id() -> None:
    assert ENGLISH.clause("A8").title == "The closing piece"
    assert ENGLISH.clause(" a8 ") is ENGLISH.clause("A8")
    assert ENGLISH.clause("A8").is_clause
    assert not ENGLISH.clause("adam-turn").is_clause


def test_a_chapter_by_its_id_or_title() -> None:
    assert ENGLISH.chapter("assemble") is ENGLISH.chapter("Assemble")
    german = rulebook.load("de")
    assert german.chapter("zusammensetzen").id == german.find("assemble").id == "assemble"
    assert ENGLISH.find("R18") is ENGLISH.clause("R18")


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("A13", "there is no clause 'A13'; did you mean A12?"),
        ("a99", "there is no clause 'a99'; did you mean A12?"),
        ("T6", "there is no clause 'T6'; did you mean T5?"),
        ("Z9", "there is no clause 'Z9'"),
        ("asemble", "there is no clause or chapter 'asemble'; did you mean assemble?"),
        ("adam-trun", "there is no clause or chapter 'adam-trun'; did you mean adam-turn?"),
        ("xyzzy", "there is no clause or chapter 'xyzzy'"),
        ("", "there is no clause or chapter ''"),
    ],
)
def test_what_is_not_there_is_told_with_what_is_nearest(name: str, message: str) -> None:
    with pytest.raises(UnknownRule) as caught:
        ENGLISH.find(name)
    assert str(caught.value) == message


def test_only_a_list_has_no_order() -> None:
    assert [item.id for item in ENGLISH.items if not item.ordered] == ["limits"]
    assert all(item.steps for item in ENGLISH.items if not item.ordered)


def test_an_unknown_language() -> None:
    with pytest.raises(ValueError, match="the rules are in en, fr, de, not in 'it'"):
        rulebook.load(cast(Language, "it"))


# ---------------------------------------------------------------- searching


@pytest.mark.parametrize("text", ["two open", "2 open", "OPEN two", "incomplete two cóatl counted"])
def test_all_words_are_searched_for_in_any_order(text: str) -> None:
    assert "A1" in ids(text)


def test_a_title_comes_before_a_text() -> None:
    found = ids("closing piece")
    assert found[0] == "A8"
    assert "R9" in found


def test_accents_dots_and_case_do_not_matter() -> None:
    assert ids("COATL third") == ids("cóatl third") == ids("Cóatl Third")
    assert set(ids("adam searches")) == set(ids("A.D.A.M. searches")) == {"D4"}
    assert "Q6" in ids("∞")
    assert "A3" in ids("realiser prophetie", "fr")
    assert "T1" in ids("körpersegmente beide", "de")


def test_words_are_found_by_their_beginnings_and_numbers_as_a_whole() -> None:
    assert "A8" in ids("clos piec")
    assert "C2" in ids("150")
    assert "C2" not in ids("15 50")
    assert "C2" not in ids("5")


@pytest.mark.parametrize("text", ["", "  ", "?", "xyzzy", "closing xyzzy"])
def test_nothing_is_found(text: str) -> None:
    assert ids(text) == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_clause_is_found_by_its_id_and_title(language: Language) -> None:
    for item in rulebook.load(language).items:
        assert item.id in ids(f"{item.id.replace('-', ' ')} {item.title}", language)


# ---------------------------------------------------------------- whose language


@pytest.mark.parametrize(
    ("environment", "language"),
    [
        ({}, "en"),
        ({"LANG": "de_AT.UTF-8"}, "de"),
        ({"LANG": "fr"}, "fr"),
        ({"LANG": "fr-CH"}, "fr"),
        ({"LANG": "es_ES.UTF-8"}, "en"),
        ({"LANG": "C.UTF-8"}, "en"),
        ({"LANG": "POSIX"}, "en"),
        ({"LANG": "de_DE", "LC_MESSAGES": "fr_FR"}, "fr"),
        ({"LANG": "de_DE", "LC_MESSAGES": "fr_FR", "LC_ALL": "C"}, "en"),
        ({"LANG": "de_DE", "LC_ALL": ""}, "de"),
        ({"LANG": "fry_NL"}, "en"),
    ],
)
def test_the_language_of_a_user(environment: dict[str, str], language: str) -> None:
    assert find_language(environment) == language


# ---------------------------------------------------------------- files that do not agree


def lacks_a_clause(book: Any, words: Any) -> None:
    del words["items"]["A8"]


def lacks_a_chapter(book: Any, words: Any) -> None:
    del words["chapters"]["solo"]


def lacks_a_part(book: Any, words: Any) -> None:
    del words["parts"]["build"]


def has_too_much(book: Any, words: Any) -> None:
    words["items"]["A13"] = {"title": "Too much", "text": "Too much."}


def lacks_words_for_a_picture(book: Any, words: Any) -> None:
    del words["items"]["A2"]["alt"]


def lacks_a_picture(book: Any, words: Any) -> None:
    words["items"]["A8"]["alt"] = "A Cóatl."


def has_an_unknown_picture(book: Any, words: Any) -> None:
    book["picture"]["A2"]["name"] = "sunset"


def has_a_step_too_few(book: Any, words: Any) -> None:
    words["items"]["F3"]["steps"].pop()


def has_a_picture_of_nothing(book: Any, words: Any) -> None:
    book["picture"]["A99"] = {"name": "board"}


def is_misspelt(book: Any, words: Any) -> None:
    words["items"]["A8"]["tilte"] = "The closing piece"


@pytest.mark.parametrize(
    ("spoil", "reason"),
    [
        (lacks_a_clause, "there are no words for 'A8'"),
        (lacks_a_chapter, "there are no words for 'solo'"),
        (lacks_a_part, "there are no words for 'build'"),
        (has_too_much, "the book has no place for A13"),
        (lacks_words_for_a_picture, "A2 has a picture without words for it"),
        (lacks_a_picture, "A8 has a picture without words for it, or words without a picture"),
        (has_an_unknown_picture, "Invalid enum value 'sunset'"),
        (has_a_step_too_few, "F3 has 4 steps in words and 5 in the book"),
        (has_a_picture_of_nothing, "the book has no place for A99"),
        (is_misspelt, "tilte"),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_files_that_do_not_agree_are_refused(
    spoil: Callable[[Any, Any], None], reason: str
) -> None:
    book, words = deepcopy(read_book()), deepcopy(read_language("fr"))
    assert put_together("fr", book, words) == rulebook.load("fr")
    spoil(book, words)
    with pytest.raises(ValueError, match="the rules in 'fr': ") as caught:
        put_together("fr", book, words)
    assert reason in str(caught.value)


def test_no_break_spaces_stay() -> None:
    assert flowing("\nDeux\u00a0:\n  trois ") == "Deux\u00a0: trois"
    assert "\u00a0:" in rulebook.load("fr").clause("C1").text
