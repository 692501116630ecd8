"""What speaks for a move, from hand-made views before and after it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from coatl.game import Game
from coatl.hints.facts import MOST_FACTS, Change, Closings, facts_of
from coatl.hints.hint import Fact, FactKind
from coatl.moves import Move
from coatl.rules.cards import standard_deck
from coatl.view.data import AdamCard, CardProgress, CoatlView, ViewData

change_of = msgspec.structs.replace


def table(solo: bool = False) -> ViewData:
    """A table with nothing on the boards, seen by its first seat."""
    game = Game.new(solo=(), seed=1) if solo else Game.new(players=3, seed=1)
    return game.view(0).data


def with_seat(data: ViewData, number: int, **fields: Any) -> ViewData:
    seats = list(data.seats)
    seats[number] = change_of(seats[number], **fields)
    return change_of(data, seats=tuple(seats))


def facts(before: ViewData, after: ViewData, *moves: Move) -> tuple[Fact, ...]:
    return facts_of(Change(standard_deck(), moves, before, after))


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


def test_a_completed_coatl_comes_first() -> None:
    start = with_seat(table(), 0, coatls=(open_coatl("<KR"),))
    done = CoatlView("<KRB>", True, 14)
    assert facts(start, with_seat(start, 0, coatls=(done,))) == (
        Fact(FactKind.COMPLETES, coatl=0, points=14),
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
        return facts_of(Change(standard_deck(), (), table(), table(), before, after))

    assert closing([9], [14]) == (Fact(FactKind.CLOSING, coatl=0, points=14, before=9),)
    assert closing([None], [5]) == (Fact(FactKind.CLOSING, coatl=0, points=5),)
    assert closing([], [None, 5]) == (Fact(FactKind.CLOSING, coatl=1, points=5),)
    assert closing([9], [9]) == closing([9], [None]) == closing([9], []) == ()


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


def test_far_is_not_near() -> None:
    card = CardProgress("KKGGG", 0, 0, 6, (), ("", "KKGGG"))
    coatls = (open_coatl("B", hand=[card]),)
    start = with_seat(table(), 0, coatls=coatls, board=())
    assert facts(start, with_seat(start, 0, board=("G", "G")), TAKE) == ()


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
    after = with_seat(start, 0, board=("R", "<Y"))
    assert facts(start, after, TAKE) == (
        Fact(FactKind.KEEPS_FROM_ADAM, card="YYY", pieces=("<Y",)),
    )


def test_three_facts_are_enough() -> None:
    coatls = tuple(CoatlView("<KRB>", True, 14) for _ in range(4))
    assert len(facts(table(), with_seat(table(), 0, coatls=coatls))) == MOST_FACTS
