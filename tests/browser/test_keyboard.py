"""The keys of a table: Enter and Space do what a click does, Escape lets go of things.

Other games by keys are in test_games.py, the keys of a replay are in test_replay.py.
"""

from __future__ import annotations

import json
from pathlib import Path

from playwright.sync_api import Locator, expect

from coatl.moves import Move, MoveKind
from coatl.table import Table
from tests.browser.keyplayer import FULL, KeyPlayer
from tests.browser.marks import whole_games
from tests.browser.prepared import Prepared, in_turn, prepare, view_of
from tests.browser.rusher import legal_moves
from tests.browser.stops import count_stops
from tests.browser.table import END, TablePage, expect_end
from tests.browser.windows import PHONE, Windows

pytestmark = whole_games
POP = ".turn-pop"


def test_the_keys_of_a_turn(windows: Windows, folder: Path) -> None:
    prepared = prepare(folder, "Ana", "Ben", until=in_turn(19), seed=60, tokens=True)
    window = windows.sit_at(prepared, 0)
    window.some_move()
    window.come_to_rest()
    version = window.version
    read_a_card(window)
    hold_a_piece(window)
    close_the_menu(window)
    assert window.version == version
    take_pieces(window)


def read_a_card(window: TablePage) -> None:
    """On an opponent's Cóatl; Escape closes what explains it."""
    card = window.page.locator("[data-read]:visible").first
    reading = window.page.locator(f"[data-reading={json.dumps(card.get_attribute('data-read'))}]")
    for key in ("Enter", "Space"):
        card.press(key)
        expect(reading).to_be_visible()
        window.page.keyboard.press("Escape")
        expect(reading).to_have_count(0)


def hold_a_piece(window: TablePage) -> None:
    """Space picks it up and lights a place for it; Escape and Space put it back."""
    begin = legal(window, MoveKind.BEGIN)
    piece = window.page.locator(f"button[data-piece={json.dumps(begin.pieces[0])}]").first
    for key in ("Escape", "Space"):
        piece.press("Space")
        expect(piece).to_have_attribute("aria-pressed", "true")
        expect(window.offered(begin)).to_be_visible()
        piece.press(key)
        expect(piece).to_have_attribute("aria-pressed", "false")
        expect(window.offered(begin)).to_have_count(0)
    piece.press("Enter")
    window.page.locator(".why-key").first.press("Enter")  # an end that does not take it
    expect(window.page.locator("[data-why]:not([data-why=''])")).to_be_visible()
    window.page.keyboard.press("Escape")
    expect(window.page.locator(POP)).to_have_count(0)


def close_the_menu(window: TablePage) -> None:
    menu = window.page.locator(".table-menu")
    window.page.locator("header [aria-expanded=false]:not([data-hint-button])").press("Enter")
    expect(menu).to_be_visible()
    window.page.keyboard.press("Escape")
    expect(menu).to_have_count(0)


def take_pieces(window: TablePage) -> None:
    """The question has the focus: Enter says yes. After Escape the space has it again."""
    take = legal(window, MoveKind.TAKE)
    space = window.page.locator(f"[data-space={take.space}]")
    version = window.version
    space.press("Enter")
    expect_focus(window.offered(take))
    window.page.keyboard.press("Escape")
    expect(window.page.locator(POP)).to_have_count(0)
    expect_focus(space)
    window.page.keyboard.press("Enter")
    expect_focus(window.offered(take))
    window.page.keyboard.press("Enter")
    window.wait(lambda: window.version > version, f"sending {take}")
    assert window.has_sent(take)


def legal(window: TablePage, kind: MoveKind) -> Move:
    assert window.turn is not None
    return next(move for move in legal_moves(window.turn["view"]) if move.kind is kind)


def expect_focus(target: Locator) -> None:
    expect(target).to_have_count(1)
    expect(target).to_be_focused()


def test_escape_ends_what_others_are_shown_to_do(windows: Windows, folder: Path) -> None:
    """The page's clock stands still, so that it would never end by itself."""
    prepared = prepare(folder, "Ana", until=in_turn(5), seed=61, levels=(1,))
    window = windows.sit_at(prepared, 0, pace="normal")
    take = window.some_takes()[0]
    window.come_to_rest()
    window.page.clock.install(time=0)
    window.page.clock.pause_at(1)
    window.do(take)
    expect(window.page.locator("main:not([data-untold='0'])")).to_be_visible()
    window.page.keyboard.press("Escape")
    shown = f"main[data-version='{window.version}'][data-untold='0']"
    expect(window.page.locator(shown)).to_be_visible()


def test_the_end_of_a_game_by_keys(windows: Windows, folder: Path) -> None:
    """Against a bot, by what a screen reader is told: the last Cóatl, from its head to its cards.

    The first turns are below.
    """
    prepared = prepare(folder, "Ana", "bot:greedy", until=before_the_last_coatl, seed=97)
    player = sit_down(windows, prepared)
    player.play()
    expect_end_by_ear(player)
    assert windows.announced[player.window].check() > 8


