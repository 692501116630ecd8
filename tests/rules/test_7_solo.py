"""Section 7 of the rules: solo against A.D.A.M. (D1-D10)."""

from __future__ import annotations

from itertools import combinations

import pytest

from coatl.errors import PositionError
from coatl.notation.fields import read_pieces
from coatl.rules.cards import standard_deck
from coatl.rules.pieces import BODY, COLOURS
from tests.position import Position

SPACES = ("b1", "b2", "b3", "b4", "b5", "b6", "h1", "h2", "t1", "t2")
NO_TEMPLE = "piles=R=Y/12,Y=G/6"


def supply(**spaces: str) -> str:
    """Some spaces as given, the others empty but for a green pair, head and tail at the end."""
    default = {"b6": "GG", "h2": "G", "t2": "G"}
    return "supply=" + ",".join(spaces.get(space, default.get(space, "-")) for space in SPACES)


def adam_turn(table_words: str, adam_words: str) -> Position:
    return Position(f"solo phase=adam {table_words} | | {adam_words}")


def space_taken(table: Position) -> str:
    """The space A.D.A.M. finds; he looks card by card."""
    while table.seat(2, "step") is None:
        table.do("step")
    assert table.seat(2, "step") == "grab"
    return str(table.seat(2, "space"))


# ---------------------------------------------------------------- D1


def test_D1_no_sacrifice_tokens() -> None:
    table = Position("solo")
    assert not any(move.startswith("token") for move in table.legal)
    for move in ("token future", "token priest 1", "token pick <K", "token pick BB"):
        assert table.why(move) == "D1"
    with pytest.raises(PositionError) as refused:
        Position("solo tokens")
    assert "D1" in refused.value.clauses


def test_D1_sixteen_bodies_three_heads_and_three_tails_of_each_colour() -> None:
    table = Position.new(players=1)
    pieces = table.state.bag.tolist()
    for space, colours in enumerate(str(table.word("supply")).split(",")):
        first_kind = BODY if space < 6 else 0 if space < 8 else 5
        for colour in colours:
            pieces[first_kind + COLOURS.index(colour)] += 1
    assert pieces == [3] * 5 + [3] * 5 + [16] * 5


# ---------------------------------------------------------------- D2


@pytest.mark.parametrize(("levels", "cards"), [("", 3), ("1234", 3), ("5", 4), ("12345", 4)])
def test_D2_adam_starts_with_three_cards(levels: str, cards: int) -> None:
    """Four at level 5; none of them has a piece yet."""
    table = Position.new(players=1, levels=levels)
    names = str(table.seat(2, "cards")).split(",")
    assert len(names) == cards
    assert set(names) <= set(table.deck.prophecy_ids)
    assert table.seat(2, "fulfilled") is None


def test_D2_you_draw_five_and_keep_exactly_three() -> None:
    table = Position.new(players=1)
    hand = str(table.seat(1, "hand")).split(",")
    assert len(hand) == 5
    assert table.phase == "setup"
    assert table.why("done") == "D2"
    table.do(f"drop {hand[0]}")
    assert table.why("done") == "D2"
    table.do(f"drop {hand[1]}")
    assert table.why(f"drop {hand[2]}") == "D2"
    assert table.legal == ["done"]
    assert str(table.seat(1, "hand")).split(",") == hand[2:]
    assert table.state.n_discard == 2


def test_D2_two_temple_piles_and_six_face_up_cards() -> None:
    table = Position.new(players=1)
    assert table.state.pile_size.tolist() == [8, 7]
    assert (table.state.pile_top >= 0).all()
    assert "-" not in str(table.word("row")).split(",")
    assert table.state.n_deck == 54 - 6 - 3 - 5


def test_D2_adam_takes_the_first_turn() -> None:
    table = Position.new(players=1)
    hand = str(table.seat(1, "hand")).split(",")
    table.do(f"drop {hand[0]}", f"drop {hand[1]}", "done")
    assert table.phase == "adam"
    assert table.legal == ["step"]
    assert table.why("take b1") == "D2"
    assert table.why("done") == "D2"
    table.adam()
    assert table.phase == "main"
    table.do("draw", "done")
    assert table.phase == "adam"


def test_D2_his_cards_are_read_left_to_right() -> None:
    """The first of the row is looked for first, whatever its place in the card list."""
    table = adam_turn(supply(b1="KR"), "cards=RRR,KKK,BBB")
    assert space_taken(table) == "b1"
    assert table.seat(2, "looking") is None
    table.adam()
    assert table.seat(2, "cards") == "RRR(R),KKK(K),BBB"


# ---------------------------------------------------------------- D3


ROW = "row=YG,RK,YB,GB,KG,YK"


