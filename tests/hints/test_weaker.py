"""Facts that are told where no stronger one is, from hand-made views before and after a move."""

from __future__ import annotations

from itertools import islice

from coatl.game import Game
from coatl.hints.change import Change
from coatl.hints.facts import facts_of
from coatl.hints.hint import Fact, FactKind
from coatl.hints.weaker import weaker_facts
from coatl.moves import Move
from coatl.rules.cards import standard_deck
from coatl.view.data import AdamCard, CardProgress, CoatlView, ViewData
from tests.hints.test_facts import (
    BEGIN,
    DRAW,
    FUTURE,
    PICK,
    PRIEST,
    TAKE,
    change_of,
    move_of,
    open_coatl,
    table,
    with_seat,
)

ROW = ("YYY", "YYBBB", None, None, None, None)
DONE = move_of("done", "done")
ADD = move_of("add", "1+")
LAY = move_of("fulfil", "1:")


def no_row(data: ViewData) -> ViewData:
    return change_of(data, row=(None,) * 6)


def facts(before: ViewData, after: ViewData, *moves: Move) -> tuple[Fact, ...]:
    """Stronger ones, too."""
    return facts_of(Change(standard_deck(), moves, before, after))


def first_weaker(before: ViewData, after: ViewData, *moves: Move) -> Fact | None:
    change = Change(standard_deck(), moves, before, after)
    return next(weaker_facts(change), None)


def test_a_weaker_fact_is_told_where_there_is_no_other() -> None:
    start = no_row(with_seat(table(), 0, board=("R",), hand=("KKGGG", "KKYY")))
    after = with_seat(start, 0, board=("R", "G"))
    expected = Fact(FactKind.NEARER, card="KKGGG", missing=4, before=5)
    assert facts(start, after, TAKE) == (expected,)
    stronger = with_seat(start, 0, board=("R", "G", "<K"))
    assert [fact.kind for fact in facts(start, stronger, TAKE)] == [FactKind.END]


def test_a_card_of_the_row_that_is_nearer() -> None:
    start = change_of(with_seat(table(), 0, board=("R",)), row=ROW)
    after = with_seat(start, 0, board=("R", "Y"))
    nearer = Fact(FactKind.NEARER_ROW, card="YYY", missing=2, before=3)
    assert facts(start, after, TAKE) == (nearer,)
    on_coatl = [CardProgress("YYY", 0, 0, 3, (), ("", "YY"))]
    coatls = (open_coatl("Y", row=on_coatl),)
    begun = with_seat(start, 0, coatls=coatls)
    assert facts(begun, with_seat(after, 0, coatls=coatls), TAKE) == (
        change_of(nearer, coatl=0, missing=1, before=2),
    )
    gone = change_of(after, row=("YYBBB", *ROW[2:], None))
    assert facts(start, gone, TAKE)[0].card == "YYBBB"
    assert facts(start, with_seat(start, 0, board=("R",)), TAKE) == ()


def test_a_picked_card_that_is_still_far() -> None:
    assert PICK.card is not None
    far = CardProgress(PICK.card, 0, 0, 3, (), ("", "KKKK"))
    start = no_row(with_seat(table(), 0, coatls=(open_coatl("R", hand=[far]),)))
    assert facts(start, start, PICK) == (Fact(FactKind.NEEDS, coatl=0, card=PICK.card, missing=4),)


def test_a_coatl_that_gets_its_end() -> None:
    start = no_row(table())
    tail = Move("2+K>", next(move.decision for move in tail_moves() if move.text == "2+K>"))
    assert first_weaker(start, start, tail) == Fact(FactKind.GETS_END, coatl=1, pieces=("K>",))
    assert ADD.pieces[0] in "KRBYG"
    assert first_weaker(start, start, ADD) is None


def tail_moves() -> tuple[Move, ...]:
    game = Game.from_position("2p phase=assemble | board=K>,R hand=RRR coatl=<KR coatl=B |")
    return game.view(0).moves


