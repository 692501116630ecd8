"""Positions as text: what cannot be is refused with its clause; what can be is read and written."""

from __future__ import annotations

import re
from collections import Counter
from random import Random

import pytest

from coatl.errors import NotationError, PositionError
from coatl.notation import format_position, parse_position, problems
from coatl.notation.fields import Fields
from coatl.rules import state as st
from coatl.rules.cards import prophecies, standard_deck, temples
from coatl.rules.pieces import KIND_TEXTS
from coatl.rules.state import StateRecord

ROW = "YG,RK,YB,GB,KG,YK"
THREE = "coatl=<KKK>:{K} coatl=<RRR>:{R} coatl=<BBB>:{B}"


def all_but(*names: str) -> str:
    """The 54 Prophecy cards without those named, as a list."""
    left = Counter({card.name: card.copies for card in prophecies()})
    left.subtract(name for text in names for name in text.split(",") if name != "-")
    return ",".join(left.elements())


def read(text: str) -> StateRecord:
    return parse_position(text)[0]


def written(text: str) -> str:
    return format_position(read(text))


def in_bag(state: StateRecord, piece: str) -> int:
    return int(state.bag[KIND_TEXTS.index(piece)])


# ---------------------------------------------------------------- impossible positions

IMPOSSIBLE = [
    # the options
    ("4p fewer", "R22"),
    ("solo fewer", "R22"),
    ("solo tokens | tokens=-", "D1"),
    ("2p levels=1", "D10"),
    # the turn
    ("2p seat=3", "S2"),
    ("2p seat=0", "S2"),
    ("solo seat=2", "S2"),
    ("2p phase=adam", "D2"),
    ("2p phase=fulfil", "A9"),
    ("2p phase=fulfil pending=1 | coatl=<RRR:{R}", "A9"),
    ("2p phase=temple pending=2 | coatl=<RRR>:{R}", "A9"),
    ("2p pending=1 | coatl=<RRR>:{R}", "A9"),
    ("2p phase=temple pending=1 | coatl=<KRK>", "A9"),
    (f"2p end=third trigger=1 seat=2 actions=3 | {THREE}", "E2"),
    ("2p actions=2", "E2"),
    ("2p actions=0", "T0"),
    ("2p second", "R14"),
    (f"2p end=third trigger=1 seat=2 actions=2 second | {THREE}", "R14"),
    ("2p tokens phase=future", "K2"),
    # the pieces
    ("2p | board=4<K", "C2"),
    ("2p | board=8K coatl=KKKKKKKKKKKKKKKKK", "C2"),
    ("2p | coatl=<K coatl=<K | coatl=<K coatl=<K", "C2"),
    ("2p | coatl=K> coatl=K> | coatl=K> coatl=K>", "C2"),
    ("2p supply=KR,BY,KG,RB,YG,KR,B,B,G,K | board=2<B", "C2"),
    ("2p supply=KR,BY,KG,RB,YG,KR,B,Y,G,G | board=2G>", "C2"),
    ("solo phase=adam | board=3<K | step=place holding=<K cards=KKK", "C2"),
    ("solo | board=3<K | cards=KKK(<K)", "C2"),
    ("solo gone=<K | board=3<K", "C2"),
    (f"2p | coatl={'K' * 123}", "C2"),
    ("2p gone=K", "R15"),
    # the Prophecy cards
    ("2p | hand=YG | hand=YG", "C3"),
    ("2p row=YG,YG,{Y},{R},{K},{G}", "C3"),
    ("2p discard=YG | hand=YG", "C3"),
    ("2p discard=YG | buried=YG", "C3"),
    ("2p | hand=KKK coatl=KKK:KKK", "C3"),
    ("solo | hand=KKK | cards=KKK", "C3"),
    ("solo | hand=KKK | fulfilled=KKK", "C3"),
    (f"2p row={ROW} deck={all_but(ROW, 'KKK')}", "C3"),
    ("2p | hand={YYGGR}", "C3"),
    ("2p promo | hand={YYGGR} | hand={YYGGR}", "C3"),
    # the Temple cards
    ("2p | temples=noY/7 | temples=noY/7", "C3"),
    ("2p | temples=noY/7 coatl=<RRR>:{R},noY/7", "C3"),
    ("2p piles=noY/7,noY/7", "C3"),
    ("2p | temples=noblack/11", "C3"),
    ("2p piles=noY/7:0,noK/8:15", "S3"),
    ("2p piles=noY/7:8,noK/8:6", "S3"),
    ("2p piles=-,-", "S3"),
    # the seats
    ("2p | board=9K", "C5"),
    ("2p | tokens=pick", "S6"),
    ("2p | coatl=K coatl=K coatl=K", "A1"),
    (f"2p end=third trigger=1 | {THREE} coatl=K", "A1"),
    ("2p | hand=YG,RK,YB,GB,KG,YK", "P2"),
    ("2p | hand=YG,RK,YB,GB,KG,YK,RB", "P2"),
    ("4p phase=setup | | | | hand=YG,RK,YB,GB,KG,YK,RB", "P2"),
    ("2p phase=setup | hand=YG,RK,YB,GB", "S5"),
    ("2p phase=setup | | hand=YG,RK,YB,GB,KG", "S5"),
    ("3p phase=setup | | | hand=YG,RK,YB,GB,KG,YK", "S5"),
    ("solo phase=setup | hand=YG,RK,YB,GB,KG,YK", "S5"),
    ("3p phase=setup seat=3 | | hand=YG,RK,YB,GB", "S5"),  # seat 2 has discarded already
    ("4p | | | | buried=YG,RK,YB,GB,KG,YK,RB", "S5"),
    ("solo levels=2 | hand=YG,RK,YB,GB,KG", "D10"),
    ("solo | temples=noY/7", "R23"),
    ("2p | temples=noY/7,noK/8,noG/9", "K3"),
    ("2p tokens | temples=noK/8,noG/9 | ", "K3"),  # the token that brought one is not used
    ("2p reshuffled | hand=YG,RK^ old=2", "H1"),
    # a Cóatl
    ("2p | coatl=KKK:{K},{K}", "A6"),
    ("2p | coatl=KKK:{K},{R},{B},{Y},{G}", "A6"),
    ("2p | coatl=<KK>:!KK!", "A7"),
    ("2p | coatl=<K>", "A7"),
    ("2p | coatl=<KRK>", "A7"),
    ("2p | coatl=<KRR>:RRR", "A3"),
    ("2p | coatl=KRR:RRR", "A3"),
    ("2p phase=fulfil pending=1 | coatl=<KRR>:RRR", "A3"),
    ("2p | coatl=KRKR:!RR!", "A3"),
    ("2p | coatl=RRKR:KKK,{R}", "A3"),
    ("2p promo | coatl=YYGG:{YYGGR}", "A3"),
    ("2p | coatl=<KKK:{K},noY/7", "A9"),
    ("2p | coatl=<KKK>:{K},noY/7,noB/10", "A9"),
    ("2p | coatl=<<KR", "A4"),
    ("2p | coatl=KR>>", "A4"),
    ("2p | coatl=K<R", "A4"),
    ("2p | coatl=K>R", "A4"),
    ("solo levels=3 | coatl=<KKKRRR:{K},{R}", "D10"),
    ("solo levels=4 | coatl=<RKKK>:{K},KKK,RK", "D10"),
    ("solo levels=1 | coatl=<KKK>:{K}", "D10"),
    # A.D.A.M.
    ("solo | | cards=YG,RK,YB,GB", "D2"),
    ("solo levels=5 | | cards=YG,RK,YB,GB,KG", "D2"),
    ("solo | | cards=YG(4Y)", "D5"),
    ("solo | | cards=YG(<Y,Y>,2Y)", "D5"),
    ("solo | | cards=YG(K)", "D5"),
    ("solo phase=adam | | cards=YG looking=2", "D4"),
    ("solo phase=adam | | cards=YG step=grab", "D4"),
    ("solo phase=adam supply=-,BY,KG,RB,YG,KR,B,Y,G,K | | cards=YG step=grab space=b1", "D4"),
    ("solo phase=adam | | cards=YG step=place", "D5"),
    ("solo phase=adam | | cards=YG step=complete holding=Y", "D5"),
    # the Supply board
    ("2p supply=K,BY,KG,RB,YG,KR,B,Y,G,K", "C4"),
    ("2p supply=KR,BY,KG,RB,YG,KR,B,YY,G,K", "C4"),
    ("2p supply=KW,BY,KG,RB,YG,KR,B,Y,G,K", "C4"),
    ("2p supply=-,-,-,-,-,-,B,Y,G,K", "T3"),
    ("2p supply=KR,BY,KG,RB,YG,KR,-,-,-,-", "T3"),
    # the end
    (f"2p | {THREE}", "A11"),
    ("2p phase=over", "E1"),
    ("2p end=third trigger=1", "E2"),
    (f"2p end=third trigger=2 | {THREE}", "E2"),
    (f"2p end=third | {THREE}", "E2"),
    (f"2p end=third trigger=3 | {THREE}", "E2"),
    ("2p trigger=1", "E2"),
    ("2p end=passed", "R5"),
    ("2p passes=2", "R5"),
    ("4p passes=4", "R5"),
]