def test_D3_after_your_turn_the_rest_slide_right() -> None:
    """New cards come on the left; not before the turn is over."""
    table = Position(f"solo {ROW} | | cards=KKK").will_draw("RB KBKB")
    table.do("pick YB", "pick YK")
    assert table.word("row") == "YG,RK,-,GB,KG,-"
    table.do("done")
    assert table.draws_fitted
    assert table.word("row") == "KBKB,RB,YG,RK,GB,KG"


def test_D3_the_rightmost_cards_taken() -> None:
    table = Position(f"solo {ROW} | | cards=KKK").will_draw("RB").do("pick YK", "done")
    assert table.word("row") == "RB,YG,RK,YB,GB,KG"


def test_D3_no_card_taken_nothing_slides() -> None:
    table = Position(f"solo {ROW} | | cards=KKK").do("take b1")
    assert table.word("row") == ROW.removeprefix("row=")
    table = Position(f"solo {ROW} | | cards=KKK").do("draw", "done")
    assert table.word("row") == ROW.removeprefix("row=")


def test_D3_adam_takes_from_the_right_and_the_rest_slide_right() -> None:
    table = adam_turn(f"{ROW} {supply(b1='KK')}", "cards=KKK(5K),RRR,BBB").will_draw("RB")
    table.adam()
    assert table.seat(2, "cards") == "RRR,BBB,YK"
    assert table.word("row") == "RB,YG,RK,YB,GB,KG"


# ---------------------------------------------------------------- D4

FAMILIES = {  # names of the cards, and how often the highest level asks for their pieces
    "number of pieces": ("{Y} {R} {K} {G} {B}", 6),
    "isolated pair": ("!YY! !RR! !KK! !GG! !BB!", 2),
    "ccc": ("YYY RRR KKK GGG BBB", 2),
    "ab": ("YG RK YB GB KG YK RB", 3),
    "abab": ("KBKB YRYR RGRG", 1),
    "five in two blocks": ("RRRGG KKGGG YYBBB", 1),
    "aabb": ("BBYY RRBB KKYY GGRR", 1),
    "five colours": ("YKRGB RKBYG KGRBY", 1),
    "a x+ b": ("YK+R GY+K YB+G BG+K RK+B RB+Y GR+K GY+G BG+B", 2),
    "a b *+ b a": ("KY*+YK GK*+KG KB*+BK YR*+RY RB*+BR", 1),
    "anywhere": ("{YYGGR} {KKBBR} {RRKKG} {YYKKRB} {GGBBYK} {YYRRGB}", 1),
}
NEEDS = {
    name: "".join(colour * times * name.count(colour) for colour in COLOURS)
    for names, times in FAMILIES.values()
    for name in names.split()
}


def test_D4_every_card_is_in_the_list_of_needs() -> None:
    assert list(NEEDS) == [card.name for card in standard_deck().prophecies]


@pytest.mark.parametrize(
    ("name", "needs"),
    [
        ("{R}", "RRRRRR"),
        ("!RR!", "RRRR"),
        ("RRR", "RRRRRR"),
        ("RK", "KKKRRR"),
        ("RGRG", "RRGG"),
        ("RRRGG", "RRRGG"),
        ("KKGGG", "KKGGG"),
        ("RRBB", "RRBB"),
        ("RKBYG", "KRBYG"),
        ("GY+G", "YYGGGG"),
        ("YK+R", "KKRRYY"),
        ("RB*+BR", "RRBB"),
        ("{YYKKRB}", "KKRBYY"),
    ],
)
def test_D4_needs_as_the_clause_lists_them(name: str, needs: str) -> None:
    assert NEEDS[name] == needs


@pytest.mark.parametrize("name", NEEDS)
def test_D4_needs_are_those_of_the_highest_level(name: str) -> None:
    """Given one piece of each colour too many, the card takes what it needs; the rest goes."""
    pieces = [NEEDS[name].count(colour) for colour in COLOURS]
    holding = ",".join(f"{n + 1}{colour}" for n, colour in zip(pieces, COLOURS, strict=True))
    table = Position(f"solo promo phase=adam | | cards={name} step=place holding={holding}")
    while table.seat(2, "step") == "place":
        assert table.seat(2, "fulfilled") is None
        table.do("step")
    assert table.seat(2, "step") == "complete"
    assert table.word("gone") == "K,R,B,Y,G"
    laid = str(table.seat(2, "cards")).removeprefix(name).strip("()")
    assert read_pieces(laid.split(",")) == [0] * 10 + pieces


