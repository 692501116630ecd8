"""Tables from games made by hand, whose answers are known."""

from __future__ import annotations

import pytest

from coatl.lab.card_tables import card_colour_rows, card_rows, first_pick_rows, temple_rows
from coatl.lab.columns import ALL, read_seats
from coatl.lab.facts import Action, GameFacts, Spent
from coatl.lab.outcome_tables import game_rows, length_rows, seat_rows, winner_rows
from coatl.lab.worth import Worth, worth_rows
from coatl.rules.cards import standard_deck
from tests.lab.made import coatl, first, game, often, seat, taken

DECK = standard_deck()


def worth(games: list[GameFacts], group: str, name: str, players: int = 2) -> Worth:
    (row,) = [
        row
        for row in worth_rows(read_seats(games))
        if (row.players, row.group, row.name) == (players, group, name)
    ]
    return row.worth


# ---------------------------------------------------------------- seats and games


def test_seats_and_shared_wins() -> None:
    games = [
        game(0, seat(1.0, 30), seat(0.0, 20)),
        game(1, seat(0.5, 24), seat(0.5, 24)),
        game(0, seat(0.0, 10), seat(0.0, 11), seat(1.0, 12), trigger=2),
    ]
    rows = seat_rows(read_seats(games))
    assert [(row.players, row.seat, row.games) for row in rows] == [
        *((2, 1, 2), (2, 2, 2)),
        *((3, 1, 1), (3, 2, 1), (3, 3, 1)),
    ]
    assert [row.win_share and row.win_share.value for row in rows] == [0.75, 0.25, 0.0, 0.0, 1.0]
    assert rows[0].points is not None
    assert rows[0].points.value == 27.0
    assert rows[4].points is None  # one game has no interval


def test_games_by_size() -> None:
    games = [
        game(0, seat(1.0, 30), seat(0.0, 20), turns=40),
        game(1, seat(0.5, 24), seat(0.5, 24), turns=50, end="passed"),
    ]
    (row,) = game_rows(games)
    found = (row.turns, row.by_third, row.by_passing, row.shared_wins, row.winner_points)
    assert [one and one.value for one in (*found, row.margin)] == [45.0, 0.5, 0.5, 0.5, 27.0, 5.0]


# ---------------------------------------------------------------- worth


def test_who_sits_better_is_not_credited_to_what_they_do() -> None:
    """Seat 1 always wins and always takes cards first: that adds nothing."""
    cards, take = (Action.CARDS,) * 3, (Action.TAKE,) * 3
    usual = game(0, seat(1.0, 30, opening=cards), seat(0.0, 20, opening=take))
    found = worth(often(usual, times=30), "first actions", "cards-cards-cards")
    assert (found.seats, found.frequency) == (30, 0.5)
    assert found.win_share is not None
    assert found.win_share.value == 1.0
    assert found.added_share is None  # there is nobody in that place to compare with
    other = game(0, seat(1.0, 30, opening=take), seat(0.0, 20, opening=cards))
    found = worth(often(usual, usual, other), "first actions", "cards-cards-cards")
    assert found.added_share is not None
    assert found.added_share.value == 0.0
    assert found.added_points is not None
    assert found.added_points.value == 0.0


def test_what_wins_from_either_seat_is_credited() -> None:
    used, unused = (Spent("pick", 3),), ()
    games = often(
        game(0, seat(1.0, 30, tokens=used), seat(0.0, 26, tokens=unused)),
        game(1, seat(0.0, 26, tokens=unused), seat(1.0, 30, tokens=used)),
    )
    found = worth(games, "token used", "pick")
    assert found.added_share is not None
    assert (found.added_share.value, found.added_share.low) == (1.0, 1.0)
    assert found.added_points is not None
    assert found.added_points.value == 4.0


def test_groups_of_a_seat() -> None:
    mine = seat(
        1.0,
        12,
        coatls=(coatl("<KKRK>"), coatl("<BBBBBB>"), coatl("<R", turn=None)),
        first_pieces=("R", "R"),
    )
    other = seat(coatls=(coatl("<YYG>"),), first_pieces=("<G",))
    games = [game(0, mine, other), game(1, mine, other)]
    names = {(row.group, row.name) for row in worth_rows(read_seats(games)) if row.worth.seats}
    assert {("complete Cóatl", "2"), ("complete Cóatl", "1"), ("pieces a Cóatl", "05")} <= names
    assert {("main colour", "blue"), ("main colour", "yellow")} <= names
    assert {("first pieces", "two of a colour"), ("first pieces", "head")} <= names
    assert ("main colour", "black") not in names