@pytest.mark.parametrize(("text", "clause"), IMPOSSIBLE, ids=[text for text, _ in IMPOSSIBLE])
def test_an_impossible_position_is_refused_with_the_clause_it_breaks(
    text: str, clause: str
) -> None:
    with pytest.raises(PositionError) as caught:
        parse_position(text)
    assert set(caught.value.clauses) == {clause}
    assert f"({clause})" in str(caught.value)


POSSIBLE = [
    "2p fewer",
    "3p fewer",
    "solo levels=12345",
    "4p seat=4",
    "solo phase=adam | | cards=YG",
    "2p phase=fulfil pending=1 | coatl=<KRK>",
    "2p phase=temple pending=1 | coatl=<RRR>:{R}",
    f"2p end=third trigger=1 seat=2 actions=2 | {THREE}",
    f"2p end=third trigger=1 seat=2 second | {THREE}",
    f"2p phase=over end=third trigger=1 | {THREE}",
    "2p tokens phase=future | tokens=pick,priest",
    "2p | board=3<K,5K",
    f"2p | coatl={'K' * 24} | coatl={'R' * 24}",
    "solo gone=K,2<R",
    "2p | hand={K},{K}",
    "2p piles=noY/7:1,noK/8:14",
    "2p piles=-,noK/8:15",
    "2p tokens | tokens=-",
    f"2p end=third trigger=1 | {THREE} | coatl=K coatl=K coatl=<GGG>:GGG",
    "4p phase=setup | hand=YG,RK,YB | hand=GB,KG,YK,RB | hand=YYY,RRR,KKK,GGG,BBB"
    " | hand={Y},{R},{K},{G},{B},{Y}",
    "solo phase=setup | hand=YG,RK,YB,GB,KG",
    "solo levels=2 | hand=YG,RK,YB,GB",
    "solo levels=1345 | hand=YG,RK,YB,GB,KG",
    "2p | temples=noY/7,noK/8^",
    "2p reshuffled | hand=YG,RK^ old=1",
    "2p | coatl=KKKRRRBBBYYY:{K},{R},{B},{Y}",
    "2p | coatl=KKK:{K} coatl=KKK:{K}",
    "2p | coatl=KRRRK:!RR!",  # R2: laid when there were two
    "2p promo | coatl=YRGYKG:{YYGGR}",
    "2p | coatl=<KKK>:{K},noY/7",
    "solo levels=134 | coatl=<RKKKGGG>:{K},!KK!,RK,KKGGG,noY/7",
    "solo levels=5 | | cards=YG,RK,YB,GB",
    "solo | | cards=YG(<Y,Y>,Y,3G)",
    "solo phase=adam | | step=grab space=b1 cards=YG",
    "solo phase=adam | | step=place holding=2Y cards=YG",
    "2p supply=-,-,-,-,-,KK,-,-,-,K",
    "2p phase=over end=passed passes=2",
    "2p passes=1",
    "4p passes=3",
]


