"""Section 9 of the rules: the rulings (R1-R23)."""

from __future__ import annotations

from collections import Counter

import pytest

from coatl.errors import PositionError
from coatl.rules.cards import prophecies
from coatl.rules.pieces import COLOURS, SPACES, bodies_of_a_colour
from tests.position import Position, deck_of

NO_TEMPLE = "piles=R=Y/12,Y=G/6"
LAST_PIECE = "board=K> hand={K} coatl=<RRR>:{R} coatl=<BBB>:{B} coatl=<KKK"
THIRD_COATL = ("3+K>", "3:{K}", "done")


def other_cards(*names: str) -> list[str]:
    """The Prophecy cards of the base deck that are not among these."""
    left = Counter({card.name: card.copies for card in prophecies()})
    left.subtract(names)
    return list(left.elements())


def bodies_but(but: str, each: int = 24) -> str:
    """All body segments as one long piece of Cóatl, but for some."""
    return "".join(colour * (each - but.count(colour)) for colour in COLOURS)


def value(table: Position) -> int:
    """What the cards on the first Cóatl would score if it were complete as it is."""
    twin = Position(table.text)
    twin.player().coatls[0].complete = 1
    return twin.scores()[0][0]


# ---------------------------------------------------------------- R1, R2


@pytest.mark.parametrize("coatl", ["RR", "<KRR", "KRR", "RRK", "RRK>", "KRRK"])
def test_R1_an_isolated_pair_at_an_open_end_counts(coatl: str) -> None:
    table = Position(f"2p | hand=!RR! coatl={coatl}").do("1:!RR!")
    assert value(table) == 2


@pytest.mark.parametrize("coatl", ["R", "RRR", "<KRRR", "RRRK>", "<KRK"])
def test_R1_but_not_one_or_three_pieces(coatl: str) -> None:
    assert Position(f"2p | hand=!RR! coatl={coatl}").why("1:!RR!") == "A3"


def test_R1_a_later_piece_may_break_it() -> None:
    """The card stays on the Cóatl, worth nothing; it may be made worth something again."""
    table = Position(f"2p {NO_TEMPLE} | board=4R,K,K> hand=!RR! coatl=<KRR").do("1:!RR!", "1+R")
    assert table.coatls() == ["<KRRR:!RR!"]
    assert value(table) == 0
    table.do("1+K", "1+R", "1+R")
    assert value(table) == 2
    table.do("1+R", "1+K>", "done")
    assert table.coatls() == ["<KRRRKRRRK>:!RR!"]
    assert table.scores()[0] == [0, 0]


def test_R2_a_broken_card_counts_for_A6() -> None:
    """As one of four. (No card that can be broken exists twice.)"""
    table = Position("2p | hand={R} coatl=<KKKRRRBBBYYY:!RR!,!KK!,!BB!,!YY!")
    assert value(table) == 0
    assert table.why("1:{R}") == "A6"
    assert Position("2p | hand={R} coatl=<KKKRRRBBBYYY:!RR!,!KK!,!BB!").why("1:{R}") == ""


def test_R2_a_broken_card_counts_for_A7_and_A8() -> None:
    """It is card enough to close a Cóatl, without any other."""
    assert Position("2p | board=R> coatl=<KRRR").why("1+R>") == "A8"
    table = Position(f"2p {NO_TEMPLE} | board=R> coatl=<KRRR:!RR!").do("1+R>")
    assert table.phase == "assemble"
    assert table.player().n_complete == 1
    table = Position(f"2p {NO_TEMPLE} | board=R> hand={{R}} coatl=<KRRR:!RR!").do("1+R>", "done")
    assert table.coatls() == ["<KRRRR>:!RR!"]


def test_R2_a_broken_card_counts_for_the_tie_break() -> None:
    table = Position("2p | coatl=<RRRK>:{R} | coatl=<BBBK>:{B},!BB!")
    assert table.scores() == ([2, 2], [2])


# ---------------------------------------------------------------- R3, R4


ROW = ("YG", "RK", "YB", "GB", "KG", "YK")


def test_R3_the_discards_become_a_new_deck() -> None:
    """Only when a card has to be drawn."""
    discard = ",".join(other_cards(*ROW))
    table = Position(f"2p row={','.join(ROW)} deck=- discard={discard}")
    assert (table.state.n_deck, table.state.n_discard) == (0, 48)
    assert table.may("draw")
    table.do("draw")
    assert (table.state.n_deck, table.state.n_discard) == (47, 0)
    table = Position(f"2p row={','.join(ROW)} deck=- discard={discard}").do("take b1")
    assert (table.state.n_deck, table.state.n_discard) == (0, 48)


def test_R3_the_row_is_refilled_from_the_discards() -> None:
    """The last card of the deck comes first, then the discards, all of them."""
    discard = ",".join(other_cards(*ROW, "RB"))
    table = Position(f"2p row={','.join(ROW)} deck=RB discard={discard}").will_draw("RB KBKB")
    table.do("pick YG", "pick YB", "done")
    assert table.draws_fitted
    assert table.word("row") == "RB,RK,KBKB,GB,KG,YK"
    assert (table.state.n_deck, table.state.n_discard) == (46, 0)


def test_R3_cards_discarded_at_setup_come_back_too() -> None:
    discard = ",".join(other_cards(*ROW, "BBYY", "RRBB"))
    words = f"2p row={','.join(ROW)} deck=- discard={discard}"
    table = Position(f"{words} | buried=BBYY | buried=RRBB").will_draw("BBYY RRBB")
    table.do("draw", "draw")
    assert table.draws_fitted
    assert table.state.n_deck == 46


