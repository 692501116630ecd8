"""Section 3.3 of the rules: assembling (A1-A12), with R1, R2, R8, R12 and Q8 as they bear on it."""

from __future__ import annotations

from random import Random

import pytest

from coatl.errors import NotationError, PositionError
from coatl.rules.pieces import KIND_TEXTS
from tests.position import Position

# Tops of the piles of which no Cóatl below meets a requirement: it has red, another number of
# yellow pieces than of red ones, and neither 11 nor 12 pieces.
NO_TEMPLE_FITS = "piles=noR/11,R=Y/12"
ONE_COMPLETE = "coatl=<KRRRK>:{R}"
TWO_COMPLETE = f"{ONE_COMPLETE} coatl=<KBBBK>:{{B}}"

every_piece = pytest.mark.parametrize("piece", KIND_TEXTS)


def value(table: Position) -> int:
    """What the cards on the first player's only Cóatl would score as it lies there."""
    coatl = table.player().coatls[0]
    complete, coatl.complete = coatl.complete, 1
    points = table.scores()[0][0]
    coatl.complete = complete
    return points


def n_complete(table: Position, seat: int = 1) -> int:
    return int(table.player(seat).n_complete)


def refuses(table: Position, text: str, clause: str) -> bool:
    """The move is not in the list of legal ones, and this clause is the reason."""
    return not table.may(text) and table.why(text) == clause


# ------------------------------------------------------------------ any number, at least one


def test_A1_A2_A3_any_number_of_steps_in_any_order() -> None:
    table = Position("2p | board=<K,3R,B,Y> hand={R},RB coatl=B")
    table.do("new R", "2+R", "<K+2", "2+R", "2:{R}", "1+Y>", "2+B", "2:RB")
    assert table.coatls() == ["BY>", "<KRRRB:{R},RB"]
    assert (table.turn_of, table.phase) == (1, "assemble")
    assert table.do("done").turn_of == 2


@pytest.mark.parametrize("step", ["new K", "1+K", "1:{R}"])
def test_A1_A2_A3_one_step_is_enough_and_none_is_not(step: str) -> None:
    table = Position("2p | board=K hand={R} coatl=RRR")
    assert refuses(table, "done", "T0")
    assert table.do(step, "done").turn_of == 2


@pytest.mark.parametrize("other", ["take b1", "pick {Y}", "draw"])
def test_A1_A2_A3_assembling_is_the_one_action_of_the_turn(other: str) -> None:
    table = Position("2p | board=2K coatl=R")
    assert table.may(other)
    assert refuses(table.do("1+K"), other, "T0")


# ------------------------------------------------------------------ A1: begin


@every_piece
def test_A1_begin_with_any_one_piece_of_the_board(piece: str) -> None:
    table = Position(f"2p | board={piece}").do(f"new {piece}")
    assert table.coatls() == [piece]
    assert table.seat(1, "board") is None
    assert table.phase == "assemble"


@every_piece
def test_A1_the_piece_must_be_on_your_board(piece: str) -> None:
    others = ",".join(other for other in KIND_TEXTS if other != piece)
    mine = ",".join(others.split(",")[:8])
    table = Position(f"2p | board={mine} | board={piece}")
    assert refuses(table, f"new {piece}", "A1")


def test_A1_a_new_coatl_is_one_piece() -> None:
    table = Position("2p | board=3K").do("new K")
    assert table.coatls() == ["K"]
    assert table.seat(1, "board") == "2K"


def test_A1_not_with_two_incomplete_coatl() -> None:
    assert refuses(Position("2p | board=K coatl=R coatl=B"), "new K", "A1")
    assert refuses(Position("2p | board=K coatl=<R coatl=B>"), "new K", "A1")
    assert Position("2p | board=K coatl=R").may("new K")
    assert refuses(Position("2p | board=3K").do("new K", "new K"), "new K", "A1")


def test_A1_never_more_than_three_in_all_complete_ones_counted() -> None:
    assert Position(f"2p | board=K {TWO_COMPLETE}").may("new K")
    assert Position(f"2p | board=K {ONE_COMPLETE} coatl=B").may("new K")
    assert refuses(Position(f"2p | board=K {TWO_COMPLETE} coatl=B"), "new K", "A1")
    assert refuses(Position(f"2p | board=K {ONE_COMPLETE} coatl=B coatl=Y"), "new K", "A1")


def test_A1_limits_are_each_players_own() -> None:
    assert Position("2p | board=K | coatl=R coatl=B").may("new K")


def test_A1_completing_one_makes_room_for_another() -> None:
    table = Position(f"2p {NO_TEMPLE_FITS} | board=K,K> coatl=<KRRR:{{R}} coatl=B")
    assert refuses(table, "new K", "A1")
    assert table.do("1+K>", "new K").coatls() == ["<KRRRK>:{R}", "B", "K"]


def test_A1_positions_keep_the_limits() -> None:
    with pytest.raises(PositionError) as found:
        Position("2p | coatl=R coatl=B coatl=Y")
    assert found.value.clauses == ("A1",)


# ------------------------------------------------------------------ A2: add