def test_the_end_of_a_solo_game_by_keys(windows: Windows, folder: Path) -> None:
    prepared = prepare(folder, "Ana", until=before_the_last_coatl, seed=73, levels=(2, 3, 5))
    player = sit_down(windows, prepared)
    player.play()
    expect_end_by_ear(player)
    assert windows.announced[player.window].check() > 8
    last = player.window.state["view"]["seats"][0]["coatls"][-1]
    assert last["complete"]
    assert last["cards"]
    expect_end(player.window)
    assert "A.D.A.M." in player.window.page.locator(END).inner_text()


def before_the_last_coatl(table: Table) -> bool:
    """Two are complete, nothing else is begun, and there is enough on the board for the third."""
    if not in_turn(1)(table):
        return False
    own = view_of(table, 0)["seats"][0]
    ends = {end for end in "<>" for piece in own["board"] if end in piece}
    is_the_last = [coatl["complete"] for coatl in own["coatls"]] == [True, True]
    return is_the_last and len(own["board"]) >= FULL + 2 and ends == {"<", ">"}


def test_first_turns_by_keys(windows: Windows, folder: Path) -> None:
    """In French: other letters, other words."""
    prepared = prepare(folder, "Ana", until=in_turn(0, phase="setup"), seed=63, levels=())
    player = sit_down(windows, prepared, "fr")
    player.press(player.letters[player.words["keys_end"]])  # before a card is ticked
    told = windows.announced[player.window]
    asked = f"{player.words['prompt_keep_three']} {player.words['rest_discarded']}"
    player.window.wait(lambda: told.texts(urgent=True) == [asked], "what has to be ticked")
    player.play(steps=9)  # the set-up, four takes, a Cóatl that is begun, and segments
    assert player.window.state["view"]["seats"][0]["coatls"]


def sit_down(windows: Windows, prepared: Prepared, language: str = "en") -> KeyPlayer:
    """The first Tab gives something the focus; from then on it is never lost."""
    window = windows.sit_at(prepared, 0, language=language)
    window.wait(lambda: window.turn, "my turn")
    window.come_to_rest()
    player = KeyPlayer(window, language)
    player.press("Tab")
    player.learn_letters()
    return player


def expect_end_by_ear(player: KeyPlayer) -> None:
    """The focus is on the heading of the end, which tells who won."""
    player.until(lambda tree: player.words["prompt_over"] in tree.text, "the end")
    player.until(lambda _tree: player.tree.focus().role == "heading", "the heading")
    assert player.window.refused == []


def test_letters_can_be_turned_off(windows: Windows, folder: Path) -> None:
    """Where the keys are shown, which the menu does too. Another screen begins at its heading."""
    prepared = prepare(folder, "Ana", "Ben", until=in_turn(3), seed=64)
    player = sit_down(windows, prepared)
    supply = str(player.go_to("supply"))
    board = player.letters[player.words["your_board"]]
    player.show_keys()
    player.tab_until(lambda node: node.role == "switch")
    player.press("Space")
    player.press("Escape")
    assert str(player.tree.focus()) == supply
    for key in (board, "?", "1"):
        assert str(player.press(key)) == supply
    player.tab_until(lambda node: node.name == player.words["menu"], "Shift+Tab")
    player.press("Enter")
    player.tab_until(lambda node: node.name == player.words["keys"])
    player.press("Enter")
    player.until(lambda tree: player.dialog(tree, "keys") is not None, "the keys")
    player.press("Escape")
    assert player.tree.focus().name == player.words["menu"]
    player.tab_until(lambda node: player.words["to_home"] in node.name, "Shift+Tab")
    player.press("Enter")
    player.until(
        lambda _tree: player.tree.focus().role == "heading", "the heading of the first screen"
    )


def test_one_stop_a_group(windows: Windows, folder: Path) -> None:
    """On a phone, at home, among opponents and at a table; the arrows turn its tabs."""
    prepared = prepare(folder, "Ana", "Ben", until=in_turn(7), seed=65)
    window = windows.open(held=prepared.held(0), **PHONE)
    page = window.page
    expect(page.locator("[data-table]")).to_be_visible()
    assert count_stops(page) > 10
    page.goto(f"{windows.server.url}/#/opponents")
    expect(page.locator("[data-at-table]")).to_be_visible()
    assert count_stops(page) > 5
    page.locator("[data-opponent-face=novice]").press("ArrowRight")
    expect_focus(page.locator("[data-opponent-face=apprentice][aria-pressed=false]"))
    page.goto(f"{windows.server.url}/#/table/{prepared.id}")
    window.wait(lambda: window.turn, "my turn")
    window.come_to_rest()
    assert count_stops(page) > 6
    page.locator("[data-tab=supply]").press("ArrowRight")
    expect_focus(page.get_by_role("tab", selected=True, name="Prophecies"))
    expect(page.get_by_role("tabpanel", name="Prophecies")).to_be_visible()
    expect(page.get_by_role("tabpanel", name="Supply")).to_have_count(0)
