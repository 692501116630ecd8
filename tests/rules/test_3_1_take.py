"""Section 3.1 of the rules: taking pieces (T1-T5; R10 for the order of filling; R16)."""

from __future__ import annotations

import pytest

from coatl.rules.pieces import COLOURS, SPACES
from coatl.rules.state import NONE
from tests.position import Position

FULL = "KR,BY,KG,RB,YG,KK,B,Y,G,K"
ALL_HEADS = "board=3<K,3<R,2<B | board=<B,3<Y,3<G"
ALL_TAILS = "board=3K>,3R>,2B> | board=B>,3Y>,3G>"
NO_ENDS_LEFT = (
    "board=3K>,3R> | board=3<K,3<R,2<B | board=<B,3<Y,3<G,B> | board=2B>,3Y>,3G>"  # 15 and 15
)


def others(*left: str) -> str:
    """A Cóatl of all body segments of the fewer-bodies game for two (14 a colour) but `left`."""
    kept = "".join(left)
    return "".join(colour * (14 - kept.count(colour)) for colour in COLOURS)


def supply(table: Position) -> list[str]:
    return (table.word("supply") or "").split(",")


def bodies_in_bag(table: Position) -> int:
    return int(table.state.bag[10:].sum())


# ---------------------------------------------------------------- T1


@pytest.mark.parametrize(
    ("space", "board"),
    [
        *(("b1", "K,R"), ("b2", "B,Y"), ("b3", "K,G"), ("b4", "R,B"), ("b5", "Y,G"), ("b6", "2K")),
        *(("h1", "<B"), ("h2", "<Y"), ("t1", "G>"), ("t2", "K>")),
    ],
)
def test_T1_the_whole_content_of_one_space_goes_on_the_board(space: str, board: str) -> None:
    table = Position(f"2p supply={FULL}").do(f"take {space}")
    assert table.seat(1, "board") == board
    assert table.seat(2, "board") is None
    emptied = FULL.split(",")
    at = SPACES.index(space)
    emptied[at] = "-"
    assert supply(table) == emptied
    assert table.state.supply[at].tolist() == [NONE, NONE]


def test_T1_added_to_what_is_there() -> None:
    table = Position(f"2p supply={FULL} | board=<B,2K,Y>").do("take b1")
    assert table.seat(1, "board") == "<B,Y>,3K,R"
    assert table.player(1).n_pieces == 6


def test_T1_an_empty_space_cannot_be_chosen() -> None:
    table = Position("2p supply=KR,-,KG,RB,YG,KK,B,-,-,K")
    for space in ("b2", "h2", "t1"):
        assert table.why(f"take {space}") == "T1"
        assert not table.may(f"take {space}")
    assert [move for move in table.legal if move.startswith("take")] == [
        *("take b1", "take b3", "take b4", "take b5", "take b6", "take h1", "take t2")
    ]


# ---------------------------------------------------------------- T2


def test_T2_two_body_segments_need_two_spaces() -> None:
    table = Position("2p | board=<K,6R")
    assert table.why("take b1") == "T2"
    assert not table.may("take b1")
    assert table.may("take h1")
    assert table.may("take t1")


def test_T2_a_full_board_takes_nothing() -> None:
    table = Position("2p | board=<K,7R")
    for space in ("b1", "b6", "h1", "h2", "t1", "t2"):
        assert table.why(f"take {space}") == "T2"
    assert not any(move.startswith("take") for move in table.legal)


@pytest.mark.parametrize(
    ("board", "move"), [("6R", "take b1"), ("7R", "take h2"), ("7R", "take t1")]
)
def test_T2_just_enough_room_will_do(board: str, move: str) -> None:
    table = Position(f"2p | board={board}").do(move)
    assert table.player(1).n_pieces == 8


def test_T2_pieces_on_a_coatl_take_no_room() -> None:
    assert Position("2p | board=6R coatl=<KKKKKKKK").may("take b1")


# ---------------------------------------------------------------- T3


def test_T3_refill_when_no_body_is_left() -> None:
    table = Position("2p supply=-,-,KR,-,-,-,B,-,-,K").do("take b3")
    assert "-" not in supply(table)
    assert supply(table)[6] == "B"
    assert supply(table)[9] == "K"
    assert bodies_in_bag(table) == 120 - 2 - 12