@pytest.mark.parametrize("name", NEEDS)
def test_D4_a_card_that_lacks_one_piece_is_not_filled(name: str) -> None:
    """Whichever colour it lacks, that is what he looks for."""
    for lacking in sorted(set(NEEDS[name])):
        held = NEEDS[name].replace(lacking, "", 1)
        pieces = ",".join(f"{held.count(c)}{c}" for c in COLOURS if c in held)
        words = {"b3": lacking * 2, "b6": "RR" if lacking == "G" else "GG"}
        card = f"{name}({pieces})" if pieces else name
        table = adam_turn(f"promo {supply(**words)}", f"cards={card}")
        assert space_taken(table) == "b3"
        table.adam()
        assert table.seat(2, "fulfilled") == name
        gone = table.state.gone.tolist()
        assert sum(gone) == len(NEEDS[name]) + 1


def test_D4_quantity_and_colour_only() -> None:
    """A head or tail serves as well as a body segment, and counts in place of one."""
    table = adam_turn(supply(h1="K"), "cards=KKGGG(K,2G,G>),BBB,RRR")
    assert space_taken(table) == "h1"
    table.adam()
    assert table.seat(2, "fulfilled") == "KKGGG"
    table = adam_turn(supply(t1="K"), "cards=KKGGG(<K,K>,2G),KKK,RRR")
    assert space_taken(table) == "b6"


@pytest.mark.parametrize("first", range(10))
def test_D4_spaces_are_searched_from_1_to_10(first: int) -> None:
    """Black lies in this space and all later ones; he takes this one."""
    spaces = {
        space: ("K" if at >= first else "R") * (2 if at < 6 else 1)
        for at, space in enumerate(SPACES)
    }
    words = "supply=" + ",".join(spaces.values())
    assert space_taken(adam_turn(words, "cards={K},RRR,BBB")) == SPACES[first]


def test_D4_one_wanted_piece_in_a_space_is_enough() -> None:
    """The mixed pair before the one that is wanted twice, whichever of its pieces is wanted."""
    for colour in "KB":
        spaces = supply(b1="RR", b2="BK", b3=colour * 2)
        assert space_taken(adam_turn(spaces, f"cards={colour * 3},YYY,GGG")) == "b2"


def test_D4_the_leftmost_card_comes_first() -> None:
    """The second card's piece has the lower number, and still the first card's is taken."""
    table = adam_turn(supply(b1="RR", h1="R", t1="K"), "cards=KKK,RRR,YYY")
    assert space_taken(table) == "t1"


@pytest.mark.parametrize(
    ("cards", "space", "looking"),
    [
        ("RRR,KKK,BBB,YYY", "b1", None),
        ("KKK,RRR,BBB,YYY", "b1", "2"),
        ("KKK,{K},RRR,YYY", "b1", "3"),
        ("KKK,{K},!KK!,RRR", "b1", "4"),
        ("KKK,{K},!KK!,GGG", "b6", "4"),
    ],
)
def test_D4_then_the_second_third_and_fourth_card(
    cards: str, space: str, looking: str | None
) -> None:
    table = adam_turn(f"levels=5 {supply(b1='RR')}", f"cards={cards}")
    assert space_taken(table) == space
    assert table.seat(2, "looking") == looking


def test_D4_only_pieces_still_missing_are_wanted() -> None:
    """RRBB has its two red already, so he passes by red; RB has not."""
    words = supply(b1="RR", b2="BB")
    assert space_taken(adam_turn(words, "cards=RRBB(2R),YYY,GGG")) == "b2"
    assert space_taken(adam_turn(words, "cards=RRBB(R),YYY,GGG")) == "b1"
    assert space_taken(adam_turn(words, "cards=RB(2R),YYY,GGG")) == "b1"


def test_D4_nothing_wanted_he_discards_the_lowest_space() -> None:
    table = adam_turn(supply(b3="RB", b4="GG"), "cards=KKK(2K),KKYY,YYY")
    before = table.seat(2, "cards")
    steps = table.adam()
    assert steps == ["look", "look", "look", "grab", "place", "place", "finish"]
    assert str(table.word("supply")) == "-,-,-,GG,-,GG,-,G,-,G"
    assert table.word("gone") == "R,B"
    assert table.seat(2, "cards") == before
    assert table.phase == "main"


@pytest.mark.parametrize("lowest", range(6))
def test_D4_the_lowest_numbered_space_that_is_not_empty(lowest: int) -> None:
    words = ",".join(["-"] * lowest + ["RR"] * (6 - lowest) + ["R", "R", "R", "G"])
    table = adam_turn(f"supply={words}", "cards=KKK,BBB,YYY")
    assert space_taken(table) == SPACES[lowest]


# ---------------------------------------------------------------- D5


def cards_after(spaces: str, cards: str, levels: str = "") -> tuple[str | None, str | None]:
    """A.D.A.M.'s cards and the discarded pieces after his turn."""
    table = adam_turn(f"{levels} {supply(b1=spaces)}", f"cards={cards}")
    table.adam()
    return table.seat(2, "cards"), table.word("gone")


