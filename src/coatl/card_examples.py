"""Examples for cards: a Cóatl for each level of a card and one that just fails, found by the rules.

>>> import coatl
>>> card = coatl.prophecies()[5]
>>> [(found.coatl, found.points) for found in prophecy_examples(card)]
[('<KYYG>', 2), ('<YYKYY>', 5)]
>>> failing_example(card).coatl
'<KYYYG>'
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import lru_cache
from itertools import cycle, islice, product
from typing import Literal

import msgspec

from coatl.rulebook import Language, load_example_words
from coatl.rules.cards import Deck, Prophecy, Requirement, Temple, standard_deck
from coatl.rules.patterns import Pattern
from coatl.rules.pieces import COLOUR_NAMES, COLOURS

Why = Literal["mirror", "between", "parted", "neighbour", "empty", "too_few", "nothing"]

# The clause that says why a Cóatl fails.
CLAUSES: dict[Why, str] = {
    "mirror": "Q2",
    "between": "Q2",
    "parted": "Q6",
    "neighbour": "Q5",
    "empty": "R4",
    "too_few": "Q4",
    "nothing": "Q7",
}
TRIES = 50_000  # Cóatl that are looked at until a Temple card has one
LENGTHS = (5, 6, 7, 8)  # of those, where a card does not say how long they are


class CardExample(msgspec.Struct, frozen=True, omit_defaults=True):
    """A complete Cóatl, and what a card is worth on it."""

    coatl: str  # as in the notation
    points: int  # of the card
    times: int = 0  # a Prophecy card is met
    lit: tuple[int, ...] = ()  # the pieces that it counts, from 1 at the head
    met: tuple[bool, ...] = ()  # of a Temple card, by requirement
    cards: tuple[str, ...] = ()  # Prophecy cards beside it, where a Temple card asks about them
    clause: str = ""  # where it fails: the clause that says so
    why: str = ""  # the same in words


@lru_cache(maxsize=256)
def prophecy_examples(card: Prophecy) -> tuple[CardExample, ...]:
    """For each level, the lowest first, a Cóatl that meets the card exactly so often."""
    return tuple(_prophecy_example(card, level) for level in sorted(card.levels))


@lru_cache(maxsize=256)
def temple_examples(card: Temple) -> tuple[CardExample, ...]:
    """For each number of its requirements, from 1 on, a Cóatl that meets exactly so many."""
    n = len(card.requirements)
    return tuple(_temple_example(card, met) for met in range(1, n + 1))


@lru_cache(maxsize=1024)
def failing_example(card: Prophecy | Temple, language: Language = "en") -> CardExample:
    """A Cóatl that looks as if it met the card, and does not; with the reason."""
    why: Why = "nothing"
    if isinstance(card, Temple):
        found = _temple_example(card, 0)
    else:
        why, coatl = _failing(card)
        found = CardExample(coatl, 0)
    words = load_example_words(language)
    return msgspec.structs.replace(found, clause=CLAUSES[why], why=getattr(words, why))


# ---------------------------------------------------------------- Prophecy cards


def _prophecy_example(card: Prophecy, level: int) -> CardExample:
    for coatl in _meeting_coatls(card, level):
        matches = card.matches(coatl)
        if matches.times == level:
            lit = sorted(at + 1 for match in matches.positions for at in match)
            return CardExample(coatl, matches.points, level, tuple(lit))
    raise ValueError(f"no Cóatl was found that meets {card.name} {level}x")


def _meeting_coatls(card: Prophecy, level: int) -> Iterator[str]:
    """Cóatl that may meet a card so often: the more likely and the clearer ones first."""
    others = _other_colours(card.pattern)
    if card.pattern.is_set:
        pieces = "".join(_mixed(card.pattern.needs, level))
        cores: Iterator[str] = iter([_spread(pieces, others), pieces])
    else:
        cores = (
            separator.join([_match(card.pattern, long=True), *[_match(card.pattern)] * (level - 1)])
            for separator in (*others, "", *COLOURS)
        )
    is_last = level == max(card.levels) and level > 1
    for core in cores:
        within = [f"<{head}{core}{tail}>" for head, tail in _ends(others)]
        alone = [f"<{core}>"] if len(core) > 2 else []
        yield from (*alone, *within) if is_last else (*within, *alone)


def _ends(others: str) -> list[tuple[str, str]]:
    """A head and a tail of colours that the card does not ask for, if there are any."""
    colours = others or COLOURS
    return [(colours[0], colours[-1]), *product(colours, colours)]


def _other_colours(pattern: Pattern) -> str:
    used = {item.colour for item in pattern.items}
    used |= {colour for colour, n in enumerate(pattern.needs) if n}
    return "".join(letter for colour, letter in enumerate(COLOURS) if colour not in used)


def _match(pattern: Pattern, long: bool = False) -> str:
    """The pieces of one match; a long one has two pieces where one or more may be."""
    others = cycle(_other_colours(pattern) or COLOURS)
    text = ""
    for item in pattern.items:
        n = 2 if long and item.repeats else 1
        text += "".join(islice(others, n)) if item.colour is None else COLOURS[item.colour] * n
    return text


def _mixed(needs: tuple[int, ...], times: int) -> Iterator[str]:
    """All pieces of a set, one of each colour in turn: their order does not matter."""
    left = [n * times for n in needs]
    while any(left):
        for colour, n in enumerate(left):
            if n:
                yield COLOURS[colour]
                left[colour] -= 1


def _spread(pieces: str, others: str) -> str:
    """With another colour after every second piece, to show that they need not stand together."""
    if not others:
        return pieces
    between, text = cycle(others), pieces[:2]
    for at in range(2, len(pieces), 2):
        text += next(between) + pieces[at : at + 2]
    return text


def _failing(card: Prophecy) -> tuple[Why, str]:
    for why, coatl in _failing_coatls(card):
        if card.points(coatl) == 0:
            return why, coatl
    raise ValueError(f"no Cóatl was found that fails {card.name}")


def _failing_coatls(card: Prophecy) -> Iterator[tuple[Why, str]]:
    pattern, others = card.pattern, _other_colours(card.pattern)
    head, tail = _ends(others)[0]
    if pattern.is_set:
        pieces = "".join(_mixed(pattern.needs, min(card.levels)))[:-1]
        for end in (tail, *COLOURS):
            yield "too_few", f"<{head}{_spread(pieces, others)}{end}>"
    match = _match(pattern)
    if pattern.not_after is not None:
        yield "neighbour", f"<{head}{match}{COLOURS[pattern.not_after]}{tail}>"
    coloured = [COLOURS[item.colour] for item in pattern.items if item.colour is not None]
    if len(coloured) < len(pattern.items):
        yield "empty", f"<{head}{''.join(coloured)}{tail}>"
    if any(item.repeats for item in pattern.items):
        yield from (("parted", coatl) for coatl in _parted(match, head, tail, others))
    yield "mirror", f"<{head}{match[::-1]}{tail}>"
    yield "mirror", f"<{match[::-1]}>"
    yield from (("between", coatl) for coatl in _parted(match, head, tail, others))


def _parted(match: str, head: str, tail: str, others: str) -> Iterator[str]:
    for between in others or COLOURS:
        yield f"<{head}{match[:-1]}{between}{match[-1]}{tail}>"


# ---------------------------------------------------------------- Temple cards


def _temple_example(card: Temple, met: int) -> CardExample:
    """One that meets the first so many requirements, or else any so many."""
    deck = standard_deck()
    wanted = tuple(at < met for at in range(len(card.requirements)))
    fallback = None
    for coatl, cards in islice(_any_coatls(card, deck), TRIES):
        found = card.met(coatl, cards)
        if sum(found) != met:
            continue
        names = tuple(one.name for one in cards)
        example = CardExample(coatl, card.points_for(found), met=found, cards=names)
        if found == wanted:
            return example
        fallback = fallback or example
    if fallback is None:
        raise ValueError(f"no Cóatl was found that meets {met} requirements of {card.name}")
    return fallback


def _any_coatls(card: Temple, deck: Deck) -> Iterator[tuple[str, tuple[Prophecy, ...]]]:
    """Random Cóatl, always the same ones, of lengths that matter; with a card if that matters."""
    chance = random.Random(card.name)
    exact = [r.a for r in card.requirements if r.kind is Requirement.EXACTLY]
    asked = [r.a for r in card.requirements if r.kind is Requirement.NO_PROPHECY]
    lengths = (*exact, *exact, *(n + 1 for n in exact), *(n - 1 for n in exact)) or LENGTHS
    while True:
        coatl = "".join(chance.choices(COLOURS, k=chance.choice(lengths)))
        if not asked:
            yield f"<{coatl}>", ()
            continue
        fitting = [one for one in deck.prophecies if not one.promo and one.points(coatl)]
        if fitting:
            yield f"<{coatl}>", (chance.choice(_two_kinds(fitting, asked)),)


def _two_kinds(cards: list[Prophecy], asked: list[int]) -> list[Prophecy]:
    """One of a card colour that is asked about, if there is, and one of another."""
    of_colour = [one for one in cards if COLOUR_NAMES.index(one.colour) in asked]
    return of_colour[:1] + [one for one in cards if one not in of_colour][:1]
