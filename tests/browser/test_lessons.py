"""The lessons, each to its end: by pointer, with wrong turns, and by keys, in three languages."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from coatl import lessons
from tests.browser.accessibility import Words
from tests.browser.lesson import LessonPage
from tests.browser.marks import whole_games
from tests.browser.stillness import assert_stayed_put
from tests.browser.table import assert_fits
from tests.browser.windows import DESK, PHONE, Json, Windows

pytestmark = whole_games
COACH_KEY = "c"


@pytest.mark.parametrize(("name", "language", "size"), [("first", "en", DESK), ("first", "de", PHONE)])
def test_by_pointer_with_wrong_turns(
    windows: Windows, name: str, language: str, size: Json
) -> None:
    lesson = LessonPage.open(windows, name, language=language, **size)
    lesson.follow(mistakes=True)
    assert lesson.mistakes > 1
    expect(lesson.coach).to_contain_text(Words(language)["lesson_over"])
    assert_fits(lesson.page)
    assert lesson.refused == []


@pytest.mark.parametrize(("name", "language"), [("first", "fr")])
def test_by_keys(windows: Windows, name: str, language: str) -> None:
    lesson = LessonPage.open(windows, name, language=language, keys=True)
    lesson.follow_by_keys(COACH_KEY)
    assert lesson.refused == []