def test_A2_one_piece_to_either_end_of_one_of_your_coatl() -> None:
    table = Position("2p | board=K,R,Y,G coatl=B coatl=B").do("K+1", "1+R", "Y+2", "2+G")
    assert table.coatls() == ["KBR", "YBG"]
    assert table.seat(1, "board") is None


def test_A2_each_step_takes_one_piece_off_the_board() -> None:
    table = Position("2p | board=2K,K> coatl=B").do("1+K")
    assert table.seat(1, "board") == "K>,K"
    assert table.do("1+K>").seat(1, "board") == "K"


@every_piece
def test_A2_the_piece_must_be_on_your_board(piece: str) -> None:
    table = Position(f"2p | coatl=B | board={piece}")
    text = f"{piece}+1" if piece.startswith("<") else f"1+{piece}"
    assert refuses(table, text, "A2")


def test_A2_shape_and_colour_both_matter() -> None:
    table = Position("2p | board=<K,R> coatl=B")
    for text in ("1+K", "K+1", "1+K>", "<R+1", "1+R", "R+1"):
        assert refuses(table, text, "A2")


def test_A2_only_to_a_coatl_of_your_own() -> None:
    table = Position("2p | board=K coatl=B | coatl=R coatl=Y")
    assert refuses(table, "2+K", "A2")
    assert refuses(table, "K+3", "A2")
    assert table.do("1+K").coatls(2) == ["R", "Y"]


# ------------------------------------------------------------------ A3: fulfil


def test_A3_card_from_the_hand_goes_next_to_a_coatl() -> None:
    table = Position("2p | hand={K},RK coatl=R coatl=KKK").do("2:{K}")
    assert table.coatls() == ["R", "KKK:{K}"]
    assert table.seat(1, "hand") == "RK"
    assert table.phase == "assemble"


@pytest.mark.parametrize(
    ("card", "too_little", "enough"),
    [
        ("{K}", "KRK", "KRKK"),
        ("!KK!", "KKKR", "KKR"),
        ("KKK", "KKRK", "RKKK"),
        ("RK", "KR", "RK"),
        ("KBKB", "BKBK", "KBKB"),
        ("RRRGG", "RRGGR", "RRRGG"),
        ("GGRR", "RRGG", "GGRR"),
        ("YKRGB", "BGRKY", "YKRGB"),
        ("YK+R", "YR", "YKKR"),
        ("KY*+YK", "KYYK", "KYBYK"),
    ],
)
def test_A3_the_lowest_level_at_least(card: str, too_little: str, enough: str) -> None:
    table = Position(f"2p | hand={card} coatl={too_little} coatl={enough}")
    assert refuses(table, f"1:{card}", "A3")
    assert table.may(f"2:{card}")


def test_A3_a_higher_level_is_not_asked_for() -> None:
    for pieces in ("KKK", "KKKK", "KKKKK", "KKKKKK", "KKKKKKK"):
        assert Position(f"2p | hand={{K}} coatl={pieces}").may("1:{K}")


def test_A3_only_a_card_of_your_own_hand() -> None:
    table = Position("2p row={K},YG,RK,YB,GB,KG | hand=YK coatl=KKK | hand={K}")
    assert refuses(table, "1:{K}", "A3")


def test_A3_only_a_coatl_of_your_own() -> None:
    table = Position("2p | hand={K} coatl=R | coatl=KKK coatl=KKK")
    assert refuses(table, "1:{K}", "A3")
    assert refuses(table, "2:{K}", "A3")


def test_A3_on_a_coatl_with_one_end_closed() -> None:
    assert Position("2p | hand={K} coatl=<KKK").may("1:{K}")
    assert Position("2p | hand={K} coatl=KKK>").may("1:{K}")


def test_A3_the_blue_pieces_of_the_rulebook() -> None:
    """Three blue pieces satisfy the minimum of {B}; more can be added and raise its value."""
    table = Position("2p | board=4B hand={B} coatl=<YBB")
    assert refuses(table, "1:{B}", "A3")
    table.do("1+B", "1:{B}")
    values = [value(table)]
    for _ in range(3):
        values.append(value(table.do("1+B")))
    assert values == [2, 3, 4, 5]
    assert table.coatls() == ["<YBBBBBB:{B}"]


# ------------------------------------------------------------------ A4: which way round


def test_A4_a_head_goes_on_the_left_and_a_tail_on_the_right() -> None:
    table = Position("2p | board=<K,R> hand={B} coatl=BBB").do("<K+1")
    assert table.coatls() == ["<KBBB"]
    assert table.do("1+R>").coatls() == ["<KBBBR>"]


@pytest.mark.parametrize("text", ["1+<K", "K>+1"])
def test_A4_no_decision_puts_them_the_other_way(text: str) -> None:
    with pytest.raises(NotationError, match="A4"):
        Position("2p | board=<K,K> coatl=B").why(text)


@pytest.mark.parametrize("piece", ["<R", "R"])
def test_A4_nothing_goes_beyond_a_head(piece: str) -> None:
    table = Position(f"2p | board={piece} coatl=<KB")
    assert refuses(table, f"{piece}+1", "A4")


