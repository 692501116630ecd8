"""What may be done again and again at a table is bounded, and so are its log and its notes."""

from __future__ import annotations

import pytest

from coatl.table import Entry
from coatl.table.entries import Freed, HandedOver, TakenBack
from coatl.table.errors import Code
from coatl.table.table import MOST_FREED, MOST_HAND_OVERS, MOST_UNDOS, Table
from tests.table.making import (
    assert_refused,
    first_move,
    game_of,
    log_of_a_game,
    nonce_of,
    open_table,
    opening,
    rebuilt,
    started,
    turn_of,
)


def test_a_seat_is_handed_over_so_many_times() -> None:
    """Whoever has done so too often plays on themselves; others may still."""
    table = started("person", "person")
    for _ in range(MOST_HAND_OVERS):
        table.hand_over(0, "random")
        table.take_back(0)
    assert_refused(table, Code.TOO_OFTEN, lambda: table.hand_over(0, "random"))
    assert_refused(table, Code.TOO_OFTEN, lambda: table.hand_over(0, "random", True, 1e9))
    assert len(table.notes) == 2 * MOST_HAND_OVERS
    table.hand_over(1, "random")
    table.give_up(0)


def undo_again_and_again(table: Table, times: int) -> int:
    """Of one place; returns it."""
    while not table.can_undo(turn_of(table)):
        table.decide(turn_of(table), str(game_of(table).legal_moves()[-1]), table.version)
    place = turn_of(table)
    for _ in range(times - 1):
        table.undo(place, table.version)
        table.decide(place, first_move(table), table.version)
        if not table.can_undo(place):
            break
    table.undo(place, table.version)
    return place


def test_a_place_takes_back_so_many_decisions(monkeypatch: pytest.MonkeyPatch) -> None:
    """The page is told, and the game goes on."""
    monkeypatch.setattr("coatl.table.table.MOST_UNDOS", 3)
    table = started("person", "person")
    place = undo_again_and_again(table, 3)
    table.decide(place, first_move(table), table.version)
    assert game_of(table).can_undo
    assert not table.can_undo(place)
    assert_refused(table, Code.TOO_OFTEN, lambda: table.undo(place, table.version))


def test_so_many_undos_still_make_a_record_that_is_replayed() -> None:
    """docs/cli.md: games at a table have fewer decisions than a record may."""
    from coatl.server.settings import ServerSettings

    longest = 4 * 2 * MOST_UNDOS + 1000  # each with the decision taken back, and the game itself
    assert longest < ServerSettings().replay_steps


def test_places_are_freed_so_many_times() -> None:
    table = open_table("person", "open", "open")
    for number in range(MOST_FREED):
        table.join(1 + number % 2, nonce_of(1, number))
        table.free(1 + number % 2)
    assert_refused(table, Code.TOO_OFTEN, lambda: table.free(1))


@pytest.mark.parametrize("code", [Code.NO_PERSON])
def test_only_open_places_are_freed(code: Code) -> None:
    table = open_table("person", "open", "greedy")
    for place in (0, 2, 3):
        assert_refused(table, code, lambda at=place: table.free(at))  # type: ignore[misc]


def test_a_freed_place_is_as_it_was_opened() -> None:
    opened = opening("person", "open")
    table = rebuilt([opened])
    joined = table.join(1, nonce_of(1), "Ana", "id")
    assert table.done_before(1, "id") is not None
    table.free(1)
    assert table.places[1] == rebuilt([opened]).places[1]
    assert table.done_before(1, "id") is None
    again = rebuilt([opened, joined, Freed(1)])
    assert (again.places, again.version) == (table.places, table.version)


def test_older_logs_may_have_more() -> None:
    """Nothing that was accepted once is lost."""
    log: list[Entry] = list(log_of_a_game("person", "person")[:8])
    log += [HandedOver(0, "random"), TakenBack(0)] * (2 * MOST_HAND_OVERS)
    assert len(rebuilt(log).notes) == 4 * MOST_HAND_OVERS
