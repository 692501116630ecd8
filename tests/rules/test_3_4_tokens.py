"""Section 3.4 of the rules: Sacrifice tokens (K1-K4), with R6, R7 and what T2, P3 say of them."""

from __future__ import annotations

from collections import Counter
from itertools import combinations_with_replacement

import pytest

from coatl.rules.cards import prophecies, temples
from coatl.rules.pieces import COLOURS
from tests.position import Position, deck_of

ROW = ("YG", "RK", "YB", "GB", "KG", "YK")
NEW_ROW = ("KKK", "RRR", "BBB", "YYY", "GGG", "RB")
EVERY_TOKEN = ["token pick <K", "token pick KR", "token future", "token priest 1", "token priest 2"]
HOLES = "supply=KK,-,RR,-,BB,YY,-,K,K,-"  # T3 does not fill them: bodies, heads and tails are left

every_token = pytest.mark.parametrize("token", EVERY_TOKEN)


def refuses(table: Position, text: str, clause: str) -> bool:
    """The move is not in the list of legal ones, and this clause is the reason."""
    return not table.may(text) and table.why(text) == clause


def names(cards: str | None) -> Counter[str]:
    """A list of card names as a bag; ``^`` and empty places left out."""
    words = (cards or "-").replace("^", "").split(",")
    return Counter(word for word in words if word != "-")


def other_cards(*named: str) -> list[str]:
    """Every copy of the Prophecy cards but those named."""
    all_cards = Counter({card.name: card.copies for card in prophecies()})
    return sorted((all_cards - Counter(named)).elements())


def future(hand: str = "-", more: str = "") -> Position:
    """A table in whose row lies ROW, See the Future played, NEW_ROW revealed."""
    table = Position(f"2p tokens row={','.join(ROW)} {more} | hand={hand} | ")
    return table.will_draw(" ".join(NEW_ROW)).do("token future")


# ------------------------------------------------------------------ each once, instead of an action


@pytest.mark.parametrize(
    ("left", "again", "clause"),
    [
        ("future,priest", ["token pick <K", "token pick K>", "token pick KR"], "K1"),
        ("pick,priest", ["token future"], "K2"),
        ("pick,future", ["token priest 1", "token priest 2"], "K3"),
    ],
)
def test_K1_K2_K3_each_once_a_game(left: str, again: list[str], clause: str) -> None:
    table = Position(f"2p tokens | tokens={left} | ")
    for token in again:
        assert refuses(table, token, clause)
    others = [token for token in EVERY_TOKEN if token not in again and token.split()[1] in left]
    assert all(table.may(token) for token in others)


@pytest.mark.parametrize(
    ("moves", "left"),
    [
        (["token pick <K"], "future,priest"),
        (["token pick K>"], "future,priest"),
        (["token pick BG"], "future,priest"),
        (["token future"], "pick,priest"),
        (["token priest 2"], "pick,future"),
    ],
)
def test_K1_K2_K3_a_used_token_is_gone_the_others_stay(moves: list[str], left: str) -> None:
    table = Position("2p tokens").do(*moves)
    assert table.seat(1, "tokens") == left
    assert table.seat(2, "tokens") is None  # as in the beginning: all three


def test_K1_K2_K3_one_of_each_a_player() -> None:
    table = Position("3p tokens").do("token priest 1")
    for seat in (2, 3):
        assert table.turn_of == seat
        table.do("token priest 1")
    assert refuses(table, "token priest 1", "K3")


def test_K1_instead_of_an_action() -> None:
    for text in ("token pick <K", "token pick K>", "token pick KR"):
        table = Position("2p tokens").do(text)
        assert (table.turn_of, table.phase) == (2, "main")


def test_K2_instead_of_an_action() -> None:
    table = future().do("done", "pick KKK", "done")
    assert (table.turn_of, table.phase) == (2, "main")


def test_K3_instead_of_an_action() -> None:
    table = Position("2p tokens").do("token priest 1")
    assert (table.turn_of, table.phase) == (2, "main")


@every_token
@pytest.mark.parametrize("begun", ["pick YG", "draw", "new K", "1+K", "1:{R}"])
def test_K1_K2_K3_not_in_the_middle_of_an_action(token: str, begun: str) -> None:
    table = Position(f"2p tokens row={','.join(ROW)} | board=K hand={{R}} coatl=RRR")
    assert table.may(token)
    assert refuses(table.do(begun), token, "T0")