@pytest.mark.parametrize("piece", ["R>", "R"])
def test_A4_nothing_goes_beyond_a_tail(piece: str) -> None:
    table = Position(f"2p | board={piece} coatl=BK>")
    assert refuses(table, f"1+{piece}", "A4")


def test_A4_the_open_end_stays_open() -> None:
    assert Position("2p | board=R coatl=<KB").do("1+R").coatls() == ["<KBR"]
    assert Position("2p | board=R coatl=BK>").do("R+1").coatls() == ["RBK>"]
    assert Position("2p | board=R coatl=<K").do("1+R").coatls() == ["<KR"]
    assert Position("2p | board=R coatl=K>").do("R+1").coatls() == ["RK>"]


def test_A4_at_most_one_head_and_one_tail() -> None:
    assert refuses(Position("2p | board=2<K").do("new <K"), "<K+1", "A4")
    assert refuses(Position("2p | board=2K>").do("new K>"), "1+K>", "A4")


@pytest.mark.parametrize("pieces", ["K<R", "K>R", "<<K", "K>>", "R<KB"])
def test_A4_positions_read_head_to_tail(pieces: str) -> None:
    with pytest.raises(PositionError) as found:
        Position(f"2p | coatl={pieces}")
    assert found.value.clauses == ("A4",)


# ------------------------------------------------------------------ A5: placed is placed


def pieces_of(coatl: str) -> str:
    return coatl.partition(":")[0]


def grown_from(before: list[str], after: list[str]) -> bool:
    """Every Cóatl is still there, its pieces side by side as before, at most one piece longer."""
    if len(after) < len(before):
        return False
    for old, new in zip(map(pieces_of, before), map(pieces_of, after), strict=False):
        if old not in new or len(new.strip("<>")) - len(old.strip("<>")) not in (0, 1):
            return False
    return True


@pytest.mark.parametrize("seed", range(4))
def test_A5_placed_pieces_are_never_moved_removed_or_joined(seed: int) -> None:
    random = Random(f"A5 {seed}")
    table = Position.new(players=2, tokens=True, seed=seed)
    steps = 0
    while not table.over:
        before = [table.coatls(seat) for seat in (1, 2)]
        legal = table.legal
        building = [move for move in legal if move.startswith("new ") or move[-2:-1] == "+"]
        table.do(random.choice(building or legal))
        for seat in (1, 2):
            assert grown_from(before[seat - 1], table.coatls(seat)), (before, table.text)
        steps += len(table.coatls())
    assert steps > 50


def test_A5_no_decision_joins_or_takes_back() -> None:
    table = Position("2p | board=K coatl=<RB coatl=YG>").do("1+K")
    assert table.legal == ["done"]
    assert table.coatls() == ["<RBK", "YG>"]


def test_A5_a_coatl_is_not_turned_round() -> None:
    table = Position("2p | board=K hand=KG coatl=RGB").do("1+K")
    assert table.coatls() == ["RGBK"]
    assert refuses(table, "1:KG", "A3")


# ------------------------------------------------------------------ A6: four cards, all different

FOUR_CARDS = "coatl=KKKRRRYG:{K},{R},KKK,RRR"


def test_A6_at_most_four_prophecy_cards() -> None:
    assert refuses(Position(f"2p | hand=YG {FOUR_CARDS}"), "1:YG", "A6")
    table = Position("2p | hand=YG,RRR coatl=KKKRRRYG:{K},{R},KKK").do("1:YG")
    assert refuses(table, "1:RRR", "A6")


def test_A6_never_two_identical_cards_on_the_same_coatl() -> None:
    table = Position("2p | hand={K} coatl=KKK:{K} coatl=KKKR")
    assert refuses(table, "1:{K}", "A6")
    assert table.do("2:{K}").coatls() == ["KKK:{K}", "KKKR:{K}"]


def test_A6_not_even_at_a_higher_level() -> None:
    assert refuses(Position("2p | hand={K},{K} coatl=KKKKKK").do("1:{K}"), "1:{K}", "A6")


def test_A6_holds_on_completion_too() -> None:
    table = Position(
        f"2p {NO_TEMPLE_FITS} | board=K> hand=YG,{{R}} coatl=<KKKRRRYG:{{K}},{{R}},RRR"
    )
    table.do("1+K>")
    assert refuses(table, "1:{R}", "A6")
    table = Position(f"2p {NO_TEMPLE_FITS} | board=K> hand=YG,RK coatl=<KKRRRKYG:{{K}},{{R}},RRR")
    table.do("1+K>", "1:YG")
    assert table.phase == "assemble"
    assert table.coatls() == ["<KKRRRKYGK>:{R},{K},RRR,YG"]
    assert table.seat(1, "hand") == "RK"


def test_A6_four_on_each_of_two_coatl() -> None:
    table = Position(f"2p | hand=YG,!YY! {FOUR_CARDS} coatl=YYYGGG:YYY,{{Y}},{{G}}")
    assert table.do("2:YG").coatls()[1] == "YYYGGG:{Y},{G},YYY,YG"
    assert refuses(table, "2:!YY!", "A6")


# ------------------------------------------------------------------ A7: what a complete Cóatl has