@pytest.mark.parametrize("text", POSSIBLE)
def test_what_just_fits_the_rules_is_read(text: str) -> None:
    assert problems(read(text), standard_deck()) == []


MORE_IMPOSSIBLE = [
    ("2p end=bodies left=2", ("E3", "T5")),
    (
        f"2p fewer supply=-,-,-,-,-,-,B,Y,G,K | coatl={''.join(c * 14 for c in 'KRBYG')}",
        ("E3", "T5"),
    ),
    ("2p phase=setup seat=2 | hand=YG,RK,YB,GB", ("S5",)),
    ("solo phase=adam | | cards=YG looking=0", ("D4",)),
    ("2p recycled=YG", ("R3", "H1")),
]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("", "end=third needs trigger="),
        (" trigger=2", "seat 2 triggered the end without three complete Cóatl"),
        (" trigger=3", "seat 3 of 2"),
    ],
)
def test_E2_who_triggered_the_end_is_said(words: str, message: str) -> None:
    with pytest.raises(PositionError, match=message):
        parse_position(f"2p end=third{words} | {THREE}")


@pytest.mark.parametrize(("text", "clauses"), MORE_IMPOSSIBLE, ids=str)
def test_a_position_no_game_can_reach_is_refused(text: str, clauses: tuple[str, ...]) -> None:
    """Body segments and the end (E3), what is kept at setup, the first card, the reshuffle."""
    with pytest.raises(PositionError) as caught:
        parse_position(text)
    assert set(caught.value.clauses) & set(clauses)