@every_token
def test_K1_K2_K3_only_where_they_are_played_with(token: str) -> None:
    assert refuses(Position("2p"), token, "S6")
    assert refuses(Position("solo"), token, "D1")


@every_token
def test_K1_K2_K3_on_every_turn_until_used(token: str) -> None:
    table = Position("2p tokens").do("take b1", "take b2")
    assert table.may(token)


# ------------------------------------------------------------------ K1: Perfect Pick


@pytest.mark.parametrize("piece", [f"<{c}" for c in COLOURS] + [f"{c}>" for c in COLOURS])
def test_K1_one_head_or_one_tail_of_the_colour_you_choose(piece: str) -> None:
    table = Position("2p tokens")
    supply = table.word("supply")
    table.do(f"token pick {piece}")
    assert table.seat(1, "board") == piece
    assert table.word("supply") == supply


@pytest.mark.parametrize(("a", "b"), list(combinations_with_replacement(COLOURS, 2)))
def test_K1_two_body_segments_of_the_colours_you_choose(a: str, b: str) -> None:
    table = Position("2p tokens").do(f"token pick {a}{b}")
    assert table.seat(1, "board") == (f"2{a}" if a == b else f"{a},{b}")


def test_K1_from_the_bag_not_from_the_supply() -> None:
    table = Position("2p tokens supply=KK,KK,KK,KK,KK,KK,K,K,K,K")
    assert table.state.bag.tolist() == [1, 3, 3, 3, 3] * 2 + [12, 24, 24, 24, 24]
    table.do("token pick KR")
    assert table.word("supply") == "KK,KK,KK,KK,KK,KK,K,K,K,K"
    assert table.state.bag.tolist() == [1, 3, 3, 3, 3] * 2 + [11, 23, 24, 24, 24]


def test_K1_not_a_single_body_segment_nor_two_heads() -> None:
    tokens = [move for move in Position("2p tokens").legal if move.startswith("token pick")]
    assert len(tokens) == 5 + 5 + 15
    assert all(len(move.removeprefix("token pick ")) == 2 for move in tokens)


@pytest.mark.parametrize("token", ["token pick <R", "token pick R>", "token pick RG"])
def test_K1_then_all_empty_spaces_are_filled(token: str) -> None:
    table = Position(f"2p tokens {HOLES}").will_draw("K R B Y <Y G>").do(token)
    assert table.draws_fitted
    assert table.word("supply") == "KK,KR,RR,BY,BB,YY,Y,K,K,G"


def test_K1_an_ordinary_take_leaves_the_same_spaces_empty() -> None:
    table = Position(f"2p tokens {HOLES}").do("take b1")
    assert table.word("supply") == "-,-,RR,-,BB,YY,-,K,K,-"


def test_K1_a_full_supply_stays_as_it_is() -> None:
    table = Position("2p tokens")
    supply = table.word("supply")
    assert table.do("token pick KK").word("supply") == supply


MOST_HEADS = "| | board=3<K,3<R,2<B | board=<B,3<Y,2<G"  # one green head is left


def test_K1_the_piece_is_taken_before_the_supply_is_filled() -> None:
    position = f"3p tokens supply=KK,RR,BB,YY,GG,KR,-,-,K,K {MOST_HEADS}"
    first = Position(position).do("token pick <G")
    assert first.seat(1, "board") == "<G"
    assert first.word("supply") == "KK,RR,BB,YY,GG,KR,-,-,K,K"


def test_K1_fills_in_the_order_of_the_spaces_as_far_as_the_bag_goes() -> None:
    position = f"3p tokens supply=KK,RR,BB,YY,GG,KR,-,-,K,K {MOST_HEADS}"
    assert Position(position).do("token pick R>").word("supply") == "KK,RR,BB,YY,GG,KR,G,-,K,K"


