"""The page of a server that is starting: it says how far that is, and goes on by itself."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.home import READY, HomePage
from tests.browser.marks import in_a_browser
from tests.browser.prepared import in_turn, prepare
from tests.browser.table import LOST, TablePage
from tests.browser.windows import PHONE, Windows
from tests.server.harness import ROOT, LiveServer, wait_until

pytestmark = in_a_browser

# Runs in the server: it gets ready when a file says so, and says how far it is as a file says.
HOLD = """
import time
from pathlib import Path
from coatl.server.startup import Startup

def prepare(self, folder=Path({folder!r}), usual=Startup.prepare):
    while not (folder / "ready").exists():
        if (folder / "failed").exists():
            raise OSError("the disk is full")
        if (folder / "share").exists():
            self._report("coatl.rules", float((folder / "share").read_text()))
        time.sleep(0.01)
    return usual(self)

Startup.prepare = prepare
"""


class HeldServer(LiveServer):
    """It stays in its start as long as it is told to."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder, HOLD.format(folder=str(folder.parent)))

    def is_up(self) -> bool:
        try:
            return bool(self.request("GET", "/api/startup")[0] == 200)
        except OSError:
            return False

    def note(self, name: str, text: str = "") -> None:
        new = self.folder.parent / f"{name}.new"
        new.write_text(text)
        new.rename(self.folder.parent / name)  # at once, as somebody reads it

    def go_on(self) -> None:
        self.note("ready")
        wait_until(lambda: self.request("GET", "/healthz")[0] == 200, "the server is ready")


@pytest.fixture
def held(folder: Path) -> Iterator[HeldServer]:
    server = HeldServer(folder)
    yield server
    if server.process is not None and server.process.poll() is None:
        server.stop()


@pytest.fixture
def windows(browser: Browser, held: HeldServer) -> Iterator[Windows]:
    """In the end none may have seen anything wrong but that the server was not ready."""
    windows = Windows(browser, held)
    yield windows
    for window in windows.opened:
        watch = window.watch
        watch.wrong = [what for what in watch.wrong if "503" not in what]
    windows.check_and_close()


def words(language: str) -> dict[str, str]:
    return dict(json.loads((ROOT / f"web/messages/{language}.json").read_text(encoding="utf-8")))


def home_of(window: TablePage) -> HomePage:
    """When the page has noticed that the server is ready."""
    window.wait(lambda: window.page.locator(READY).count(), "the first screen")
    return HomePage(window.page)


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_page_waits_and_then_plays(windows: Windows, held: HeldServer, language: str) -> None:
    window = windows.open(language=language, **PHONE)
    main = window.page.locator("main")
    expect(main).to_have_text(words(language)["starting"])
    for percent in (7, 64):
        held.note("share", str(percent / 100 + 0.005))
        text = words(language)["starting_compiling"].replace("{percent}", str(percent))
        bar = window.page.get_by_role("progressbar", name=text, exact=True)
        expect(bar).to_have_js_property("value", percent)
    expect(main).to_contain_text(words(language)["starting_only_once"])
    window.page.locator("[data-theme-button]").click()  # nothing else can be done
    held.go_on()
    home = home_of(window)
    if language == "en":  # it is the same game in both
        home.sit("you", "random")
        home.open_table()
        window.do(window.some_move())


def test_a_failure_is_said(windows: Windows, held: HeldServer) -> None:
    """And the page comes back when the server is started anew, and was silent for a while."""
    window = windows.open()
    held.note("failed")
    main = window.page.locator("main")
    expect(main).to_have_text(words("en")["error_start_failed"])
    with window.watch.may_be_cut():
        assert held.stop() == 0
        expect(main).to_have_text(words("en")["error_offline"])
        (held.folder.parent / "failed").unlink()
        held.start()
        held.go_on()
        home_of(window)


def test_a_table_is_shown_when_the_server_is_ready(windows: Windows, folder: Path) -> None:
    prepared = prepare(folder, "Ana", "Ben", until=in_turn(5), seed=16)
    window, held = windows.sit_at(prepared, 0), windows.server
    assert isinstance(held, HeldServer)
    expect(window.page.locator("[data-starting]")).to_be_visible()
    held.go_on()
    window.do(window.some_move())


def test_a_table_stays_while_the_server_starts_anew(windows: Windows, folder: Path) -> None:
    """What was done meanwhile is not lost."""
    prepared = prepare(folder, "Ana", "bot:greedy", until=in_turn(13), seed=11)
    held = windows.server
    assert isinstance(held, HeldServer)
    held.note("ready")
    window = windows.sit_at(prepared, 0)
    move, version = window.some_move(), window.version
    window.come_to_rest()  # all that it needs has come
    with window.watch.may_be_cut():
        held.kill()
        (folder.parent / "ready").unlink()
        held.start()
        window.wait(lambda: window.refused, "a refusal")
        assert {refused["code"] for refused in window.refused} == {"starting"}
        expect(window.page.locator(LOST)).to_be_visible()
        window.reach(move)
        window.send(move)
        held.note("ready")
        window.wait(lambda: window.version > version, "sending what was done meanwhile")
        expect(window.page.locator(LOST)).to_have_count(0)
