"""Prophecy and Temple cards: read from data, scored in plain Python (section 4 of the rules).

This module needs neither NumPy nor Numba. The kernel scores with the very same automata, laid
out as arrays by :mod:`coatl.rules.tables`.
"""

from __future__ import annotations

import hashlib
import itertools
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from functools import cache, cached_property, lru_cache, partial
from importlib import resources
from types import MappingProxyType

from coatl.rules import patterns
from coatl.rules.pieces import COLOUR_NAMES, COLOURS, N_COLOURS

MOST_EFFECTS = 4096  # of one card that are remembered; those of the game have at most 111


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

    def met(self, colours: Sequence[int], card_colours: Iterable[int]) -> bool:
        bits = sum(1 << colour for colour in set(card_colours))
        of_a, of_b = colours.count(self.a), colours.count(self.b)
        return is_met(self.kind, self.a, of_a, of_b, len(colours), bits)


def is_met(kind: int, a: int, of_a: int, of_b: int, length: int, card_colours: int) -> bool:
    """Q7: is a requirement met? The kernel compiles its own copy.

    `of_a`, `of_b` are the pieces of its colours on the Cóatl (Q1: whatever their shape), `length`
    all its pieces, `card_colours` bits of the card colours of the Prophecy cards laid.
    """
    if kind == Requirement.NONE_OF:
        return of_a == 0
    if kind == Requirement.EQUAL:
        return 0 < of_a == of_b
    if kind == Requirement.EXACTLY:
        return length == a
    return (card_colours >> a) & 1 == 0


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


def _unpickled_prophecy(
    name: str,
    colour: str,
    copies: int,
    levels: dict[int, int],
    pattern: patterns.Pattern,
    promo: bool,
) -> Prophecy:
    return Prophecy(name, colour, copies, MappingProxyType(levels), pattern, promo)


@dataclass(frozen=True, eq=False)
class Prophecy:
    """A Prophecy card. ``levels`` maps times met to points (Q4)."""

    name: str
    colour: str
    copies: int
    levels: Mapping[int, int]
    pattern: patterns.Pattern
    promo: bool = False

    def __reduce__(self) -> tuple[Callable[..., Prophecy], tuple[object, ...]]:
        """A read-only mapping cannot be pickled: its items are."""
        card = (self.name, self.colour, self.copies, dict(self.levels), self.pattern, self.promo)
        return _unpickled_prophecy, card

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

    def may_have_been_met(self, colours: str) -> bool:
        """A3, R2: can this Cóatl have satisfied the card when it was shorter?

        Pieces are added at the ends only (A5), so any neighbouring pieces may once have been all.

        >>> import coatl
        >>> coatl.prophecies()[6].points("RRR"), coatl.prophecies()[6].may_have_been_met("RRR")
        (0, True)
        """
        return self.points_for(self.automaton.most_in_part(read_colours(colours))) > 0

    def matches(self, colours: str) -> Matches:
        """The pieces each counted match uses, and what the next level lacks.

        ``<`` and ``>`` mark ends that are closed by a head or a tail: nothing goes beyond (A4).
        """
        return _matches(self, colours)


def _matches(card: Prophecy, colours: str) -> Matches:
    pieces, can_left, can_right = _read_ends(colours)
    additions = additions_of(card)
    if len(additions.effects.walks) > MOST_EFFECTS:
        additions.forget()
    effect = additions.effects.of(pieces)
    if additions.effects.times(effect):
        positions = patterns.spans(card.pattern, pieces)
        return additions.matches(positions, effect, can_left, can_right)
    return additions.unmet(effect, can_left, can_right)


@lru_cache(maxsize=1024)
def _read_ends(text: str) -> tuple[list[int], bool, bool]:
    """The colours of a Cóatl, and whether pieces can be added left and right; for many cards."""
    return read_colours(text), not text.startswith("<"), not text.endswith(">")