def test_every_problem_is_reported() -> None:
    with pytest.raises(PositionError) as caught:
        parse_position("2p levels=1 actions=2 | board=9K hand=YG,YG,YG tokens=pick | board=4<R")
    assert caught.value.clauses == ("D10", "E2", "C2", "C3", "C5", "S6")
    assert len(str(caught.value).split("; ")) == 6


def test_adam_has_nothing_in_a_game_of_two() -> None:
    """No text says so: a seat's section is a player's. `problems` looks at it all the same."""
    deck = standard_deck()
    state = read("2p supply=KR,BY,KG,RB,YG,KR,B,Y,G,K")
    state.adam.n_cards = 1
    state.row[0], state.adam.cards[0] = st.NONE, state.row[0]
    assert [problem.clause for problem in problems(state, deck)] == ["D2"]
    state = read("2p")
    state.row[0], card = st.NONE, int(state.row[0])
    state.adam.fulfilled[card] = 1
    assert [problem.clause for problem in problems(state, deck)] == ["D2"]
    state = read("2p")
    state.bag[0] -= 1
    state.adam.holding[0] = 1
    assert [problem.clause for problem in problems(state, deck)] == ["D2"]


# ---------------------------------------------------------------- texts that cannot be read

UNREADABLE = [
    ("2p 3p", "2p and 3p"),
    ("solo 4p", "4p and solo"),
    ("5p", "'5p'"),
    ("2p 2p", "'2p'"),
    ("2p nonsense", "'nonsense'"),
    ("2p colour=K", "'colour='"),
    ("2p board=K", "'board='"),
    ("2p | row=YG", "'row='"),
    ("2p | second", "'second'"),
    ("2p | | cards=YG", "'cards='"),
    ("solo | | hand=YG", "'hand='"),
    ("2p | | |", "3 sections"),
    ("solo | | |", "3 sections"),
    ("2p seat=1 seat=2", "seat="),
    ("2p | hand=YG hand=RK", "hand="),
    ("2p seat=one", "'one'"),
    ("2p seat=", "seat="),
    ("2p seat=-1", "'-1'"),
    ("2p seat=128", "'128'"),
    ("2p pending=x", "pending="),
    ("2p picked=x", "picked="),
    ("2p actions=x", "actions="),
    ("2p passes=x", "passes="),
    ("2p trigger=x", "trigger="),
    ("2p left=x", "left="),
    ("2p | old=x", "old="),
    ("solo | | looking=x", "looking="),
    ("2p phase=sleep", "'sleep'"),
    ("2p end=never", "'never'"),
    ("solo | | step=jump", "'jump'"),
    ("solo | | space=b7", "'b7'"),
    ("solo levels=6", "'6'"),
    ("solo levels=x", "levels="),
    ("2p supply=KR", "supply="),
    ("2p row=YG", "row="),
    ("2p piles=noY/7", "piles="),
    ("2p piles=noY/7,noK/8,noG/9", "piles="),
    ("2p piles=noY/7:x,noK/8:7", "'noY/7:x'"),
    ("2p | board=<W", "'<W'"),
    ("2p | board=<K>", "'<K>'"),
    ("2p | board=K2", "'K2'"),
    ("2p | board=2", "'2'"),
    ("2p | board=K,,R", "''"),
    ("2p | board=128K", "'128K'"),
    ("2p | board=100K,100K", "'100K'"),
    ("2p bag=<W", "'<W'"),
    ("2p gone=<W", "'<W'"),
    ("solo | | holding=<W", "'<W'"),
    ("2p | hand=XYZ", "'XYZ'"),
    ("2p | hand=YG^^", "'YG^'"),
    ("2p | hand=noY/7", "'noY/7'"),
    ("2p row=XYZ,-,-,-,-,-", "'XYZ'"),
    ("2p deck=XYZ", "'XYZ'"),
    ("2p discard=XYZ", "'XYZ'"),
    ("2p reshuffled recycled=XYZ", "'XYZ'"),
    ("2p | buried=XYZ", "'XYZ'"),
    ("solo | | cards=XYZ", "'XYZ'"),
    ("solo | | cards=YG(W)", "'W'"),
    ("solo | | fulfilled=XYZ", "'XYZ'"),
    ("2p | temples=XYZ", "'XYZ'"),
    ("2p piles=XYZ,noK/8", "'XYZ'"),
    ("2p pool=XYZ", "'XYZ'"),
    ("2p tokens | tokens=lunch", "'lunch'"),
    ("2p | coatl=", "''"),
    ("2p | coatl=<", "'<'"),
    ("2p | coatl=:{K}", "':{K}'"),
    ("2p | coatl=KWR", "'KWR'"),
    ("2p | coatl=KRK:XYZ", "'XYZ'"),
]


