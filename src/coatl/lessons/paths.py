"""Paths: what a learner did in a lesson, followed from its beginning."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from coatl.errors import IllegalMove, NotationError
from coatl.lessons.lesson import NEXT, LessonStepKind
from coatl.lessons.reading import load_lesson
from coatl.lessons.run import BadPath, LessonRun


def follow(name: str, path: Sequence[str]) -> LessonRun:
    """The lesson after a path. Raises `UnknownLesson`, or `BadPath` if the path leads nowhere.

    The last item may also be a move that the game refuses: `NotationError` or `IllegalMove`.
    """
    if not path:
        return _followed(name, ()).copy()
    run = before_last(name, path)
    run.add(path[-1])
    return run


def before_last(name: str, path: Sequence[str]) -> LessonRun:
    """The lesson before the last item of a path."""
    try:
        return _followed(name, tuple(path[:-1])).copy()
    except (NotationError, IllegalMove) as error:
        raise BadPath(f"a move before the last: {error}") from None


@lru_cache(maxsize=256)
def _followed(name: str, path: tuple[str, ...]) -> LessonRun:
    """Nobody may change what is returned: each item is added to a copy."""
    if not path:
        return LessonRun(load_lesson(name))
    run = _followed(name, path[:-1]).copy()
    run.add(path[-1])
    return run


def path_to(name: str, number: int) -> tuple[str, ...]:
    """The path to a step by the lesson's own moves; raises `BadPath` if there is no such step."""
    steps = load_lesson(name).steps
    if not 0 <= number <= len(steps):
        raise BadPath(f"the lesson has steps 0 to {len(steps)}")
    path: list[str] = []
    for step in steps[:number]:
        path += [NEXT] if step.kind is LessonStepKind.READ else step.show
    return tuple(path)
