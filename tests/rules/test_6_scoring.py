"""Section 6 of the rules: scoring (F1-F3)."""

from __future__ import annotations

import numpy as np
import pytest

from coatl.rules import compiled
from coatl.rules.scoring import ranks, verdict
from tests.position import Position


def seat_scores(table: Position) -> list[tuple[int, int, int]]:
    """Points, cards on complete Cóatl and the best Cóatl of each seat."""
    out = np.zeros(12, np.int64)
    compiled.scores(table.cards, table.states, 0, out)
    numbers = [int(number) for number in out]
    return [
        (numbers[3 * seat], numbers[3 * seat + 1], numbers[3 * seat + 2])
        for seat in range(int(table.state.n_players))
    ]


def finished(*seats: str) -> Position:
    return Position(f"{len(seats)}p phase=over end=passed | " + " | ".join(seats))


def winners(*seats: str) -> list[int]:
    return finished(*seats).scores()[1]


def values(*seats: str) -> list[tuple[int, int, int]]:
    return seat_scores(finished(*seats))


# ---------------------------------------------------------------- F1


def test_F1_prophecy_cards_of_complete_coatls_score() -> None:
    """Three red 2, three black in a row 3, and RK once 1."""
    table = Position("2p | coatl=<RRR>:{R} coatl=<RKKK>:KKK,RK | coatl=<GGGG>:{G}")
    assert table.scores() == ([6, 3], [1])


def test_F1_temple_cards_of_complete_coatls_score() -> None:
    """One requirement met 3, both 7; {R} 2 and 5."""
    table = Position("2p | coatl=<RRR>:{R},noY/7 | coatl=<RRRRRRR>:{R},noG/9")
    assert table.scores()[0] == [2 + 3, 5 + 3]
    table = Position("2p | coatl=<RRRRRRR>:{R},noY/7 |")
    assert table.scores()[0] == [5 + 7, 0]


@pytest.mark.parametrize("coatl", ["<RRRR:{R},RRR", "RRRR>:{R},RRR", "RRRR:{R},RRR"])
def test_F1_incomplete_coatls_do_not_score(coatl: str) -> None:
    """Neither points nor, for the tie-break, cards."""
    assert values(f"coatl={coatl} coatl=<KKK>:{{K}}", "") == [(2, 1, 2), (0, 0, 0)]


def test_F1_cards_in_hand_pieces_and_tokens_are_worth_nothing() -> None:
    table = Position("2p tokens | board=3K hand={K},KKK temples=noR/11 coatl=<KKK>:!KK! | tokens=-")
    assert table.scores()[0] == [0, 0]


def test_F1_all_three_coatls_are_added_up() -> None:
    seat = "coatl=<RRR>:{R} coatl=<KKKK>:{K} coatl=<BBBBB>:{B}"
    assert values(seat, "") == [(2 + 3 + 4, 3, 4), (0, 0, 0)]


def test_F1_a_card_scores_what_its_coatl_is_worth_in_the_end() -> None:
    """Q8: RRR laid on three red pieces (3) pays 7 once there are six."""
    table = Position("2p piles=R=Y/12,B=Y/12 | board=3R,R> hand=RRR coatl=<RR").do("1+R", "1:RRR")
    assert table.scores()[0] == [0, 0]
    table.do("1+R", "1+R", "1+R>")
    assert table.coatls() == ["<RRRRRR>:RRR"]
    assert table.scores()[0] == [7, 0]


# ---------------------------------------------------------------- F2


def test_F2_most_points_win() -> None:
    """One card of 5 beats two cards of 4 together, and a better single Cóatl of less in sum."""
    six_red = "coatl=<RRRRRR>:{R}"
    assert values(six_red, "coatl=<KKK>:{K} coatl=<BBB>:{B}") == [(5, 1, 5), (4, 2, 2)]
    assert winners(six_red, "coatl=<KKK>:{K} coatl=<BBB>:{B}") == [1]
    assert winners("coatl=<KKK>:{K} coatl=<BBB>:{B}", six_red) == [2]
    small = "coatl=<KKK>:{K} coatl=<BBB>:{B} coatl=<GGG>:{G}"
    assert winners("", six_red, small, "") == [3]


def test_F2_a_tie_goes_to_more_cards() -> None:
    """5 points each: one card against two, although the two lie on poorer Cóatl."""
    one, two = "coatl=<RRRRRR>:{R}", "coatl=<KKK>:KKK coatl=<BBB>:{B}"
    assert values(one, two) == [(5, 1, 5), (5, 2, 3)]
    assert winners(one, two) == [2]
    assert winners(two, one) == [1]


def test_F2_temple_cards_count_in_the_tie() -> None:
    """Seat 1: {R} 2 and a Temple card 3; seat 2: {B} 5."""
    one, two = "coatl=<RRR>:{R},noY/7", "coatl=<BBBBBB>:{B}"
    assert values(one, two) == [(5, 2, 3 + 2), (5, 1, 5)]
    assert winners(one, two) == [1]
    assert winners(two, one) == [2]


def test_F2_cards_worth_nothing_count_in_the_tie() -> None:
    """R2: a card that later pieces broke still counts as fulfilled."""
    one, two = "coatl=<RRR>:{R}", "coatl=<KKK>:{K},!KK!"
    assert values(one, two) == [(2, 1, 2), (2, 2, 2)]
    assert winners(one, two) == [2]


