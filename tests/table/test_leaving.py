"""A bot plays for somebody who left, until that person comes back or for good."""

from __future__ import annotations

import pytest

from coatl.table.entries import GaveUp, HandedOver, TakenBack
from coatl.table.errors import Code
from coatl.table.status import Note, NoteKind
from coatl.table.table import AWAY_SECONDS
from tests.table.making import (
    assert_refused,
    finished,
    first_move,
    open_table,
    play_to_the_end,
    started,
)


def test_hand_over_and_take_back() -> None:
    table = started("person", "person", hints=True)
    assert table.hand_over(0, "random", id="h") == HandedOver(0, "random", False, "h")
    assert (table.bot_to_move, table.is_turn_of(0), table.version) == ("random", False, 4)
    assert_refused(table, Code.BOT_PLAYS, lambda: table.decide(0, first_move(table), 4))
    before = len(table.events(0))
    table.bot_decides(0, first_move(table))
    after = len(table.events(0))
    assert table.take_back(0, "t") == TakenBack(0, "t")
    assert (table.bot_to_move, table.version) == (None, 6)
    assert table.notes == [
        Note(4, NoteKind.HAND, 0, "", before),
        Note(6, NoteKind.BACK, 0, "", after),
    ]
    assert before < after == len(table.events(0))
    table.decide(0, first_move(table), 6)
    assert (table.done_before(0, "h"), table.done_before(0, "t")) == (4, 6)


def test_only_for_a_person_who_may_come_back_does_a_bot_stand_in() -> None:
    table = started("person", "random", "person")
    assert [place.has_stand_in for place in table.places] == [False] * 3
    table.hand_over(0, "random")
    assert [place.has_stand_in for place in table.places] == [True, False, False]
    table.give_up(0)
    table.hand_over(2, "random")
    assert [place.has_stand_in for place in table.places] == [False, False, True]
    table.take_back(2)
    assert [place.has_stand_in for place in table.places] == [False] * 3


def test_other_people() -> None:
    """Bots are none, not even those that play for people."""
    table = started("person", "random", "person")
    assert [table.has_other_people(place) for place in range(3)] == [True, True, True]
    table.hand_over(2, "greedy")
    assert [table.has_other_people(place) for place in range(3)] == [False, True, True]
    table.give_up(0)
    assert [table.has_other_people(place) for place in range(3)] == [False] * 3


def test_a_seat_may_leave_in_anybodys_turn() -> None:
    table = started("person", "person")
    table.hand_over(1, "greedy")
    table.decide(0, first_move(table), 4)
    table.take_back(1)


def test_the_owner_only_after_a_while() -> None:
    table = started("person", "person")
    for seconds in (0.0, AWAY_SECONDS - 0.1):
        assert_refused(
            table,
            Code.NOT_AWAY,
            lambda away=seconds: table.hand_over(0, "greedy", True, away),  # type: ignore[misc]
        )
    entry = table.hand_over(0, "greedy", True, AWAY_SECONDS)
    assert entry.by_owner
    assert table.notes == [Note(4, NoteKind.HAND, 0, "owner", len(table.events(0)))]
    table.take_back(0)


def test_who_cannot_leave() -> None:
    table = started("person", "random")
    for call in (
        lambda: table.hand_over(1, "greedy"),
        lambda: table.take_back(1),
        lambda: table.give_up(1),
        lambda: table.give_up(2),
        lambda: table.hand_over(-1, "greedy"),
    ):
        assert_refused(table, Code.NO_PERSON, call)
    assert_refused(table, Code.NO_BOT, lambda: table.take_back(0))
    assert_refused(table, Code.UNKNOWN_BOT, lambda: table.hand_over(0, "nobody"))
    assert_refused(table, Code.UNKNOWN_BOT, lambda: table.hand_over(0, "this:nothing"))


def test_before_the_game_nobody_is_there_to_leave() -> None:
    table = open_table("person", "open")
    for place in (0, 1):
        assert_refused(table, Code.NO_PERSON, lambda at=place: table.give_up(at))  # type: ignore[misc]
    table.join(0, "0" * 64)
    for call in (
        lambda: table.hand_over(0, "greedy"),
        lambda: table.take_back(0),
        lambda: table.give_up(0),
    ):
        assert_refused(table, Code.NOT_STARTED, call)


def test_a_bot_already_plays() -> None:
    table = started("person", "person")
    table.hand_over(0, "greedy")
    assert_refused(table, Code.BOT_PLAYS, lambda: table.hand_over(0, "random"))
    assert_refused(table, Code.BOT_PLAYS, lambda: table.hand_over(0, "random", True, 99.0))


def test_the_bot_of_a_person_may_fail() -> None:
    table = started("person", "person")
    table.hand_over(0, "random")
    table.bot_failed(0, "it hurts")
    assert table.bot_to_move == "greedy"
    table.take_back(0)
    table.decide(0, first_move(table), 6)


def test_giving_up_is_for_good() -> None:
    table = started("person", "person")
    assert table.give_up(0, "g") == GaveUp(0, "greedy", "g")
    assert (table.bot_to_move, table.places[0].gave_up) == ("greedy", 4)
    assert table.notes == [Note(4, NoteKind.GIVE_UP, 0, "", len(table.events(0)))]
    assert_refused(table, Code.GAVE_UP, lambda: table.take_back(0))
    assert_refused(table, Code.GAVE_UP, lambda: table.give_up(0))
    assert_refused(table, Code.BOT_PLAYS, lambda: table.hand_over(0, "greedy"))


def test_who_has_left_may_give_up() -> None:
    table = started("person", "person")
    table.hand_over(0, "random")
    table.give_up(0)
    assert table.bot_to_move == "greedy"
    assert_refused(table, Code.GAVE_UP, lambda: table.take_back(0))


# ---------------------------------------------------------------- and the standing


@pytest.mark.parametrize("seed", range(5))
def test_who_gave_up_ranks_last(seed: int) -> None:
    table = started("person", "person", "person", draw_seats=True, number=seed)
    table.give_up(1)
    standing = play_to_the_end(table, seed).standing()
    assert (standing[-1].place, standing[-1].rank, standing[-1].gave_up) == (1, 3, True)
    assert [rank.gave_up for rank in standing] == [False, False, True]


@pytest.mark.parametrize("seed", range(5))
def test_the_first_to_give_up_comes_at_the_very_end(seed: int) -> None:
    table = started("person", "person", "person", "person", number=seed)
    for place in (2, 0, 3):
        table.give_up(place)
    standing = play_to_the_end(table, seed).standing()
    assert [rank.place for rank in standing] == [1, 3, 0, 2]
    assert [rank.rank for rank in standing] == [1, 2, 3, 4]


def test_who_gives_up_alone_loses() -> None:
    for seed in range(5):
        table = started("person", levels=(1,), number=seed)
        table.give_up(0)
        standing = play_to_the_end(table, seed).standing()
        assert [(rank.rank, rank.place) for rank in standing] == [(1, 1), (2, 0)]


def test_who_came_back_ranks_by_points() -> None:
    table = started("person", "person")
    table.hand_over(0, "greedy")
    table.take_back(0)
    standing = play_to_the_end(table).standing()
    assert not any(rank.gave_up for rank in standing)
    assert {rank.place for rank in standing} == {0, 1}


def test_everybody_is_in_the_standing_of_a_game_without_leaving() -> None:
    table = finished("person", "random", "person")
    assert {rank.place for rank in table.standing()} == {0, 1, 2}
