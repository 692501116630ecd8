"""The words of a lesson in a language; they have to fit its steps."""

from __future__ import annotations

from functools import lru_cache
from string import Formatter
from typing import Any, TypeVar

import msgspec

from coatl.lessons.files import read_common_words, read_words
from coatl.lessons.lesson import Lesson, LessonStepKind, LessonTargetKind, Step
from coatl.lessons.reading import load_lesson
from coatl.rulebook.files import flowing
from coatl.rulebook.languages import Language

T = TypeVar("T")


class _Entry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Something in a file of words."""


class HintWords(_Entry, frozen=True):
    """The words of a hint; where there are none, those of its step stay."""

    text: str
    title: str = ""
    action: str = ""


class StepWords(_Entry, frozen=True):
    """The words of a step; numbers stand in them as {name}."""

    title: str
    text: str
    action: str = ""  # what to do, in a few words; empty in a step that is only read
    said: str = ""  # what was achieved by it
    wrong: dict[str, str] = {}  # about wrong turns; `otherwise` about all others
    hints: dict[str, HintWords] = {}


class LessonWords(_Entry, frozen=True):
    """The words of a lesson."""

    title: str
    sentence: str
    steps: dict[str, StepWords]


class TerminalWords(_Entry, frozen=True):
    """The words around a lesson in the terminal; names in braces are put in."""

    heading: str  # {title} {number} {count} {step}
    look: str  # {things}
    read: str
    type: str
    astray: str
    shown: str  # {move}
    over: str
    following: str  # {name}
    later: str  # {name}
    done: str
    at: str  # {number} {count}
    minutes: str  # {n}


class CommandWords(_Entry, frozen=True):
    """What the commands in the terminal do."""

    show: str
    back: str
    why: str
    moves: str
    cards: str
    board: str
    help: str
    quit: str


class CommonWords(_Entry, frozen=True):
    """Words of every lesson."""

    coach: str  # who plays along
    go_on: str  # what to do in a step that is only read
    terminal: TerminalWords
    commands: CommandWords
    targets: dict[LessonTargetKind, str]  # what is pointed at, in words; {name}


@lru_cache(maxsize=8)
def load_common_words(language: Language) -> CommonWords:
    words = msgspec.convert(read_common_words(language), CommonWords)
    _check_names("target", list(LessonTargetKind), list(words.targets))
    return words


@lru_cache(maxsize=32)
def load_words(name: str, language: Language) -> LessonWords:
    """Raises `UnknownLesson`."""
    lesson = load_lesson(name)
    return make_words(lesson, language, read_words(name, language))


def make_words(lesson: Lesson, language: Language, content: dict[str, Any]) -> LessonWords:
    """The words of a lesson from the content of their file; raises `ValueError`."""
    try:
        words = msgspec.convert(_flowing(content), LessonWords)
        _check_names("step", [step.name for step in lesson.steps], list(words.steps))
        for step in lesson.steps:
            _check_step(step, words.steps[step.name])
    except ValueError as error:
        raise ValueError(f"lesson {lesson.name!r} in {language!r}: {error}") from None
    return words


def _check_step(step: Step, words: StepWords) -> None:
    wrongs = [wrong.name for wrong in step.wrong]
    if step.kind is LessonStepKind.DO:
        wrongs.append("otherwise")
    _check_names(f"wrong turn of {step.name!r}", wrongs, list(words.wrong))
    _check_names(f"hint of {step.name!r}", [hint.name for hint in step.hints], list(words.hints))
    for text in _texts(words):
        unknown = {name for _, name, _, _ in Formatter().parse(text) if name} - set(step.facts)
        if unknown:
            raise ValueError(f"{step.name!r}: there is no number {', '.join(sorted(unknown))}")
    if bool(words.action) == (step.kind is LessonStepKind.READ):
        raise ValueError(f"{step.name!r}: what to do is said where there is something to do")


def _texts(words: StepWords) -> list[str]:
    """Those that may have numbers in them."""
    return [words.text, words.said, *words.wrong.values()] + [
        hint.text for hint in words.hints.values()
    ]


def _check_names(what: str, wanted: list[str], given: list[str]) -> None:
    different = set(wanted) ^ set(given)
    if different:
        raise ValueError(f"{what}: {', '.join(sorted(different))} is without words, or is not one")


def _flowing(content: T) -> T:
    """The same with every text in one line."""
    if isinstance(content, dict):
        return {name: _flowing(value) for name, value in content.items()}  # type: ignore[return-value]
    return flowing(content) if isinstance(content, str) else content  # type: ignore[return-value]
