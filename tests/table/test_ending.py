"""The standing, the record and the rematch."""

from __future__ import annotations

import numpy as np
import pytest

from coatl import Game
from coatl.game import Outcome
from coatl.rules.scoring import ranks, verdict
from coatl.table import Table
from coatl.table.ending import Rank
from coatl.table.entries import PlaceKind, PlaceSpec, Rematched
from coatl.table.errors import Code
from tests.table.making import (
    SECRET,
    assert_refused,
    finished,
    game_of,
    open_table,
    play_to_the_end,
    sit_down,
    started,
)


@pytest.mark.parametrize("is_started", [False, True])
def test_not_before_the_end(is_started: bool) -> None:
    table = open_table("person", "person")
    if is_started:
        sit_down(table)
    for call in (
        table.standing,
        table.verdict,
        table.record,
        lambda: table.plan_rematch("00" * 32, "this"),
        lambda: table.rematched("that"),
    ):
        assert_refused(table, Code.NOT_OVER, call)


# ---------------------------------------------------------------- the standing


def with_outcome(
    monkeypatch: pytest.MonkeyPatch, table: Table, *rows: tuple[int, int, int]
) -> list[Rank]:
    """The standing if the seats had these points, cards and best Cóatl."""
    points, cards, best = zip(*rows, strict=True)
    players, scores = len(table.places), np.array(rows).ravel()
    found = ranks(scores, players)
    winners = tuple(seat for seat, rank in enumerate(found) if rank == 1)
    decided_by = verdict(scores, players).by
    outcome = Outcome(winners, points, cards, best, "third", found, decided_by)
    monkeypatch.setattr(game_of(table), "outcome", lambda: outcome)
    return table.standing()


def places_and_ranks(standing: list[Rank]) -> list[tuple[int, int]]:
    return [(rank.rank, rank.place) for rank in standing]


def test_F2_points_then_cards_then_the_best_coatl(monkeypatch: pytest.MonkeyPatch) -> None:
    table = finished("person", "person", "person", "person")
    standing = with_outcome(monkeypatch, table, (9, 3, 9), (20, 3, 9), (20, 4, 1), (20, 3, 8))
    assert places_and_ranks(standing) == [(1, 2), (2, 1), (3, 3), (4, 0)]
    assert standing[0] == Rank(1, 2, 20, 4, 1)


def test_F2_equal_in_everything_share_a_rank(monkeypatch: pytest.MonkeyPatch) -> None:
    table = finished("person", "person", "person", "person")
    standing = with_outcome(monkeypatch, table, (5, 1, 5), (20, 3, 9), (5, 1, 5), (20, 3, 9))
    assert sorted(places_and_ranks(standing)) == [(1, 1), (1, 3), (3, 0), (3, 2)]


def test_two_who_gave_up_do_not_tie(monkeypatch: pytest.MonkeyPatch) -> None:
    table = started("person", "person", "person")
    table.give_up(0)
    table.give_up(2)
    play_to_the_end(table)
    standing = with_outcome(monkeypatch, table, (9, 1, 9), (0, 0, 0), (9, 1, 9))
    assert places_and_ranks(standing) == [(1, 1), (2, 2), (3, 0)]


@pytest.mark.parametrize(
    ("points", "winner", "decided"), [(21, 0, "points"), (20, 1, "adam"), (19, 1, "points")]
)
def test_D9_solo_is_won_or_lost(
    monkeypatch: pytest.MonkeyPatch, points: int, winner: int, decided: str
) -> None:
    """A.D.A.M. wins ties, whatever the cards."""
    table = finished("person", solo=())
    standing = with_outcome(monkeypatch, table, (points, 3, 9), (20, 1, 0))
    assert places_and_ranks(standing) == [(1, winner), (2, 1 - winner)]
    assert table.verdict() == (decided, (0, 1))


def test_F2_the_verdict_is_between_places(monkeypatch: pytest.MonkeyPatch) -> None:
    tables = (started(*["person"] * 3, draw_seats=True, number=number) for number in range(20))
    table = next(table for table in tables if table.seating != (0, 1, 2))
    play_to_the_end(table)
    with_outcome(monkeypatch, table, (20, 3, 9), (9, 9, 9), (20, 4, 1))
    found = table.verdict()
    assert found == ("cards", (table.seating[0], table.seating[2]))


