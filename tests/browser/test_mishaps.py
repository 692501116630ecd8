"""What may go wrong: the server, the wrong place, the same thing twice, something out of date."""

from __future__ import annotations

import json
from pathlib import Path

from playwright.sync_api import expect

from coatl.table import Table
from coatl.table.entries import Decided
from tests.browser.marks import whole_games
from tests.browser.prepared import in_turn, prepare, view_of
from tests.browser.stillness import assert_stayed_put
from tests.browser.table import LOST, USABLE, TablePage
from tests.browser.windows import Windows
from tests.server.harness import ROOT, LiveServer

pytestmark = whole_games
SPACES = ("b1", "b2", "b3", "b4", "b5", "b6", "h1", "h2", "t1", "t2")
WORDS = json.loads((ROOT / "web/messages/en.json").read_text(encoding="utf-8"))


def moves_of(server: LiveServer, table: str, place: int) -> list[str]:
    """What a place has decided, as it is on the disk."""
    log = server.read_log(table)
    return [entry.move for entry in log if isinstance(entry, Decided) and entry.place == place]


def test_the_server_is_killed_in_the_middle_of_a_game(windows: Windows, folder: Path) -> None:
    """Nothing is lost, and what is done meanwhile is sent when the server is there again."""
    prepared = prepare(folder, "Ana", "bot:greedy", until=in_turn(13), seed=11)
    window = windows.sit_at(prepared, 0)
    window.do(window.some_move())
    move, version = window.some_move(), window.version
    before = moves_of(windows.server, prepared.id, 0)
    with window.watch.may_be_cut():
        windows.server.kill()
        expect(window.page.locator(LOST)).to_be_visible()
        window.reach(move)
        window.send(move)
        windows.server.start()
        window.wait(lambda: window.version > version, "sending what was done meanwhile")
        expect(window.page.locator(LOST)).to_have_count(0)
    assert moves_of(windows.server, prepared.id, 0)[: len(before) + 1] == [*before, move.text]
    window.play(until=lambda turn: turn["view"]["turn"] > 14)
    assert_stayed_put(window.page)


def test_a_server_of_another_protocol(windows: Windows, folder: Path) -> None:
    """The page loads itself anew, once. Where that does not help it says so, and stays."""
    prepared = prepare(folder, "Ana", "Ben", until=in_turn(5), seed=16)
    window, server = windows.sit_at(prepared, 0), windows.server
    window.wait(lambda: window.turn, "my turn")
    loads: list[str] = []
    window.page.on("load", lambda page: loads.append(page.url))
    with window.watch.may_be_cut():
        server.stop()
        before = server.prelude
        server.prelude += "; import coatl.server.protocol as p; p.PROTOCOL += 1"
        server.start()
        window.wait(lambda: window.page.locator("h1").count(), "the message")
        expect(window.page.locator("h1")).to_have_text(WORDS["other_version"])
        expect(window.page.locator("main p")).to_have_text(WORDS["error_wrong_protocol"])
        assert len(loads) == 1
        server.stop()
        server.prelude = before
        server.start()
        window.page.reload()
        window.wait(lambda: window.page.locator("main.table").count(), "the table")


def test_wrong_clicks(windows: Windows, folder: Path) -> None:
    """Nothing happens at the table, and the page stays well."""
    prepared = prepare(folder, "Ana", "Ben", until=in_turn(7), seed=12, tokens=True)
    mine, other = windows.sit_at(prepared, 0), windows.sit_at(prepared, 1)
    mine.wait(lambda: mine.turn, "my turn")
    other.wait(lambda: other.state, "the other's table")
    version, before = mine.version, moves_of(windows.server, prepared.id, 0)
    for window in (other, mine):
        window.page.locator("[data-space]").first.wait_for()  # its state was there before it
        assert press_everything(window) > len(SPACES)  # of the table, and what lies on it
    assert (mine.version, other.version) == (version, version)
    assert moves_of(windows.server, prepared.id, 0) == before
    for window in (mine, other):
        assert not [refused for refused in window.refused if refused["code"] == "illegal"]
    mine.do(mine.some_move())  # it still works


