"""Python's `random.Random`, drawn from the generator that a player is given."""

from __future__ import annotations

import random
from typing import Any

import numpy as np

from coatl.rules.chance import Chances, check_chances, numbers_below

_BITS = 31  # of one number drawn
_AT_ONCE = 32  # numbers: a call of compiled code costs more than drawing one


class PlayerRandom(random.Random):
    """`choice`, `shuffle`, `random` and all the rest, so that a seed fixes what a player does."""

    def __init__(self, chances: Chances) -> None:
        check_chances(chances)
        self._chances = chances
        self._numbers: list[int] = []
        super().__init__()

    def seed(self, *args: Any, **kwargs: Any) -> None:
        """Nothing to do: the generator was seeded where it was made."""

    def random(self) -> float:
        return self.getrandbits(53) / (1 << 53)

    def getrandbits(self, k: int, /) -> int:
        if k < 0:
            raise ValueError("number of bits must be non-negative")
        bits, found = 0, 0
        while found < k:
            bits = bits << _BITS | self._next()
            found += _BITS
        return bits >> (found - k)

    def _next(self) -> int:
        if not self._numbers:
            drawn = np.zeros(_AT_ONCE, np.int64)
            numbers_below(self._chances, 1 << _BITS, drawn)
            self._numbers = drawn.tolist()
        return self._numbers.pop()

    def getstate(self) -> Any:
        raise NotImplementedError("the state of a player's generator is not its own")

    def setstate(self, state: Any) -> None:
        raise NotImplementedError("the state of a player's generator is not its own")