def test_K1_fills_body_spaces_with_two_segments_or_not_at_all() -> None:
    """Six segments in the bag: two are taken, and fill b2 and b4, but not b5."""
    bodies = "".join(letter * 24 for letter in COLOURS)
    in_supply, in_bag = "KKRRYY", "KKKKBB"
    rest = list(bodies)
    for letter in in_supply + in_bag:
        rest.remove(letter)
    coatls = "".join(rest)
    table = Position(
        f"2p tokens supply=KK,-,RR,-,-,YY,K,K,K,K | coatl={coatls[:54]} coatl={coatls[54:]}"
    )
    table.will_draw("K K B B").do("token pick KK")
    assert table.draws_fitted
    assert table.word("supply") == "KK,KK,RR,BB,-,YY,K,K,K,K"
    assert table.word("end") is None


@pytest.mark.parametrize("token", ["token pick <K", "token pick K>"])
def test_T2_perfect_pick_of_one_piece_needs_one_free_space(token: str) -> None:
    assert Position("2p tokens | board=7R").may(token)
    assert refuses(Position("2p tokens | board=8R"), token, "T2")


@pytest.mark.parametrize("token", ["token pick KK", "token pick KG"])
def test_T2_perfect_pick_of_a_pair_needs_two_free_spaces(token: str) -> None:
    assert Position("2p tokens | board=6R").may(token)
    assert refuses(Position("2p tokens | board=7R"), token, "T2")
    assert refuses(Position("2p tokens | board=8R"), token, "T2")


def test_R7_two_segments_of_different_colours() -> None:
    assert Position("2p tokens").do("token pick BG").seat(1, "board") == "B,G"
    assert Position("2p tokens").do("token pick KR").seat(1, "board") == "K,R"


@pytest.mark.parametrize(("piece", "supply"), [("<K", "R,R,B,B"), ("K>", "B,B,R,R")])
def test_R7_a_head_or_tail_only_if_it_is_in_the_bag(piece: str, supply: str) -> None:
    position = "2p tokens supply=RR,RR,RR,RR,RR,RR,{} | | board={}{}"
    assert refuses(Position(position.format(supply, 3, piece)), f"token pick {piece}", "R7")
    assert Position(position.format(supply, 2, piece)).may(f"token pick {piece}")


def test_R7_what_lies_in_the_supply_is_not_in_the_bag() -> None:
    table = Position("2p tokens supply=RR,RR,RR,RR,RR,RR,K,K,R,R | | board=<K")
    assert refuses(table, "token pick <K", "R7")


@pytest.mark.parametrize(
    ("black_in_bag", "pair_of_black", "one_black"), [(0, "R7", "R7"), (1, "R7", ""), (2, "", "")]
)
def test_R7_as_many_segments_of_a_colour_as_the_bag_has(
    black_in_bag: int, pair_of_black: str, one_black: str
) -> None:
    coatl = "K" * (24 - black_in_bag)
    table = Position(f"2p tokens supply=RR,RR,RR,RR,RR,RR,R,R,R,R | | coatl={coatl}")
    assert table.why("token pick KK") == pair_of_black
    for other in "RBYG":
        assert table.why(f"token pick K{other}") == one_black
    assert table.may("token pick KK") == (pair_of_black == "")
    assert table.may("token pick KG") == (one_black == "")


# ------------------------------------------------------------------ K2: See the Future


def test_K2_the_face_up_supply_is_discarded_and_refilled() -> None:
    table = future()
    assert table.draws_fitted
    assert table.word("row") == ",".join(NEW_ROW)
    assert names(table.word("discard")) == Counter(ROW)
    assert (table.turn_of, table.phase) == (1, "future")


def test_K2_empty_places_of_the_supply_are_refilled_too() -> None:
    table = Position("2p tokens row=YG,-,-,GB,-,YK | ").will_draw(" ".join(NEW_ROW))
    table.do("token future")
    assert table.word("row") == ",".join(NEW_ROW)
    assert names(table.word("discard")) == Counter(["YG", "GB", "YK"])


def test_K2_joins_what_was_discarded_before() -> None:
    table = future(more="discard=KBKB")
    assert names(table.word("discard")) == Counter([*ROW, "KBKB"])


def test_K2_with_an_empty_deck_the_discards_come_back() -> None:
    """R3: the cards just discarded are among those shuffled."""
    discarded = other_cards(*ROW, "RB")
    position = f"2p tokens row={','.join(ROW)} discard={','.join(discarded)} | hand=RB | "
    table = Position(position)
    assert table.state.n_deck == 0
    table.will_draw("YG RK YB GB KG {K}").do("token future")
    assert table.draws_fitted
    assert table.word("row") == "YG,RK,YB,GB,KG,{K}"
    assert table.state.n_deck == 54 - 1 - 6