def test_A7_a_body_segment_between_head_and_tail() -> None:
    assert refuses(Position("2p | board=K> hand={K} coatl=<K"), "1+K>", "A7")
    assert refuses(Position("2p | board=<K hand={K} coatl=K>"), "<K+1", "A7")


@pytest.mark.parametrize("cards", ["{R}", "{R},RRR", "{R},RRR,RK", "{R},RRR,RK,RB"])
def test_A7_one_to_four_fulfilled_cards(cards: str) -> None:
    table = Position(f"2p {NO_TEMPLE_FITS} | board=K> coatl=<KRRRKRB:{cards}").do("1+K>")
    assert n_complete(table) == 1


def test_A7_one_body_segment_is_enough() -> None:
    table = Position(f"2p {NO_TEMPLE_FITS} | board=K> hand=RK coatl=<RR").do("1+K>", "1:RK")
    assert table.coatls() == ["<RRK>:RK"]
    assert n_complete(table) == 1


@pytest.mark.parametrize("coatl", ["<RK:RK", "RK>:RK", "KRRRK:RRR,{R},RK"])
def test_A7_head_and_tail_are_both_needed(coatl: str) -> None:
    assert n_complete(Position(f"2p | coatl={coatl}")) == 0


# ------------------------------------------------------------------ A8: the closing piece


def test_A8_closing_piece_needs_a_card() -> None:
    assert refuses(Position("2p | board=K> coatl=<KRRR"), "1+K>", "A8")
    assert refuses(Position("2p | board=K> hand={K} coatl=<KRRR"), "1+K>", "A8")
    assert refuses(Position("2p | board=<K hand={K} coatl=RRRK>"), "<K+1", "A8")
    assert Position("2p | board=K> hand={R} coatl=<KRRR").do("1+K>").phase == "fulfil"
    assert Position("2p | board=<K hand={R} coatl=RRRK>").do("<K+1").phase == "fulfil"


def test_A8_a_fulfilled_card_is_enough() -> None:
    table = Position("2p | board=K> coatl=<KRRR:{R}")
    assert table.may("1+K>")


def test_A8_a_card_on_another_coatl_does_not_count() -> None:
    table = Position("2p | board=K> coatl=<KRRR coatl=RRR:{R}")
    assert refuses(table, "1+K>", "A8")


def test_A8_anothers_hand_does_not_count() -> None:
    assert refuses(Position("2p | board=K> coatl=<KRRR | hand={R}"), "1+K>", "A8")


def test_A8_the_closed_coatl_has_to_satisfy_it() -> None:
    """The closing piece itself may bring the card about, or spoil it."""
    brought = Position("2p | board=R>,K> hand={R} coatl=<KRR")
    assert refuses(brought, "1:{R}", "A3")
    assert refuses(brought, "1+K>", "A8")
    assert brought.may("1+R>")
    spoilt = Position("2p | board=R>,K> hand=!RR! coatl=<KRR")
    assert spoilt.may("1:!RR!")
    assert refuses(spoilt, "1+R>", "A8")
    assert spoilt.may("1+K>")


def test_A8_the_closed_coatl_has_to_satisfy_it_when_the_head_closes_it() -> None:
    brought = Position("2p | board=<R,<K hand=RB coatl=BK>")
    assert refuses(brought, "<K+1", "A8")
    assert brought.may("<R+1")
    spoilt = Position("2p | board=<R,<K hand=!RR! coatl=RRK>")
    assert refuses(spoilt, "<R+1", "A8")
    assert spoilt.may("<K+1")


def test_A8_other_pieces_need_no_card() -> None:
    table = Position("2p | board=K,<K coatl=RR").do("<K+1", "1+K")
    assert table.coatls() == ["<KRRK"]


def test_A8_completes_at_once() -> None:
    table = Position(f"2p {NO_TEMPLE_FITS} | board=K>,R coatl=<KRRR:{{R}}").do("1+K>")
    assert n_complete(table) == 1
    assert refuses(table, "1+R", "A10")


def test_A8_one_end_closed_is_not_yet_closed() -> None:
    for position, text in (("board=K> coatl=RRR:{R}", "1+K>"), ("board=<K coatl=RRR:{R}", "<K+1")):
        table = Position(f"2p | {position}").do(text)
        assert table.phase == "assemble"
        assert n_complete(table) == 0


# ------------------------------------------------------------------ A9: completion

TWO_CARDS_FIT = f"2p {NO_TEMPLE_FITS} | board=K>,K hand={{R}},RK,YG coatl=<KRRR"


def test_A9_i_as_many_prophecy_cards_as_you_want() -> None:
    table = Position(TWO_CARDS_FIT).do("1+K>")
    assert table.legal == ["1:{R}", "1:RK"]
    table.do("1:RK")
    assert table.legal == ["1:{R}", "done"]
    both = table.do("1:{R}", "done")
    assert both.coatls() == ["<KRRRK>:{R},RK"]
    assert both.seat(1, "hand") == "YG"
    one = Position(TWO_CARDS_FIT).do("1+K>", "1:{R}", "done")
    assert one.coatls() == ["<KRRRK>:{R}"]
    assert one.seat(1, "hand") == "YG,RK"
    assert n_complete(both) == n_complete(one) == 1


