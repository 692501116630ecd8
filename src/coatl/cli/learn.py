"""`coatl learn`: the lessons in the terminal, one after another, and how far somebody is."""

from __future__ import annotations

from pathlib import Path

from rich.console import Console

from coatl.cli.console import Failure
from coatl.cli.language import choose_language
from coatl.cli.progress import Place, Progress
from coatl.cli.terminal.lesson import LessonSession
from coatl.cli.wrapping import wrap_text
from coatl.compiler import jit
from coatl.errors import IllegalMove, NotationError
from coatl.lessons import (
    LESSONS,
    BadPath,
    LessonRun,
    UnknownLesson,
    follow,
    load_common_words,
    load_lesson,
    load_words,
    path_to,
)
from coatl.rulebook import Language
from coatl.text.drawing import make_console

INDENT = " " * 8  # before what belongs to a lesson, whose name stands there


def learn(name: str | None, lang: str | None, file: Path | None, restart: bool) -> None:
    language, progress = choose_language(lang), Progress(file)
    try:
        lesson = load_lesson(name or next_lesson(progress))
    except UnknownLesson as error:
        raise Failure(str(error)) from None
    jit.load_all()
    run = follow(lesson.name, ()) if restart else resume(lesson.name, progress.place(lesson.name))

    def keep(run: LessonRun) -> None:
        progress.keep(lesson.name, Place(run.path, run.number))

    LessonSession(run, language, make_console(), keep).run()


def list_lessons(lang: str | None, file: Path | None) -> None:
    language, progress = choose_language(lang), Progress(file)
    console = make_console()
    for name in LESSONS:
        _print_lesson(console, name, language, progress.place(name).step)


def _print_lesson(console: Console, name: str, language: Language, step: int) -> None:
    words, terminal = load_words(name, language), load_common_words(language).terminal
    lesson = load_lesson(name)
    parts = [f"{name:<{len(INDENT)}}{words.title}", terminal.minutes.format(n=lesson.minutes)]
    if step >= len(lesson.steps):
        parts.append(terminal.done)
    elif step:
        parts.append(terminal.at.format(number=step + 1, count=len(lesson.steps)))
    console.print(", ".join(parts))
    for line in wrap_text(words.sentence, console.width - len(INDENT)):
        console.print(INDENT + line)


def next_lesson(progress: Progress) -> str:
    """The first one that is not over; the first of all if all are."""
    for name in LESSONS:
        if progress.place(name).step < len(load_lesson(name).steps):
            return name
    return LESSONS[0]


def resume(name: str, place: Place) -> LessonRun:
    """Where somebody left a lesson; from its beginning if it was over."""
    if place.step >= len(load_lesson(name).steps):
        return follow(name, ())
    try:
        return follow(name, place.path)
    except (BadPath, NotationError, IllegalMove):  # the lesson has changed since
        return follow(name, path_to(name, max(place.step, 0)))