def no_cards_left(row: str, hand: str = "") -> str:
    """Solo: the row, the hand and A.D.A.M.'s cards KKK, RRR, BBB; all other cards are fulfilled."""
    held = [*row.split(","), *hand.split(","), "KKK", "RRR", "BBB"]
    rest = ",".join(other_cards(*(name for name in held if name not in ("", "-"))))
    seat = f"hand={hand}" if hand else ""
    return f"solo row={row} deck=- | {seat} | cards=KKK,RRR,BBB fulfilled={rest}"


def test_R3_with_no_discards_either_the_supply_stays_short() -> None:
    table = Position(no_cards_left("YG,RK,YB,GB,KG,YK"))
    assert table.why("draw") == "R3"
    table.do("pick YG", "pick YK", "done")
    assert table.word("row") == "-,-,RK,YB,GB,KG"
    table.adam()
    assert table.why("draw") == "R3"
    assert table.why("pick -@1") == "P1"


def test_R3_the_supply_of_four_players_stays_short() -> None:
    """All other cards lie on Cóatl."""
    position = f"4p row={','.join(ROW)} deck=- | | coatl=KKK:KKK | coatl=RRR:RRR |"
    table = Position(position, deck=deck_of(*ROW, "KKK", "RRR"))
    assert table.why("draw") == "R3"
    table.do("pick YG", "pick KG", "done")
    assert table.word("row") == "-,RK,YB,GB,-,YK"
    table.do("pick YK", "done")
    assert table.word("row") == "-,RK,YB,GB,-,-"


def test_R4_white_infinity_is_at_least_one_piece() -> None:
    assert Position("2p | hand=KY*+YK coatl=KYYK").why("1:KY*+YK") == "A3"
    assert Position("2p | hand=KY*+YK coatl=KYYYK").why("1:KY*+YK") == ""
    assert Position("2p | hand=KY*+YK coatl=KYRYK").why("1:KY*+YK") == ""
    assert Position("2p | hand=KY*+YK coatl=KYRKBGGYK").why("1:KY*+YK") == ""


# ---------------------------------------------------------------- R5

# Eight heads and two Cóatl with heads: nothing fits, and the hand is full of cards not satisfied.
CLOGGED = "board=3<K,3<R,2<B coatl=<Y coatl=<G hand=YYY,RRR,KKK,GGG,BBB"
CLOGGED_TOO = "board=3K>,3R>,2B> coatl=Y> coatl=G> hand=YG,RK,YB,GB,KG"
CLOGGED_AS_WELL = "board=<Y,2<G,B>,2Y>,2G> coatl=<B coatl=<Y hand=KBKB,YRYR,RGRG,RRRGG,KKGGG"
FREE = "hand=KBKB"


def test_R5_who_can_do_nothing_passes() -> None:
    table = Position(f"2p | {CLOGGED} |")
    assert table.legal == ["pass"]
    table.do("pass")
    assert table.turn_of == 2
    assert not table.over


@pytest.mark.parametrize(
    ("seat", "move"),
    [
        (CLOGGED.replace("2<B", "<B"), "take h1"),
        (CLOGGED.replace(",BBB", ""), "draw"),
        (CLOGGED.replace(" coatl=<G", ""), "new <K"),
        (CLOGGED.replace("2<B", "B,<B"), "1+B"),
        (CLOGGED.replace("<G", "GGG"), "2:GGG"),
        (CLOGGED.replace("<G", "GR"), "<K+2"),
    ],
)
def test_R5_who_can_do_a_standard_action_may_not_pass(seat: str, move: str) -> None:
    table = Position(f"2p | {seat} |")
    assert table.may(move)
    assert not table.may("pass")
    assert table.why("pass") == "R5"


def test_R5_or_uses_a_token_if_one_can_be_used() -> None:
    table = Position(f"2p tokens | {CLOGGED} |")
    assert table.legal == ["token future", "token priest 1", "token priest 2", "pass"]
    table.do("token priest 1")
    assert table.turn_of == 2
    assert Position(f"2p tokens | {CLOGGED} tokens=pick |").legal == ["pass"]


def test_R5_all_pass_one_after_another_ends_the_game() -> None:
    table = Position(f"2p | {CLOGGED} | {CLOGGED_TOO}").do("pass")
    assert not table.over
    table.do("pass")
    assert table.over
    assert table.word("end") == "passed"
    assert table.scores() == ([0, 0], [1, 2])


@pytest.mark.parametrize("between", ["take b1", "token priest 1"])
def test_R5_an_action_between_passes_starts_the_count_again(between: str) -> None:
    """Two of three pass, the third plays; it takes three more passes."""
    words = "3p tokens | " + " | ".join((CLOGGED, CLOGGED_TOO, FREE))
    table = Position(words).do("pass", "pass", between)
    assert table.word("passes") is None
    table.do("pass", "pass")
    assert not table.over
    assert table.turn_of == 3
    table = Position(words).do("pass")
    assert table.word("passes") == "1"


def test_R5_three_players_have_to_pass_all_three() -> None:
    sections = " | ".join((CLOGGED, CLOGGED_TOO, CLOGGED_AS_WELL))
    table = Position(f"3p supply=KK,RR,BB,YY,GG,KK,-,-,-,- | {sections}").do("pass", "pass")
    assert not table.over
    assert table.turn_of == 3
    table.do("pass")
    assert table.over
    assert table.word("end") == "passed"