def test_D5_pieces_go_to_the_leftmost_card_that_needs_them() -> None:
    assert cards_after("KR", "KKK,RRR,{R}") == ("KKK(K),RRR(R),{R}", None)
    assert cards_after("KK", "YYY,KKK,{K}") == ("YYY,KKK(2K),{K}", None)
    assert cards_after("KR", "RRR,{R},{K}") == ("RRR(R),{R},{K}(K)", None)


def test_D5_what_the_first_card_no_longer_needs_goes_to_the_next() -> None:
    assert cards_after("KK", "KKYY(K),YYY,{K}") == ("KKYY(2K),YYY,{K}(K)", None)
    assert cards_after("KK", "YYY,KKYY(K),{K}") == ("YYY,KKYY(2K),{K}(K)", None)


def test_D5_pieces_taken_for_the_second_card_go_to_the_third_too() -> None:
    """KKYY wants no black any more; KR is taken for RRR, its black piece goes to {K}."""
    assert cards_after("KR", "KKYY(2K),RRR,{K}") == ("KKYY(2K),RRR(R),{K}(K)", None)


def test_D5_the_fourth_card_gets_pieces_too() -> None:
    after = cards_after("KR", "KKK,YYY,BBB,RRR", "levels=5")
    assert after == ("KKK(K),YYY,BBB,RRR(R)", None)


def test_D5_a_piece_no_card_needs_is_discarded() -> None:
    assert cards_after("KR", "KKK,YYY,BBB") == ("KKK(K),YYY,BBB", "R")
    assert cards_after("KK", "KKYY(K),YYY,BBB") == ("KKYY(2K),YYY,BBB", "K")


# ---------------------------------------------------------------- D6


def test_D6_a_card_filled_to_its_highest_level_is_fulfilled() -> None:
    table = adam_turn(f"{ROW} {supply(b1='KK')}", "cards=KKK(4K),RRR,BBB")
    assert table.adam() == ["look", "grab", "place", "place", "complete", "refill", "finish"]
    assert table.seat(2, "fulfilled") == "KKK"
    assert table.seat(2, "cards") == "RRR,BBB,YK"


def test_D6_lower_levels_do_not_do() -> None:
    """KKK has 3 points with three pieces; he goes on to six."""
    table = adam_turn(supply(b1="KK"), "cards=KKK(2K),RRR,BBB")
    table.adam()
    assert table.seat(2, "fulfilled") is None
    assert table.seat(2, "cards") == "KKK(4K),RRR,BBB"


def test_D6_its_pieces_go_to_the_first_card_that_needs_them() -> None:
    """Of its three black pieces each goes to another card, of the yellow ones one is needed."""
    words = f"levels=5 row=YG,RK,YB,GB,KG,RB {supply(b1='RY')}"
    table = adam_turn(words, "cards=YK(2Y,3K),KKGGG(K),YKRGB,{K}")
    table.adam()
    assert table.seat(2, "fulfilled") == "YK"
    assert table.seat(2, "cards") == "KKGGG(2K),YKRGB(K,R,Y),{K}(K),RB"
    assert table.word("gone") == "2Y"


def test_D6_the_rest_is_discarded() -> None:
    table = adam_turn(f"{ROW} {supply(b1='KB')}", "cards=KKK(5K),KBKB,YYY")
    table.adam()
    assert table.seat(2, "cards") == "KBKB(2K,B),YYY,YK"
    assert table.word("gone") == "4K"


def test_D6_two_cards_filled_in_one_turn() -> None:
    """Both go to the pile, then two new cards come, the rightmost of the row first."""
    table = adam_turn(f"{ROW} {supply(b1='KR')}", "cards=KKK(5K),YYY,RRR(5R)").will_draw("RB KBKB")
    steps = ["look", "grab", "place", "place", "complete", "complete", "refill", "refill", "finish"]
    assert table.adam() == steps
    assert table.seat(2, "fulfilled") == "RRR,KKK"
    assert table.seat(2, "cards") == "YYY,YK,KG"
    assert table.word("row") == "KBKB,RB,YG,RK,YB,GB"
    assert table.word("gone") == "6K,6R"


def test_D6_the_pieces_of_the_leftmost_card_come_first() -> None:
    """Two filled cards have black: a head of the left one goes on, not a body of the other."""
    table = adam_turn(supply(b1="RY"), "cards=RK(2R,3<K),YK(2Y,3K),KKGGG(K,2G)")
    while table.seat(2, "step") != "complete":
        table.do("step")
    table.do("step")
    assert table.seat(2, "cards") == "YK(3K,3Y),KKGGG(<K,K,2G)"
    assert table.seat(2, "step") == "complete"
    table.do("step")
    assert table.seat(2, "cards") == "KKGGG(<K,K,2G)"
    assert table.word("gone") == "2<K,3K,3R,3Y"