@pytest.mark.parametrize(("text", "word"), UNREADABLE, ids=[text for text, _ in UNREADABLE])
def test_an_unreadable_text_raises_an_error_that_names_the_word(text: str, word: str) -> None:
    with pytest.raises(NotationError, match=re.escape(word)):
        parse_position(text)


@pytest.mark.parametrize("turn", ["x", "", "-1", "1.5", "99999"])
def test_an_unreadable_number_of_turns_is_refused(turn: str) -> None:
    with pytest.raises(NotationError, match="turn="):
        parse_position(f"2p turn={turn}")


@pytest.mark.parametrize(
    "text",
    [
        "2p piles=noY/7:300,noK/8:7",
        f"2p discard={','.join(['YG', 'RK'] * 100)}",
        f"2p pool={','.join(['noY/7', 'noK/8'] * 100)}",
        f"solo | | fulfilled={','.join(['YG'] * 200)}",
        f"2p | board={'9' * 5000}K",
    ],
    ids=["pile", "discard", "pool", "fulfilled", "pieces"],
)
def test_numbers_that_no_field_holds_are_refused(text: str) -> None:
    with pytest.raises((NotationError, PositionError)):
        parse_position(text)


# ---------------------------------------------------------------- defaults


def test_the_empty_text_is_a_game_of_two_at_its_first_turn() -> None:
    state = read("")
    assert int(state.n_players) == 2
    assert (int(state.current), st.PHASES[state.phase], int(state.turn)) == (0, "main", 1)
    assert (int(state.actions_left), int(state.pending), int(state.trigger)) == (1, -1, -1)
    assert parse_position("").tobytes() == parse_position("2p").tobytes()


@pytest.mark.parametrize(
    ("text", "picked", "actions", "turn"),
    [
        ("2p phase=setup", 0, 1, 0),
        ("2p phase=main", 0, 1, 1),
        ("2p phase=pick", 1, 1, 1),
        ("2p phase=assemble", 0, 1, 1),
        ("solo phase=adam | | cards=YG", 0, 0, 1),
        ("2p phase=over end=passed", 0, 0, 1),
    ],
)
def test_defaults_of_the_turn(text: str, picked: int, actions: int, turn: int) -> None:
    state = read(text)
    assert (int(state.picked), int(state.actions_left), int(state.turn)) == (picked, actions, turn)


def test_pieces_not_mentioned_are_on_the_supply_board_and_in_the_bags() -> None:
    text = "solo gone=2K | board=<K,3R,K> coatl=<KRB>:RB | cards=KKK(2K)"
    state = read(text)
    assert format_position(state).split("supply=")[1].split()[0] == "KR,BY,KG,RB,YG,KR,B,Y,G,K"
    assert in_bag(state, "<K") == 3 - 2
    assert in_bag(state, "<B") == 3 - 1
    assert in_bag(state, "K>") == 3 - 1 - 1
    assert in_bag(state, "B>") == 3 - 1
    assert in_bag(state, "K") == 16 - 2 - 2 - 3
    assert in_bag(state, "R") == 16 - 3 - 1 - 3


@pytest.mark.parametrize(
    ("options", "bodies"),
    [("2p", 24), ("4p", 24), ("2p fewer", 14), ("3p fewer", 18), ("solo", 16)],
)
def test_the_bags_hold_the_pieces_of_the_chosen_game(options: str, bodies: int) -> None:
    """C2, D1, R22"""
    state = read(f"{options} supply=KK,RR,BB,YY,GG,KR,K,R,B,Y")
    assert [in_bag(state, colour) for colour in "KRBYG"] == [bodies - 3] * 2 + [bodies - 2] * 3
    assert [in_bag(state, f"<{colour}") for colour in "KRBYG"] == [2, 2, 3, 3, 3]
    assert [in_bag(state, f"{colour}>") for colour in "KRBYG"] == [3, 3, 2, 2, 3]


def test_a_bag_that_is_given_fills_the_supply_board() -> None:
    coatls = f"coatl={'R' * 24 + 'B' * 24 + 'Y' * 24} | coatl={'G' * 24 + 'K' * 20}"
    text = f"2p bag=3<K,3<R,3<B,3<Y,3<G,3K>,3R>,3B>,3Y>,3G>,4K | {coatls}"
    state = read(text)
    assert written(text).split("supply=")[1].split()[0].startswith("KK,KK,-,-,-,-,")
    assert in_bag(state, "K") == 0
    assert int(state.bag[:10].sum()) == 30 - 4