@pytest.mark.parametrize(
    ("dropped", "kept"),
    [
        ([], "{Y},{R},RGRG"),
        (["drop {R}"], "{Y},RGRG"),
        (["drop {Y}", "drop RGRG"], "{R}"),
        (["drop RGRG", "drop {R}", "drop {Y}"], None),
    ],
)
def test_K2_any_number_of_cards_from_the_hand_are_discarded(
    dropped: list[str], kept: str | None
) -> None:
    table = future("{Y},{R},RGRG").do(*dropped, "done")
    assert table.seat(1, "hand") == kept
    assert table.phase == "pick"


def test_K2_its_discards_are_face_up() -> None:
    """H1: everyone sees them, unlike those of the setup."""
    table = Position(f"2p tokens row={','.join(ROW)} | hand={{Y}},{{R}}^ buried=KBKB | ")
    table.do("token future", "drop {Y}", "drop {R}")
    assert names(table.word("discard")) == Counter([*ROW, "{Y}", "{R}"])
    assert table.seat(1, "buried") == "KBKB"
    assert table.state.n_discard == len(ROW) + 3


def test_K2_one_copy_at_a_time() -> None:
    table = future("{Y},{Y}").do("drop {Y}")
    assert table.seat(1, "hand") == "{Y}"
    assert table.do("drop {Y}").seat(1, "hand") is None
    assert names(table.word("discard"))["{Y}"] == 2


def test_K2_only_cards_of_the_hand_are_discarded() -> None:
    table = Position(f"2p tokens row={','.join(ROW)} | hand={{Y}} temples=noY/7 | hand={{R}}")
    table.do("token future")
    assert refuses(table, "drop {R}", "K2")
    assert table.legal == ["drop {Y}", "done"]


@pytest.mark.parametrize("phase", ["main", "pick", "assemble", "second part"])
def test_K2_no_card_is_discarded_at_any_other_time(phase: str) -> None:
    table = Position("2p tokens | board=K hand={Y} | ")
    moves = {
        "main": [],
        "pick": ["draw"],
        "assemble": ["new K"],
        "second part": ["token future", "done"],
    }
    assert refuses(table.do(*moves[phase]), "drop {Y}", "P4")


@pytest.mark.parametrize(
    "other", ["take b1", "pick KKK", "draw", "new K", "1+K", "1:{R}", "pass", "token priest 1"]
)
def test_K2_nothing_else_before_the_choice(other: str) -> None:
    table = Position(f"2p tokens row={','.join(ROW)} | board=K hand={{R}} coatl=RRR | ")
    table.will_draw(" ".join(NEW_ROW)).do("token future")
    assert refuses(table, other, "K2")


@pytest.mark.parametrize("other", ["take b1", "new K", "1+K", "1:{R}", "token priest 1", "pass"])
def test_K2_then_a_choose_prophecies_action_and_no_other(other: str) -> None:
    table = Position("2p tokens | board=K hand={R} coatl=RRR | ").do("token future", "done")
    assert refuses(table, other, "T0")
    assert table.may("draw")


def test_K2_the_choice_is_as_in_P1_face_up_or_from_the_deck() -> None:
    table = future("{Y}").do("done", "pick RRR").will_draw("{G}").do("draw", "pick RB")
    assert table.draws_fitted
    assert table.seat(1, "hand") == "{Y},{G},RRR^,RB^"
    assert table.do("done").turn_of == 2


def test_K2_the_hand_limit_holds() -> None:
    """P2: five at most; what was discarded makes room."""
    table = future("{Y},{R},{K},{G},{B}").do("drop {Y}", "drop {R}", "done", "pick KKK", "draw")
    assert refuses(table, "pick RRR", "P2")
    assert refuses(table, "draw", "P2")
    assert table.legal == ["done"]


def test_K2_the_old_row_cannot_be_taken() -> None:
    table = future().do("done")
    picks = [move for move in table.legal if move.startswith("pick")]
    assert picks == [f"pick {name}" for name in NEW_ROW]


