"""The sentence that opens section 3 of the rules, T0 in the code: exactly one action a turn."""

from __future__ import annotations

import pytest

from tests.position import Position

ROW = "row=YG,RK,YB,GB,KG,YK"
PICKING = f"2p tokens {ROW} phase=pick | hand={{R}} board=K,R coatl=RRR"
ASSEMBLING = f"2p tokens {ROW} phase=assemble | hand={{R}} board=K,R coatl=RRR"

TAKES = ["take b1", "take h1", "take t2"]
CHOICES = ["pick YG", "draw"]
ASSEMBLY = ["new K", "1+K", "1:{R}"]
TOKENS = ["token pick KK", "token pick <K", "token future", "token priest 1"]


@pytest.mark.parametrize("move", [*TAKES, *CHOICES, *ASSEMBLY, *TOKENS])
def test_T0_a_turn_begins_with_any_action(move: str) -> None:
    table = Position(PICKING.replace("phase=pick", "phase=main"))
    assert table.may(move)
    assert table.why(move) == ""


@pytest.mark.parametrize(
    "moves",
    [
        ["take b1"],
        ["take h1"],
        ["pick YG", "done"],
        ["draw", "done"],
        ["pick YG", "draw", "pick KG", "done"],
        ["new K", "done"],
        ["1+K", "1+R", "1:{R}", "done"],
        ["token pick KK"],
        ["token pick K>"],
        ["token priest 2"],
        ["token future", "drop {R}", "done", "draw", "done"],
    ],
    ids=" ".join,
)
def test_T0_after_one_action_it_is_the_next_players_turn(moves: list[str]) -> None:
    table = Position(PICKING.replace("phase=pick", "phase=main")).do(*moves[:-1])
    assert table.turn_of == 1
    table.do(moves[-1])
    assert (table.turn_of, table.phase, int(table.state.turn)) == (2, "main", 2)


def test_T0_after_the_last_seat_comes_the_first() -> None:
    table = Position("3p seat=3").do("take b1")
    assert table.turn_of == 1


@pytest.mark.parametrize("move", [*TAKES, *ASSEMBLY, *TOKENS, "pass", "step"])
def test_T0_no_other_action_while_choosing_cards(move: str) -> None:
    table = Position(PICKING)
    assert table.why(move) == "T0"
    assert not table.may(move)
    assert all(table.may(choice) for choice in CHOICES)


@pytest.mark.parametrize("move", [*TAKES, *CHOICES, *TOKENS, "pass", "step"])
def test_T0_no_other_action_while_assembling(move: str) -> None:
    table = Position(ASSEMBLING)
    assert table.why(move) == "T0"
    assert not table.may(move)
    assert all(table.may(part) for part in ASSEMBLY)


def test_T0_picking_and_assembling_is_left_by_done() -> None:
    for position in (PICKING, ASSEMBLING):
        table = Position(position)
        assert table.may("done")
        assert table.do("done").turn_of == 2


def test_T0_an_action_has_to_be_done() -> None:
    table = Position("2p tokens")
    assert table.why("done") == "T0"
    assert not table.may("done")
    assert not table.may("pass")


def test_T0_only_the_player_whose_turn_it_is_acts() -> None:
    table = Position("2p seat=2 | board=K hand={R} coatl=RRR | board=G")
    assert table.may("new G")
    assert not table.may("new K")
    assert not table.may("1:{R}")
    table.do("take b1")
    assert table.player(1).n_pieces == 1
    assert table.player(2).n_pieces == 3


def test_T0_a_position_in_which_no_action_is_left_is_refused() -> None:
    with pytest.raises(ValueError, match="T0"):
        Position("2p actions=0")
