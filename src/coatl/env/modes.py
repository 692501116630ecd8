"""Which games a batch plays: a list of options, one for each place."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from coatl.compiler.arguments import check_finite, check_whole
from coatl.options import Options

ALL_LEVELS = (1, 2, 3, 4, 5)
# Shares of the places of a training batch, by players; 1 is solo.
DEFAULT_SHARES = {2: 0.5, 3: 0.15, 4: 0.15, 1: 0.2}
PROMO, NO_TOKENS, FEWER_BODIES = 0.35, 0.45, 0.15


def training_mix(
    n: int,
    seed: int = 0,
    shares: dict[int, float] | None = None,
    levels: Sequence[tuple[int, ...] | None] = (),
) -> list[Options]:
    """Options for `n` places: all sizes and variants, in shuffled order.

    `levels` are those of solo games, in equal shares; None among them, or nothing, is any levels.
    """
    n = check_whole(n, "the number of places")
    draw = np.random.default_rng(seed)
    shares = shares or DEFAULT_SHARES
    sizes = np.array(list(shares))
    weights = np.array([check_finite(share, "a share") for share in shares.values()])
    if weights.min() < 0 or weights.sum() <= 0:
        raise ValueError(f"shares are not negative, nor all of them 0: {shares}")
    # Exact shares, so that small batches have every size too.
    bounds = np.round(np.cumsum(weights / weights.sum()) * n).astype(int)
    players = sizes[np.searchsorted(bounds, np.arange(n), side="right")]
    draw.shuffle(players)
    return [_variant(int(size), draw, levels) for size in players]


def _variant(
    players: int, draw: np.random.Generator, levels: Sequence[tuple[int, ...] | None]
) -> Options:
    promo = bool(draw.random() < PROMO)
    if players == 1:
        wanted = levels[int(draw.integers(len(levels)))] if levels else None
        return Options(1, False, promo, False, random_levels(draw) if wanted is None else wanted)
    fewer = bool(players < 4 and draw.random() < FEWER_BODIES)
    return Options(players, bool(draw.random() >= NO_TOKENS), promo, fewer)


def random_levels(draw: np.random.Generator) -> tuple[int, ...]:
    """Base game, one level, any set of them, all five: a quarter each."""
    kind = draw.integers(4)
    if kind == 0:
        return ()
    if kind == 1:
        return (int(draw.integers(1, 6)),)
    if kind == 2:
        return tuple(level for level in ALL_LEVELS if draw.random() < 0.5)
    return ALL_LEVELS


def solo_levels(name: str) -> tuple[int, ...] | None:
    """The levels that a text such as `12345` or `base` means; None for `any`."""
    if name == "any":
        return None
    levels = tuple(int(digit) for digit in name if digit in "12345")
    if name != "base" and "".join(map(str, levels)) != name:
        raise ValueError(f"solo levels are base, any or digits such as 135, not {name!r}")
    return levels
