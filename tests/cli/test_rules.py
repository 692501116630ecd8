"""`coatl rules`: contents, clauses, chapters, search, and the reader's language."""

from __future__ import annotations

import re

import pytest

from coatl import rulebook
from coatl.rulebook import LANGUAGES, Language, RuleItem
from tests.cli import program
from tests.cli.test_help import HEAVY, packages_loaded

pytestmark = program.compiled


def flat(text: str) -> str:
    """In one line; no-break spaces stay."""
    return re.sub(r"[ \n]+", " ", text)


def told(item: RuleItem) -> list[str]:
    """What has to be shown of an item."""
    example = []
    if item.picture is not None and item.picture.coatl:
        example = [item.picture.alt, ", ".join(item.picture.cards)]
    return [item.title, item.text, *(step.text for step in item.steps), *example]


def test_the_contents_lead_to_every_chapter() -> None:
    text = program.output("rules")
    rows = [re.match(r"([a-z]+) +(\S.*?)(?:  +([A-Z].*))?$", line) for line in text.splitlines()]
    found = {row[1]: (row[2], row[3]) for row in rows if row is not None and row[1] != "coatl"}
    book = rulebook.load("en")
    assert {id: title for id, (title, _) in found.items()} == {
        chapter.id: chapter.title for chapter in book.chapters
    }
    assert found["assemble"][1] == "A1–A12"
    assert found["turn"][1] == "T0"
    assert found["goal"][1] is None


def test_the_clauses_of_a_chapter_have_no_gap() -> None:
    """The contents show the first and the last."""
    for chapter in rulebook.load("en").chapters:
        numbers = sorted(int(item.id[1:]) for item in chapter.items if item.is_clause)
        assert len({item.id[0] for item in chapter.items if item.is_clause}) <= 1
        if numbers:
            assert numbers == list(range(numbers[0], numbers[-1] + 1))


@pytest.mark.parametrize("language", LANGUAGES)
def test_everything_can_be_shown_by_its_id(language: Language) -> None:
    items = list(rulebook.load(language).items)
    text = flat(program.output("rules", *(item.id for item in items), "--lang", language))
    for item in items:
        for part in told(item):
            assert part in text, item.id


@pytest.mark.parametrize("language", LANGUAGES)
def test_chapters_are_shown_whole(language: Language) -> None:
    chapters = rulebook.load(language).chapters
    text = program.output("rules", *(chapter.id for chapter in chapters), "--lang", language)
    for chapter in chapters:
        assert f"\n{chapter.title}\n" in f"\n{text}"
        assert chapter.lead in flat(text)
        assert all(f"\n{part.title}\n" in text for part in chapter.parts if part.title)
        assert all(item.text in flat(text) for item in chapter.items)


def test_a_clause_is_shown_as_it_is_written() -> None:
    assert program.output("rules", "a8") == (
        "A8   The closing piece\n"
        "     The piece that gives a Cóatl both head and tail completes it at once. You\n"
        "     may place it only if there is a body segment, and if a Prophecy card lies\n"
        "     beside the Cóatl already or you hold one that the closed Cóatl meets.\n"
    )


def test_an_example_shows_its_pieces_and_cards() -> None:
    lines = program.output("rules", "F3").splitlines()
    assert "     <BBkBBryBBYY>  BBYY, !BB!, {B}, noG/9" in lines
    assert lines[-1].startswith("     5. ")


def test_steps_are_numbered_unless_they_are_a_list() -> None:
    assert "     4. Its cards are turned face down." in program.output("rules", "A9")
    assert "     - 8 pieces on your board (T2)." in program.output("rules", "limits")


def test_a_chapter_by_its_title() -> None:
    assert program.output("rules", "Zusammensetzen", "--lang", "de") == program.output(
        "rules", "assemble", "--lang", "de"
    )


def test_a_search() -> None:
    assert program.output("rules", "--search", "two open") == program.output("rules", "A1")
    found = program.output("rules", "--search", "schliessende", "--lang", "de")
    assert found.startswith("A8   Das schließende Teil\n")
    missing = "no rule has all words of 'xyzzy' (language: en)"
    assert program.failure("rules", "--search", "xyzzy") == missing
    both = "either names of rules or --search, not both"
    assert program.failure("rules", "A8", "--search", "piece") == both


@pytest.mark.parametrize(
    ("names", "message"),
    [
        (("A13",), "there is no clause 'A13'; did you mean A12?"),
        (("A8", "asemble"), "there is no clause or chapter 'asemble'; did you mean assemble?"),
        (("",), "there is no clause or chapter ''"),
        (("A8", "--lang", "it"), "the languages are en, fr, de, not 'it'"),
    ],
)
def test_what_is_not_there(names: tuple[str, ...], message: str) -> None:
    assert program.failure("rules", *names) == message


@pytest.mark.parametrize(
    ("locale", "language"),
    [("fr_FR.UTF-8", "fr"), ("de_CH.UTF-8", "de"), ("en_GB.UTF-8", "en"), ("C", "en")],
)
def test_the_language_of_the_locale(locale: str, language: Language) -> None:
    text = program.output("rules", "A5", env={"LC_ALL": locale, "PYTHONIOENCODING": "utf-8"})
    assert rulebook.load(language).clause("A5").title in text
    english = program.output("rules", "A5", "--lang", "en", env={"LC_ALL": locale})
    assert "What lies, stays" in english


def test_no_line_begins_with_a_french_sign() -> None:
    text = program.output("rules", "rulings", "cards", "--lang", "fr")
    assert not re.search(r"^\s*[:;?!»]", text, re.MULTILINE)


def test_it_does_not_load_the_compiler() -> None:
    assert packages_loaded("rules", "A8").isdisjoint(HEAVY)
