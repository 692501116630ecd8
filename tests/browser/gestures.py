"""Drags, by mouse or by finger: where a move is picked up, and where it is put down.

Of the page they rely on ``data-drag`` and ``data-drop`` (explained in TurnLayer.svelte), on
``.drag-ghost``, the picture that follows the pointer, and on ``.drop-over`` on a place that would
take what is dragged over it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Locator, Page, expect

from coatl.moves import Move, MoveKind, Side, Token
from tests.browser.table import TablePage

Point = tuple[float, float]
GHOST = ".drag-ghost"
OVER = ".drop-over"
THRESHOLD = 6  # pixels that a mouse has to move (web/src/lib/gesture.ts)


class Mouse:
    """Drags after a few pixels."""

    def __init__(self, page: Page) -> None:
        self._mouse = page.mouse

    def pick_up(self, at: Point) -> None:
        self._mouse.move(*at)
        self._mouse.down()
        self._mouse.move(at[0], at[1] + THRESHOLD)

    def move(self, to: Point) -> None:
        self._mouse.move(*to, steps=3)

    def let_go(self) -> None:
        self._mouse.up()


class Finger:
    """Drags after resting for a moment. Playwright's own can only tap."""

    def __init__(self, page: Page) -> None:
        self._session = page.context.new_cdp_session(page)

    def pick_up(self, at: Point) -> None:
        self._send("touchStart", at)

    def move(self, to: Point) -> None:
        self._send("touchMove", to)

    def let_go(self) -> None:
        self._send("touchEnd")

    def _send(self, kind: str, *points: Point) -> None:
        touches = [{"x": x, "y": y} for x, y in points]
        self._session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touches})


def centre(target: Locator) -> Point:
    target.scroll_into_view_if_needed()
    box = target.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


@contextmanager
def dragged(window: TablePage, what: str) -> Iterator[Mouse | Finger]:
    """Something picked up (a selector of it); who drags lets go of it."""
    source = window.page.locator(f"{what}:visible").last  # in a sheet, if any
    pointer = Finger(window.page) if window.touch else Mouse(window.page)
    pointer.pick_up(centre(source))
    expect(window.page.locator(GHOST)).to_have_count(1)
    yield pointer
    expect(window.page.locator(GHOST)).to_have_count(0)


def play_by_drag(window: TablePage, move: Move) -> None:
    """Drag what a move moves; if it is asked whether that is meant, say so."""
    window.come_to_rest()
    version = window.version
    with dragged(window, _source(window, move)) as pointer:
        pointer.move(centre(window.page.locator(_target(move)).last))
        expect(window.page.locator(OVER)).to_have_count(1)
        pointer.let_go()
    asked = window.page.locator(f"[data-first][data-move={json.dumps(move.text)}]:visible")
    window.wait(lambda: window.version > version or asked.count(), f"dragging {move}")
    if window.version == version:
        window.press(asked)
    window.wait(lambda: window.version > version, f"sending {move}")


def can_be_dragged(move: Move) -> bool:
    kinds = (MoveKind.TAKE, MoveKind.PICK, MoveKind.DRAW, MoveKind.BEGIN, MoveKind.ADD)
    cards = (MoveKind.FULFIL, MoveKind.TEMPLE)
    return move.kind in kinds or move.kind in cards or move.token is Token.PRIEST


def drag_of(text: str) -> str:
    """What says of itself that it can be picked up, by the text of its ``data-drag``."""
    return f"[data-drag={json.dumps(text)}]"


def piece_on_board(piece: str) -> str:
    return f"button[data-piece={json.dumps(piece)}]"


def _source(window: TablePage, move: Move) -> str:
    assert window.turn is not None
    view = window.turn["view"]
    match move.kind:
        case MoveKind.TAKE:
            return drag_of(f"space {move.space}")
        case MoveKind.PICK:
            return drag_of(f"row {move.place} {move.card}")
        case MoveKind.DRAW:
            return drag_of("deck")
        case MoveKind.BEGIN | MoveKind.ADD:
            return piece_on_board(move.pieces[0])
        case MoveKind.FULFIL:
            return drag_of(f"card {move.card}")
        case MoveKind.TEMPLE:
            return drag_of(f"temple {0 if move.pile is None else move.pile + 1} {move.card}")
        case MoveKind.TOKEN if move.pile is not None:
            return drag_of(f"temple {move.pile + 1} {view['piles'][move.pile]['top']}")
    raise AssertionError(f"{move} is not dragged")


def _target(move: Move) -> str:
    match move.kind:
        case MoveKind.TAKE:
            return "[data-drop=board]:visible"
        case MoveKind.PICK | MoveKind.DRAW | MoveKind.TOKEN:
            return "[data-drop=hand]:visible"
        case MoveKind.BEGIN:
            return "[data-drop=begin]:visible"
        case MoveKind.ADD if move.side is Side.RIGHT:
            return f"[data-drop='end {move.coatl} right']:visible"
        case MoveKind.ADD:  # anywhere on the lane: what is nearest to the left end
            return f"[data-lane='{move.coatl}'] .tag"
    return f"[data-drop='lane {move.coatl}']:visible"
