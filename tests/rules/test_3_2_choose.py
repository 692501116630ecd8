"""Section 3.2 of the rules: choosing Prophecy cards (P1-P4; R3 and R21)."""

from __future__ import annotations

from collections import Counter

import pytest

from coatl.rules.cards import prophecies
from tests.position import Position, deck_of

ROW = "YG,RK,YB,GB,KG,YK"
THREE = "coatl=<KBKB>:KBKB coatl=<RRR>:{R} coatl=<BBB>:{B}"


def all_but(*names: str) -> str:
    """The 54 Prophecy cards without those named, as a list."""
    left = Counter({card.name: card.copies for card in prophecies()})
    left.subtract(name for text in names for name in text.split(",") if name != "-")
    return ",".join(left.elements())


def row(table: Position) -> list[str]:
    return (table.word("row") or "").split(",")


def nothing_to_draw(first_hand: str = "{Y}", deck: str = "-") -> Position:
    """Two cards lie in the row; all but `deck` are in hands and on a Cóatl, none discarded."""
    position = f"2p row=YG,RK,-,-,-,- deck={deck} | hand={first_hand} | hand={{Y}} coatl=KKK:KKK"
    return Position(position, deck=deck_of("YG", "RK", "KKK", "{Y}"))


# ---------------------------------------------------------------- P1


@pytest.mark.parametrize(
    ("moves", "hand", "left"),
    [
        (["pick RK"], "RK^", "YG,-,YB,GB,KG,YK"),
        (["draw"], "KKK", "YG,RK,YB,GB,KG,YK"),
        (["pick YK", "pick YG"], "YG^,YK^", "-,RK,YB,GB,KG,-"),
        (["draw", "draw"], "KKK,GGG", "YG,RK,YB,GB,KG,YK"),
        (["draw", "pick GB", "draw"], "KKK,GGG,GB^", "YG,RK,YB,-,KG,YK"),
        (["pick GB", "draw", "pick YG"], "KKK,YG^,GB^", "-,RK,YB,-,KG,YK"),
        (
            ["pick YG", "pick RK", "pick YB", "pick GB", "pick KG"],
            "YG^,RK^,YB^,GB^,KG^",
            "-,-,-,-,-,YK",
        ),
    ],
    ids=str,
)
def test_P1_one_or_more_from_row_and_deck_in_any_mix(
    moves: list[str], hand: str, left: str
) -> None:
    table = Position(f"2p row={ROW}").will_draw("KKK GGG").do(*moves)
    assert table.seat(1, "hand") == hand
    assert table.word("row") == left
    assert table.may("done")


def test_P1_the_deck_is_one_card_shorter_for_each_draw() -> None:
    table = Position(f"2p row={ROW}")
    assert table.state.n_deck == 48
    table.do("draw", "draw", "pick YG")
    assert table.state.n_deck == 46


def test_P1_one_card_at_least() -> None:
    table = Position(f"2p row={ROW} phase=pick picked=0")
    assert table.why("done") == "P1"
    assert not table.may("done")
    assert table.do("draw").may("done")


def test_P1_an_empty_place_of_the_row_cannot_be_chosen() -> None:
    table = Position("2p row=YG,-,YB,GB,KG,YK")
    assert table.why("pick -@2") == "P1"
    table.do("pick YB")
    assert table.why("pick -@3") == "P1"
    assert [move for move in table.legal if move.startswith("pick")] == [
        *("pick YG", "pick GB", "pick KG", "pick YK")
    ]


def test_P1_either_of_two_equal_cards() -> None:
    table = Position("2p row={Y},RK,YB,{Y},KG,YK").do("pick {Y}@4")
    assert table.word("row") == "{Y},RK,YB,-,KG,YK"
    assert table.do("pick {Y}").seat(1, "hand") == "{Y}^,{Y}^"


def test_P1_only_cards_in_the_row_and_the_top_of_the_deck() -> None:
    """Not the discards, not what others hold."""
    table = Position(f"2p row={ROW} discard=KKK | | hand=GGG")
    choices = [move for move in table.legal if move.startswith(("pick", "draw"))]
    assert choices == [*(f"pick {card}" for card in ROW.split(",")), "draw"]


# ---------------------------------------------------------------- P2


def test_P2_never_more_than_five_in_hand() -> None:
    table = Position(f"2p row={ROW} | hand={{Y}},{{R}},{{K}},{{G}},{{B}}")
    for move in ("pick YG", "draw"):
        assert table.why(move) == "P2"
        assert not table.may(move)


