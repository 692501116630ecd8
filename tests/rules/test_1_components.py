"""Section 1 of the rules: what is in the box (C1, C2, C4, C5; C3 in full: test_4_cards)."""

from __future__ import annotations

from collections import Counter

import pytest

from coatl.errors import NotationError, PositionError
from coatl.notation import parse_position
from coatl.notation.fields import read_pieces, write_pieces
from coatl.rules.pieces import COLOUR_NAMES, COLOURS, KIND_TEXTS, SPACES
from tests.position import Position


def refused(position: str) -> tuple[str, ...]:
    with pytest.raises(PositionError) as caught:
        parse_position(position)
    return caught.value.clauses


def supply(table: Position) -> list[str]:
    return (table.word("supply") or "").split(",")


def pieces_in_play(table: Position) -> Counter[str]:
    """Pieces in the bags and on the Supply board, by kind."""
    counts = Counter(dict(zip(KIND_TEXTS, table.state.bag.tolist(), strict=True)))
    for name, space in zip(SPACES, supply(table), strict=True):
        for colour in space.strip("-"):
            counts[{"b": colour, "h": f"<{colour}", "t": f"{colour}>"}[name[0]]] += 1
    return counts


# ---------------------------------------------------------------- C1


def test_C1_five_colours() -> None:
    assert COLOUR_NAMES == ("black", "red", "blue", "yellow", "green")
    assert COLOURS == "KRBYG"


def test_C1_every_colour_has_heads_tails_and_bodies() -> None:
    table = Position("4p")
    letters = {piece.strip("<>") for piece, count in pieces_in_play(table).items() if count}
    assert letters == set("KRBYG")


def test_C1_there_is_no_sixth_colour() -> None:
    with pytest.raises(NotationError, match="'W'"):
        Position("2p | board=W")


# ---------------------------------------------------------------- C2


@pytest.mark.parametrize("players", [2, 3, 4])
def test_C2_150_pieces_3_heads_3_tails_24_bodies_of_each_colour(players: int) -> None:
    counts = pieces_in_play(Position.new(players))
    assert counts.total() == 150
    for colour in "KRBYG":
        assert counts[f"<{colour}"] == 3
        assert counts[f"{colour}>"] == 3
        assert counts[colour] == 24


def test_C2_a_position_has_the_same_pieces() -> None:
    assert pieces_in_play(Position("2p")) == pieces_in_play(Position.new())


@pytest.mark.parametrize("piece", KIND_TEXTS)
def test_C2_one_piece_more_is_refused(piece: str) -> None:
    if len(piece) == 1:
        all_of_them = f"4p | board=8{piece} | board=8{piece} | board=8{piece} |"
    else:
        all_of_them = f"2p | board=3{piece} |"
    assert Position(all_of_them).state.bag[KIND_TEXTS.index(piece)] == 0
    assert refused(f"{all_of_them} board={piece}") == ("C2",)


@pytest.mark.parametrize("piece", KIND_TEXTS)
def test_C2_one_piece_less_is_refused(piece: str) -> None:
    spaces = "KK,RR,BB,YY,GG,KR,K,R,B,Y"
    bag = "2<K,2<R,3<B,3<Y,3<G,3K>,3R>,2B>,2Y>,3G>,21K,21R,22B,22Y,22G"
    assert Position(f"2p supply={spaces} bag={bag}").state.bag.sum() == 134
    counts = read_pieces(bag.split(","))
    counts[KIND_TEXTS.index(piece)] -= 1
    fewer = write_pieces(counts)
    assert refused(f"2p supply={spaces} bag={fewer}") == ("C2",)


def test_C2_three_bags_heads_tails_and_bodies() -> None:
    """A space is filled from the bag of its own kind."""
    table = Position("2p supply=KK,-,-,-,-,-,K,-,-,-")
    before = Counter(dict(zip(KIND_TEXTS, table.state.bag.tolist(), strict=True)))
    table.do("take b1")
    after = Counter(dict(zip(KIND_TEXTS, table.state.bag.tolist(), strict=True)))
    drawn = before - after
    assert sum(n for piece, n in drawn.items() if piece.startswith("<")) == 1
    assert sum(n for piece, n in drawn.items() if piece.endswith(">")) == 2
    assert sum(n for piece, n in drawn.items() if len(piece) == 1) == 12


# ---------------------------------------------------------------- C3


def test_C3_54_prophecy_and_15_temple_cards() -> None:
    table = Position.new(2)
    hands = sum(table.player(seat).n_hand for seat in (1, 2))
    assert table.state.n_deck + hands + 6 == 54
    assert table.state.pile_size.sum() + 2 == 15


def test_C3_promo_adds_6_prophecy_and_5_temple_cards() -> None:
    table = Position.new(2, promo=True)
    hands = sum(table.player(seat).n_hand for seat in (1, 2))
    assert table.state.n_deck + hands + 6 == 60
    assert table.state.pile_size.sum() + 2 == 20


@pytest.mark.parametrize("hand", ["YG,YG", "!YY!,!YY!", "{R},{R},{R}"])
def test_C3_a_55th_card_is_refused(hand: str) -> None:
    assert refused(f"2p | hand={hand}") == ("C3",)