def test_D6_new_cards_come_at_the_right_end_until_he_has_three() -> None:
    table = adam_turn(f"{ROW} {supply(b1='RB')}", "cards=YYY,RRR(5R),GGG")
    table.adam()
    assert table.seat(2, "cards") == "YYY,GGG,YK"
    table = adam_turn(f"{ROW} {supply(b1='RB')}", "cards=RRBB(R,2B),GGG,YYY")
    table.adam()
    assert table.seat(2, "cards") == "GGG,YYY,YK"


def test_D6_level_5_fills_up_to_four() -> None:
    table = adam_turn(f"levels=5 {ROW} {supply(b1='RB')}", "cards=YYY,RRR(5R),GGG,KKK")
    table.adam()
    assert table.seat(2, "cards") == "YYY,GGG,KKK,YK"


# ---------------------------------------------------------------- D7


def test_D7_adam_never_takes_temple_cards() -> None:
    table = adam_turn(f"piles=noB/10,noR/11 {supply(b1='KK')}", "cards=KKK(4K),RRR,BBB")
    piles = table.word("piles")
    table.adam()
    assert table.seat(2, "fulfilled") == "KKK"
    assert table.word("piles") == piles


def test_D7_the_supply_is_refilled_when_he_takes_the_last_bodies() -> None:
    table = adam_turn("supply=KK,-,-,-,-,-,-,G,-,G", "cards=KKK,RRR,BBB")
    table.will_draw("R R B B Y Y G G K K R R <K K>").adam()
    assert table.draws_fitted
    assert table.word("supply") == "RR,BB,YY,GG,KK,RR,K,G,K,G"


def test_D7_the_supply_is_refilled_when_he_takes_the_last_head_or_tail() -> None:
    table = adam_turn("supply=-,RR,-,-,-,-,-,-,-,K", "cards=KKK,BBB,YYY")
    table.will_draw("R R B B Y Y G G K K <K <R B> Y>").adam()
    assert table.draws_fitted
    assert table.word("supply") == "RR,RR,BB,YY,GG,KK,K,R,B,Y"


def test_D7_otherwise_the_space_stays_empty() -> None:
    table = adam_turn(supply(b1="KK"), "cards=KKK,RRR,BBB")
    table.adam()
    assert table.word("supply") == "-,-,-,-,-,GG,-,G,-,G"


def test_D7_a_short_bag_fills_as_far_as_it_goes() -> None:
    """T4: the spaces in the order of their numbers."""
    bodies = "K" * 14 + "R" * 14 + "B" * 14 + "Y" * 16 + "G" * 16
    words = "solo phase=adam supply=KK,-,-,-,-,-,-,G,-,G"
    table = Position(f"{words} | coatl={bodies} | cards=KKK,YYY,GGG").will_draw("R R B B")
    table.adam()
    assert str(table.word("supply")).startswith("RR,BB,-,-,-,-,")


# ---------------------------------------------------------------- D8

SOLO_BODIES = "".join(colour * 16 for colour in COLOURS)
LAST_PIECE = "board=K> hand={K} coatl=<RRR>:{R} coatl=<BBB>:{B} coatl=<KKK"


def test_D8_your_third_coatl_ends_the_game_at_once() -> None:
    """Without A.D.A.M.'s turn, and without going on to assemble."""
    table = Position(f"solo {NO_TEMPLE} | {LAST_PIECE} | cards=KKK").do("3+K>")
    assert not table.over
    table.do("3:{K}")
    assert table.over
    assert table.word("end") == "third"
    assert table.legal == []


def test_D8_two_complete_coatls_do_not() -> None:
    seat = "board=K> hand={K} coatl=<RRR>:{R} coatl=<KKK"
    table = Position(f"solo {NO_TEMPLE} | {seat} | cards=KKK").do("2+K>", "2:{K}")
    assert table.phase == "assemble"
    table.do("done")
    assert table.phase == "adam"


def test_D8_the_last_body_segments_end_the_game_at_once() -> None:
    bodies = SOLO_BODIES.removeprefix("KK")
    words = "solo supply=KK,-,-,-,-,-,-,G,-,G"
    table = Position(f"{words} | coatl={bodies} | cards=KKK").do("take b1")
    assert table.over
    assert table.word("end") == "bodies"


def test_D8_body_segments_left_on_board_or_in_bag_do_not() -> None:
    bodies = SOLO_BODIES.removeprefix("KKKK")
    table = Position(f"solo supply=KK,KK,-,-,-,-,-,G,-,G | coatl={bodies} | cards=KKK").do(
        "take b1"
    )
    assert table.phase == "adam"
    table = Position(f"solo supply=KK,-,-,-,-,-,-,G,-,G | coatl={bodies} | cards=KKK").do("take b1")
    assert table.phase == "adam"
    assert str(table.word("supply")).startswith("KK,-")


