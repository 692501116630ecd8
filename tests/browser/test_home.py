"""The first screen and what is one press further: what is in sight, and how games begin there."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.home import READY, HomePage
from tests.browser.marks import in_a_browser
from tests.browser.prepared import in_turn, prepare
from tests.browser.table import TablePage, assert_fits
from tests.browser.windows import PHONE, Json, Windows
from tools.screenshots.games import against_bots, keep

pytestmark = in_a_browser
SIZES = ((1440, 900), (1920, 1080), (1280, 800), (820, 1180))
PHONES = ((390, 844), (360, 740))
LANGUAGES = ("fr", "de", "en")
FIRST = ("[data-continue] a", READY, "[data-learn]", "[data-rules]")
MESSAGES = Path(__file__).parents[2] / "web" / "messages"
# Do the two boxes of these elements share a point? The text of the first, not its box.
OVERLAP = """([text, drawing]) => {
  const range = document.createRange();
  range.selectNodeContents(document.querySelector(text));
  const drawn = [...document.querySelectorAll(drawing)].map((one) => one.getBoundingClientRect());
  return [...range.getClientRects()].some((a) => drawn.some((b) =>
    a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom));
}"""
SUN = ".hills circle, .hero .pc"
SEATS = "JSON.parse(localStorage.getItem('coatl.seats'))"


def words(language: str) -> dict[str, str]:
    return dict(json.loads((MESSAGES / f"{language}.json").read_text(encoding="utf-8")))


@pytest.mark.parametrize("sizes", [SIZES, PHONES], ids=["desk", "phone"])
def test_what_matters_is_above_the_fold(
    windows: Windows, folder: Path, sizes: tuple[tuple[int, int], ...]
) -> None:
    """A table that waits, to play, to learn, the rules; and no word lies on the drawing."""
    prepared = prepare(folder, "Ana", "Ben", until=in_turn(9), seed=91)
    like: Json = PHONE if sizes is PHONES else {}
    page = windows.open(held=prepared.held(0), **like).page
    for language in LANGUAGES:
        HomePage(page).choose_language(language)
        expect(page.locator("[data-what-it-is]")).to_have_text(words(language)["tagline"])
        for width, height in sizes:
            page.set_viewport_size({"width": width, "height": height})
            for what in FIRST:
                expect(page.locator(what).first).to_be_in_viewport(ratio=1)
            assert_fits(page)
            overlaps = page.evaluate(OVERLAP, ["[data-what-it-is]", SUN])
            assert not overlaps, (language, width, height)


def table_of(window: TablePage) -> Json:
    """When the game has begun there."""
    window.wait(lambda: window.turn, "my turn")
    assert window.state is not None
    return window.state


def test_one_press_plays_and_the_next_step_is_suggested(windows: Windows) -> None:
    """The base game against the first of the ladder, and after two wins against the second."""
    window, home = windows.at_home()
    expect(window.page.locator("[data-play-card] h2")).to_have_text("Novice")
    home.play()
    state = table_of(window)
    assert [place.get("bot") for place in state["places"]] == [None, "novice"]
    assert state["view"]["options"] == []
    window.page.goto(windows.server.url + "/#/")
    keep(against_bots(0, "nNaN"), window)
    expect(window.page.locator("[data-play-card] h2")).to_have_text("Apprentice")
    window.page.locator("[data-change]").click()
    expect(window.page.locator("[data-opponent-face=novice]")).to_contain_text("You won 2 of 3")
    expect(window.page.locator("[data-opponent-face=priest]")).to_contain_text("Not met yet")
    suggested = window.page.locator("[data-opponent-face]").filter(has_text="suggested for you")
    expect(suggested).to_have_attribute("data-opponent-face", "apprentice")


def test_opponents_take_seats_and_are_remembered(windows: Windows) -> None:
    """With the options that were chosen; who is taken away does not play."""
    window, home = windows.at_home()
    page = window.page
    home.choose_opponents("random", "novice", "novice")
    expect(page.locator("[data-opponent-face=novice]")).to_have_attribute("aria-pressed", "true")
    page.locator("[data-table-seat='2']").click()
    page.locator("[data-remove-seat]").click()
    expect(page.locator("[data-table-seat]")).to_have_count(3)  # two, and an empty one
    page.locator("[data-change-options]").click()
    home.choose_option("tokens")
    page.reload()
    home.play()
    state = table_of(window)
    assert [place.get("bot") for place in state["places"]] == [None, "random", "novice"]
    assert state["view"]["options"] == ["tokens"]
    page.goto(windows.server.url + "/#/")
    card = page.locator("[data-play-card]")
    expect(card.locator("h2")).to_have_text("Random, Novice")
    expect(card).to_contain_text("Sacrifice tokens")
    HomePage(page).play()
    window.wait(lambda: len(page.evaluate(SEATS)) == 2, "another table")


def test_opponents_by_keys(windows: Windows) -> None:
    """Each screen is read from its heading on; the arrows look, Enter chooses."""
    window, _home = windows.at_home()
    page = window.page
    page.locator("[data-change]").press("Enter")
    expect(page.get_by_role("heading", level=1, name="Five steps")).to_be_focused()
    first = page.locator("[data-opponent-face=novice]")
    first.focus()
    first.press("ArrowRight")
    artisan = page.locator("[data-opponent-face=artisan]")
    page.locator("[data-opponent-face=apprentice]").press("ArrowRight")
    expect(artisan).to_be_focused()
    expect(first).to_have_attribute("aria-pressed", "true")
    artisan.press("Enter")
    expect(artisan).to_have_attribute("aria-pressed", "true")
    expect(first).to_have_attribute("aria-pressed", "false")
    page.locator("header .mark").press("Enter")
    expect(page.get_by_role("heading", level=1, name="Cóatl")).to_be_focused()
    page.locator("[data-way=solo]").press("Enter")
    expect(page.get_by_role("heading", level=1, name="Solo against A.D.A.M.")).to_be_focused()


def test_a_solo_game_says_that_it_ends_at_once(windows: Windows) -> None:
    """Where it is begun (R18), in every language."""
    window, home = windows.at_home(**PHONE)
    for language in LANGUAGES:
        window.page.goto(f"{windows.server.url}/#/")
        home.choose_language(language)
        home.choose_solo(2)
        expect(window.page.locator("[data-new-game]")).to_contain_text(words(language)["solo_ends"])
        expect(window.page.locator("[data-new-game] [data-rule-link=R18]")).to_be_visible()
    home.open_table()
    assert table_of(window)["view"]["levels"] == [2]


def test_the_form_begins_as_its_tile_says(windows: Windows) -> None:
    """And it stays as it was left when the page is loaded anew."""
    window, home = windows.at_home()
    page = window.page
    for way, who in {"friends": "link", "device": "here"}.items():
        home.begin(way)
        chosen = page.locator(f"[data-seat-row='1'] [data-who={who}]")
        expect(chosen).to_have_attribute("aria-pressed", "true")
        home.choose_option("promo")
        page.reload()
        expect(page.locator("[data-option=promo]")).to_be_checked()
        page.go_back()


def test_a_link_can_be_pasted(windows: Windows) -> None:
    host, home = windows.at_home()
    home.sit("you", "link", names=("Ana",))
    home.open_table()
    link = host.page.locator("[data-share] input").first.input_value()
    guest, _home = windows.at_home(**PHONE)
    paste(guest.page, "nothing")
    expect(guest.page.get_by_role("alert")).to_be_visible()
    paste(guest.page, link)
    expect(guest.page.locator("[data-guest-name]")).to_be_visible()


def paste(page: Page, text: str) -> None:
    page.locator("#join").fill(text)
    page.locator("#join").press("Enter")
