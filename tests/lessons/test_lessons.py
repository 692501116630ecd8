"""Every lesson, played to its end by its own moves, and what it points at and says on the way."""

from __future__ import annotations

import string

import pytest

from coatl import rulebook
from coatl.lessons import (
    LEARNER,
    LESSONS,
    NEXT,
    Lesson,
    LessonRun,
    Speech,
    follow,
    load_lesson,
    moves_to_show,
    path_to,
    reasons_of,
    speak,
    table_of,
    targets_of,
)
from coatl.lessons.lesson import LessonStepKind, LessonTargetKind
from coatl.lessons.targets import is_there
from coatl.rulebook import LANGUAGES, Language
from coatl.rules.cards import standard_deck

WORTH_IT = 8  # points that a learner's Cóatl should be worth


def whole_path(name: str) -> tuple[str, ...]:
    return path_to(name, len(load_lesson(name).steps))


def places(name: str) -> list[LessonRun]:
    """The lesson after each item of its own path, its beginning included."""
    path = whole_path(name)
    return [follow(name, path[:length]) for length in range(len(path) + 1)]


STEPS = [(name, step.name) for name in LESSONS for step in load_lesson(name).steps]


# ---------------------------------------------------------------- to the end


@pytest.mark.parametrize("name", LESSONS)
def test_it_ends_by_its_own_moves(name: str) -> None:
    run = follow(name, whole_path(name))
    assert run.over
    assert run.path == whole_path(name)
    assert run.path_starts == tuple(len(path_to(name, at)) for at in range(len(run.lesson.steps)))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", LESSONS)
def test_something_is_said_everywhere(name: str, language: Language) -> None:
    for run in places(name):
        speech = speak(run, language)
        assert speech.title
        assert speech.text
        assert speech.action
        assert not speech.astray
        for text in vars(speech).values():
            assert "{" not in text
            assert "  " not in text
            assert text == text.strip()


@pytest.mark.parametrize("name", LESSONS)
def test_the_words_differ_between_languages(name: str) -> None:
    for run in places(name):
        texts = {speak(run, language).text for language in LANGUAGES}
        assert len(texts) == len(LANGUAGES)


@pytest.mark.parametrize("name", LESSONS)
def test_numbers_are_the_same_in_every_language(name: str) -> None:
    for run in places(name):
        found = [digits(speak(run, language)) for language in LANGUAGES]
        assert found[0] == found[1] == found[2]


def digits(speech: Speech) -> list[str]:
    kept = "".join(letter if letter in string.digits else " " for letter in speech.text)
    return sorted(kept.split())


@pytest.mark.parametrize("name", LESSONS)
def test_every_step_is_short(name: str) -> None:
    """What a phone can show beside the table."""
    for run in places(name):
        for language in LANGUAGES:
            speech = speak(run, language)
            assert len(speech.title) <= 40
            assert len(speech.text) <= 300
            assert len(speech.action) <= 50
            assert len(speech.said) <= 110


@pytest.mark.parametrize("name", LESSONS)
def test_the_same_path_is_the_same_game(name: str) -> None:
    path = whole_path(name)
    run = LessonRun(load_lesson(name))
    for item in path:
        run.add(item)
    assert run.game.position == follow(name, path).game.position


@pytest.mark.parametrize("name", LESSONS)
def test_a_table_shows_it(name: str) -> None:
    for run in places(name):
        table = table_of(run, "fr")
        assert table.game is not None
        assert table.game.position == run.game.position
        assert table.opened.practice is not None
        assert table.events(LEARNER) == run.game.events(0)


@pytest.mark.parametrize("name", LESSONS)
def test_the_learner_completes_something_that_counts(name: str) -> None:
    data = follow(name, whole_path(name)).game.view(0).data
    assert max(coatl.value for coatl in data.seats[0].coatls if coatl.complete) >= WORTH_IT


@pytest.mark.parametrize(("name", "step"), STEPS)
def test_it_can_begin_at_any_step(name: str, step: str) -> None:
    names = [each.name for each in load_lesson(name).steps]
    run = follow(name, path_to(name, names.index(step)))
    assert run.step.name == step
    assert run.path_starts[-1] == len(run.path)


# ---------------------------------------------------------------- pointing and showing


@pytest.mark.parametrize("name", LESSONS)
def test_it_points_at_what_is_there(name: str) -> None:
    for run in places(name)[:-1]:
        view = run.game.view(0).data
        show = moves_to_show(run)
        targets = targets_of(run, show)
        assert all(is_there(target, view) for target in (*targets, *reasons_of(run)))
        if run.step.kind is LessonStepKind.DO:
            assert targets


@pytest.mark.parametrize(("name", "step"), STEPS)
def test_all_targets_are_there_when_a_step_begins(name: str, step: str) -> None:
    lesson = load_lesson(name)
    number = [each.name for each in lesson.steps].index(step)
    run = follow(name, path_to(name, number))
    view = run.game.view(0).data
    missing = [
        target
        for target in (*lesson.steps[number].targets, *lesson.steps[number].reasons)
        if not is_there(target, view)
    ]
    assert not missing


@pytest.mark.parametrize("name", LESSONS)
def test_the_moves_to_show_lead_on(name: str) -> None:
    for run in places(name)[:-1]:
        show = moves_to_show(run)
        if run.step.kind is LessonStepKind.READ:
            assert show == ()
            continue
        after = follow(name, run.path + show)
        assert after.number == run.number + 1
        assert follow(name, (run.path + show)[:-1]).number == run.number


