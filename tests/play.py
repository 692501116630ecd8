"""Random whole games in every mode, with every state on the way."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import cast

import numpy as np

from coatl.rules import compiled
from coatl.rules.cards import standard_deck
from coatl.rules.chance import Chances, new_chance, numbers_below
from coatl.rules.decisions import new_choices
from coatl.rules.pieces import bodies_of_a_colour
from coatl.rules.state import OVER, States, new_states
from coatl.rules.tables import card_tables

MOST_DECISIONS = 5000  # far more than any game has


@dataclass(frozen=True)
class Mode:
    """The options of a game; one player means solo."""

    players: int = 2
    tokens: bool = False
    promo: bool = False
    fewer: bool = False
    levels: int = 0

    def __str__(self) -> str:
        names = ["solo" if self.players == 1 else f"{self.players}p"]
        names += [name for name in ("tokens", "promo", "fewer") if getattr(self, name)]
        if self.levels:
            names.append("level" + "".join(str(n + 1) for n in range(5) if self.levels >> n & 1))
        return "-".join(names)


MULTIPLAYER = [
    Mode(players, tokens, promo, fewer)
    for players in (2, 3, 4)
    for tokens in (False, True)
    for promo in (False, True)
    for fewer in ((False, True) if players < 4 else (False,))
]
SOLO = [Mode(1, promo=promo, levels=levels) for levels in range(32) for promo in (False, True)]
EVERY_MODE = MULTIPLAYER + SOLO


class RandomGame:
    """A game whose decisions are drawn from a generator of their own, one step at a time."""

    def __init__(self, mode: Mode, seed: int) -> None:
        self.cards = card_tables(standard_deck())
        self.states = new_states()
        state = self.states[0]
        state.n_players, state.levels = mode.players, mode.levels
        state.with_tokens, state.with_promo = mode.tokens, mode.promo
        state.fewer_bodies = mode.fewer
        self.chances = new_chance(seed)
        self.choosers = new_chance(seed, stream=1)
        self.choices = new_choices()
        bodies = bodies_of_a_colour(mode.players, mode.fewer)
        compiled.new_game(self.cards, self.states, 0, bodies, self.chances)

    @property
    def over(self) -> bool:
        return bool(self.states["phase"][0] == OVER)

    def legal(self) -> list[int]:
        compiled.legal_decisions(self.cards, self.states, 0, self.choices)
        decisions: list[int] = self.choices["items"][0, : self.choices["n"][0]].tolist()
        return decisions

    def apply(self, decision: int) -> None:
        compiled.apply(self.cards, self.states, 0, decision, self.chances, self.choices)

    def choose(self, n: int) -> int:
        return draw_below(self.choosers, n)

    def decisions(self) -> Iterator[int]:
        """Play on to the end; each decision is yielded before it is applied."""
        for _ in range(MOST_DECISIONS):
            if self.over:
                return
            legal = self.legal()
            decision = legal[self.choose(len(legal))] if len(legal) > 1 else legal[0]
            yield decision
            self.apply(decision)
        raise AssertionError("this game does not end")

    def history(self) -> States:
        """Play on to the end; every state on the way, the last one included."""
        states = [self.states.copy() for _ in self.decisions()]
        return cast("States", np.concatenate([*states, self.states]))


def draw_below(chances: Chances, n: int) -> int:
    out = np.zeros(1, np.int64)
    numbers_below(chances, n, out)
    return int(out[0])
