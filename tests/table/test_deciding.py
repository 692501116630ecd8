"""Decisions: whose, at which version, and why not."""

from __future__ import annotations

import random

import pytest

from coatl.table import Table
from coatl.table.entries import Decided, Undone
from coatl.table.errors import Code
from tests.table.making import (
    assert_refused,
    finished,
    first_move,
    game_of,
    open_table,
    play_on,
    started,
    turn_of,
)


def test_a_decision_makes_the_version_one_greater() -> None:
    table = started("person", "person")
    move = first_move(table)
    assert table.decide(0, move, 3, "a") == Decided(0, move, "a")
    assert (table.version, table.done_before(0, "a"), table.done_before(1, "a")) == (4, 4, None)
    assert game_of(table).last_move == move


def test_the_log_has_the_notation_as_the_game_writes_it() -> None:
    table = started("person", "person")
    move = first_move(table)
    spaced = f"  {move}  "
    try:
        game_of(table).move(spaced)
    except ValueError:
        spaced = move
    assert table.decide(0, spaced, 3).move == move


@pytest.mark.parametrize(("version", "code"), [(2, Code.STALE), (0, Code.STALE), (4, Code.AHEAD)])
def test_another_version(version: int, code: Code) -> None:
    table = started("person", "person")
    move = first_move(table)
    assert_refused(table, code, lambda: table.decide(0, move, version, "a"))
    assert_refused(table, code, lambda: table.undo(0, version, "a"))
    assert table.done_before(0, "a") is None
    table.decide(0, move, 3, "a")  # an id that was refused was not used up


def test_another_seat_is_to_move() -> None:
    table = started("person", "person")
    move = first_move(table)
    assert_refused(table, Code.NOT_YOUR_TURN, lambda: table.decide(1, move, 3))
    assert_refused(table, Code.NOT_YOUR_TURN, lambda: table.undo(1, 3))
    assert_refused(table, Code.NOT_YOUR_TURN, lambda: table.bot_decides(1, move))
    assert_refused(table, Code.NOT_YOUR_TURN, lambda: table.bot_decides(0, move))
    for place in (1, None):
        assert_refused(table, Code.NOT_YOUR_TURN, lambda at=place: table.why(at, move))  # type: ignore[misc]


@pytest.mark.parametrize("place", [-1, 2])
def test_nobody_is_to_move(place: int) -> None:
    table = started("person", "person")
    move = first_move(table)
    assert_refused(table, Code.NO_PERSON, lambda: table.decide(place, move, 3))
    assert_refused(table, Code.NO_PERSON, lambda: table.undo(place, 3))


def test_the_game_has_not_begun() -> None:
    table = open_table("person", "open")
    for call in (
        lambda: table.decide(0, "done", 1),
        lambda: table.undo(0, 1),
        lambda: table.why(0, "done"),
        lambda: table.bot_failed(0, "?"),
    ):
        assert_refused(table, Code.NOT_STARTED, call)
    assert_refused(table, Code.NOT_YOUR_TURN, lambda: table.bot_decides(0, "done"))


def test_the_game_is_over() -> None:
    table = finished("person", "person")
    assert (table.status, table.to_move, table.bot_to_move) == ("over", None, None)
    version = table.version
    for call in (
        lambda: table.decide(0, "done", version),
        lambda: table.undo(0, version),
        lambda: table.why(0, "done"),
        lambda: table.bot_failed(0, "?"),
        lambda: table.hand_over(0, "greedy"),
        lambda: table.take_back(0),
        lambda: table.give_up(0),
    ):
        assert_refused(table, Code.OVER, call)
    assert_refused(table, Code.STALE, lambda: table.decide(0, "done", version - 1))


@pytest.mark.parametrize("move", ["", "take", "sing a song", "take b9", "\x00", "é" * 100])
def test_unreadable(move: str) -> None:
    table = started("person", "person")
    assert_refused(table, Code.UNREADABLE, lambda: table.decide(0, move, 3))
    assert_refused(table, Code.UNREADABLE, lambda: table.why(0, move))


