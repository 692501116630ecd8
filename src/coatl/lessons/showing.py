"""The moves that do the rest of a step, from wherever in it the learner is."""

from __future__ import annotations

from collections import deque

from coatl.errors import NotationError
from coatl.lessons.lesson import LessonStepKind
from coatl.lessons.opponent import bot_move
from coatl.lessons.run import LessonRun

MOST_TRIED = 300  # moves, where the way to the goal has to be searched for
MOST_FREE = 40  # moves of the learner until free turns have to be over


def moves_to_show(run: LessonRun) -> tuple[str, ...]:
    """Empty in a step that is only read, after a wrong turn, and where no way is found."""
    if run.over or run.astray or run.step.kind is LessonStepKind.READ:
        return ()
    rest = _rest_of_show(run)
    if rest:
        return rest
    return _searched(run) if run.step.kind is LessonStepKind.DO else _by_bot(run)


def _rest_of_show(run: LessonRun) -> tuple[str, ...]:
    """The lesson's own moves without those that were made, if these lead to the goal."""
    rest = list(run.step.show)
    for made in run.path[run.path_starts[-1] :]:
        if made in rest:
            rest.remove(made)
    trial = run.copy()
    for move in rest:
        if trial.number == run.number and not _is_refused(trial, move):
            trial.add(move)
    return trial.path[len(run.path) :] if trial.number > run.number else ()


def _is_refused(run: LessonRun, move: str) -> bool:
    """Can it not be played any more? A card may lie there since the step before, say."""
    try:
        return not run.is_learners_turn or run.game.why(move) is not None
    except NotationError:
        return True


def _searched(run: LessonRun) -> tuple[str, ...]:
    """The fewest moves on the way that reach the goal."""
    waiting: deque[tuple[LessonRun, tuple[str, ...]]] = deque([(run, ())])
    tried = 0
    while waiting:
        here, moves = waiting.popleft()
        for move in here.game.legal_moves():
            tried += 1
            if tried > MOST_TRIED:
                return ()
            trial = here.copy()
            trial.add(move.text)
            if trial.number > run.number:
                return (*moves, move.text)
            if not trial.astray:
                waiting.append((trial, (*moves, move.text)))
    return ()


def _by_bot(run: LessonRun) -> tuple[str, ...]:
    """What a bot would play for the learner."""
    trial = run.copy()
    while trial.number == run.number and len(trial.path) - len(run.path) < MOST_FREE:
        trial.add(bot_move(run.lesson.opponent, trial.game))
    return trial.path[len(run.path) :] if trial.number > run.number else ()
