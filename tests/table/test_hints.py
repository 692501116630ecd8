"""Hints at a table: where they are on, what the log says of them, and who may play for whom."""

from __future__ import annotations

import random
from typing import Any

import pytest

from coatl.players.registry import player_names
from coatl.table import Table, decode_entry
from coatl.table.entries import Decided, Entry, HandedOver, Hinted, Opened, TakenBack
from coatl.table.errors import Code
from coatl.table.status import Note, NoteKind
from tests.table.making import (
    assert_refused,
    finished,
    first_move,
    game_of,
    log_of_a_game,
    open_table,
    picture,
    play_on,
    rebuilt,
    sit_down,
    started,
    turn_of,
)


@pytest.mark.parametrize(
    ("kinds", "options", "has_hints"),
    [
        (("person", "random"), {}, True),
        (("open", "random", "greedy"), {}, True),
        (("person",), {"levels": (1,)}, True),
        (("person", "person"), {}, False),
        (("person", "open", "random"), {}, False),
        (("person", "open"), {"hints": True}, True),
    ],
)
def test_where_there_are_hints(
    kinds: tuple[str, ...], options: dict[str, Any], has_hints: bool
) -> None:
    assert open_table(*kinds, **options).has_hints is has_hints


def test_a_log_of_an_earlier_version_agreed_on_none() -> None:
    entry = decode_entry(
        b'{"do":"open","places":[{"kind":"person"},{"kind":"person"}],"promise":"ab"}'
    )
    assert isinstance(entry, Opened)
    assert entry.hints is False
    assert decode_entry(b'{"do":"back","place":1}') == TakenBack(1, None, after_turn=False)


def test_a_rematch_keeps_the_agreement() -> None:
    table = finished("person", "person")
    assert table.plan_rematch("ab" * 32, "this")[0].hints is False
    table.opened = Opened(table.opened.places, table.opened.promise, hints=True)
    assert table.plan_rematch("ab" * 32, "this")[0].hints is True


def test_the_log_says_once_in_a_turn_that_there_was_a_hint() -> None:
    table = started("person", "random")
    log: list[Entry] = [table.opened, *sit_down(open_table("person", "random"))]
    for _ in range(2):
        assert turn_of(table) == 0
        before, events = game_of(table).digest, game_of(table).event_count
        log.append(table.hint(0, table.version))
        assert log[-1] == Hinted(0)
        assert table.was_hinted
        assert (game_of(table).digest, game_of(table).event_count) == (before, events)
        assert table.notes[-1] == Note(table.version, NoteKind.HINT, 0, "", events)
        assert_refused(table, Code.TOO_OFTEN, lambda: table.hint(0, table.version))
        _play_until_it_is_the_turn_of(0, table, log)
        assert not table.was_hinted
    assert picture(rebuilt(log)) == picture(table)


def _play_until_it_is_the_turn_of(place: int, table: Table, log: list[Entry]) -> None:
    turn, rng = game_of(table).turn, random.Random(1)
    while game_of(table).turn == turn or turn_of(table) != place:
        log.append(play_on(table, rng))


def test_who_gets_no_hint() -> None:
    table = open_table("person", "person", hints=True)
    assert_refused(table, Code.NOT_STARTED, lambda: table.check_hint(0))
    sit_down(table)
    assert_refused(table, Code.NOT_YOUR_TURN, lambda: table.check_hint(1))
    assert_refused(table, Code.NOT_YOUR_TURN, lambda: table.check_hint(None))
    assert_refused(table, Code.STALE, lambda: table.hint(0, table.version - 1))
    table.hand_over(0, "random")
    assert_refused(table, Code.BOT_PLAYS, lambda: table.check_hint(0))
    over = finished("person", "random")
    assert_refused(over, Code.OVER, lambda: over.check_hint(0))
    off = started("person", "person")
    assert_refused(off, Code.HINTS_OFF, lambda: off.check_hint(0))
    assert_refused(off, Code.HINTS_OFF, lambda: off.hint(0, off.version))