def test_why_not_a_head_on_the_right() -> None:
    """No decision says that, but whoever drops one there is told the clause."""
    table = started("person", "person")
    for move in ("1+<K", "K>+1"):
        assert table.why(0, move).clause == "A4"
        assert_refused(table, Code.UNREADABLE, lambda move=move: table.decide(0, move, 3))  # type: ignore[misc]


def test_illegal_with_its_clause() -> None:
    table = started("person", "person")
    assert game_of(table).phase == "setup"
    error = assert_refused(table, Code.ILLEGAL, lambda: table.decide(0, "take b1", 3))
    reason = table.why(0, "take b1")
    assert (error.clause, error.cause, error.text) == ("S5", "S5.first", reason.text)
    assert (reason.clause, reason.cause) == ("S5", "S5.first")
    allowed = table.why(0, first_move(table))
    assert (allowed.clause, allowed.cause, allowed.text) == ("", "", "")


# ---------------------------------------------------------------- undo


def table_with_undo() -> Table:
    table = started("person", "person")
    table.decide(0, first_move(table), 3)
    assert game_of(table).can_undo
    return table


def test_undo() -> None:
    table = table_with_undo()
    moves = game_of(table).legal_moves()
    assert table.undo(0, 4, "u") == Undone(0, "u")
    assert (table.version, table.done_before(0, "u")) == (5, 5)
    assert game_of(table).legal_moves() != moves
    assert game_of(table).moves_made[-1] == "undo"


def test_nothing_to_undo() -> None:
    table = started("person", "person")
    error = assert_refused(table, Code.NOTHING_TO_UNDO, lambda: table.undo(0, 3))
    assert (error.clause, error.cause) == ("T0", "T0.undo")


def test_the_other_seat_cannot_undo() -> None:
    table = table_with_undo()
    assert_refused(table, Code.NOT_YOUR_TURN, lambda: table.undo(1, 4))


# ---------------------------------------------------------------- bots


def test_a_bot_plays_its_own_turn_only() -> None:
    table = started("greedy", "person")
    assert (table.bot_to_move, table.is_turn_of(0)) == ("greedy", False)
    move = first_move(table)
    assert_refused(table, Code.BOT_PLAYS, lambda: table.decide(0, move, 2))
    assert_refused(table, Code.BOT_PLAYS, lambda: table.undo(0, 2))
    assert_refused(table, Code.ILLEGAL, lambda: table.bot_decides(0, "take b1"))
    assert_refused(table, Code.UNREADABLE, lambda: table.bot_decides(0, "?"))
    assert table.bot_decides(0, move) == Decided(0, move)
    assert table.version == 3


def test_a_bot_that_failed_is_replaced() -> None:
    table = started("random", "person")
    entry = table.bot_failed(0, "RuntimeError: it hurts")
    assert (entry.bot, table.places[0].bot, table.places[0].kind) == ("greedy", "greedy", "bot")
    note = table.notes[-1]
    assert (note.version, note.kind, note.place) == (3, "bot_failed", 0)
    assert note.text == "RuntimeError: it hurts"
    assert table.version == 3


def test_turns_go_round() -> None:
    table = started("person", "random", "person", draw_seats=True)
    rng = random.Random(0)
    seen = set()
    while table.status == "playing":
        place = turn_of(table)
        seen.add(place)
        assert game_of(table).seat == table.seat_of(place)
        assert [table.is_turn_of(at) for at in (0, 1, 2, None)] == [
            at == place and at != 1 for at in (0, 1, 2, None)
        ]
        for at in range(3):
            view = table.view(at)
            assert view is not None
            assert bool(view.moves) == (at == place)
        play_on(table, rng)
    assert seen == {0, 1, 2}
