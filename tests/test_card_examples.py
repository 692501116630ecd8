"""Examples for cards: each is what it claims to be, for every card and every level."""

from __future__ import annotations

import pytest

from coatl.card_examples import (
    CLAUSES,
    CardExample,
    failing_example,
    prophecy_examples,
    temple_examples,
)
from coatl.rulebook import LANGUAGES, Language, load
from coatl.rules.cards import Prophecy, Temple, closes_too_early, standard_deck
from coatl.rules.pieces import COLOURS

DECK = standard_deck()
BODIES = 24  # of each colour (C2)


def prophecies_of(example: CardExample) -> list[Prophecy]:
    return [DECK.prophecies[DECK.prophecy_ids[name]] for name in example.cards]


def assert_can_lie_on_a_table(example: CardExample) -> None:
    coatl = example.coatl
    assert coatl.startswith("<")
    assert coatl.endswith(">")
    assert not closes_too_early(coatl)
    assert max(coatl.count(colour) for colour in COLOURS) <= BODIES
    assert all(card.points(coatl) > 0 for card in prophecies_of(example))


@pytest.mark.parametrize("card", DECK.prophecies, ids=lambda card: card.name)
def test_a_prophecy_card_has_an_example_for_each_level(card: Prophecy) -> None:
    examples = prophecy_examples(card)
    assert [example.times for example in examples] == sorted(card.levels)
    for example in examples:
        matches = card.matches(example.coatl)
        assert (matches.times, matches.points) == (example.times, example.points)
        assert example.points == card.levels[example.times]
        assert set(example.lit) == {at + 1 for match in matches.positions for at in match}
        assert_can_lie_on_a_table(example)


@pytest.mark.parametrize("card", DECK.temples, ids=lambda card: card.name)
def test_a_temple_card_has_an_example_for_each_level(card: Temple) -> None:
    examples = temple_examples(card)
    assert [sum(example.met) for example in examples] == list(range(1, len(card.requirements) + 1))
    for example, points in zip(examples, card.levels, strict=True):
        beside = prophecies_of(example)
        assert card.met(example.coatl, beside) == example.met
        assert card.points(example.coatl, beside) == example.points == points
        assert_can_lie_on_a_table(example)


@pytest.mark.parametrize("card", [*DECK.prophecies, *DECK.temples], ids=lambda card: card.name)
def test_every_card_has_an_example_that_fails_and_the_reason(card: Prophecy | Temple) -> None:
    example = failing_example(card)
    beside = prophecies_of(example)
    points = (
        card.points(example.coatl, beside)
        if isinstance(card, Temple)
        else card.points(example.coatl)
    )
    assert (points, example.points) == (0, 0)
    assert_can_lie_on_a_table(example)
    assert example.clause in CLAUSES.values()
    reasons = {failing_example(card, language).why for language in LANGUAGES}
    assert len(reasons) == len(LANGUAGES)


def test_a_failing_example_nearly_meets_its_card() -> None:
    """One piece away, or read from the other end."""
    for card in DECK.prophecies:
        coatl = failing_example(card).coatl[1:-1]
        changed = [coatl[:at] + coatl[at + 1 :] for at in range(len(coatl))]
        changed += [coatl[:at] + c + coatl[at:] for at in range(len(coatl) + 1) for c in COLOURS]
        assert any(card.points(one) for one in (*changed, coatl[::-1])), card.name


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_clause_of_a_reason_is_one_of_the_rules(language: Language) -> None:
    for clause in CLAUSES.values():
        assert load(language).clause(clause).is_clause
