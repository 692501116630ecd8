"""How much is fetched until the first screen can be used, and what is not."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Page

from tests.browser.home import HomePage
from tests.browser.marks import in_a_browser
from tests.browser.windows import PHONE, WIDE, Windows

pytestmark = in_a_browser

MOST = 200_000  # bytes with all headers, scripts, styles, fonts and data
# parts of files' names
LATER = ("TableScreen", "ReplayScreen", "RulesScreen", "CardsScreen", "HelpSheets", "qr-")


class Transfers:
    """What a page fetches: bytes as they come over the network, by address."""

    def __init__(self, page: Page) -> None:
        self.bytes: dict[str, int] = {}
        self._addresses: dict[str, str] = {}
        session = page.context.new_cdp_session(page)
        session.on("Network.responseReceived", self._begin)
        session.on("Network.loadingFinished", self._end)
        session.send("Network.enable")
        session.send("Network.setCacheDisabled", {"cacheDisabled": True})

    def _begin(self, event: dict[str, Any]) -> None:
        self._addresses[event["requestId"]] = event["response"]["url"]

    def _end(self, event: dict[str, Any]) -> None:
        address = self._addresses.get(event["requestId"], "")
        if address.startswith("http"):
            self.bytes[address] = int(event["encodedDataLength"])

    @property
    def files(self) -> set[str]:
        return {address.rsplit("/", 1)[-1] for address in self.bytes}

    def languages(self) -> list[str]:
        """Of the files with texts, one by one."""
        found = (re.match(r"(en|fr|de)-[\w-]+\.js$", file) for file in self.files)
        return [match[1] for match in found if match]


@pytest.mark.parametrize(("language", "like"), [("en", WIDE), ("fr", PHONE), ("de", WIDE)])
def test_the_first_screen_is_light(windows: Windows, language: str, like: dict[str, Any]) -> None:
    window = windows.open(language=language, **like)
    transfers = Transfers(window.page)
    window.page.reload(wait_until="networkidle")
    HomePage(window.page)
    window.page.evaluate("document.fonts.ready.then(() => null)")
    window.page.wait_for_load_state("networkidle")
    assert transfers.languages() == [language]  # the further texts come with another screen
    assert [file for file in transfers.files if file.endswith(".woff2")]
    assert not [file for file in transfers.files if file.startswith(LATER)]
    assert sum(transfers.bytes.values()) < MOST, transfers.bytes


def test_a_screen_is_fetched_when_it_is_shown(windows: Windows) -> None:
    window, home = windows.at_home()
    transfers = Transfers(window.page)
    home.sit("you", "random")
    home.open_table()
    window.wait(lambda: window.turn, "my turn")
    assert [file for file in transfers.files if file.startswith("TableScreen")]
    assert len(transfers.languages()) == 1  # the first screen had the other texts
    assert not [file for file in transfers.files if file.startswith("ReplayScreen")]
    before = set(transfers.files)
    window.page.goto(f"{windows.server.url}/#/")
    window.page.goto(f"{windows.server.url}/#/replay")
    window.wait(lambda: [f for f in transfers.files if f.startswith("ReplayScreen")], "the replay")
    again = {file for file in transfers.files - before if file.startswith("TableScreen")}
    assert again == set()