def test_D8_adam_takes_the_last_body_segments() -> None:
    bodies = SOLO_BODIES.removeprefix("KK")
    words = "solo phase=adam supply=KK,-,-,-,-,-,-,G,-,G"
    table = Position(f"{words} | coatl={bodies} | cards=KKK,RRR,BBB")
    table.adam()
    assert table.over
    assert table.word("end") == "bodies"


# ---------------------------------------------------------------- D9


@pytest.mark.parametrize(
    ("fulfilled", "points"),
    [
        ("{Y},{R}", 10),
        ("!YY!", 5),
        ("KKK", 7),
        ("YG", 5),
        ("KBKB", 5),
        ("RRRGG", 6),
        ("BBYY", 4),
        ("RKBYG", 7),
        ("GY+G", 6),
        ("YR*+RY", 4),
        ("{K},{K}", 10),
        ("KKK,YG,YR*+RY", 16),
        ("-", 0),
    ],
)
def test_D9_adam_scores_the_highest_level_of_each_fulfilled_card(
    fulfilled: str, points: int
) -> None:
    """Cards he has not fulfilled are worth nothing, whatever lies on them."""
    cards = "cards=GGG(5G),RRR(3R)"
    table = Position(f"solo | | {cards} fulfilled={fulfilled}")
    assert table.scores()[0] == [0, points]


@pytest.mark.parametrize(
    ("coatl", "yours"),
    [("<RRRRR>:{R}", 4), ("<RRRRRR>:{R}", 5), ("<RRRRRK>:{R},RK,!RR!", 5)],
)
def test_D9_an_equal_score_does_not_win(coatl: str, yours: int) -> None:
    """No tie-break and no shared victory, whatever the number of cards."""
    table = Position(f"solo | coatl={coatl} | fulfilled=YG")
    assert table.scores() == ([yours, 5], [2])


def test_D9_more_points_win() -> None:
    table = Position("solo | coatl=<RRRRRRK>:{R},RK | fulfilled=YG")
    assert table.scores() == ([6, 5], [1])
    assert Position("solo | | cards=YG").scores() == ([0, 0], [2])


# ---------------------------------------------------------------- D10

# Y Y Y B B B G G: {Y} {B} red, YYY BBB black, YB blue, YYBBB yellow, YB+G green; no black, no red.
BUILT = "<YYYBBBG"
CLOSED = "YYYBBBGG"


def closing(levels: str, hand: str, piles: str, laid: str = "", promo: bool = False) -> Position:
    cards = f":{laid}" if laid else ""
    flags = ("promo " if promo else "") + (f"levels={levels} " if levels else "")
    return Position(
        f"solo {flags}piles={piles} | board=G> hand={hand} coatl={BUILT}{cards} | cards=RRR"
    )


FITTING_PILES = "noK/8,R=Y/12"
OTHER_PILES = "R=Y/12,R=G/6"


def test_D10_level_1_a_temple_card_must_be_fulfilled() -> None:
    table = closing("1", "{Y}", FITTING_PILES).do("1+G>", "1:{Y}")
    assert table.phase == "temple"
    assert table.why("done") == "D10"
    assert table.legal == ["1:noK/8"]
    table.do("1:noK/8")
    assert table.coatls() == [f"<{CLOSED}>:{{Y}},noK/8"]


def test_D10_level_1_without_a_temple_card_that_fits_it_cannot_be_closed() -> None:
    assert closing("1", "{Y}", OTHER_PILES).why("1+G>") == "R9"
    for levels in ("", "2", "3", "5"):
        assert closing(levels, "{Y}", OTHER_PILES).why("1+G>") == ""


def test_D10_level_1_with_every_coatl() -> None:
    """The second and third Cóatl, too."""
    done = "coatl=<RRR>:{R},noY/7"
    for earlier in (done, f"{done} coatl=<BBB>:{{B}},noG/9"):
        for piles, why in (("noK/8,R=Y/12", "R9"), ("noB/10,R=Y/12", "")):
            seat = f"board=K> hand={{K}} {earlier} coatl=<KKK"
            table = Position(f"solo levels=1 piles={piles} | {seat} | cards=KKK")
            assert table.why(f"{earlier.count('coatl') + 1}+K>") == why


def test_D10_level_2_hand_limit_four() -> None:
    three, four = "{Y},YYY,YB", "{Y},YYY,YB,YG"
    for levels in ("2", "12345"):
        table = Position(f"solo levels={levels} | hand={four} | cards=KKK")
        assert table.why("draw") == "P2"
        assert table.why("pick {Y}") == "P2"
        table = Position(f"solo levels={levels} | hand={three} | cards=KKK").do("draw")
        assert table.why("draw") == "P2"
        with pytest.raises(PositionError) as refused:
            Position(f"solo levels={levels} | hand={four},RK")
        assert "D10" in refused.value.clauses
    for levels in ("", "levels=1345"):
        table = Position(f"solo {levels} | hand={four} | cards=KKK").do("draw")
        assert table.why("draw") == "P2"


