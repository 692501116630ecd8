"""The pattern notation of Prophecy cards, and its compilation to counting automata.

A pattern is a *sequence* (``Y K+ R``, ``K Y *+ Y K``; ``!G G G !G`` is an isolated pair, with no
green beside it, Q5) or a *set* (``{YYGGR}``: those pieces anywhere). Either compiles to a small
deterministic automaton that reads a Cóatl from head to tail and counts matches. Taking the
earliest-ending match again and again gives the largest number of disjoint matches (Q3), so the
automaton starts afresh after each match.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import TypeVar

from coatl.rules.pieces import COLOURS, N_COLOURS

END = N_COLOURS  # the symbol after the last piece: "there is no piece there" (Q5, R1)
N_SYMBOLS = N_COLOURS + 1
MAX_STATES = 4096  # of one automaton

_TOKEN = re.compile(r"!(?P<forbidden>\S)|(?P<piece>[^\s!{}])(?P<plus>\+?)|\s+")


class PatternError(ValueError):
    """A pattern that cannot be read; the message says what was expected."""


@dataclass(frozen=True, slots=True)
class Item:
    """One symbol of a sequence: a colour (``None``: any), once or one-or-more times (Q6)."""

    colour: int | None
    repeats: bool

    def accepts(self, colour: int) -> bool:
        return self.colour is None or self.colour == colour


@dataclass(frozen=True, slots=True)
class Pattern:
    """A parsed pattern. ``needs`` is what A.D.A.M. collects for one repetition (D4)."""

    text: str
    items: tuple[Item, ...]  # empty for a set
    not_before: int | None  # Q5: colour that must not stand just before a match
    not_after: int | None
    needs: tuple[int, ...]  # pieces of each colour: `+` as one, `!` and `*` ignored (D4)

    @property
    def is_set(self) -> bool:
        return not self.items

    @property
    def shortest(self) -> int:
        """The fewest pieces one match takes."""
        return sum(self.needs) if self.is_set else len(self.items)


Rows = tuple[tuple[tuple[int, int], ...], ...]


@dataclass(frozen=True, slots=True)
class Automaton:
    """``rows[state][symbol] == (next state, 1 if a match is counted)``; state 0 is the start."""

    rows: Rows

    def count(self, colours: list[int]) -> int:
        state = times = 0
        for symbol in [*colours, END]:
            state, counted = self.rows[state][symbol]
            times += counted
        return times

    def most_in_part(self, colours: list[int]) -> int:
        """The most matches in any row of neighbouring pieces: `!c` may have been broken since."""
        most = 0
        for start in range(len(colours)):
            state = times = 0
            for symbol in colours[start:]:
                state, counted = self.rows[state][symbol]
                times += counted
                most = max(most, times + self.rows[state][END][1])
        return most


def colour_index(letter: str) -> int:
    if len(letter) != 1 or letter not in COLOURS:
        raise PatternError(f"unknown colour {letter!r}; the colours are {', '.join(COLOURS)}")
    return COLOURS.index(letter)


def parse(text: str) -> Pattern:
    """Read a pattern in the notation at the top of ``cards.toml``."""
    compact = text.strip()
    if not compact:
        raise PatternError("empty pattern")
    if compact.startswith("{"):
        return _parse_set(compact)
    return _parse_sequence(compact)


def _parse_set(text: str) -> Pattern:
    inside = text.removeprefix("{").removesuffix("}").replace(" ", "")
    if not text.endswith("}") or not inside:
        raise PatternError(f"a set is written like {{YYG}}, not {text!r}")
    needs = [0] * N_COLOURS
    for letter in inside:
        needs[colour_index(letter)] += 1
    return Pattern(text, (), None, None, tuple(needs))


def _parse_sequence(text: str) -> Pattern:
    items: list[Item] = []
    ends: list[tuple[int, int]] = []  # (number of items before it, colour) of every `!c`
    position = 0
    while position < len(text):
        token = _TOKEN.match(text, position)
        if token is None:
            raise PatternError(f"cannot read {text[position:]!r} in pattern {text!r}")
        if token["forbidden"]:
            ends.append((len(items), colour_index(token["forbidden"])))
        elif token["piece"]:
            colour = None if token["piece"] == "*" else colour_index(token["piece"])
            items.append(Item(colour, bool(token["plus"])))
        position = token.end()
    if not items:
        raise PatternError(f"pattern {text!r} has no piece to match")
    before = [colour for at, colour in ends if at == 0]
    after = [colour for at, colour in ends if at == len(items)]
    if len(before) > 1 or len(after) > 1 or len(before) + len(after) != len(ends):
        raise PatternError(f"{text!r}: one `!c` may stand at either end of a pattern only")
    needs = tuple(sum(item.colour == colour for item in items) for colour in range(N_COLOURS))
    first = before[0] if before else None
    last = after[0] if after else None
    return Pattern(text, tuple(items), first, last, needs)


Config = TypeVar("Config", bound=Hashable)
Step = Callable[[Config, int], tuple[Config, int]]


def compile_pattern(pattern: Pattern, most_times: int) -> Automaton:
    """The smallest automaton that counts `pattern`; a set is counted up to `most_times`."""
    if pattern.is_set and sum(pattern.needs) == 1:  # counting one colour needs no memory
        colour = pattern.needs.index(1)
        pattern = Pattern(pattern.text, (Item(colour, False),), None, None, pattern.needs)
    if pattern.is_set:
        return _minimised(_explore(_set_step(pattern, most_times), (0, (0,) * N_COLOURS)))
    start: tuple[frozenset[int], int] = (frozenset(), END)
    return _minimised(_explore(_sequence_step(pattern), start))


def _sequence_step(pattern: Pattern) -> Step[tuple[frozenset[int], int]]:
    """How a sequence is followed piece by piece.

    A configuration holds, for every match under way, how many items it has passed, and the colour
    just read where `not_before` needs it. A match with `not_after` is counted one symbol later,
    when its neighbour is known; that neighbour is not used up and may begin the next match (Q5).
    """
    items, length = pattern.items, len(pattern.items)

    def step(
        config: tuple[frozenset[int], int], symbol: int
    ) -> tuple[tuple[frozenset[int], int], int]:
        under_way, previous = config
        counted = 0
        if pattern.not_after is not None and length in under_way and symbol != pattern.not_after:
            counted, under_way = 1, frozenset()
        if symbol == END:
            return (frozenset(), END), counted
        may_start = pattern.not_before is None or previous != pattern.not_before
        passed = {
            reached
            for i in (under_way | {0} if may_start else under_way)
            for reached in _advance(items, i, symbol)
        }
        if pattern.not_after is None and length in passed:
            counted, passed = 1, set()
        remembered = symbol if symbol == pattern.not_before else END
        return (frozenset(passed), remembered), counted

    return step


def _advance(items: tuple[Item, ...], passed: int, colour: int) -> list[int]:
    """Where a match that has passed `passed` items can be after one more piece."""
    reached = []
    if passed < len(items) and items[passed].accepts(colour):
        reached.append(passed + 1)
    if passed > 0 and items[passed - 1].repeats and items[passed - 1].accepts(colour):
        reached.append(passed)
    return reached


def _set_step(pattern: Pattern, most_times: int) -> Step[tuple[int, tuple[int, ...]]]:
    """A set counts how many pieces of each colour were seen, as far as they can still matter."""

    def step(
        config: tuple[int, tuple[int, ...]], symbol: int
    ) -> tuple[tuple[int, tuple[int, ...]], int]:
        times, seen = config
        if symbol == END:
            return (0, (0,) * N_COLOURS), 0
        enough = pattern.needs[symbol] * most_times
        seen = tuple(
            min(n + (c == symbol), enough) if c == symbol else n for c, n in enumerate(seen)
        )
        complete = set_times(pattern, seen)
        return (complete, seen), complete - times

    return step


def set_times(pattern: Pattern, seen: tuple[int, ...]) -> int:
    """How often the pieces `seen` of each colour make up a whole set."""
    return min(seen[c] // need for c, need in enumerate(pattern.needs) if need)


def _explore(step: Step[Config], start: Config) -> Automaton:
    """All configurations reachable from `start`, numbered in the order they are met."""
    numbers = {start: 0}
    queue = [start]
    rows = []
    for config in queue:  # grows while it is read
        row = []
        for symbol in range(N_SYMBOLS):
            following, counted = step(config, symbol)
            if symbol == END:
                following = start
            if following not in numbers:
                if len(numbers) >= MAX_STATES:
                    raise PatternError("the pattern is too complicated")
                numbers[following] = len(numbers)
                queue.append(following)
            row.append((numbers[following], counted))
        rows.append(tuple(row))
    return Automaton(tuple(rows))


def _minimised(automaton: Automaton) -> Automaton:
    """Merge states that can never be told apart (Moore's partition refinement)."""
    block = [0] * len(automaton.rows)
    while True:
        signatures = [
            (block[state], tuple((block[following], counted) for following, counted in row))
            for state, row in enumerate(automaton.rows)
        ]
        numbers: dict[object, int] = {}
        refined = [numbers.setdefault(signature, len(numbers)) for signature in signatures]
        if refined == block:
            break
        block = refined
    representatives = [block.index(number) for number in range(len(numbers))]
    return Automaton(
        tuple(
            tuple((block[following], counted) for following, counted in automaton.rows[state])
            for state in representatives
        )
    )


def spans(pattern: Pattern, colours: list[int]) -> tuple[tuple[int, ...], ...]:
    """The positions used by each counted match, head to tail: earliest end, then fewest pieces."""
    if pattern.is_set:
        return _set_positions(pattern, colours)
    first, last = pattern.items[0], pattern.items[-1]
    found = []
    free = 0  # first position not used by a counted match
    for end in range(1, len(colours) + 1):
        if not last.accepts(colours[end - 1]):
            continue
        for start in range(end - len(pattern.items), free - 1, -1):
            if first.accepts(colours[start]) and _matches_exactly(pattern, colours, start, end):
                found.append(tuple(range(start, end)))
                free = end
                break
    return tuple(found)


def _matches_exactly(pattern: Pattern, colours: list[int], start: int, end: int) -> bool:
    """Does `colours[start:end]` match as a whole, with its neighbours as Q5 wants them?"""
    before = colours[start - 1] if start > 0 else END
    after = colours[end] if end < len(colours) else END
    if pattern.not_before is not None and before == pattern.not_before:
        return False
    if pattern.not_after is not None and after == pattern.not_after:
        return False
    reached = {0}
    for position in range(start, end):
        reached = {
            r for i in reached for r in _advance(pattern.items, i, colours[position]) if r > 0
        }
    return len(pattern.items) in reached


def _set_positions(pattern: Pattern, colours: list[int]) -> tuple[tuple[int, ...], ...]:
    where = [[i for i, c in enumerate(colours) if c == colour] for colour in range(N_COLOURS)]
    times = set_times(pattern, tuple(len(positions) for positions in where))
    return tuple(
        tuple(
            sorted(
                position
                for colour, need in enumerate(pattern.needs)
                for position in where[colour][k * need : (k + 1) * need]
            )
        )
        for k in range(times)
    )