@pytest.mark.parametrize("end", ["third", "bodies"])
def test_R5_after_a_trigger_a_pass_only_uses_up_that_turn(end: str) -> None:
    """Seats 1 and 2 pass in their final turns; seat 3 still has its own."""
    if end == "third":
        done = "coatl=<KRRR>:{R} coatl=<RBBBR>:{B} coatl=<BKKKR>:{K}"
        clogged = "board=2<K,2<R,2<B,<Y,<G coatl=<Y coatl=<G hand=YYY,RRR,KKK,GGG,BBB"
        clogged_too = "board=3K>,2B>,2Y>,G> coatl=Y> coatl=G> hand=YG,RK,YB,GB,KG"
        words = f"4p seat=2 end=third trigger=1 left=2 actions=2 | {done}"
        table = Position(f"{words} | {clogged} | {clogged_too} | ").do("pass")
        assert table.turn_of == 3
        table.do("pass")
        assert table.turn_of == 4
        table.do("take b1", "take b2")
    else:
        words = f"3p end=bodies left=2 supply=-,-,-,-,-,-,Y,-,-,- | {CLOGGED} | {CLOGGED_TOO}"
        table = Position(f"{words} | coatl={bodies_but('')}").do("pass", "pass")
        assert not table.over
        assert table.turn_of == 3
        table.do("draw", "done")
    assert table.over
    assert table.word("end") == end


def test_R5_all_pass_after_a_trigger_and_have_their_turns() -> None:
    words = f"2p end=bodies left=3 supply=-,-,-,-,-,-,Y,-,-,- | {CLOGGED}"
    body = CLOGGED_TOO.replace("coatl=Y>", f"coatl={bodies_but('')}Y>:RB,RRBB,BBYY,{{Y}}")
    table = Position(f"{words} | {body}").do("pass", "pass")
    assert not table.over
    table.do("pass", "pass")
    assert table.over
    assert table.word("end") == "bodies"


def test_R5_in_solo_a_pass_does_not_end_the_game() -> None:
    table = Position(f"solo | {CLOGGED} | cards={{K}},{{R}},{{B}}")
    for _ in range(3):
        assert table.legal == ["pass"]
        table.do("pass")
        assert table.phase == "adam"
        table.adam()
        assert not table.over


# ---------------------------------------------------------------- R6, R7, R8


FULL_HAND = "YYY,RRR,KKK,GGG,BBB"


def test_R6_see_the_future_with_a_full_hand_and_nothing_discarded() -> None:
    """The token and the refresh are spent; no card is taken."""
    table = Position(f"2p tokens row={','.join(ROW)} | hand={FULL_HAND} |").do(
        "token future", "done"
    )
    assert table.why("draw") == "P2"
    assert table.legal == ["done"]
    table.do("done")
    assert table.turn_of == 2
    assert table.seat(1, "tokens") == "pick,priest"
    assert table.player().n_hand == 5
    assert table.state.n_discard == 6
    assert not set(str(table.word("row")).split(",")) & set(ROW)


def test_R6_otherwise_at_least_one_card_is_taken() -> None:
    for seat, drops in (("hand=YYY,RRR", ()), (f"hand={FULL_HAND}", ("drop YYY",)), ("", ())):
        table = Position(f"2p tokens | {seat} |").do("token future", *drops, "done")
        assert table.why("done") == "P1"
        table.do("draw", "done")
        assert table.turn_of == 2


def test_R6_if_there_is_one_anywhere() -> None:
    """No face-up card, no deck, no discards: nothing can be taken, with an empty hand too."""
    position = "4p tokens row=-,-,-,-,-,- deck=- | | hand={R},{R} | coatl=KKK:KKK |"
    table = Position(position, deck=deck_of("{R}", "KKK")).do("token future", "done")
    assert table.legal == ["done"]
    table.do("done")
    assert table.turn_of == 2
    position = position.replace("deck=-", "deck=- discard=YG")
    table = Position(position, deck=deck_of("{R}", "KKK", "YG")).do("token future", "done")
    assert table.why("done") == "P1"
    assert table.legal == ["pick YG"]


def test_R7_perfect_pick_of_two_colours() -> None:
    table = Position("2p tokens | |").do("token pick KG")
    assert table.seat(1, "board") == "K,G"
    table = Position("2p tokens | |").do("token pick KK")
    assert table.seat(1, "board") == "2K"


def test_R7_only_colours_that_are_in_the_bag() -> None:
    """One black body segment in the bag, no red one, no black head."""
    spent = "coatl=<K" + "K" * 23 + "R" * 24
    supply = "supply=BB,BB,BB,BB,BB,BB,K,K,Y,Y"
    table = Position(f"2p tokens {supply} | | {spent}")
    assert table.why("token pick KK") == "R7"
    assert table.why("token pick KR") == "R7"
    assert table.why("token pick RR") == "R7"
    assert table.why("token pick <K") == "R7"
    assert table.why("token pick KB") == ""
    assert table.why("token pick BB") == ""
    assert table.why("token pick K>") == ""
    assert table.why("token pick <R") == ""


def test_R8_a_temple_card_is_a_choice() -> None:
    table = Position("2p piles=noK/8,noR/11 | board=Y> hand={Y} temples=noB/10 coatl=<YYY")
    table.do("1+Y>", "1:{Y}")
    assert table.phase == "temple"
    assert set(table.legal) == {"1:noB/10", "1:noK/8", "1:noR/11", "done"}
    table.do("done")
    assert table.coatls() == ["<YYYY>:{Y}"]


def test_R8_except_at_level_1() -> None:
    words = "piles=noK/8,noR/11 | board=Y> hand={Y} coatl=<YYY | cards=KKK"
    assert Position(f"solo {words}").do("1+Y>", "1:{Y}").why("done") == ""
    assert Position(f"solo levels=2345 {words}").why("1+Y>") == "R9"
    assert Position(f"solo levels=1 {words}").do("1+Y>", "1:{Y}").why("done") == "D10"


