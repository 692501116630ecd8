"""Files of lessons and of their words: what does not fit is said, with the place."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from coatl.errors import PositionError
from coatl.game import Game
from coatl.lessons import LESSONS, load_lesson, load_words
from coatl.lessons.conditions import CHECKS, read_condition
from coatl.lessons.facts import KINDS, LIMITS, read_fact
from coatl.lessons.files import read_lesson, read_words
from coatl.lessons.lesson import LessonTargetKind
from coatl.lessons.reading import make_lesson, read_target
from coatl.lessons.words import load_common_words, make_words
from coatl.rulebook import LANGUAGES, Language

PAGE = Path(__file__).parents[2] / "docs" / "lessons.md"
DO = {"name": "take", "kind": "do", "show": ["take b1"], "done": ["turns 1"]}
READ = {"name": "look", "kind": "read"}


def lesson_with(*steps: dict[str, Any], **changes: Any) -> dict[str, Any]:
    return {"minutes": 1, "position": "2p", "step": list(steps), **changes}


def words_with(**steps: dict[str, Any]) -> dict[str, Any]:
    return {"title": "A title", "sentence": "A sentence.", "steps": steps}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", LESSONS)
def test_every_lesson_has_its_words(name: str, language: Language) -> None:
    words = load_words(name, language)
    assert words.title
    assert words.sentence.endswith(".")
    assert list(words.steps) == [step.name for step in load_lesson(name).steps]
    common = load_common_words(language)
    assert common.coach
    assert common.go_on


@pytest.mark.parametrize("name", LESSONS)
def test_positions_can_be(name: str) -> None:
    try:
        Game.from_position(load_lesson(name).position, 0)
    except PositionError as error:
        pytest.fail(str(error))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", LESSONS)
def test_how_words_are_written(name: str, language: Language) -> None:
    """No exclamation marks; typographic apostrophes; French spaces before signs."""
    for text in texts_in(read_words(name, language)):
        assert not set("!'\"–") & set(text)
        if language == "fr":
            assert not any(f" {sign}" in text for sign in ":;?")
            assert not any(f"{letter};" in text for letter in "abcdefghijklmnopqrstuvwxyzé")


def texts_in(content: Any) -> list[str]:
    if isinstance(content, dict):
        return [text for value in content.values() for text in texts_in(value)]
    return [content]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (lesson_with(), "no steps"),
        (lesson_with(READ, READ), "two of one name"),
        (lesson_with({**READ, "show": ["take b1"]}), "step 'look': nothing is done"),
        (lesson_with({**DO, "show": []}), "step 'take': it needs moves"),
        (lesson_with({**DO, "done": []}), "step 'take': it needs moves"),
        (lesson_with({**DO, "done": ["bored"]}), "step 'take': 'bored': a condition is one of"),
        (lesson_with({**DO, "targets": ["moon 1"]}), "step 'take': 'moon 1': a target is one of"),
        (lesson_with({**DO, "facts": {"n": "level"}}), "step 'take': 'level': a number is one of"),
        (lesson_with({**DO, "kind": "free", "then": ["take b2"]}), "no move is wrong"),
        (lesson_with({**DO, "kind": "watch"}), "Invalid enum value 'watch'"),
        (lesson_with({**DO, "goal": []}), "unknown field `goal`"),
        (lesson_with(DO, hours=1), "unknown field `hours`"),
    ],
)
def test_lessons_that_cannot_be(content: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=said) as caught:
        make_lesson("mine", content)
    assert str(caught.value).startswith("lesson 'mine': ")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("board", "none"),
        ("board Q", "a piece is written"),
        ("complete two", "needs a number"),
        ("over now", "a value too many"),
        ("not happy", "a condition is one of"),
    ],
)
def test_conditions_that_cannot_be(text: str, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        read_condition(text)


def test_conditions_are_read_back() -> None:
    found = read_condition("not board <R,2G")
    assert (found.kind, found.value, found.negated) == ("board", "<R,2G", True)
    assert read_condition("over").kind == "over"
    assert read_target("deck").name == ""
    assert read_fact("level {R} 3").values == ("{R}", "3")


def test_everything_is_described() -> None:
    """In docs/lessons.md, where whoever writes a lesson looks."""
    page = PAGE.read_text("utf-8")
    for kind in (*CHECKS, *KINDS):
        assert f"| `{kind}" in page
    for target in LessonTargetKind:
        assert f"`{target}" in page
    for name in LIMITS:
        assert f"`{name}`" in page or f"limit {name}" in page


@pytest.mark.parametrize(
    ("steps", "said"),
    [
        ({}, "step: take is without words"),
        (
            {"take": {"title": "t", "text": "x", "action": "a", "wrong": {"otherwise": "o"}},
             "more": {"title": "t", "text": "x"}},
            "step: more is without words, or is not one",
        ),
        ({"take": {"title": "t", "text": "x", "action": "a"}}, "otherwise is without words"),
        (
            {"take": {"title": "t", "text": "x", "wrong": {"otherwise": "o"}}},
            "what to do is said where",
        ),
        (
            {"take": {"title": "t", "text": "{n}", "action": "a", "wrong": {"otherwise": "o"}}},
            "there is no number n",
        ),
        (
            {"take": {"title": "t", "text": "x", "action": "a", "wrong": {"otherwise": "o"},
                      "hints": {"h": {"text": "x"}}}},
            "hint of 'take': h is without words, or is not one",
        ),
    ],
)  # fmt: skip
def test_words_that_do_not_fit(steps: dict[str, Any], said: str) -> None:
    lesson = make_lesson("mine", lesson_with(DO))
    with pytest.raises(ValueError, match=said) as caught:
        make_words(lesson, "de", words_with(**steps))
    assert str(caught.value).startswith("lesson 'mine' in 'de': ")


def test_texts_flow() -> None:
    lesson = make_lesson("mine", lesson_with(READ))
    words = make_words(lesson, "en", words_with(look={"title": "t", "text": "\none\ntwo\n"}))
    assert words.steps["look"].text == "one two"


def test_the_files_are_read_by_name() -> None:
    assert read_lesson("first")["minutes"] == load_lesson("first").minutes
