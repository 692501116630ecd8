"""Cards in words: a sentence for each, made from its pattern, so that any deck has one.

>>> import coatl
>>> print(prophecy_sentence(coatl.prophecies()[5]))
Two yellow in a row, with no yellow beside them: once 2 points, twice 5.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from coatl.rules.cards import Prophecy, Requirement, Temple, TempleRequirement
from coatl.rules.patterns import Item, Pattern
from coatl.rules.pieces import COLOUR_NAMES

NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
TIMES = {1: "once", 2: "twice"}


def prophecy_sentence(card: Prophecy) -> str:
    """What a Prophecy card asks for, and its points by level (Q1-Q6)."""
    return _sentence(f"{prophecy_requirement(card)}: {levels_text(card)}")


def prophecy_requirement(card: Prophecy) -> str:
    """What a Prophecy card asks for, without its points."""
    pattern = card.pattern
    if pattern.is_set:
        return _set_text(pattern)
    items = _list_items(pattern.items)
    if pattern.shortest == 1 and not pattern.items[0].repeats:
        text = f"a {items[0]} piece" if pattern.items[0].colour is not None else "any piece"
    elif len(items) == 1:
        text = f"{items[0]} in a row"
    else:
        text = f"from head to tail {', '.join(items[:-1])} then {items[-1]}"
    return text + _neighbours_text(pattern)


def levels_text(card: Prophecy) -> str:
    """Points by level: ``once 2 points, twice 5``; ``5 points`` where once is all."""
    (first, points), *more = sorted(card.levels.items())
    text = _points(points)
    if first > 1 or more:
        text = f"{_count_text(card, first)} {text}"
    return ", ".join([text, *(f"{_count_text(card, times)} {n}" for times, n in more)])


def _count_text(card: Prophecy, times: int) -> str:
    if card.pattern.is_set and card.pattern.shortest == 1:
        return _number(times) if times < len(NUMBERS) else f"{times} of them"
    return TIMES.get(times, f"{_number(times)} times")


def _set_text(pattern: Pattern) -> str:
    needs = [(n, colour) for colour, n in enumerate(pattern.needs) if n]
    if pattern.shortest == 1:
        return f"{COLOUR_NAMES[needs[0][1]]} pieces anywhere"
    parts = [f"{_number(n)} {COLOUR_NAMES[colour]}" for n, colour in needs]
    return f"{_and(parts)} anywhere, in any order"


def _list_items(items: Sequence[Item]) -> list[str]:
    texts = []
    for item, run in groupby(items):
        n = len(list(run))
        if item.repeats:
            texts += [f"one or more {_colour(item)}"] * n
        elif n > 1 or item.colour is None:
            texts.append(f"{_number(n)} {_colour(item)}")
        else:
            texts.append(_colour(item))
    return texts


def _colour(item: Item) -> str:
    return "of any colour" if item.colour is None else COLOUR_NAMES[item.colour]


def _neighbours_text(pattern: Pattern) -> str:
    """Q5: which colours may not stand beside the match."""
    before, after = pattern.not_before, pattern.not_after
    if before is not None and before == after:
        return f", with no {COLOUR_NAMES[before]} beside them"
    parts = []
    if before is not None:
        parts.append(f"no {COLOUR_NAMES[before]} just before")
    if after is not None:
        parts.append(f"no {COLOUR_NAMES[after]} just after")
    return f", with {_and(parts)}" if parts else ""


def temple_sentence(card: Temple) -> str:
    """What a Temple card asks for, and its points (Q7)."""
    requirements = "; ".join(requirement_text(requirement) for requirement in card.requirements)
    if len(card.levels) == 1:
        return _sentence(f"{requirements}: {_points(card.levels[0])}")
    parts = [
        f"{'all' if met == len(card.levels) else NUMBERS[met]} {points}"
        for met, points in enumerate(card.levels, 1)
    ]
    parts[0] = f"one {_points(card.levels[0])}"
    if len(card.levels) == 2:
        parts[1] = f"both {card.levels[1]}"
    return _sentence(f"{requirements}: {', '.join(parts)}")


def requirement_text(requirement: TempleRequirement) -> str:
    a, b = requirement.a, requirement.b
    match requirement.kind:
        case Requirement.NONE_OF:
            return f"no {COLOUR_NAMES[a]} piece"
        case Requirement.EQUAL:
            return f"as many {COLOUR_NAMES[a]} as {COLOUR_NAMES[b]} pieces, at least one each"
        case Requirement.EXACTLY:
            return f"exactly {a} pieces"
        case Requirement.NO_PROPHECY:
            return f"no {COLOUR_NAMES[a]} Prophecy card on it"


def _points(n: int) -> str:
    return f"{n} point" + ("" if n == 1 else "s")


def _number(n: int) -> str:
    return NUMBERS[n] if n < len(NUMBERS) else str(n)


def _and(parts: Sequence[str]) -> str:
    return " and ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts)


def _sentence(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}."
