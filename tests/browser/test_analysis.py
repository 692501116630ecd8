"""An analysis on the page: from the end of a game to the replay, and on from there; of a file."""

from __future__ import annotations

import json
from pathlib import Path

from playwright.sync_api import expect

from coatl.table import Practice
from tests.analysis.games import LAST_CHANCE, missed_win
from tests.browser.marks import whole_games
from tests.browser.prepared import prepare
from tests.browser.scenes import window_of
from tests.browser.table import TablePage, assert_fits, expect_end
from tests.browser.windows import PHONE, Windows
from tools.screenshots.checks import check_window

pytestmark = whole_games
AT_LOWEST_PRIORITY = 300_000  # ms; on a busy machine an analysis waits for everybody else


def analyse(window: TablePage) -> None:
    page = window.page
    page.locator("[data-depth=quick]").click()
    page.locator("[data-analyse]").click()
    expect(page.locator("[data-summary=quick]")).to_be_visible(timeout=AT_LOWEST_PRIORITY)


def test_from_the_end_to_the_replay_and_on(windows: Windows, folder: Path) -> None:
    practice = Practice(LAST_CHANCE)
    game = prepare(folder, "bot:greedy", "Ana", until=lambda _table: False, practice=practice)
    window = windows.sit_at(game, 1)
    page = window.page
    expect_end(window)
    analyse(window)
    expect(page.locator("[data-grade]")).to_have_count(1)
    expect(page.locator("[data-grade]")).to_contain_text("You")
    expect(page.locator("[data-end-analysis] [data-chances]")).to_have_count(2)
    page.locator("[data-end-analysis] a[href^='#/replay']").click()
    expect(page.locator("[data-chances]")).to_have_count(2)  # it is there already
    page.keyboard.press("Home")
    page.locator("[data-curve=points]").click()
    expect(page.locator("[data-chances]")).to_have_count(0)
    page.locator("[data-play-on]").click()
    window.wait(lambda: window.turn, "my turn at a table to practise at")
    state = window.state
    assert (state["practice"], state["hints"], state["seat"]) == (True, True, 1)


def test_a_file_on_a_phone(windows: Windows, tmp_path: Path) -> None:
    """With the better move, a turning point by its key, and files to share."""
    window = windows.open("/#/replay", **PHONE)
    page = window.page
    file = tmp_path / "evening.coatl"
    file.write_text(missed_win(), encoding="utf-8")
    page.locator("input[type=file]").set_input_files(file)
    analyse(window)
    page.keyboard.press("Home")
    page.keyboard.press("1")
    expect(page.locator("[data-turning].on")).to_be_visible()
    expect(page.locator("[data-better]")).to_contain_text("Cóatl 1")
    assert_fits(page)
    assert check_window(window, window_of(390)) == []
    with page.expect_download() as download:
        page.locator("[data-json]").click()
    assert json.loads(download.value.path().read_text())["turns"][0]["better"]["line"][0] == "1+G>"
    with page.expect_download() as download:
        page.locator("[data-picture]").click()
    assert download.value.suggested_filename.endswith(".png")
    assert download.value.path().read_bytes().startswith(b"\x89PNG")