def test_a_body_space_is_not_half_filled_by_default() -> None:
    coatls = f"coatl={'R' * 24 + 'B' * 24 + 'Y' * 24} | coatl={'G' * 24 + 'K' * 21}"
    text = f"2p | {coatls}"
    assert written(text).split("supply=")[1].startswith("KK,-,-,-,-,-,")
    assert in_bag(read(text), "K") == 1


def test_prophecy_cards_not_mentioned_are_in_the_row_and_the_deck() -> None:
    state = read("2p discard={Y} | hand={Y},{K} buried={G} coatl=KKK:{K}")
    names = [card.name for card in standard_deck().prophecies]
    assert [names[card] for card in state.row] == ["{R}", "{G}", "{B}", "!YY!", "!RR!", "!KK!"]
    assert int(state.n_deck) == 54 - 6 - 5
    assert int(state.n_discard) == 2
    assert int(state.deck.sum()) == int(state.n_deck)
    assert int(state.deck[names.index("{R}")]) == 1
    assert int(state.deck[names.index("{K}")]) == 0


def test_with_the_promo_pack_there_are_60_and_20_cards() -> None:
    state = read("2p promo")
    assert int(state.n_deck) + 6 == len(prophecies(promo=True)) + 5 == 60
    assert int(state.pile_size.sum()) == len(temples(promo=True)) == 20


def test_a_row_that_is_given_leaves_the_rest_in_the_deck() -> None:
    state = read("2p row=KKK,-,-,{Y},-,YG")
    assert int(state.n_deck) == 54 - 3
    assert "row=KKK,-,-,{Y},-,YG" in format_position(state)


def test_a_deck_that_is_given_fills_the_row() -> None:
    state = read(f"2p deck=KKK,YG,{{Y}},{{Y}} discard={all_but('KKK,YG,{Y},{Y}')}")
    assert "row={Y},KKK,YG,-,-,-" in format_position(state)
    assert int(state.n_deck) == 1


@pytest.mark.parametrize(
    ("text", "piles"),
    [
        ("2p", "noY/7:8,noK/8:7"),
        ("2p | temples=noY/7 | temples=noG/9", "noK/8:7,noB/10:6"),
        ("2p | coatl=<KKK>:{K},noY/7", "noK/8:7,noG/9:7"),
        ("2p piles=R=G/6,noY/7", "R=G/6:8,noY/7:7"),
        ("2p piles=-,noY/7", "-,noY/7:15"),
        ("2p piles=R=G/6:2,noY/7:13", "R=G/6:2,noY/7:13"),
    ],
)
def test_temple_cards_not_mentioned_are_in_two_equal_piles(text: str, piles: str) -> None:
    state = read(text)
    assert f"piles={piles}" in format_position(state)
    assert int(state.n_pool) == int(state.pool.sum())
    tops = sum(1 for top in state.pile_top if top != st.NONE)
    assert int(state.pile_size.sum()) == int(state.n_pool) + tops


def test_everyone_has_all_tokens_unless_said_otherwise() -> None:
    state = read("3p tokens | tokens=priest | tokens=- |")
    assert [state.players[seat].tokens.tolist() for seat in range(3)] == [
        [0, 0, 1],
        [0, 0, 0],
        [1, 1, 1],
    ]


def test_a_coatl_with_head_and_tail_is_complete_unless_it_is_pending() -> None:
    text = "2p phase=fulfil pending=1 | coatl=<KRK> coatl=<RRR>:{R} | coatl=<BBB>:{B}"
    state = read(text)
    assert [int(state.players[0].coatls[i].complete) for i in range(2)] == [0, 1]
    assert [int(state.players[seat].n_complete) for seat in range(2)] == [1, 1]


# ---------------------------------------------------------------- any order