def press_everything(window: TablePage) -> int:
    """Every place of the table that sends nothing, one after the other; how many there were."""
    places = ", ".join(
        f"[data-{what}]:not([data-move]):visible"
        for what in ("space", "well", "hand", "lane", "token", "card", "draw", "seat")
    )
    pressed = 0
    for number in range(window.page.locator(places).count()):
        target = window.page.locator(places).nth(number)
        if target.count():
            target.click(force=True, timeout=2000)
            pressed += 1
    window.page.keyboard.press("Escape")
    return pressed


def test_the_reason_is_told_in_words(windows: Windows, folder: Path) -> None:
    """An empty space, too little room, one card too many: in the words of the cause."""
    full = prepare(folder, "Ana", "Ben", until=is_full, seed=15, hurry=False, tokens=True)
    mine, other = windows.sit_at(full, 0), windows.sit_at(full, 1)
    mine.wait(lambda: mine.turn, "my turn")
    supply = mine.state["view"]["supply"]
    empty = next(space for space in SPACES if not supply.get(space))
    pair = next(space for space in SPACES if len(supply.get(space, "")) == 2)
    expect_reason(mine, f"[data-space={empty}]", "T1")
    expect_reason(mine, f"[data-space={pair}]", "T2")
    expect_reason(mine, "[data-draw]", "P2", "P2_full")
    other.wait(lambda: other.state, "the other's table")
    other.page.locator(f"[data-space={pair}]").click()
    expect(other.page.locator("[data-why]")).to_have_text(WORDS["error_not_your_turn"])


def is_full(table: Table) -> bool:
    """Ana is to play with a full hand and no room for a pair, and a space is empty."""
    if not in_turn(1)(table):
        return False
    view = view_of(table, 0)
    own = view["seats"][0]
    spaces = [len(view["supply"].get(space, "")) for space in SPACES]
    return len(own["hand"]) == 5 and len(own["board"]) >= 7 and 0 in spaces and 2 in spaces


def expect_reason(window: TablePage, target: str, clause: str, cause: str = "") -> None:
    window.page.locator(target).click()
    shown = window.page.locator(f"[data-why={clause}]")
    expect(shown).to_have_text(f"{WORDS['why_' + (cause or clause)]} {clause}")
    window.page.keyboard.press("Escape")
    expect(window.page.locator("[data-why]")).to_have_count(0)


def test_a_browser_that_stores_nothing(windows: Windows) -> None:
    """The page says so, keeps the language that was chosen, and a game can be played."""
    window, home = windows.at_home(forgetful=True)
    expect(window.page.locator("[data-not-kept=blocked]")).to_be_visible()
    home.choose_language("de")
    home.sit("you", "here", names=("Ana", "Ben"))
    home.open_table()
    window.wait(lambda: window.turn, "the first turn")
    window.do(window.some_move())


def test_a_double_click_is_one_move(windows: Windows, folder: Path) -> None:
    prepared = prepare(folder, "Ana", "Ben", until=in_turn(5), seed=13)
    mine = windows.sit_at(prepared, 0)
    mine.wait(lambda: mine.turn, "my turn")
    before = moves_of(windows.server, prepared.id, 0)
    take = mine.some_takes()[0]
    mine.reach(take)
    mine.offered(take).first.dblclick(no_wait_after=True)
    mine.wait(lambda: mine.turn is None, "the end of my turn")
    assert moves_of(windows.server, prepared.id, 0) == [*before, take.text]
    assert {refused["code"] for refused in mine.refused} <= {"stale", "not_your_turn"}


def test_a_move_that_is_out_of_date(windows: Windows, folder: Path) -> None:
    """In another window of the same seat the turn was played while this one had no network."""
    prepared = prepare(folder, "Ana", "Ben", until=in_turn(5), seed=14)
    late, first = windows.sit_at(prepared, 0), windows.sit_at(prepared, 0)
    late.wait(lambda: late.turn, "my turn")
    takes = late.some_takes()
    with late.watch.may_be_cut():
        late.page.context.set_offline(True)
        first.do(takes[0])
        late.reach(takes[1])
        late.send(takes[1])
        late.page.context.set_offline(False)
        late.wait(lambda: late.version == first.version, "the present state")
        late.wait(lambda: late.refused, "the answer to what came too late")
    assert {refused["code"] for refused in late.refused} <= {"stale", "not_your_turn"}
    assert moves_of(windows.server, prepared.id, 0)[-1] == takes[0].text
    assert late.page.locator(f"[data-move]{USABLE}").count() == 0
