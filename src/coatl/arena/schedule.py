"""Which games an arena plays: who sits where, and from which deal."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import msgspec

from coatl.options import Options, OptionsError


class Setup(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What was asked for. A folder of results belongs to one setup; only `games` may change."""

    players: tuple[str, ...]
    games: int  # of every match
    seats: int = 2  # 1: solo
    solo: tuple[tuple[int, ...], ...] = ()  # sets of A.D.A.M.'s levels
    tokens: bool = True
    promo: bool = False
    fewer_bodies: bool = False
    seed: str = "1"
    seconds: float = 60.0  # that a player may take for a decision; 0: any
    records: bool = False

    def options(self, levels: tuple[int, ...] | None) -> Options:
        tokens = self.tokens if levels is None else None
        seats = self.seats if levels is None else None
        return Options.make(seats, tokens, levels, self.promo, self.fewer_bodies)

    def check(self) -> None:
        """Raises `OptionsError` with what is wrong, in one line."""
        least = 1 if self.solo else 2
        if len(self.players) < least:
            raise OptionsError("an arena needs two players at least, such as planner,greedy")
        for name in self.players:
            if self.players.count(name) > 1:
                raise OptionsError(f"{name} is named twice")
        if self.games < 1:
            raise OptionsError(f"at least one game, not {self.games}")
        for levels in self.solo or (None,):
            self.options(levels)


class Match(msgspec.Struct, frozen=True):
    """One player against another, against a table of another, or against A.D.A.M."""

    number: int
    one: str
    other: str
    seats: int
    levels: tuple[int, ...] | None = None

    def fixture(self, game: int) -> Fixture:
        """Every deal is played once from each seat, by each side."""
        seat = game % self.seats
        names = tuple(self.one if at == seat else self.other for at in range(self.seats))
        return Fixture(self.number, game, game // self.seats, names, self.levels)


class Fixture(msgspec.Struct, frozen=True):
    """One game to be played."""

    match: int
    game: int
    deal: int
    names: tuple[str, ...]  # by seat
    levels: tuple[int, ...] | None


ADAM = "A.D.A.M."


def matches(setup: Setup) -> list[Match]:
    """All pairs in the order of their names; in solo every player at every set of levels."""
    if setup.solo:
        pairs = [(name, levels) for levels in setup.solo for name in setup.players]
        return [Match(n, name, ADAM, 1, levels) for n, (name, levels) in enumerate(pairs)]
    both = combinations(setup.players, 2)
    return [Match(n, one, other, setup.seats) for n, (one, other) in enumerate(both)]


def fixtures(setup: Setup) -> Iterator[Fixture]:
    """Games of all matches in turn, so that an interrupted arena has played each about as often."""
    pairs = matches(setup)
    for game in range(setup.games):
        for match in pairs:
            yield match.fixture(game)


def read_levels_sets(text: str) -> tuple[tuple[int, ...], ...]:
    """``base,1,12345``: sets of levels, `base` being none."""
    sets: list[tuple[int, ...]] = []
    for word in text.split(","):
        digits = word.strip()
        if digits in ("", "base", "0"):
            sets.append(())
        elif set(digits) <= set("12345"):
            sets.append(tuple(sorted({int(digit) for digit in digits})))
        else:
            raise OptionsError(f"levels are sets such as base,1,13,12345, not {text!r} (D10)")
    return tuple(dict.fromkeys(sets))


def levels_name(levels: tuple[int, ...]) -> str:
    return "".join(str(level) for level in levels) or "base"
