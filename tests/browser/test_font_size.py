"""A larger font in the browser's settings enlarges the whole page, as zooming does."""

from __future__ import annotations

import re
from pathlib import Path

from playwright.sync_api import Page

import coatl
from coatl.moves import MoveKind
from tests.browser.marks import whole_games
from tests.browser.prepared import in_turn, prepare
from tests.browser.scenes import show_scenes
from tests.browser.table import assert_fits
from tests.browser.windows import Windows
from tools.screenshots.camera import STILL
from tools.screenshots.looks import Window

pytestmark = whole_games
USUAL, TWICE = 16, 32
SMALL = Window(720, 450)
LARGE = Window(1440, 900)
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
    """As in the settings of the browser."""
    session = page.context.new_cdp_session(page)
    fixed = size * 13 // 16
    session.send("Page.setFontSizes", {"fontSizes": {"standard": size, "fixed": fixed}})
    session.detach()
    page.wait_for_function(f"{FONT_SIZE} === {size}")
    page.evaluate(STILL)


def show_large(page: Page) -> None:
    page.set_viewport_size({"width": LARGE.width, "height": LARGE.height})
    set_font_size(page, TWICE)


def test_every_size_is_measured_by_the_font() -> None:
    sheets = sorted(BUILT.glob("*.css"))
    assert sheets
    found = {sheet.name: PX.findall(sheet.read_text()) for sheet in sheets}
    assert {name: lengths for name, lengths in found.items() if lengths} == {}


def test_twice_the_font_is_twice_the_page(windows: Windows, folder: Path) -> None:
    """In a window twice as large, everything lies where it did: as if it had been zoomed."""
    scenes = ("home", "table-early", "end")
    for name, shown in show_scenes(windows, folder, scenes, SMALL, device_scale_factor=2):
        page = shown.page
        page.evaluate(STILL)
        before = page.evaluate(LAYOUT)
        show_large(page)
        after = page.evaluate(LAYOUT)
        assert_fits(page)
        assert [words for words, _ in after] == [words for words, _ in before], name
        moved = [
            f"{name}: {words} from {old} to {new}"
            for (words, old), (_, new) in zip(before, after, strict=True)
            if max(abs(a - b) for a, b in zip(old, new, strict=True)) > TOLERANCE
        ]
        assert moved == [], "\n".join(moved)


def test_a_move_with_a_large_font(windows: Windows, folder: Path) -> None:
    prepared = prepare(folder, "Ana", "Ben", until=in_turn(9), seed=22)
    seat = prepared.table.to_move or 0
    window = windows.sit_at(prepared, seat, viewport={"width": 1440, "height": 900})
    set_font_size(window.page, TWICE)
    window.page.reload()
    window.wait(lambda: window.turn, "my turn")
    move = window.some_takes()[0]
    assert move.kind is MoveKind.TAKE
    window.do(move)
    assert window.has_sent(move)
    assert_fits(window.page)