def test_A9_i_at_least_one_if_it_had_none() -> None:
    table = Position(TWO_CARDS_FIT).do("1+K>")
    assert refuses(table, "done", "A9")
    assert n_complete(table) == 0
    had_one = Position(f"2p {NO_TEMPLE_FITS} | board=K> hand={{R}} coatl=<KRRR:RRR").do("1+K>")
    assert had_one.phase == "fulfil"
    assert had_one.do("done").coatls() == ["<KRRRK>:RRR"]
    assert n_complete(had_one) == 1


def test_A9_i_only_cards_that_the_closed_coatl_satisfies() -> None:
    table = Position(TWO_CARDS_FIT).do("1+K>")
    assert refuses(table, "1:YG", "A3")
    assert refuses(table, "1:RRR", "A3")


def test_A9_i_only_on_the_coatl_just_closed() -> None:
    table = Position(f"{TWO_CARDS_FIT} coatl=RRR").do("1+K>")
    assert refuses(table, "2:{R}", "A9")
    assert table.do("1:RK", "done", "2:{R}").coatls() == ["<KRRRK>:RK", "RRR:{R}"]


def test_A9_i_is_skipped_with_an_empty_hand() -> None:
    table = Position("2p piles=noY/7,R=Y/12 | board=K> coatl=<KRRR:{R}").do("1+K>")
    assert table.phase == "temple"
    assert table.legal == ["1:noY/7", "done"]
    last_card = Position("2p piles=noY/7,R=Y/12 | board=K> hand={R} coatl=<KRRR").do(
        "1+K>", "1:{R}"
    )
    assert last_card.phase == "temple"


def test_A9_i_is_skipped_when_four_cards_lie_there() -> None:
    table = Position("2p piles=noY/7,R=Y/12 | board=K> hand=RK coatl=<KKRRRKG:{R},{K},RRR,KG")
    assert table.do("1+K>").phase == "temple"
    table = Position("2p piles=noY/7,R=Y/12 | board=K> hand=RK,KG coatl=<KKRRRKG:{R},{K},RRR")
    assert table.do("1+K>", "1:KG").phase == "temple"


@pytest.mark.parametrize("hand", ["YG", "{R}", "YG,{R}"])
def test_A9_i_is_asked_where_only_the_hand_says_that_nothing_fits(hand: str) -> None:
    """H1: skipping would tell the others what is not in the hand."""
    table = Position(f"2p piles=noY/7,R=Y/12 | board=K> hand={hand} coatl=<KRRR:{{R}}").do("1+K>")
    assert table.phase == "fulfil"
    assert table.legal == ["done"]
    assert table.do("done").phase == "temple"


def test_A9_ii_is_skipped_with_no_temple_card_in_hand_and_none_that_fits_on_the_piles() -> None:
    table = Position(f"2p {NO_TEMPLE_FITS} | board=K>,K coatl=<KRRR:{{R}}").do("1+K>")
    assert table.phase == "assemble"
    assert n_complete(table) == 1
    assert table.word("pending") is None
    after_i = Position(f"2p {NO_TEMPLE_FITS} | board=K> hand=YG coatl=<KRRR:{{R}}").do(
        "1+K>", "done"
    )
    assert n_complete(after_i) == 1


def test_A9_ii_is_asked_where_only_the_hand_says_that_nothing_fits() -> None:
    """H1, as for the Prophecy cards."""
    table = Position(f"2p {NO_TEMPLE_FITS} | board=K> temples=noK/8 coatl=<KRRR:{{R}}").do("1+K>")
    assert table.phase == "temple"
    assert table.legal == ["done"]
    assert n_complete(table.do("done")) == 1


TEMPLE_STEP = "2p piles=noY/7,noR/11 | board=K>,2R temples=noB/10,noK/8 coatl=<KRRR:{R} coatl=RRR"


def test_A9_ii_a_temple_card_from_the_hand() -> None:
    table = Position(TEMPLE_STEP).do("1+K>")
    assert table.legal == ["1:noB/10", "1:noY/7", "done"]
    table.do("1:noB/10")
    assert table.coatls()[0] == "<KRRRK>:{R},noB/10"
    assert table.seat(1, "temples") == "noK/8"
    assert table.word("piles") == "noY/7:7,noR/11:6"
    assert n_complete(table) == 1


@pytest.mark.parametrize(
    ("piles", "after"),
    [
        ("noY/7:6,noR/11:7", "noG/9:5,noR/11:7"),
        ("noR/11:6,noY/7:7", "noR/11:6,noG/9:6"),
    ],
)
def test_A9_ii_the_top_of_either_pile_and_the_next_is_revealed(piles: str, after: str) -> None:
    position = f"2p piles={piles} | board=K> temples=noB/10,noK/8 coatl=<KRRR:{{R}}"
    table = Position(position).do("1+K>").will_draw("noG/9").do("1:noY/7")
    assert table.draws_fitted
    assert table.coatls() == ["<KRRRK>:{R},noY/7"]
    assert table.word("piles") == after
    assert table.seat(1, "temples") == "noK/8,noB/10"


