"""Prophecy and Temple cards: read from data, scored in plain Python (section 4 of the rules).

This module needs neither NumPy nor Numba. The kernel scores with the very same automata, laid
out as arrays by :mod:`coatl.rules.tables`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from functools import cached_property, lru_cache
from importlib import resources
from types import MappingProxyType

from coatl.rules import patterns
from coatl.rules.pieces import COLOUR_NAMES, COLOURS, N_COLOURS


class DeckError(ValueError):
    """A deck that cannot be used; the message says which card and why."""


class Requirement(IntEnum):
    """What a Temple card can ask for (Q7)."""

    NONE_OF = 0  # no piece of colour a
    EQUAL = 1  # as many pieces of colour a as of colour b, at least 1 each
    EXACTLY = 2  # exactly a pieces, head and tail counted
    NO_PROPHECY = 3  # no Prophecy card of card colour a on this Cóatl (promo)


@dataclass(frozen=True, slots=True)
class TempleRequirement:
    kind: Requirement
    a: int
    b: int = 0

    @property
    def text(self) -> str:
        match self.kind:
            case Requirement.NONE_OF:
                return f"no{COLOURS[self.a]}"
            case Requirement.EQUAL:
                return f"{COLOURS[self.a]}={COLOURS[self.b]}"
            case Requirement.EXACTLY:
                return str(self.a)
            case Requirement.NO_PROPHECY:
                return f"no{COLOUR_NAMES[self.a]}"

    def met(self, colours: Sequence[int], card_colours: Sequence[int]) -> bool:
        match self.kind:
            case Requirement.NONE_OF:
                return self.a not in colours
            case Requirement.EQUAL:
                return 0 < colours.count(self.a) == colours.count(self.b)
            case Requirement.EXACTLY:
                return len(colours) == self.a
            case Requirement.NO_PROPHECY:
                return self.a not in card_colours


@dataclass(frozen=True, slots=True)
class Lack:
    """The fewest pieces that would reach the next level, attached left and right (head to tail)."""

    left: str
    right: str


@dataclass(frozen=True, slots=True)
class Matches:
    """How far a Cóatl satisfies a Prophecy card."""

    positions: tuple[tuple[int, ...], ...]  # of each counted match, from 0 at the head
    points: int
    next_times: int | None  # matches asked for by the next level; None: no level is left
    next_points: int | None
    lacks: Lack | None  # None also where no pieces that can be attached would do

    @property
    def times(self) -> int:
        return len(self.positions)


@dataclass(frozen=True, eq=False)
class Prophecy:
    """A Prophecy card. ``levels`` maps times met to points (Q4)."""

    name: str
    colour: str
    copies: int
    levels: Mapping[int, int]
    pattern: patterns.Pattern
    promo: bool = False

    @cached_property
    def automaton(self) -> patterns.Automaton:
        return patterns.compile_pattern(self.pattern, max(self.levels))

    @property
    def needs(self) -> tuple[int, ...]:
        """Pieces of each colour A.D.A.M. collects: the highest level's (D4)."""
        return tuple(need * max(self.levels) for need in self.pattern.needs)

    @property
    def best_points(self) -> int:
        return self.levels[max(self.levels)]

    def points_for(self, times: int) -> int:
        """Points when the pattern is met `times` times: the highest level reached (Q4)."""
        return max((points for level, points in self.levels.items() if level <= times), default=0)

    def points(self, colours: str) -> int:
        """Points of a Cóatl written head to tail.

        >>> import coatl
        >>> coatl.prophecies()[24].points("YRGRGB")
        5
        """
        return self.points_for(self.automaton.count(read_colours(colours)))

    def matches(self, colours: str) -> Matches:
        """The pieces each counted match uses, and what the next level lacks.

        ``<`` and ``>`` mark ends that are closed by a head or a tail: nothing goes beyond (A4).
        """
        return _matches(self, colours)


