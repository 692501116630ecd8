"""Hints in the terminal."""

from __future__ import annotations

import io
import re

import pytest
from rich.console import Console

from coatl.cli.terminal.advice import describe_fact, describe_hint
from coatl.cli.terminal.session import TerminalSeat, TerminalSession
from coatl.compiler.functions import DISABLED
from coatl.game import Game
from coatl.hints import Advice, Fact, FactKind, Hint
from coatl.players.greedy import GreedyPlayer
from coatl.rules.chance import new_chance

NAMES = ["You", "Marta"]


@pytest.mark.parametrize(
    ("fact", "sentence"),
    [
        (
            Fact(FactKind.COMPLETES, coatl=0, points=14),
            "Cóatl 1 is complete then, worth 14 points.",
        ),
        (
            Fact(FactKind.FULFILS, coatl=1, card="RB", points=1),
            "RB is fulfilled on Cóatl 2: 1 point.",
        ),
        (Fact(FactKind.CLOSING, coatl=0, points=5), "Cóatl 1 could be closed then, for 5 points."),
        (
            Fact(FactKind.CLOSING, coatl=0, points=14, before=9),
            "Closing Cóatl 1 would score 14 then, not 9.",
        ),
        (
            Fact(FactKind.NEARER, coatl=0, card="YYY", missing=0, before=1),
            "You would have all pieces that YYY needs on Cóatl 1.",
        ),
        (
            Fact(FactKind.NEARER, coatl=0, card="YYY", missing=1, before=2),
            "For YYY on Cóatl 1 you would lack 1 piece, not 2.",
        ),
        (
            Fact(FactKind.GROWS, coatl=0, card="YYY", missing=2, before=3),
            "YYY would lack 2 pieces on Cóatl 1, not 3.",
        ),
        (
            Fact(FactKind.NEEDS, card="YYY", missing=0),
            "You have all pieces that YYY needs on a new Cóatl.",
        ),
        (
            Fact(FactKind.NEEDS, coatl=1, card="YYY", missing=1),
            "For YYY on Cóatl 2 you lack 1 piece.",
        ),
        (Fact(FactKind.END, coatl=1, pieces=("K>",)), "Cóatl 2 has no tail yet."),
        (Fact(FactKind.END, pieces=("<K",)), "Your board has no head yet."),
        (
            Fact(FactKind.ROOM, count=5, before=2),
            "Your board would have room for 5 pieces, not 2.",
        ),
        (Fact(FactKind.NO_CARD_MET), "No Cóatl of yours meets a card of the row."),
        (Fact(FactKind.FEW_CARDS, count=1), "You hold 1 card."),
        (
            Fact(FactKind.FITS, coatl=0, card="YYY", points=3),
            "Cóatl 1 meets YYY already: 3 points.",
        ),
        (
            Fact(FactKind.TAKES_FROM, card="YYY", seat=1, pieces=("Y",)),
            "Marta lacks Y for YYY.",
        ),
        (
            Fact(FactKind.SUITS_NEXT, card="YYY", seat=1, points=3),
            "A Cóatl of Marta meets YYY already: 3 points.",
        ),
        (
            Fact(FactKind.KEEPS_FROM_ADAM, card="YYY", pieces=("<Y", "Y")),
            "A.D.A.M. lacks <Y and Y for YYY.",
        ),
        (
            Fact(FactKind.NEARER_ROW, coatl=0, card="YYY", missing=1, before=2),
            "YYY lies in the row and would lack 1 piece on Cóatl 1, not 2.",
        ),
        (Fact(FactKind.NOTHING_TO_LAY), "No card can be laid on a Cóatl now."),
        (
            Fact(FactKind.LATER, coatl=1, card="RB"),
            "RB can still be laid when Cóatl 2 is completed.",
        ),
        (Fact(FactKind.GETS_END, coatl=1, pieces=("K>",)), "Cóatl 2 gets its tail."),
        (Fact(FactKind.GETS_END, coatl=1, pieces=("<K",)), "Cóatl 2 gets its head."),
        (Fact(FactKind.ROW_FAR, missing=2), "Every card of the row lacks at least 2 pieces."),
        (
            Fact(FactKind.DROPS_FARTHEST, card="YYBBB", missing=5, before=3),
            "YYBBB lacks 5 pieces, the cards you keep 3 pieces at most.",
        ),
        (
            Fact(FactKind.SHARE_COLOUR, count=2, pieces=("B",)),
            "2 of the cards you keep ask for B.",
        ),
        (
            Fact(FactKind.TEMPLES, count=2, before=1),
            "You would hold 2 Temple cards, not 1.",
        ),
        (
            Fact(FactKind.LAST_PIECES, pieces=("<B", "G")),
            "The last in the supply: <B and G.",
        ),
        (
            Fact(FactKind.ENDS_NEEDED, pieces=("<B",), count=2, before=1),
            "Your Cóatl still need 2 heads, and your board has 1.",
        ),
        (
            Fact(FactKind.ENDS_NEEDED, pieces=("B>",), count=1, before=0),
            "Your Cóatl still need 1 tail, and your board has 0.",
        ),
        (Fact(FactKind.HAND_FULL), "Your hand is full."),
        (Fact(FactKind.FEW_PIECES, count=1), "1 piece on your board."),
        (Fact(FactKind.EQUAL), "Hardly anything depends on this move."),
    ],
    ids=lambda value: value.kind.value if isinstance(value, Fact) else "",
)
def test_every_fact_is_a_sentence(fact: Fact, sentence: str) -> None:
    assert describe_fact(fact, NAMES) == sentence


def test_every_kind_of_fact_has_words() -> None:
    for kind in FactKind:
        fact = Fact(kind, coatl=0, card="YYY", seat=1, points=1, missing=1, pieces=("K>",), count=1)
        assert describe_fact(fact, NAMES)


def test_a_hint_in_lines() -> None:
    game = Game.new(players=2, seed=1)
    add, done, take = (game.move(text) for text in ("1+K>", "done", "take b3"))
    best = Advice((add, done), (Fact(FactKind.COMPLETES, coatl=0, points=14),), 0.486)
    hint = Hint(0, best, Advice((take,), (), 0.45), 0.41)
    assert list(describe_hint(hint, NAMES)) == [
        "Hint: 1+K>, done",
        "  Cóatl 1 is complete then, worth 14 points.",
        "  Chance of winning: 41 % now, 49 % then.",
        "  Second best: take b3, 45 %.",
    ]
    only = Hint(0, Advice((done,)))
    assert list(describe_hint(only, NAMES)) == ["Hint: done", "  There is nothing else to do."]


def answer(people: int, hints: bool) -> str:
    """What is said when somebody asks at the beginning of a game."""
    bot = GreedyPlayer(new_chance(1))
    seats = [TerminalSeat(name, None if at < people else bot) for at, name in enumerate(NAMES)]
    game, text = Game.new(players=2, seed=4), io.StringIO()
    session = TerminalSession(game, seats, Console(file=text, width=100), hints)
    assert game.seat is not None
    session._command("hint", game.seat, game.view(game.seat))
    return text.getvalue()


@pytest.mark.skipif(DISABLED, reason="the network needs compiled code")
@pytest.mark.parametrize(("people", "hints"), [(1, False), (2, True)])
def test_a_hint_names_a_legal_move(people: int, hints: bool) -> None:
    found = re.match(r"Hint: ([^,\n]+)", answer(people, hints))
    assert found is not None
    game = Game.new(players=2, seed=4)
    assert found[1] in [move.text for move in game.legal_moves()]


def test_several_people_have_to_agree() -> None:
    assert answer(2, False).startswith("Several people play, without hints")
