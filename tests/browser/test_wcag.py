"""WCAG 2.2 AA as far as a program can tell, on some of the screens.

`python -m tools.screenshots --check` asks the same of all of them.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import cycle
from pathlib import Path

import pytest
from playwright.sync_api import Page

from tests.browser.marks import whole_games
from tests.browser.scenes import show_scenes, window_of
from tests.browser.windows import Windows
from tools.screenshots.checks import check_window, cut_text, cut_when_spaced, small_targets

pytestmark = whole_games
SCENES = {
    390: (
        *("home-tables", "opponents", "table-crowded", "completion", "curtain"),
        *("lesson", "rules-clause", "help-sheet"),
    ),
    1440: ("new-friends", "card-pop", "menu", "replay", "end"),
}
TOUCHED = ("home", "solo-crowded", "spectator", "cards")
READ = {
    390: ("home-tables", "opponents", "table-crowded", "completion", "curtain"),
    1440: ("new-friends", "end"),
}  # some of those above
# There are so many clauses and cards that asking about them takes as long as all else together, and
# they are alike: every sixth stays.
ALIKE = {"rules-clause": "[id^=rule-]:not(.marked)", "cards": "[data-card-link]"}
LEAVE_SOME = """(alike) => [...document.querySelectorAll(alike)]
  .filter((_, at) => at % 6).map((one) => one.remove()).length"""
THEMES = ("light", "dark")  # in turn: what each does to colours, tests/test_contrast.py knows
# Is something told by more than its ground, which forced colours take away?
SWITCHES = """() => [...document.querySelectorAll("[role=switch]")].map((control) => {
  const drawn = control.parentElement.querySelector(".sw i");
  const box = getComputedStyle(drawn), knob = getComputedStyle(drawn, "::after");
  return [control.checked, box.borderTopColor, box.backgroundColor, knob.backgroundColor];
})"""
PIECE_COLOURS = """() => [...document.querySelectorAll(".dot, .seal")].filter(
  (one) => one.checkVisibility()).map((one) => getComputedStyle(one).backgroundColor)"""
GROUND = "getComputedStyle(document.body).backgroundColor"


@pytest.mark.parametrize("width", [390, 1440])
def test_nothing_is_found_wrong_and_no_text_is_cut(
    windows: Windows, folder: Path, width: int
) -> None:
    """By axe-core, every other screen in the dark theme; targets for fingers; motion.

    Text is not cut with letters, words and lines set as wide as some need them either.
    """
    window = window_of(width)
    wrong: list[str] = []
    scenes = show_scenes(windows, folder, SCENES[width], window)
    for (name, shown), theme in zip(scenes, cycle(THEMES)):
        leave_some(name, shown.page)
        found = check_window(shown, replace(window, themes=(theme,)))
        if name in READ[width]:
            found += cut_text(shown.page) + cut_when_spaced(shown.page)
        wrong += [f"{name}: {one}" for one in found]
    assert wrong == [], "\n".join(wrong)


def test_targets_of_a_tablet(windows: Windows, folder: Path) -> None:
    """For fingers, as on a phone."""
    wrong: list[str] = []
    for name, shown in show_scenes(windows, folder, TOUCHED, window_of(820), has_touch=True):
        leave_some(name, shown.page)
        wrong += [f"{name}: {found}" for found in small_targets(shown.page)]
    assert wrong == [], "\n".join(wrong)


def leave_some(name: str, page: Page) -> None:
    if name in ALIKE:
        assert page.evaluate(LEAVE_SOME, ALIKE[name]) > 20


def test_forced_colours(windows: Windows, folder: Path) -> None:
    """A switch shows where it stands, and pieces keep the colours that they are told by."""
    window = window_of(390)
    for name, shown in show_scenes(
        windows, folder, ("new-solo", "table-early"), window, forced_colors="active"
    ):
        page = shown.page
        ground = page.evaluate(GROUND)
        if name == "new-solo":
            states = page.evaluate(SWITCHES)
            assert states
            for is_on, edge, body, knob in states:
                assert edge != ground
                assert knob != body
                assert (body != ground) == is_on
        else:
            assert len(set(page.evaluate(PIECE_COLOURS)) - {ground}) >= 2
