"""Tips in the first games: never in the way, once each, and they can be turned off."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import expect

from coatl.table import Practice
from tests.browser.marks import whole_games
from tests.browser.prepared import Prepared, prepare
from tests.browser.stillness import moves_of
from tests.browser.table import assert_fits
from tests.browser.windows import DESK, PHONE, Json, Windows

pytestmark = whole_games
# an open Cóatl that meets a card, and a Temple card in the hand
POSITION = """
2p turn=9
| board=B,K,Y hand={R},KKK temples=noY/7 coatl=<RGRR
| board=K,B hand={K},KG,YB temples=noG/9
"""
TIP = "[data-tip]:visible"
# what can be pressed and shares something of its box with the tip
COVERED = """() => {
  const tip = document.querySelector("[data-tip]"), at = tip.getBoundingClientRect();
  return [...document.querySelectorAll("button, a[href], [data-drop], [data-read]")]
    .filter((one) => !tip.contains(one) && one.checkVisibility()).filter((one) => {
      const box = one.getBoundingClientRect();
      return box.left < at.right && box.right > at.left && box.top < at.bottom
        && box.bottom > at.top;
    }).map((one) => one.outerHTML.slice(0, 120));
}"""


def prepare_first_game(folder: Path) -> Prepared:
    practice = Practice(POSITION)
    return prepare(folder, "Ana", "bot:greedy", until=lambda _table: True, practice=practice)


@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
def test_a_tip_covers_nothing_and_comes_once(windows: Windows, folder: Path, size: Json) -> None:
    window = windows.sit_at(prepare_first_game(folder), 0, tips=True, **size)
    tip = window.page.locator(TIP)
    told: list[str | None] = []
    for _ in range(4):  # decisions; one tip in a turn
        window.wait(lambda: window.turn, "my turn")
        window.come_to_rest()
        if tip.count():
            told.append(tip.get_attribute("data-tip"))
            assert window.page.evaluate(COVERED) == []
            window.press(tip.locator("[data-close-tip]"))
            expect(tip).to_have_count(0)
        assert_fits(window.page)
        window.play_one()
    assert told
    assert len(set(told)) == len(told)
    assert moves_of(window.page)["controls"] == []


def test_tips_are_turned_off(windows: Windows, folder: Path) -> None:
    window = windows.sit_at(prepare_first_game(folder), 0, tips=True, **DESK)
    tip = window.page.locator(TIP)
    expect(tip).to_be_visible()
    window.press(window.page.locator("[data-settings]"))
    window.page.locator("[data-settings-sheet] [data-option=tips]").press("Space")
    window.page.keyboard.press("Escape")
    window.play_one()
    window.wait(lambda: window.turn, "my turn")
    window.come_to_rest()
    expect(tip).to_have_count(0)
