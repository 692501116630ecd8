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


def check_seed(text: str) -> str:
    """The text itself; raises `OptionsError` if a record could not hold it."""
    if not text or not text.isprintable() or text != text.strip():
        raise OptionsError(f"a seed is a number or a line of text, not {text!r}")
    return text


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
            return cls(2 if players is None else players, tokens is not False, promo, fewer_bodies)
        try:
            levels = tuple(sorted(set(solo)))
        except TypeError:
            raise OptionsError(f"solo is a list of levels such as [1, 3], not {solo!r}") from None
        return cls(1 if players is None else players, bool(tokens), promo, fewer_bodies, levels)

    def __post_init__(self) -> None:
        if self.solo is None:
            self._check_table()
        else:
            self._check_solo(self.solo)

    def _check_table(self) -> None:
        if not isinstance(self.players, Integral) or not MIN_PLAYERS <= self.players <= MAX_PLAYERS:
            raise OptionsError(f"2 to 4 players, or solo=[...], not {self.players}")
        if self.fewer_bodies and self.players not in FEWER_BODIES_OF_A_COLOUR:
            raise OptionsError("fewer bodies are for 2 or 3 players (R22)")

    def _check_solo(self, levels: tuple[int, ...]) -> None:
        if not isinstance(levels, tuple) or not all(isinstance(one, Integral) for one in levels):
            raise OptionsError(f"solo is a list of levels such as [1, 3], not {levels!r}")
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
            solo = tuple(n + 1 for n in range(len(LEVELS)) if int(state.levels) >> n & 1)
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
