"""Moves in words (`coatl.moves`): what is printed reads back, and a wrong text is told apart."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from random import Random

import pytest

from coatl.errors import NotationError
from coatl.moves import Move
from coatl.notation.moves import context_of, move_table, parse_decision
from coatl.rules import compiled, decisions
from coatl.rules.cards import Deck, standard_deck
from coatl.rules.pieces import BODY, KIND_TEXTS, SPACES
from coatl.rules.snapshot import Snapshot
from tests.position import Position

# First number of each kind of decision, in order.
KINDS = {
    "take": decisions.TAKE,
    "pick": decisions.PICK,
    "draw": decisions.DRAW,
    "begin": decisions.BEGIN,
    "add": decisions.ADD,
    "fulfil": decisions.FULFIL,
    "temple from hand": decisions.TEMPLE_FROM_HAND,
    "temple from pile": decisions.TEMPLE_FROM_PILE,
    "perfect end": decisions.PERFECT_END,
    "perfect pair": decisions.PERFECT_PAIR,
    "future": decisions.FUTURE_TOKEN,
    "priest": decisions.PRIEST,
    "discard": decisions.DISCARD,
    "done": decisions.DONE,
    "pass": decisions.PASS,
    "step": decisions.STEP,
}


def kind_of(decision: int) -> str:
    return [name for name, first in KINDS.items() if first <= decision][-1]


def text_of(table: Position, decision: int) -> str:
    return move_table(table.deck).move(decision, context_of(table.state)).text


def read(table: Position, text: str) -> int:
    return parse_decision(table.deck, context_of(table.state), text)


def legal_numbers(table: Position) -> list[int]:
    compiled.legal_decisions(table.cards, table.states, 0, table.choices)
    numbers: list[int] = table.choices[0].items[: table.choices[0].n].tolist()
    return numbers


# ------------------------------------------------------------------ printing

POSITIONS = {
    "usual": "2p tokens",
    "nothing face up": "2p row=-,-,-,-,-,- piles=-,noK/8",
    "promo": "3p promo seat=3",
    "solo": "solo | | cards=YG,RK,YB",
    "temple": "2p phase=temple pending=1 | temples=noY/7 coatl=<KRRRK>:{R} | ",
    "over": "2p phase=over end=passed",
}


@pytest.mark.parametrize("position", POSITIONS.values(), ids=POSITIONS.keys())
def test_every_decision_number_prints_in_every_position(position: str) -> None:
    table = Position(position)
    for decision in range(decisions.N_DECISIONS):
        text = text_of(table, decision)
        assert text
        assert text == " ".join(text.split())


@pytest.mark.parametrize("position", POSITIONS.values(), ids=POSITIONS.keys())
def test_what_does_not_depend_on_the_position_reads_back_legal_or_not(position: str) -> None:
    table = Position(position)
    cards = len(table.deck.prophecies)
    numbers = [
        *range(decisions.TAKE, decisions.PICK),
        *range(decisions.DRAW, decisions.FULFIL),
        *(decisions.fulfil(coatl, card) for coatl in range(3) for card in range(cards)),
        *range(decisions.PERFECT_END, decisions.DISCARD),
        *(decisions.discard(card) for card in range(cards)),
        *range(decisions.DONE, decisions.N_DECISIONS),
    ]
    texts = [text_of(table, decision) for decision in numbers]
    assert [read(table, text) for text in texts] == numbers
    assert len(set(texts)) == len(texts)


def test_no_two_kinds_of_decision_are_numbered_alike() -> None:
    firsts = list(KINDS.values())
    assert firsts == sorted(set(firsts))
    assert kind_of(0) == "take"
    assert kind_of(decisions.N_DECISIONS - 1) == "step"


def test_one_of_each_kind_as_the_notation_says() -> None:
    table = Position(
        "2p tokens row=YK+R,YG,RK,YB,GB,KG piles=noK/8,noG/9 phase=temple pending=1 "
        "| temples=noY/7 coatl=<KRRRK>:{R} | "
    )
    deck = table.deck
    card, temple = deck.prophecy_ids["KKK"], deck.temple_ids["noY/7"]
    head, tail, body = (KIND_TEXTS.index(text) for text in ("<K", "K>", "R"))
    expected = {
        decisions.take(SPACES.index("b3")): "take b3",
        decisions.take(SPACES.index("h2")): "take h2",
        decisions.take(SPACES.index("t1")): "take t1",
        decisions.pick(0): "pick YK+R",
        decisions.DRAW: "draw",
        decisions.begin(head): "new <K",
        decisions.begin(body): "new R",
        decisions.begin(tail): "new K>",
        decisions.add(0, head): "<K+1",
        decisions.add(1, body, left=True): "R+2",
        decisions.add(0, body): "1+R",
        decisions.add(2, tail): "3+K>",
        decisions.fulfil(0, card): "1:KKK",
        decisions.temple_from_hand(temple): "1:noY/7",
        decisions.temple_from_pile(0): "1:noK/8",
        decisions.temple_from_pile(1): "1:noG/9",
        decisions.perfect_pick(head): "token pick <K",
        decisions.perfect_pick(tail): "token pick K>",
        decisions.perfect_pick(BODY + 2, BODY + 4): "token pick BG",
        decisions.perfect_pick(BODY + 4, BODY + 2): "token pick BG",
        decisions.FUTURE_TOKEN: "token future",
        decisions.priest(0): "token priest 1",
        decisions.priest(1): "token priest 2",
        decisions.discard(card): "drop KKK",
        decisions.DONE: "done",
        decisions.PASS: "pass",
        decisions.STEP: "step",
    }
    assert {decision: text_of(table, decision) for decision in expected} == expected
    assert {decision: read(table, text) for decision, text in expected.items()} == {
        decision: decision for decision in expected
    }
    assert {kind_of(decision) for decision in expected} == set(KINDS)


# ------------------------------------------------------------------ legal moves of played games

GAMES: dict[str, Callable[[int], Position]] = {
    "2 players": lambda seed: Position.new(2, seed=seed),
    "2 players, fewer bodies, tokens": lambda seed: Position.new(
        2, fewer=True, tokens=True, seed=seed
    ),
    "3 players, tokens": lambda seed: Position.new(3, tokens=True, seed=seed),
    "4 players": lambda seed: Position.new(4, seed=seed),
    "4 players, tokens, promo": lambda seed: Position.new(4, tokens=True, promo=True, seed=seed),
    "solo": lambda seed: Position.new(1, seed=seed),
    "solo, promo, all levels": lambda seed: Position.new(1, promo=True, levels="12345", seed=seed),
    "solo, level 1": lambda seed: Position.new(1, levels="1", seed=seed),
}


def play_and_read(name: str, seed: int) -> Counter[str]:
    """Play a game at random; every legal decision of every position has to read back.

    From a snapshot it has to read as from the record. Returns how many decisions of each kind
    were legal on the way.
    """
    random = Random(f"moves {name} {seed}")
    table = GAMES[name](seed)
    kinds: Counter[str] = Counter()
    while not table.over:
        numbers = legal_numbers(table)
        texts = [text_of(table, decision) for decision in numbers]
        assert [read(table, text) for text in texts] == numbers, table.text
        assert len(set(texts)) == len(texts), table.text
        snapshot = Snapshot.of(table.states)
        assert [
            move_table(table.deck).move(number, context_of(snapshot)).text for number in numbers
        ] == texts
        assert [parse_decision(table.deck, context_of(snapshot), text) for text in texts] == numbers
        kinds.update(kind_of(decision) for decision in numbers)
        closing = [text for text in texts if text.endswith(">") and "+" in text]
        table.do(random.choice(closing or texts))
    return kinds


@cache
def played(name: str) -> Counter[str]:
    return play_and_read(name, 1) + play_and_read(name, 2)


@pytest.mark.parametrize("name", GAMES)
def test_every_legal_decision_of_played_games_reads_back(name: str) -> None:
    assert played(name).total() > 1000


def test_the_played_games_have_every_kind_of_decision_but_a_pass() -> None:
    """A pass needs a clogged board; `test_a_pass_reads_back` sets one up."""
    met = {kind for name in GAMES for kind in played(name)}
    assert met >= set(KINDS) - {"pass"}


def test_a_pass_reads_back() -> None:
    hand = "KKK,RRR,BBB,KBKB,{K}"
    table = Position(f"2p | board=3<K,3<R,2<B hand={hand} coatl=<YG coatl=<GY | ")
    assert legal_numbers(table) == [decisions.PASS]
    assert table.legal == ["pass"]
    assert read(table, "pass") == decisions.PASS


# ------------------------------------------------------------------ where a name is not enough


def test_a_card_that_lies_twice_is_named_with_its_place() -> None:
    table = Position("2p row=YG,{Y},RK,YB,{Y},KG")
    assert text_of(table, decisions.pick(1)) == "pick {Y}@2"
    assert text_of(table, decisions.pick(4)) == "pick {Y}@5"
    assert read(table, "pick {Y}@2") == decisions.pick(1)
    assert read(table, "pick {Y}@5") == decisions.pick(4)
    assert read(table, "pick {Y}") == decisions.pick(1)


def test_a_card_that_lies_once_may_be_named_with_its_place() -> None:
    table = Position("2p row=YG,{Y},RK,YB,GB,KG")
    assert text_of(table, decisions.pick(2)) == "pick RK"
    assert read(table, "pick RK@3") == decisions.pick(2)


def test_an_empty_place_of_the_row_prints_and_reads_back() -> None:
    table = Position("2p row=YG,-,RK,YB,-,KG")
    assert text_of(table, decisions.pick(1)) == "pick -@2"
    assert read(table, "pick -@2") == decisions.pick(1)
    assert table.why("pick -@5") == "P1"


@cache
def deck_with_equal_temples() -> Deck:
    """Three copies of noY/7."""
    deck = standard_deck()
    first, *others = deck.temples
    return Deck(deck.prophecies, (replace(first, copies=3), *others))


def equal_temples(temples: str, piles: str) -> Position:
    position = f"2p piles={piles} | board=K> {temples} coatl=<KRRR:{{R}} | "
    return Position(position, deck=deck_with_equal_temples()).do("1+K>")


def test_a_temple_card_on_both_piles_is_named_with_its_pile() -> None:
    table = equal_temples("", "noY/7,noY/7")
    assert table.legal == ["1:noY/7@1", "1:noY/7@2", "done"]
    assert read(table, "1:noY/7@1") == decisions.temple_from_pile(0)
    assert read(table, "1:noY/7@2") == decisions.temple_from_pile(1)
    assert read(table, "1:noY/7") == decisions.temple_from_pile(0)


@pytest.mark.parametrize(("piles", "pile"), [("noY/7,noR/11", 1), ("noR/11,noY/7", 2)])
def test_a_temple_card_in_hand_and_on_a_pile_is_told_apart(piles: str, pile: int) -> None:
    table = equal_temples("temples=noY/7", piles)
    assert table.legal == ["1:noY/7", f"1:noY/7@{pile}", "done"]
    assert read(table, "1:noY/7") == decisions.temple_from_hand(table.deck.temple_ids["noY/7"])
    assert read(table, f"1:noY/7@{pile}") == decisions.temple_from_pile(pile - 1)


def test_a_temple_card_names_the_coatl_that_is_being_completed() -> None:
    table = Position("2p piles=noY/7,noR/11 | board=K> coatl=B coatl=<KRRR:{R} | ").do("2+K>")
    assert table.legal == ["2:noY/7", "done"]
    assert read(table, "2:noY/7") == decisions.temple_from_pile(0)


# ------------------------------------------------------------------ reading


def test_spaces_do_not_matter() -> None:
    table = Position()
    assert read(table, "  take   b3 ") == read(table, "take b3")
    assert read(table, " token  pick\tBG") == read(table, "token pick BG")


def test_the_order_of_a_pair_does_not_matter() -> None:
    table = Position()
    assert read(table, "token pick GB") == read(table, "token pick BG")
    assert read(table, "token pick RK") == read(table, "token pick KR")


A_MOVE = "a move is like 'take b3'"
A_SPACE = "take names a space, one of b1, b2, b3, b4, b5, b6, h1, h2, t1, t2"
A_PIECE = "new names a piece, like <K, K or K>"
A_TOKEN = "a token is 'token pick BG' .* 'token future' or 'token priest 1'"
A_CARD = "a card is laid like 1:KKK, on Cóatl 1, 2 or 3"
AN_ADDITION = r"a piece is added like <K\+1, R\+1, 1\+R or 1\+K>"
HEAD_LEFT = r"a head goes on the left end \(A4\)"
TAIL_RIGHT = r"a tail goes on the right end \(A4\)"
NO_PROPHECY = "no Prophecy card is named"
NO_CARD = "no card is named"
PLACES = "the row has places 1 to 6"

WRONG = [
    ("", A_MOVE),
    ("   ", A_MOVE),
    ("hello", A_MOVE),
    ("Done", A_MOVE),
    ("PASS", A_MOVE),
    ("done now", A_MOVE),
    ("draw 2", A_MOVE),
    ("step step", A_MOVE),
    ("42", A_MOVE),
    ("-", A_MOVE),
    ("K", A_MOVE),
    ("YG", A_MOVE),
    ("b3", A_MOVE),
    ("pick", A_MOVE),
    ("pick YG RK", A_MOVE),
    ("drop", A_MOVE),
    ("drop YG RK", A_MOVE),
    ("1 + R", A_MOVE),
    ("1: KKK", A_MOVE),
    ("take", A_SPACE),
    ("take b0", A_SPACE),
    ("take b7", A_SPACE),
    ("take h3", A_SPACE),
    ("take t0", A_SPACE),
    ("take B3", A_SPACE),
    ("take 3", A_SPACE),
    ("take KK", A_SPACE),
    ("take b1 b2", A_SPACE),
    ("new", A_PIECE),
    ("new X", A_PIECE),
    ("new k", A_PIECE),
    ("new KR", A_PIECE),
    ("new K<", A_PIECE),
    ("new <K>", A_PIECE),
    ("new >K", A_PIECE),
    ("new 2K", A_PIECE),
    ("new K R", A_PIECE),
    ("token", A_TOKEN),
    ("token pick", A_TOKEN),
    ("token pick K", A_TOKEN),
    ("token pick KRB", A_TOKEN),
    ("token pick KX", A_TOKEN),
    ("token pick kr", A_TOKEN),
    ("token pick K R", A_TOKEN),
    ("token pick <K>", A_TOKEN),
    ("token pick <K <R", A_TOKEN),
    ("token future 1", A_TOKEN),
    ("token priest", A_TOKEN),
    ("token priest 0", A_TOKEN),
    ("token priest 3", A_TOKEN),
    ("token priest 1 2", A_TOKEN),
    ("token Future", A_TOKEN),
    ("token sacrifice", A_TOKEN),
    ("1+", AN_ADDITION),
    ("+1", AN_ADDITION),
    ("+", AN_ADDITION),
    ("1+1", AN_ADDITION),
    ("R+R", AN_ADDITION),
    ("0+R", AN_ADDITION),
    ("4+R", AN_ADDITION),
    ("R+0", AN_ADDITION),
    ("R+4", AN_ADDITION),
    ("R+11", AN_ADDITION),
    ("12+R", AN_ADDITION),
    ("1+X", AN_ADDITION),
    ("1+r", AN_ADDITION),
    ("1+RR", AN_ADDITION),
    ("1+2R", AN_ADDITION),
    ("1+<K>", AN_ADDITION),
    ("K+1+R", AN_ADDITION),
    ("-1+R", AN_ADDITION),
    ("1+<K", HEAD_LEFT),
    ("3+<G", HEAD_LEFT),
    ("K>+1", TAIL_RIGHT),
    ("G>+2", TAIL_RIGHT),
    (":", A_CARD),
    ("1:", A_CARD),
    (":KKK", A_CARD),
    ("0:KKK", A_CARD),
    ("4:KKK", A_CARD),
    ("9:KKK", A_CARD),
    ("11:KKK", A_CARD),
    ("x:KKK", A_CARD),
    ("-1:KKK", A_CARD),
    ("1:noK/8@", A_CARD),
    ("1:noK/8@0", A_CARD),
    ("1:noK/8@3", A_CARD),
    ("1:noK/8@12", A_CARD),
    ("1:@1", A_CARD),
    ("1:KKKK", NO_CARD),
    ("1:kkk", NO_CARD),
    ("1:noX/8", NO_CARD),
    ("1:noK", NO_CARD),
    ("1:8/noK", NO_CARD),
    ("1:1:KKK", NO_CARD),
    ("1:YG,RK", NO_CARD),
    ("pick KKKK", NO_PROPHECY),
    ("pick yg", NO_PROPHECY),
    ("pick noK/8", NO_PROPHECY),
    ("pick 3", NO_PROPHECY),
    ("pick @3", NO_PROPHECY),
    ("drop KKKK", NO_PROPHECY),
    ("drop noK/8", NO_PROPHECY),
    ("drop YG@1", NO_PROPHECY),
    ("pick YG@0", PLACES),
    ("pick YG@7", PLACES),
    ("pick YG@12", PLACES),
    ("pick YG@x", PLACES),
    ("pick YG@-1", PLACES),
    ("pick YG@1@1", PLACES),
    ("pick -@7", PLACES),
]


@pytest.mark.parametrize(("text", "expected"), WRONG, ids=[repr(text) for text, _ in WRONG])
def test_a_wrong_text_raises_and_says_what_was_expected(text: str, expected: str) -> None:
    with pytest.raises(NotationError, match=expected):
        read(Position("2p row=YG,RK,YB,GB,KG,YK"), text)


@pytest.mark.parametrize("text", [text for text, _ in WRONG], ids=repr)
def test_the_message_quotes_what_was_wrong(text: str) -> None:
    with pytest.raises(NotationError) as found:
        read(Position("2p row=YG,RK,YB,GB,KG,YK"), text)
    quoted = str(found.value).split("'")[1]
    assert quoted in text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("pick KKK", "KKK does not lie face up"),
        ("pick YG@2", "YG does not lie at place 2 of the row"),
        ("pick KKK@1", "KKK does not lie at place 1 of the row"),
        ("pick YG@3", "YG does not lie at place 3 of the row"),
    ],
)
def test_a_card_has_to_lie_where_it_is_picked(text: str, expected: str) -> None:
    with pytest.raises(NotationError, match=expected):
        read(Position("2p row=YG,RK,-,GB,KG,YK"), text)


def test_no_card_is_picked_by_the_name_of_an_empty_place() -> None:
    """``pick -@2`` means an empty place; where a card lies it would take a card unnamed."""
    with pytest.raises(NotationError, match="does not lie at place 2"):
        read(Position("2p row=YG,RK,-,GB,KG,YK"), "pick -@2")


def test_a_place_sign_wants_a_place() -> None:
    with pytest.raises(NotationError, match=PLACES):
        read(Position("2p row=YG,RK,YB,GB,KG,YK"), "pick YG@")


TEMPLE_CHOICE = "2p piles=noY/7,noB/10 | board=K> temples=noG/9 coatl=<KRRR:{R} coatl=B | "


@pytest.mark.parametrize("text", ["1:noY/7@2", "1:noB/10@1", "1:noG/9@1", "1:noR/11@2"])
def test_a_temple_card_has_to_lie_on_the_pile_that_is_named(text: str) -> None:
    """Read otherwise, the text would lay a card of another name."""
    table = Position(TEMPLE_CHOICE).do("1+K>")
    with pytest.raises(NotationError, match="is not the top of pile"):
        read(table, text)


@pytest.mark.parametrize("text", ["2:noY/7", "3:noY/7", "2:noG/9", "2:noB/10@2"])
def test_a_temple_card_goes_on_no_other_coatl_than_the_one_named(text: str) -> None:
    """Cóatl 1 is being completed; a text that names another must not lay a card on Cóatl 1."""
    table = Position(TEMPLE_CHOICE).do("1+K>")
    with pytest.raises(NotationError, match=r"the Cóatl just closed \(A9\)"):
        read(table, text)


def test_a_prophecy_card_comes_from_no_pile() -> None:
    with pytest.raises(NotationError, match="the piles hold Temple cards"):
        read(Position("2p | hand={R} coatl=RRR"), "1:{R}@1")


def test_a_move_shows_its_text() -> None:
    move = Move("take b3", decisions.take(2))
    assert str(move) == "take b3"
    assert repr(move) == "Move('take b3', 2)"
    assert eval(repr(move)) == move
    assert move == Move("take b3", decisions.take(2))
    assert len({move, Move("take b3", decisions.take(2)), Move("take b4", decisions.take(3))}) == 2


def test_errors_are_value_errors() -> None:
    assert issubclass(NotationError, ValueError)


def test_moves_of_one_number_with_other_cards_are_not_equal() -> None:
    """What lies at a place of the row is not told by the number of the move."""
    one, other = Move("pick YG", decisions.pick(0)), Move("pick RK", decisions.pick(0))
    assert one != other
    assert one == Move("pick YG", decisions.pick(0))
    assert len({one, other, Move("pick YG", decisions.pick(0))}) == 2
