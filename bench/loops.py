"""Loops for timing single kernel functions; compiled for the benchmark only, never cached."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numba
import numpy as np

from coatl.rules import apply, chance, knowledge, listing, scoring, setup
from coatl.rules.state import ADAM, OVER

list_legal = listing.list_legal
apply_decision, final_scores = apply.apply, scoring.final_scores
set_up, below = setup.set_up, chance.below
redact, complete = knowledge.redact, knowledge.complete

njit: Callable[..., Any] = numba.njit(error_model="numpy")


@njit
def sample_positions(
    cards: Any, states: Any, picked: Any, bodies: int, chances: Any, choosers: Any, choices: Any
) -> None:
    """Random play from `states[0]`; some positions go to `states[2:]`, their moves to `picked`."""
    found = 0
    while found < len(picked):
        states[1] = states[0]
        state = states[1]
        set_up(cards[0], state, bodies, chances[0])
        while state.phase != OVER and found < len(picked):
            list_legal(cards[0], state, choices[0])
            decision = int(choices[0].items[below(choosers[0], int(choices[0].n))])
            if state.phase != ADAM and below(choosers[0], 10) == 0:
                states[2 + found] = states[1]
                picked[found] = decision
                found += 1
            apply_decision(cards[0], state, decision, chances[0], choices[0])


@njit
def time_legality(cards: Any, states: Any, choices: Any, rounds: int) -> int:
    total = 0
    for _ in range(rounds):
        for i in range(2, len(states)):
            list_legal(cards[0], states[i], choices[0])
            total += choices[0].n
    return total


@njit
def time_copies(states: Any, rounds: int) -> int:
    total = 0
    for _ in range(rounds):
        for i in range(2, len(states)):
            states[1] = states[i]
            total += states[1].n_players
    return total


@njit
def time_applications(
    cards: Any, states: Any, picked: Any, chances: Any, choices: Any, rounds: int
) -> int:
    """Each includes one copy, which is to be subtracted."""
    total = 0
    for _ in range(rounds):
        for i in range(2, len(states)):
            states[1] = states[i]
            apply_decision(cards[0], states[1], int(picked[i - 2]), chances[0], choices[0])
            total += states[1].phase
    return total


@njit
def time_samples(states: Any, known: Any, seat: int, chances: Any, rounds: int) -> int:
    """Each completes what a seat knows of a position; the redaction is made once."""
    total = 0
    for i in range(2, len(states)):
        known[0] = states[i]
        redact(known[0], seat)
        for _ in range(rounds):
            known[1] = known[0]
            complete(known[1], seat, chances[0])
            total += known[1].n_deck
    return total


@njit
def time_scores(cards: Any, states: Any, rounds: int) -> int:
    out = np.zeros(12, np.int64)
    total = 0
    for _ in range(rounds):
        for i in range(2, len(states)):
            final_scores(cards[0], states[i], out)
            total += out[0]
    return total
