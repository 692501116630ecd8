"""Looking at a finished game again, step by step."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Locator, expect

from tests.browser.marks import whole_games
from tests.browser.prepared import prepare
from tests.browser.stops import MOST_STOPS, count_stops
from tests.browser.table import TablePage, expect_end
from tests.browser.windows import Windows

pytestmark = whole_games
REPLAY = "[data-replay]"


def step_of(window: TablePage) -> int:
    return int(window.page.locator(REPLAY).get_attribute("data-step") or -1)


def test_a_finished_game_is_replayed(windows: Windows, folder: Path) -> None:
    """From the end screen, where the chance is checked first: by keys, on the timeline, by itself,
    from a seat's view and all open.
    """
    prepared = prepare(folder, "Ana", "Ben", until=lambda _table: False, seed=41)
    window = windows.sit_at(prepared, 0)
    expect_end(window)
    window.page.locator("[data-fair]").click()
    expect(window.page.locator("[data-fairness=fair]")).to_be_visible()
    assert count_stops(window.page) > 5
    window.page.locator("a[href^='#/replay']").first.click()
    replay = window.page.locator(REPLAY)
    expect(replay).to_be_visible()
    keys(window, replay)
    scrub(window, replay)
    views(window)
    play(window)
    groups(window, replay)


def groups(window: TablePage, replay: Locator) -> None:
    """One stop of Tab each. Who came there by key has the arrows inside, else they go by steps."""
    press(window, replay, "End", int(replay.get_attribute("data-steps") or 0))
    expect(window.page.locator("[data-lanes-of] [data-name]").first).to_be_visible()
    assert count_stops(window.page) > 8
    play_button = window.page.locator("[data-play]")
    press(window, replay, "Home", 0)
    window.page.locator("[data-go=on]").click()
    press(window, replay, "ArrowRight", 2)
    tab_to(window, "[data-go=on]")
    window.page.keyboard.press("ArrowLeft")
    expect(play_button).to_be_focused()
    expect(replay).to_have_attribute("data-step", "2")
    tab_to(window, "[data-speed][aria-checked=true]")
    window.page.keyboard.press("ArrowRight")
    expect(window.page.locator("[data-speed][aria-checked=true]")).to_be_focused()
    expect(replay).to_have_attribute("data-step", "2")


def tab_to(window: TablePage, what: str) -> None:
    for _ in range(MOST_STOPS):
        window.page.keyboard.press("Tab")
        if window.page.evaluate("(what) => document.activeElement.matches(what)", what):
            return
    raise AssertionError(f"Tab never stops at {what}")


def keys(window: TablePage, replay: Locator) -> None:
    steps = int(replay.get_attribute("data-steps") or 0)
    assert steps > 50  # nobody can be done with fewer decisions
    press(window, replay, "Home", 0)
    press(window, replay, "ArrowRight", 1)
    press(window, replay, "ArrowLeft", 0)
    press(window, replay, "End", steps)
    press(window, replay, "ArrowRight", steps)
    press(window, replay, "Home", 0)
    setup, first = press_on(window, "ArrowDown"), press_on(window, "PageDown")
    assert 1 < setup < first < steps  # by turns: several decisions of the setup, then a turn
    press(window, replay, "ArrowUp", setup)
    press(window, replay, "PageUp", 0)


def press(window: TablePage, replay: Locator, key: str, step: int) -> None:
    window.page.keyboard.press(key)
    expect(replay).to_have_attribute("data-step", str(step))


def press_on(window: TablePage, key: str) -> int:
    """The step that a key leads on to."""
    before = step_of(window)
    window.page.keyboard.press(key)
    window.wait(lambda: step_of(window) > before, f"going on by {key}")
    return step_of(window)


def scrub(window: TablePage, replay: Locator) -> None:
    """The playhead is dragged along the timeline."""
    steps = int(replay.get_attribute("data-steps") or 0)
    bar = window.page.locator("[data-bar]").nth(steps // 4).bounding_box()
    assert bar is not None
    box = window.page.locator("[data-scrub]").first.bounding_box()
    assert box is not None
    mouse, y = window.page.mouse, box["y"] + box["height"] / 2
    mouse.move(bar["x"] + bar["width"] / 2, y)
    mouse.down()
    expect(replay).to_have_attribute("data-step", str(steps // 4 + 1))
    mouse.move(box["x"] + box["width"] + 20, y, steps=4)  # past its end
    expect(replay).to_have_attribute("data-step", str(steps))
    mouse.up()
    mouse.move(box["x"], y)
    window.page.keyboard.press("Home")
    expect(replay).to_have_attribute("data-step", "0")


def views(window: TablePage) -> None:
    for seat in ("all", "0", "1"):
        button = window.page.locator(f"[data-view='{seat}']")
        button.click()
        expect(button).to_have_attribute("aria-checked", "true")


def play(window: TablePage) -> None:
    """Started by the button, stopped by the space bar, and the other way round."""
    button = window.page.locator("[data-play]")
    before = step_of(window)
    button.click()
    window.wait(lambda: step_of(window) > before, "the replay going on by itself")
    button.blur()  # the space bar would press it
    window.page.keyboard.press("Space")
    expect(button).to_have_attribute("aria-pressed", "false")
    window.page.keyboard.press("Space")
    expect(button).to_have_attribute("aria-pressed", "true")
    button.click()
    expect(button).to_have_attribute("aria-pressed", "false")
