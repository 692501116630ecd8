"""Games from the first screen on, by clicks, each at another width; one of them to the last."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.browser.marks import whole_games
from tests.browser.stillness import assert_stayed_put
from tests.browser.table import LOST, TablePage, expect_end, play_in_turns
from tests.browser.windows import DESK, LARGE, PHONE, TABLET, Windows

pytestmark = whole_games
OF_THE_TABLE = ", ".join(
    f"[data-{what}]" for what in ("move", "hand", "well", "space", "card", "lane", "token")
)

# What flies is gone in a moment: the page notes what it has seen.
NOTE_FLIGHTS = """
  window.flights = 0;
  new MutationObserver((changes) => {
    for (const { addedNodes } of changes)
      for (const node of addedNodes)
        if (node.className === "flying" && node.querySelector("svg") && node.getAnimations().length)
          flights += 1;
  }).observe(document.body, { childList: true, subtree: true });
"""
HIDDEN = "main [style*='visibility']"  # what lies at the end of a way while it is flown


def test_against_a_bot(windows: Windows) -> None:
    """With everything in motion at first, as it is for who changes nothing."""
    window, home = windows.at_home(seed=1, pace="fast", reduced_motion="no-preference", **DESK)
    window.page.evaluate(NOTE_FLIGHTS)
    home.sit("you", "greedy", names=["Ana"])
    home.choose_option("tokens")
    home.open_table()
    window.play(until=lambda turn: turn["view"]["turn"] > 3)
    window.come_to_rest()
    expect(window.page.locator(f".flying, {HIDDEN}")).to_have_count(0)  # all of it has landed
    assert window.page.evaluate("flights") > 3  # each turn moves something
    set_pace(window.page, "off")
    window.page.emulate_media(reduced_motion="reduce")  # to draw each way takes its time
    window.play()
    expect_end(window)
    assert window.state["places"][0]["name"] == "Ana"
    assert window.refused == []
    assert_stayed_put(window.page)


def set_pace(page: Page, pace: str) -> None:
    page.locator("[data-settings]").click()
    page.locator(f"[data-setting=speed] [data-value={pace}]").click()
    page.keyboard.press("Escape")
    expect(page.locator("dialog[open]")).to_have_count(0)


def test_two_people_at_one_device(windows: Windows) -> None:
    """The curtain falls at each change of turns, and there is nothing of the table behind it."""
    window, home = windows.at_home(seed=2, **TABLET)
    home.sit("you", "here", names=["Ana", "Ben"])
    home.open_table()
    window.on_curtain = lambda: expect_nothing_of_the_table(window.page)
    window.play(until=lambda turn: turn["view"]["turn"] > 6)
    assert window.curtains >= 6
    assert set(window.states) == {0, 1}
    assert_stayed_put(window.page)


def expect_nothing_of_the_table(page: Page) -> None:
    """Neither shown nor hidden in the document."""
    assert page.locator("[data-curtain]").count() == 1
    assert page.locator(OF_THE_TABLE).count() == 0


def test_solo_with_levels(windows: Windows) -> None:
    """By keys alone, once the table is open. How such a game ends is in test_keyboard.py."""
    window, home = windows.at_home(seed=3, pace="fast", keys=True)
    home.choose_solo(2, 3, 5)
    home.open_table()
    window.wait(lambda: window.turn, "the first turn")
    assert window.state["view"]["levels"] == [2, 3, 5]
    window.play(until=lambda turn: turn["view"]["turn"] > 6)
    window.come_to_rest()
    assert_stayed_put(window.page)


def test_two_browsers_over_a_link(windows: Windows) -> None:
    """One comes by the link, reloads in the middle of a turn, and loses the network in another."""
    host, home = windows.at_home(seed=4, **LARGE)
    home.sit("you", "link", names=["Ana"])
    home.open_table()
    link = host.page.locator("input[readonly]").first.input_value()
    guest = windows.come_by_link(link, "Ben", seed=5, **PHONE)
    guest.wait(lambda: guest.state.get("status") == "playing", "the game")
    assert [place["name"] for place in guest.state["places"]] == ["Ana", "Ben"]
    play_in_turns(host, guest, until=lambda: guest.is_in("main", turn=3))
    guest.reach(guest.some_move())  # half a move
    guest.page.reload()
    play_in_turns(host, guest, until=lambda: guest.is_in("main", turn=5))
    play_offline(guest)
    play_in_turns(host, guest, until=lambda: guest.is_in("main", turn=7))
    host.wait(lambda: host.version == guest.version, "the same state in both")
    for window in (host, guest):
        assert_stayed_put(window.page)
    assert host.state["view"]["seats"][1]["coatls"] == guest.state["view"]["seats"][1]["coatls"]


def play_offline(window: TablePage) -> None:
    """A move that is made without a network is kept, and sent when it is there again."""
    context, version = window.page.context, window.version
    move = window.some_move()
    with window.watch.may_be_cut():
        context.set_offline(True)
        expect(window.page.locator(LOST)).to_be_visible()
        window.reach(move)
        window.send(move)
        assert not window.has_sent(move)
        assert window.version == version
        context.set_offline(False)
        window.wait(lambda: window.version > version, "sending what was done without a network")
    assert window.has_sent(move)
    expect(window.page.locator(LOST)).to_have_count(0)