def test_P3_the_row_is_refilled_at_the_end_not_between_the_picks_of_K2() -> None:
    table = future().do("done", "pick KKK", "pick BBB")
    assert table.word("row") == "-,RRR,-,YYY,GGG,RB"
    table.will_draw("{Y} {G}").do("done")
    assert table.draws_fitted
    assert table.word("row") == "{Y},RRR,{G},YYY,GGG,RB"


FINAL_TURN = (
    f"2p tokens seat=2 actions=2 end=third trigger=1 row={','.join(ROW)} "
    "| coatl=<KRRRK>:{R} coatl=<RBBBR>:{B} coatl=<BYYYB>:{Y} | "
)


def test_P3_not_between_two_actions_of_a_turn_K2_first() -> None:
    table = Position(FINAL_TURN).will_draw(" ".join(NEW_ROW))
    table.do("token future", "done", "pick KKK", "done")
    assert (table.turn_of, table.phase) == (2, "main")
    assert table.word("row") == "-,RRR,BBB,YYY,GGG,RB"
    table.will_draw("noG/9 {K}").do("token priest 1")
    assert table.draws_fitted
    assert table.over
    assert table.word("row") == "{K},RRR,BBB,YYY,GGG,RB"


def test_P3_not_between_two_actions_of_a_turn_K2_second() -> None:
    """The refill that K2 orders is its own; it does not wait for the end of the turn."""
    table = Position(FINAL_TURN).do("pick YG", "done")
    assert table.word("row") == "-,RK,YB,GB,KG,YK"
    table.will_draw(" ".join(NEW_ROW)).do("token future")
    assert table.word("row") == ",".join(NEW_ROW)
    assert names(table.word("discard")) == Counter(ROW[1:])


def test_K1_refills_after_each_of_two_actions() -> None:
    table = Position(FINAL_TURN.replace("row=", f"{HOLES} row=")).will_draw("K R B Y <Y G>")
    table.do("token pick BG")
    assert table.draws_fitted
    assert table.word("supply") == "KK,KR,RR,BY,BB,YY,Y,K,K,G"
    assert (table.turn_of, table.phase) == (2, "main")
    assert refuses(table, "token pick BG", "K1")


# ------------------------------------------------------------------ R6


def test_R6_with_a_full_hand_and_nothing_discarded_no_card_is_taken() -> None:
    table = future("{Y},{R},{K},{G},{B}").do("done")
    assert table.legal == ["done"]
    assert refuses(table, "pick KKK", "P2")
    table.do("done")
    assert table.turn_of == 2
    assert table.seat(1, "hand") == "{Y},{R},{K},{G},{B}"
    assert table.seat(1, "tokens") == "pick,priest"
    assert table.word("row") == ",".join(NEW_ROW)


@pytest.mark.parametrize("hand", ["-", "{Y}", "{Y},{R},{K},{G}"])
def test_R6_otherwise_at_least_one_card_is_taken(hand: str) -> None:
    table = future(hand).do("done")
    assert refuses(table, "done", "P1")
    assert table.do("pick KKK").may("done")


def test_R6_a_full_hand_with_one_discarded_takes_one() -> None:
    table = future("{Y},{R},{K},{G},{B}").do("drop {G}", "done")
    assert refuses(table, "done", "P1")
    assert table.do("draw").legal == ["done"]


def test_R6_not_if_there_is_no_card_anywhere() -> None:
    """Every card lies on a Cóatl or is in a hand of the others."""
    position = "4p tokens row=-,-,-,-,-,- | coatl=KKK:KKK | hand={R} | hand={R} |"
    table = Position(position, deck=deck_of("KKK", "{R}")).do("token future")
    assert (table.state.n_deck, table.state.n_discard) == (0, 0)
    table.do("done")
    assert table.legal == ["done"]
    assert refuses(table, "draw", "R3")
    assert table.do("done").turn_of == 2


def test_R6_discarding_may_bring_the_only_card() -> None:
    """R3: with an empty deck a card discarded by K2 can be drawn again."""
    table = future("{Y}")
    state = table.state
    state.row[:] = -1
    state.deck[:] = 0
    state.discard[:] = 0
    state.n_deck = state.n_discard = 0
    table.do("drop {Y}", "done")
    assert table.legal == ["draw"]
    assert table.do("draw").seat(1, "hand") == "{Y}"


# ------------------------------------------------------------------ K3: Priest Commitment


