"""The page comes up and plays: the one quick test with a browser."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.marks import compiled
from tests.browser.table import assert_fits
from tests.browser.windows import Windows

pytestmark = compiled


def test_a_table_is_opened_and_a_move_is_made(windows: Windows) -> None:
    window, home = windows.at_home(viewport={"width": 360, "height": 740})
    assert_fits(window.page)
    home.sit("you", "random")
    home.open_table()
    window.do(window.some_move())
    for width in (360, 768, 1440):
        window.page.set_viewport_size({"width": width, "height": 800})
        assert_fits(window.page)
    expect(window.page.locator("[data-space]:visible").first).to_be_attached()
    assert window.refused == []