def test_what_adam_and_the_next_player_lack_though_it_is_much() -> None:
    start = no_row(table(solo=True))
    assert start.adam is not None
    cards = (AdamCard("RRRBB", (), "RRRBB"),)
    start = change_of(start, adam=change_of(start.adam, cards=cards))
    start = with_seat(start, 0, board=("<K", "<B"))
    assert facts(start, with_seat(start, 0, board=("<K", "<B", "R")), TAKE) == (
        Fact(FactKind.KEEPS_FROM_ADAM, card="RRRBB", pieces=("R",)),
    )
    lacking = CardProgress("GY+G", 1, 2, 6, (), ("", "GYGG"))
    start = no_row(with_seat(table(), 0, board=()))
    start = with_seat(start, 1, coatls=(open_coatl("GYG", cards=(lacking,)),))
    assert facts(start, with_seat(start, 0, board=("G",)), TAKE) == (
        Fact(FactKind.TAKES_FROM, card="GY+G", seat=1, pieces=("G",)),
    )


def test_more_temple_cards_to_choose_from() -> None:
    start = no_row(table())
    more = with_seat(start, 0, temple_count=2)
    assert facts(with_seat(start, 0, temple_count=1), more, PRIEST) == (
        Fact(FactKind.TEMPLES, count=2, before=1),
    )
    assert facts(more, more, PRIEST) == ()


def setup(*dropped: str) -> tuple[Fact, ...]:
    """What is told of discarding cards of a first hand of five."""
    game = Game.from_position("solo phase=setup | hand={B},YB,YK,YYBBB,GGRR | cards=RRR,KKK,BBB")
    before = no_row(game.view(0).data)
    drops = [move for move in before.moves if move.kind == "drop" and move.card in dropped]
    assert len(drops) == len(dropped)
    hand = tuple(card for card in before.seats[0].hand if card not in dropped)
    return facts(before, with_seat(before, 0, hand=hand), *drops)


def test_the_card_that_lacks_most_is_discarded() -> None:
    farthest = Fact(FactKind.DROPS_FARTHEST, card="YYBBB", missing=5, before=3)
    assert setup("GGRR", "YYBBB") == (farthest,)
    assert setup("YYBBB") == (change_of(farthest, before=4),)


def test_cards_that_are_kept_share_a_colour() -> None:
    assert setup("YK", "GGRR") == (Fact(FactKind.SHARE_COLOUR, count=3, pieces=("B",)),)
    assert setup("YB") == ()  # it asks for all that the others have in common


def test_nothing_can_be_laid_where_an_assembly_ends() -> None:
    def ends(*legal: Move) -> Fact | None:
        start = no_row(with_seat(table(), 0, coatls=(open_coatl("RB"),)))
        start = change_of(start, moves=(*legal, DONE))
        return first_weaker(start, start, DONE)

    assert ends(ADD) == Fact(FactKind.NOTHING_TO_LAY)
    assert ends(BEGIN) == Fact(FactKind.NOTHING_TO_LAY)
    assert ends() is None
    assert ends(ADD, LAY) == Fact(FactKind.LATER, coatl=0, card=LAY.card)


def test_a_card_cannot_be_laid_later_on_what_is_completed_now() -> None:
    start = no_row(with_seat(table(), 0, coatls=(open_coatl("RB"),)))
    start = change_of(start, moves=(ADD, LAY, DONE))
    assert first_weaker(change_of(start, pending=0), start, DONE) is None
    assert first_weaker(start, start, TAKE) is None


def test_a_row_in_which_every_card_lacks_much() -> None:
    start = change_of(with_seat(table(), 0, board=("Y",), hand_size=5), row=ROW)
    far = Fact(FactKind.ROW_FAR, missing=2)
    assert facts(start, start, DRAW) == facts(start, start, FUTURE) == (far,)
    near = with_seat(start, 0, board=("Y", "Y"))
    assert facts(near, near, DRAW) == facts(start, start, TAKE) == ()
    could_pick = change_of(start, moves=(PICK, DONE))
    assert facts(could_pick, could_pick, DONE) == (far,)
    assert facts(start, start, DONE) == ()


def test_a_full_hand_from_which_cards_can_be_discarded() -> None:
    start = no_row(with_seat(table(), 0, hand_size=5))
    no_choice = change_of(start, moves=(TAKE, FUTURE))
    assert facts(no_choice, no_choice, FUTURE) == (Fact(FactKind.HAND_FULL),)
    assert facts(no_choice, no_choice, TAKE) == ()
    choice = change_of(start, moves=(TAKE, PICK, FUTURE))
    assert facts(choice, choice, FUTURE) == ()