def test_pieces_in_another_order() -> None:
    """From the red segments to the left: what is left to do is found."""
    path = (*path_to("first", 4), "new R", "R+1", "G+1")
    run = follow("first", path)
    assert not run.astray
    assert moves_to_show(run) == ("G+1", "<R+1")
    assert [target.kind for target in targets_of(run, moves_to_show(run))] == [
        LessonTargetKind.PIECE,
        LessonTargetKind.LANE,
    ]
    assert follow("first", (*path, "G+1", "<R+1")).step.name == "lay"


def test_cards_in_another_order() -> None:
    run = follow("first", (*path_to("first", 3), "pick GR+K"))
    assert not run.astray
    assert moves_to_show(run) == ("pick !GG!", "done")
    assert [target.name for target in targets_of(run, ())] == ["!GG!"]


def test_cards_laid_while_building() -> None:
    path = (*path_to("first", 4), "new G", "1+G", "1:!GG!", "1+R", "1+R", "1:GGRR", "<R+1")
    run = follow("first", path)
    assert run.step.name == "lay"
    assert moves_to_show(run) == ("1:{R}", "done")
    assert follow("first", (*path, "done")).step.name == "close"


# ---------------------------------------------------------------- what is said is true


@pytest.mark.parametrize(("name", "step"), STEPS)
def test_clauses_are_those_of_the_rules(name: str, step: str) -> None:
    found = next(each for each in load_lesson(name).steps if each.name == step)
    assert found.clause
    assert rulebook.load("en").clause(found.clause).id == found.clause


def test_numbers_of_the_first_lesson() -> None:
    """What its words say of cards and pieces, beyond the numbers that the engine fills in."""
    cards = {card.name: card for card in standard_deck().prophecies}
    assert cards["!GG!"].points_for(1) == cards["GR+K"].points_for(1)  # "each brings"
    assert min(cards["{R}"].levels) == 3
    assert max(cards["{R}"].levels) == 6
    begin = follow("first", path_to("first", 1)).game.view(0).data
    with_red = [space for space, colours in begin.supply.items() if "R" in colours]
    assert with_red == ["b2"]  # "no red lies in that one"
    assert sum("R" in card for card in begin.seats[0].hand) == 2  # "two of your cards"
    choosing = follow("first", path_to("first", 3)).game.view(0).data
    held = {piece.strip("<>") for piece in choosing.seats[0].board}
    fitting = [card for card in choosing.row if card and held & set(card)]
    assert sorted(fitting) == ["!GG!", "GR+K"]  # "colours that you do not have"
    assert len(choosing.seats[0].hand) == 3  # "room for two more"
    building = follow("first", path_to("first", 4)).game.view(0).data
    assert len(building.seats[0].hand) == 5  # "your hand is full"
    free = follow("first", path_to("first", 8)).game.view(0).data
    assert "K" in free.supply["b5"]
    assert free.supply["t1"] not in ("", "Y")


def test_numbers_of_the_tokens() -> None:
    begin = follow("tokens", path_to("tokens", 1)).game.view(0).data
    assert begin.piles[1].top == "noK/8"
    assert begin.piles[0].top == "noG/9"
    assert not any(set(card or "") & set("RB") for card in begin.row)
    assert not any(set(colours) & set("RB") for colours in begin.supply.values())
    picking = follow("tokens", path_to("tokens", 3)).game.view(0).data
    assert not any(set(colours) & set("RB") for colours in picking.supply.values())
    end = follow("tokens", whole_path("tokens")).game.view(0).data
    assert end.seats[0].tokens == ()
    coatl = end.seats[0].coatls[0]
    assert coatl.temple is not None
    assert coatl.temple.met == (True, True)
    assert [card.times for card in coatl.cards if card.card == "{B}"] == [5]


def test_numbers_of_solo() -> None:
    begin = follow("solo", path_to("solo", 1)).game.view(0).data
    assert begin.adam is not None
    assert [card.missing for card in begin.adam.cards[:2]] == ["G", "Y"]
    assert [at for at, colours in enumerate(begin.supply.values(), 1) if "G" in colours] == [9]
    assert next(at for at, c in enumerate(begin.supply.values(), 1) if "Y" in c) == 1
    after = follow("solo", path_to("solo", 2)).game.view(0).data
    assert after.adam is not None
    assert after.adam.cards[-1].card == begin.row[-1]
    assert "KKYY" in after.adam.fulfilled
    assert not after.supply["b1"]
    end = follow("solo", whole_path("solo"))
    assert end.game.over
    assert end.game.outcome().winners == (0,)


# ---------------------------------------------------------------- the beginning


def test_the_learner_begins() -> None:
    for name in LESSONS:
        run = follow(name, [])
        assert run.is_learners_turn
        assert run.step is run.lesson.steps[0]
        assert isinstance(run.lesson, Lesson)


def test_a_first_lesson_without_a_pause() -> None:
    """It begins with something to read, and everything else is done by the learner."""
    kinds = [step.kind for step in load_lesson("first").steps]
    assert kinds[0] is LessonStepKind.READ
    assert LessonStepKind.FREE in kinds
    assert kinds.count(LessonStepKind.DO) >= 4
    assert whole_path("first").count(NEXT) == kinds.count(LessonStepKind.READ)