def test_T3_refill_when_no_head_and_no_tail_is_left() -> None:
    for spaces, move in (("-,G,-,-", "take h2"), ("-,-,-,G", "take t2")):
        table = Position(f"2p supply=-,KR,-,-,GG,-,{spaces}").do(move)
        assert "-" not in supply(table)
        assert supply(table)[1] == "KR"
        assert supply(table)[4] == "GG"


def test_T3_no_refill_while_bodies_and_a_head_or_tail_are_left() -> None:
    for before, move, after in (
        ("KR,GG,-,-,-,-,B,-,-,-", "take b1", "-,GG,-,-,-,-,B,-,-,-"),
        ("KR,GG,-,-,-,-,-,-,-,B", "take b2", "KR,-,-,-,-,-,-,-,-,B"),
        ("KR,-,-,-,-,-,B,Y,-,-", "take h1", "KR,-,-,-,-,-,-,Y,-,-"),
        ("KR,-,-,-,-,-,B,-,Y,-", "take h1", "KR,-,-,-,-,-,-,-,Y,-"),
        ("-,-,-,-,-,KR,B,-,-,Y", "take t2", "-,-,-,-,-,KR,B,-,-,-"),
    ):
        assert Position(f"2p supply={before}").do(move).word("supply") == after


def test_T3_before_the_next_player_takes() -> None:
    table = Position("2p supply=KR,-,-,-,-,-,B,-,-,-").do("take b1")
    assert [move for move in table.legal if move.startswith("take")] == [
        *(f"take b{n}" for n in range(1, 7)),
        *("take h1", "take h2", "take t1", "take t2"),
    ]


def test_T3_only_after_a_take() -> None:
    """Choosing cards and assembling leave the Supply board as it is."""
    for moves in (["draw", "done"], ["new K", "done"]):
        table = Position("2p supply=KR,-,-,-,-,-,B,-,-,- | board=K").do(*moves)
        assert table.word("supply") == "KR,-,-,-,-,-,B,-,-,-"


# ---------------------------------------------------------------- T4


@pytest.mark.parametrize(
    ("bag", "spaces"),
    [
        ("KK", "KK,-,-,-,-,-"),
        ("KKKK", "KK,KK,-,-,-,-"),
        ("RRRRRRRRRR", "RR,RR,RR,RR,RR,-"),
        ("RRRRRRRRRRRR", "RR,RR,RR,RR,RR,RR"),
    ],
)
def test_T4_as_many_body_spaces_as_possible(bag: str, spaces: str) -> None:
    position = f"2p fewer supply=-,-,-,BB,-,-,K,R,B,Y | | coatl={others('BB', bag)}"
    table = Position(position).do("take b4")
    assert table.word("supply") == f"{spaces},K,R,B,Y"
    assert bodies_in_bag(table) == 0


def test_T4_always_two_segments_in_a_body_space() -> None:
    position = f"2p fewer supply=BB,-,-,-,-,-,K,R,B,Y | | coatl={others('BB', 'KKK')}"
    table = Position(position).do("take b1")
    assert table.word("supply") == "KK,-,-,-,-,-,K,R,B,Y"
    assert bodies_in_bag(table) == 1


def test_T4_heads_run_short() -> None:
    seats = ALL_HEADS.replace("3<G", "2<G")
    table = Position(f"4p supply=KK,-,-,-,-,-,-,-,-,Y | | {seats} |").do("take b1")
    assert supply(table)[6:8] == ["G", "-"]
    assert "-" not in supply(table)[:6] + supply(table)[8:]


def test_T4_tails_run_short() -> None:
    seats = ALL_TAILS.replace("3G>", "2G>")
    table = Position(f"4p supply=KK,-,-,-,-,-,Y,-,-,- | | {seats} |").do("take b1")
    assert supply(table)[8:] == ["G", "-"]
    assert "-" not in supply(table)[:8]


def test_T4_a_bag_that_runs_short_does_not_keep_the_others_from_filling() -> None:
    """The last head or tail goes while the bag of bodies is empty."""
    position = f"2p fewer supply=-,-,BB,-,-,-,-,R,-,- | | coatl={others('BB')}"
    table = Position(position).do("take h2")
    assert supply(table)[:6] == ["-", "-", "BB", "-", "-", "-"]
    assert "-" not in supply(table)[6:]


