"""The cards counted the slow way, from the list and the notation of CARDS.md alone (section 4).

Nothing here comes from the package: the card list is a second transcription of CARDS.md, and a
pattern is tried on every span of a Cóatl. Tests hold the automata of the package against this.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping
from functools import cache
from itertools import product
from random import Random
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

COLOURS = "KRBYG"
LETTERS = "ABCDE"  # colours without a name, see `renamed`

Span = tuple[int, int]
Times = npt.NDArray[np.int64]


class Printed(NamedTuple):
    """A Prophecy card as CARDS.md lists it."""

    pattern: str
    colour: str
    copies: int
    levels: Mapping[int, int]
    promo: bool = False


class PrintedTemple(NamedTuple):
    """A Temple card as CARDS.md lists it."""

    requirements: tuple[str, ...]
    points: tuple[int, ...]
    promo: bool = False


def _prophecies() -> Iterator[Printed]:
    for c in "YRKGB":
        yield Printed(f"{{{c}}}", "red", 2, {3: 2, 4: 3, 5: 4, 6: 5})
    for c in "YRKGB":
        yield Printed(f"!{c} {c} {c} !{c}", "black", 1, {1: 2, 2: 5})
    for c in "YRKGB":
        yield Printed(f"{c} {c} {c}", "black", 1, {1: 3, 2: 7})
    for text in ("YG", "RK", "YB", "GB", "KG", "YK", "RB"):
        yield Printed(" ".join(text), "blue", 1, {1: 1, 2: 3, 3: 5})
    for text in ("KBKB", "YRYR", "RGRG"):
        yield Printed(" ".join(text), "blue", 1, {1: 5})
    for text in ("RRRGG", "KKGGG", "YYBBB"):
        yield Printed(" ".join(text), "yellow", 1, {1: 6})
    for text in ("BBYY", "RRBB", "KKYY", "GGRR"):
        yield Printed(" ".join(text), "yellow", 1, {1: 4})
    for text in ("YKRGB", "RKBYG", "KGRBY"):
        yield Printed(" ".join(text), "yellow", 1, {1: 7})
    for text in ("YKR", "GYK", "YBG", "BGK", "RKB", "RBY", "GRK", "GYG", "BGB"):
        yield Printed(f"{text[0]} {text[1]}+ {text[2]}", "green", 1, {1: 2, 2: 6})
    for a, b in ("KY", "GK", "KB", "YR", "RB"):
        yield Printed(f"{a} {b} *+ {b} {a}", "green", 1, {1: 4})
    for text in ("YYGGR", "KKBBR", "RRKKG"):
        yield Printed(f"{{{text}}}", "red", 1, {1: 3}, promo=True)
    for text in ("YYKKRB", "GGBBYK", "YYRRGB"):
        yield Printed(f"{{{text}}}", "red", 1, {1: 4}, promo=True)


PROPHECIES = tuple(_prophecies())
TEMPLES = (
    *(
        PrintedTemple(tuple(text.split("/")), (3, 7))
        for text in (
            *("no Y/7", "no K/8", "no G/9", "no B/10", "no R/11"),
            *("R=Y/12", "Y=G/6", "B=K/9", "R=G/6", "B=Y/12"),
            *("no K/B=R", "no B/K=R", "no G/K=Y", "no R/B=G", "no Y/K=G"),
        )
    ),
    PrintedTemple(("no blue", "R=B", "10"), (3, 6, 10), promo=True),
    PrintedTemple(("no red", "Y=K"), (3, 7), promo=True),
    PrintedTemple(("no black", "11"), (3, 7), promo=True),
    PrintedTemple(("no green", "8"), (3, 7), promo=True),
    PrintedTemple(("no yellow", "no G"), (3, 7), promo=True),
)


def times(pattern: str, colours: str) -> int:
    """How often a Cóatl satisfies a pattern, as often as possible (Q3)."""
    if pattern.startswith("{"):
        counts = Counter(colours)
        return min(counts[c] // need for c, need in Counter(pattern.strip("{}")).items())
    return most_disjoint(spans(pattern, colours))


def points(card_levels: Mapping[int, int], times: int) -> int:
    """The highest level reached, once (Q4)."""
    reached = [level for level in card_levels if level <= times]
    return card_levels[max(reached)] if reached else 0


def spans(pattern: str, colours: str) -> list[Span]:
    """Every [start, end) that matches a sequence, its neighbours being as Q5 wants them."""
    before, pieces, after = _read_sequence(pattern)
    found = []
    for start in range(len(colours)):
        if (before and colours[:start].endswith(before)) or not pieces.match(colours, start):
            continue
        for end in range(start + 1, len(colours) + 1):
            broken = after and colours[end:].startswith(after)
            if not broken and pieces.fullmatch(colours, start, end):
                found.append((start, end))
    return found


@cache
def _read_sequence(pattern: str) -> tuple[str, re.Pattern[str], str]:
    """The colour forbidden before (or ""), the pieces themselves, the colour forbidden after."""
    words = pattern.split()
    before = words.pop(0)[1:] if words[0].startswith("!") else ""
    after = words.pop()[1:] if words[-1].startswith("!") else ""
    return before, re.compile("".join(words).replace("*", ".")), after


def most_disjoint(found: list[Span]) -> int:
    """The size of the largest set of spans that do not overlap, by dynamic programming."""
    starts: dict[int, list[int]] = defaultdict(list)
    for start, end in found:
        starts[end].append(start)
    best = [0]  # best[n]: with spans that lie in the first n pieces
    for end in range(1, max(starts, default=0) + 1):
        best.append(max([best[end - 1], *(best[start] + 1 for start in starts[end])]))
    return best[-1]


def renamed(pattern: str) -> tuple[str, dict[str, str]]:
    """A pattern with its colours called A, B, C in order, and the letter for each colour.

    The matcher above only ever asks whether two letters are the same, so renaming the colours of
    pattern and Cóatl alike changes nothing. A colour the pattern does not name fails or passes
    every such question exactly as any other such colour does, so all of them get one letter.
    """
    named = "".join(dict.fromkeys(c for c in pattern if c in COLOURS))
    letters = {c: LETTERS[named.index(c) if c in named else len(named)] for c in COLOURS}
    return "".join(letters.get(c, c) for c in pattern), letters


@cache
def all_times(pattern: str, letters: str, length: int) -> Times:
    """`times` of all words of a length over some letters, in alphabetical order."""
    words = ("".join(word) for word in product(letters, repeat=length))
    return np.array([times(pattern, word) for word in words], np.int64)


def times_of_all(pattern: str, coatls: Times) -> Times:
    """`times` of Cóatl given as numbers, coatls[piece, which], by way of the renamed pattern."""
    shape, letters = renamed(pattern)
    used = "".join(sorted(set(letters.values())))
    code = np.array([used.index(letters[c]) for c in COLOURS])
    place = np.zeros(coatls.shape[1], np.int64)
    for piece in coatls:
        place = place * len(used) + code[piece]
    return all_times(shape, used, len(coatls))[place]


def fewest_additions(
    pattern: str, colours: str, goal: int, left: bool, right: bool, limit: int
) -> int | None:
    """The fewest pieces (at most `limit`) that, attached at open ends, reach `goal` times."""
    shape, letters = renamed(pattern)
    word = "".join(letters[c] for c in colours)
    for n in range(limit + 1):
        for added in product(sorted(set(letters.values())), repeat=n):
            for n_left in range(n + 1):
                if (n_left == 0 or left) and (n_left == n or right):
                    before, after = "".join(added[:n_left]), "".join(added[n_left:])
                    if times(shape, before + word + after) >= goal:
                        return n
    return None


def requirement_met(requirement: str, colours: str, card_colours: Collection[str]) -> bool:
    """Q7: one requirement of a Temple card; `card_colours` are those of the cards on the Cóatl."""
    if requirement.isdigit():
        return len(colours) == int(requirement)
    if "=" in requirement:
        a, b = requirement.split("=")
        return colours.count(a) == colours.count(b) >= 1
    forbidden = requirement.removeprefix("no ")
    return forbidden not in (colours if forbidden in COLOURS else card_colours)


def temple_points(temple: PrintedTemple, colours: str, card_colours: Collection[str] = ()) -> int:
    """Q7: points by the number of requirements met."""
    met = sum(requirement_met(text, colours, card_colours) for text in temple.requirements)
    return (0, *temple.points)[met]


def sample(random: Random, pattern: str, length: int) -> str:
    """A Cóatl in which the pattern, whole or in part, is likely: fragments of it, and noise."""
    colours = ""
    while len(colours) < length:
        whole = _example(random, pattern)
        start = random.choice((0, 0, 0, random.randrange(len(whole))))
        end = random.choice((len(whole), len(whole), random.randint(start, len(whole))))
        colours += whole[start:end] + random.choice(("", "", random.choice(COLOURS)))
    return colours[:length]


def _example(random: Random, pattern: str) -> str:
    """A word that matches a pattern, its neighbours aside."""
    if pattern.startswith("{"):
        inside = pattern.strip("{}")
        return "".join(random.sample(inside, len(inside)))
    example = ""
    for word in pattern.split():
        if not word.startswith("!"):
            for _ in range(random.randint(1, 3) if word.endswith("+") else 1):
                example += random.choice(COLOURS) if word[0] == "*" else word[0]
    return example
