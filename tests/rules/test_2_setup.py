"""Section 2 of the rules: the setup for 2 to 4 players (S1-S6; R13 for the order of keeping)."""

from __future__ import annotations

import pytest

from tests.position import Position

TAKES = ["take b1", "take b2", "take b3", "take b4", "take b5"]


def supply(table: Position) -> list[str]:
    return (table.word("supply") or "").split(",")


def hand(table: Position, seat: int) -> list[str]:
    return (table.seat(seat, "hand") or "").split(",")


def kept(table: Position) -> Position:
    """Every seat keeps its first three cards."""
    while table.phase == "setup":
        for card in hand(table, table.turn_of)[3:]:
            table.do(f"drop {card}")
        table.do("done")
    return table


# ---------------------------------------------------------------- S1


@pytest.mark.parametrize("players", [2, 3, 4])
def test_S1_all_ten_spaces_are_filled(players: int) -> None:
    assert "-" not in supply(Position.new(players))


def test_S1_from_the_bags() -> None:
    draws = "R R K B Y Y G G K K R B <R <G B> Y>"
    table = Position.new(2, draws=draws)
    assert table.draws_fitted
    assert supply(table) == ["RR", "KB", "YY", "GG", "KK", "RB", "R", "G", "B", "Y"]
    assert table.state.bag.tolist() == [3, 2, 3, 3, 2, 3, 3, 2, 2, 3, 21, 21, 22, 22, 22]


def test_S1_at_random() -> None:
    fillings = [supply(Position.new(2, seed=seed)) for seed in range(40)]
    assert len({tuple(filling) for filling in fillings}) == 40
    for space in range(10):
        assert {filling[space][0] for filling in fillings} == set("KRBYG")


# ---------------------------------------------------------------- S2


@pytest.mark.parametrize("players", [2, 3, 4])
def test_S2_the_first_seat_starts_and_turns_go_clockwise(players: int) -> None:
    table = kept(Position.new(players))
    order = []
    for move in TAKES:
        order.append(table.turn_of)
        table.do(move)
    seats = list(range(1, players + 1))
    assert order == (3 * seats)[: len(TAKES)]


def test_S2_the_first_turn_is_turn_1() -> None:
    table = kept(Position.new(3))
    assert (table.turn_of, table.phase, int(table.state.turn)) == (1, "main", 1)


# ---------------------------------------------------------------- S3


@pytest.mark.parametrize("players", [2, 3, 4])
def test_S3_one_temple_card_each_hidden(players: int) -> None:
    table = Position.new(players)
    dealt = [table.seat(seat, "temples") or "" for seat in range(1, players + 1)]
    assert len(set(dealt)) == players
    assert all(temple in table.deck.temple_ids for temple in dealt)


@pytest.mark.parametrize(
    ("players", "promo", "sizes"),
    [
        (2, False, [7, 6]),
        (3, False, [6, 6]),
        (4, False, [6, 5]),
        (2, True, [9, 9]),
        (3, True, [9, 8]),
        (4, True, [8, 8]),
    ],
)
def test_S3_the_rest_in_two_equal_piles_an_odd_card_left(
    players: int, promo: bool, sizes: list[int]
) -> None:
    assert Position.new(players, promo=promo).state.pile_size.tolist() == sizes


def test_S3_only_the_top_of_each_pile_is_visible() -> None:
    table = Position.new(2)
    tops = [pile.partition(":")[0] for pile in (table.word("piles") or "").split(",")]
    assert len(tops) == 2
    below = table.state.pool.tolist()
    assert sum(below) == 13 - 2
    assert [below[table.deck.temple_ids[top]] for top in tops] == [0, 0]


def test_S3_only_the_top_of_each_pile_is_available() -> None:
    table = Position("2p tokens piles=noY/7:6,R=G/6:7 | temples=noK/8 | temples=noG/9")
    table.will_draw("B=K/9").do("token priest 2")
    assert table.seat(1, "temples") == "noK/8,R=G/6^"
    assert table.word("piles") == "noY/7:6,B=K/9:6"
    assert table.draws_fitted


def test_S3_shuffled() -> None:
    tables = [Position.new(2, seed=seed) for seed in range(150)]
    assert len({table.seat(1, "temples") for table in tables}) == 15
    assert len({int(table.state.pile_top[0]) for table in tables}) == 15


# ---------------------------------------------------------------- S4


