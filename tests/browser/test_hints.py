"""Hints at the table: asked for by pointer, shown, compared and played."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from coatl.table import Practice
from coatl.table.entries import Hinted
from tests.browser.marks import whole_games
from tests.browser.prepared import Prepared, prepare
from tests.browser.stillness import moves_of
from tests.browser.table import TablePage, assert_fits
from tests.browser.windows import DESK, PHONE, Json, Windows
from tests.server.harness import LiveServer

pytestmark = whole_games
COMPILING = 300_000.0  # milliseconds that the first hint on a machine may take
CHANCE = {"fr": "Chances de gagner", "de": "Siegchance"}
POSITION = """
2p turn=9
| board=B,K,Y hand={R},KKK temples=noY/7 coatl=<RGRR
| board=K,B hand={K},KG,YB temples=noG/9
"""


def prepare_game(folder: Path) -> Prepared:
    practice = Practice(POSITION)
    return prepare(folder, "Ana", "bot:greedy", until=lambda _table: True, practice=practice)


@pytest.mark.parametrize(
    ("size", "language"),
    [(DESK, "fr"), (PHONE, "de")],
    ids=["desk in French", "phone in German"],
)
def test_a_hint_is_shown_compared_and_played(
    windows: Windows, server: LiveServer, folder: Path, size: Json, language: str
) -> None:
    game = prepare_game(folder)
    window = windows.sit_at(game, 0, language=language, **size)
    page = window.page
    window.wait(lambda: window.turn, "my turn")
    window.come_to_rest()
    window.press(page.locator("[data-hint-button]"))
    title = page.locator("[data-hint-title]")
    title.wait_for(timeout=COMPILING)
    panel = page.locator("[data-hint=best]")
    expect(panel).to_contain_text(CHANCE[language])
    expect(panel).to_contain_text(re.compile(r"\d+ (percent|Prozent|%)"))
    assert page.locator("[data-hint-from]").count() > 0
    assert_fits(page)
    assert_nothing_is_covered(window)
    first = title.inner_text()
    if page.locator("[data-hint-second]").count():
        window.press(page.locator("[data-hint-second]"))
        expect(page.locator("[data-hint=second]")).to_be_visible()
        expect(page.locator("[data-hint-less]")).to_be_visible()
        window.press(page.locator("[data-hint-button]"))
        assert title.inner_text() == first
    version = window.state["version"]
    window.press(page.locator("[data-hint-do]"))
    window.wait(lambda: window.state["version"] > version, "it is played")
    expect(page.locator("[data-hint]")).to_have_count(0)
    assert sum(isinstance(entry, Hinted) for entry in server.read_log(game.id)) == 1
    if size is DESK:  # a phone scrolls to what is pointed at
        assert moves_of(page)["controls"] == []


def assert_nothing_is_covered(window: TablePage) -> None:
    """What the path begins at, and where it ends, is beside the panel."""
    panel = window.page.locator(".hint-panel").bounding_box()
    assert panel is not None
    for mark in ("[data-hint-from]", "[data-hint-to]"):
        for shape in window.page.locator(mark).all():
            box = shape.bounding_box()
            assert box is not None
            is_left, is_right = (
                box["x"] + box["width"] <= panel["x"],
                box["x"] >= panel["x"] + panel["width"],
            )
            is_above, is_below = (
                box["y"] + box["height"] <= panel["y"],
                box["y"] >= panel["y"] + panel["height"],
            )
            assert is_left or is_right or is_above or is_below, (mark, box, panel)


def test_several_people_have_no_hints_unless_they_agreed(windows: Windows, folder: Path) -> None:
    game = prepare(folder, "Ana", "Ben", until=lambda _table: True)
    window = windows.sit_at(game, 0, **DESK)
    window.wait(lambda: window.turn, "my turn")
    expect(window.page.locator("[data-hint-button]")).to_have_count(0)
