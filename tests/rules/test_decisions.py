"""Decision numbers: what the functions of `actions` put together, `decode` takes apart again."""

from __future__ import annotations

import pytest

from coatl.rules import decisions
from coatl.rules.decisions import Decision, DecisionKind, decode
from coatl.rules.pieces import BODY, N_COLOURS, N_KINDS, N_SPACES, TAIL
from coatl.rules.state import MAX_COATLS, MAX_PROPHECIES, MAX_TEMPLES, N_PILES, ROW_SIZE

BUILT = {
    **{decisions.take(at): Decision(DecisionKind.TAKE, at=at) for at in range(N_SPACES)},
    **{decisions.pick(at): Decision(DecisionKind.PICK, at=at) for at in range(ROW_SIZE)},
    decisions.DRAW: Decision(DecisionKind.DRAW),
    **{decisions.begin(kind): Decision(DecisionKind.BEGIN, piece=kind) for kind in range(N_KINDS)},
    **{
        decisions.fulfil(coatl, card): Decision(DecisionKind.FULFIL, coatl=coatl, card=card)
        for coatl in range(MAX_COATLS)
        for card in range(MAX_PROPHECIES)
    },
    **{
        decisions.temple_from_hand(card): Decision(DecisionKind.TEMPLE_FROM_HAND, card=card)
        for card in range(MAX_TEMPLES)
    },
    **{
        decisions.temple_from_pile(at): Decision(DecisionKind.TEMPLE_FROM_PILE, at=at)
        for at in range(N_PILES)
    },
    **{
        decisions.perfect_pick(kind): Decision(DecisionKind.PERFECT_END, piece=kind)
        for kind in range(BODY)
    },
    **{
        decisions.perfect_pick(BODY + a, BODY + b): Decision(DecisionKind.PERFECT_PAIR, pair=pair)
        for pair, (a, b) in enumerate(zip(decisions.PAIR_FIRST, decisions.PAIR_SECOND, strict=True))
    },
    decisions.FUTURE_TOKEN: Decision(DecisionKind.FUTURE),
    **{decisions.priest(at): Decision(DecisionKind.PRIEST, at=at) for at in range(N_PILES)},
    **{
        decisions.discard(card): Decision(DecisionKind.DISCARD, card=card)
        for card in range(MAX_PROPHECIES)
    },
    decisions.DONE: Decision(DecisionKind.DONE),
    decisions.PASS: Decision(DecisionKind.PASS),
    decisions.STEP: Decision(DecisionKind.STEP),
}


def test_decode_takes_apart_what_was_put_together() -> None:
    for decision, named in BUILT.items():
        assert decode(decision) == named
    additions = set(range(decisions.N_DECISIONS)) - set(BUILT)
    assert {decode(decision).kind for decision in additions} == {DecisionKind.ADD}


@pytest.mark.parametrize("coatl", range(MAX_COATLS))
@pytest.mark.parametrize("kind", range(N_KINDS))
@pytest.mark.parametrize("left", [False, True])
def test_A4_an_addition_names_piece_and_side(coatl: int, kind: int, left: bool) -> None:
    named = decode(decisions.add(coatl, kind, left))
    side = left if kind >= BODY else kind < TAIL
    assert (named.kind, named.coatl, named.piece) == (DecisionKind.ADD, coatl, kind)
    assert named.is_left == side
    assert named.end == (kind if kind < BODY or side else kind + N_COLOURS)


def test_the_table_of_compiled_code_says_the_same() -> None:
    for decision, row in enumerate(decisions.DECODED.tolist()):
        assert Decision(DecisionKind(row[0]), *row[1:]) == decode(decision)


@pytest.mark.parametrize("number", [-1, decisions.N_DECISIONS])
def test_a_number_that_is_no_decision(number: int) -> None:
    with pytest.raises(ValueError, match=f"not {number}"):
        decode(number)
