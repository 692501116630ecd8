"""My games: what stays of a finished game in the browser, and how it moves to another."""

from __future__ import annotations

import json
from pathlib import Path

from playwright.sync_api import Page, expect

from tests.browser.marks import whole_games
from tests.browser.prepared import Prepared, prepare
from tests.browser.table import assert_fits, expect_end
from tests.browser.windows import PHONE, Windows

pytestmark = whole_games
GAMES, BEST, OPPONENT = "[data-games='{}']", "[data-best='{}']", "[data-opponent={}]"


def test_a_result_is_kept_exported_deleted_and_brought_in(windows: Windows, folder: Path) -> None:
    """From the end screen on; then another browser brings in the file, twice."""
    prepared = prepare(folder, "Ana", "bot:greedy", until=lambda _table: False, seed=51)
    window = windows.sit_at(prepared, 0)
    expect_end(window)
    window.page.locator("[data-my-games]").click()
    expect_the_game(window.page, prepared)
    file = export(window.page, folder)
    assert not any(token and token in file.read_text() for token in prepared.seats)
    window.page.locator("[data-delete]").click()
    window.page.locator("[data-delete-yes]").click()
    expect(window.page.locator(GAMES.format(0))).to_be_visible()
    window.page.reload()  # it is not read in again from its table
    expect(window.page.locator(GAMES.format(0))).to_be_visible()
    bring(window.page, file)
    expect_the_game(window.page, prepared)

    other = windows.open("/#/games", **PHONE)
    expect(other.page.locator(GAMES.format(0))).to_be_visible()
    wrong = folder / "wrong.json"
    wrong.write_text("{}")
    bring(other.page, wrong)
    expect(other.page.locator("[data-told][role=alert]")).not_to_be_empty()
    for _ in range(2):
        bring(other.page, file)
        expect_the_game(other.page, prepared)
    assert_fits(other.page)


def test_a_game_that_ended_unseen_is_found(windows: Windows, folder: Path) -> None:
    """Its result outlives its table in the browser, as the question whether to forget it says."""
    prepared = prepare(folder, "Ana", "bot:greedy", until=lambda _table: False, seed=52)
    window = windows.open("/", prepared.held(0))
    window.page.locator(".finished summary").click()
    window.page.locator("[data-forget-all]").click()
    expect(window.page.locator(".finished")).to_contain_text("My games")
    window.page.locator("[data-forget-all-yes]").click()
    expect(window.page.locator(".finished")).to_have_count(0)
    window.page.locator("[data-way=games]").click()
    expect_the_game(window.page, prepared)


def test_a_browser_that_stores_nothing_says_so(windows: Windows) -> None:
    window = windows.open("/#/games", forgetful=True)
    expect(window.page.locator("[data-not-kept=blocked]")).to_be_visible()
    expect(window.page.locator(GAMES.format(0))).to_be_visible()


def expect_the_game(page: Page, prepared: Prepared) -> None:
    """One game, as the server counts it: its result, the best Cóatl, and a strength."""
    rank = next(rank for rank in prepared.table.standing() if rank.place == 0)
    expect(page.locator(GAMES.format(1))).to_be_visible()
    result = "won" if rank.rank == 1 else "lost"
    expect(page.locator(f"[data-last-games] [data-result={result}]")).to_have_count(1)
    expect(page.locator("[data-last-games]")).to_contain_text(str(rank.points))
    expect(page.locator(BEST.format(rank.best_coatl))).to_be_visible()
    expect(page.locator(OPPONENT.format("greedy"))).to_have_count(1)
    expect(page.locator("[data-strength] [role=img]")).to_be_visible()
    shown = int(page.locator("[data-strength]").get_attribute("data-strength") or 0)
    assert (shown > 1000) == (rank.rank == 1)  # greedy's rating


def export(page: Page, folder: Path) -> Path:
    with page.expect_download() as download:
        page.locator("[data-export]").click()
    file = folder / download.value.suggested_filename
    download.value.save_as(file)
    found = json.loads(file.read_text())
    assert (found["format"], found["version"], len(found["games"])) == ("coatl-games", 1, 1)
    return file


def bring(page: Page, file: Path) -> None:
    page.locator("[data-import]").set_input_files(file)
