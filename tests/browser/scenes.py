"""Scenes of `make screenshots` in windows of a test, one after the other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from tests.browser.table import TablePage
from tests.browser.windows import Windows
from tools.screenshots.camera import Tables, open_window
from tools.screenshots.looks import WINDOWS, Window
from tools.screenshots.scenes import SCENES


def window_of(width: int) -> Window:
    return next(window for window in WINDOWS if window.width == width and window.language == "en")


def show_scenes(
    windows: Windows, folder: Path, names: Iterable[str], window: Window, **like: Any
) -> Iterator[tuple[str, TablePage]]:
    """Each opened by itself, and closed when the next is asked for."""
    tables = Tables(folder)
    by_name = {scene.name: scene for scene in SCENES}
    wanted = [(by_name[name], tables.seats_of(by_name[name])) for name in names]
    for scene, (table, held) in wanted:
        page = open_window(windows, scene, window, table, held, **like)
        yield scene.name, page
        page.watch.check()
        page.page.context.close()