class Effects:
    """What pieces in a row do to an automaton, read from a table that grows.

    An *effect* is, for each state before them, the state after them and the matches counted (no
    more than the highest level asks for). There are few, however many Cóatl there are (111 at most
    for a card of the game), so a Cóatl is read by one look into the table for each piece.
    """

    def __init__(self, rows: patterns.Rows, most: int) -> None:
        self.rows, self.most = rows, most
        self.following: list[list[int]] = []  # [effect][colour of the next piece], or -1
        self.walks: list[tuple[tuple[int, int], ...]] = []  # by effect, then by state
        self._known: dict[tuple[tuple[int, int], ...], int] = {}
        self._add(tuple((state, 0) for state in range(len(rows))))

    def of(self, pieces: list[int]) -> int:
        following = self.following
        effect = 0
        for colour in pieces:
            after = following[effect][colour]
            effect = after if after >= 0 else self._extend(effect, colour)
        return effect

    def find_all(self, most: int) -> bool:
        """Put all effects that there are into the table; False if there are more than `most`."""
        for effect in itertools.count():
            if effect == len(self.walks) or effect >= most:
                return effect < most
            for colour in range(N_COLOURS):
                self.of_one_more(effect, colour)
        return False

    def of_one_more(self, effect: int, colour: int) -> int:
        """The effect of pieces and one more after them."""
        after = self.following[effect][colour]
        return after if after >= 0 else self._extend(effect, colour)

    def times(self, effect: int) -> int:
        """How often a Cóatl of these pieces meets the card, as far as it matters."""
        state, counted = self.walks[effect][0]
        return min(counted + self.rows[state][patterns.END][1], self.most)

    def _add(self, walks: tuple[tuple[int, int], ...]) -> int:
        self._known[walks] = len(self.walks)
        self.walks.append(walks)
        self.following.append([-1] * N_COLOURS)
        return len(self.walks) - 1

    def _extend(self, effect: int, colour: int) -> int:
        walks = []
        for state, counted in self.walks[effect]:
            after, more = self.rows[state][colour]
            walks.append((after, min(counted + more, self.most)))
        found = self._known.get(tuple(walks))
        if found is None:
            found = self._add(tuple(walks))
        self.following[effect][colour] = found
        return found


