"""What a position is worth to a seat, with weights that leave one thing to be seen at a time."""

from __future__ import annotations

import pytest

from coatl.compiler.jit import EntryPoint
from coatl.compiler.records import record_array
from coatl.heuristics.card_potential import RIGHT, DeckTables, deck_tables
from coatl.heuristics.evaluation import (
    PositionEvaluator,
    PositionEvaluators,
    assess_opponents,
    evaluate,
)
from coatl.rules.state import END_BODIES, END_NONE, States, new_states
from tests.heuristics.entries import compiled_entry
from tests.position import Position


def assess_and_evaluate(
    deck: DeckTables, evaluators: PositionEvaluators, states: States, scratch: States
) -> float:
    """For the first seat."""
    assess_opponents(deck.cards[RIGHT], states, 0, scratch, evaluators[0])
    return evaluate(deck, states[0], evaluators[0])


Evaluate = EntryPoint[[DeckTables, PositionEvaluators, States, States], float]


@pytest.fixture(scope="module")
def entry() -> Evaluate:
    return compiled_entry(assess_and_evaluate)


def evaluated(entry: Evaluate, states: States, **weights: float) -> float:
    """The value where only the given weights count, and points not scored yet count in full."""
    evaluators = record_array(PositionEvaluator, 1)
    for name, weight in {"win_margin": 1.0, **weights}.items():
        evaluators["weights"][name] = weight
    for name in ("in_hand", "on_board", "elsewhere"):
        evaluators["projection"]["discounts"][name] = 1.0
    return entry(deck_tables(Position("2p").deck, 0.75), evaluators, states, new_states())


def test_a_card_in_hand_counts_for_one_coatl_only(entry: Evaluate) -> None:
    one = evaluated(entry, Position("2p | hand=!RR! coatl=BRRB").states, open_coatl=1.0)
    two = evaluated(entry, Position("2p | hand=!RR! coatl=BRRB coatl=BRRB").states, open_coatl=1.0)
    assert one == two > 0


@pytest.mark.parametrize(
    ("end", "turns_left", "is_last"),
    [(END_NONE, 0, False), (END_BODIES, 2, False), (END_BODIES, 1, True), (END_BODIES, 0, True)],
)
def test_E3_what_is_not_complete_counts_until_the_last_turn(
    entry: Evaluate, end: int, turns_left: int, is_last: bool
) -> None:
    """With two players, somebody who is to move again has another turn."""
    states = Position("2p | hand=!RR! coatl=BRRB").states
    states["end"], states["turns_left"] = end, turns_left
    assert (evaluated(entry, states, open_coatl=1.0) == 0) == is_last
