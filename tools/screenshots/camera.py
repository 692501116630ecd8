"""Opens each scene in each window, and looks at it: most often to take its picture."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.sync_api import Browser, Page
from playwright.sync_api import Error as PlaywrightError

from tests.browser.prepared import Json, Prepared
from tests.browser.table import TablePage
from tests.browser.windows import Windows
from tests.server.harness import running_server
from tools.screenshots import sheets
from tools.screenshots.looks import WINDOWS, Window
from tools.screenshots.scenes import Scene
from tools.screenshots.settings import Setting

STILL = """() => document.fonts.ready.then(() =>
  new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))"""
Look = Callable[[TablePage, Scene, Window], None]
SET_THEME = "(theme) => { document.documentElement.dataset.theme = theme; }"


@dataclass
class Tables:
    """The tables in the server's file. Scenes that change nothing share them."""

    folder: Path
    made: list[Prepared] = field(default_factory=list)
    shared: dict[str, Prepared] = field(default_factory=dict)

    def make(self, setting: Setting) -> Prepared:
        self.made.append(setting.prepare(self.folder, f"table-{len(self.made):04}"))
        return self.made[-1]

    def share(self, setting: Setting) -> Prepared:
        if setting.name not in self.shared:
            self.shared[setting.name] = self.make(setting)
        return self.shared[setting.name]

    def seats_of(self, scene: Scene) -> tuple[str, list[Json]]:
        """The id of the scene's table, and what a browser there holds."""
        if scene.setting is None:
            return "", []
        table = self.make(scene.setting) if scene.changes else self.share(scene.setting)
        held = table.held(*scene.places) if scene.places else table.held_by_a_spectator()
        for other in scene.tables:
            held += self.share(other).held(0)
        return table.id, held


def windows_of(scene: Scene) -> tuple[Window, ...]:
    return tuple(window for window in WINDOWS if window.is_phone or not scene.phone_only)


def visit(
    browser: Browser,
    data: Path,
    scenes: Iterable[Scene],
    look: Look,
    choose_windows: Callable[[Scene], tuple[Window, ...]] = windows_of,
    leave: Callable[[Scene], None] = lambda _scene: None,
) -> list[str]:
    """Look at each scene in each of its windows, then leave it; returns what went wrong."""
    tables = Tables(data)
    shots = [(s, [(w, *tables.seats_of(s)) for w in choose_windows(s)]) for s in scenes]
    wrong: list[str] = []
    with running_server(data) as server:
        windows = Windows(browser, server)
        for scene, openings in shots:
            for window, table, held in openings:
                try:
                    look(open_window(windows, scene, window, table, held), scene, window)
                except (AssertionError, PlaywrightError) as error:
                    reason = str(error).strip().split("\n")[0]
                    wrong.append(f"{scene.name} at {window.label}: {reason}")
                finally:
                    windows.opened.pop().page.context.close()
            leave(scene)
    return wrong


def take(browser: Browser, data: Path, folder: Path, scenes: Iterable[Scene]) -> list[str]:
    """The pictures and the sheet of each scene; returns what went wrong."""
    pictures: dict[tuple[Window, str], Image.Image] = {}

    def look(page: TablePage, scene: Scene, window: Window) -> None:
        pictures.update(take_pictures(page, scene, window, folder))

    def draw_sheet(scene: Scene) -> None:
        if pictures:
            sheet = folder / "sheets" / f"{scene.name}.png"
            sheets.save(sheets.draw_sheet(scene.name, pictures), sheet)
            print(sheet, flush=True)
        pictures.clear()

    return visit(browser, data, scenes, look, leave=draw_sheet)


def open_window(
    windows: Windows, scene: Scene, window: Window, table: str, held: list[Json], **like: Any
) -> TablePage:
    page = windows.open(
        "/" + scene.address.format(table=table),
        held,
        language=window.language,
        pace="normal" if scene.moves else "off",
        reduced_motion="no-preference" if scene.moves else "reduce",
        color_scheme=window.themes[0],
        **window.options,
        **like,
    )
    scene.act(page)
    return page


def take_pictures(
    page: TablePage, scene: Scene, window: Window, folder: Path
) -> dict[tuple[Window, str], Image.Image]:
    """In each theme: only the colours depend on it."""
    pictures: dict[tuple[Window, str], Image.Image] = {}
    if scene.whole:
        show_whole_page(page, window)
    for theme in window.themes:
        show_theme(page.page, theme)
        data = page.page.screenshot(animations="disabled")
        picture = Image.open(io.BytesIO(data))
        sheets.save(picture, folder / window.file_name(scene.name, theme))
        pictures[window, theme] = picture
    return pictures


def show_theme(page: Page, theme: str) -> None:
    page.emulate_media(color_scheme="dark" if theme == "dark" else "light")
    page.evaluate(SET_THEME, theme)
    page.evaluate(STILL)


def show_whole_page(page: TablePage, window: Window) -> None:
    """A window as high as the page, so that what stays at its bottom covers nothing."""
    height = page.page.evaluate("document.documentElement.scrollHeight")
    page.page.set_viewport_size({"width": window.width, "height": max(height, window.height)})
