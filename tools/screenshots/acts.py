"""What is done in a window before its picture is taken: presses as a person would make them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import timedelta

from playwright.sync_api import Page

from coatl import lessons
from coatl.moves import Move, MoveKind, Token
from coatl.puzzles import PuzzleKind, shipped, solution, today
from tests.browser.home import READY, HomePage
from tests.browser.rusher import legal_moves
from tests.browser.table import END, USABLE, TablePage
from tools.screenshots import games
from tools.screenshots.settings import LONG, UNBROKEN

Act = Callable[[TablePage], None]
COMPILING = 300_000.0  # milliseconds that the first hint on a machine may take
POP = ".turn-pop"
SHEET = "dialog.sheet:not(:modal)"
LOOK_SHEET = "dialog.sheet:modal"
MIDDLE_OF_HIS_TURN = """() => document.querySelectorAll(".steps5 .st.was").length >= 2
  || Number(document.querySelector(".nowp .lab")?.textContent.match(/[0-9]/)?.[0]) >= 3"""


def nothing(_window: TablePage) -> None:
    """The screen as it opens."""


def wait_for(selector: str) -> Act:
    return lambda window: window.page.locator(selector).first.wait_for()


def wait_for_table(window: TablePage) -> None:
    window.wait(lambda: window.state, "the table")
    window.come_to_rest()


def press(window: TablePage, selector: str) -> None:
    window.press(window.page.locator(selector + USABLE).first)


def legal(window: TablePage, fits: Callable[[Move], bool]) -> Move:
    wait_for_table(window)
    turn = window.turn
    assert turn is not None, "it is not this window's turn"
    found = next((move for move in legal_moves(turn["view"]) if fits(move)), None)
    assert found is not None, "no such move is legal"
    return found


# ---------------------------------------------------------------- at the table


def choose_a_piece(window: TablePage) -> None:
    """One of the board is picked up, so that its places are lit."""
    wait_for_table(window)
    window.press(window.page.locator(f"button[data-well]{USABLE}").last)


def ask_for_a_hint(window: TablePage) -> None:
    wait_for_table(window)
    press(window, "[data-hint-button]")
    window.page.locator("[data-hint-title]").wait_for(timeout=COMPILING)
    window.come_to_rest()


def open_tab(stage: str) -> Act:
    """A tab of the phone."""

    def act(window: TablePage) -> None:
        wait_for_table(window)
        press(window, f"[data-tab={stage}]")

    return act


def raise_hand(window: TablePage) -> None:
    """On a phone; elsewhere the hand is always there."""
    wait_for_table(window)
    if window.touch:
        press(window, ".grip[aria-expanded=false]")


def read_hand_card(window: TablePage) -> None:
    raise_hand(window)
    press(window, "[data-hand]")
    window.page.locator(POP).wait_for()


def read_laid_card(window: TablePage) -> None:
    wait_for_table(window)
    press(window, "[data-on]")
    window.page.locator(POP).wait_for()


def read_temple_card(window: TablePage) -> None:
    wait_for_table(window)
    if window.touch:
        press(window, "[data-tab=temples]")
    press(window, "[data-pile='0']")
    window.page.locator(POP).wait_for()


def ask_why_not(window: TablePage) -> None:
    read_hand_card(window)
    press(window, "[data-ask]")
    window.page.locator("[data-why]").wait_for()


def open_the_rule(window: TablePage) -> None:
    """From the reason why something is not allowed: its clause, over the table."""
    ask_why_not(window)
    press(window, "[data-why] [data-rule-link]")
    window.page.locator("[data-rule-sheet] [data-clause]").wait_for()


def open_help(tab: str) -> Act:
    def act(window: TablePage) -> None:
        wait_for_table(window)
        button = window.page.locator("[data-help-button]:visible")  # else there is no room for it
        if not button.count():
            open_menu(window)
        press(window, "[data-help-button]" if button.count() else "[data-help-menu]")
        press(window, f"[data-help-tab={tab}]")
        content = "kbd" if tab == "keys" else "[data-clause]"
        window.page.locator(f"[data-help={tab}] {content}").first.wait_for()

    return act


def search_for(text: str) -> Act:
    """In the rules."""

    def act(window: TablePage) -> None:
        window.page.locator("#sections").wait_for(state="attached")
        window.page.locator("[data-search]").fill(text)
        window.page.locator("[data-found]").wait_for()

    return act


def ask_to_take(window: TablePage) -> None:
    window.reach(legal(window, lambda move: move.kind is MoveKind.TAKE))
    window.page.locator(POP).wait_for()


def ask_to_draw(window: TablePage) -> None:
    """A card of the row has been taken; the deck asks first."""
    window.do(legal(window, lambda move: move.kind is MoveKind.PICK))
    window.reach(legal(window, lambda move: move.kind is MoveKind.DRAW))
    window.page.locator(POP).wait_for()


def draw(window: TablePage) -> None:
    window.do(legal(window, lambda move: move.kind is MoveKind.DRAW))
    wait_for_table(window)


def look_at_token(token: Token) -> Act:
    def act(window: TablePage) -> None:
        raise_hand(window)
        press(window, f"[data-token={token.value}]")
        window.page.locator(POP).wait_for()

    return act


def choose_perfect_pair(window: TablePage) -> None:
    look_at_token(Token.PICK)(window)
    for colour in ("B", "G"):
        press(window, f"[data-colour={colour}]")


def see_the_future(window: TablePage) -> None:
    """The row is new, and one card of the hand is discarded, if there is one."""
    look_at_token(Token.FUTURE)(window)
    window.send(legal(window, lambda move: move.token is Token.FUTURE))
    window.page.locator(SHEET).wait_for()
    turn = window.turn
    assert turn is not None
    drops = [move for move in legal_moves(turn["view"]) if move.kind is MoveKind.DROP]
    if drops:
        window.do(drops[0])
    wait_for_table(window)


def open_menu(window: TablePage) -> None:
    wait_for_table(window)
    press(window, ".lintel button.ico[aria-expanded]")
    window.page.locator(".table-menu").wait_for()


def open_settings(before: Act) -> Act:
    """From a screen that some other act brings about."""

    def act(window: TablePage) -> None:
        before(window)
        press(window, "[data-settings]")
        window.page.locator("[data-settings-sheet]").wait_for()

    return act


def ask_to_give_up(window: TablePage) -> None:
    open_menu(window)
    press(window, "[data-give-up-ask]")
    window.page.locator("[data-give-up]").wait_for()


def look_at_a_player(window: TablePage) -> None:
    wait_for_table(window)
    press(window, "[data-pill='1']" if window.touch else ".opp .opener")
    window.page.locator(LOOK_SHEET).wait_for()


def read_log(window: TablePage) -> None:
    """It is a tab, or behind the menu, or a tab of the column."""
    wait_for_table(window)
    if window.touch:
        press(window, "[data-tab=log]")
    elif window.page.locator(f".opp-tabs .tab{USABLE}").count() and is_wide(window):
        press(window, ".opp-tabs .tab[aria-selected=false]")
    elif not is_wide(window):
        open_menu(window)
        press(window, "[data-log]")
        window.page.locator(LOOK_SHEET).wait_for()


def is_wide(window: TablePage) -> bool:
    size = window.page.viewport_size
    return size is not None and size["width"] >= 1180


def let_adam_play(window: TablePage) -> None:
    """The own turn ends, and A.D.A.M. is held in the middle of his."""
    window.do(legal(window, lambda move: move.kind is MoveKind.TAKE))
    window.page.wait_for_function(MIDDLE_OF_HIS_TURN)
    press(window, ".btn.sq[aria-pressed=false]")


def look_at_the_end(window: TablePage) -> None:
    window.page.locator(END).wait_for()
    window.page.wait_for_load_state("networkidle")  # the statistics come after it


# ---------------------------------------------------------------- lessons

KEEP_LESSON = """([name, path, step]) => localStorage.setItem(
  "coatl.lessons", JSON.stringify({ [name]: { path, step, done: false } }))"""


def take_up_lesson(name: str, step: str, *then: str) -> Act:
    """At a step, after some moves in it; it was left there."""

    def act(window: TablePage) -> None:
        names = [one.name for one in lessons.load_lesson(name).steps]
        number = names.index(step) if step else len(names)
        path = [*lessons.path_to(name, min(number, len(names) - 1)), *then]
        window.page.locator("[data-lesson]").first.wait_for()
        window.page.evaluate(KEEP_LESSON, [name, path, number])
        window.page.goto(window.page.url.split("#")[0] + f"#/learn/{name}")
        window.page.locator(f"[data-coach={step or 'over'}]").wait_for()

    return act


# ---------------------------------------------------------------- puzzles

KEEP_DAYS = (
    """(days) => localStorage.setItem("coatl.puzzles", JSON.stringify({ puzzles: {}, days }))"""
)
DAYS_IN_ROW = 6


def first_puzzles() -> dict[PuzzleKind, int]:
    """The number of the first puzzle of each kind."""
    kinds = [puzzle.kind for puzzle in shipped().puzzles]
    return {kind: kinds.index(kind) + 1 for kind in PuzzleKind}


def choose_in_puzzle(window: TablePage) -> None:
    """A piece is chosen in the puzzle of the day, after some days in a row."""
    days = [(today() - timedelta(days=ago)).isoformat() for ago in range(1, DAYS_IN_ROW + 1)]
    window.page.locator("[data-puzzle]").wait_for()
    window.page.evaluate(KEEP_DAYS, days)
    window.page.reload()
    window.page.locator("[data-puzzle]").wait_for()
    pieces = window.page.locator(".puzzle [data-piece]")
    if pieces.count():
        pieces.first.click()


def solve_puzzle(window: TablePage) -> None:
    """The answer is found, after an attempt that was worse."""
    page = window.page
    page.locator("[data-puzzle]").wait_for()
    number = int(page.locator("[data-puzzle]").get_attribute("data-puzzle") or 0)
    play_puzzle(page, solution(shipped().puzzle(number)))
    page.locator("[data-check]").click()
    page.locator("[data-verdict=solved]").wait_for()


def play_puzzle(page: Page, moves: Sequence[str]) -> None:
    """Press what makes these moves."""
    puzzle = page.locator("[data-puzzle]")
    puzzle.wait_for()
    for move in moves:
        count = int(puzzle.get_attribute("data-moves") or 0)
        before, _, card = move.partition(":")
        if card:
            name = card.partition("@")[0]
            page.locator(f'[data-hand="{name}"], [data-temple="{name}"]').first.click()
        else:
            left, _, right = before.partition("+")
            piece = right if left.isdigit() else left
            page.locator(f'[data-piece="{piece}"]').first.click()
            page.locator(f'[data-move="{move}"]').click()
        page.locator(f"[data-moves='{count + 1}']").wait_for()


# ---------------------------------------------------------------- elsewhere


def analyse(window: TablePage) -> None:
    """The game that is over; once, as the server keeps the analysis."""
    page = window.page
    done, ask = page.locator("[data-summary]"), page.locator("[data-analyse]")
    page.locator("[data-analysis]").wait_for(state="attached")  # empty when it is done
    page.wait_for_load_state("networkidle")
    if ask.count():
        page.locator("[data-depth=quick]").click()
        ask.click()
    done.wait_for(timeout=600_000)


def analyse_and_go_to_a_turning_point(window: TablePage) -> None:
    analyse(window)
    window.page.keyboard.press("1")
    window.page.locator("[data-turning].on").wait_for()


def go_to_the_middle(window: TablePage) -> None:
    """Of a replay."""
    replay = window.page.locator("[data-replay]")
    replay.wait_for()
    before = replay.get_attribute("data-step")
    window.page.locator("[data-scrub]").click()
    window.wait(lambda: replay.get_attribute("data-step") != before, "another step")
    window.page.wait_for_load_state("networkidle")


def wait_for_home(window: TablePage) -> None:
    window.page.locator(READY).wait_for()


def open_finished(window: TablePage) -> None:
    """The finished games among one's tables."""
    wait_for_home(window)
    window.page.locator(".table-link").first.wait_for()
    window.page.locator(".finished summary").first.click()


