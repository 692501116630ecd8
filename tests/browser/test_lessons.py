"""The lessons, each to its end: by pointer, with wrong turns, and by keys, in two languages.

By keys they are in a window of middle size, in which the one that is left and taken up again is in
English.
"""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.accessibility import Words
from tests.browser.lesson import LessonPage
from tests.browser.marks import whole_games
from tests.browser.stillness import moves_of
from tests.browser.table import LOST, USABLE, assert_fits
from tests.browser.windows import DESK, PHONE, Json, Windows

pytestmark = whole_games
COACH_KEY = "c"


@pytest.mark.parametrize(
    ("name", "language", "size"), [("first", "en", DESK), ("tokens", "fr", PHONE)]
)
def test_by_pointer_with_wrong_turns(
    windows: Windows, name: str, language: str, size: Json
) -> None:
    follow_with_wrong_turns(windows, name, language, **size)


def follow_with_wrong_turns(windows: Windows, name: str, language: str, **like: Any) -> LessonPage:
    lesson = LessonPage.open(windows, name, language=language, **like)
    lesson.follow(mistakes=True)
    assert lesson.mistakes > 0
    expect(lesson.coach).to_contain_text(Words(language)["lesson_over"])
    assert_fits(lesson.page)
    if not lesson.touch:  # the stage of a phone goes where the lesson goes
        assert moves_of(lesson.page)["controls"] == []
    assert lesson.refused == []
    return lesson


@pytest.mark.parametrize(("name", "language"), [("first", "fr"), ("tokens", "de"), ("solo", "fr")])
def test_by_keys(windows: Windows, name: str, language: str) -> None:
    lesson = LessonPage.open(windows, name, language=language, keys=True)
    lesson.follow_by_keys(COACH_KEY)
    assert lesson.refused == []


def test_a_lesson_is_left_and_taken_up_again(windows: Windows) -> None:
    """Each step is told once; what Escape closes is not the lesson."""
    lesson = LessonPage.open(windows, "first")
    page = lesson.page
    lesson.go_on(lesson.button("go-on"))
    page.keyboard.press("Escape")
    lesson.do(lesson.shown_move())
    lesson.rest()
    lesson.go_on(lesson.button("go-on"))
    lesson.press(lesson.button("leave"))
    page.locator("[data-lessons]").wait_for()
    lesson.answers.clear()
    lesson.press(page.locator(f"[data-begin=first]{USABLE}"))
    lesson.wait(lambda: lesson.answers, "the lesson's answer")
    lesson.rest()
    assert (lesson.step["name"], len(lesson.now["path"])) == ("choose", 3)
    lesson.go_on(lesson.button("back"))
    assert lesson.step["name"] == "card"
    texts: list[str] = page.evaluate("announced.map((line) => line.text)")
    for title in ("Build feathered serpents", "Take the two red segments"):
        assert sum(title in text for text in texts) == 1


def test_moves_are_shown_while_the_network_comes_and_goes(windows: Windows) -> None:
    lesson = LessonPage.open(windows, "first")
    page = lesson.page
    lesson.go_on(lesson.button("go-on"))
    with lesson.watch.may_be_cut(), windows.opened[0].watch.may_be_cut():
        page.context.set_offline(True)
        lesson.press(lesson.button("show"))
        expect(page.locator(LOST)).to_be_visible()
        page.context.set_offline(False)
        lesson.wait(lambda: lesson.step["name"] == "card", "the move that is shown")
    lesson.rest()
    expect(page.locator(LOST)).to_have_count(0)
    lesson.check_coach()


def test_a_game_follows_the_last_lesson(windows: Windows) -> None:
    """The lesson too is by pointer, with wrong turns; then, in one press, the easiest bot."""
    lesson = follow_with_wrong_turns(windows, "solo", language="de", **PHONE)
    lesson.press(lesson.page.locator(f"[data-play-easiest]{USABLE}"))
    lesson.page.wait_for_url("**/#/table/*")
    expect(lesson.page.locator("main.table")).to_be_visible()