def test_P2_the_fifth_card_may_be_taken_and_no_more() -> None:
    for move in ("pick YG", "draw"):
        table = Position(f"2p row={ROW} | hand={{Y}},{{R}},{{K}},{{G}}").do(move)
        assert table.player(1).n_hand == 5
        assert table.why("pick RK") == "P2"
        assert table.why("draw") == "P2"
        assert table.legal == ["done"]


def test_P2_the_rulebooks_example() -> None:
    """Two cards in hand, two more face up and one from the deck: five, and no more."""
    table = Position(f"2p row={ROW} | hand={{Y}},{{R}}").will_draw("KKK")
    table.do("pick YG", "pick KG", "draw")
    assert table.seat(1, "hand") == "{Y},{R},KKK,YG^,KG^"
    assert table.why("pick RK") == "P2"
    assert table.why("draw") == "P2"


def test_P2_temple_cards_do_not_count() -> None:
    for move in ("pick YG", "draw"):
        table = Position(f"2p row={ROW} | hand={{Y}},{{R}},{{K}},{{G}} temples=noY/7,noK/8")
        assert table.do(move).player(1).n_hand == 5


def test_P2_prophecies_on_a_coatl_do_not_count() -> None:
    table = Position(f"2p row={ROW} | hand={{Y}},{{R}},{{K}},{{G}} coatl=<KBKBRRR:KBKB,RRR")
    assert table.may("draw")


@pytest.mark.parametrize("players", [2, 3, 4])
def test_P2_the_hands_of_others_do_not_count(players: int) -> None:
    full = "{Y},{R},{K},{G},{B}"
    table = Position(f"{players}p row={ROW} | hand=KKK | hand={full}").do("draw")
    assert table.player(1).n_hand == 2


# ---------------------------------------------------------------- P3


def test_P3_refilled_to_six_at_the_end_of_the_turn() -> None:
    table = Position(f"2p row={ROW}").do("pick YG", "pick KG", "done")
    assert "-" not in row(table)
    assert [row(table)[place] for place in (1, 2, 3, 5)] == ["RK", "YB", "GB", "YK"]
    assert table.state.n_deck == 46


def test_P3_from_the_deck() -> None:
    table = Position(f"2p row={ROW}").do("pick YB").will_draw("KKK").do("done")
    assert table.draws_fitted
    assert table.word("row") == "YG,RK,KKK,GB,KG,YK"


def test_P3_not_between_picks() -> None:
    table = Position(f"2p row={ROW}").do("pick YG")
    assert table.word("row") == "-,RK,YB,GB,KG,YK"
    assert table.do("pick KG").word("row") == "-,RK,YB,GB,-,YK"
    assert table.do("draw").word("row") == "-,RK,YB,GB,-,YK"
    assert table.state.n_deck == 47


def test_P3_all_six_taken_over_two_turns_are_replaced() -> None:
    table = Position(f"2p row={ROW}")
    table.do("pick YG", "pick RK", "pick YB", "pick GB", "pick KG", "done")
    assert "-" not in row(table)
    assert row(table)[5] == "YK"


def test_P3_not_between_two_actions_of_one_turn() -> None:
    position = f"2p row={ROW} end=third trigger=1 seat=2 actions=2 | {THREE} | hand=KKK"
    table = Position(position).do("pick YG", "done")
    assert (table.turn_of, table.phase) == (2, "main")
    assert table.word("row") == "-,RK,YB,GB,KG,YK"
    table.do("pick RK")
    assert table.word("row") == "-,-,YB,GB,KG,YK"
    table.do("done")
    assert "-" not in row(table)


def test_P3_after_the_last_of_two_actions_whatever_it_is() -> None:
    position = f"2p row={ROW} end=third trigger=1 seat=2 actions=2 | {THREE} | hand=KKK"
    for last in ("take b1", "done"):
        table = Position(position).do("pick YG", "done", last)
        assert "-" not in row(table)


# ---------------------------------------------------------------- P4


@pytest.mark.parametrize("phase", ["main", "pick", "assemble"])
def test_P4_no_card_is_discarded_from_the_hand(phase: str) -> None:
    table = Position(f"2p tokens phase={phase} row={ROW} | hand={{R}},KKK board=K coatl=RRR")
    for card in ("{R}", "KKK"):
        assert table.why(f"drop {card}") == "P4"
        assert not table.may(f"drop {card}")


def test_P4_not_even_to_make_room_in_a_full_hand() -> None:
    table = Position(f"2p row={ROW} | hand={{Y}},{{R}},{{K}},{{G}},{{B}}")
    assert table.why("drop {Y}") == "P4"


def test_P4_a_card_leaves_by_being_fulfilled() -> None:
    table = Position("2p | hand={R},KKK coatl=RRR").do("1:{R}")
    assert table.seat(1, "hand") == "KKK"
    assert table.coatls() == ["RRR:{R}"]


