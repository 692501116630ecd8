"""Decision numbers: what the functions of `actions` put together, `decode` takes apart again."""

from __future__ import annotations

import pytest

from coatl.rules import actions as act
from coatl.rules.actions import Decision, DecisionKind, decode
from coatl.rules.pieces import BODY, N_COLOURS, N_KINDS, N_SPACES, TAIL
from coatl.rules.state import MAX_COATLS, MAX_PROPHECIES, MAX_TEMPLES, N_PILES, ROW_SIZE

BUILT = {
    **{act.take(at): Decision(DecisionKind.TAKE, at=at) for at in range(N_SPACES)},
    **{act.pick(at): Decision(DecisionKind.PICK, at=at) for at in range(ROW_SIZE)},
    act.DRAW: Decision(DecisionKind.DRAW),
    **{act.begin(kind): Decision(DecisionKind.BEGIN, piece=kind) for kind in range(N_KINDS)},
    **{
        act.fulfil(coatl, card): Decision(DecisionKind.FULFIL, coatl=coatl, card=card)
        for coatl in range(MAX_COATLS)
        for card in range(MAX_PROPHECIES)
    },
    **{
        act.temple_from_hand(card): Decision(DecisionKind.TEMPLE_FROM_HAND, card=card)
        for card in range(MAX_TEMPLES)
    },
    **{
        act.temple_from_pile(at): Decision(DecisionKind.TEMPLE_FROM_PILE, at=at)
        for at in range(N_PILES)
    },
    **{
        act.perfect_pick(kind): Decision(DecisionKind.PERFECT_END, piece=kind)
        for kind in range(BODY)
    },
    **{
        act.perfect_pick(BODY + a, BODY + b): Decision(DecisionKind.PERFECT_PAIR, pair=pair)
        for pair, (a, b) in enumerate(zip(act.PAIR_FIRST, act.PAIR_SECOND, strict=True))
    },
    act.FUTURE_TOKEN: Decision(DecisionKind.FUTURE),
    **{act.priest(at): Decision(DecisionKind.PRIEST, at=at) for at in range(N_PILES)},
    **{
        act.discard(card): Decision(DecisionKind.DISCARD, card=card)
        for card in range(MAX_PROPHECIES)
    },
    act.DONE: Decision(DecisionKind.DONE),
    act.PASS: Decision(DecisionKind.PASS),
    act.STEP: Decision(DecisionKind.STEP),
}


def test_decode_takes_apart_what_was_put_together() -> None:
    for decision, named in BUILT.items():
        assert decode(decision) == named
    additions = set(range(act.N_DECISIONS)) - set(BUILT)
    assert {decode(decision).kind for decision in additions} == {DecisionKind.ADD}


@pytest.mark.parametrize("coatl", range(MAX_COATLS))
@pytest.mark.parametrize("kind", range(N_KINDS))
@pytest.mark.parametrize("left", [False, True])
def test_A4_an_addition_names_piece_and_side(coatl: int, kind: int, left: bool) -> None:
    named = decode(act.add(coatl, kind, left))
    side = left if kind >= BODY else kind < TAIL
    assert (named.kind, named.coatl, named.piece) == (DecisionKind.ADD, coatl, kind)
    assert named.is_left == side
    assert named.end == (kind if kind < BODY or side else kind + N_COLOURS)


def test_the_table_of_compiled_code_says_the_same() -> None:
    for decision, row in enumerate(act.DECODED.tolist()):
        assert Decision(DecisionKind(row[0]), *row[1:]) == decode(decision)


@pytest.mark.parametrize("number", [-1, act.N_DECISIONS])
def test_a_number_that_is_no_decision(number: int) -> None:
    with pytest.raises(ValueError, match=f"not {number}"):
        decode(number)