def test_C3_only_red_cards_exist_twice() -> None:
    for colour in "YRKGB":
        hand = f"{{{colour}}},{{{colour}}}"
        assert Position(f"2p | hand={hand}").seat(1, "hand") == hand


def test_C3_a_16th_temple_card_is_refused() -> None:
    assert refused("2p | temples=noY/7 | temples=noY/7") == ("C3",)


def test_C3_promo_cards_only_with_the_promo_pack() -> None:
    assert refused("2p | hand={YYGGR}") == ("C3",)
    assert refused("2p | temples=nored/Y=K") == ("C3",)
    table = Position("2p promo | hand={YYGGR} temples=nored/Y=K")
    assert table.seat(1, "hand") == "{YYGGR}"


def test_C3_promo_cards_exist_once() -> None:
    assert refused("2p promo | hand={YYGGR},{YYGGR}") == ("C3",)


# ---------------------------------------------------------------- C4


@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_C4_six_body_spaces_of_two_two_heads_two_tails(players: int) -> None:
    spaces = supply(Position.new(players))
    assert [len(space) for space in spaces] == [2] * 6 + [1] * 4
    assert set("".join(spaces)) <= set("KRBYG")


def test_C4_what_the_spaces_hold() -> None:
    position = "4p supply=KR,BB,KG,RB,YG,KR,B,Y,G,K"
    moves = ["take b2", "take h1", "take t1", "take h2"]
    table = Position(position).do(*moves)
    assert [table.seat(seat, "board") for seat in (1, 2, 3, 4)] == ["2B", "<B", "G>", "<Y"]


def test_C4_a_space_is_filled_with_what_it_holds() -> None:
    table = Position("2p supply=BB,-,-,-,-,-,Y,-,-,-")
    table.will_draw("K K R R G G Y Y K R B G <R B> G>").do("take b1")
    assert table.draws_fitted
    assert supply(table) == ["KK", "RR", "GG", "YY", "KR", "BG", "Y", "R", "B", "G"]


@pytest.mark.parametrize(
    "spaces",
    [
        "K,BY,KG,RB,YG,KR,B,Y,G,K",
        "KRB,BY,KG,RB,YG,KR,B,Y,G,K",
        "KR,BY,KG,RB,YG,K,B,Y,G,K",
        "KR,BY,KG,RB,YG,KR,BB,Y,G,K",
        "KR,BY,KG,RB,YG,KR,B,Y,G,KK",
    ],
)
def test_C4_a_space_with_more_or_less_is_refused(spaces: str) -> None:
    assert refused(f"2p supply={spaces}") == ("C4",)


def test_C4_there_are_ten_spaces() -> None:
    table = Position("2p")
    assert [move for move in table.legal if move.startswith("take")] == [
        *(f"take b{n}" for n in range(1, 7)),
        *("take h1", "take h2", "take t1", "take t2"),
    ]
    with pytest.raises(NotationError, match="10"):
        Position("2p supply=KR,BY,KG,RB,YG,KR,B,Y,G,K,K")


# ---------------------------------------------------------------- C5


def test_C5_eight_spaces_one_piece_a_space() -> None:
    assert Position("2p | board=<K,7R").player(1).n_pieces == 8
    assert refused("2p | board=<K,8R") == ("C5",)


def test_C5_four_player_boards() -> None:
    table = Position("4p | board=8K | board=8R | board=8B | board=8Y")
    assert [table.player(seat).n_pieces for seat in (1, 2, 3, 4)] == [8, 8, 8, 8]
    with pytest.raises(NotationError, match="5p"):
        Position("5p")


def test_C5_three_tokens_a_player_one_of_each_kind() -> None:
    table = Position("4p tokens")
    for seat in (1, 2, 3, 4):
        assert table.player(seat).tokens.tolist() == [1, 1, 1]


def test_C5_each_player_has_tokens_of_his_own() -> None:
    table = Position("2p tokens").do("token pick KK")
    assert table.seat(1, "tokens") == "future,priest"
    assert table.seat(2, "tokens") is None
    table.do("token pick KK")
    assert table.seat(2, "tokens") == "future,priest"


@pytest.mark.parametrize(
    ("token", "move", "clause"),
    [
        ("pick", "token pick KK", "K1"),
        ("pick", "token pick <K", "K1"),
        ("pick", "token pick K>", "K1"),
        ("future", "token future", "K2"),
        ("priest", "token priest 1", "K3"),
    ],
)
def test_C5_one_of_a_kind_is_used_once(token: str, move: str, clause: str) -> None:
    others = ",".join(name for name in ("pick", "future", "priest") if name != token)
    assert Position(f"2p tokens | tokens={token}").may(move)
    table = Position(f"2p tokens | tokens={others}")
    used = Position("2p tokens").do(move)
    assert used.seat(1, "tokens") == others
    assert not table.may(move)
    assert table.why(move) == clause


def test_C5_no_two_tokens_of_one_kind() -> None:
    """A position that names a kind twice is refused, not read as one."""
    with pytest.raises((PositionError, NotationError), match="pick"):
        parse_position("2p tokens | tokens=pick,pick")
