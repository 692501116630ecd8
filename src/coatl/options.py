"""What a table has agreed on before the game (S6, R22, D10)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from coatl.rules.pieces import FEWER_BODIES_OF_A_COLOUR, bodies_of_a_colour
from coatl.rules.state import LEVELS, MAX_PLAYERS, MIN_PLAYERS, States, new_states


class OptionsError(ValueError):
    """Options that do not go together; the message names the clause."""


def check_seed(text: str) -> str:
    """The text itself; raises `OptionsError` if a record could not hold it."""
    if not text or not text.isprintable() or text != text.strip():
        raise OptionsError(f"a seed is a number or a line of text, not {text!r}")
    return text


@dataclass(frozen=True, slots=True)
class Options:
    """`solo` is None, or A.D.A.M.'s levels (empty: the base game)."""

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
            players = 2 if players is None else players
            if not MIN_PLAYERS <= players <= MAX_PLAYERS:
                raise OptionsError(f"2 to 4 players, or solo=[...], not {players}")
            if fewer_bodies and players not in FEWER_BODIES_OF_A_COLOUR:
                raise OptionsError("fewer bodies are for 2 or 3 players (R22)")
            return cls(players, tokens is not False, promo, fewer_bodies)
        try:
            levels = tuple(sorted(set(solo)))
        except TypeError:
            raise OptionsError(f"solo is a list of levels such as [1, 3], not {solo!r}") from None
        if not set(levels) <= set(LEVELS):
            raise OptionsError(f"solo levels are 1 to 5, not {list(levels)} (D10)")
        if players not in (None, 1):
            raise OptionsError(f"solo is for one player, not {players} (D1)")
        if tokens:
            raise OptionsError("solo has no Sacrifice tokens (D1)")
        if fewer_bodies:
            raise OptionsError("fewer bodies are for 2 or 3 players (R22)")
        return cls(1, False, promo, False, levels)

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
        state.with_tokens = self.tokens
        state.with_promo = self.promo
        state.fewer_bodies = self.fewer_bodies
        state.levels = sum(1 << (level - 1) for level in self.solo or ())
        return states
