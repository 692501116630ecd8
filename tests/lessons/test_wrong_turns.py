"""Wrong turns: every legal move at every place of every step, and paths that cannot be."""

from __future__ import annotations

import pytest

from coatl.errors import IllegalMove, NotationError
from coatl.lessons import (
    LESSONS,
    NEXT,
    BadPath,
    LessonRun,
    UnknownLesson,
    follow,
    load_lesson,
    moves_to_show,
    path_to,
    speak,
    targets_of,
)
from coatl.lessons.lesson import LessonStepKind
from coatl.rulebook import LANGUAGES

DO_STEPS = [
    (name, number)
    for name in LESSONS
    for number, step in enumerate(load_lesson(name).steps)
    if step.kind is LessonStepKind.DO
]


def places_of_step(name: str, number: int) -> list[LessonRun]:
    """The lesson at each place of a step, along its own moves."""
    start, end = len(path_to(name, number)), len(path_to(name, number + 1))
    path = path_to(name, number + 1)
    return [follow(name, path[:length]) for length in range(start, end)]


@pytest.mark.parametrize(("name", "number"), DO_STEPS)
def test_every_other_move(name: str, number: int) -> None:
    """It is on the way, reaches the goal, or is said to lead astray; and it alone is taken back."""
    for run in places_of_step(name, number):
        for move in run.game.legal_moves():
            after = follow(name, (*run.path, move.text))
            if after.number > number:
                assert not after.astray
                continue
            assert after.number == number
            if after.astray:
                check_astray(after)
                assert after.path[: after.right_until] == run.path
            else:
                assert moves_to_show(after), "on the way, but nobody knows how to go on"


def check_astray(run: LessonRun) -> None:
    for language in LANGUAGES:
        sentence = speak(run, language).astray
        assert sentence
        assert "{" not in sentence
        assert len(sentence) <= 240
    assert moves_to_show(run) == ()
    assert targets_of(run, ()) == ()


@pytest.mark.parametrize(("name", "number"), DO_STEPS)
def test_going_on_astray(name: str, number: int) -> None:
    """Whatever is done after a wrong turn: it does not crash, and the step waits."""
    for run in places_of_step(name, number)[:1]:
        for move in run.game.legal_moves():
            after = follow(name, (*run.path, move.text))
            if not after.astray:
                continue
            if not after.is_learners_turn:
                with pytest.raises(BadPath):
                    follow(name, (*after.path, "done"))
                continue
            for more in after.game.legal_moves()[:5]:
                further = follow(name, (*after.path, more.text))
                assert further.astray or further.number > number
                if further.astray:
                    assert further.right_until == len(run.path)


@pytest.mark.parametrize(("name", "number"), DO_STEPS)
def test_sentences_of_their_own_are_used(name: str, number: int) -> None:
    """No sentence about certain moves is there for nothing."""
    step = load_lesson(name).steps[number]
    said = {
        follow(name, (*run.path, move.text)).astray
        for run in places_of_step(name, number)
        for move in run.game.legal_moves()
    }
    assert {wrong.name for wrong in step.wrong} <= said


def test_a_wrong_turn_is_followed_by_nobody() -> None:
    """The opponent waits, so that what went wrong stays on the screen."""
    run = follow("first", (NEXT, "take b4"))
    assert run.game.last_move == "take b4"
    assert run.game.seat == 1
    assert "red" in speak(run, "en").astray


def test_what_the_learner_missed_is_not_asked_for() -> None:
    """The turn may end once the card that the lesson speaks of lies there."""
    run = follow("first", (*path_to("first", 5), "1:GGRR", "done"))
    assert run.step.name == "close"


# ---------------------------------------------------------------- what is no path


@pytest.mark.parametrize(
    ("path", "said"),
    [
        (("take b2",), "nothing is to be done"),
        ((NEXT, NEXT), "not only to be read"),
        ((NEXT, "take b4", "take b2"), "not the learner's turn"),
        ((NEXT, "take b3", "take b2"), "before the last"),
        ((NEXT, "what?", "take b2"), "before the last"),
        ((*path_to("first", 10), NEXT), "over"),
    ],
)
def test_paths_that_lead_nowhere(path: tuple[str, ...], said: str) -> None:
    with pytest.raises(BadPath, match=said):
        follow("first", path)


def test_the_last_move_is_refused_by_the_game() -> None:
    with pytest.raises(IllegalMove) as caught:
        follow("first", (NEXT, "take b3"))
    assert caught.value.clause
    with pytest.raises(NotationError):
        follow("first", (NEXT, "what?"))


def test_there_is_no_such_step_or_lesson() -> None:
    with pytest.raises(BadPath):
        path_to("first", 11)
    with pytest.raises(BadPath):
        path_to("first", -1)
    with pytest.raises(UnknownLesson, match="first, tokens, solo"):
        follow("second", ())