# ---------------------------------------------------------------- R9

# Y Y Y B B B G G: {Y} {B} red, YYY BBB black, YB blue, YYBBB yellow, YB+G green.
BUILT = "<YYYBBBG"


def closing(words: str, hand: str, laid: str = "") -> Position:
    cards = f":{laid}" if laid else ""
    return Position(f"solo {words} | board=G> hand={hand} coatl={BUILT}{cards} | cards=KKK")


def test_R9_all_levels_have_to_be_met_together() -> None:
    """Four cards, and three different colours, but not four cards of different colours."""
    hand = "{Y},{B},YYY,YB"
    assert closing("levels=3", hand).why("1+G>") == ""
    assert closing("levels=4", hand).why("1+G>") == ""
    assert closing("levels=34", hand).why("1+G>") == "R9"
    assert closing("levels=34", "{Y},YYBBB,YYY,YB").why("1+G>") == ""


def test_R9_level_1_wants_a_temple_card_on_top_of_a_pile() -> None:
    assert closing("levels=1 piles=R=Y/12,R=G/6", "{Y}").why("1+G>") == "R9"
    assert closing("levels=1 piles=R=Y/12,noK/8", "{Y}").why("1+G>") == ""
    assert closing("levels=1 piles=noK/8,R=Y/12", "{Y}").why("1+G>") == ""
    assert closing("levels=14 piles=noK/8,R=Y/12", "{Y},YYY,YB").why("1+G>") == "R9"
    assert closing("levels=14 piles=R=Y/12,R=G/6", "{Y},YYY,YB,YYBBB").why("1+G>") == "R9"
    assert closing("levels=14 piles=noK/8,R=Y/12", "{Y},YYY,YB,YYBBB").why("1+G>") == ""


def test_R9_the_closing_piece_counts_for_the_temple_card() -> None:
    """Exactly 8 pieces, or none of a colour, once the piece is placed: as a tail and as a head."""
    words = "levels=1 piles=R=Y/12,noK/8"
    seat = "board={piece} hand={{Y}} coatl={coatl}"
    for piece, coatl, move, why in (
        ("G>", "<KYYYBBG", "1+G>", ""),
        ("G>", "<KYYYBBBG", "1+G>", "R9"),
        ("K>", "<YYYBBBBG", "1+K>", "R9"),
        ("G>", "<YYYBBBBG", "1+G>", ""),
        ("<G", "KYYYBBG>", "<G+1", ""),
        ("<K", "YYYBBBBG>", "<K+1", "R9"),
    ):
        section = seat.format(piece=piece, coatl=coatl)
        assert Position(f"solo {words} | {section} | cards=KKK").why(move) == why, coatl


def test_R9_only_a_fulfilment_that_keeps_such_a_choice_possible() -> None:
    """Level 1 and *no blue Prophecy card* the only Temple card that fits: YB would spoil it."""
    words = "promo levels=1 piles=noblue/R=B/10,R=Y/12"
    assert closing(words, "YB").why("1+G>") == "R9"
    assert closing(words, "YYY", "YB").why("1+G>") == "R9"
    table = closing(words, "YB,YYY").do("1+G>")
    assert table.why("1:YB") == "R9"
    assert table.legal == ["1:YYY"]
    table.do("1:YYY")
    assert table.why("1:YB") == "R9"
    table.do("done", "1:noblue/R=B/10")
    assert table.coatls() == ["<YYYBBBGG>:YYY,noblue/R=B/10"]
    assert closing(words.replace(" levels=1", ""), "YB,YYY").do("1+G>").why("1:YB") == ""


def test_R9_the_step_can_be_left_only_when_the_levels_are_met() -> None:
    table = closing("levels=4", "{B},YYY,YB,YYBBB", "{Y}").do("1+G>")
    for card in ("{B}", "YYY", "YB"):
        assert table.why("done") == "R9"
        table.do(f"1:{card}")
    assert table.phase != "fulfil"
    table = closing("levels=1 piles=noK/8,R=Y/12", "{Y},YYY").do("1+G>")
    assert table.why("done") == "A9"
    table.do("1:{Y}", "done")
    assert table.phase == "temple"


def test_R9_level_3_restricts_A3_as_well() -> None:
    table = Position(f"solo levels=3 | hand={{B}},YB coatl={BUILT}:{{Y}} | cards=KKK")
    assert table.why("1:{B}") == "D10"
    assert table.why("1:YB") == ""


# ---------------------------------------------------------------- R10


def test_R10_spaces_are_numbered_bodies_heads_tails() -> None:
    assert SPACES == ("b1", "b2", "b3", "b4", "b5", "b6", "h1", "h2", "t1", "t2")


@pytest.mark.parametrize("at", range(10))
def test_R10_adam_goes_through_them_in_this_order(at: int) -> None:
    spaces = ["-"] * 10
    for later in range(at, 10):
        spaces[later] = "KK" if later < 6 else "K" if later not in (7, 9) else "R"
    if at > 5:
        spaces[5] = "GG"
    if at in (7, 9):
        spaces[at] = "K"
    table = Position(f"solo phase=adam supply={','.join(spaces)} | | cards=KKK,YYY,BBB").do("step")
    assert table.seat(2, "space") == SPACES[at]


def test_R10_spaces_are_filled_in_this_order() -> None:
    """T4: the bags have bodies for two spaces, and one head and one tail."""
    ends = "2<K,2<R,3<B,3<Y,3<G,2K>,2R>,3B>,3Y>,3G>"
    words = f"supply=-,-,GG,-,-,-,-,K,-,K gone=16K,14R,14B,16Y,14G,{ends}"
    table = Position(f"solo {words} | | cards=KKK").will_draw("R R B B <R R>").do("take b3")
    assert table.draws_fitted
    assert table.word("supply") == "RR,BB,-,-,-,-,R,K,R,K"


