"""People come, once each, with a name and a nonce; the last one starts the game."""

from __future__ import annotations

from itertools import permutations

import pytest

from coatl.fairness import derive_seed, draw_lots
from coatl.table.entries import Joined
from coatl.table.errors import Code
from tests.table.making import (
    SECRET,
    assert_refused,
    game_of,
    nonce_of,
    open_table,
    sit_down,
    started,
)


def test_the_last_one_starts_the_game() -> None:
    table = open_table("person", "open", "random")
    assert table.join(1, nonce_of(1), "Ben", "a") == Joined(1, "Ben", nonce_of(1), "a")
    assert (table.status, table.version, table.places[1].kind) == ("waiting", 2, "person")
    table.join(0, nonce_of(0), "Ana", "b")
    assert (table.status, table.version, table.to_move) == ("playing", 3, 0)
    assert game_of(table).seats == ("Ana", "Ben", "bot:random")
    assert (table.done_before(1, "a"), table.done_before(0, "b")) == (2, 3)


def test_names() -> None:
    table = open_table("person:Ana", "open", "open", "person:Eve")
    assert table.join(1, nonce_of(1), "Ana").name == "Ana 2"
    assert table.join(2, nonce_of(2), "Ana").name == "Ana 3"
    assert table.join(0, nonce_of(0)).name == "Ana"  # the one it was opened with
    assert table.join(3, nonce_of(3), "Zoe").name == "Zoe"  # or another


def test_nobody_says_a_name() -> None:
    table = started("person", "greedy", "open")
    assert [place.name for place in table.places] == ["Player 1", "", "Player 3"]


def test_a_bots_name_is_taken_too() -> None:
    table = open_table("person", "greedy:Ana")
    assert table.join(0, nonce_of(0), "Ana").name == "Ana 2"


@pytest.mark.parametrize("length", [36, 37, 40])
def test_a_long_name_that_is_taken_still_fits(length: int) -> None:
    table = open_table("person", "person", "person")
    names = [table.join(place, nonce_of(place), "x" * length).name for place in range(3)]
    assert len(set(names)) == 3
    assert all(len(name) <= 40 for name in names)
    assert table.status == "playing"


@pytest.mark.parametrize("name", ["a,b", " Ana", "x" * 41, "bot:greedy"])
def test_a_bad_name(name: str) -> None:
    table = open_table("person", "person")
    assert_refused(table, Code.BAD_NAME, lambda: table.join(0, nonce_of(0), name))


@pytest.mark.parametrize("nonce", ["", "0" * 63, "0" * 65, "G" * 64, "AB" * 32, "0" * 63 + "\n"])
def test_a_bad_nonce(nonce: str) -> None:
    table = open_table("person", "person")
    assert_refused(table, Code.BAD_NONCE, lambda: table.join(0, nonce))


def test_a_seat_is_taken_once() -> None:
    table = open_table("person", "open", "greedy")
    table.join(0, nonce_of(0))
    for place in (0, 2):  # joined; a bot
        assert_refused(table, Code.TAKEN, lambda at=place: table.join(at, nonce_of(9)))  # type: ignore[misc]
    sit_down(table)
    assert_refused(table, Code.TAKEN, lambda: table.join(1, nonce_of(9)))


@pytest.mark.parametrize("place", [-1, 2, 99])
def test_there_is_no_such_place(place: int) -> None:
    table = open_table("person", "person")
    assert_refused(table, Code.NO_PERSON, lambda: table.join(place, nonce_of(0)))


# ---------------------------------------------------------------- seats and seed


def test_the_seed_comes_from_the_secret_and_all_nonces() -> None:
    table = started("person", "random", "open")
    nonces = {0: nonce_of(0), 2: nonce_of(2)}
    assert game_of(table).seed == derive_seed(SECRET, nonces)


def test_the_order_of_arrival_does_not_matter() -> None:
    seeds = set()
    for order in permutations(range(3)):
        table = open_table("person", "person", "person", draw_seats=True)
        for place in order:
            table.join(place, nonce_of(place))
        seeds.add((game_of(table).seed, table.seating))
    assert len(seeds) == 1


def test_chosen_seats_are_the_places() -> None:
    for number in range(20):
        table = started("person", "random", "person", number=number)
        assert table.seating == (0, 1, 2)
        assert [table.seat_of(place) for place in range(3)] == [0, 1, 2]
        assert table.seat_of(None) is None


@pytest.mark.parametrize(("players", "orders"), [(2, 2), (3, 6), (4, 24)])
def test_seats_by_lot_are_drawn_by_the_seed(players: int, orders: int) -> None:
    seen = set()
    for number in range(12 * orders):
        table = started(*["person"] * players, number=number, draw_seats=True)
        game = game_of(table)
        assert game.seed is not None
        assert table.seating == draw_lots(game.seed, players)
        assert table.to_move == table.seating[0]
        assert [table.seat_of(place) for place in table.seating] == list(range(players))
        assert game.seats == tuple(f"Player {place + 1}" for place in table.seating)
        seen.add(table.seating)
    assert len(seen) == orders
