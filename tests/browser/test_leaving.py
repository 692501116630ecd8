"""Leaving the table: to another device, or a bot plays until I take over again, or for good."""

from __future__ import annotations

from json import dumps
from pathlib import Path

from playwright.sync_api import expect

from coatl.table.entries import Decided
from tests.browser.marks import in_a_browser
from tests.browser.prepared import in_turn, prepare
from tests.browser.table import TablePage
from tests.browser.windows import Windows

pytestmark = in_a_browser
MENU = ".lintel button[aria-expanded]:not([data-hint-button])"
TAKE_OVER = "[data-take-over]"
GIVE_UP = "dialog[data-give-up]"


def test_taking_over_gives_what_is_shown(windows: Windows, folder: Path) -> None:
    """The bot of the person makes no move before the last one was told on the screen."""
    prepared = prepare(folder, "Ana", "bot:random", until=in_turn(5), seed=31)
    ana = windows.sit_at(prepared, 0, pace="fast")
    ana.wait(lambda: ana.turn, "my turn")
    first = ana.version
    ana.page.locator(MENU).click()
    ana.page.get_by_text("Let a bot play for me").click()
    expect(ana.page.locator(TAKE_OVER)).to_be_visible()
    expect(ana.page.locator(".prompt")).to_contain_text("plays for you")
    assert ana.page.locator("[data-move]:visible").count() == 0
    ana.wait(lambda: ana.version > first + 8, "the bot plays")
    shown = shown_version(ana)
    ana.page.locator(TAKE_OVER).click()
    ana.wait(lambda: ana.state["places"][0].get("bot") is None, "my seat")
    entries = windows.server.read_log(prepared.id)[shown:]
    played = [entry for entry in entries if isinstance(entry, Decided) and entry.place == 0]
    assert len(played) <= 1  # what was on its way when the screen was read
    ana.play_one()
    expect(ana.page.locator(TAKE_OVER)).to_have_count(0)


def shown_version(window: TablePage) -> int:
    return int(window.page.locator("main[data-version]").get_attribute("data-version") or 0)


def test_giving_up(windows: Windows, folder: Path) -> None:
    """It is asked about; a double click does not do it; afterwards everybody sees it."""
    prepared = prepare(folder, "Ana", "Ben", until=in_turn(5), seed=32)
    ana, ben = windows.sit_at(prepared, 0), windows.sit_at(prepared, 1)
    ana.wait(lambda: ana.turn, "my turn")
    ana.page.locator(MENU).click()
    ana.page.locator("[data-give-up-ask]").dblclick()
    expect(ana.page.locator(GIVE_UP)).to_be_visible()
    ana.page.keyboard.press("Escape")
    expect(ana.page.locator(GIVE_UP)).to_have_count(0)
    ana.page.locator(MENU).click()
    ana.page.locator("[data-give-up-ask]").click()
    ana.page.keyboard.press("Enter")  # the focus is on the way back
    expect(ana.page.locator(GIVE_UP)).to_have_count(0)
    ana.page.locator(MENU).click()
    ana.page.locator("[data-give-up-ask]").click()
    ana.page.locator("[data-give-up-yes]").click()
    expect(ana.page.locator(".prompt")).to_contain_text("You gave up")
    assert ana.page.locator(TAKE_OVER).count() == 0
    expect(ben.page.locator("[data-seat='0'] .sub")).to_contain_text("gave up")
    expect(ben.page.locator(".log-box .ev-note")).to_have_text("Ana gives up; a bot plays on")
    notes = [note["kind"] for note in ben.state["notes"]]
    assert notes == ["give_up"]
    ana.page.locator(MENU).click()
    assert ana.page.locator("[data-give-up-ask]").count() == 0
    ben.come_to_rest()
    windows.announced[ben].check(place=1)


def test_coming_and_going_is_announced(windows: Windows, folder: Path) -> None:
    """And that a bot plays meanwhile, each once; a person for whom a bot plays may come and go."""
    prepared = prepare(folder, "Ana", "Ben", until=in_turn(6, place=1), seed=34)
    ana = windows.sit_at(prepared, 0)
    ana.wait(lambda: ana.states, "the table")
    told = windows.announced[ana]
    ben = windows.sit_at(prepared, 1)
    ana.wait(lambda: "Ben is here now." in told.texts(), "that Ben came")
    ben.page.goto(windows.server.url)
    ana.wait(lambda: "Ben has left, but may come back." in told.texts(), "that Ben left")
    ben.page.go_back()
    ana.wait(lambda: told.texts().count("Ben is here now.") == 2, "that Ben came back")
    ben.page.locator(MENU).click()
    ben.page.get_by_text("Let a bot play for me").click()
    ana.wait(lambda: "Ben lets a bot play" in told.texts(), "that a bot plays")
    ben.page.locator(TAKE_OVER).click()
    ana.wait(lambda: "Ben takes over again" in told.texts(), "that Ben plays again")
    ana.come_to_rest()
    told.check()


def test_going_on_at_another_device(windows: Windows, folder: Path) -> None:
    """The link holds the seat there, with what the check of fair draws needs."""
    prepared = prepare(folder, "Ana", "Ben", until=in_turn(5), seed=33)
    desk = windows.sit_at(prepared, 0)
    desk.wait(lambda: desk.turn, "my turn")
    desk.page.locator(MENU).click()
    desk.page.locator("[data-carry]").click()
    expect(desk.page.locator("dialog svg path[d^=M]").last).to_be_visible()
    link = desk.page.locator("[data-carry-link]").input_value()
    phone = windows.open(link.removeprefix(windows.server.url))
    phone.wait(lambda: phone.turn, "my turn on the other device")
    assert "seat" not in phone.page.url  # the token is no longer in the address
    (held,) = phone.page.evaluate("JSON.parse(localStorage.getItem('coatl.seats'))")
    (before,) = prepared.held(0)
    wanted = ("table", "token", "role", "nonce", "promise")
    assert [held[key] for key in wanted] == [before[key] for key in wanted]
    phone.play_one()
    desk.wait(lambda: desk.version == phone.version, "the move of the other device")


def test_the_owner_frees_a_place_that_somebody_took(windows: Windows) -> None:
    """Then it is for whoever comes next by the same link; who had it has no seat any more."""
    host = windows.open()
    opened = windows.server.open_table("person", "open", "open")
    table, token = opened["table"], opened["seats"][0]
    held = {"table": table, "token": token, "role": "seat", "nonce": "0" * 64, "at": 0}
    kept = {"coatl.seats": [held], "coatl.opened": [{**opened, "links": []}]}
    for key, value in kept.items():
        host.page.evaluate("([key, text]) => localStorage.setItem(key, text)", [key, dumps(value)])
    host.page.goto(f"{windows.server.url}/#/table/{table}")
    host.page.reload()
    link = f"/#/invite/{table}/{opened['invite']}"
    guest = windows.come_by_link(link, "Ben")
    waiting = host.page.locator("[data-waiting] li")
    expect(waiting.filter(has_text="Ben")).to_be_visible()
    host.page.locator("[data-free]").click()
    expect(waiting.filter(has_text="Ben")).to_have_count(0)
    expect(guest.page.locator("main.notice h1")).to_have_text("You have no seat here")
    windows.come_by_link(link, "Cleo")
    expect(waiting.filter(has_text="Cleo")).to_be_visible()