class Additions:
    """What adding pieces to either end of a Cóatl can do for one card, worked out once a card.

    A *configuration* is (automaton state, matches counted). Lengths are shortest, and among equally
    short texts the first in the order of the colours is taken.
    """

    def __init__(self, card: Prophecy) -> None:
        self.card = card
        self.rows = card.automaton.rows
        self.most = max(card.levels)
        self.longest = (card.pattern.shortest + 1) * self.most  # a separator each, where `!c` asks
        self.before = self._reach_from_start()
        self.after = self._distances_to_goal()
        self.forget()

    def forget(self) -> None:
        """Begin the tables that grow anew."""
        self.effects = Effects(self.rows, self.most)
        self.unmet = cache(partial(self.matches, ()))
        self.fewest = cache(self._fewest)

    def _reach_from_start(self) -> list[tuple[str, int, int]]:
        """Every configuration that pieces put on the left can lead to: (text, state, counted)."""
        reached = [("", 0, 0)]
        known = {(0, 0)}
        for text, state, counted in reached:  # grows as it goes
            if len(text) == self.longest:
                break
            for colour in range(N_COLOURS):
                following, more = self.rows[state][colour]
                config = (following, min(counted + more, self.most))
                if config not in known:
                    known.add(config)
                    reached.append((text + COLOURS[colour], *config))
        return reached

    def _distances_to_goal(self) -> list[list[int]]:
        """``[need][state]``: the fewest pieces on the right that give `need` more matches."""
        n = len(self.rows)
        far = self.longest + 1
        distances = [[0] * n]
        for need in range(1, self.most + 1):
            level = [0 if self.rows[state][patterns.END][1] >= need else far for state in range(n)]
            changed = True
            while changed:
                changed = False
                for state, row in enumerate(self.rows):
                    for following, more in row[:N_COLOURS]:
                        rest = distances[need - more][following] if more else level[following]
                        if rest + 1 < level[state]:
                            level[state] = rest + 1
                            changed = True
            distances.append(level)
        return distances

    def right_text(self, state: int, need: int) -> str:
        """The first of the shortest texts on the right."""
        text = ""
        while self.after[need][state]:
            for colour in range(N_COLOURS):
                following, more = self.rows[state][colour]
                if self.after[max(need - more, 0)][following] == self.after[need][state] - 1:
                    state, need, text = following, max(need - more, 0), text + COLOURS[colour]
                    break
        return text

    def matches(
        self, positions: tuple[tuple[int, ...], ...], effect: int, left: bool, right: bool
    ) -> Matches:
        """Those of pieces with an effect (`Effects`), which can be added to left or right."""
        card, met = self.card, len(positions)
        following = min((level for level in card.levels if level > met), default=None)
        if following is None:
            return Matches(positions, card.points_for(met), None, None, None)
        lacks = self.fewest(effect, following, left, right)
        return Matches(positions, card.points_for(met), following, card.levels[following], lacks)

    def _fewest(self, effect: int, times: int, left: bool, right: bool) -> Lack | None:
        """The shortest addition after which the card is met `times` times; right end preferred."""
        best, lack = self.longest + 1, None
        walks = self.effects.walks[effect]
        for text, state, counted in self.before if left else self.before[:1]:
            if len(text) >= best:
                break
            last, more = walks[state]
            need = max(times - counted - more, 0)
            distance = self.after[need][last]
            if distance and not right:
                continue
            if len(text) + distance < best:
                best = len(text) + distance
                lack = Lack(text, self.right_text(last, need))
        return lack


@lru_cache(maxsize=256)
def additions_of(card: Prophecy) -> Additions:
    return Additions(card)


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
        return self.points_for(self.met(colours, prophecies))

    def points_for(self, met: Sequence[bool]) -> int:
        n = sum(met)
        return self.levels[n - 1] if n else 0


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

    def __reduce__(self) -> tuple[Callable[..., Deck], tuple[object, ...]]:
        """Pickled by its cards; the standard deck stays the one and only."""
        if self is standard_deck():
            return standard_deck, ()
        return Deck, (self.prophecies, self.temples, self.source)

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
        needed, needed_temples = _cards_needed(players)
        if prophecies < needed:
            raise DeckError(
                f"{self.source}: {needed} Prophecy cards are needed; the deck has {prophecies}"
            )
        if prophecies > 127:
            raise DeckError(f"{self.source}: {prophecies} Prophecy cards; 127 at most")
        if temples > 127:
            raise DeckError(f"{self.source}: {temples} Temple cards; 127 at most")
        if temples < needed_temples:
            raise DeckError(
                f"{self.source}: {needed_temples} Temple cards are needed; the deck has {temples}"
            )


def _cards_needed(players: int) -> tuple[int, int]:
    """Prophecy and Temple cards that are dealt and laid out at setup (S3-S5, D2)."""
    from coatl.rules import limits  # which needs NumPy, as whoever sets up a game does
    from coatl.rules.state import MAX_ADAM_CARDS, N_PILES, ROW_SIZE

    dealt = sum(limits.cards_dealt(players, seat) for seat in range(players))
    adam = MAX_ADAM_CARDS if players == 1 else 0
    return ROW_SIZE + dealt + adam, N_PILES + players * limits.temples_dealt(players)


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


def is_closed(text: str) -> bool:
    """A8: does this Cóatl have both head and tail?"""
    return text.startswith("<") and text.endswith(">")


def closes_too_early(text: str) -> bool:
    """A7: is this Cóatl closed without a body segment between head and tail?"""
    return is_closed(text) and len(read_colours(text)) < 3


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