@lru_cache(maxsize=65536)
def _matches(card: Prophecy, colours: str) -> Matches:
    pieces = read_colours(colours)
    positions = patterns.spans(card.pattern, pieces)
    following = min((level for level in card.levels if level > len(positions)), default=None)
    lacks = None
    if following is not None:
        can_left, can_right = not colours.startswith("<"), not colours.endswith(">")
        lacks = _fewest_pieces(card, pieces, following, can_left, can_right)
    return Matches(
        positions,
        card.points_for(len(positions)),
        following,
        None if following is None else card.levels[following],
        lacks,
    )


_Reached = dict[tuple[int, int], str]  # (automaton state, matches counted) -> colours read


def _fewest_pieces(
    card: Prophecy, pieces: list[int], times: int, can_left: bool, can_right: bool
) -> Lack | None:
    """The shortest addition after which the pattern is met `times` times; right end preferred."""
    longest = (card.pattern.shortest + 1) * times  # a separator each, where `!c` wants one
    before: list[_Reached] = [{(0, 0): ""}]
    for total in range(longest + 1):
        if can_left and total > 0:
            before.append(_one_more(card, before[-1], before))
        for n_left in range(total + 1 if can_left else 1):
            n_right = total - n_left
            if n_right and not can_right:
                continue
            for (state, counted), left in before[n_left].items():
                after: list[_Reached] = [{_walk(card, pieces, state, counted): ""}]
                for _ in range(n_right):
                    after.append(_one_more(card, after[-1], after))
                for (last, reached), right in after[n_right].items():
                    if reached + card.automaton.rows[last][patterns.END][1] >= times:
                        return Lack(left, right)
    return None


def _one_more(card: Prophecy, reached: _Reached, earlier: list[_Reached]) -> _Reached:
    """One piece further from each configuration, leaving out those met with fewer pieces."""
    further: _Reached = {}
    for (state, counted), text in reached.items():
        for colour in range(N_COLOURS):
            following, more = card.automaton.rows[state][colour]
            config = (following, counted + more)
            if config not in further and not any(config in known for known in earlier):
                further[config] = text + COLOURS[colour]
    return further


def _walk(card: Prophecy, pieces: list[int], state: int, counted: int) -> tuple[int, int]:
    for colour in pieces:
        state, more = card.automaton.rows[state][colour]
        counted += more
    return state, counted


@dataclass(frozen=True, eq=False)
class Temple:
    """A Temple card: points by the number of its requirements that are met (Q7)."""

    name: str
    requirements: tuple[TempleRequirement, ...]
    levels: tuple[int, ...]  # points for one requirement met, for two, ...
    promo: bool = False
    copies: int = 1

    def met(self, colours: str, prophecies: Iterable[Prophecy] = ()) -> tuple[bool, ...]:
        """Which requirements a Cóatl meets, with the Prophecy cards that lie on it."""
        pieces = read_colours(colours)
        card_colours = [COLOUR_NAMES.index(card.colour) for card in prophecies]
        return tuple(requirement.met(pieces, card_colours) for requirement in self.requirements)

    def points(self, colours: str, prophecies: Iterable[Prophecy] = ()) -> int:
        """Points of a Cóatl written head to tail.

        >>> import coatl
        >>> coatl.temples()[3].points("KRRYGKRRYG")
        7
        """
        met = sum(self.met(colours, prophecies))
        return self.levels[met - 1] if met else 0