def test_A9_ii_a_pile_can_run_out() -> None:
    table = Position("2p piles=noY/7:1,noR/11:14 | board=K> coatl=<KRRR:{R}").do("1+K>", "1:noY/7")
    assert table.word("piles") == "-,noR/11:14"


def test_A9_ii_the_last_card_of_a_pile_is_revealed() -> None:
    table = Position("2p piles=noY/7:2,noR/11:13 | board=K> coatl=<KRRR:{R}").do("1+K>")
    assert table.will_draw("noG/9").do("1:noY/7").word("piles") == "noG/9:1,noR/11:13"


def test_A9_ii_an_empty_pile_offers_nothing() -> None:
    table = Position("2p piles=-,noR/11:14 | board=K> temples=noY/7 coatl=<KRRR:{R}").do("1+K>")
    assert table.legal == ["1:noY/7", "done"]


@pytest.mark.parametrize("elsewhere", ["1:noG/9", "1:noB/K=R"])
def test_A9_ii_no_other_temple_card(elsewhere: str) -> None:
    """Neither below the top of a pile nor in another's hand; both would fit."""
    table = Position(f"{TEMPLE_STEP} | temples=noG/9").do("1+K>")
    assert refuses(table, elsewhere, "A9")


@pytest.mark.parametrize(
    ("temple", "coatl", "fits"),
    [
        ("noY/7", "<KRRR:{R}", True),
        ("noY/7", "<KYRRR:{R}", False),
        ("noY/7", "<KYYRRR:{R}", True),
        ("noB/K=R", "<KRR:!RR!", True),
        ("noB/K=R", "<KBRR:!RR!", True),
        ("noB/K=R", "<KRB:RB", False),
        ("R=G/6", "<KRRR:{R}", False),
        ("R=G/6", "<KRRRRG:{R}", False),
        ("R=G/6", "<KRRY:!RR!", False),
        ("R=G/6", "<KRYYY:YYY", True),
        ("R=G/6", "<KRRGGB:!RR!", True),
    ],
)
@pytest.mark.parametrize("source", ["hand", "pile"])
def test_A9_ii_at_least_one_requirement_is_met(
    temple: str, coatl: str, fits: bool, source: str
) -> None:
    """The tail that closes the Cóatl is black; it counts."""
    if source == "hand":
        position = f"2p piles=R=Y/12:7,B=Y/12:7 | board=K> temples={temple} coatl={coatl}"
    else:
        position = f"2p piles=R=Y/12:8,{temple}:7 | board=K> coatl={coatl}"
    table = Position(position).do("1+K>")
    assert table.may(f"1:{temple}") == fits
    assert table.why(f"1:{temple}") == ("" if fits else "A9")


def test_A9_ii_a_card_that_does_not_fit_is_refused_while_another_fits() -> None:
    table = Position(TEMPLE_STEP).do("1+K>")
    assert refuses(table, "1:noK/8", "A9")
    assert refuses(table, "1:noR/11", "A9")


def test_A9_ii_looks_at_the_prophecy_cards_laid() -> None:
    position = "2p promo piles=R=Y/12,nored/Y=K | board=K> hand=RRR,{R} coatl=<KRRR"
    assert Position(position).do("1+K>", "1:RRR", "done").may("1:nored/Y=K")
    table = Position(position).do("1+K>", "1:{R}", "done")
    assert table.phase == "assemble"
    assert n_complete(table) == 1


def test_A9_ii_one_temple_card_a_coatl() -> None:
    table = Position(TEMPLE_STEP).do("1+K>", "1:noB/10")
    assert table.phase == "assemble"
    assert refuses(table, "1:noY/7", "A9")
    with pytest.raises(PositionError) as found:
        Position("2p | coatl=<KRRRK>:{R},noB/10,noY/7")
    assert "A9" in found.value.clauses


@pytest.mark.parametrize("phase", ["main", "assemble"])
def test_A9_ii_only_on_completion(phase: str) -> None:
    table = Position(TEMPLE_STEP)
    if phase == "assemble":
        table.do("2+R")
    assert refuses(table, "1:noB/10", "A9")
    assert refuses(table, "1:noY/7", "A9")


def test_A9_ii_comes_after_the_prophecy_cards() -> None:
    table = Position("2p piles=noY/7,noR/11 | board=K> hand={R},RK coatl=<KRRR").do("1+K>")
    assert refuses(table, "1:noY/7", "A9")
    table.do("1:{R}")
    assert refuses(table, "1:noY/7", "A9")
    table.do("done")
    assert table.may("1:noY/7")
    assert refuses(table, "1:RK", "A9")


def test_A9_iii_the_value_can_be_announced() -> None:
    """3 red pieces: 2; RK: 1; no yellow piece, but not 7 pieces: 3."""
    table = Position("2p piles=noY/7,noR/11 | board=K> hand={R},RK coatl=<KRRR").do("1+K>")
    table.do("1:{R}", "1:RK", "1:noY/7")
    assert value(table) == 2 + 1 + 3
    assert table.scores()[0] == [6, 0]