@pytest.mark.parametrize("players", [2, 3, 4])
def test_S4_six_prophecy_cards_face_up(players: int) -> None:
    table = Position.new(players)
    row = (table.word("row") or "").split(",")
    assert len(row) == 6
    assert all(card in table.deck.prophecy_ids for card in row)
    dealt = sum(int(table.player(seat).n_hand) for seat in range(1, players + 1))
    assert table.state.n_deck == 54 - 6 - dealt


def test_S4_shuffled() -> None:
    rows = {Position.new(2, seed=seed).word("row") or "" for seed in range(200)}
    assert len(rows) == 200
    assert len({row.split(",")[0] for row in rows}) > 40


# ---------------------------------------------------------------- S5


@pytest.mark.parametrize("players", [2, 3, 4])
def test_S5_3_4_5_6_cards_are_dealt(players: int) -> None:
    table = Position.new(players)
    dealt = [int(table.player(seat).n_hand) for seat in range(1, players + 1)]
    assert dealt == [3, 4, 5, 6][:players]


def test_S5_the_cards_dealt_are_hidden() -> None:
    table = Position.new(4)
    for seat in (1, 2, 3, 4):
        assert "^" not in (table.seat(seat, "hand") or "^")


def test_S5_at_most_three_are_kept() -> None:
    position = "2p phase=setup seat=2 | | hand=YG,RK,YB,GB"
    table = Position(position)
    assert table.why("done") == "S5"
    assert not table.may("done")
    table.do("drop RK")
    assert table.may("done")
    table.do("done")
    assert table.seat(2, "hand") == "YG,YB,GB"


def test_S5_up_to_three_so_fewer_may_be_kept() -> None:
    """R13: 0 to 3 cards; the first player may discard too."""
    table = Position("2p phase=setup | hand=YG,RK,YB").do("drop YG")
    assert table.may("done")
    table.do("drop RK", "drop YB")
    assert table.legal == ["done"]
    table.do("done")
    assert table.player(1).n_hand == 0


def test_S5_only_cards_in_hand_are_discarded() -> None:
    table = Position("2p phase=setup | hand=YG,RK,YB | hand=KG")
    assert table.why("drop KG") == "S5"
    assert not table.may("drop KG")


def test_S5_two_equal_cards_are_one_choice() -> None:
    table = Position("2p phase=setup seat=2 | | hand=YG,{R},{R}")
    assert table.legal == ["drop {R}", "drop YG", "done"]
    assert table.do("drop {R}").legal == ["drop {R}", "drop YG", "done"]


def test_S5_the_rest_is_discarded_unseen() -> None:
    """The discards lie with the others (R3), but only their owner knows them (H1)."""
    table = Position("2p phase=setup seat=2 | | hand=YG,RK,YB,GB").do("drop RK", "drop GB", "done")
    assert table.state.n_discard == 2
    assert table.seat(2, "buried") == "RK,GB"
    assert table.word("discard") is None


def test_S5_everyone_keeps_in_turn_order_before_the_first_turn() -> None:
    table = Position.new(4)
    order = []
    while table.phase == "setup":
        order.append(table.turn_of)
        for card in hand(table, table.turn_of)[3:]:
            table.do(f"drop {card}")
        table.do("done")
    assert order == [1, 2, 3, 4]
    assert (table.turn_of, table.phase) == (1, "main")
    assert [int(table.player(seat).n_hand) for seat in (1, 2, 3, 4)] == [3, 3, 3, 3]


@pytest.mark.parametrize("move", ["take b1", "draw", "pick YG", "new K", "pass", "token future"])
def test_S5_no_action_before_all_have_kept(move: str) -> None:
    table = Position("2p tokens phase=setup row=YG,{Y},{R},{K},{G},{B} | board=K | hand=RK")
    assert table.why(move) == "S5"
    assert not table.may(move)


# ---------------------------------------------------------------- S6


@pytest.mark.parametrize(
    "move", ["token pick KR", "token pick <K", "token future", "token priest 1"]
)
def test_S6_no_token_in_a_game_without_them(move: str) -> None:
    table = Position("2p")
    assert table.why(move) == "S6"
    assert not any(text.startswith("token") for text in table.legal)
    assert Position("2p tokens").may(move)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_S6_with_tokens_everyone_has_three(players: int) -> None:
    table = Position.new(players, tokens=True)
    for seat in range(1, players + 1):
        assert table.player(seat).tokens.tolist() == [1, 1, 1]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_S6_without_tokens_nobody_has_any(players: int) -> None:
    table = Position.new(players)
    for seat in range(1, players + 1):
        assert table.player(seat).tokens.tolist() == [0, 0, 0]