# ---------------------------------------------------------------- R11, R12


def test_R11_a_third_coatl_after_the_bodies_changes_nothing() -> None:
    """E3 was first: seat 1 has its final turn with one action, and seat 2 one after it."""
    bodies = "K" * 20 + "R" * 23 + "B" * 23 + "Y" * 24 + "G" * 24
    supply = "supply=KK,-,-,-,-,-,K,-,-,-"
    table = Position(f"2p seat=2 {NO_TEMPLE} {supply} | {LAST_PIECE} | coatl={bodies}").do(
        "take b1"
    )
    table.do(*THIRD_COATL)
    assert (table.word("end"), table.word("trigger")) == ("bodies", None)
    assert table.turn_of == 2
    table.do("draw", "done")
    assert table.over


def test_R11_the_bodies_after_a_third_coatl_change_nothing() -> None:
    """E2 was first: seat 2 takes the last bodies and has its second action; then it is over."""
    bodies = "K" * 20 + "R" * 23 + "B" * 23 + "Y" * 24 + "G" * 24
    supply = "supply=KK,-,-,-,-,-,K,-,-,-"
    table = Position(f"2p {NO_TEMPLE} {supply} | {LAST_PIECE} | coatl={bodies}").do(*THIRD_COATL)
    table.do("take b1")
    assert (table.word("end"), table.word("trigger")) == ("third", "1")
    assert table.turn_of == 2
    table.do("draw", "done")
    assert table.over


def test_R12_the_owner_of_three_coatls_may_finish_the_turn() -> None:
    """No fourth Cóatl (A1), and nothing can be added to the complete ones (A10)."""
    seat = LAST_PIECE.replace("board=K>", "board=K>,G")
    table = Position(f"2p {NO_TEMPLE} | {seat} |").do("3+K>", "3:{K}")
    assert table.phase == "assemble"
    assert table.turn_of == 1
    assert table.why("new G") == "A1"
    assert table.why("3+G") == "A10"
    assert table.why("take b1") == "T0"
    assert table.legal == ["done"]
    table.do("done")
    assert table.turn_of == 2


def test_R12_never_more_than_three_in_all() -> None:
    """The third is begun, two are complete: no fourth, although only one is incomplete."""
    table = Position("2p | board=G coatl=<RRR>:{R} coatl=<BBB>:{B} coatl=<KKK")
    assert table.why("new G") == "A1"
    assert table.why("3+G") == ""


# ---------------------------------------------------------------- R13


@pytest.mark.parametrize("kept", [0, 1, 2, 3])
def test_R13_each_keeps_none_to_three_cards(kept: int) -> None:
    """One by one in turn order; the first player may discard too."""
    table = Position.new(players=4)
    for seat in (1, 2, 3, 4):
        assert table.phase == "setup"
        assert table.turn_of == seat
        hand = str(table.seat(seat, "hand")).split(",")
        assert len(hand) == 2 + seat
        for card in hand[kept:]:
            still = int(table.player(seat).n_hand)
            assert table.why("done") == ("" if still <= 3 else "S5")
            table.do(f"drop {card}")
        table.do("done")
        assert int(table.player(seat).n_hand) == kept
        assert sorted(names(table, seat)) == sorted(hand[:kept])
    assert table.phase == "main"
    assert table.turn_of == 1
    assert table.state.n_discard == 18 - 4 * kept


def names(table: Position, seat: int) -> list[str]:
    hand = table.seat(seat, "hand")
    return hand.split(",") if hand else []


def test_R13_nobody_else_sees_the_cards() -> None:
    """Neither those kept nor those discarded are marked as seen."""
    table = Position.new(players=2)
    first = names(table, 1)
    table.do(f"drop {first[0]}", "done")
    assert table.seat(1, "buried") == first[0]
    assert not any(table.player(1).seen)
    assert table.word("discard") is None
    table.do(f"drop {names(table, 2)[0]}", "done")
    assert not any(table.player(2).seen)


# ---------------------------------------------------------------- R14


def second_to_play(words: str = "", other: str = "") -> Position:
    """Seat 2 of 2 has its final turn of two actions."""
    table = Position(f"2p {NO_TEMPLE} {words} | {LAST_PIECE} | {other}").do(*THIRD_COATL)
    assert (table.turn_of, table.word("actions")) == (2, "2")
    return table


def test_R14_each_action_is_a_full_one() -> None:
    """Two takes, two choices of several cards, or two assemblies of several pieces."""
    table = second_to_play().do("take b1", "take b2")
    assert table.over
    table = second_to_play().do("draw", "draw", "done")
    assert not table.over
    table.do("draw", "draw", "done")
    assert table.over
    assert table.player(2).n_hand == 4
    table = second_to_play(other="board=2G,2R").do("new G", "1+G", "done")
    assert not table.over
    table.do("1+R", "1+R", "done")
    assert table.over
    assert table.coatls(2) == ["GGRR"]


def test_R14_either_may_be_a_sacrifice_token() -> None:
    table = second_to_play("tokens").do("token pick GG", "token priest 1")
    assert table.over
    assert table.seat(2, "tokens") == "future"
    table = second_to_play("tokens").do("token future", "done", "draw", "done")
    assert not table.over
    table.do("token pick <R")
    assert table.over
    table = second_to_play("tokens").do("take b1", "token pick GG")
    assert table.over


