"""Being told that it is one's turn: on the tab, by a notification, in the list of tables."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Locator, Page, expect

from tests.browser.marks import whole_games
from tests.browser.prepared import Prepared, in_turn, prepare
from tests.browser.table import PATIENCE, TablePage
from tests.browser.windows import Windows

pytestmark = whole_games
ALLOWED = {"permissions": ["notifications"]}
SHOW_PAGE = """(isShown) => {
  Object.defineProperty(document, "hidden", { configurable: true, get: () => !isShown });
  document.dispatchEvent(new Event("visibilitychange", { bubbles: true }));
}"""  # windows without a screen are never hidden
NOTE_NOTICES = """
  window.notices = [];
  const Browsers = window.Notification;
  window.Notification = class extends Browsers {
    constructor(title, options) {
      super(title, options);
      notices.push([title, options.body, options.tag]);
    }
  };
"""
# The worker's notifications, kept here: Chromium without a screen loses some that are asked for
# (`getNotifications`) while they are being shown.
KEEP_WORKERS_NOTICES = """() => {
  window.shown = [];
  ServiceWorkerRegistration.prototype.showNotification = async function (title, { tag }) {
    if (!this.active) throw new TypeError("no active worker");
    shown = [...shown.filter((notice) => notice.tag !== tag), { tag }];
  };
  ServiceWorkerRegistration.prototype.getNotifications = async ({ tag }) =>
    shown.filter((notice) => notice.tag === tag).map((notice) => ({
      close: () => { shown = shown.filter((other) => other !== notice); },
    }));
}"""
SHOWN_NOTICES = "shown.map(({ tag }) => tag)"
NOT_ASKED_YET = """
  window.answers = 0;
  Object.defineProperty(Notification, "permission", { get: () => "default" });
  Notification.requestPermission = async () => { answers += 1; return "granted"; };
"""


def icon_of(page: Page) -> Locator:
    return page.locator("link[rel=icon]")


def bens_turn(folder: Path, seed: int) -> Prepared:
    return prepare(folder, "Ana", "Ben", until=in_turn(5, place=1), seed=seed)


def play_to_turn_of(other: TablePage, mine: TablePage) -> None:
    """Ben plays until it is Ana's turn."""
    while not mine.turn:
        other.wait(lambda: other.turn or mine.turn, "a turn")
        if other.turn:
            other.play_one()


def test_a_page_out_of_sight_calls(windows: Windows, folder: Path) -> None:
    prepared = bens_turn(folder, 71)
    mine, other = windows.sit_at(prepared, 0, **ALLOWED), windows.sit_at(prepared, 1)
    page = mine.page
    page.add_init_script(NOTE_NOTICES)
    page.reload()
    mine.wait(lambda: mine.state, "the table")
    page.locator("[data-settings]").click()
    page.locator("[data-option=notify]").click(force=True)
    expect(page.locator("[data-option=notify]")).to_be_checked()
    page.keyboard.press("Escape")
    page.evaluate(SHOW_PAGE, False)
    expect(icon_of(page)).to_have_attribute("href", "/icon.svg")
    play_to_turn_of(other, mine)
    expect(icon_of(page)).to_have_attribute("href", "/icon-turn.svg")
    mine.wait(lambda: page.evaluate("notices.length"), "the notification")
    assert page.evaluate("notices") == [["Your turn.", "With Ben", prepared.id]]
    page.evaluate(SHOW_PAGE, True)
    expect(icon_of(page)).to_have_attribute("href", "/icon.svg")


def test_the_worker_calls_where_there_is_one(windows: Windows, folder: Path) -> None:
    """On phones there is no other way. Who looks at the table again needs no notification."""
    prepared = bens_turn(folder, 75)
    mine = windows.sit_at(prepared, 0, worker=True, **ALLOWED)
    other = windows.sit_at(prepared, 1)
    page = mine.page
    mine.wait(lambda: mine.state, "the table")
    page.evaluate("navigator.serviceWorker.ready.then(() => undefined)")
    page.evaluate(KEEP_WORKERS_NOTICES)
    page.locator("[data-settings]").click()
    page.locator("[data-option=notify]").click(force=True)
    expect(page.locator("[data-option=notify]")).to_be_checked()
    page.keyboard.press("Escape")
    page.evaluate(SHOW_PAGE, False)
    play_to_turn_of(other, mine)
    mine.wait(lambda: page.evaluate(SHOWN_NOTICES) == [prepared.id], "the notification")
    page.evaluate(SHOW_PAGE, True)
    mine.wait(lambda: page.evaluate(SHOWN_NOTICES) == [], "its end")


def test_nobody_is_called_who_looks_or_does_not_want_it(windows: Windows, folder: Path) -> None:
    prepared = bens_turn(folder, 72)
    mine, other = windows.sit_at(prepared, 0, **ALLOWED), windows.sit_at(prepared, 1)
    mine.page.add_init_script(NOTE_NOTICES)
    mine.page.reload()
    mine.wait(lambda: mine.state, "the table")
    mine.page.evaluate(SHOW_PAGE, False)
    play_to_turn_of(other, mine)
    expect(icon_of(mine.page)).to_have_attribute("href", "/icon-turn.svg")
    assert mine.page.evaluate("notices") == []


def test_it_is_offered_once(windows: Windows) -> None:
    """Where people wait for each other; the answer is kept."""
    window, home = windows.at_home()
    window.page.add_init_script(NOT_ASKED_YET)
    window.page.reload()
    home.sit("you", "link", names=("Ana",))
    home.open_table()
    offer = window.page.locator("[data-notice-offer]")
    expect(offer).to_be_visible()
    assert window.page.evaluate("answers") == 0
    window.page.locator("[data-notice-no]").click()
    expect(offer).to_have_count(0)
    window.page.reload()
    expect(window.page.locator("[data-waiting]")).to_be_visible()
    expect(offer).to_have_count(0)
    assert window.page.evaluate("answers") == 0


def test_my_tables_look_after_themselves(windows: Windows, folder: Path) -> None:
    """A table where it has become my turn says so, and comes first."""
    waits = prepare(folder, "Ana", "Cleo", until=in_turn(5, place=1), seed=73)
    turns = bens_turn(folder, 74)
    window = windows.open(held=[*waits.held(0), *turns.held(0)])
    page = window.page
    expect(page.locator(".table-link")).to_have_count(2)
    expect(page.locator(".table-link.mine")).to_have_count(0)
    other = windows.sit_at(turns, 1)
    other.wait(lambda: other.turn, "Ben's turn")
    while other.turn:
        other.play_one()
        other.come_to_rest()
    urgent = page.locator(f"[data-continue] [data-table={turns.id}].mine")
    expect(urgent).to_be_visible(timeout=PATIENCE * 1000)
    expect(page.locator(".table-link").first).to_have_attribute("data-table", turns.id)
    expect(page.get_by_role("status").filter(has_text="1 table waits for you")).to_have_count(1)