# ---------------------------------------------------------------- bots that play for people


def test_no_strong_bot_plays_for_a_person_where_hints_are_off() -> None:
    weak = {"greedy", "random", "novice", "montecarlo"}
    table = started("person", "person")
    for bot in set(player_names()) - weak:
        assert_refused(table, Code.BOT_TOO_STRONG, lambda name=bot: table.hand_over(0, name))  # type: ignore[misc]
    for bot in weak:
        table.hand_over(0, bot)
        table.take_back(0)
    started("person", "person", hints=True).hand_over(0, "high-priest")
    started("person", "random").hand_over(0, "high-priest")


def test_a_bot_plays_its_turn_to_the_end_where_hints_are_off() -> None:
    table, rng = started("person", "person"), random.Random(2)
    log: list[Entry] = [table.opened, *sit_down(open_table("person", "person"))]
    log.append(table.hand_over(0, "random"))
    log.append(table.bot_decides(0, first_move(table)))
    assert turn_of(table) == 0
    log.append(table.take_back(0, "t"))
    assert log[-1] == TakenBack(0, "t", after_turn=True)
    assert (table.bot_to_move, table.places[0].returns) == ("random", True)
    assert_refused(table, Code.BOT_PLAYS, lambda: table.take_back(0))
    assert_refused(table, Code.BOT_PLAYS, lambda: table.decide(0, first_move(table), table.version))
    while turn_of(table) == 0:
        assert table.places[0].bot == "random"
        log.append(play_on(table, rng))
    assert (table.places[0].bot, table.places[0].returns) == (None, False)
    assert [note.kind for note in table.notes] == [NoteKind.HAND, NoteKind.BACK]
    assert table.notes[-1].version == table.version
    assert picture(rebuilt(log)) == picture(table)


def test_a_turn_that_the_bot_has_not_begun_is_taken_back_at_once() -> None:
    table = started("person", "person")
    table.decide(0, first_move(table), table.version)  # what the person did counts for nothing
    table.hand_over(0, "random")
    assert table.take_back(0) == TakenBack(0)
    table.hand_over(0, "random")
    table.bot_decides(0, first_move(table))
    while turn_of(table) == 0:
        table.bot_decides(0, first_move(table))
    assert table.take_back(0) == TakenBack(0)
    assert table.places[0].bot is None


@pytest.mark.parametrize(
    ("kinds", "hints"), [(("person", "random"), False), (("person",) * 2, True)]
)
def test_with_hints_a_turn_is_taken_back_at_once(kinds: tuple[str, ...], hints: bool) -> None:
    table = started(*kinds, hints=hints)
    table.hand_over(0, "random")
    table.bot_decides(0, first_move(table))
    assert turn_of(table) == 0
    assert table.take_back(0) == TakenBack(0)


def test_who_gives_up_does_not_return() -> None:
    table = started("person", "person")
    table.hand_over(0, "random")
    table.bot_decides(0, first_move(table))
    table.take_back(0)
    table.give_up(0)
    while turn_of(table) == 0:
        table.bot_decides(0, first_move(table))
    assert (table.places[0].bot, table.places[0].returns) == ("greedy", False)


def test_the_game_may_end_with_the_turn() -> None:
    *log, last = log_of_a_game("person", "person")
    assert isinstance(last, Decided)
    log += [HandedOver(last.place, "random"), TakenBack(last.place, None, after_turn=True), last]
    table = rebuilt(log)
    assert table.status == "over"
    assert (table.places[last.place].bot, table.notes[-1].kind) == (None, NoteKind.BACK)


def test_so_many_turns_of_a_place_have_hints(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("coatl.table.table.MOST_HINTS", 1)
    table, log = started("person", "person", hints=True), []  # type: ignore[var-annotated]
    table.hint(0, table.version)
    table.check_hint(0)  # again in the same turn
    _play_until_it_is_the_turn_of(0, table, log)
    assert_refused(table, Code.TOO_OFTEN, lambda: table.check_hint(0))
