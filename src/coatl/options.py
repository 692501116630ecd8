"""What a table has agreed on before the game (S6, R22, D10)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from numbers import Integral

from coatl.rules.pieces import FEWER_BODIES_OF_A_COLOUR, bodies_of_a_colour
from coatl.rules.state import (
    LEVELS,
    MAX_PLAYERS,
    MIN_PLAYERS,
    StateRecord,
    States,
    new_states,
)


class OptionsError(ValueError):
    """Options that do not go together; the message names the clause."""


def check_seed(seed: int | str) -> str:
    """The seed as text; raises `OptionsError` if a record could not hold it."""
    text = str(seed)
    is_seed = isinstance(seed, str) or _is_number(seed)
    if not is_seed or not text or not text.isprintable() or text != text.strip():
        raise OptionsError(f"a seed is a whole number or a line of text, not {seed!r}")
    return text


def _is_number(value: object) -> bool:
    """A whole number: ``True`` is none, though Python counts it as 1."""
    return isinstance(value, Integral) and not isinstance(value, bool)


@dataclass(frozen=True, slots=True)
class Options:
    """`solo` is None, or A.D.A.M.'s levels (empty: the base game).

    Options that do not go together raise `OptionsError`.
    """

    players: int = 2
    tokens: bool = True
    promo: bool = False
    fewer_bodies: bool = False
    solo: tuple[int, ...] | None = None

    @classmethod
    def make(
        cls,
        players: int | None,
        tokens: bool | None,
        solo: Iterable[int] | None,
        promo: bool,
        fewer_bodies: bool,
    ) -> Options:
        """Check what was asked for and fill in the defaults."""
        if solo is None:
            with_tokens = True if tokens is None else tokens
            return cls(2 if players is None else players, with_tokens, promo, fewer_bodies)
        try:
            levels = tuple(solo)
        except TypeError:
            raise _no_levels(solo) from None
        if isinstance(solo, str) or not all(map(_is_number, levels)):
            raise _no_levels(solo)
        with_tokens = False if tokens is None else tokens
        levels = tuple(sorted(set(levels)))
        return cls(1 if players is None else players, with_tokens, promo, fewer_bodies, levels)

    def __post_init__(self) -> None:
        if not _is_number(self.players):
            raise OptionsError(f"players is a whole number, not {self.players!r}")
        for name in ("tokens", "promo", "fewer_bodies"):
            if not isinstance(getattr(self, name), bool):
                raise OptionsError(f"{name} is True or False, not {getattr(self, name)!r}")
        if self.solo is None:
            self._check_table()
        else:
            self._check_solo(self.solo)

    def _check_table(self) -> None:
        if not MIN_PLAYERS <= self.players <= MAX_PLAYERS:
            raise OptionsError(f"2 to 4 players, or solo=[...], not {self.players}")
        if self.fewer_bodies and self.players not in FEWER_BODIES_OF_A_COLOUR:
            raise OptionsError("fewer bodies are for 2 or 3 players (R22)")

    def _check_solo(self, levels: tuple[int, ...]) -> None:
        if not isinstance(levels, tuple) or not all(map(_is_number, levels)):
            raise _no_levels(levels)
        if not set(levels) <= set(LEVELS) or len(set(levels)) < len(levels):
            raise OptionsError(f"solo levels are 1 to 5, not {list(levels)} (D10)")
        if self.players != 1:
            raise OptionsError(f"solo is for one player, not {self.players} (D1)")
        if self.tokens:
            raise OptionsError("solo has no Sacrifice tokens (D1)")
        if self.fewer_bodies:
            raise OptionsError("fewer bodies are for 2 or 3 players (R22)")

    @classmethod
    def of_state(cls, state: StateRecord) -> Options:
        """The options that a state is played with."""
        solo = None
        if state.n_players == 1:
            solo = tuple(level for level in LEVELS if int(state.levels) >> (level - 1) & 1)
        return cls(
            int(state.n_players),
            bool(state.with_tokens),
            bool(state.with_promo),
            bool(state.fewer_bodies),
            solo,
        )

    @property
    def bodies(self) -> int:
        return bodies_of_a_colour(self.players, self.fewer_bodies)

    @property
    def names(self) -> tuple[str, ...]:
        flags = {"tokens": self.tokens, "promo": self.promo, "fewer_bodies": self.fewer_bodies}
        return tuple(name for name, on in flags.items() if on)

    def blank_states(self) -> States:
        """A zeroed state with these options, ready for the setup."""
        states = new_states()
        state = states[0]
        state.n_players = self.players
        state.with_tokens = bool(self.tokens)
        state.with_promo = bool(self.promo)
        state.fewer_bodies = bool(self.fewer_bodies)
        state.levels = sum(1 << (level - 1) for level in self.solo or ())
        return states


def _no_levels(solo: object) -> OptionsError:
    return OptionsError(f"solo is a list of levels such as [1, 3], not {solo!r}")