@pytest.mark.parametrize(
    ("token", "hand", "piles"),
    [
        ("token priest 1", "noY/7^,noB/10", "noG/9:6,noK/8:7"),
        ("token priest 2", "noK/8^,noB/10", "noY/7:7,noG/9:6"),
    ],
)
def test_K3_the_top_temple_card_of_a_pile_into_the_hand(token: str, hand: str, piles: str) -> None:
    table = Position("2p tokens piles=noY/7:7,noK/8:7 | temples=noB/10 | ")
    table.will_draw("noG/9").do(token)
    assert table.draws_fitted
    assert table.seat(1, "temples") == hand  # H1: everyone saw which card it was
    assert table.word("piles") == piles


def test_K3_with_no_temple_card_in_hand() -> None:
    table = Position("2p tokens piles=noY/7,noK/8").do("token priest 2")
    assert table.seat(1, "temples") == "noK/8^"


def test_K3_temple_cards_do_not_count_for_the_hand_limit() -> None:
    table = Position("2p tokens piles=noY/7,noK/8 | hand={Y},{R},{K},{G},{B} temples=noB/10 | ")
    assert table.do("token priest 1").seat(1, "temples") == "noY/7^,noB/10"


def test_K3_a_pile_can_run_out() -> None:
    table = Position("2p tokens piles=noY/7:1,noK/8:14").do("token priest 1")
    assert table.word("piles") == "-,noK/8:14"
    assert refuses(table, "token priest 1", "K3")
    assert table.may("token priest 2")


def test_K3_not_with_both_piles_empty() -> None:
    """Of the 15 Temple cards 7 are in hands, 8 lie on complete Cóatl."""
    cards = iter(card.name for card in temples())
    seats = [f"temples={next(cards)}"]
    seats += [f"tokens=pick,future temples={next(cards)},{next(cards)}" for _ in range(3)]
    for number, temple in enumerate(cards):
        colour = COLOURS[number // 2]
        seats[number // 2] += f" coatl=<{3 * colour}>:{{{colour}}},{temple}"
    table = Position(f"4p tokens piles=-,- | {' | '.join(seats)}")
    assert refuses(table, "token priest 1", "K3")
    assert refuses(table, "token priest 2", "K3")
    assert table.may("token future")


def test_K3_still_only_one_temple_card_a_coatl() -> None:
    table = Position("2p tokens piles=noR/11,noY/7 | board=K> temples=noB/10 coatl=<KRRR:{R} | ")
    table.do("token priest 2", "take b1", "1+K>")
    assert {"1:noB/10", "1:noY/7", "done"} <= set(table.legal)
    table.do("1:noY/7")
    assert table.coatls() == ["<KRRRK>:{R},noY/7"]
    assert table.seat(1, "temples") == "noB/10"
    assert refuses(table, "1:noB/10", "A9")


def test_K3_the_card_can_be_fulfilled_later_from_the_hand() -> None:
    position = "2p tokens piles=noR/11,noB/10:7 | board=K> temples=noK/8 coatl=<KRRR:{R} | "
    table = Position(position).do("token priest 2", "take b1", "1+K>", "1:noB/10")
    assert table.coatls() == ["<KRRRK>:{R},noB/10"]
    assert table.seat(1, "temples") == "noK/8"


# ------------------------------------------------------------------ K4


def test_K4_unused_tokens_are_worth_nothing() -> None:
    seats = "tokens={} coatl=<KRRRK>:{{R}} | tokens={} coatl=<YRRRY>:{{R}}"
    for mine, yours in (("pick,future,priest", "-"), ("-", "pick"), ("-", "-")):
        table = Position("2p tokens | " + seats.format(mine, yours))
        assert table.scores() == ([2, 2], [1, 2])


# ------------------------------------------------------------------ R5 with tokens


def test_R5_who_can_do_nothing_else_may_use_a_token() -> None:
    """A board clogged with heads and a full hand: T2 forbids Perfect Pick, the others remain."""
    table = Position(
        "2p tokens | board=3<K,3<R,2<B hand=KKK,RRR,BBB,KBKB,{K} coatl=<YG coatl=<GY | "
    )
    assert table.legal == ["token future", "token priest 1", "token priest 2", "pass"]
    assert refuses(table, "token pick K>", "T2")
