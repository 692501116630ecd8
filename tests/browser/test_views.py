"""Who sees what: phones, spectators, the end screen."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import FloatRect, Page, expect

from coatl.moves import MoveKind
from tests.browser.gestures import play_by_drag
from tests.browser.marks import whole_games
from tests.browser.prepared import in_turn, prepare
from tests.browser.stillness import assert_stayed_put
from tests.browser.table import END, assert_fits, expect_end
from tests.browser.test_settings import LANGUAGES, choose_language, close, open_settings
from tests.browser.windows import PHONE, TABLET, Windows

pytestmark = whole_games
ALL_THAT_SLIDES = """
  [...document.querySelectorAll("*")].filter((one) => {
    const { transitionProperty, transitionDuration } = getComputedStyle(one);
    return transitionProperty === "all" && transitionDuration !== "0s";
  }).map((one) => one.outerHTML.slice(0, 80))
"""
PIECES_TO_LANES = {MoveKind.BEGIN, MoveKind.ADD}
SCROLLS = "document.documentElement.scrollHeight - innerHeight"
LAP = 50  # C6: spaces of the score track


def assert_needs_no_scrolling(page: Page) -> None:
    assert page.evaluate(SCROLLS) <= 0


def test_by_touch_on_a_phone(windows: Windows, folder: Path) -> None:
    """Pieces are dragged to the lanes, all else is tapped."""
    prepared = prepare(folder, "Ana", "bot:greedy", until=in_turn(21), seed=21, tokens=True)
    window = windows.sit_at(prepared, 0, **PHONE)
    dragged = set()
    while not window.is_over:
        window.wait(lambda: window.is_over or window.turn, "my turn or the end")
        assert_fits(window.page)
        if not window.turn:
            continue
        move = window.some_move()
        if move.kind in PIECES_TO_LANES:
            play_by_drag(window, move)
            dragged.add(move.kind)
        else:
            window.do(move)
    expect_end(window)
    assert_stayed_put(window.page)
    assert dragged == PIECES_TO_LANES


def test_who_asks_for_less_motion_gets_less(windows: Windows, folder: Path) -> None:
    """A question stands where it opens: a button that slid away would not be hit."""
    prepared = prepare(folder, "Ana", "Ben", until=in_turn(9), seed=22)
    window = windows.sit_at(prepared, prepared.table.to_move or 0, reduced_motion="reduce")
    window.reach(window.some_takes()[0])
    expect(window.page.locator(".turn-pop")).to_be_visible()
    sliding = window.page.evaluate(ALL_THAT_SLIDES)
    assert sliding == [], "every change of its style is drawn out"


def test_a_spectator_sees_no_hand_and_has_no_move(windows: Windows, folder: Path) -> None:
    prepared = prepare(folder, "Ana", "Ben", until=in_turn(9), seed=22, tokens=True)
    window = windows.sit_at(prepared)
    window.wait(lambda: window.state, "the table")
    expect(window.page.locator("[data-space]:visible").first).to_be_attached()
    assert window.page.locator("[data-hand], [data-move], [data-lane]").count() == 0
    shown = window.page.locator("[data-card]").evaluate_all("all => all.map(e => e.dataset.card)")
    game = prepared.table.game
    assert game is not None
    assert set(shown) == set(game.view(None).data.row)


def test_a_spectator_sees_all_serpents_at_one_scale(windows: Windows, folder: Path) -> None:
    """With every lane there can be, and nothing to scroll."""
    prepared = prepare(folder, "Ana", "Ben", "Cleo", "Dan", until=in_turn(40), seed=24)
    window = windows.sit_at(prepared, viewport={"width": 1440, "height": 900})
    page = window.page
    lanes = page.locator("main [data-seat] .lane")
    expect(lanes).to_have_count(4 * 3)
    heights = page.locator("main .serp .pc").evaluate_all(
        "all => [...new Set(all.map((piece) => piece.style.getPropertyValue('--h')))]"
    )
    assert len(heights) == 1
    assert_needs_no_scrolling(page)
    page.locator("[data-open-log]").click()
    expect(page.get_by_role("log")).to_be_visible()


def test_a_spectator_reads_the_whole_prompt(windows: Windows, folder: Path) -> None:
    """Also with a long name, on a phone and a tablet: no room is kept for buttons of players."""
    prepared = prepare(folder, "Wilhelmina-Friederike", "Ben", until=in_turn(9), seed=22)
    page = windows.sit_at(prepared, **PHONE).page
    prompt = page.locator("#table-prompt > span")
    for language in LANGUAGES:
        open_settings(page)
        choose_language(page, language)
        close(page)
        for like in (PHONE, TABLET):
            page.set_viewport_size(like["viewport"])
            expect(prompt).to_be_in_viewport(ratio=1)
            cut = prompt.evaluate("text => text.scrollHeight - text.clientHeight")
            assert cut <= 0, (language, like["viewport"])
            assert_fits(page)


def test_solo_on_a_tablet_needs_no_scrolling(windows: Windows, folder: Path) -> None:
    prepared = prepare(folder, "Ana", until=in_turn(20), seed=25, hurry=False, levels=(1, 3))
    window = windows.sit_at(prepared, 0, **TABLET)
    page = window.page
    expect(page.locator("[data-card]:visible")).to_have_count(6)
    assert_needs_no_scrolling(page)
    tops = page.locator("[data-card], [data-draw]").evaluate_all(
        "all => [...new Set(all.map((card) => Math.round(card.getBoundingClientRect().top)))]"
    )
    assert len(tops) == 1, "the open cards and the deck lie in one row"


def test_two_to_four_people_on_a_tablet_need_no_scrolling(windows: Windows, folder: Path) -> None:
    """And what explains a card of the hand leaves the Cóatl in sight."""
    names = ("Ana", "Ben", "Cleo", "Dan")
    tables = [
        prepare(folder, *names[:n], until=in_turn(10 * n), seed=26, id=f"tablet-{n}", tokens=True)
        for n in (2, 3, 4)
    ]
    for prepared in tables:
        page = windows.sit_at(prepared, 0, **TABLET).page
        expect(page.locator("[data-hand]").first).to_be_visible()
        assert_needs_no_scrolling(page)
        page.locator("[data-hand]").first.click()
        expect(page.locator(".turn-pop")).to_be_visible()
        pop, lanes = box_of(page, ".turn-pop"), box_of(page, ".lanes-box")
        assert pop["y"] + pop["height"] < lanes["y"]


def test_a_token_opens_above_the_hand_and_chooses_nothing(windows: Windows, folder: Path) -> None:
    """All of it in the window; a pile is named by the button that takes its card."""
    prepared = prepare(folder, "Ana", "Ben", until=in_turn(9), seed=22, tokens=True)
    for wide in (TABLET, {"viewport": {"width": 1440, "height": 900}}):
        page = windows.sit_at(prepared, prepared.table.to_move or 0, **wide).page
        page.locator("[data-token=priest]").click()
        pop, dock = box_of(page, ".turn-pop"), box_of(page, ".dock-box")
        assert pop["y"] + pop["height"] < dock["y"]
        expect(page.locator("[data-priest]").first).to_be_focused()
        expect(page.locator(".turn-pop [data-move]")).to_have_count(0)
        taking = page.locator(".turn-pop .btn.pri")
        before = box_of(page, ".turn-pop .btn.acc"), box_of(page, ".turn-pop .btn.pri")
        words = set()
        for pile in (0, 1):
            page.locator(f"[data-priest='{pile}']").click()
            expect(taking).to_have_attribute("data-move", f"token priest {pile + 1}")
            words.add(taking.inner_text())
        assert len(words) == 2
        assert before == (
            box_of(page, ".turn-pop .btn.acc"),
            box_of(page, ".turn-pop .btn.pri"),
        )


def box_of(page: Page, target: str) -> FloatRect:
    box = page.locator(target).bounding_box()
    assert box is not None
    return box


def test_C6_the_score_track_of_the_end_screen(windows: Windows, folder: Path) -> None:
    """A marker stands at the points; past 50 what was passed lies beside it."""
    prepared = prepare(folder, "Ana", until=lambda _table: False, seed=23, hurry=False, levels=(5,))
    window = windows.sit_at(prepared, 0)
    expect_end(window)
    standing = window.state["standing"]
    points = sorted(rank["points"] for rank in standing)
    assert points[0] <= LAP < points[-1], "one of them has to be past the end of the track"
    track = window.page.locator(f"{END} .trk")
    assert track.locator(".sp").count() == LAP
    assert track.locator("[data-step] [data-seat]").count() == len(standing)
    for rank in standing:
        laps = max(rank["points"] - 1, 0) // LAP
        marker = track.locator(f"[data-step='{rank['points'] - laps * LAP}'] [data-seat]")
        assert marker.count() == 1
        badge = marker.locator("u")
        assert badge.all_inner_texts() == ([str(laps * LAP)] if laps else [])
