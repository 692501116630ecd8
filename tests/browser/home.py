"""The first screen, and how a game is begun from there by clicks.

It relies on ``data-language``, ``data-begin``, on ``data-way`` of the tiles, ``data-change`` and
``data-opponent-face`` where opponents are chosen, and in the form for a new game on
``data-seat-row`` with ``data-who`` inside, ``data-option`` (levels are ``level-1`` to ``level-5``)
and ``data-open``.
"""

from __future__ import annotations

from collections.abc import Sequence

from playwright.sync_api import Page, expect

READY = "[data-begin]"  # the first screen can be used


class HomePage:
    def __init__(self, page: Page) -> None:
        self.page = page
        expect(page.locator(READY)).to_be_visible()

    def choose_language(self, language: str) -> None:
        self.page.locator(f"[data-language={language}]").click()
        expect(self.page.locator(f"html[lang={language}]")).to_be_attached()

    def go(self, way: str) -> None:
        """By a tile: ``friends``, ``device``, ``solo``, ``replays`` or ``games``."""
        self.page.locator(f"[data-way={way}]").click()

    def begin(self, way: str) -> None:
        """The form for a new game of that kind."""
        self.go(way)
        expect(self.page.locator(f"[data-new={way}] [data-open]")).to_be_visible()

    def play(self) -> None:
        """With one press."""
        self.page.locator("[data-begin]").click()
        self.page.wait_for_url("**#/table/*")

    def choose_opponents(self, *names: str) -> None:
        """By their faces, one a seat; then the game can begin with `play`."""
        self.page.locator("[data-change]").click()
        for at, name in enumerate(names):
            self.page.locator(f"[data-table-seat='{at}']").click()
            self.page.locator(f"[data-opponent-face={name}]").click()

    def sit(self, *who: str, names: Sequence[str] = ()) -> None:
        """``you``, ``here``, ``link`` or the name of a bot, by place; the others stay empty."""
        self.begin("device" if "here" in who else "friends")
        kinds = [kind if kind in ("you", "here", "link") else "bot" for kind in who]
        kinds += ["empty"] * (4 - len(kinds))
        for place, kind in enumerate(kinds):
            row = self.page.locator(f"[data-seat-row='{place}']")
            row.locator(f"[data-who={kind}]").click()
            if kind == "bot":
                row.locator("select").select_option(who[place])
            elif kind in ("you", "here") and place < len(names):
                row.locator("input").fill(names[place])

    def choose_solo(self, *levels: int) -> None:
        self.begin("solo")
        for level in levels:
            self.choose_option(f"level-{level}")

    def choose_option(self, name: str) -> None:
        box = self.page.locator(f"[data-option={name}]")
        box.check(force=True)  # the box may be drawn by its label
        expect(box).to_be_checked()

    def open_table(self) -> None:
        self.page.locator("[data-open]").click()
        self.page.wait_for_url("**#/table/*")
