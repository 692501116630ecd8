"""What speaks for a move, from hand-made views before and after it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from coatl.assembly import ClosedCoatl
from coatl.game import Game
from coatl.hints.change import Change, Closings
from coatl.hints.facts import MOST_FACTS, strong_facts
from coatl.hints.hint import Fact, FactKind
from coatl.moves import Move
from coatl.rules.cards import standard_deck
from coatl.view.data import AdamCard, CardProgress, CoatlView, TempleProgress, ViewData

change_of = msgspec.structs.replace


def table(solo: bool = False) -> ViewData:
    """A table with nothing on the boards and in the hands, seen by its first seat."""
    game = Game.new(solo=(), seed=1) if solo else Game.new(players=3, seed=1)
    return with_seat(game.view(0).data, 0, hand=(), hand_size=0)


def with_seat(data: ViewData, number: int, **fields: Any) -> ViewData:
    seats = list(data.seats)
    seats[number] = change_of(seats[number], **fields)
    return change_of(data, seats=tuple(seats))


def facts(before: ViewData, after: ViewData, *moves: Move) -> tuple[Fact, ...]:
    return strong_facts(Change(standard_deck(), moves, before, after))


def open_coatl(pieces: str, hand: Iterable[CardProgress] = (), **more: Any) -> CoatlView:
    return CoatlView(pieces, False, 0, hand=tuple(hand), **more)


def move_of(kind: str, text_like: str) -> Move:
    """The first move of a kind whose text begins like that, in any of some positions."""
    game = Game.new(players=2, seed=1)
    while game.seat is not None:
        for move in game.view(game.seat).moves:
            if move.kind == kind and move.text.startswith(text_like):
                return move
        game.play(game.view(game.seat).moves[0])
    raise AssertionError(f"no move {text_like}")


TAKE = move_of("take", "take b")
PICK = move_of("pick", "pick ")
DRAW = move_of("draw", "draw")
BEGIN = move_of("begin", "new ")
FUTURE = move_of("token", "token future")
PRIEST = move_of("token", "token priest 2")


def test_a_completed_coatl_comes_first() -> None:
    start = with_seat(table(), 0, coatls=(open_coatl("<KR"),))
    done = CoatlView("<KRB>", True, 14)
    assert facts(start, with_seat(start, 0, coatls=(done,))) == (
        Fact(FactKind.COMPLETES, coatl=0, points=14, becomes="<KRB>"),
    )


def test_a_card_that_is_laid_is_told_once() -> None:
    card = CardProgress("RB", 1, 1)
    had = with_seat(table(), 0, coatls=(open_coatl("RB", cards=(card,)),))
    twice = with_seat(had, 0, coatls=(open_coatl("RB", cards=(card, card)),))
    fulfilled = Fact(FactKind.FULFILS, coatl=0, card="RB", points=1)
    assert facts(had, twice) == (fulfilled,)
    assert facts(had, had) == ()
    begun = with_seat(table(), 0, coatls=())
    assert facts(begun, had) == (fulfilled,)


def test_closing_for_more_than_before() -> None:
    def closing(before: Closings, after: Closings) -> tuple[Fact, ...]:
        return strong_facts(Change(standard_deck(), (), table(), table(), before, after))

    def closed(value: int, *cards: str) -> ClosedCoatl:
        return ClosedCoatl(0, "<KRRB>", cards, None, value)

    five, nine, fourteen = closed(5), closed(9, "RB"), closed(14, "RB", "!RR!")
    found = Fact(FactKind.CLOSING, coatl=0, points=5, becomes="<KRRB>")
    assert closing([None], [five]) == (found,)
    assert closing([], [None, five]) == (change_of(found, coatl=1),)
    assert closing([nine], [fourteen]) == (  # the two red ones count for the card that is new
        change_of(found, points=14, before=9, lit=(1, 2)),
    )
    assert closing([nine], [nine]) == closing([nine], [None]) == closing([nine], []) == ()


def test_nearer_counts_what_is_on_the_board() -> None:
    card = CardProgress("KKGGG", 0, 0, 6, (), ("", "GGG"))
    coatls = (open_coatl("KK", hand=[card]),)
    start = with_seat(table(), 0, coatls=coatls, board=("G",))
    more = with_seat(table(), 0, coatls=coatls, board=("G", "G"))
    all_there = with_seat(table(), 0, coatls=coatls, board=("G", "G", "G", "B"))

    def nearer(missing: int) -> tuple[Fact, ...]:
        return (Fact(FactKind.NEARER, coatl=0, card="KKGGG", missing=missing, before=2),)

    assert facts(start, more, TAKE) == nearer(1)
    assert facts(start, all_there, TAKE) == nearer(0)
    assert facts(all_there, start, TAKE) == ()


def test_nearer_on_a_coatl_to_be_begun() -> None:
    start = with_seat(table(), 0, hand=("YYY",), board=("R",))
    expected = Fact(FactKind.NEARER, card="YYY", missing=2, before=3)
    assert facts(start, with_seat(start, 0, board=("R", "Y")), TAKE) == (expected,)


def test_a_card_is_told_where_it_is_nearest() -> None:
    far, near = (CardProgress("YYY", 0, 0, 3, (), ("", lacks)) for lacks in ("YYY", "YY"))
    coatls = (open_coatl("R", hand=[far]), open_coatl("Y", hand=[near]))
    start = with_seat(table(), 0, coatls=coatls, hand=("YYY",))
    expected = Fact(FactKind.NEARER, coatl=1, card="YYY", missing=1, before=2)
    assert facts(start, with_seat(start, 0, board=("Y",)), TAKE) == (expected,)


def test_what_is_assembled_counts_without_the_board() -> None:
    """The pieces were on the board already, so that the card was no nearer to be had."""
    start = with_seat(table(), 0, hand=("YYY",), board=("Y", "Y", "B"))
    lacks = CardProgress("YYY", 0, 0, 3, (), ("", "Y"))
    after = with_seat(start, 0, board=("B",), coatls=(open_coatl("YY", hand=[lacks]),))
    expected = Fact(FactKind.GROWS, coatl=0, card="YYY", missing=1, before=3)
    assert facts(start, after, BEGIN) == (expected,)


def test_a_full_board_gets_room() -> None:
    start = with_seat(table(), 0, board=("Y",) * 6)
    less_full = with_seat(table(), 0, board=("Y",) * 5)
    after = with_seat(start, 0, board=("Y",) * 3)
    assert facts(start, after, BEGIN) == (Fact(FactKind.ROOM, count=5, before=2),)
    assert facts(start, after, TAKE) == facts(less_full, after, BEGIN) == ()


def test_a_picked_card_that_lacks_a_few_pieces() -> None:
    assert PICK.card is not None

    def needs(lacks: str) -> tuple[Fact, ...]:
        card = CardProgress(PICK.card or "", 0, 0, 3, (), ("", lacks))
        coatls = (open_coatl("R", hand=[card]), CoatlView("<KR>", True, 3), open_coatl("B"))
        start = with_seat(table(), 0, coatls=coatls, board=("Y",))
        return facts(start, start, PICK)

    assert needs("YYY") == (Fact(FactKind.NEEDS, coatl=0, card=PICK.card, missing=2),)
    assert needs("KKKK") == ()


def test_an_end_that_a_coatl_lacks() -> None:
    coatls = (open_coatl("<KR"), CoatlView("<KR>", True, 3), open_coatl("B"))

    def ends(board: tuple[str, ...], piece: str, *coatls: CoatlView) -> tuple[Fact, ...]:
        start = with_seat(table(), 0, coatls=coatls, board=board)
        return facts(start, with_seat(start, 0, board=(*board, piece)), TAKE)

    assert ends((), "K>", *coatls) == (Fact(FactKind.END, coatl=0, pieces=("K>",)),)
    assert ends((), "<K", *coatls) == (Fact(FactKind.END, coatl=2, pieces=("<K",)),)
    assert ends(("R>",), "K>", *coatls) == (Fact(FactKind.END, coatl=2, pieces=("K>",)),)
    assert ends(("R>", "Y>"), "K>", *coatls) == ends((), "K", *coatls) == ()
    assert ends((), "K>") == (Fact(FactKind.END, pieces=("K>",)),)
    assert ends(("R>",), "K>") == ()


def test_why_unknown_cards_are_wanted() -> None:
    unmet, met = CardProgress("YYY", 0, 0), CardProgress("RB", 1, 1)
    start = with_seat(table(), 0, coatls=(open_coatl("RB", row=(unmet,)),), hand_size=2)
    none, few = Fact(FactKind.NO_CARD_MET), Fact(FactKind.FEW_CARDS, count=2)
    assert facts(start, start, DRAW) == facts(start, start, FUTURE) == (none, few)
    better = with_seat(start, 0, coatls=(open_coatl("RB", row=(unmet, met)),), hand_size=3)
    assert facts(better, better, DRAW) == facts(start, start, TAKE) == ()


def test_a_temple_card_that_fits() -> None:
    start = table()
    top = start.piles[1].top
    assert top is not None
    met = TempleProgress(top, (True, False), 3)
    after = with_seat(start, 0, coatls=(open_coatl("B"), open_coatl("R", temples=(met,))))
    assert facts(start, after, PRIEST) == (Fact(FactKind.FITS, coatl=1, card=top, points=3),)


def test_each_kind_of_fact_has_its_say() -> None:
    """Cards are nearer; that the board has room is told too, but not before points."""
    start = with_seat(table(), 0, board=("Y",) * 8, hand=("YYY", "YYBBB", "BBYY", "YB"))
    lacks = [CardProgress(card, 0, 0, 3, (), ("", "B")) for card in ("YYBBB", "BBYY", "YB")]
    after = with_seat(start, 0, board=(), coatls=(open_coatl("YY", hand=lacks),))
    kinds = [fact.kind for fact in facts(start, after, BEGIN)]
    assert kinds == [FactKind.GROWS, FactKind.ROOM, FactKind.GROWS]
    cards = tuple(CardProgress(card, 1, 1) for card in ("RB", "!RR!", "{R}"))
    laid = with_seat(start, 0, board=(), coatls=(open_coatl("RB", hand=lacks, cards=cards),))
    assert [fact.kind for fact in facts(start, laid, BEGIN)] == [FactKind.FULFILS] * MOST_FACTS


def test_a_card_that_is_laid_is_not_nearer() -> None:
    """It lacks fewer pieces of its next level, too, but it is fulfilled."""
    lay = move_of("fulfil", "1:")
    assert lay.card is not None
    start = with_seat(table(), 0, hand=(lay.card,), board=())
    laid = CardProgress(lay.card, 1, 1, 3, (), ("", "K"))
    after = with_seat(start, 0, hand=(), coatls=(open_coatl("RB", cards=(laid,)),))
    assert [fact.kind for fact in facts(start, after, lay)] == [FactKind.FULFILS]


def test_a_picked_card_that_fits() -> None:
    assert PICK.card is not None
    fits = CardProgress(PICK.card, 1, 4)
    start = with_seat(table(), 0, coatls=(open_coatl("R"), open_coatl("B")))
    after = with_seat(start, 0, coatls=(open_coatl("R"), open_coatl("B", hand=[fits])))
    assert facts(start, after, PICK) == (Fact(FactKind.FITS, coatl=1, card=PICK.card, points=4),)
    assert facts(start, after) == ()  # it was not picked


def test_what_the_next_player_lacks() -> None:
    lacking = CardProgress("GY+G", 1, 2, 6, (), ("", "G"))
    start = with_seat(table(), 0, board=())
    start = with_seat(start, 1, coatls=(open_coatl("GYG", cards=(lacking,)),))
    after = with_seat(start, 0, board=("G", "R"))
    expected = Fact(FactKind.TAKES_FROM, card="GY+G", seat=1, pieces=("G",))
    assert facts(start, after, TAKE) == (expected,)
    assert facts(start, after) == ()  # pieces that were there before
    far = with_seat(table(), 2, coatls=(open_coatl("GYG", cards=(lacking,)),))
    assert facts(far, with_seat(far, 0, board=("G",)), TAKE) == ()  # not the next one


def test_a_card_that_the_next_player_meets() -> None:
    assert PICK.card is not None
    card = next(one for one in standard_deck().prophecies if one.name == PICK.card)
    colours = "".join("KRBYG" for _ in range(6))
    assert card.matches(colours).points == 0 or card.pattern.is_set
    pieces = next(
        text
        for text in ("K" * 9, "R" * 9, "B" * 9, "Y" * 9, "G" * 9, *example_pieces(PICK.card))
        if card.matches(text).points > 0
    )
    start = with_seat(table(), 1, coatls=(open_coatl(pieces),))
    points = card.matches(pieces).points
    assert facts(start, start, PICK) == (
        Fact(FactKind.SUITS_NEXT, card=PICK.card, seat=1, points=points),
    )


def example_pieces(name: str) -> list[str]:
    letters = "".join(letter for letter in name if letter in "KRBYG")
    return [letters * times for times in range(1, 5)]


def test_what_adam_lacks_in_solo() -> None:
    start = table(solo=True)
    assert start.adam is not None
    cards = (AdamCard("YYY", ("Y", "Y"), "Y"), AdamCard("RRRBB", (), "RRRBB"))
    start = change_of(start, adam=change_of(start.adam, cards=cards))
    start = with_seat(start, 0, board=("<K",))
    after = with_seat(start, 0, board=("<K", "R", "<Y"))
    assert facts(start, after, TAKE) == (
        Fact(FactKind.KEEPS_FROM_ADAM, card="YYY", pieces=("<Y",)),
    )


def test_three_facts_are_enough() -> None:
    coatls = tuple(CoatlView("<KRB>", True, 14) for _ in range(4))
    assert len(facts(table(), with_seat(table(), 0, coatls=coatls))) == MOST_FACTS
