"""The pictures of `make screenshots`: which there are, and how a contact sheet is put together."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image

from coatl.compiler.functions import DISABLED
from tests.browser.prepared import view_of
from tools.screenshots import settings, sheets
from tools.screenshots.__main__ import wanted_scenes
from tools.screenshots.camera import windows_of
from tools.screenshots.looks import THEMES, WINDOWS
from tools.screenshots.scenes import SCENES

pytestmark = pytest.mark.skipif(DISABLED, reason="has nothing to do with how the kernel runs")

NAMES = [scene.name for scene in SCENES]
STATES = (  # section 12 of the design, as far as the product has them
    *("table-assembly", "opponent", "final", "curtain", "choose", "drawn", "future", "pick"),
    *("completion", "adam", "home", "new-solo", "end", "replay", "games"),
)
DIALOGS = (
    *("hand-raised", "card-pop", "why-not-pop", "take-pop", "choose", "priest", "menu"),
    *("give-up", "player", "log", "waiting", "arrive", "spectator", "home-tables"),
)
LONGEST_NAME = 40
LONG_COATL = 16
FULL_HAND = 5


def test_every_state_and_dialog_is_drawn() -> None:
    assert len(NAMES) == len(set(NAMES))
    assert {*STATES, *DIALOGS} <= set(NAMES)


def test_every_state_of_the_table_is_drawn_with_little_room_too() -> None:
    crowded = {name.removesuffix("-crowded") for name in NAMES if name.endswith("-crowded")}
    at_the_table = {*STATES, "player", "log", "card-pop", "take-pop", "menu", "hand-raised"}
    without = {"choose", "drawn", "new-solo", "home"}  # a full hand; nobody there yet
    assert at_the_table - without <= crowded
    assert {"table-bare", "choose-bare", "hand-raised-bare", "completion-bare"} <= set(NAMES)


def test_four_widths_two_themes_three_languages() -> None:
    assert {window.width for window in WINDOWS} == {390, 820, 1440, 1920}
    assert all(window.themes == THEMES for window in WINDOWS if window.language == "en")
    assert {window.language for window in WINDOWS if window.is_phone} == {"en", "fr", "de"}
    files = [
        window.file_name(scene.name, theme)
        for scene in SCENES
        for window in windows_of(scene)
        for theme in window.themes
    ]
    assert len(files) == len(set(files))


def test_the_crowded_game_is_crowded(tmp_path: Path) -> None:
    table = settings.CROWDED.prepare(tmp_path / "data", "crowded").table
    own = view_of(table, 0)["seats"][0]
    assert LONGEST_NAME in {len(place.name) for place in table.places}
    assert max(len(coatl["pieces"].strip("<>")) for coatl in own["coatls"]) == LONG_COATL
    assert len(own["hand"]) == FULL_HAND
    assert len(table.places) == 4


def test_scenes_are_found_by_pattern() -> None:
    assert wanted_scenes(()) == list(SCENES)
    assert [scene.name for scene in wanted_scenes(["end", "curtain*"])] == [
        *("curtain", "curtain-crowded", "end")
    ]
    with pytest.raises(SystemExit, match="no scene is called nowhere"):
        wanted_scenes(["nowhere"])


def test_a_contact_sheet_shows_every_picture(tmp_path: Path) -> None:
    """One colour each, found again at its place: a column a window, a row a theme."""
    shades = iter(range(20, 255, 20))
    pictures = {
        (window, theme): Image.new("RGB", (window.width, window.height), (next(shades), 0, 0))
        for window in WINDOWS
        for theme in window.themes
    }
    file = tmp_path / "sheets" / "all.png"
    sheets.save(sheets.draw_sheet("all", pictures), file)
    found = Image.open(file).convert("RGB")
    rows = {"light": found.height // 4, "dark": 3 * found.height // 4}
    left = sheets.GAP
    for window in WINDOWS:
        for theme in window.themes:
            pixel = found.getpixel((left + 5, rows[theme]))
            wanted = pictures[window, theme].getpixel((0, 0))
            assert isinstance(pixel, tuple)
            assert isinstance(wanted, tuple)
            assert abs(pixel[0] - wanted[0]) < 9, (window, theme)
        left += sheets.column_width(window) + sheets.GAP
    assert left == found.width
