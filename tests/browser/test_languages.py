"""The last turns of games in French and German: every text is in that language, nothing moves.

Somebody watches each of them.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.browser.home import HomePage
from tests.browser.marks import whole_games
from tests.browser.prepared import in_turn, prepare
from tests.browser.stillness import assert_stayed_put
from tests.browser.table import TablePage, assert_fits, expect_end
from tests.browser.windows import DESK, LARGE, TABLET, Json, Windows

pytestmark = whole_games
MESSAGES = Path(__file__).parents[2] / "web" / "messages"
# All that can be read on the screen or by a screen reader.
TEXTS = """() => {
  const found = new Set();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) found.add(walker.currentNode.nodeValue.trim());
  for (const element of document.querySelectorAll("[aria-label], [title], [placeholder]"))
    for (const name of ["aria-label", "title", "placeholder"])
      found.add((element.getAttribute(name) ?? "").trim());
  return [...found];
}"""


def plain_texts(language: str) -> set[str]:
    """The texts of a catalogue that are always the same."""
    return {text for text in all_texts(language) if "{" not in text}


def all_texts(language: str) -> Iterator[str]:
    catalogue: dict[str, Any] = json.loads((MESSAGES / f"{language}.json").read_text("utf-8"))
    for entry in catalogue.values():
        if isinstance(entry, str):
            yield entry
        else:
            yield from entry[0]["match"].values()


def read(window: TablePage, language: str) -> int:
    """How many texts of the language there are; not one may be an English one."""
    shown = set(window.page.evaluate(TEXTS))
    own, english = plain_texts(language), plain_texts("en")
    assert not shown & (english - own)
    return len(shown & (own - english))


@pytest.mark.parametrize(
    ("language", "like", "bots", "turn"), [("fr", TABLET, 1, 23), ("de", LARGE, 3, 57)]
)
def test_a_game_in_another_language(
    windows: Windows, folder: Path, language: str, like: Json, bots: int, turn: int
) -> None:
    kinds = ["Ana", *["bot:greedy"] * bots]
    prepared = prepare(folder, *kinds, until=in_turn(turn), seed=31, tokens=True)
    spectator = windows.sit_at(prepared, **DESK)
    spectator.wait(lambda: spectator.state, "the table")
    window = windows.open(held=prepared.held(0), **like)
    HomePage(window.page).choose_language(language)
    window.wait(lambda: read(window, language) > 20, "the first screen in that language")
    window.page.locator(f"a[href='#/table/{prepared.id}']").click()
    while not window.is_over:
        window.wait(lambda: window.is_over or window.turn, "my turn or the end")
        assert_fits(window.page)
        if window.turn:
            assert read(window, language) > 10
        if window.turn:  # the page may have ended it meanwhile
            window.play_one()
    expect_end(window)
    expect_end(spectator)
    for at_table in (window, spectator):
        assert_stayed_put(at_table.page)
    assert read(window, language) > 5
    assert window.page.locator("html").get_attribute("lang") == language
