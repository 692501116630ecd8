"""Numbers that stand in the words of a lesson and come from the engine: ``level {R} 3``."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from coatl.lessons.conditions import Sight
from coatl.rules.cards import standard_deck
from coatl.rules.pieces import BOARD_SPACES
from coatl.rules.state import HAND_LIMIT, MAX_CARDS_ON_COATL, MAX_COATLS, MAX_INCOMPLETE

LIMITS = {
    "board": BOARD_SPACES,
    "hand": HAND_LIMIT,
    "cards": MAX_CARDS_ON_COATL,
    "open": MAX_INCOMPLETE,
    "coatls": MAX_COATLS,
}


@dataclass(frozen=True)
class Fact:
    """One number, as a lesson asks for it."""

    text: str
    kind: str
    values: tuple[str, ...]

    def number(self, sight: Sight) -> int:
        return KINDS[self.kind].find(sight, *self.values)


def read_fact(text: str) -> Fact:
    """Raises `ValueError` if it is none."""
    kind, *values = text.split()
    if kind not in KINDS or len(values) != KINDS[kind].values:
        known = ", ".join(f"{name} with {found.values}" for name, found in KINDS.items())
        raise ValueError(f"{text!r}: a number is one of these, with so many values: {known}")
    return Fact(text, kind, tuple(values))


# ---------------------------------------------------------------- the vocabulary


def _limit(_: Sight, name: str) -> int:
    """A number of the rules."""
    return LIMITS[name]


def _level(_: Sight, card: str, times: str) -> int:
    """What a Prophecy card is worth when it is met so often."""
    found = next(prophecy for prophecy in standard_deck().prophecies if prophecy.name == card)
    return found.points_for(int(times))


def _temple(_: Sight, met: str) -> int:
    """What a Temple card is worth when so many of its requirements are met."""
    return standard_deck().temples[0].levels[int(met) - 1]


def _value(sight: Sight, coatl: str) -> int:
    """What a Cóatl of the learner is worth now; 0 while there is none."""
    at = int(coatl) - 1
    return sight.me.coatls[at].value if at < len(sight.me.coatls) else 0


def _pieces(sight: Sight, coatl: str) -> int:
    """How many pieces a Cóatl of the learner has; 0 while there is none."""
    at = int(coatl) - 1
    return len(sight.me.coatls[at].pieces.strip("<>")) if at < len(sight.me.coatls) else 0


def _points(sight: Sight) -> int:
    return sight.me.points


def _adam(sight: Sight) -> int:
    return 0 if sight.view.adam is None else sight.view.adam.points


@dataclass(frozen=True)
class _Kind:
    values: int  # how many it takes
    find: Callable[..., int]


KINDS = {
    "limit": _Kind(1, _limit),
    "level": _Kind(2, _level),
    "temple": _Kind(1, _temple),
    "value": _Kind(1, _value),
    "pieces": _Kind(1, _pieces),
    "points": _Kind(0, _points),
    "adam": _Kind(0, _adam),
}
