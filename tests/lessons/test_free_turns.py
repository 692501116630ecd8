"""Free turns: they end when somebody simply plays, and nothing that is done in them crashes."""

from __future__ import annotations

import pytest

from coatl.lessons import (
    LESSONS,
    LessonRun,
    follow,
    load_lesson,
    moves_to_show,
    path_to,
    reasons_of,
    speak,
    targets_of,
)
from coatl.lessons.lesson import LessonStepKind
from coatl.lessons.opponent import bot_move
from coatl.rulebook import LANGUAGES

FREE_STEPS = [
    (name, number)
    for name in LESSONS
    for number, step in enumerate(load_lesson(name).steps)
    if step.kind is LessonStepKind.FREE
]
LEFT = load_lesson("first").leaves
MOST = 60  # moves of a learner


def check_words(run: LessonRun) -> None:
    for language in LANGUAGES:
        speech = speak(run, language)
        assert speech.text
        assert not speech.astray
        assert "{" not in speech.text
    targets_of(run, ())
    reasons_of(run)


@pytest.mark.parametrize("bot", ["greedy", "planner"])
@pytest.mark.parametrize(("name", "number"), FREE_STEPS)
def test_a_simple_player_finishes(name: str, number: int, bot: str) -> None:
    run = follow(name, path_to(name, number))
    made = 0
    while run.number == number:
        run.add(bot_move(bot, run.game))
        made += 1
        assert made < MOST
    assert run.number == number + 1


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(("name", "number"), FREE_STEPS)
def test_a_random_player_does_no_harm(name: str, number: int, seed: int) -> None:
    """And wherever it has led, the rest can be shown and played."""
    run = follow(name, path_to(name, number))
    for _ in range(12):
        if run.number > number:
            return
        moves = run.game.legal_moves()
        run.add(moves[(seed * 31 + len(run.path) * 7) % len(moves)].text)
        check_words(run)
    show = moves_to_show(run)
    assert show
    for move in show:
        run.add(move)
    assert run.number == number + 1


@pytest.mark.parametrize("dawdle", [["take b4", "take t2"], ["draw", "done"], ["take b4"] * 1])
def test_the_first_serpent_is_closed_even_late(dawdle: list[str]) -> None:
    """Somebody who does something else first still completes it within a few turns."""
    number = [step.name for step in load_lesson("first").steps].index("turns")
    run = follow("first", path_to("first", number))
    for move in dawdle:
        if move in [legal.text for legal in run.game.legal_moves()]:
            run.add(move)
    begun = run.game.turn
    for move in moves_to_show(run):
        run.add(move)
    assert run.step.name == "score"
    assert run.game.turn - begun <= 2 * 4


def test_the_opponent_leaves_what_the_learner_needs() -> None:
    number = [step.name for step in load_lesson("first").steps].index("turns")
    run = follow("first", path_to("first", number))
    for _ in range(10):
        others = [move.text for move in run.game.legal_moves() if move.text not in LEFT]
        if others:
            run.add(others[0])  # whatever else there is
    seen = [entry.text for entry in run.game.log if entry.seat == 1]
    assert not set(LEFT) & set(seen)
    assert len(seen) > 5


@pytest.mark.parametrize(
    ("moves", "title"),
    [
        ((), "Complete your Cóatl"),
        (("take b5",), "Now a tail"),
        (("take t1",), "Now a black segment"),
        (("take b5", "take t1"), "Add both pieces"),
        (("take b5", "1+K"), "Now a tail"),
        (("take b5", "take t1", "1+K"), "Add the tail"),
        (("take b5", "1+B"), "Close it all the same"),
        (("take b5", "take t1", "1+K", "1+B>"), "Lay the last card"),
        (("take b5", "take t1", "1+K", "1+B>", "done"), "Lay a Temple card"),
        (("take b5", "take t1", "1+K", "1+B>", "1:GR+K"), "Lay a Temple card"),
    ],
)
def test_words_follow_what_is_done(moves: tuple[str, ...], title: str) -> None:
    number = [step.name for step in load_lesson("first").steps].index("turns")
    run = follow("first", (*path_to("first", number), *moves))
    assert speak(run, "en").title == title