def test_the_race() -> None:
    quick = seat(0.0, 20, coatls=(coatl(turn=4), coatl(turn=9)))
    slow = seat(1.0, 30, coatls=(coatl(turn=4), coatl(turn=7), coatl(turn=11)))
    games = [game(n, quick, slow, trigger=1) for n in range(2)]
    assert (
        worth(games, "race", "first to complete one").win_share
        == worth(games, "complete Cóatl", "2").win_share
    )  # in one round the earlier seat is first
    for name in ("first to complete two", "ended the game"):
        found = worth(games, "race", name)
        assert found.seats == 2
        assert found.win_share is not None
        assert found.win_share.value == 1.0


def test_all_sizes_together_are_a_table_of_their_own() -> None:
    games = [game(0, seat(1.0), seat()), game(0, seat(), seat(1.0), seat())]
    assert {row.players for row in worth_rows(read_seats(games))} == {2, 3, ALL}
    assert {row.players for row in worth_rows(read_seats(games[:1]))} == {2}


# ---------------------------------------------------------------- cards


def test_a_card_held_fulfilled_and_left() -> None:
    laid = seat(1.0, 5, taken=(taken("{R}"),), coatls=(coatl(cards=(("{R}", 6, 5),)),))
    left = seat(0.0, 0, dealt=("{R}", "RB"), buried=("RB",), left=("{R}",))
    rows = card_rows(read_seats([game(0, laid, left), game(1, laid, left)]), DECK)
    (row,) = rows  # RB was never held
    assert (row.card, row.colour, row.held, row.held_per_game, row.times) == (
        *("{R}", "red", 4, 2.0),
        6.0,
    )
    found = (row.fulfilled, row.points_fulfilled, row.points_held)
    assert [one and one.value for one in found] == [0.5, 5.0, 2.5]
    assert row.dealt.seats == 2
    assert row.when_held.seats == 4
    assert row.when_fulfilled.seats == 2
    assert row.when_fulfilled.win_share is not None
    assert row.when_fulfilled.win_share.value == 1.0


def test_a_card_on_an_incomplete_coatl_brings_nothing() -> None:
    mine = seat(taken=(taken("RB"),), coatls=(coatl("<RB", None, (("RB", 1, 1),)),))
    (row,) = card_rows(read_seats([game(n, mine, seat(1.0)) for n in range(2)]), DECK)
    assert row.fulfilled is not None
    assert row.fulfilled.value == 0.0


def test_two_copies_count_one_by_one() -> None:
    cards = (coatl(cards=(("{R}", 3, 2),)), coatl(cards=(("{R}", 6, 5),)))
    mine = seat(1.0, 7, taken=(taken("{R}"), taken("{R}")), coatls=cards)
    (row,) = card_rows(read_seats([game(n, mine, seat()) for n in range(2)]), DECK)
    assert row.held == 4
    assert row.points_fulfilled is not None
    assert row.points_fulfilled.value == 3.5
    assert row.when_fulfilled.seats == 2


def test_card_colours_add_their_cards_up() -> None:
    mine = seat(1.0, 6, taken=(taken("{R}"), taken("{B}")), coatls=(coatl(cards=(("{R}", 6, 5),)),))
    (row,) = card_colour_rows(read_seats([game(n, mine, seat()) for n in range(2)]), DECK)
    assert (row.card, row.held) == ("red", 4)
    assert row.points_held is not None
    assert row.points_held.value == 2.5


