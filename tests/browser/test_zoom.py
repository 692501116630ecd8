"""At 200 %: by zooming, or by a larger font in the browser's settings, which does the same."""

from __future__ import annotations

import re
import time
from pathlib import Path
from typing import Any

from playwright.sync_api import Page

import coatl
from tests.browser.marks import whole_games
from tests.browser.prepared import in_turn, prepare
from tests.browser.scenes import show_scenes
from tests.browser.table import SOON, assert_fits
from tests.browser.windows import Windows
from tools.screenshots.camera import STILL
from tools.screenshots.checks import cut_text, cut_when_spaced, out_of_reach
from tools.screenshots.looks import Window

pytestmark = whole_games
USUAL, TWICE = 16, 32
ZOOMED = Window(720, 450)  # what a window of 1440 x 900 has room for at 200 %
LOW = Window(640, 400)  # 1280 x 800
COMPARED = ("home", "opponents", "table-early", "end")
SCENES = (*COMPARED, "opponent", "final")
BUILT = Path(coatl.__file__).parent / "static" / "assets"
# SVG measures in units of its own, and the build writes those of `stroke-width` as px.
PX = re.compile(r"(?<!stroke-width:)(?<![\w.])[\d.]+px")
FONT_SIZE = "parseFloat(getComputedStyle(document.documentElement).fontSize)"
# What can be read or pressed, and every piece: where it lies on the page, in parts of the font.
LAYOUT = f"""() => [...document.querySelectorAll("h1, h2, button, p, .card, .chip, .pc, .panel")]
  .filter((one) => one.checkVisibility({{ visibilityProperty: true }}))
  .map((one) => {{
    const {{ x, y, width, height }} = one.getBoundingClientRect();
    const unit = {FONT_SIZE} / {USUAL};
    const words = one.outerHTML.replace(/style="[^"]*"/, "").slice(0, 60);
    return [words, [x + scrollX, y + scrollY, width, height].map((length) => length / unit)];
  }})"""
TOLERANCE = 1.5  # what is measured is rounded to whole px


def set_font_size(page: Page, size: int) -> None:
    """As in the settings of the browser, for as long as the session is open."""
    session = page.context.new_cdp_session(page)
    fixed = size * 13 // 16
    session.send("Page.setFontSizes", {"fontSizes": {"standard": size, "fixed": fixed}})
    page.wait_for_function(f"{FONT_SIZE} === {size}")
    for _ in range(3):  # one size is computed from another
        page.evaluate(STILL)


def test_every_size_is_measured_by_the_font() -> None:
    sheets = sorted(BUILT.glob("*.css"))
    assert sheets
    found = {sheet.name: PX.findall(sheet.read_text()) for sheet in sheets}
    assert {name: lengths for name, lengths in found.items() if lengths} == {}


def moved_by_the_font(page: Page) -> list[str]:
    """In a window twice as large, with twice the font, everything comes to lie where it did."""
    page.wait_for_load_state("networkidle")  # some of a screen comes after the rest
    before = page.evaluate(LAYOUT)
    page.set_viewport_size({"width": 2 * ZOOMED.width, "height": 2 * ZOOMED.height})
    set_font_size(page, TWICE)
    moved = differences(before, page.evaluate(LAYOUT))
    deadline = time.monotonic() + SOON
    while moved and time.monotonic() < deadline:
        page.wait_for_timeout(100)
        moved = differences(before, page.evaluate(LAYOUT))
    assert_fits(page)
    return moved


def differences(before: list[Any], after: list[Any]) -> list[str]:
    """What came, went, or lies elsewhere."""
    if [words for words, _ in before] != [words for words, _ in after]:
        return [f"{words} is only in one of them" for words in changed_words(before, after)]
    return [
        f"{words} from {old} to {new}"
        for (words, old), (_, new) in zip(before, after, strict=True)
        if max(abs(a - b) for a, b in zip(old, new, strict=True)) > TOLERANCE
    ]


def changed_words(before: list[Any], after: list[Any]) -> set[str]:
    return {words for words, _ in before} ^ {words for words, _ in after} or {"the order"}


def lost(page: Page) -> list[str]:
    """Text that is cut, as it is or set wider, and controls that cannot be scrolled to."""
    return cut_text(page) + out_of_reach(page) + cut_when_spaced(page)


def test_nothing_is_lost(windows: Windows, folder: Path) -> None:
    """Neither by zooming nor with twice the font."""
    wrong = []
    for name, shown in show_scenes(windows, folder, SCENES, ZOOMED, device_scale_factor=2):
        found = lost(shown.page)
        if name in COMPARED:
            found += moved_by_the_font(shown.page)
        wrong += [f"{name}: {one}" for one in found]
    assert wrong == [], "\n".join(wrong)


def test_nothing_is_lost_in_a_low_window(windows: Windows, folder: Path) -> None:
    """As narrow as a phone, but not as high."""
    scenes = ("setup", "completion", "settings")
    shown = show_scenes(windows, folder, scenes, LOW, device_scale_factor=2)
    wrong = [f"{name}: {found}" for name, window in shown for found in lost(window.page)]
    assert wrong == [], "\n".join(wrong)


def test_a_move_with_a_large_font(windows: Windows, folder: Path) -> None:
    prepared = prepare(folder, "Ana", "Ben", until=in_turn(9), seed=22)
    seat = prepared.table.to_move or 0
    window = windows.sit_at(prepared, seat, viewport={"width": 1440, "height": 900})
    set_font_size(window.page, TWICE)
    window.page.reload()
    assert window.page.evaluate(FONT_SIZE) == TWICE
    window.wait(lambda: window.turn, "my turn")
    move = window.some_takes()[0]
    window.do(move)
    assert window.has_sent(move)
    assert_fits(window.page)