def test_R14_the_supply_is_refilled_after_each_action() -> None:
    """T3 after the first take, so the second finds a full board."""
    table = second_to_play("supply=GG,-,-,-,-,-,Y,-,-,-").do("take b1")
    assert "-" not in str(table.word("supply")).split(",")
    assert table.turn_of == 2


def test_R14_the_face_up_cards_are_refilled_once_after_the_last() -> None:
    table = second_to_play(f"row={','.join(ROW)}").do("pick YG", "done")
    assert table.word("row") == "-,RK,YB,GB,KG,YK"
    table.do("pick YB", "done")
    assert table.over
    assert "-" not in str(table.word("row")).split(",")
    table = second_to_play(f"row={','.join(ROW)}").do("pick YG", "done")
    assert table.word("row") == "-,RK,YB,GB,KG,YK"
    table.do("done")
    assert "-" not in str(table.word("row")).split(",")


def test_R14_the_second_action_may_be_declined() -> None:
    table = second_to_play()
    assert table.why("done") == "T0"
    assert not table.may("done")
    table.do("take b1")
    assert table.why("pass") == "R5"
    table.do("done")
    assert table.over


def test_R14_the_second_may_be_declined_where_nothing_else_is_possible() -> None:
    """After the first action nothing can be done: `done`, not a pass."""
    clogged = "board=3<Y,3<G,<K coatl=<B coatl=<B hand=YYY,RRR,KKK,GGG,BBB"
    table = second_to_play("supply=GG,GG,GG,GG,GG,GG,R,R,Y,Y", clogged).do("take h1")
    assert table.legal == ["done"]
    table.do("done")
    assert table.over


def test_R14_a_pass_ends_the_whole_turn() -> None:
    """The first action only as R5 allows; then there is no second."""
    clogged = "board=3<Y,3<G,<K,<R coatl=<B coatl=<B hand=YYY,RRR,KKK,GGG,BBB"
    table = second_to_play("", clogged)
    assert table.legal == ["pass"]
    table.do("pass")
    assert table.over
    table = Position(f"3p {NO_TEMPLE} | {LAST_PIECE} | {clogged} |").do(*THIRD_COATL, "pass")
    assert (table.turn_of, table.word("actions")) == (3, "2")


def test_R14_a_second_action_does_not_carry_over() -> None:
    """The next player begins with the first of two actions."""
    table = Position(f"3p {NO_TEMPLE} | {LAST_PIECE} | |").do(*THIRD_COATL, "take b1", "done")
    assert (table.turn_of, table.word("actions")) == (3, "2")
    assert table.why("done") == "T0"


# ---------------------------------------------------------------- R15, R16


def adam_turn(words: str, adam: str) -> Position:
    return Position(f"solo phase=adam {words} | | {adam}")


def test_R15_pieces_discarded_by_adam_are_out_of_the_game() -> None:
    """They are neither in the bag nor on the board; nor are those of a fulfilled card."""
    table = adam_turn("supply=RR,-,-,-,-,GG,-,G,-,G", "cards=KKK,BBB,YYY")
    bag = table.state.bag.tolist()
    table.adam()
    assert table.word("gone") == "2R"
    assert table.state.bag.tolist() == bag
    assert Position(table.text).state.bag.tolist() == bag
    table = adam_turn("supply=KR,-,-,-,-,GG,-,G,-,G", "cards=KKK(5K),BBB,YYY")
    bag = table.state.bag.tolist()
    table.adam()
    assert table.word("gone") == "6K,R"
    assert table.state.bag.tolist() == bag


def test_R15_pieces_that_are_gone_are_not_drawn_again() -> None:
    """Fourteen red bodies gone, two on the board: none is left for a refill."""
    words = "supply=RR,-,-,-,-,-,R,R,R,R gone=14R,14B,14Y,14G,<R,R>"
    table = adam_turn(words, "cards=RRR,YYY,BBB")
    assert int(table.state.bag[11]) == 0
    table.adam()
    assert not any("R" in space for space in str(table.word("supply")).split(",")[:6])


def test_R15_only_adam_discards_pieces() -> None:
    with pytest.raises(PositionError) as refused:
        Position("2p gone=2K")
    assert "R15" in refused.value.clauses


ALL_HEADS_AND_TAILS = (
    "board=3<K,3<R,2<B coatl=<B coatl=<Y",
    "board=2<Y,3<G,3K> coatl=R> coatl=R>",
    "board=R>,3B>,3Y>,G> coatl=G> coatl=G>",
)


def test_R16_no_head_and_no_tail_anywhere_bodies_are_refilled_after_every_take() -> None:
    table = Position("4p supply=KK,RR,BB,YY,GG,KK,-,-,-,- | | " + " | ".join(ALL_HEADS_AND_TAILS))
    table.will_draw("G G").do("take b2")
    assert table.draws_fitted
    assert table.word("supply") == "KK,GG,BB,YY,GG,KK,-,-,-,-"


def test_R16_no_body_anywhere_heads_and_tails_are_refilled_after_every_take() -> None:
    supply = "supply=-,-,-,-,-,-,K,K,R,R"
    table = Position(f"2p end=bodies left=3 {supply} | | coatl={bodies_but('')}").will_draw("<G B>")
    table.do("take h1")
    assert table.word("supply") == "-,-,-,-,-,-,G,K,R,R"
    table.do("take t2")
    assert table.draws_fitted
    assert table.word("supply") == "-,-,-,-,-,-,G,K,R,B"


# ---------------------------------------------------------------- R17