def test_temple_cards() -> None:
    both = seat(1.0, 7, temple="noY/7", coatls=(coatl(temple=("noK/8", 2, 7)),))
    one = seat(0.0, 3, temple="noK/8", coatls=(coatl(temple=("noK/8", 1, 3)),))
    rows = temple_rows(read_seats([game(0, both, one), game(1, both, one)]), DECK)
    by_name = {row.card: row for row in rows}
    assert set(by_name) == {"noY/7", "noK/8"}
    row = by_name["noK/8"]
    assert (row.laid, row.laid_per_game, row.dealt.seats) == (4, 2.0, 2)
    assert [row.all_met and row.all_met.value, row.points and row.points.value] == [0.5, 5.0]
    assert by_name["noY/7"].laid == 0


def test_the_first_card_against_those_who_could_have_taken_it() -> None:
    took = {"first_pick": first("RB", "RK")}
    passed = {"first_pick": first("RK", "RB")}
    games = often(
        game(0, seat(1.0, 30, **took), seat(0.0, 20, **passed)),
        game(1, seat(0.0, 20, **passed), seat(1.0, 30, **took)),
    )
    rows = {row.card: row for row in first_pick_rows(read_seats(games), DECK)}
    assert set(rows) == {"RB", "RK"}
    assert rows["RB"].offered == 80
    assert rows["RB"].chosen is not None
    assert rows["RB"].chosen.value == 0.5
    assert rows["RB"].added_share is not None
    assert rows["RB"].added_share.value == 1.0
    assert rows["RK"].added_points is not None
    assert rows["RK"].added_points.value == -10.0
    assert rows["RB"].lot_share is None


def test_cards_by_lot_are_compared_with_each_other_only() -> None:
    games = []
    for number in range(40):
        card = "RB" if number % 2 else "RK"
        won = 1.0 if card == "RB" else 0.0
        lot = seat(won, 30 if won else 20, first_pick=first(card, "YG", by_lot=True))
        free = seat(1 - won, 25, first_pick=first("RB", "RK"))
        games.append(game(number, lot, free))
    rows = {row.card: row for row in first_pick_rows(read_seats(games), DECK)}
    assert set(rows) == {"RB", "RK"}  # YG lay there only for those who could not choose
    assert (rows["RB"].by_lot, rows["RK"].by_lot) == (20, 20)
    assert rows["RB"].lot_share is not None
    assert rows["RB"].lot_share.value == 1.0
    assert rows["RB"].lot_points is not None
    assert rows["RB"].lot_points.value == pytest.approx(10.0)
    assert rows["RB"].offered == 40  # to those who were free to choose


# ---------------------------------------------------------------- lengths and winners


def test_lengths_of_all_and_of_winners() -> None:
    won = seat(1.0, 9, coatls=(coatl("<KRRB>", cards=(("RB", 1, 1),)), coatl("<RRR>")))
    lost = seat(0.0, 2, coatls=(coatl("<KRK>"), coatl("<KK", None)))
    rows = length_rows(read_seats([game(0, won, lost), game(1, won, lost)]))
    assert [(row.pieces, row.coatls) for row in rows] == [(3, 4), (4, 2)]
    assert [row.frequency for row in rows] == pytest.approx([2 / 3, 1 / 3], abs=1e-4)
    assert [row.frequency_winners for row in rows] == [0.5, 0.5]
    assert [row.win_share and row.win_share.value for row in rows] == [0.5, 1.0]
    assert rows[1].points_per_piece == 0.25


def test_winners_and_the_others() -> None:
    won = seat(1.0, 9, coatls=(coatl("<KRRRRB>"), coatl("<RRRB>")), taken=(taken("RB"),))
    lost = seat(0.0, 4, coatls=(coatl("<KRK>"),))
    shared = seat(0.5, 100)
    third = seat(0.0, 77)
    games = [*often(game(0, won, lost)), game(2, shared, shared), game(2, shared, shared, third)]
    games += often(game(0, won, lost, lost))
    rows = {row.what: row for row in winner_rows(read_seats(games)) if row.players == ALL}
    found = rows["pieces a complete Cóatl"]
    numbers = [found.winners, found.others, found.difference]
    assert [one and one.value for one in numbers] == [5.0, 3.0, 2.0]
    points = rows["points"]
    assert points.winners is not None
    assert points.winners.value == 9.0  # games with shared wins are left out
    assert points.others is not None
    assert points.others.value == 4.0
    never = rows["Prophecy cards never fulfilled"]
    assert never.winners is not None
    assert never.winners.value == 1.0
