"""Looking at a finished game again, step by step."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Locator, expect

from tests.browser.marks import whole_games
from tests.browser.prepared import prepare
from tests.browser.table import TablePage, expect_end
from tests.browser.windows import Windows

pytestmark = whole_games
REPLAY = "[data-replay]"


def step_of(window: TablePage) -> int:
    return int(window.page.locator(REPLAY).get_attribute("data-step") or -1)


def test_a_finished_game_is_replayed(windows: Windows, folder: Path) -> None:
    """From the end screen: by keys, by buttons, by itself, from a seat's view and all open."""
    prepared = prepare(folder, "Ana", "Ben", until=lambda _table: False, seed=41)
    window = windows.sit_at(prepared, 0)
    expect_end(window)
    window.page.locator("a[href^='#/replay']").first.click()
    replay = window.page.locator(REPLAY)
    expect(replay).to_be_visible()
    keys(window, replay)
    views(window)
    window.page.locator("[data-play]").click()
    before = step_of(window)
    window.wait(lambda: step_of(window) > before, "the replay going on by itself")
    window.page.locator("[data-play]").click()


def keys(window: TablePage, replay: Locator) -> None:
    window.page.keyboard.press("Home")
    expect(replay).to_have_attribute("data-step", "0")
    window.page.keyboard.press("ArrowRight")
    expect(replay).to_have_attribute("data-step", "1")
    window.page.keyboard.press("ArrowLeft")
    expect(replay).to_have_attribute("data-step", "0")
    steps = int(replay.get_attribute("data-steps") or 0)
    assert steps > 50  # nobody can be done with fewer decisions
    window.page.keyboard.press("End")
    expect(replay).to_have_attribute("data-step", str(steps))
    window.page.keyboard.press("Home")


def views(window: TablePage) -> None:
    for seat in ("all", "0", "1"):
        button = window.page.locator(f"[data-view='{seat}']")
        button.click()
        expect(button).to_have_attribute("aria-pressed", "true")
