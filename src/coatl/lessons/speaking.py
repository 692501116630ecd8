"""What is said at a place in a lesson, in a language, with numbers from the engine."""

from __future__ import annotations

from dataclasses import dataclass

from coatl.lessons.lesson import LessonStepKind, Step
from coatl.lessons.run import LessonRun
from coatl.lessons.targets import hint_of
from coatl.lessons.words import StepWords, load_common_words, load_words
from coatl.rulebook.languages import Language


@dataclass(frozen=True)
class Speech:
    """The words of one moment."""

    title: str
    text: str
    action: str
    astray: str  # after a wrong turn
    said: str  # about what was just achieved


def speak(run: LessonRun, language: Language) -> Speech:
    words = load_words(run.lesson.name, language).steps
    said = run.achieved
    title, text, action = _step_words(run, words[run.step.name], language)
    return Speech(
        title=title,
        text=_filled(text, run.step, run),
        action=action,
        astray=_filled(words[run.step.name].wrong[run.astray], run.step, run) if run.astray else "",
        said="" if said is None else _filled(words[said.name].said, said, run),
    )


def _step_words(run: LessonRun, words: StepWords, language: Language) -> tuple[str, str, str]:
    hint = hint_of(run)
    if hint is not None:
        found = words.hints[hint.name]
        return found.title or words.title, found.text, found.action or words.action
    reads = run.step.kind is LessonStepKind.READ
    return words.title, words.text, load_common_words(language).go_on if reads else words.action


def _filled(text: str, step: Step, run: LessonRun) -> str:
    """The text with the numbers of a step in it."""
    if "{" not in text:
        return text
    sight = run.sight
    return text.format(**{name: fact.number(sight) for name, fact in step.facts.items()})
