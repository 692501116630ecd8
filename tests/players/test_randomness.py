"""`PlayerRandom`: Python's generator, drawn from the one a player is given."""

from __future__ import annotations

import random
from collections import Counter

import numpy as np
import pytest

from coatl.players import PlayerRandom
from coatl.rules.chance import new_chance, numbers_below


def test_a_seed_fixes_all_of_it() -> None:
    def some(seed: int) -> list[object]:
        rng = PlayerRandom(new_chance(seed))
        deck = list(range(20))
        rng.shuffle(deck)
        return [rng.random(), rng.choice("KRBYG"), rng.randrange(10**30), deck, rng.gauss(0, 1)]

    assert some(1) == some(1)
    assert some(1) != some(2)


def test_it_draws_from_the_generator_and_from_nothing_else() -> None:
    chances = new_chance(3)
    expected = np.zeros(32, np.int64)
    numbers_below(new_chance(3), 1 << 31, expected)
    random.seed(1)
    before = random.getstate()
    drawn = PlayerRandom(chances).getrandbits(31)
    assert drawn == expected[-1]
    assert random.getstate() == before


@pytest.mark.parametrize("bits", [0, 1, 31, 32, 53, 100])
def test_bits(bits: int) -> None:
    rng = PlayerRandom(new_chance(1))
    drawn = [rng.getrandbits(bits) for _ in range(200)]
    assert all(0 <= number < 1 << bits for number in drawn)
    for bit in range(bits):
        assert 40 < sum(number >> bit & 1 for number in drawn) < 160


def test_numbers_are_alike() -> None:
    rng = PlayerRandom(new_chance(1))
    counts = Counter(rng.randrange(5) for _ in range(5000))
    assert all(900 < counts[n] < 1100 for n in range(5))
    assert 0.48 < sum(rng.random() for _ in range(2000)) / 2000 < 0.52


def test_wrong_input() -> None:
    with pytest.raises(TypeError, match="chances are made with new_chance"):
        PlayerRandom(7)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="non-negative"):
        PlayerRandom(new_chance(1)).getrandbits(-1)
    with pytest.raises(NotImplementedError):
        PlayerRandom(new_chance(1)).getstate()