def test_the_verdict_is_between_those_who_stayed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who gave up comes last, so no tie with them is decided."""
    table = started("person", "person", "person")
    table.give_up(0)
    play_to_the_end(table)
    with_outcome(monkeypatch, table, (20, 9, 9), (20, 3, 9), (9, 1, 9))
    assert table.verdict() == ("points", (1, 2))


def test_no_verdict_where_one_stayed(monkeypatch: pytest.MonkeyPatch) -> None:
    table = started("person", "person")
    table.give_up(0)
    play_to_the_end(table)
    with_outcome(monkeypatch, table, (20, 9, 9), (20, 3, 9))
    assert table.verdict() is None


def test_the_cards_of_adam_are_those_he_fulfilled() -> None:
    table = finished("person", solo=(5,))
    adam = game_of(table).view(0).data.adam
    assert adam is not None
    [his] = [rank for rank in table.standing() if rank.place == 1]
    assert his.cards == len(adam.fulfilled) > 0


@pytest.mark.parametrize("seed", range(6))
def test_the_winners_of_the_game_rank_first(seed: int) -> None:
    for table in (
        finished("person", "person", seed=seed),
        finished("person", "person", "person", seed=seed),
        finished("person", seed=seed, solo=(1, 2)),
    ):
        winners = game_of(table).outcome().winners
        first = {rank.place for rank in table.standing() if rank.rank == 1}
        assert first == set(winners)  # seats were chosen, so they are the places


def test_the_standing_is_of_places_not_seats() -> None:
    for number in range(4):
        table = started("person", "person", "person", draw_seats=True, number=number)
        play_to_the_end(table, number)
        points = game_of(table).outcome().points
        for rank in table.standing():
            seat = table.seat_of(rank.place)
            assert seat is not None
            assert rank.points == points[seat]


# ---------------------------------------------------------------- the record


@pytest.mark.parametrize("kinds", [("person", "random"), ("person", "open", "person"), ("person",)])
def test_the_record_replays_and_its_chance_is_fair(kinds: tuple[str, ...]) -> None:
    table = finished(*kinds, solo=(3,) if len(kinds) == 1 else None)
    record = table.record()
    game = Game.replay(record)
    assert game.over
    assert game.seed is not None
    assert game.fairness is not None
    assert game.fairness.problems(game.seed) == []
    assert game.fairness.promise == table.opened.promise
    assert game.digest == game_of(table).digest
    assert game.seats == game_of(table).seats
    assert game.record() == record


# ---------------------------------------------------------------- the rematch


def test_the_next_player_begins_the_rematch() -> None:
    table = finished("person:Ana", "open:Ben", "random")
    opened, order = table.plan_rematch("ab" * 32, "this one")
    assert order == (1, 2, 0)
    assert opened.places == (
        PlaceSpec(PlaceKind.PERSON, "Ben"),
        PlaceSpec(PlaceKind.BOT, "", "random"),
        PlaceSpec(PlaceKind.PERSON, "Ana"),
    )
    assert (opened.promise, opened.rematch_of) == ("ab" * 32, "this one")


def test_rematch_after_rematch_everybody_begins_once() -> None:
    table = finished("person:Ana", "person:Ben", "person:Eve")
    firsts = []
    for number in range(3):
        firsts.append(table.places[table.seating[0]].name)
        opened, _ = table.plan_rematch(table.opened.promise, "this one")
        table = Table(opened, SECRET)
        sit_down(table, number)
        play_to_the_end(table, number)
    assert firsts == ["Ana", "Ben", "Eve"]


def test_after_drawn_seats_the_next_in_that_order_begins() -> None:
    table = started("person", "person", "person", draw_seats=True, number=3)
    play_to_the_end(table)
    opened, order = table.plan_rematch("ab" * 32, "this one")
    assert order == (*table.seating[1:], table.seating[0])
    assert not opened.draw_seats
    assert [place.name for place in opened.places] == [f"Player {place + 1}" for place in order]


def test_a_rematch_keeps_the_options_and_forgets_who_left() -> None:
    table = started("person", "person", "person", tokens=False, promo=True, fewer_bodies=True)
    table.give_up(0)
    table.hand_over(1, "random")
    play_to_the_end(table)
    opened, _ = table.plan_rematch("ab" * 32, "this one")
    assert (opened.tokens, opened.promo, opened.fewer_bodies) == (False, True, True)
    assert [place.kind for place in opened.places] == ["person"] * 3
    assert [place.bot for place in opened.places] == [None] * 3


def test_a_solo_rematch() -> None:
    opened, order = finished("person", solo=(2, 5)).plan_rematch("ab" * 32, "this one")
    assert (opened.levels, order) == ((2, 5), (0,))


def test_the_table_knows_its_rematch() -> None:
    table = finished("person", "person")
    version = table.version
    assert table.rematched("that") == Rematched("that")
    assert (table.rematch, table.version) == ("that", version + 1)