def test_a_hand_that_is_not_full() -> None:
    three = no_row(with_seat(table(), 0, hand_size=3))
    assert facts(three, three, DRAW) == (Fact(FactKind.FEW_CARDS, count=3),)
    four = with_seat(three, 0, hand_size=4)
    assert facts(four, four, DRAW) == ()


def test_heads_and_tails_that_later_coatls_need() -> None:
    coatls = (CoatlView("<KR>", True, 3), open_coatl("<BR"))
    start = no_row(with_seat(table(), 0, board=("G>",), coatls=coatls))
    tail = Fact(FactKind.ENDS_NEEDED, pieces=("K>",), count=2, before=1)
    assert facts(start, with_seat(start, 0, board=("G>", "K>")), TAKE) == (tail,)
    two = with_seat(start, 0, board=("G>", "B>"))
    assert tail.kind not in kinds(two, with_seat(two, 0, board=("G>", "B>", "K>")))
    head = Fact(FactKind.ENDS_NEEDED, pieces=("<K",), count=1, before=0)
    assert head in weaker(start, with_seat(start, 0, board=("G>", "<K")))
    assert head.kind not in kinds(start, with_seat(start, 0, board=("G>", "K")))


def weaker(before: ViewData, after: ViewData) -> list[Fact]:
    return list(weaker_facts(Change(standard_deck(), (TAKE,), before, after)))


def kinds(before: ViewData, after: ViewData) -> list[FactKind]:
    return [fact.kind for fact in weaker(before, after)]


def test_the_last_pieces_of_the_supply() -> None:
    supply = dict.fromkeys(table().supply, "")
    board = ("<K", "K>", "R", "R")  # not as few as to be worth a word
    start = no_row(with_seat(table(), 0, board=board))
    space = str(TAKE.space)
    assert space.startswith("b")
    start = change_of(start, supply={**supply, space: "GY", "h1": "G", "t1": "Y"})
    after = with_seat(start, 0, board=(*board, "G", "Y"))
    both = Fact(FactKind.LAST_PIECES, pieces=("G", "Y"))
    assert facts(start, after, TAKE) == (both,)
    other = next(name for name in supply if name.startswith("b") and name != space)
    more = change_of(start, supply={**start.supply, other: "YK"})
    assert facts(more, after, TAKE) == (change_of(both, pieces=("G",)),)
    same = change_of(start, supply={**start.supply, other: "YG"})
    assert facts(same, after, TAKE) == ()
    head = with_seat(start, 0, board=(*board, "<R"))
    assert both.kind not in kinds(start, head)  # there is another head, if not a red one
    without = change_of(start, supply={**supply, space: "GY"})
    assert change_of(both, pieces=("<R",)) in weaker(without, head)


def test_a_board_with_few_pieces() -> None:
    full = dict.fromkeys(table().supply, "RR")
    start = change_of(no_row(with_seat(table(), 0, board=("B",))), supply=full)
    after = with_seat(start, 0, board=("B", "R"))
    assert facts(start, after, TAKE) == (Fact(FactKind.FEW_PIECES, count=1),)
    four = with_seat(start, 0, board=("B",) * 4)
    assert facts(four, with_seat(start, 0, board=("B", "B", "B", "B", "R")), TAKE) == ()
    assert facts(start, after, ADD) == ()


def test_one_of_them_is_enough() -> None:
    start = change_of(with_seat(table(), 0, board=("Y",), hand_size=3), row=ROW)
    change = Change(standard_deck(), (DRAW,), start, start)
    assert len(list(islice(weaker_facts(change), 2))) == 2
    assert len(facts_of(change)) == 1


def test_a_complete_coatl_needs_no_end_and_no_card() -> None:
    done = CoatlView("<KRB>", True, 3)
    start = no_row(with_seat(table(), 0, coatls=(done,)))
    start = change_of(start, moves=(ADD, LAY, DONE))
    assert first_weaker(start, start, DONE) is None