def test_P4_a_card_leaves_by_see_the_future() -> None:
    table = Position("2p tokens | hand={R},KKK").do("token future", "drop KKK")
    assert table.seat(1, "hand") == "{R}"


@pytest.mark.parametrize(
    "moves",
    [["take b1"], ["new K", "done"], ["1+K", "done"], ["token pick KK"], ["token priest 1"]],
    ids=str,
)
def test_P4_nothing_else_touches_the_hand(moves: list[str]) -> None:
    table = Position("2p tokens | hand={R},KKK board=K coatl=RRR").do(*moves)
    assert table.seat(1, "hand") == "{R},KKK"


# ---------------------------------------------------------------- R21


def test_R21_a_drawn_card_is_seen_before_going_on() -> None:
    table = Position(f"2p row={ROW} | hand=GGG").will_draw("KKK").do("draw")
    assert table.seat(1, "hand") == "KKK,GGG"
    assert (table.turn_of, table.phase) == (1, "pick")
    assert all(table.may(move) for move in ("draw", "pick YG", "done"))


def test_R21_one_card_at_a_time() -> None:
    table = Position(f"2p row={ROW}")
    for n, move in enumerate(["pick YG", "draw", "pick RK", "draw", "draw"], start=1):
        table.do(move)
        assert table.player(1).n_hand == n
        assert table.may("done")


# ---------------------------------------------------------------- R3


def test_R3_discards_are_shuffled_into_a_new_deck() -> None:
    table = Position(f"2p row={ROW} deck=- discard={all_but(ROW)}").will_draw("KKK").do("draw")
    assert table.draws_fitted
    assert table.seat(1, "hand") == "KKK"
    assert (int(table.state.n_deck), int(table.state.n_discard)) == (47, 0)
    assert table.word("discard") is None


def test_R3_shuffled() -> None:
    drawn = set()
    for seed in range(30):
        table = Position(f"2p row={ROW} deck=- discard={all_but(ROW)}", seed=seed).do("draw")
        drawn.add(table.seat(1, "hand"))
    assert len(drawn) > 10


def test_R3_only_when_a_card_has_to_be_drawn() -> None:
    """The last card of the deck leaves the discards where they are."""
    discard = all_but(ROW, "KKK")
    table = Position(f"2p row={ROW} deck=KKK discard={discard}").do("draw")
    assert table.seat(1, "hand") == "KKK"
    assert (int(table.state.n_deck), int(table.state.n_discard)) == (0, 47)
    table.do("done")
    assert (int(table.state.n_deck), int(table.state.n_discard)) == (0, 47)
    assert table.do("draw").state.n_discard == 0


def test_R3_in_the_middle_of_refilling_the_row() -> None:
    discard = all_but(ROW, "KKK")
    table = Position(f"2p row={ROW} deck=KKK discard={discard}").do("pick RK", "pick GB", "pick YK")
    table.will_draw("KKK GGG BBB").do("done")
    assert table.draws_fitted
    assert table.word("row") == "YG,KKK,YB,GGG,KG,BBB"
    assert (int(table.state.n_deck), int(table.state.n_discard)) == (45, 0)


def test_R3_the_discards_of_the_setup_come_back_too() -> None:
    position = f"2p row={ROW} deck=- discard={all_but(ROW, 'KKK')} | | buried=KKK"
    table = Position(position).will_draw("KKK").do("draw")
    assert table.draws_fitted
    assert table.seat(1, "hand") == "KKK"


def test_R3_fulfilled_cards_do_not_come_back() -> None:
    position = f"2p row={ROW} deck=- discard={all_but(ROW, 'RRR,KKK')} | coatl=RRR:RRR | hand=KKK"
    table = Position(position).do("draw")
    assert table.coatls() == ["RRR:RRR"]
    assert table.state.deck[table.deck.prophecy_ids["RRR"]] == 0
    assert table.state.n_deck == 45


def test_R3_no_cards_anywhere_nothing_can_be_drawn() -> None:
    table = nothing_to_draw()
    assert (int(table.state.n_deck), int(table.state.n_discard)) == (0, 0)
    assert table.why("draw") == "R3"
    assert not table.may("draw")
    assert table.may("pick YG")


def test_R3_no_cards_anywhere_the_row_stays_short() -> None:
    table = nothing_to_draw().do("pick YG", "done")
    assert table.word("row") == "-,RK,-,-,-,-"
    assert (table.turn_of, table.phase) == (2, "main")


def test_R3_the_row_is_filled_as_far_as_the_cards_go() -> None:
    table = nothing_to_draw(first_hand="-", deck="{Y}").do("pick YG", "done")
    assert sorted(row(table)) == ["-", "-", "-", "-", "RK", "{Y}"]
