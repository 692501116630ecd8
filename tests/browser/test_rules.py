"""The rules and cards as pages, and over a table."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from coatl import rulebook
from coatl.card_examples import failing_example, prophecy_examples
from coatl.rulebook import Language
from coatl.rules.cards import Prophecy, Temple, standard_deck
from tests.browser.marks import in_a_browser
from tests.browser.prepared import in_turn, prepare
from tests.browser.scenes import show_scenes, window_of
from tests.browser.table import assert_fits
from tests.browser.test_settings import choose_language, close, open_settings
from tests.browser.windows import DESK, PHONE, TABLET, Json, Windows

pytestmark = in_a_browser

DECK = standard_deck()
CARDS: list[Prophecy | Temple] = [*DECK.prophecies, *DECK.temples]
SIZES = {"phone": PHONE, "tablet": TABLET, "desk": DESK}
IN_SIGHT = """(element) => {
  const box = element.getBoundingClientRect();
  const top = document.elementFromPoint(box.x + box.width / 2, box.y + 4);
  return box.top >= 0 && box.top < innerHeight && element.contains(top);
}"""
WORTHS = "(all) => all.map(({ dataset }) => [dataset.cardWorth, dataset.worth])"
CARD_LINKS = "(all) => all.map(({ dataset }) => dataset.cardLink)"
IS_TRIED = """() => {
  const { dataset } = document.querySelector("[data-try]");
  return dataset.try === dataset.tried;
}"""


def open_rules(windows: Windows, address: str = "", language: str = "en", **like: Any) -> Page:
    page = windows.open(f"/#/rules{address}", language=language, **like).page
    page.locator(f"main[data-rules={language}]").wait_for()
    return page


def expect_clause(page: Page, id: str) -> None:
    """It is marked, has the focus, and nothing lies over it."""
    clause = page.locator(f"#rule-{id}.marked")
    clause.wait_for()
    expect(clause).to_be_focused()
    page.wait_for_function(f"(id) => ({IN_SIGHT})(document.getElementById(id))", arg=f"rule-{id}")


# ---------------------------------------------------------------- the rules


@pytest.mark.parametrize(("size", "language"), [("phone", "en"), ("desk", "de")])
def test_rules_are_gone_through_tried_and_searched(
    windows: Windows, language: Language, size: str
) -> None:
    """As somebody reads: to a section, to the example, to clauses."""
    page = open_rules(windows, language=language, **SIZES[size])
    go_to_a_section(page, language)
    expect_that_cards_are_worth_what_the_rules_say(page)
    search_for_clauses(page, language)


def go_to_a_section(page: Page, language: Language) -> None:
    link = page.locator("[data-section=scoring]")
    if not link.is_visible():
        page.locator("[aria-controls=sections]").click()
    link.click()
    heading = page.locator("#title-scoring")
    page.wait_for_function(
        f"(id) => ({IN_SIGHT})(document.getElementById(id))", arg="title-scoring"
    )
    expect(heading).to_have_text(rulebook.load(language).chapter("scoring").title)
    page.locator("#rule-F1").scroll_into_view_if_needed()
    page.locator("#rule-F3 [data-rule-link=F3]").click()
    expect_clause(page, "F3")


def search_for_clauses(page: Page, language: Language) -> None:
    """By keyboard and by pointer; one can go back to what was found first."""
    item = rulebook.load(language).clause("A8")
    page.locator("[data-search]").fill(item.title[:-2])
    page.locator("[data-search]").press_sequentially(item.title[-2:])
    expect(page.locator("[data-found]")).to_be_visible()
    first = page.locator("[data-found-rule]").first
    expect(first).to_have_attribute("data-found-rule", item.id)
    page.keyboard.press("Enter")
    expect_clause(page, "A8")
    assert page.url.endswith("#/rules/A8")
    assert_fits(page)
    page.locator("[data-search]").fill(rulebook.load(language).clause("Q6").title)
    page.locator("[data-found-rule=Q6]").click()
    expect_clause(page, "Q6")
    page.go_back()
    expect_clause(page, "A8")


def test_every_clause_and_every_promised_picture_is_there_and_the_text_is_printed(
    windows: Windows,
) -> None:
    page = open_rules(windows)
    page.wait_for_function("() => document.querySelectorAll('[data-picture] .card').length > 20")
    for item in rulebook.load("en").items:
        place = page.locator(f"#rule-{item.id}")
        expect(place).to_have_count(1)
        promised = [item.picture, *(step.picture for step in item.steps)]
        for picture in filter(None, promised):
            drawn = place.locator(f"[data-picture={picture.name}]")
            assert drawn.locator("svg").count() > 0, (item.id, picture.name)
            cards = place.locator("[data-picture]").first.locator(".card")
            if item.picture and picture is item.picture and picture.cards:
                assert cards.count() == len(picture.cards), item.id
            if picture.alt:
                expect(drawn.first).to_have_attribute("aria-label", picture.alt)
    expect_that_what_is_printed_is_the_text(page)


def expect_that_what_is_printed_is_the_text(page: Page) -> None:
    page.emulate_media(media="print")
    for hidden in (".lintel", "[data-search]", "#sections", "[data-try]"):
        expect(page.locator(hidden).first).to_be_hidden()
    expect(page.locator("#rule-R23")).to_be_visible()


def test_clauses_are_opened_by_their_address(windows: Windows) -> None:
    """An unknown one is said to be unknown; a known one stays in another language."""
    page = open_rules(windows, "/r18")
    expect_clause(page, "R18")
    page.goto(f"{windows.server.url}/#/rules/Z9")
    page.locator("main [role=alert]").wait_for()
    expect(page.locator("#part-assemble")).to_be_attached()
    page.goto(f"{windows.server.url}/#/rules/A8")
    expect_clause(page, "A8")
    page.locator("[data-language=de]").click()
    page.locator("main[data-rules=de]").wait_for()
    expect_clause(page, "A8")
    expect(page.locator("#rule-A8")).to_contain_text(rulebook.load("de").clause("A8").title)


# ---------------------------------------------------------------- a serpent to play with


def expect_worth(page: Page) -> str:
    """The page shows what the rules say of the Cóatl that it shows; returns the Cóatl."""
    page.locator("[data-try]").wait_for()
    page.wait_for_function(IS_TRIED)
    coatl = page.locator("[data-try]").get_attribute("data-try") or ""
    shown = page.locator("[data-card-worth]").evaluate_all(WORTHS)
    assert len(shown) >= 4
    for name, worth in shown:
        known = name in DECK.prophecy_ids
        card = DECK.prophecies[DECK.prophecy_ids[name]] if known else None
        temple = None if known else DECK.temples[DECK.temple_ids[name]]
        points = card.points(coatl) if card else temple.points(coatl) if temple else None
        assert worth == str(points), (name, coatl)
    return coatl


def expect_that_cards_are_worth_what_the_rules_say(page: Page) -> None:
    assert expect_worth(page) == "<KBBRBB"
    matches = DECK.prophecies[DECK.prophecy_ids["!BB!"]].matches("<KBBRBB")
    lit = page.locator("[data-try] .try-well .pc.lit")
    expect(lit).to_have_count(sum(map(len, matches.positions)))
    page.locator("[data-add=B]").click()
    assert expect_worth(page) == "<KBBRBBB"
    page.locator("[data-kind=t]").click()
    page.locator("[data-add='G>']").click()
    assert expect_worth(page) == "<KBBRBBBG>"
    page.locator("[data-take=left]").click()
    assert expect_worth(page) == "BBRBBBG>"
    page.locator("[data-kind=h]").click()
    page.locator("[data-add='<R']").click()
    assert expect_worth(page) == "<RBBRBBBG>"
    page.locator("[data-undo-try]").click()
    assert expect_worth(page) == "BBRBBBG>"


def test_a_serpent_is_built_by_keys_without_the_server_and_against_a_clause(
    windows: Windows,
) -> None:
    """One after the other in one window; each begins with the serpent that the page shows first."""
    window = windows.open("/#/rules", **DESK)
    page = window.page
    assert expect_worth(page) == "<KBBRBB"
    build_by_keys(page)
    undo_one(page)
    build_without_the_server(page)
    window.watch.wrong = [what for what in window.watch.wrong if "ERR_FAILED" not in what]
    undo_one(page)
    close_a_coatl_without_a_segment(page)


def undo_one(page: Page) -> None:
    page.locator("[data-undo-try]").click()
    assert expect_worth(page) == "<KBBRBB"


def build_by_keys(page: Page) -> None:
    page.locator("[data-kind=b]").focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator("[data-kind=t]")).to_have_attribute("aria-checked", "true")
    page.locator("[data-add='K>']").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    assert expect_worth(page) == "<KBBRBBR>"


def build_without_the_server(page: Page) -> None:
    """The example says that it is not there, and goes on when it is again."""
    page.locator("[data-kind=b]").click()
    page.route("**/api/cards/try", lambda route: route.abort())
    page.locator("[data-add=B]").click()
    page.locator("[data-try] [role=alert]").wait_for()
    page.unroute("**/api/cards/try")
    page.locator("[data-try] [role=alert]").wait_for(state="detached")
    assert expect_worth(page) == "<KBBRBBB"


def close_a_coatl_without_a_segment(page: Page) -> None:
    """It is refused by its clause."""
    for _ in range(5):
        page.locator("[data-take=right]").click()
    page.locator("[data-kind=t]").click()
    page.locator("[data-add='K>']").click()
    assert expect_worth(page) == "<KK>"
    page.locator("[data-try] [data-rule-link=A7]").click()
    expect_clause(page, "A7")


# ---------------------------------------------------------------- the cards


def shown_cards(page: Page) -> set[str]:
    return set(page.locator("[data-card-link]").evaluate_all(CARD_LINKS))


def test_cards_are_filtered(windows: Windows) -> None:
    page = windows.open("/#/cards", **DESK).page
    page.locator("[data-card-link]").first.wait_for()
    everything = {card.name for card in CARDS}
    assert shown_cards(page) == everything
    page.locator("[data-filter-card=G]").click()
    page.locator("[data-filter-needs=K]").click()
    green = {c.name for c in DECK.prophecies if c.colour == "green" and c.pattern.needs[0]}
    assert shown_cards(page) == green
    page.locator("[data-filter-number='best 4']").click()
    assert shown_cards(page) == {
        c.name for c in DECK.prophecies if c.name in green and c.best_points == 4
    }
    page.locator("[data-filters-off]").click()
    assert shown_cards(page) == everything
    page.locator("[data-filter-promo]").click()
    assert shown_cards(page) == {card.name for card in CARDS if not card.promo}
    page.locator("[data-search]").fill("RGRG")
    assert shown_cards(page) == {"RGRG"}
    page.locator("[data-search]").fill("xyzzy")
    expect(page.locator(".none-shown")).to_be_visible()


def test_a_card_is_opened_with_its_examples(windows: Windows) -> None:
    """At every width, in one window."""
    page = windows.open("/#/cards", **PHONE).page
    for size in SIZES.values():
        page.set_viewport_size(size["viewport"])
        page.goto(f"{windows.server.url}/#/cards")
        open_a_card_with_its_examples(page)


def open_a_card_with_its_examples(page: Page) -> None:
    card = DECK.prophecies[DECK.prophecy_ids["YK+R"]]
    page.locator("[data-card-link='YK+R']").focus()
    page.keyboard.press("Enter")
    opened = page.locator("[data-opened='YK+R']")
    opened.locator("[data-fails]").wait_for()
    expect(opened.locator("[data-fails]")).to_have_attribute(
        "data-fails", failing_example(card).coatl
    )
    for example in prophecy_examples(card):
        place = opened.locator(f"[data-example='{example.coatl}']")
        expect(place).to_have_attribute("data-points", str(example.points))
        expect(place.locator(".pc.lit")).to_have_count(len(example.lit))
    assert_fits(page)
    following = DECK.prophecies[DECK.prophecy_ids["YK+R"] + 1]
    page.locator("[data-next]").click()
    expect(page.locator(f"[data-opened='{following.name}']")).to_be_visible()
    page.locator("[data-before]").click()
    expect(opened).to_be_visible()


def test_every_name_has_an_address(windows: Windows) -> None:
    page = windows.open("/#/cards", **DESK).page
    for name in ("noblue/R=B/10", "KY*+YK"):
        page.goto(f"{windows.server.url}/#/cards")
        page.locator(f"[data-card-link='{name}']").click()
        expect(page.locator(f"[data-opened='{name}']")).to_be_visible()
        page.reload()
        page.locator(f"[data-opened='{name}'] [data-fails]").wait_for()


# ---------------------------------------------------------------- over a table


@pytest.mark.parametrize("width", [390, 1440])
def test_a_refusal_leads_to_its_clause_and_back(windows: Windows, folder: Path, width: int) -> None:
    for _, window in show_scenes(windows, folder, ["why-rule"], window_of(width)):
        page = window.page
        address, version = page.url, window.version
        sheet = page.locator("[data-rule-sheet]")
        id = sheet.get_attribute("data-rule-sheet") or ""
        expect(sheet).to_contain_text(rulebook.load("en").clause(id).title)
        whole = page.locator("[data-whole-rules]")
        expect(whole).to_have_attribute("href", f"#/rules/{id}")
        expect(whole).to_have_attribute("target", "_blank")
        page.keyboard.press("Escape")
        expect(sheet).to_have_count(0)
        assert (page.url, window.version) == (address, version)
        expect(page.locator("main.table")).to_be_visible()


HELP: dict[Language, Json] = {"de": PHONE, "fr": TABLET, "en": DESK}


def test_help_fits_what_is_going_on(windows: Windows, folder: Path) -> None:
    """In every language and at every width, in one window."""
    prepared = prepare(folder, "Ana", "Ben", until=in_turn(5), seed=31)
    window = windows.sit_at(prepared, prepared.table.to_move or 0, **PHONE)
    window.wait(lambda: window.turn, "my turn")
    window.come_to_rest()
    for language, like in HELP.items():
        window.page.set_viewport_size(like["viewport"])
        open_settings(window.page)
        choose_language(window.page, language)
        close(window.page)
        window.come_to_rest()
        look_at_the_help(window.page, language)
    open_a_clause_over_the_help(window.page)


def look_at_the_help(page: Page, language: Language) -> None:
    page.keyboard.press("?")
    help = page.locator("[data-help=now]")
    help.locator("[data-clause=T0]").wait_for()
    expect(help.locator("[data-clause=T0]")).to_contain_text(
        rulebook.load(language).clause("T0").title
    )
    page.locator("[data-help-tab=now]").focus()
    page.keyboard.press("ArrowRight")
    for id in ("counted", "Q5", "Q6", "Q7", "diamonds", "frames", "promo"):
        expect(page.locator(f"[data-help=signs] [data-sign={id}]")).to_be_attached()
    page.keyboard.press("ArrowRight")
    expect(page.locator("[data-help=keys] kbd").first).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("[data-help]")).to_have_count(0)
    expect(page.locator("main.table")).to_be_visible()


def open_a_clause_over_the_help(page: Page) -> None:
    page.locator("[data-help-button]").click()
    page.locator("[data-help=now] [data-rule-link=R21]").click()
    page.locator("[data-rule-sheet=R21]").wait_for()
    page.keyboard.press("Escape")
    expect(page.locator("[data-rule-sheet]")).to_have_count(0)
    expect(page.locator("[data-help=now]")).to_be_visible()
