"""Puzzles in the browser: solved by pointer and by keys, and what is kept of it."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from coatl import puzzles
from coatl.puzzles import PuzzleKind
from tests.browser.marks import whole_games
from tests.browser.table import assert_fits
from tests.browser.windows import PHONE, Windows
from tools.screenshots.acts import first_puzzles, play_puzzle

pytestmark = whole_games

NUMBERS = first_puzzles()


def answer(number: int) -> tuple[str, ...]:
    return puzzles.solution(puzzles.shipped().puzzle(number))


def test_the_puzzle_of_the_day_joins_the_row(windows: Windows) -> None:
    """Solved from the first screen on; the page still knows it when it is loaded again."""
    window = windows.open("/")
    page = window.page
    page.locator("[data-way=puzzle]").click()
    puzzle = page.locator("[data-puzzle]")
    expect(page.locator("[data-streak]").first).to_have_attribute("data-streak", "0")
    number = int(puzzle.get_attribute("data-puzzle") or 0)
    assert number == puzzles.number_of_day(puzzles.today(), len(puzzles.shipped().puzzles))
    page.locator("[data-check]").click()
    expect(page.locator("[data-verdict]")).to_be_visible()  # nothing is judged yet
    play_puzzle(page, answer(number))
    page.locator("[data-check]").click()
    expect(page.locator("[data-verdict=solved]")).to_be_visible()
    expect(page.locator("[data-next]")).to_have_attribute("href", "#/puzzles")  # not tomorrow's
    expect_kept(page)
    page.reload()
    expect_kept(page)
    page.locator(".puzzle-list").click()
    expect(page.locator(f"[data-number='{number}']")).to_have_attribute("data-state", "solved")
    assert_fits(page)


def expect_kept(page: Page) -> None:
    expect(page.locator("[data-puzzle]")).to_have_attribute("data-solved", "true")
    expect(page.locator("[data-streak]").first).to_have_attribute("data-streak", "1")
    expect(page.locator("[data-attempt]")).to_have_count(1)


def test_three_worse_answers_on_a_phone_then_the_best_is_shown(windows: Windows) -> None:
    """Cards that are not met are chosen; undo and start again take them back."""
    number = NUMBERS[PuzzleKind.CARDS]
    right = answer(number)
    window = windows.open(f"/#/puzzle/{number}", **PHONE)
    page = window.page
    hand = puzzles.follow(puzzles.shipped().puzzle(number), ()).view.seats[0].hand
    wrong = next(f"1:{name}" for name in hand if f"1:{name}" not in right)
    for attempt in range(1, 4):
        play_puzzle(page, [wrong])
        page.locator("[data-check]").click()
        expect(page.locator("[data-attempt]")).to_have_count(attempt)
        page.locator("[data-undo]" if attempt == 1 else "[data-again]").click()
        expect(page.locator(".card.sel")).to_have_count(0)
    page.locator("[data-reveal]").click()
    pieces = puzzles.shipped().puzzle(number).answer.partition(":")[0]
    expect(page.locator("[data-answer]")).to_have_attribute("data-answer", pieces)
    assert_fits(page)
    page.reload()
    expect(page.locator("[data-attempt]")).to_have_count(3)
    expect(page.locator("[data-puzzle]")).to_have_attribute("data-solved", "false")


def test_cards_on_the_coatl_are_whole_on_a_phone(windows: Windows) -> None:
    """Their points are not cut off, and all of them lie in one row."""
    window = windows.open(f"/#/puzzle/{NUMBERS[PuzzleKind.CLOSE]}", **PHONE)
    page = window.page
    page.locator("[data-puzzle]").wait_for()
    chips = page.locator(".on-chips .chip").all()
    boxes = [box for chip in chips if (box := chip.bounding_box())]
    assert len({box["y"] for box in boxes}) == 1
    assert len(page.locator(".on-chips [data-laid]").all()) >= 1
    for chip in page.locator(".on-chips [data-laid]").all():
        outer, pips, points = (
            chip.bounding_box(),
            chip.locator(".foot .pips").bounding_box(),
            chip.locator(".foot b").bounding_box(),
        )
        assert outer
        assert pips
        assert points
        assert pips["x"] + pips["width"] <= points["x"]
        assert points["x"] + points["width"] <= outer["x"] + outer["width"]


def test_by_keys_and_unknown_numbers(windows: Windows) -> None:
    number = NUMBERS[PuzzleKind.CLOSE]
    window = windows.open(f"/#/puzzle/{number}")
    page = window.page
    for count, move in enumerate(answer(number), 1):
        target, _, card = move.partition(":")
        if card:
            name = card.partition("@")[0]
            press(page, f'[data-hand="{name}"], [data-temple="{name}"]')
        else:
            left, _, right = target.partition("+")
            press(page, f'[data-piece="{right if left.isdigit() else left}"]')
            press(page, f'[data-move="{move}"]')
        expect(page.locator("[data-puzzle]")).to_have_attribute("data-moves", str(count))
    press(page, "[data-check]")
    expect(page.locator("[data-verdict=solved]")).to_be_visible()
    page.goto(page.url.split("#")[0] + "#/puzzle/99999")
    expect(page.locator("main [role=status]")).to_have_text("There is no such puzzle.")


def press(page: Page, selector: str) -> None:
    """With Enter, where the focus can go."""
    found = page.locator(selector).first
    found.focus()
    expect(found).to_be_focused()
    page.keyboard.press("Enter")
