"""Pictures of every screen at three widths, light and dark: `make screenshots`, to look at.

The games are played from fixed secrets, so the same screens come out every time.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from tests.browser.prepared import Prepared, in_turn, prepare
from tests.browser.table import END, USABLE, TablePage
from tests.browser.windows import Windows
from tests.server.harness import running_server
from tools.find_browser import find_browser, launch_options

FOLDER = Path(__file__).parent.parent / "screenshots"
SIZES = {360: 740, 768: 1024, 1440: 900}
THEMES = ("light", "dark")

Prepare = Callable[[Path, str], Prepared]


@dataclass(frozen=True)
class Scene:
    """A screen: the game it stands in, and what is done there before the picture is taken."""

    name: str
    prepare: Prepare | None = None
    act: Callable[[TablePage], None] = lambda _window: None
    address: str = "#/table/{table}"
    moves: bool = False  # with motion, at a pace to watch


def game(*kinds: str, seed: int, until: Callable[..., bool], **options: object) -> Prepare:
    def make(folder: Path, id: str) -> Prepared:
        return prepare(folder, *kinds, until=until, seed=seed, hurry=False, id=id, **options)

    return make


def wait_for_table(window: TablePage) -> None:
    window.wait(lambda: window.state, "the table")
    window.page.locator(f"[data-space]{USABLE}, {END}").first.wait_for(state="attached")


def choose_a_piece(window: TablePage) -> None:
    """One of the board is picked up, so that its places are lit."""
    wait_for_table(window)
    window.press(window.page.locator(f"button[data-well]{USABLE}").last)


def let_adam_play(window: TablePage) -> None:
    """The own turn ends, and A.D.A.M. is in the middle of his."""
    wait_for_table(window)
    window.do(window.some_takes()[0])
    window.page.locator(".adam-plays").wait_for()
    window.page.wait_for_timeout(2500)  # some steps of his


def wait_for_tables(window: TablePage) -> None:
    window.page.locator(".table-link").wait_for()
    window.page.wait_for_timeout(500)


def open_solo_form(window: TablePage) -> None:
    form = window.page.locator("[data-mode=solo]")
    form.click()
    form.scroll_into_view_if_needed()


def go_to_the_middle(window: TablePage) -> None:
    window.page.locator("[data-replay]").wait_for()
    window.page.locator("[data-scrub]").click()
    window.page.wait_for_timeout(600)


def never(_table: object) -> bool:
    return False


SCENES = (
    Scene(
        "home", game("Ana", "bot:greedy", seed=205, until=in_turn(31)), wait_for_tables, address=""
    ),
    Scene("new-game", act=open_solo_form, address=""),
    Scene(
        "table-early",
        game("Ana", "bot:greedy", seed=205, until=in_turn(5), tokens=True),
        wait_for_table,
    ),
    Scene(
        "table-assembly",
        game("Ana", "Ben", "Cleo", seed=206, until=in_turn(40, phase="assemble"), tokens=True),
        choose_a_piece,
    ),
    Scene(
        "table-adam",
        game("Ana", seed=207, until=in_turn(24), levels=(2, 5)),
        let_adam_play,
        moves=True,
    ),
    Scene(
        "table-opponent",
        game("Ana", "Ben", seed=208, until=in_turn(38, place=1), tokens=True),
        wait_for_table,
    ),
    Scene(
        "table-completion",
        game("Ana", "Ben", seed=209, until=in_turn(20, phase="fulfil"), tokens=True),
        wait_for_table,
    ),
    Scene(
        "end",
        game("Ana", "Ben", "Cleo", seed=210, until=never, tokens=True),
        lambda window: window.page.locator(END).wait_for(),
    ),
    Scene(
        "replay",
        game("Ana", "Ben", seed=211, until=never, tokens=True),
        go_to_the_middle,
        "#/replay/{table}",
    ),
)


def take(browser: Browser, folder: Path, wanted: set[str]) -> None:
    scenes = [scene for scene in SCENES if not wanted or scene.name in wanted]
    looks = [(width, theme) for width in SIZES for theme in THEMES]
    tables = {
        (scene.name, look): scene.prepare(folder, f"{scene.name}-{look[0]}-{look[1]}")
        for scene in scenes
        if scene.prepare
        for look in looks
    }
    with running_server(folder) as server:
        windows = Windows(browser, server)
        for scene in scenes:
            for width, theme in looks:
                table = tables.get((scene.name, (width, theme)))
                window = windows.open(
                    "/" + scene.address.format(table=table.id if table else ""),
                    table.held(0) if table else None,
                    viewport={"width": width, "height": SIZES[width]},
                    color_scheme=theme,
                    reduced_motion="no-preference" if scene.moves else "reduce",
                    pace="slow" if scene.moves else "off",
                )
                scene.act(window)
                window.page.wait_for_timeout(250)
                file = FOLDER / f"{scene.name}-{width}-{theme}.png"
                window.page.screenshot(path=file, full_page=not scene.moves)
                print(file.relative_to(FOLDER.parent))
                window.page.context.close()


def main() -> None:
    """Names of scenes as arguments take only those."""
    file = find_browser()
    if file is None:
        sys.exit("no browser: make browser")
    FOLDER.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(**launch_options(file))
        take(browser, Path(folder) / "data", set(sys.argv[1:]))
        browser.close()


if __name__ == "__main__":
    main()
