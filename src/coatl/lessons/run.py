"""A lesson being followed: the game so far, the step, and whether the learner is astray."""

from __future__ import annotations

from fnmatch import fnmatchcase

from coatl.fairness import derive_seed
from coatl.game import Game
from coatl.lessons.conditions import Sight, all_hold
from coatl.lessons.lesson import NEXT, Lesson, LessonStepKind, Step
from coatl.lessons.opponent import choose_move

SECRET = NONCE = "0" * 64  # a lesson has nothing to hide: every game of it has the same chance
SEED = derive_seed(SECRET, {0: NONCE})
LEARNER_SEAT = 0
OTHERWISE = "otherwise"  # the sentence for a wrong turn that has none of its own


class BadPath(ValueError):  # noqa: N818 - it is the path that is bad
    """What the learner is said to have done cannot be done in this lesson."""


class LessonRun:
    """Folds a path, item by item."""

    def __init__(self, lesson: Lesson) -> None:
        self.lesson = lesson
        self.game = Game.from_position(lesson.position, SEED, draws=lesson.draws)
        self.number = 0  # of the step; how many there are when the lesson is over
        self.path: tuple[str, ...] = ()
        self.path_starts: tuple[int, ...] = (0,)  # of each step reached: the path's length there
        self.astray = ""  # the name of the sentence about a wrong turn
        self.right_until = 0  # the path's length before the learner went astray
        self.achieved: Step | None = None  # the step that the last item finished
        self._turns = 0  # that the learner has ended in this step
        self._replies = 0  # moves of `then` played so far

    def copy(self) -> LessonRun:
        twin = type(self).__new__(type(self))
        twin.__dict__.update(self.__dict__)
        twin.game = self.game.copy()
        return twin

    @property
    def over(self) -> bool:
        return self.number == len(self.lesson.steps)

    @property
    def step(self) -> Step:
        """The step that the learner is at; the last one when the lesson is over."""
        return self.lesson.steps[min(self.number, len(self.lesson.steps) - 1)]

    @property
    def sight(self) -> Sight:
        """What conditions are checked against."""
        return Sight(self.game.view(LEARNER_SEAT).data, self._turns)

    @property
    def is_learners_turn(self) -> bool:
        return self.game.seat == LEARNER_SEAT

    # -------------------------------------------------------------- going on

    def add(self, item: str) -> None:
        """The next item of the path.

        Raises `BadPath`; `NotationError` or `IllegalMove` for a move that the game refuses.
        """
        if self.over:
            raise BadPath("the lesson is over")
        self.achieved = None
        if self.step.kind is LessonStepKind.READ:
            self._read(item)
        else:
            self._play(item)

    def _read(self, item: str) -> None:
        if item != NEXT:
            raise BadPath(f"in the step {self.step.name!r} nothing is to be done")
        self.path = (*self.path, NEXT)
        self._finish()

    def _play(self, item: str) -> None:
        if item == NEXT:
            raise BadPath(f"the step {self.step.name!r} is not only to be read")
        if not self.is_learners_turn:
            raise BadPath("it is not the learner's turn")
        turn = self.game.turn
        self.game.play(item)
        made = self.game.last_move or item
        self.path = (*self.path, made)
        self._turns += self.game.turn != turn
        self._judge(made)

    def _judge(self, made: str) -> None:
        """Is the step done, or the move on the way, or a wrong turn?"""
        step = self.step
        done = all_hold(step.done, self.sight) or self.game.over
        is_wrong = step.kind is LessonStepKind.DO and not done and not self._is_on_the_way(made)
        if is_wrong and not self.astray:  # what was wrong first is what is taken back
            self.astray, self.right_until = _sentence(step, made), len(self.path) - 1
        if done:
            self.astray = ""
        if not self.astray:
            self._let_opponent_play()
        if done:
            self._finish()

    def _is_on_the_way(self, made: str) -> bool:
        """What ends the turn before the step is done never is."""
        if self.astray or self._turns:
            return False
        step = self.step
        known = any(fnmatchcase(made, pattern) for pattern in step.way)
        return known and all_hold(step.keep, self.sight)

    def _let_opponent_play(self) -> None:
        while not self.is_learners_turn and not self.game.over:
            replies = self.step.then[self._replies :]
            self.game.play(replies[0] if replies else choose_move(self.lesson, self.game))
            self._replies += 1

    def _finish(self) -> None:
        self.achieved = self.step
        self.number += 1
        self._turns = self._replies = 0
        if not self.over:
            self.path_starts = (*self.path_starts, len(self.path))


def _sentence(step: Step, made: str) -> str:
    """The name of what is said about a wrong turn."""
    for wrong in step.wrong:
        if any(fnmatchcase(made, pattern) for pattern in wrong.moves):
            return wrong.name
    return OTHERWISE