def test_words_stand_in_any_order() -> None:
    table = f"2p tokens seat=2 phase=assemble turn=9 row={ROW} discard=KKK piles=noG/9,R=G/6"
    seat = "board=<K,2R hand={R},RRR^ old=1 temples=noY/7 tokens=priest coatl=KKK:{K}"
    expected = parse_position(f"{table} | {seat} |").tobytes()
    random = Random("any order")
    for _ in range(20):
        tables, seats = table.split(), seat.split()
        random.shuffle(tables)
        random.shuffle(seats)
        text = f"{' '.join(tables)}|{'  '.join(seats)}|"
        assert parse_position(text).tobytes() == expected


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("2p | hand=YG,{Y},KKK^", "2p | hand=KKK^,YG,{Y}"),
        ("2p | hand={Y},{Y}^", "2p | hand={Y}^,{Y}"),
        ("2p | board=<K,2R,G>", "2p | board=R,G>,<K,R"),
        ("2p | temples=noK/8^,noY/7", "2p | temples=noY/7,noK/8^"),
        ("2p | buried=YG,RK", "2p | buried=RK,YG"),
        ("2p | coatl=<RKKK>:{K},RK,noY/7", "2p | coatl=<RKKK>:noY/7,RK,{K}"),
        ("2p discard={Y},RK,{Y}", "2p discard={Y},{Y},RK"),
        ("2p tokens | tokens=pick,future", "2p tokens | tokens=future,pick"),
        ("solo levels=235", "solo levels=532"),
        ("2p supply=RK,BY,KG,RB,YG,KR,B,Y,G,K", "2p supply=KR,YB,GK,BR,GY,RK,B,Y,G,K"),
    ],
)
def test_lists_whose_order_means_nothing_are_sorted(one: str, other: str) -> None:
    assert parse_position(one).tobytes() == parse_position(other).tobytes()


def test_orders_that_mean_something_are_kept() -> None:
    for one, other in (
        ("2p row=YG,RK,-,-,-,-", "2p row=RK,YG,-,-,-,-"),
        ("2p | coatl=KR coatl=RK", "2p | coatl=RK coatl=KR"),
        ("solo | | cards=YG,RK", "solo | | cards=RK,YG"),
        ("2p piles=noY/7,noK/8:7", "2p piles=noK/8,noY/7:7"),
    ):
        assert parse_position(one).tobytes() != parse_position(other).tobytes()


# ---------------------------------------------------------------- round trip

SUPPLY = "supply=KR,BY,KG,RB,YG,KR,B,Y,G,K"
PILES = "piles=noY/7:8,noK/8:7"
REST = f"{SUPPLY} row={ROW} {PILES}"
NO_BODIES = "".join(colour * 14 for colour in "KRBYG")

# As they are written: reading and writing gives the same text again.
CANONICAL = [
    f"2p seat=1 phase=main {SUPPLY} row={{Y}},{{R}},{{K}},{{G}},{{B}},!YY! {PILES} |  |",
    f"4p tokens seat=2 phase=main turn=30 passes=3 {REST} |  |  |  |",
    "3p tokens promo fewer seat=2 phase=assemble turn=9 supply=KR,BY,-,-,YG,KR,-,Y,-,K"
    " row=YG,{Y},KKK,RRR,BBB,{YYGGR} discard={R},GGG piles=noblue/R=B/10:9,R=G/6:7"
    " | board=<K,R>,2R,G hand={Y}^,{R},{KKBBR} temples=noY/7 coatl=<RKKK:{K},RK coatl=GG>"
    " | temples=noK/8,noG/9^ buried=YB,GB tokens=pick,future coatl=<YKK>:!KK!,YK,noB/10"
    " | tokens=-",
    f"4p seat=3 phase=fulfil pending=2 {SUPPLY} row={ROW} reshuffled recycled={{Y}},BBB"
    f" discard=RRR {PILES} |  |  | hand={{Y}},{{Y}},KKK^ old=1 coatl=R coatl=<KRK> | buried=GGG",
    f"2p seat=2 phase=temple pending=1 {SUPPLY} row={ROW} piles=-,noK/8:15 |  | coatl=<KKK>:{{K}}",
    f"3p seat=2 phase=main trigger=1 left=1 second end=third {REST} | {THREE} |  |",
    f"3p seat=2 phase=pick picked=2 actions=2 trigger=1 left=1 end=third"
    f" {SUPPLY} row=YG,RK,-,GB,-,YK {PILES} | {THREE} |  |",
    f"2p fewer seat=1 phase=main turn=30 left=2 end=bodies supply=-,-,-,-,-,-,B,Y,G,K"
    f" row={ROW} {PILES} | coatl={NO_BODIES} |",
    f"2p tokens seat=1 phase=future {REST} | tokens=pick,priest |",
    f"2p seat=1 phase=over turn=300 passes=2 end=passed {REST} |  |",
    f"4p seat=4 phase=setup {REST} | hand=YYY,RRR,KKK | hand=GGG,BBB buried={{Y}},KBKB"
    " | hand=YRYR buried=RGRG,RRRGG,KKGGG,YYBBB | hand={Y},{R},{K},{G},{B},!YY!",
    "solo levels=25 seat=1 phase=adam turn=7 supply=KR,BY,-,-,YG,KR,-,Y,-,K gone=<G,2K"
    f" row={ROW} {PILES} | board=K hand=RRR | looking=3"
    " cards=KKK(<K,2K),{Y},YYY(Y>),RB fulfilled={R},{R},GGG",
    f"solo seat=1 phase=adam {REST} |  | step=grab looking=2 space=h2 cards=KKK,{{Y}},{{G}}",
    f"solo levels=134 seat=1 phase=adam {REST} |  | step=place space=t1 cards=KKK,{{Y}},{{G}}"
    " holding=<K,Y",
    f"solo seat=1 phase=adam {REST} |  | step=complete space=b2 cards=KKK(<K,K>,4K),{{Y}},{{G}}",
    f"solo seat=1 phase=adam {SUPPLY} row=YG,RK,YB,GB,KG,- {PILES}"
    " |  | step=refill space=b2 cards=KKK,{Y}",
    f"solo seat=1 phase=adam {SUPPLY} row=YG,RK,YB,GB,-,- {PILES}"
    " |  | step=finish cards=KKK,{Y},{G}",
]