def test_D10_level_3_different_card_colours_on_one_coatl() -> None:
    """While it is being built (A3), and when it is complete (A9)."""
    for levels in ("3", "12345"):
        table = Position(f"solo levels={levels} | hand={{B}},YYY coatl={BUILT}:{{Y}} | cards=KKK")
        assert table.why("1:{B}") == "D10"
        assert table.why("1:YYY") == ""
    for levels in ("", "levels=1245"):
        table = Position(f"solo {levels} | hand={{B}},YYY coatl={BUILT}:{{Y}} | cards=KKK")
        assert table.why("1:{B}") == ""
    table = closing("3", "{Y},{B},YYY", OTHER_PILES).do("1+G>", "1:{Y}")
    assert table.why("1:{B}") == "D10"
    table.do("1:YYY")
    assert table.legal == ["done"]
    assert table.coatls() == [f"<{CLOSED}>:{{Y}},YYY"]


def test_D10_level_3_two_coatls_may_have_the_same_card_colour() -> None:
    table = Position(f"solo levels=3 | hand={{B}} coatl=RRR:{{R}} coatl={BUILT} | cards=KKK")
    assert table.why("2:{B}") == ""


def test_D10_level_4_only_with_four_prophecy_cards() -> None:
    """In hand, or laid before, or both together."""
    assert closing("4", "{Y},YYY,YB", FITTING_PILES).why("1+G>") == "R9"
    assert closing("4", "{Y},YYY,YB,YG", FITTING_PILES).why("1+G>") == "R9"
    assert closing("4", "{Y},YYY,YB,YYBBB", FITTING_PILES).why("1+G>") == ""
    assert closing("4", "YB", FITTING_PILES, "{Y},YYY").why("1+G>") == "R9"
    assert closing("4", "YB,{B}", FITTING_PILES, "{Y},YYY").why("1+G>") == ""
    assert closing("4", "-", FITTING_PILES, "{Y},YYY,BBB,YB").why("1+G>") == ""
    assert closing("", "{Y}", FITTING_PILES).why("1+G>") == ""


def test_D10_level_4_identical_cards_do_not_make_four() -> None:
    """A6: never two identical ones on the same Cóatl."""
    assert closing("4", "{Y},{Y},YYY,YB", FITTING_PILES).why("1+G>") == "R9"
    assert closing("4", "{Y},YB", FITTING_PILES, "{Y},YYY").why("1+G>") == "R9"


def test_D10_level_4_goes_on_until_there_are_four() -> None:
    table = closing("4", "{Y},{B},YYY,BBB,YB", OTHER_PILES).do("1+G>")
    for card in ("{Y}", "{B}", "YYY", "BBB"):
        assert table.phase == "fulfil"
        assert table.why("done") in ("A9", "R9")
        table.do(f"1:{card}")
    assert table.phase == "assemble"
    assert table.coatls() == [f"<{CLOSED}>:{{Y}},{{B}},YYY,BBB"]


def test_D10_level_4_does_not_ask_for_four_before_the_end() -> None:
    table = Position(f"solo levels=4 | hand={{Y}} coatl={BUILT} | cards=KKK")
    table.do("1:{Y}", "done")
    assert table.phase == "adam"


def test_D10_level_5_adam_has_four_cards() -> None:
    assert len(str(Position.new(players=1, levels="5").seat(2, "cards")).split(",")) == 4
    with pytest.raises(PositionError) as refused:
        Position("solo | | cards=KKK,RRR,BBB,YYY")
    assert "D2" in refused.value.clauses
    assert Position("solo levels=5 | | cards=KKK,RRR,BBB,YYY").state.adam.n_cards == 4


def test_D10_levels_are_for_solo_only() -> None:
    with pytest.raises(PositionError) as refused:
        Position("2p levels=3")
    assert "D10" in refused.value.clauses


LEVELS = ["".join(chosen) for n in range(6) for chosen in combinations("12345", n)]
CLOSINGS = [  # hand, laid before, tops of the Temple piles
    ("{Y}", "", FITTING_PILES),
    ("{Y}", "", OTHER_PILES),
    ("{Y},{B},YYY,YB", "", FITTING_PILES),
    ("{Y},{B},YYY,BBB", "", FITTING_PILES),
    ("{Y},YYY,YB,YYBBB", "", OTHER_PILES),
    ("{Y},YYY,YB,YYBBB", "", FITTING_PILES),
    ("YYY,BBB,YB,YB+G", "{Y}", FITTING_PILES),
    ("YYY,BBB", "{Y},YB", FITTING_PILES),
    ("YYBBB,YB+G", "{Y},YB", FITTING_PILES),
    ("KKK", "{Y},YB", FITTING_PILES),
    ("-", "{Y},YYY,YB,YYBBB", FITTING_PILES),
    ("{Y},YYY,YB,YYBBB", "", "noblue/R=B/10,R=Y/12"),
    ("{Y},YYY,YB+G,YYBBB", "", "noblue/R=B/10,R=Y/12"),
    ("{Y},YYY,BBB,YB", "", "noblue/R=B/10,nored/Y=K"),
    ("YB", "", "noblue/R=B/10,R=Y/12"),
    ("YYY", "YB", "noblue/R=B/10,R=Y/12"),
]


