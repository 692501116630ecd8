"""Flat Monte Carlo: random games after every decision, on guesses at the hidden cards."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from coatl.compiler.arrays import DoubleRow
from coatl.compiler.functions import kernel
from coatl.compiler.records import Int64s
from coatl.rules.apply import apply
from coatl.rules.chance import Chance, below
from coatl.rules.compiled import ChoiceLists
from coatl.rules.decisions import N_DECISIONS, Choices, new_choices
from coatl.rules.knowledge import complete, redact
from coatl.rules.listing import list_legal
from coatl.rules.scoring import POINTS, final_scores
from coatl.rules.state import OVER, StateRecord, States, new_states
from coatl.rules.tables import Cards

OPPONENT_SHARE = 0.5  # of the best opponent's points, which counts against a result

ROOT, PLAYOUT = 0, 1  # places in `PlayoutWorkspace.states`
ROOT_LIST, PLAYOUT_LIST = 0, 1  # and in `PlayoutWorkspace.choices`


class PlayoutWorkspace(NamedTuple):
    """Working memory of flat Monte Carlo; `new_playout_workspace` makes one."""

    states: States
    choices: ChoiceLists
    scores: Int64s  # of one game
    totals: DoubleRow  # results of each decision at the root


def new_playout_workspace() -> PlayoutWorkspace:
    return PlayoutWorkspace(
        new_states(2), new_choices(2), np.zeros(12, np.int64), np.zeros(N_DECISIONS)
    )


@kernel
def flat_monte_carlo(
    cards: Cards, workspace: PlayoutWorkspace, playouts: int, chance: Chance
) -> int:
    """The place of the best legal decision of the seat to move in `states[ROOT]`.

    Of that state only what the seat knows is used. Every decision gets as many playouts.
    """
    states, totals = workspace.states, workspace.totals
    legal, scratch = workspace.choices[ROOT_LIST], workspace.choices[PLAYOUT_LIST]
    seat = int(states[ROOT].current)
    redact(states[ROOT], seat)
    list_legal(cards, states[ROOT], legal)
    n = int(legal.n)
    for at in range(n):
        totals[at] = 0.0
    rounds = max(playouts // n, 1)
    for _ in range(rounds):
        for at in range(n):
            states[PLAYOUT] = states[ROOT]
            complete(states[PLAYOUT], seat, chance)
            apply(cards, states[PLAYOUT], int(legal.items[at]), chance, scratch)
            play_at_random(cards, states[PLAYOUT], chance, scratch)
            totals[at] += playout_result(cards, states[PLAYOUT], seat, workspace.scores)
    best = 0
    for at in range(1, n):
        if totals[at] > totals[best]:
            best = at
    return best


@kernel
def play_at_random(cards: Cards, state: StateRecord, chance: Chance, legal: Choices) -> None:
    while state.phase != OVER:
        list_legal(cards, state, legal)
        n = int(legal.n)
        at = below(chance, n) if n > 1 else 0
        apply(cards, state, int(legal.items[at]), chance, legal)


@kernel
def playout_result(cards: Cards, state: StateRecord, seat: int, scores: Int64s) -> float:
    """A seat's points at the end, less half of the best opponent's (A.D.A.M.'s in solo)."""
    final_scores(cards, state, scores)
    best = 0
    for other in range(max(int(state.n_players), 2)):
        if other != seat:
            best = max(best, int(scores[3 * other + POINTS]))
    return float(scores[3 * seat + POINTS]) - OPPONENT_SHARE * best
