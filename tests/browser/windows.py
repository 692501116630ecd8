"""Browser windows: what they are like, where they go, and whether all was well in them."""

from __future__ import annotations

import json
from typing import Any

from playwright.sync_api import Browser, BrowserContext

from tests.browser.announced import Announced
from tests.browser.chance import DRAW_IN_PAGE
from tests.browser.home import HomePage
from tests.browser.prepared import Prepared
from tests.browser.stillness import NOTE_MOVES
from tests.browser.table import TablePage
from tests.server.harness import LiveServer

Json = dict[str, Any]
WIDE: Json = {"viewport": {"width": 1280, "height": 800}}
DESK: Json = {"viewport": {"width": 1440, "height": 900}}
LARGE: Json = {"viewport": {"width": 1920, "height": 1080}}
TABLET: Json = {"viewport": {"width": 820, "height": 1180}}
PHONE: Json = {
    "viewport": {"width": 390, "height": 844},
    "has_touch": True,
    "is_mobile": True,
    "device_scale_factor": 2,
}
# What a browser does where a person has blocked storage: the mere look at it fails.
FORGETFUL = """for (const name of ["localStorage", "sessionStorage"])
  Object.defineProperty(window, name, { get() { throw new DOMException("", "SecurityError"); } })"""
# Without a worker every file comes from the server, which most tests rely on.
TIPS = ["fits", "closing", "temple", "refill"]  # all there are
NO_WORKER = "delete Navigator.prototype.serviceWorker"
HOLD = "if (!localStorage.getItem({key})) localStorage.setItem({key}, {value})"


class Windows:
    """Each window is a browser of its own: nothing is shared between them."""

    def __init__(self, browser: Browser, server: LiveServer) -> None:
        self.browser = browser
        self.server = server
        self.opened: list[TablePage] = []
        self.announced: dict[TablePage, Announced] = {}  # what each window says
        self._contexts: list[BrowserContext] = []

    def open(
        self,
        address: str = "/",
        held: list[Json] | None = None,
        seed: int = 0,
        language: str = "en",
        pace: str = "off",
        keys: bool = False,
        forgetful: bool = False,
        worker: bool = False,
        tips: bool = False,
        **like: Any,
    ) -> TablePage:
        """At an address of the page, with seats that it holds already.

        `pace` is how fast others are shown to play; off: at once. With `keys` the table is
        played by the keyboard alone. A `forgetful` browser stores nothing for the page.
        With `tips` it gives those for first games, else it has told them all.
        With `worker` the page may keep itself for when there is no network.
        """
        if self.server.process is None:
            self.server.start()
        options = WIDE | {"locale": language, "reduced_motion": "reduce"} | like
        context = self.browser.new_context(**options)
        self._contexts.append(context)
        kept: Json = {"coatl.pace": {"speed": pace, "motion": pace != "off"}}
        if not tips:
            kept["coatl.tips"] = TIPS
        if held:
            kept["coatl.seats"] = held
        if forgetful:
            assert not held
            context.add_init_script(FORGETFUL)
            kept = {}
        for key, value in kept.items():
            text = json.dumps(json.dumps(value))
            context.add_init_script(HOLD.format(key=json.dumps(key), value=text))
        context.add_init_script(DRAW_IN_PAGE)
        context.add_init_script(NOTE_MOVES)
        if not worker:
            context.add_init_script(NO_WORKER)
        touch = bool(options.get("has_touch"))
        page = context.new_page()
        window = TablePage(page, seed, touch, keys)
        self.announced[window] = Announced(page)
        self.opened.append(window)
        window.page.goto(self.server.url + address)
        return window

    def sit_at(self, prepared: Prepared, *places: int, **like: Any) -> TablePage:
        """At a prepared table, in the seats of some places; without any as a spectator."""
        held = prepared.held(*places) if places else prepared.held_by_a_spectator()
        return self.open(f"/#/table/{prepared.id}", held, **like)

    def come_by_link(self, link: str, name: str = "", **like: Any) -> TablePage:
        """As a guest who was sent a link, and gives a name."""
        window = self.open(link.removeprefix(self.server.url), **like)
        window.page.locator("[data-guest-name]").fill(name)
        window.page.locator("[data-guest-join]").click()
        return window

    def at_home(self, **like: Any) -> tuple[TablePage, HomePage]:
        window = self.open(**like)
        return window, HomePage(window.page)

    def check_and_close(self) -> None:
        try:
            for window in self.opened:
                if not window.page.is_closed():
                    window.watch.check()
        finally:
            for context in self._contexts:
                context.close()