def test_R17_pieces_passed_on_may_fill_another_card() -> None:
    """KKK is filled by the take, YK by what KKK leaves, KKYY by what YK leaves: all in one turn."""
    row = "row=YG,RK,YB,GB,KG,{Y}"
    cards = "cards=KKK(5K),YK(2K,3Y),KKYY(Y)"
    table = adam_turn(f"{row} supply=KR,-,-,-,-,GG,-,G,-,G", cards)
    assert table.adam() == [
        *("look", "grab", "place", "place"),
        *("complete", "complete", "complete", "refill", "refill", "refill", "finish"),
    ]
    assert sorted(str(table.seat(2, "fulfilled")).split(",")) == ["KKK", "KKYY", "YK"]


def test_R17_a_card_to_the_left_may_be_filled_by_one_to_the_right() -> None:
    table = adam_turn("supply=BB,-,-,-,-,GG,-,G,-,G", "cards=KKYY(K,2Y),KBKB(2K,B),RRR")
    table.adam()
    assert table.seat(2, "fulfilled") == "KBKB,KKYY"
    assert str(table.seat(2, "cards")).startswith("RRR,")


def test_R17_new_cards_get_none_of_the_old_pieces() -> None:
    """The new {K} is taken after the chain; the black pieces are gone by then."""
    row = "row=YG,RK,YB,GB,YK,{K}"
    table = adam_turn(f"{row} supply=KR,-,-,-,-,GG,-,G,-,G", "cards=KKK(5K),RRR,BBB")
    table.adam()
    assert table.seat(2, "cards") == "RRR(R),BBB,{K}"
    assert table.word("gone") == "6K"


# ---------------------------------------------------------------- R18


def test_R18_the_third_coatl_includes_its_completion_steps() -> None:
    """A further card and a Temple card are still laid; then it is over without A.D.A.M.'s turn."""
    seat = LAST_PIECE.replace("hand={K}", "hand={K},KKK,!KK!")
    table = Position(f"solo piles=noY/7,R=Y/12 | {seat} | cards=RRR").do("3+K>")
    assert table.phase == "fulfil"
    table.do("3:{K}")
    assert not table.over
    table.do("3:KKK", "done")
    assert table.phase == "temple"
    table.do("3:noY/7")
    assert table.over
    assert table.coatls()[2] == "<KKKK>:{K},KKK,noY/7"
    assert table.scores()[0][0] == 2 + 2 + 3 + 3 + 3


def test_R18_the_temple_card_may_be_declined_before_the_end() -> None:
    table = Position(f"solo piles=noY/7,R=Y/12 | {LAST_PIECE} | cards=RRR").do(
        "3+K>", "3:{K}", "done"
    )
    assert table.over


def test_R18_your_take_of_the_last_bodies_ends_the_game() -> None:
    """Without A.D.A.M.'s turn and without E3's extra turns."""
    supply = "supply=KK,-,-,-,-,-,-,G,-,G"
    table = Position(f"solo {supply} | coatl={bodies_but('KK', 16)} | cards=KKK").do("take b1")
    assert table.over
    assert table.seat(1, "board") == "2K"


def test_R18_adam_first_finishes_his_turn() -> None:
    """His take leaves no body: he still places, fulfils, passes on and refills; then it is over."""
    bodies = "K" * 9 + "R" * 16 + "B" * 16 + "Y" * 16 + "G" * 16
    words = "solo phase=adam row=YG,RK,YB,GB,KG,YK supply=KK,-,-,-,-,-,-,G,-,G"
    table = Position(f"{words} | coatl={bodies} | cards=KKK(5K),KBKB,RRR")
    steps = table.adam()
    assert steps == ["look", "grab", "place", "place", "complete", "refill", "finish"]
    assert table.over
    assert table.word("end") == "bodies"
    assert table.seat(2, "fulfilled") == "KKK"
    assert table.seat(2, "cards") == "KBKB(2K),RRR,YK"
    assert table.scores() == ([0, 7], [2])


# ---------------------------------------------------------------- R19, R20


def test_R19_at_level_5_he_is_refilled_to_four_throughout() -> None:
    row = "row=YG,RK,YB,GB,KG,YK"
    words = f"levels=5 {row} supply=KR,-,-,-,-,GG,-,G,-,G"
    table = adam_turn(words, "cards=KKK(5K),YYY,RRR(5R),BBB")
    table.adam()
    assert table.seat(2, "cards") == "YYY,BBB,YK,KG"
    table = adam_turn(words.replace("levels=5 ", ""), "cards=KKK(5K),YYY,BBB")
    table.adam()
    assert table.seat(2, "cards") == "YYY,BBB,YK"


def short_of_cards(row: str, cards: str, space: str) -> Position:
    """A.D.A.M.'s turn when deck and discards are empty; the cards not named are in his pile."""
    held = [name.partition("(")[0] for name in cards.split(",")]
    named = [name for name in (*row.split(","), *held) if name not in ("", "-")]
    rest = ",".join(other_cards(*named))
    words = f"row={row} deck=- supply={space},-,-,-,-,GG,-,G,-,G"
    return adam_turn(words, f"cards={cards} fulfilled={rest}")


def test_R20_with_an_empty_row_he_stays_short() -> None:
    table = short_of_cards("-,-,-,-,-,-", "KKK(5K),RRR,BBB", "KK")
    assert table.adam() == ["look", "grab", "place", "place", "complete", "finish"]
    assert table.seat(2, "cards") == "RRR,BBB"
    assert table.phase == "main"


def test_R20_with_a_short_row_he_takes_what_there_is() -> None:
    table = short_of_cards("-,-,-,-,-,YG", "KKK(5K),RRR(5R),BBB", "KR")
    table.adam()
    assert table.seat(2, "cards") == "BBB,YG"
    assert table.word("row") == "-,-,-,-,-,-"


