"""Which cards may lie on a Cóatl: those that some part of it satisfied when it was all (A3, R2)."""

from __future__ import annotations

from random import Random

import pytest

from coatl.compiler.functions import DISABLED
from coatl.rules.cards import Prophecy, prophecies
from tests.rules import brute_force
from tests.rules.brute_force import COLOURS, PROPHECIES

CARDS = list(zip(prophecies(promo=True), PROPHECIES, strict=True))
TRIES = 60
COATLS = 500 if DISABLED else 2000  # for each card


@pytest.mark.parametrize(("card", "printed"), CARDS, ids=lambda card: getattr(card, "name", ""))
def test_A3_a_card_may_have_been_met_where_any_part_meets_it(
    card: Prophecy, printed: brute_force.Printed
) -> None:
    random = Random(card.name)
    seen = set()
    for length in range(1, TRIES):
        colours = brute_force.sample(random, printed.pattern, 1 + length % 12)
        parts = {
            colours[start:end]
            for start in range(len(colours))
            for end in range(start + 1, len(colours) + 1)
        }
        met = any(
            brute_force.points(printed.levels, brute_force.times(printed.pattern, part)) > 0
            for part in parts
        )
        assert card.may_have_been_met(colours) == met
        seen.add(met)
    assert seen == {True, False}


def test_R2_only_a_neighbour_can_break_a_card() -> None:
    """Isolated pairs (Q5) may be broken by later pieces; no other card can."""
    for card in prophecies(promo=True):
        random = Random(card.name)
        coatls = ["".join(random.choices(COLOURS, k=8)) for _ in range(COATLS)]
        broken = [c for c in coatls if card.may_have_been_met(c) and not card.points(c)]
        assert bool(broken) == card.name.startswith("!")