def test_F2_only_cards_on_complete_coatls_count_in_the_tie() -> None:
    one, two = "coatl=<RRR>:{R} coatl=GGGG:GGG,{G} hand=RRR", "coatl=<KKK>:{K},!KK!"
    assert winners(one, two) == [2]


def test_F2_then_the_single_most_valuable_coatl() -> None:
    """7 points and 2 cards each: 5 + 2 against 4 + 3."""
    one = "coatl=<RRRRRR>:{R} coatl=<BBB>:{B}"
    two = "coatl=<KKKKK>:{K} coatl=<GGGG>:{G}"
    assert values(one, two) == [(7, 2, 5), (7, 2, 4)]
    assert winners(one, two) == [1]
    assert winners(two, one) == [2]


def test_F2_the_best_coatl_includes_its_temple_card() -> None:
    """8 points and 3 cards each: 5 on one Cóatl with a Temple card, against 4."""
    one = "coatl=<RRR>:{R},noY/7 coatl=<BBB>:BBB"
    two = "coatl=<KKK>:KKK coatl=<KKK>:{K} coatl=<GGG>:GGG"
    assert values(one, two) == [(8, 3, 5), (8, 3, 3)]
    assert winners(one, two) == [1]


def test_F2_still_tied_the_victory_is_shared() -> None:
    one, two = "coatl=<RRR>:{R}", "coatl=<BBB>:{B}"
    assert winners(one, two) == [1, 2]
    assert winners(one, "", two) == [1, 3]
    assert winners(one, two, "coatl=<KKK>:{K}", "coatl=<GGG>:{G}") == [1, 2, 3, 4]
    assert winners("", "") == [1, 2]


def test_F2_those_who_share_have_to_be_equal_in_all() -> None:
    """Four with 5 points: 2 and 4 have two cards, 4 has the better Cóatl of the two."""
    seats = (
        "coatl=<RRRRRR>:{R}",
        "coatl=<KKK>:KKK coatl=<BBB>:{B}",
        "coatl=<YYYYYY>:{Y}",
        "coatl=<GGGGG>:{G} coatl=<RKR>:RK",
    )
    assert values(*seats) == [(5, 1, 5), (5, 2, 3), (5, 1, 5), (5, 2, 4)]
    assert winners(*seats) == [4]


VERDICTS = [  # points, cards, best Cóatl of each seat: their ranks, and what decided
    ([(9, 9, 9), (10, 0, 0)], (2, 1), ("points", (0, 1))),
    ([(9, 3, 9), (9, 4, 1), (8, 9, 9)], (2, 1, 3), ("cards", (0, 1))),
    ([(9, 4, 9), (9, 4, 8), (9, 3, 9), (1, 1, 1)], (1, 2, 3, 4), ("coatl", (0, 1))),
    ([(9, 4, 9), (1, 1, 1), (9, 4, 9)], (1, 3, 1), ("shared", (0, 2))),
    ([(9, 4, 9), (5, 2, 3), (5, 2, 3), (5, 1, 9)], (1, 2, 2, 4), ("points", (0, 1, 2, 3))),
]


@pytest.mark.parametrize(("rows", "expected", "decided"), VERDICTS, ids=str)
def test_F2_ranks_and_the_tie_break_that_decided(
    rows: list[tuple[int, int, int]],
    expected: tuple[int, ...],
    decided: tuple[str, tuple[int, ...]],
) -> None:
    scores = np.array(rows).ravel()
    assert ranks(scores, len(rows)) == expected
    assert verdict(scores, len(rows)) == decided


@pytest.mark.parametrize(
    ("mine", "expected", "by"),
    [((9, 9, 9), (2, 1), "points"), ((10, 9, 9), (2, 1), "adam"), ((11, 0, 0), (1, 2), "points")],
)
def test_D9_in_solo_only_points_count_and_a_tie_is_lost(
    mine: tuple[int, int, int], expected: tuple[int, ...], by: str
) -> None:
    scores = np.array([mine, (10, 0, 0)]).ravel()
    assert ranks(scores, 1) == expected
    assert verdict(scores, 1) == (by, (0, 1))


# ---------------------------------------------------------------- F3


@pytest.mark.parametrize(
    ("cards", "points"),
    [
        ("BBYY", 4),
        ("!BB!", 5),
        ("{B}", 5),
        ("BBYY,noG/9", 7),
        ("BBYY,!BB!,{B}", 14),
        ("BBYY,!BB!,{B},noG/9", 17),
    ],
)
def test_F3_the_example_of_the_rulebook(cards: str, points: int) -> None:
    """BBYY 4, isolated blue pairs 5, six blue 5, no green 3 (not nine pieces): 17."""
    table = Position(f"2p | coatl=<BBKBBRYBBYY>:{cards} |")
    assert table.scores()[0] == [points, 0]


def test_F3_the_example_played() -> None:
    """Closed by its tail, then its four cards one by one."""
    table = Position("2p piles=noG/9,R=Y/12 | board=Y> hand=BBYY,!BB!,{B} coatl=<BBKBBRYBBY |")
    table.do("1+Y>", "1:BBYY", "1:!BB!", "1:{B}", "1:noG/9", "done")
    assert table.scores() == ([17, 0], [1])
