"""What a finger can do: ask by resting on something, and choose cards quickly. A mouse can, too."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.gestures import centre, dragged
from tests.browser.marks import whole_games
from tests.browser.table import TablePage
from tests.browser.windows import DESK, PHONE, Json, Windows
from tools.screenshots.settings import BARE, CROWDED

pytestmark = whole_games
POP = ".turn-pop"
PROPHECIES = 4
MOST_PRESSES = 5
FINGER = 44  # px


def test_a_finger_that_rests_asks_and_plays_nothing(windows: Windows, folder: Path) -> None:
    """About a space, a card of the hand, an open card, a Temple card, and a piece of the board."""
    prepared = CROWDED.prepare(folder, "crowded-table")
    window = windows.sit_at(prepared, 0, **PHONE)
    window.wait(lambda: window.turn, "my turn")
    window.come_to_rest()
    version = window.version
    rest_on(window, "[data-space][data-drag]")
    window.press(window.page.locator("[data-tab=prophecies]"))
    rest_on(window, "[data-card]")
    window.press(window.page.locator("[data-tab=temples]"))
    rest_on(window, "[data-pile]")
    window.press(window.page.locator(".grip"))
    rest_on(window, "[data-hand]")
    with dragged(window, "button[data-well][data-drag^=piece]") as pointer:
        pointer.let_go()
    expect(window.page.locator("[data-drag^=piece][aria-pressed=true]")).to_have_count(1)
    window.page.keyboard.press("Escape")
    read_all_cards_of_a_coatl(window)
    assert (window.version, window.refused) == (version, [])


def read_all_cards_of_a_coatl(window: TablePage) -> None:
    """Its tags are narrower than a finger: from any of them one comes to all others."""
    tags = window.page.locator("[data-drop^=lane]").first.locator("[data-on]")
    laid = [tags.nth(at).get_attribute("data-on") for at in range(tags.count())]
    assert len(laid) == PROPHECIES
    window.press(tags.first)
    for card in [*laid[1:], laid[0]]:
        after = window.page.locator("[data-card-after]")
        size = after.bounding_box()
        assert size
        assert min(size["width"], size["height"]) >= FINGER
        window.press(after)
        expect(window.page.locator(f'[data-reading="{card}"]')).to_be_visible()
    window.press(window.page.locator("[data-card-before]"))
    expect(window.page.locator(f'[data-reading="{laid[-1]}"]')).to_be_visible()


def rest_on(window: TablePage, what: str) -> None:
    with dragged(window, what) as pointer:
        pointer.let_go()
    expect(window.page.locator(POP)).to_be_visible()
    window.page.keyboard.press("Escape")
    expect(window.page.locator(POP)).to_have_count(0)


@pytest.mark.parametrize("like", [PHONE, DESK], ids=["taps", "clicks"])
def test_four_prophecies_in_at_most_five_presses(
    windows: Windows, folder: Path, like: Json
) -> None:
    """On a phone the first one opens the tab of the cards; then each is pressed twice at once."""
    window = windows.sit_at(BARE.prepare(folder, "bare-table"), 0, **like)
    window.wait(lambda: window.turn, "my turn")
    window.come_to_rest()
    presses = 0
    if window.touch:
        window.press(window.page.locator("[data-tab=prophecies]"))
        presses += 1
    for _ in range(PROPHECIES):
        version = window.version
        press_twice(window, window.page.locator("[data-card]:visible").first)
        presses += 1
        window.wait(lambda: window.version > version, "a card of the row in the hand")  # noqa: B023
        window.come_to_rest()
    assert window.turn is not None
    assert window.turn["view"]["seats"][0]["hand_size"] == PROPHECIES
    assert presses <= MOST_PRESSES


def press_twice(window: TablePage, card: Locator) -> None:
    at = centre(card)
    if window.touch:
        window.page.touchscreen.tap(*at)
        window.page.touchscreen.tap(*at)
    else:
        window.page.mouse.dblclick(*at)