def test_A9_iv_its_cards_stay_with_it_and_serve_no_other() -> None:
    table = Position(
        "2p piles=noY/7,noR/11 | board=K> hand={R} temples=noG/9 coatl=<KRRR coatl=RRR"
    )
    table.do("1+K>", "1:{R}", "1:noG/9")
    assert table.coatls() == ["<KRRRK>:{R},noG/9", "RRR"]
    assert table.seat(1, "hand") is None
    assert table.seat(1, "temples") is None
    assert refuses(table, "2:{R}", "A3")


@pytest.mark.parametrize(
    "other",
    [
        "take b1",
        "pick {Y}",
        "draw",
        "new K",
        "2+K",
        "K+2",
        "pass",
        "token future",
        "token priest 1",
    ],
)
@pytest.mark.parametrize("phase", ["fulfil", "temple"])
def test_A9_before_anything_else_in_the_turn(phase: str, other: str) -> None:
    table = Position(
        "2p tokens row={Y},YG,YB,GB,KG,YK piles=noY/7,noR/11 "
        "| board=K>,K hand={R} coatl=<KRRR:RRR coatl=B"
    ).do("1+K>")
    if phase == "temple":
        table.do("done")
    assert table.phase == phase
    assert refuses(table, other, "A9")


def test_A9_when_the_head_closes_it() -> None:
    table = Position("2p piles=noY/7,noR/11 | board=<K hand={R} coatl=RRRK>")
    table.do("<K+1", "1:{R}", "1:noY/7")
    assert table.coatls() == ["<KRRRK>:{R},noY/7"]
    assert n_complete(table) == 1


def test_A9_of_the_second_coatl() -> None:
    table = Position("2p piles=noY/7,noR/11 | board=K> hand={R} coatl=RRR coatl=<KRRR")
    table.do("2+K>", "2:{R}", "2:noY/7")
    assert table.coatls() == ["RRR", "<KRRRK>:{R},noY/7"]


# ------------------------------------------------------------------ A10: after completion


def test_A10_you_may_go_on_assembling() -> None:
    table = Position(f"2p {NO_TEMPLE_FITS} | board=K>,B,Y hand=YB coatl=<KRRR:{{R}} coatl=Y")
    table.do("1+K>", "done", "2+B", "2:YB", "new Y")
    assert table.coatls() == ["<KRRRK>:{R}", "YB:YB", "Y"]
    assert table.turn_of == 1


def test_A10_even_complete_another() -> None:
    table = Position(f"2p {NO_TEMPLE_FITS} | board=K>,R> coatl=<KRRR:{{R}} coatl=<KRRR:RRR")
    assert n_complete(table.do("1+K>", "2+R>")) == 2
    assert table.turn_of == 1


@pytest.mark.parametrize("text", ["1+R", "R+1", "<R+1", "1+R>", "1:RK"])
@pytest.mark.parametrize("when", ["the same turn", "later"])
def test_A10_a_complete_coatl_takes_no_more(text: str, when: str) -> None:
    position = f"2p {NO_TEMPLE_FITS} | board=K>,R,<R,R>,B hand=RK coatl="
    if when == "later":
        table = Position(position.replace("K>,", "") + "<KRRRK>:{R}")
    else:
        table = Position(position + "<KRRR:{R}").do("1+K>", "done", "new B")
    assert refuses(table, text, "A10")


def test_A10_taking_is_still_another_action() -> None:
    table = Position(f"2p {NO_TEMPLE_FITS} | board=K> coatl=<KRRR:{{R}}").do("1+K>")
    assert table.legal == ["done"]
    assert refuses(table, "take b1", "T0")
    assert table.do("done").turn_of == 2


# ------------------------------------------------------------------ A11, R12: the third Cóatl

THIRD = f"3p seat=2 {NO_TEMPLE_FITS} | | board=K>,K,R hand=RK {TWO_COMPLETE} coatl=<KRRR:{{R}}"


def test_A11_the_third_complete_coatl_triggers_the_end() -> None:
    table = Position(THIRD).do("3+K>")
    assert table.word("end") is None
    table.do("3:RK")
    assert table.word("end") == "third"
    assert table.word("trigger") == "2"
    assert not table.over


def test_A11_two_do_not() -> None:
    table = Position(f"2p {NO_TEMPLE_FITS} | board=K> {ONE_COMPLETE} coatl=<YRRR:{{R}}").do("2+K>")
    assert n_complete(table) == 2
    assert table.word("end") is None


def test_A11_three_coatl_are_not_yet_three_complete_ones() -> None:
    table = Position(f"2p {NO_TEMPLE_FITS} | board=K> {ONE_COMPLETE} coatl=<YRRR:RRR coatl=B")
    table.do("2+K>")
    assert n_complete(table) == 2
    assert table.word("end") is None


def test_R12_the_owner_may_finish_the_turn_but_begins_no_fourth() -> None:
    table = Position(THIRD).do("3+K>", "3:RK")
    assert (table.turn_of, table.phase) == (2, "assemble")
    assert refuses(table, "new K", "A1")
    assert refuses(table, "3+R", "A10")
    assert table.legal == ["done"]
    assert table.do("done").turn_of == 3


# ------------------------------------------------------------------ A12


def test_A12_pieces_may_stay_on_the_board() -> None:
    table = Position("2p | board=3K,R> coatl=B").do("1+K", "done")
    assert table.seat(1, "board") == "R>,2K"
    assert table.turn_of == 2


