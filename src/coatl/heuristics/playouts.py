"""Flat Monte Carlo: every move is followed by games at random, on guesses at the hidden cards."""

from __future__ import annotations

from coatl.compiler.arrays import DoubleRow
from coatl.compiler.functions import kernel
from coatl.compiler.records import Int64s
from coatl.rules.apply import apply
from coatl.rules.chance import Chance, below
from coatl.rules.compiled import ChoiceLists
from coatl.rules.knowledge import complete, redact
from coatl.rules.listing import list_legal
from coatl.rules.scoring import POINTS, final_scores
from coatl.rules.state import OVER, States
from coatl.rules.tables import Cards

RIVALS = 0.5  # the share of the best other's points that counts against a result


@kernel
def play_at_random(
    cards: Cards, states: States, i: int, chance: Chance, choices: ChoiceLists
) -> None:
    state = states[i]
    while state.phase != OVER:
        list_legal(cards, state, choices[0])
        n = int(choices[0].n)
        at = below(chance, n) if n > 1 else 0
        apply(cards, state, int(choices[0].items[at]), chance, choices[0])


@kernel
def result(cards: Cards, states: States, i: int, seat: int, scores: Int64s) -> float:
    """A seat's points at the end, less half of the best other's (A.D.A.M.'s in solo)."""
    final_scores(cards, states[i], scores)
    best = 0
    for other in range(max(int(states[i].n_players), 2)):
        if other != seat:
            best = max(best, int(scores[3 * other + POINTS]))
    return float(scores[3 * seat + POINTS]) - RIVALS * best


@kernel
def flat_search(
    cards: Cards,
    states: States,
    playouts: int,
    chance: Chance,
    choices: ChoiceLists,
    scores: Int64s,
    totals: DoubleRow,
) -> int:
    """The place of the best legal decision of the seat to move in `states[0]`, a state of which
    only what that seat knows is used; every decision gets its turn."""
    seat = int(states[0].current)
    redact(states[0], seat)
    list_legal(cards, states[0], choices[1])
    n = int(choices[1].n)
    for at in range(n):
        totals[at] = 0.0
    rounds = max(playouts // n, 1)
    for _ in range(rounds):
        for at in range(n):
            states[1] = states[0]
            complete(states[1], seat, chance)
            apply(cards, states[1], int(choices[1].items[at]), chance, choices[0])
            play_at_random(cards, states, 1, chance, choices)
            totals[at] += result(cards, states, 1, seat, scores)
    best = 0
    for at in range(1, n):
        if totals[at] > totals[best]:
            best = at
    return best