def test_T4_the_game_goes_on_with_the_part_filled_board() -> None:
    position = f"2p fewer supply=BB,-,-,-,-,-,K,R,B,Y | | coatl={others('BB', 'KKRR')}"
    table = Position(position).will_draw("K K R R").do("take b1")
    assert (table.turn_of, table.phase, table.word("end")) == (2, "main", None)
    table.do("take b2")
    assert table.word("supply") == "KK,-,-,-,-,-,K,R,B,Y"
    assert table.word("end") is None


# ---------------------------------------------------------------- R10


def test_R10_bodies_heads_tails_are_filled_in_the_order_of_their_numbers() -> None:
    table = Position("2p supply=-,-,-,-,-,BB,-,-,Y,-")
    table.will_draw("K K R R G G Y Y K R B G <R <G B>").do("take b6")
    assert table.draws_fitted
    assert table.word("supply") == "KK,RR,GG,YY,KR,BG,R,G,Y,B"


def test_R10_filled_spaces_are_passed_over() -> None:
    table = Position("2p supply=-,BB,-,-,YY,-,-,G,-,-")
    table.will_draw("K K R R G G R K <R <K B> Y>").do("take h2")
    assert table.draws_fitted
    assert table.word("supply") == "KK,BB,RR,GG,YY,KR,R,K,B,Y"


def test_R10_a_short_bag_fills_the_lowest_numbers_first() -> None:
    position = f"2p fewer supply=-,BB,-,-,-,-,-,G,-,- | | coatl={others('BB', 'KKRR')}"
    table = Position(position).will_draw("R R K K").do("take h2")
    assert supply(table)[:6] == ["RR", "BB", "KK", "-", "-", "-"]


# ---------------------------------------------------------------- T5


def test_T5_no_body_on_the_board_nor_in_the_bag_is_the_game_end() -> None:
    table = Position(f"2p fewer supply=-,-,BB,-,-,-,K,R,B,Y | | coatl={others('BB')}").do("take b3")
    assert table.word("end") == "bodies"
    assert not table.over  # E3: the round and a last turn each are still to come


def test_T5_not_while_segments_are_in_the_bag() -> None:
    position = f"2p fewer supply=-,-,BB,-,-,-,K,R,B,Y | | coatl={others('BB', 'RR')}"
    assert Position(position).do("take b3").word("end") is None


def test_T5_not_while_segments_are_on_the_board() -> None:
    position = f"2p fewer supply=-,-,BB,-,KK,-,K,R,B,Y | | coatl={others('BB', 'KK')}"
    table = Position(position).do("take b3")
    assert bodies_in_bag(table) == 0
    assert table.word("end") is None


def test_T5_heads_and_tails_running_out_is_no_game_end() -> None:
    seats = NO_ENDS_LEFT.replace("3<G", "2<G")
    table = Position(f"4p supply=KR,-,-,-,-,-,G,-,-,- | {seats}").do("take h1")
    assert supply(table)[6:] == ["-", "-", "-", "-"]
    assert table.word("end") is None


# ---------------------------------------------------------------- R16


def test_R16_bodies_are_refilled_after_every_take_when_heads_and_tails_are_gone() -> None:
    table = Position(f"4p supply=KR,-,GG,YY,-,RR,-,-,-,- | {NO_ENDS_LEFT}").do("take b3")
    filled = supply(table)
    assert "-" not in filled[:6]
    assert [filled[0], filled[3], filled[5]] == ["KR", "YY", "RR"]
    assert filled[6:] == ["-", "-", "-", "-"]


def test_R16_heads_and_tails_are_refilled_after_every_take_when_bodies_are_gone() -> None:
    position = f"2p fewer end=bodies left=3 supply=-,-,-,-,-,-,K,R,-,Y | | coatl={others()}"
    table = Position(position).do("take h2")
    filled = supply(table)
    assert "-" not in filled[6:]
    assert [filled[6], filled[9]] == ["K", "Y"]
    table.do("take t1")
    assert "-" not in supply(table)[6:]
    assert supply(table)[:6] == ["-"] * 6
