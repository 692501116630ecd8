"""Makes lessons from their files; what does not fit is a `ValueError` that names the step."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import msgspec

from coatl.lessons.conditions import read_condition
from coatl.lessons.facts import read_fact
from coatl.lessons.files import read_lesson, read_order
from coatl.lessons.lesson import (
    Conditions,
    Hint,
    Lesson,
    LessonStepKind,
    LessonTargetKind,
    Step,
    Target,
    Targets,
    Wrong,
)

LESSONS: tuple[str, ...] = tuple(read_order()["lessons"])


class UnknownLesson(ValueError):  # noqa: N818 - it is the lesson that is unknown
    """There is no lesson of this name; the message lists them."""


# ---------------------------------------------------------------- as they stand in the files


class _Entry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Something in a file."""


class _WrongEntry(_Entry, frozen=True):
    name: str
    moves: tuple[str, ...]


class _HintEntry(_Entry, frozen=True):
    name: str
    when: tuple[str, ...]
    targets: tuple[str, ...] = ()
    reasons: tuple[str, ...] = ()


class _StepEntry(_Entry, frozen=True):
    name: str
    kind: LessonStepKind
    clause: str = ""
    targets: tuple[str, ...] = ()
    reasons: tuple[str, ...] = ()
    show: tuple[str, ...] = ()
    done: tuple[str, ...] = ()
    way: tuple[str, ...] = ()
    keep: tuple[str, ...] = ()
    wrong: tuple[_WrongEntry, ...] = ()
    then: tuple[str, ...] = ()
    hint: tuple[_HintEntry, ...] = ()
    facts: dict[str, str] = {}


class _LessonEntry(_Entry, frozen=True):
    minutes: int
    position: str
    step: tuple[_StepEntry, ...]
    draws: tuple[str, ...] = ()
    opponent: str = "greedy"
    leaves: tuple[str, ...] = ()


# ---------------------------------------------------------------- loading


@lru_cache(maxsize=32)
def load_lesson(name: str) -> Lesson:
    """A lesson by its name; raises `UnknownLesson`."""
    if name not in LESSONS:
        raise UnknownLesson(f"there is no lesson {name!r}; there are {', '.join(LESSONS)}")
    return make_lesson(name, read_lesson(name))


def make_lesson(name: str, content: dict[str, Any]) -> Lesson:
    """A lesson from the content of its file; raises `ValueError`."""
    try:
        entry = msgspec.convert(content, _LessonEntry)
        steps = tuple(map(_step, entry.step))
    except ValueError as error:
        raise ValueError(f"lesson {name!r}: {error}") from None
    names = [step.name for step in steps]
    if not names or len(set(names)) < len(names):
        raise ValueError(f"lesson {name!r}: it has no steps, or two of one name")
    return Lesson(
        name=name,
        minutes=entry.minutes,
        position=" ".join(entry.position.split()),
        draws=entry.draws,
        opponent=entry.opponent,
        leaves=entry.leaves,
        steps=steps,
    )


def _step(entry: _StepEntry) -> Step:
    try:
        _check(entry)
        return Step(
            name=entry.name,
            kind=entry.kind,
            clause=entry.clause,
            targets=_targets(entry.targets),
            reasons=_targets(entry.reasons),
            show=entry.show,
            done=_conditions(entry.done),
            way=entry.way or entry.show,
            keep=_conditions(entry.keep),
            wrong=tuple(Wrong(wrong.name, wrong.moves) for wrong in entry.wrong),
            then=entry.then,
            hints=tuple(map(_hint, entry.hint)),
            facts={name: read_fact(text) for name, text in entry.facts.items()},
        )
    except ValueError as error:
        raise ValueError(f"step {entry.name!r}: {error}") from None


def _check(entry: _StepEntry) -> None:
    """A step to read has no moves; any other has a goal and the moves that reach it."""
    moves = (entry.show, entry.done, entry.way, entry.keep, entry.wrong, entry.then)
    if entry.kind is LessonStepKind.READ and any(moves):
        raise ValueError("nothing is done in a step to read")
    if entry.kind is not LessonStepKind.READ and not (entry.show and entry.done):
        raise ValueError("it needs moves to show, and to say when it is done")
    if entry.kind is LessonStepKind.FREE and (entry.way or entry.keep or entry.wrong or entry.then):
        raise ValueError("no move is wrong in free turns, and a bot plays the opponent")


def _hint(entry: _HintEntry) -> Hint:
    return Hint(
        entry.name, _conditions(entry.when), _targets(entry.targets), _targets(entry.reasons)
    )


def _conditions(texts: tuple[str, ...]) -> Conditions:
    return tuple(map(read_condition, texts))


def _targets(texts: tuple[str, ...]) -> Targets:
    return tuple(map(read_target, texts))


def read_target(text: str) -> Target:
    """``space b2`` or ``deck``; raises `ValueError` if it is none."""
    kind, _, name = text.partition(" ")
    if kind not in list(LessonTargetKind):
        raise ValueError(f"{text!r}: a target is one of {', '.join(LessonTargetKind)}")
    return Target(LessonTargetKind(kind), name)
