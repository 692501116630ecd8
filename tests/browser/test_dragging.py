"""Pieces and cards are dragged to where they belong."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import expect

from coatl.moves import Move, MoveKind
from coatl.table import Practice
from tests.browser.gestures import (
    OVER,
    can_be_dragged,
    centre,
    drag_of,
    dragged,
    piece_on_board,
    play_by_drag,
)
from tests.browser.marks import whole_games
from tests.browser.prepared import prepare
from tests.browser.rusher import legal_moves
from tests.browser.table import TablePage
from tests.browser.windows import TABLET, WIDE, Json, Windows

pytestmark = whole_games
PIECES = {"begin", "add left", "add right"}
CARDS = {"pick", "draw", "fulfil", "temple", "priest"}
MOST_MOVES = 20
# one Cóatl complete, and what it takes to complete another in one turn
POSITION = """
2p tokens turn=9
| board=<B,<R,K,K> hand={R},GB,YB temples=noY/7 coatl=<KKKBK>:KKK coatl=RGRR
| board=K,B hand={K},KG temples=noG/9
"""
TOUCH_TABLET: Json = TABLET | {"has_touch": True}  # there everything lies side by side


def kind_of_drag(move: Move) -> str:
    if not can_be_dragged(move):
        return ""
    return f"add {move.side}" if move.kind is MoveKind.ADD else move.token or move.kind


@pytest.mark.parametrize("like", [WIDE, TOUCH_TABLET], ids=["mouse", "finger"])
def test_whatever_can_be_dragged_is_dragged(windows: Windows, folder: Path, like: Json) -> None:
    """Until each kind of drag has been made; before that some in vain."""
    practice = Practice(POSITION)
    prepared = prepare(folder, "Ana", "bot:greedy", until=lambda _: True, practice=practice)
    window = windows.sit_at(prepared, 0, **like)
    drag_in_vain(window)
    missing = {"take"} | PIECES | CARDS
    for _ in range(MOST_MOVES):
        move = next_move(window, missing)
        if can_be_dragged(move):
            play_by_drag(window, move)
            missing.discard(kind_of_drag(move))
        else:
            window.do(move)
        if not missing:
            break
    assert missing == set()
    assert window.refused == []


def next_move(window: TablePage, missing: set[str]) -> Move:
    """One that is missing if it is legal, else what leads on."""
    hurried = window.some_move()
    assert window.turn is not None
    legal = legal_moves(window.turn["view"])
    return next((move for move in legal if kind_of_drag(move) in missing), hurried)


def drag_in_vain(window: TablePage) -> None:
    """Beside every place, given up by Escape, or where it may not go: nothing is sent."""
    window.some_move()
    window.come_to_rest()
    assert window.turn is not None
    own, moves = window.turn["view"]["seats"][0], legal_moves(window.turn["view"])
    begin = next(move for move in moves if move.kind is MoveKind.BEGIN)
    piece = piece_on_board(begin.pieces[0])
    lane = window.page.locator("[data-drop=begin]:visible").last
    version = window.version

    with dragged(window, piece) as pointer:
        pointer.move(centre(window.page.locator("header .prompt")))
        expect(window.page.locator(OVER)).to_have_count(0)
        pointer.let_go()
    expect_nothing_held(window)

    with dragged(window, piece) as pointer:
        pointer.move(centre(lane))
        expect(window.page.locator(OVER)).to_have_count(1)
        window.page.keyboard.press("Escape")
    pointer.let_go()
    expect_nothing_held(window)

    assert own["coatls"][0]["complete"]  # nothing can be laid on it any more
    card = own["hand"][0]
    with dragged(window, drag_of(f"card {card}")) as pointer:
        pointer.move(centre(window.page.locator("[data-drop='lane 0']")))
        expect(window.page.locator(".drop-no")).to_have_count(1)
        pointer.let_go()
    expect(window.page.locator("[data-why]:not([data-why=''])")).to_be_visible()
    window.page.keyboard.press("Escape")
    expect_nothing_held(window)
    assert (window.version, window.refused) == (version, [])


def expect_nothing_held(window: TablePage) -> None:
    """Neither picked up, nor asked or told about."""
    held = "[data-drag][aria-pressed=true], .turn-pop, .drop-over, .drop-no, body.dragging"
    expect(window.page.locator(held)).to_have_count(0)