@dataclass(frozen=True, eq=False)
class Deck:
    """All cards of a game, promo pack included; a card's id is its place in these tuples."""

    prophecies: tuple[Prophecy, ...]
    temples: tuple[Temple, ...]
    source: str = "deck"  # the file it was read from
    prophecy_ids: Mapping[str, int] = field(init=False)
    temple_ids: Mapping[str, int] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "prophecy_ids", _ids(self.prophecies))
        object.__setattr__(self, "temple_ids", _ids(self.temples))
        clash = set(self.prophecy_ids) & set(self.temple_ids)
        if clash:
            raise DeckError(f"a Prophecy and a Temple card are both named {min(clash)!r}")

    @cached_property
    def prophecy_names(self) -> tuple[str, ...]:
        return tuple(card.name for card in self.prophecies)

    @cached_property
    def temple_names(self) -> tuple[str, ...]:
        return tuple(card.name for card in self.temples)

    @cached_property
    def digest(self) -> str:
        """Tells decks apart: a hash of every card."""
        cards = [
            *(
                f"{c.pattern.text} {c.colour} {c.copies} {dict(c.levels)} {c.promo}"
                for c in self.prophecies
            ),
            *(f"{c.name} {c.copies} {c.levels} {c.promo}" for c in self.temples),
        ]
        return hashlib.sha256("\n".join(cards).encode()).hexdigest()[:32]

    def check_enough_for(self, players: int, promo: bool) -> None:
        """S3-S5, D2: raises `DeckError` if there are too few cards to set up a game."""
        prophecies = sum(card.copies for card in self.prophecies if promo or not card.promo)
        temples = sum(card.copies for card in self.temples if promo or not card.promo)
        dealt = 5 + 4 if players == 1 else sum(range(3, 3 + players))
        if prophecies < 6 + dealt:
            raise DeckError(
                f"{self.source}: {6 + dealt} Prophecy cards are needed; the deck has {prophecies}"
            )
        if prophecies > 127:
            raise DeckError(f"{self.source}: {prophecies} Prophecy cards; 127 at most")
        if temples > 127:
            raise DeckError(f"{self.source}: {temples} Temple cards; 127 at most")
        needed = 2 if players == 1 else players + 2
        if temples < needed:
            raise DeckError(
                f"{self.source}: {needed} Temple cards are needed; the deck has {temples}"
            )


def _ids(cards: Sequence[Prophecy | Temple]) -> Mapping[str, int]:
    ids: dict[str, int] = {}
    for number, card in enumerate(cards):
        if card.name in ids:
            raise DeckError(f"two cards are named {card.name!r}")
        ids[card.name] = number
    return MappingProxyType(ids)


def read_colours(text: str) -> list[int]:
    """Colour numbers of a Cóatl such as ``<KRRB`` or ``KRRBGY``, head to tail."""
    letters = text.removeprefix("<").removesuffix(">")
    try:
        return [COLOURS.index(letter) for letter in letters]
    except ValueError:
        raise ValueError(f"a Cóatl is written in the letters {COLOURS}, not {text!r}") from None


def card_name(pattern: str) -> str:
    """The short name of a pattern: no spaces, and `!` alone where it forbids its own colour."""
    words = pattern.split()
    if len(words) > 1 and words[0].startswith("!") and words[0][1:] == words[1].rstrip("+"):
        words[0] = "!"
    if len(words) > 1 and words[-1].startswith("!") and words[-1][1:] == words[-2].rstrip("+"):
        words[-1] = "!"
    return "".join(words)


@lru_cache(maxsize=1)
def standard_deck() -> Deck:
    """The printed cards, with the promo pack at the end (C3)."""
    from coatl.rules.deckfile import parse_deck  # which reads cards of these classes

    text = resources.files("coatl.rules").joinpath("cards.toml").read_text(encoding="utf-8")
    return parse_deck(text, "cards.toml")


def prophecies(promo: bool = False) -> tuple[Prophecy, ...]:
    """The 49 different Prophecy cards in the order of the card list; with the promo pack, 55."""
    return tuple(card for card in standard_deck().prophecies if promo or not card.promo)


def temples(promo: bool = False) -> tuple[Temple, ...]:
    """The 15 Temple cards in the order of the card list; with the promo pack, 20."""
    return tuple(card for card in standard_deck().temples if promo or not card.promo)
