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
    ],
    ids=lambda value: value.kind.value if isinstance(value, Fact) else "",
)
def test_every_fact_is_a_sentence(fact: Fact, sentence: str) -> None:
    assert describe_fact(fact, NAMES) == sentence


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
