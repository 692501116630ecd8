"""Cards in words: a sentence for each, made from its pattern, so that any deck has one.

>>> import coatl
>>> print(prophecy_sentence(coatl.prophecies()[5]))
Two yellow in a row, with no yellow beside them: once 2 points, twice 5.
>>> print(prophecy_sentence(coatl.prophecies()[5], "de"))
Zwei gelbe Teile in Folge, ohne gelbes daneben: einmal 2 Punkte, zweimal 5.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from coatl.rulebook import CardWords, Language, load_card_words
from coatl.rules.cards import Prophecy, Requirement, Temple, TempleRequirement
from coatl.rules.patterns import Item, Pattern


def prophecy_sentence(card: Prophecy, language: Language = "en") -> str:
    """What a Prophecy card asks for, and its points by level (Q1-Q6)."""
    colon = load_card_words(language).colon
    requirement, levels = prophecy_requirement(card, language), levels_text(card, language)
    return _sentence(f"{requirement}{colon}{levels}")


def prophecy_requirement(card: Prophecy, language: Language = "en") -> str:
    """What a Prophecy card asks for, without its points."""
    words, pattern = load_card_words(language), card.pattern
    if pattern.is_set:
        return _set_text(pattern, words)
    items = _list_items(pattern.items, words)
    first = pattern.items[0]
    if pattern.shortest == 1 and not first.repeats:
        text = words.any_alone if first.colour is None else words.alone[first.colour]
    elif len(items) == 1:
        text = words.in_a_row.format(pieces=items[0])
    else:
        text = words.from_head.format(pieces=f"{', '.join(items[:-1])}{words.then}{items[-1]}")
    return text + _neighbours_text(pattern, words)


def prophecy_asks(card: Prophecy, language: Language = "en") -> str:
    """The same as a sentence."""
    return _sentence(prophecy_requirement(card, language))


def levels_text(card: Prophecy, language: Language = "en") -> str:
    """Points by level: ``once 2 points, twice 5``; ``5 points`` where once is all."""
    words = load_card_words(language)
    (first, points), *more = sorted(card.levels.items())
    if first == 1 and not more:
        return _points(points, words)
    is_count = card.pattern.is_set and card.pattern.shortest == 1
    template = words.level_count if is_count else words.level
    times = _count_text if is_count else _times_text
    parts = [template.format(times=times(first, words), points=_points(points, words))]
    parts += [template.format(times=times(level, words), points=n) for level, n in more]
    return ", ".join(parts)


def _count_text(n: int, words: CardWords) -> str:
    return words.numbers[n] if n < len(words.numbers) else words.large_count.format(n=n)


def _times_text(n: int, words: CardWords) -> str:
    if n <= 2:
        return words.once if n == 1 else words.twice
    return words.times.format(n=_number(n, words))


def _set_text(pattern: Pattern, words: CardWords) -> str:
    needs = [(n, colour) for colour, n in enumerate(pattern.needs) if n]
    if pattern.shortest == 1:
        return words.all_of[needs[0][1]]
    parts = [_counted(n, colour, words, not at) for at, (n, colour) in enumerate(needs)]
    return words.anywhere.format(pieces=_and(parts, words))


def _counted(n: int, colour: int, words: CardWords, first: bool) -> str:
    if n == 1:
        return (words.counted_first if first else words.counted)[colour]
    return f"{_number(n, words)} {_many(colour, words, first)}"


def _many(colour: int, words: CardWords, first: bool) -> str:
    return (words.many_first if first else words.many)[colour]


def _list_items(items: Sequence[Item], words: CardWords) -> list[str]:
    texts: list[str] = []
    for item, run in groupby(items):
        n, first = len(list(run)), not texts
        if item.repeats:
            texts += [_repeated(item, words, first and not at) for at in range(n)]
        elif item.colour is None:
            texts.append(words.any_some.format(n=_number(n, words)))
        elif n > 1:
            texts.append(f"{_number(n, words)} {_many(item.colour, words, first)}")
        else:
            texts.append((words.single_first if first else words.single)[item.colour])
    return texts


def _repeated(item: Item, words: CardWords, first: bool) -> str:
    if item.colour is None:
        return words.any_or_more
    return words.one_or_more.format(colour=_many(item.colour, words, first))


def _neighbours_text(pattern: Pattern, words: CardWords) -> str:
    """Q5: which colours may not stand beside the match."""
    before, after = pattern.not_before, pattern.not_after
    if before is not None and before == after:
        parts = [words.none_beside[before]]
    else:
        parts = [] if before is None else [words.none_before[before]]
        parts += [] if after is None else [words.none_after[after]]
    return words.neighbours.format(parts=_and(parts, words)) if parts else ""


def temple_sentence(card: Temple, language: Language = "en") -> str:
    """What a Temple card asks for, and its points (Q7)."""
    words = load_card_words(language)
    points = _points(card.levels[0], words)
    if len(card.levels) > 1:
        parts = [words.met.format(met=words.met_one, points=points)]
        for met, more in enumerate(card.levels[1:], 2):
            parts.append(words.met.format(met=_met_text(met, len(card.levels), words), points=more))
        points = ", ".join(parts)
    return _sentence(f"{_temple_requirements(card, language)}{words.colon}{points}")


def temple_asks(card: Temple, language: Language = "en") -> str:
    """What a Temple card asks for, without its points."""
    return _sentence(_temple_requirements(card, language))


def _temple_requirements(card: Temple, language: Language) -> str:
    texts = [requirement_text(requirement, language) for requirement in card.requirements]
    return load_card_words(language).semicolon.join(texts)


def _met_text(met: int, of: int, words: CardWords) -> str:
    if met < of:
        return words.numbers[met]
    return words.met_both if of == 2 else words.met_all


def requirement_text(requirement: TempleRequirement, language: Language = "en") -> str:
    words = load_card_words(language)
    a, b = requirement.a, requirement.b
    match requirement.kind:
        case Requirement.NONE_OF:
            return words.none_of[a]
        case Requirement.EQUAL:
            return words.equal.format(first=words.many[a], second=words.many[b])
        case Requirement.EXACTLY:
            return words.exactly.format(n=a)
        case Requirement.NO_PROPHECY:
            return words.no_prophecy[a]


def _points(n: int, words: CardWords) -> str:
    return (words.point if n == 1 else words.points).format(n=n)


def _number(n: int, words: CardWords) -> str:
    return words.numbers[n] if n < len(words.numbers) else str(n)


def _and(parts: Sequence[str], words: CardWords) -> str:
    return words.and_.join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts)


def _sentence(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}."