def open_solo_form(window: TablePage) -> None:
    HomePage(window.page).choose_solo(1, 5)


def open_form(way: str) -> Act:
    """For a new game of that kind."""
    return lambda window: HomePage(window.page).begin(way)


def choose_opponents(kept: list[games.Json]) -> Act:
    """Among faces that one has played against, with the options open."""

    def act(window: TablePage) -> None:
        games.keep(kept, window)
        HomePage(window.page).choose_opponents("apprentice", "high-priest")
        window.page.locator("[data-change-options]").click()

    return act


def show_home(kept: list[games.Json]) -> Act:
    """Of somebody who has played these games."""

    def act(window: TablePage) -> None:
        games.keep(kept, window)
        wait_for_home(window)

    return act


def open_waiting_room(*names: str) -> Act:
    def act(window: TablePage) -> None:
        home = HomePage(window.page)
        home.sit("you", "here", "link", "greedy", names=names)
        home.open_table()
        window.page.locator("[data-waiting]").wait_for()

    return act


def arrive_by_link(window: TablePage) -> None:
    server = window.page.url.split("/#")[0].rstrip("/")
    body = {"places": [{"kind": "person", "name": "Ana"}, {"kind": "open"}]}
    opened = window.page.request.post(f"{server}/api/tables", data=body).json()
    window.page.goto(f"{server}/#/invite/{opened['table']}/{opened['invite']}")
    window.page.locator("[data-guest-name]").wait_for()


def give_a_long_name(window: TablePage) -> None:
    arrive_by_link(window)
    window.page.locator("[data-guest-name]").fill(LONG)


LONG_WAITING_ROOM = open_waiting_room(LONG, UNBROKEN)


def show_games(kept: list[games.Json]) -> Act:
    return lambda window: games.show(kept, window)