# Fields that are read but never written: what they say follows from the rest.
DERIVED = [
    "2p supply=KK,RR,BB,YY,GG,KR,K,R,B,Y"
    " bag=2<K,2<R,3<B,3<Y,3<G,3K>,3R>,2B>,2Y>,3G>,21K,21R,22B,22Y,22G",
    f"2p row={ROW} deck={all_but(ROW, 'KKK')} | hand=KKK",
    "2p piles=noY/7:3,noK/8:12 pool="
    + ",".join(card.name for card in temples() if card.name not in ("noY/7", "noK/8")),
]

ROUND_TRIP = [*CANONICAL, *DERIVED, *POSSIBLE, ""]

FLAGS = {"2p", "3p", "4p", "solo", "tokens", "promo", "fewer", "second", "reshuffled"}
NAMES = {
    *(
        "levels",
        "seat",
        "phase",
        "pending",
        "picked",
        "actions",
        "passes",
        "end",
        "trigger",
        "left",
    ),
    *("turn", "supply", "gone", "bag", "row", "discard", "recycled", "deck", "piles", "pool"),
    *("board", "hand", "old", "temples", "buried", "tokens", "coatl"),
    *("step", "looking", "space", "holding", "fulfilled", "cards"),
}


@pytest.mark.parametrize("text", ROUND_TRIP)
def test_reading_writing_and_reading_gives_the_same_bytes(text: str) -> None:
    states = parse_position(text)
    again = parse_position(format_position(states[0]))
    assert again.tobytes() == states.tobytes()
    assert format_position(again[0]) == format_position(states[0])


@pytest.mark.parametrize("text", CANONICAL)
def test_what_is_written_is_what_was_read(text: str) -> None:
    assert written(text) == text


@pytest.mark.parametrize("text", DERIVED)
def test_what_follows_from_the_rest_changes_nothing(text: str) -> None:
    words = [word for word in text.split() if not word.startswith(("bag=", "deck=", "pool="))]
    assert parse_position(" ".join(words)).tobytes() == parse_position(text).tobytes()


def test_the_round_trip_has_every_word_of_the_notation() -> None:
    words = {word for text in (*CANONICAL, *DERIVED) for word in text.replace("|", " ").split()}
    assert {word for word in words if "=" not in word} == FLAGS
    assert {word.partition("=")[0] for word in words if "=" in word} == NAMES
    for name, values in (("phase", st.PHASES), ("step", st.ADAM_STEPS), ("end", st.ENDS)):
        defaults = {"look", "none"}
        assert {f"{name}={value}" for value in values if value not in defaults} <= words


def test_no_word_is_read_that_is_not_listed_here(monkeypatch: pytest.MonkeyPatch) -> None:
    flags, names = set(), {"coatl"}
    flag, value = Fields.flag, Fields.value

    def noted_flag(self: Fields, name: str) -> bool:
        flags.add(name)
        return flag(self, name)

    def noted_value(self: Fields, name: str) -> str | None:
        names.add(name)
        return value(self, name)

    monkeypatch.setattr(Fields, "flag", noted_flag)
    monkeypatch.setattr(Fields, "value", noted_value)
    for text in ("4p", "solo | |"):
        parse_position(text)
    assert flags == FLAGS
    assert names == NAMES