def names_in(text: str) -> list[str]:
    return [name for name in text.split(",") if name not in ("", "-")]


def meets_levels(levels: str, cards: tuple[str, ...], temples: list[str]) -> bool:
    """D10, A6 and A7 for the closed Cóatl with these Prophecy cards, any of the temples at hand."""
    deck = standard_deck()
    prophecies = [deck.prophecies[deck.prophecy_ids[name]] for name in cards]
    if not 1 <= len(cards) <= 4 or len(set(cards)) < len(cards):
        return False
    if "3" in levels and len({card.colour for card in prophecies}) < len(cards):
        return False
    if "4" in levels and len(cards) != 4:
        return False
    fits = [deck.temples[deck.temple_ids[name]].points(CLOSED, prophecies) > 0 for name in temples]
    return "1" not in levels or any(fits)


def completions(levels: str, hand: str, laid: str, piles: str) -> set[tuple[str, ...]]:
    """Every choice of Prophecy cards with which the Cóatl may be complete."""
    deck = standard_deck()
    fitting = [
        name
        for name in sorted(set(names_in(hand)))
        if deck.prophecies[deck.prophecy_ids[name]].points(CLOSED) > 0
    ]
    choices = [
        tuple(sorted((*names_in(laid), *more)))
        for n in range(len(fitting) + 1)
        for more in combinations(fitting, n)
    ]
    return {cards for cards in choices if meets_levels(levels, cards, names_in(piles))}


def reached(table: Position) -> set[tuple[str, ...]]:
    """The Prophecy cards on the Cóatl after every way through its completion."""
    ends: set[tuple[str, ...]] = set()
    seen: set[str] = set()
    waiting = [table.text]
    while waiting:
        text = waiting.pop()
        if text in seen:
            continue
        seen.add(text)
        here = Position(text)
        if here.phase not in ("fulfil", "temple"):
            names = names_in(here.coatls()[0].partition(":")[2])
            ends.add(tuple(sorted(set(names) & set(NEEDS))))
            continue
        assert here.legal, "a completion that cannot be finished"
        waiting += [Position(text).do(move).text for move in here.legal]
    return ends


# None, each by itself, and all in every closing; those combined in every third, in turns.
CLOSING_LEVELS = [
    pytest.param(levels, *case, marks=[pytest.mark.games] if 1 <= len(levels) < 4 else [])
    for number, levels in enumerate(levels for levels in LEVELS if "5" not in levels)
    for case in (CLOSINGS[number % 3 :: 3] if 2 <= len(levels) < 4 else CLOSINGS)
]


@pytest.mark.parametrize(("levels", "hand", "laid", "piles"), CLOSING_LEVELS)
def test_D10_levels_combined_when_a_coatl_is_closed(
    levels: str, hand: str, laid: str, piles: str
) -> None:
    """R9: closed only if some choice meets all levels; then exactly such choices are reached."""
    wanted = completions(levels, hand, laid, piles)
    table = closing(levels, hand, piles, laid, promo=True)
    assert (table.why("1+G>") == "") == bool(wanted)
    if wanted:
        assert reached(table.do("1+G>")) == wanted
    else:
        assert table.why("1+G>") in ("A8", "R9")


@pytest.mark.parametrize("levels", LEVELS)
def test_D10_any_levels_can_be_combined(levels: str) -> None:
    """All five at once, or none: each still asks for its own."""
    table = closing(levels, "YYY,BBB,YB,YB+G", FITTING_PILES, "{Y}").do("1+G>", "1:YYY")
    assert table.why("1:BBB") == ("D10" if "3" in levels else "")
    table.do("1:YB")
    assert table.why("done") == ("R9" if "4" in levels else "")
    table.do("1:YB+G")
    assert table.why("done") == ("D10" if "1" in levels else "")
    table.do("1:noK/8", "done")
    cards = len(str(Position.new(players=1, levels=levels).seat(2, "cards")).split(","))
    assert cards == (4 if "5" in levels else 3)
    hand = Position(f"solo levels={levels} | hand=YYY,BBB,YB,YG | cards=KKK")
    assert hand.why("draw") == ("P2" if "2" in levels else "")