def test_R20_he_takes_the_missing_cards_in_the_fulfil_step_of_his_next_turn() -> None:
    """He has one card; after placing his pieces he takes two from the right of the row."""
    words = "row=YG,RK,YB,GB,KG,YK supply=KR,-,-,-,-,GG,-,G,-,G"
    table = adam_turn(words, "cards=KKK(K)")
    assert table.adam() == ["look", "grab", "place", "place", "refill", "refill", "finish"]
    assert table.seat(2, "cards") == "KKK(2K),YK,KG"
    assert table.word("gone") == "R"


def test_R20_also_in_a_turn_in_which_he_only_discards() -> None:
    words = "row=YG,RK,YB,GB,KG,YK supply=RR,-,-,-,-,GG,-,G,-,G"
    table = adam_turn(words, "cards=KKK(K),BBB")
    assert table.adam() == ["look", "look", "grab", "place", "place", "refill", "finish"]
    assert table.seat(2, "cards") == "KKK(K),BBB,YK"
    assert table.word("gone") == "2R"


def test_R20_with_no_card_at_all_he_takes_and_discards() -> None:
    """The lowest-numbered space; his new cards get nothing of it."""
    words = "solo row=YG,RK,YB,GB,KG,{K} supply=-,KK,KK,-,-,GG,-,G,-,G"
    table = Position(f"{words} | hand=YYY |").do("draw", "done")
    assert table.phase == "adam"
    steps = table.adam()
    assert steps == ["grab", "place", "place", "refill", "refill", "refill", "finish"]
    assert table.word("supply") == "-,-,KK,-,-,GG,-,G,-,G"
    assert table.word("gone") == "2K"
    assert table.seat(2, "cards") == "{K},KG,GB"


def test_R20_at_level_5_he_takes_up_to_four() -> None:
    words = "levels=5 row=YG,RK,YB,GB,KG,YK supply=KR,-,-,-,-,GG,-,G,-,G"
    table = adam_turn(words, "cards=KKK,BBB")
    table.adam()
    assert table.seat(2, "cards") == "KKK(K),BBB,YK,KG"


# ---------------------------------------------------------------- R21


def test_R21_cards_are_picked_one_by_one() -> None:
    """A drawn card is in the hand, to be seen, before one decides to go on."""
    table = Position(f"2p row={','.join(ROW)} | hand=YYY |").will_draw("BBB RRR").do("draw")
    assert names(table, 1) == ["YYY", "BBB"]
    assert table.phase == "pick"
    assert {"draw", "pick YG", "done"} <= set(table.legal)
    table.do("pick RK")
    assert table.word("row") == "YG,-,YB,GB,KG,YK"
    table.do("draw")
    assert table.draws_fitted
    assert table.legal == [*(f"pick {name}" for name in ROW if name != "RK"), "draw", "done"]
    table.do("done")
    assert table.turn_of == 2


def test_R21_one_card_is_enough_and_none_is_not() -> None:
    assert Position("2p").why("done") == "T0"
    table = Position("2p").do("draw", "done")
    assert table.player(1).n_hand == 1


# ---------------------------------------------------------------- R22


def bodies_in(table: Position) -> int:
    bodies = int(table.state.bag[10:].sum())
    return bodies + sum(len(space) for space in str(table.word("supply")).split(",")[:6])


@pytest.mark.parametrize(
    ("players", "fewer", "each"),
    [(2, False, 24), (3, False, 24), (4, False, 24), (2, True, 14), (3, True, 18)],
)
def test_R22_pieces_and_cards_by_number_of_players(players: int, fewer: bool, each: int) -> None:
    """The same for 2, 3 and 4, unless fewer bodies are chosen; heads, tails and cards always."""
    assert bodies_of_a_colour(players, fewer) == each
    table = Position.new(players=players, fewer=fewer)
    assert bodies_in(table) == 5 * each
    assert int(table.state.bag[:10].sum()) == 30 - 4
    hands = sum(3 + seat for seat in range(players))
    assert table.state.n_deck == 54 - 6 - hands
    assert int(table.state.pile_size.sum()) == 15 - players
    words = f"{players}p fewer" if fewer else f"{players}p"
    assert bodies_in(Position(words)) == 5 * each


@pytest.mark.parametrize("words", ["4p fewer", "solo fewer"])
def test_R22_with_four_players_and_in_solo_fewer_bodies_are_refused(words: str) -> None:
    with pytest.raises(PositionError) as refused:
        Position(words)
    assert refused.value.clauses == ("R22",)


# ---------------------------------------------------------------- R23


@pytest.mark.parametrize("promo", [False, True])
def test_R23_in_solo_all_temple_cards_lie_on_the_piles(promo: bool) -> None:
    """None is dealt, so the two piles hold all of them."""
    table = Position.new(players=1, promo=promo)
    assert table.player().n_temples == 0
    assert table.seat(1, "temples") is None
    assert int(table.state.pile_size.sum()) == (20 if promo else 15)


def test_R23_a_temple_card_in_hand_in_solo_is_refused() -> None:
    with pytest.raises(PositionError) as refused:
        Position("solo | temples=noY/7")
    assert refused.value.clauses == ("R23",)


# ---------------------------------------------------------------- readings


def test_R2_a_broken_card_is_one_of_the_four_of_level_4() -> None:
    """D10: four cards laid, one of which the closed Cóatl does not satisfy any more."""
    table = Position("solo levels=4 piles=R=Y/12,R=G/6 | board=G> coatl=<YYYBBBG:{Y},YYY,YB,!YY!")
    table.do("1+G>")
    assert table.coatls() == ["<YYYBBBGG>:{Y},!YY!,YYY,YB"]
    assert table.player().n_complete == 1