@pytest.mark.parametrize("board", ["K", "<K,7K"])
def test_A12_the_board_need_not_be_full(board: str) -> None:
    assert Position(f"2p | board={board}").may("new K")


def test_A12_a_card_can_be_fulfilled_with_an_empty_board() -> None:
    assert Position("2p | hand={R} coatl=RRR").do("1:{R}", "done").turn_of == 2


# ------------------------------------------------------------------ R1, R2, Q8: broken and better


@pytest.mark.parametrize("pieces", ["BB", "RBB", "BBR", "<RBB", "BBR>", "<BB", "BB>"])
def test_R1_an_isolated_pair_at_an_open_end_counts(pieces: str) -> None:
    assert Position(f"2p | hand=!BB! coatl={pieces}").may("1:!BB!")


@pytest.mark.parametrize(("pieces", "text"), [("RBB", "1+B"), ("BBR", "B+1"), ("<RBB", "1+B")])
def test_R1_a_later_piece_may_break_it_and_the_card_stays(pieces: str, text: str) -> None:
    table = Position(f"2p | board=B hand=!BB! coatl={pieces}").do("1:!BB!")
    assert value(table) == 2
    table.do(text)
    assert value(table) == 0
    assert table.coatls()[0].endswith(":!BB!")
    assert table.seat(1, "hand") is None


def test_R1_a_broken_card_may_be_worth_something_again() -> None:
    table = Position("2p | board=3B,R hand=!BB! coatl=<RBB").do(
        "1:!BB!", "1+B", "1+R", "1+B", "1+B"
    )
    assert value(table) == 2


BROKEN = "coatl=<RBBB:!BB!"


def test_R2_a_broken_card_counts_for_A6() -> None:
    table = Position("2p | hand=RB coatl=<RBBBKKK:!BB!,{B},KKK,BBB")
    assert refuses(table, "1:RB", "A6")


def test_R2_a_broken_card_counts_for_A7_and_A8() -> None:
    table = Position(f"2p piles=noB/10,R=Y/12 | board=K> {BROKEN}").do("1+K>")
    assert n_complete(table) == 1
    assert table.coatls() == ["<RBBBK>:!BB!"]


def test_R2_with_a_broken_card_no_other_is_needed_on_completion() -> None:
    table = Position(f"2p piles=noB/10,R=Y/12 | board=K> hand={{B}} {BROKEN}").do("1+K>")
    assert table.phase == "fulfil"
    assert n_complete(table.do("done")) == 1


def test_R2_the_closing_piece_may_break_it() -> None:
    table = Position("2p piles=noB/10,R=Y/12 | board=B> coatl=<RBB:!BB!").do("1+B>")
    assert n_complete(table) == 1
    assert value(table) == 0


def test_R2_a_broken_card_counts_for_the_tie_break() -> None:
    broken = Position("2p | coatl=<RBBBK>:{B},!BB! | coatl=<YKKKY>:{K}")
    assert broken.scores() == ([2, 2], [1])


def test_Q8_worth_what_is_satisfied_at_the_end() -> None:
    """{B} laid at 3 blue pieces (2 points), closed with 4 (3); !BB! laid intact (2), broken (0)."""
    better = Position("2p piles=noB/10,R=Y/12 | board=B,K> hand={B} coatl=<KBBB").do("1:{B}")
    assert value(better) == 2
    assert better.do("1+B", "1+K>").scores()[0] == [3, 0]
    broken = Position("2p piles=noB/10,R=Y/12 | board=B,B> hand=!BB! coatl=<RBB").do("1:!BB!")
    assert value(broken) == 2
    assert broken.do("1+B", "1+B>").scores()[0] == [0, 0]


def test_Q8_only_the_end_counts_not_the_order_of_laying() -> None:
    early = Position("2p piles=noB/10,R=Y/12 | board=2B,K> hand={B} coatl=<RBBB")
    early.do("1:{B}", "1+B", "1+B", "1+K>")
    late = Position("2p piles=noB/10,R=Y/12 | board=2B,K> hand={B} coatl=<RBBB")
    late.do("1+B", "1+B", "1+K>", "1:{B}")
    assert early.scores()[0] == late.scores()[0] == [4, 0]


# ------------------------------------------------------------------ R8: the Temple card is a choice


def test_R8_the_temple_card_may_be_left() -> None:
    table = Position(TEMPLE_STEP).do("1+K>", "done")
    assert table.coatls()[0] == "<KRRRK>:{R}"
    assert table.seat(1, "temples") == "noK/8,noB/10"
    assert n_complete(table) == 1
    assert table.phase == "assemble"


def test_R8_except_at_solo_level_1() -> None:
    position = "solo levels={} piles=noY/7,noR/11 | board=K> coatl=<KRRR:{{R}} | cards=YG,RK,YB"
    table = Position(position.format("1")).do("1+K>")
    assert table.legal == ["1:noY/7"]
    assert refuses(table, "done", "D10")
    assert Position(position.format("2345")).why("1+K>") == "R9"
    assert Position(position.format("235")).do("1+K>").may("done")
