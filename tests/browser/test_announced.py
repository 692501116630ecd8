"""What is announced to those who listen: each event once, as it happened, at every width.

The words of each event are compared in English (`tests.browser.announced`); what they are in other
languages is tested with the page (web/tests).
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from coatl.moves import MoveKind
from tests.browser.announced import Announced
from tests.browser.marks import whole_games
from tests.browser.prepared import in_turn, prepare
from tests.browser.rusher import legal_moves
from tests.browser.table import LOST, TablePage
from tests.browser.windows import PHONE, Windows

pytestmark = whole_games


def play_turns(window: TablePage, turns: int) -> None:
    """Until some more turns of the game are over, or the game is."""
    window.wait(lambda: window.turn, "my turn")
    last = window.state["view"]["turn"] + turns
    window.play(until=lambda state: state["view"]["turn"] >= last)
    window.come_to_rest()


def test_a_bot_is_followed_by_ear(windows: Windows, folder: Path) -> None:
    """On a phone, where much of it is not to be seen; wide windows follow below."""
    prepared = prepare(folder, "Ana", "bot:greedy as Teo", until=in_turn(9), seed=71, tokens=True)
    window = windows.sit_at(prepared, 0, **PHONE)
    play_turns(window, 8)
    announced = windows.announced[window]
    assert announced.check() > 20
    texts = announced.texts()
    assert texts[0].startswith("Your turn. ")  # what was before is no news
    assert "Teo is playing." in texts


@pytest.mark.parametrize("pace", ["off", "fast"])
def test_adam_is_followed_by_ear(windows: Windows, folder: Path, pace: str) -> None:
    """Step by step or at once: the same is said, and nothing twice."""
    prepared = prepare(folder, "Ana", until=in_turn(5), seed=72, levels=(1,))
    window = windows.sit_at(prepared, 0, pace=pace)
    play_turns(window, 6)
    announced = windows.announced[window]
    assert announced.check() > 20
    searches = [text for text in announced.texts() if text.startswith("A.D.A.M. takes from space")]
    assert len(searches) >= 3


def test_a_spectator_hears_the_same(windows: Windows, folder: Path) -> None:
    prepared = prepare(folder, "Ana", "Ben", until=in_turn(7), seed=73)
    player, watcher = windows.sit_at(prepared, 0, 1), windows.sit_at(prepared)
    watcher.wait(lambda: watcher.states, "the table")
    watcher.come_to_rest()
    play_turns(player, 4)
    watcher.wait(lambda: watcher.version == player.version, "the spectator's state")
    watcher.come_to_rest()
    assert windows.announced[watcher].check(place=None) > 5


def test_in_a_dialog_it_is_still_heard(windows: Windows, folder: Path) -> None:
    """A modal dialog makes what is outside of it silent."""
    prepared = prepare(folder, "Ana", "Ben", until=in_turn(7), seed=74)
    ana, ben = windows.sit_at(prepared, 0), windows.sit_at(prepared, 1, **PHONE)
    ben.wait(lambda: ben.states, "the table")
    ben.come_to_rest()
    ben.page.locator("[data-pill='0']").click()
    expect(ben.page.locator("dialog[open] [data-announcer]")).to_have_count(1)
    ana.do(ana.some_takes()[0])
    ben.wait(lambda: "Your turn." in "".join(windows.announced[ben].texts()), "hearing of it")
    windows.announced[ben].check(place=1)
    ben.page.keyboard.press("Escape")
    expect(ben.page.locator("dialog[open]")).to_have_count(0)
    expect(ben.page.locator("#app > [data-announcer]")).to_have_count(1)


def test_refusals_and_a_lost_connection(windows: Windows, folder: Path) -> None:
    prepared = prepare(folder, "Ana", "Ben", until=in_turn(19), seed=61, tokens=True)
    window = windows.sit_at(prepared, 0)
    window.some_move()
    window.come_to_rest()
    announced = windows.announced[window]
    ask_for_pieces(window, announced)
    assert window.turn is not None
    begin = next(m for m in legal_moves(window.turn["view"]) if m.kind is MoveKind.BEGIN)
    window.page.locator(f'button[data-piece="{begin.pieces[0]}"]').first.press("Enter")
    refusal = window.page.locator(".why-key").first
    assert refusal.inner_text().endswith("not now. Why?")
    refusal.press("Enter")
    window.wait(lambda: len(announced.texts(urgent=True)) > 2, "the refusal")
    why = announced.texts(urgent=True)[-1]
    assert re.fullmatch(r"Not allowed: .+ \([A-Z]\d+\)", why)
    with window.watch.may_be_cut():
        window.page.context.set_offline(True)
        expect(window.page.locator(LOST)).to_be_visible()
        window.page.context.set_offline(False)
        expect(window.page.locator(LOST)).to_have_count(0)
    window.wait(lambda: "Connected again." in announced.texts(), "that it is back")
    assert announced.texts().count("Connected again.") == 1


def ask_for_pieces(window: TablePage, announced: Announced) -> None:
    """With Perfect Pick: keys reach what cannot be taken now, and it says why."""
    window.page.locator("[data-token=pick]").press("Enter")
    for what in ("[data-kind=b]", ".turn-pop .btn.pri"):
        button = window.page.locator(what)
        expect(button).to_have_attribute("aria-disabled", "true")
        told = len(announced.texts(urgent=True))
        button.press("Enter")
        window.wait(lambda: len(announced.texts(urgent=True)) > told, f"why not {what}")  # noqa: B023
    no_room, choose_first = announced.texts(urgent=True)
    assert re.fullmatch(r"Not allowed: Your board has no room for this: .+ \(T2\)", no_room)
    assert choose_first == "First choose what you take: 1 head."
    window.page.keyboard.press("Escape")


def test_titles_name_screen_and_turn(windows: Windows, folder: Path) -> None:
    prepared = prepare(folder, "Ana", "Ben", until=in_turn(7), seed=75)
    ana, ben = windows.sit_at(prepared, 0), windows.sit_at(prepared, 1)
    expect(ana.page).to_have_title("Your turn · Cóatl")
    expect(ben.page).to_have_title("Ana’s turn · Cóatl")
    expect(ben.page.get_by_role("heading", name="Ana’s turn", level=1)).to_have_count(1)
    ana.do(ana.some_takes()[0])
    expect(ana.page).to_have_title("Ben’s turn · Cóatl")
    expect(ben.page).to_have_title("Your turn · Cóatl")
    ana.page.goto(ana.page.url.split("#")[0])
    expect(ana.page).to_have_title("Cóatl")
