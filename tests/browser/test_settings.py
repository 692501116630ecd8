"""Settings: from every screen, at once, in every language, and without moving the table."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.home import READY
from tests.browser.marks import whole_games
from tests.browser.prepared import in_turn, prepare
from tests.browser.stillness import assert_stayed_put
from tests.browser.table import TablePage, assert_fits
from tests.browser.test_languages import read
from tests.browser.windows import DESK, PHONE, Json, Windows

pytestmark = whole_games
LANGUAGES = ("fr", "de", "en")
COUNT_SOUNDS = """
  window.sounds = 0;
  for (const node of [OscillatorNode, AudioBufferSourceNode]) {
    const start = node.prototype.start;
    node.prototype.start = function (...all) { sounds += 1; return start.apply(this, all); };
  }
"""


def sheet_of(page: Page) -> Locator:
    return page.locator("dialog[open]:has([data-settings-sheet])")


def open_settings(page: Page) -> Locator:
    page.locator("[data-settings]").click()
    expect(sheet_of(page)).to_be_visible()
    return sheet_of(page)


def close(page: Page) -> None:
    page.keyboard.press("Escape")
    expect(sheet_of(page)).to_have_count(0)


def choose(page: Page, name: str, value: str) -> None:
    button = page.locator(f"[data-setting={name}] [data-value={value}]")
    button.click()
    expect(button).to_have_attribute("aria-checked", "true")


def choose_language(page: Page, language: str) -> None:
    """In the sheet, which is there again in that language."""
    page.locator("[data-setting=language]").select_option(language)
    expect(page.locator(f"html[lang={language}]")).to_be_attached()
    expect(sheet_of(page)).to_be_visible()


def switch(page: Page, name: str) -> None:
    page.locator(f"[data-settings-sheet] [data-option={name}]").click(force=True)


@pytest.mark.parametrize(("like", "first"), [(PHONE, 0), (DESK, 1)], ids=["phone", "desk"])
def test_from_every_screen(windows: Windows, folder: Path, like: Json, first: int) -> None:
    """The gear opens one dialog; Escape closes it, and the gear has the focus again.

    Every other screen on a phone, the others on a desk.
    """
    playing = prepare(folder, "Ana", "Ben", until=in_turn(5), seed=61, id="table-playing")
    over = prepare(folder, "Ana", until=lambda _: False, seed=62, id="table-finished", levels=(1,))
    window = windows.open(held=[*playing.held(0), *over.held(0)], **like)
    places = [{"kind": "person"}, {"kind": "open"}]
    _, invited = windows.server.request("POST", "/api/tables", {"places": places})
    page = window.page
    screens = {
        "": READY,
        "#/opponents": "[data-at-table]",
        "#/new/solo": "[data-open]",
        "#/replay": "main.notice",
        "#/table/nobodyknows": "main.notice",
        f"#/invite/{invited['table']}/{invited['invite']}": "[data-guest-name]",
        f"#/table/{playing.id}": "main.table",
        f"#/table/{over.id}": "[data-end]",
        f"#/replay/{over.id}": "[data-replay]",
    }
    for address, sign in [*screens.items()][first::2]:
        page.goto(windows.server.url + "/" + address)
        expect(page.locator(sign)).to_be_visible()
        open_settings(page)
        assert_fits(page)
        close(page)
        expect(page.locator("[data-settings]")).to_be_focused()


def test_in_the_waiting_room_and_at_the_curtain(windows: Windows, folder: Path) -> None:
    shared = prepare(folder, "Ana", "Ben", until=in_turn(5, place=1), seed=63)
    curtain = windows.sit_at(shared, 0, 1)
    expect(curtain.page.locator("[data-curtain]")).to_be_visible()
    open_settings(curtain.page)
    close(curtain.page)
    window, home = windows.at_home()
    home.sit("you", "link", names=("Ana",))
    home.open_table()
    expect(window.page.locator("[data-waiting]")).to_be_visible()
    open_settings(window.page)


def test_the_language_changes_at_once_and_nothing_moves(windows: Windows, folder: Path) -> None:
    """At the table: the sheet is there again in the other language, and the game goes on."""
    prepared = prepare(folder, "Ana", "Ben", until=in_turn(9), seed=64, tokens=True)
    window = windows.sit_at(prepared, 0, **DESK)
    page = window.page
    open_settings(page)
    for language in LANGUAGES:
        choose_language(page, language)
        expect(page.locator("main[data-version]")).to_be_attached()
        if language != "en":
            assert read(window, language) > 20
    close(page)
    expect(page.locator("[data-settings]")).to_be_focused()
    window.do(window.some_move())
    assert_stayed_put(page)


def test_all_controls_of_a_setting_tell_the_same(windows: Windows, folder: Path) -> None:
    """Those of the sheet, of the table and of the home page; and what was set stays set."""
    prepared = prepare(folder, "Ana", "Ben", until=in_turn(9), seed=64, tokens=True)
    window = windows.sit_at(prepared, 0, color_scheme="light", pace="normal", **DESK)
    page, html = window.page, window.page.locator("html")
    open_settings(page)
    choose(page, "speed", "fast")
    choose(page, "theme", "dark")
    expect(html).to_have_attribute("data-theme", "dark")
    choose(page, "motion", "on")  # the window asks for less of it
    expect(html).to_have_attribute("data-motion", "moving")
    switch(page, "notation")
    close(page)
    expect(page.locator("[data-notation]:visible")).to_have_attribute("aria-pressed", "true")
    page.locator("[data-notation]:visible").click()
    page.goto(windows.server.url + "/")
    page.locator("[data-theme-button]").click()
    open_settings(page)
    for name, value in {"speed": "fast", "theme": "light", "motion": "on"}.items():
        chosen = page.locator(f"[data-setting={name}] [data-value={value}]")
        expect(chosen).to_have_attribute("aria-checked", "true")
    expect(page.locator("[data-settings-sheet] [data-option=notation]")).not_to_be_checked()
    page.locator("[data-set-back]").click()
    page.emulate_media(color_scheme="dark")
    expect(html).to_have_attribute("data-theme", "dark")
    expect(html).to_have_attribute("data-motion", "still")


def test_large_cards(windows: Windows, folder: Path) -> None:
    """They are wider, all can be reached, and nothing moves, where there is least room for them."""
    prepared = prepare(folder, "Ana", "bot:greedy", until=in_turn(13), seed=65, tokens=True)
    window = windows.sit_at(prepared, 0, **PHONE)
    window.wait(lambda: window.turn, "my turn")
    normal = card_width(window)
    open_settings(window.page)
    choose(window.page, "cards", "large")
    close(window.page)
    assert card_width(window) > normal
    window.page.reload()  # from here on nothing moves
    window.wait(lambda: window.turn, "my turn")
    window.play(until=lambda state: state["view"]["turn"] >= 15)
    assert_fits(window.page)
    assert_stayed_put(window.page)


def card_width(window: TablePage) -> float:
    """Of an open card; a phone has them behind a tab."""
    window.page.locator("[data-tab=prophecies]").click()
    box = window.page.locator("[data-card]").first.bounding_box()
    assert box is not None
    return box["width"]


def test_sounds_are_off_until_they_are_switched_on(windows: Windows, folder: Path) -> None:
    prepared = prepare(folder, "Ana", "Ben", until=in_turn(9), seed=64, tokens=True)
    window = windows.sit_at(prepared, 0)
    window.page.add_init_script(COUNT_SOUNDS)
    window.page.reload()
    window.do(window.some_move())
    assert window.page.evaluate("sounds") == 0
    open_settings(window.page)
    switch(window.page, "sounds")
    window.wait(lambda: window.page.evaluate("sounds"), "a sound to know them by")


def test_the_end_of_a_turn_is_asked_about(windows: Windows, folder: Path) -> None:
    """Where that was set, and only while something is left to do."""
    prepared = prepare(folder, "Ana", "Ben", until=in_turn(9, phase="assemble"), seed=66)
    window = windows.sit_at(prepared, 0)
    window.wait(lambda: window.turn, "my turn")
    open_settings(window.page)
    switch(window.page, "confirmEnd")
    close(window.page)
    version = window.version
    window.page.locator(".main-place [data-move=done]").click()
    asked = window.page.locator(".turn-pop [data-move=done]")
    expect(asked).to_be_focused()
    assert window.version == version
    asked.click()
    window.wait(lambda: window.version > version, "the end of the turn")


def test_the_name_is_that_of_the_next_game(windows: Windows) -> None:
    window, home = windows.at_home()
    home.begin("friends")
    open_settings(window.page)
    field = window.page.locator("input[data-setting=name]")
    field.fill("Itzel")
    field.press("Tab")
    close(window.page)
    expect(window.page.locator("[data-seat-row='0'] input")).to_have_value("Itzel")
