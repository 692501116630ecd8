"""Draws docs/pictures/table.webp and turn.webp: the page, and some moves of the real game.

`make pictures` runs it. The game is played from a fixed secret; the frames are what the browser
shows while the moves are made by clicks.
"""

from __future__ import annotations

import io
import os
import sys
import tempfile
import time
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, sync_playwright

from tests.browser.prepared import Prepared, in_turn, prepare
from tests.browser.table import TablePage
from tests.browser.windows import Windows
from tests.server.harness import running_server
from tools.find_browser import find_browser, launch_options
from tools.screenshots.acts import wait_for_table

PICTURES = Path(__file__).parent.parent / "docs" / "pictures"
TABLE, TURN = PICTURES / "table.webp", PICTURES / "turn.webp"
SIZE = {"width": 1440, "height": 960}
ANIMATION_WIDTH = 760
MOVES = 7  # of the animation
LARGEST = 1_500_000  # bytes


class Film:
    """Frames with the time each is shown."""

    def __init__(self, window: TablePage) -> None:
        self.window = window
        self.frames: list[Image.Image] = []
        self.shown: list[int] = []  # ms

    def shoot(self, seconds: float) -> None:
        """As many frames as come in that time."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            began = time.monotonic()
            picture = open_picture(self.window.page.screenshot(type="jpeg", quality=95))
            self.window.page.wait_for_timeout(40)
            height = round(picture.height * ANIMATION_WIDTH / picture.width)
            self.frames.append(picture.resize((ANIMATION_WIDTH, height), Image.Resampling.LANCZOS))
            self.shown.append(round((time.monotonic() - began) * 1000))

    def save(self, file: Path) -> None:
        """In the best quality that is small enough."""
        self.shown[-1] += 1500
        for quality in (80, 70, 60, 50, 40, 30):
            self.frames[0].save(
                file,
                save_all=True,
                append_images=self.frames[1:],
                duration=self.shown,
                loop=0,
                quality=quality,
                method=4,
            )
            if file.stat().st_size <= LARGEST:
                return
        sys.exit(f"{file} is too large")


def open_picture(data: bytes) -> Image.Image:
    return Image.open(io.BytesIO(data)).convert("RGB")


def draw(browser: Browser, folder: Path) -> None:
    game = prepare(
        folder, "Ana", "bot:greedy", until=in_turn(33), seed=205, hurry=False, tokens=True
    )
    with running_server(folder) as server:
        windows = Windows(browser, server)
        draw_table(windows, game)
        film_moves(windows, game)


def draw_table(windows: Windows, game: Prepared) -> None:
    window = windows.sit_at(game, 0, viewport=SIZE, device_scale_factor=1.5)
    wait_for_table(window)
    window.page.wait_for_timeout(500)
    open_picture(window.page.screenshot()).save(TABLE, quality=82, method=6)
    window.page.context.close()


def film_moves(windows: Windows, game: Prepared) -> None:
    window = windows.sit_at(game, 0, viewport=SIZE, reduced_motion="no-preference")
    wait_for_table(window)
    film = Film(window)
    film.shoot(1)
    for _ in range(MOVES):
        move = window.some_move()
        window.reach(move)
        film.shoot(0.7)
        window.send(move)
        film.shoot(1.6)
    film.save(TURN)
    window.page.context.close()


def main() -> None:
    file = find_browser()
    if file is None:
        sys.exit("no browser: make browser")
    PICTURES.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(**launch_options(file))
        draw(browser, Path(folder) / "data")
        browser.close()
    for picture in (TABLE, TURN):
        print(f"written: {os.path.relpath(picture)} ({picture.stat().st_size // 1000} kB)")


if __name__ == "__main__":
    main()
