"""The planner: looks two actions and an assembly ahead, as if its opponents did nothing.

Assembling is one action, however many pieces it uses, so it pays to collect pieces first. The
value of a position therefore counts what could be assembled in it (`value_with_assembly`), and the
value of an action what the best next action makes of the position (`value_with_next_action`).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from coatl.compiler.arrays import DoubleRow
from coatl.compiler.functions import kernel
from coatl.compiler.records import Int64s
from coatl.heuristics.card_potential import RIGHT, DeckTables
from coatl.heuristics.evaluation import PositionEvaluator, evaluate
from coatl.rules import decisions
from coatl.rules.apply import apply
from coatl.rules.causes import ALLOWED
from coatl.rules.chance import Chance
from coatl.rules.compiled import ChoiceLists
from coatl.rules.decisions import DECODED, KIND, Choices, new_choices
from coatl.rules.decisions import DecisionKind as Kind
from coatl.rules.knowledge import complete, redact
from coatl.rules.legal import assembles, why_take
from coatl.rules.listing import list_assembly, list_legal
from coatl.rules.pieces import N_SPACES
from coatl.rules.state import (
    ASSEMBLE,
    FULFIL,
    MAIN,
    NONE,
    OVER,
    PICK,
    TEMPLE,
    StateRecord,
    States,
    new_states,
)
from coatl.rules.tables import Cards

WIDTH = 6  # of the beam search for an assembly now
NARROW_WIDTH = 2  # of that for an assembly later on
ESTIMATE_WIDTH = 1  # of that for a first estimate of a decision
MAX_STEPS = 16  # of one assembly
MAX_STALE_STEPS = 3  # without a better position, after which the beam search ends
DRAW_SAMPLES = 4  # guesses at a card drawn blind
SHORTLIST = 8  # decisions that are looked at closely, best estimates first
EQUAL = 1e-9  # values less far apart than this are taken for equal
LOWEST = -1e9  # below the value of any position

# Places in `PlanningWorkspace.states`.
ROOT, AFTER, NEXT, TRIAL, SCRATCH, ASSEMBLED = 0, 1, 2, 3, 4, 5
BEAM = 6  # two halves of WIDTH: the positions of one step of an assembly, and of the next
N_STATES = BEAM + 2 * WIDTH
# Places in `PlanningWorkspace.choices`.
ROOT_LIST, STEP_LIST, SCRATCH_LIST = 0, 1, 2
N_LISTS = 3


class PlanningWorkspace(NamedTuple):
    """Working memory of a planner; `new_planning_workspace` makes one."""

    states: States
    choices: ChoiceLists
    beam_values: DoubleRow  # of each position in the beam
    beam_first_steps: Int64s  # and the step its assembly began with
    estimates: DoubleRow  # of each decision in ROOT_LIST; LOWEST: not to be looked at (any more)


def new_planning_workspace() -> PlanningWorkspace:
    return PlanningWorkspace(
        new_states(N_STATES),
        new_choices(N_LISTS),
        np.zeros(2 * WIDTH),
        np.zeros(2 * WIDTH, np.int64),
        np.zeros(decisions.N_DECISIONS),
    )


@kernel
def best_decision(
    deck: DeckTables, workspace: PlanningWorkspace, evaluator: PositionEvaluator, chance: Chance
) -> int:
    """The best decision for the seat to move in `states[ROOT]`."""
    states, choices = workspace.states, workspace.choices
    root = states[ROOT]
    at_action = root.phase == MAIN
    best, chosen = LOWEST, NONE
    if root.phase in (MAIN, ASSEMBLE, FULFIL, TEMPLE):
        best, chosen = best_assembly(deck, workspace, ROOT, evaluator, chance, WIDTH)
    if at_action and chosen != NONE:
        states[AFTER] = states[ASSEMBLED]
        best = evaluator.weights.assemble + value_with_next_action(
            deck, workspace, evaluator, chance
        )
    if root.phase == ASSEMBLE and evaluate(deck, root, evaluator) >= best:
        return decisions.DONE
    if chosen != NONE and not at_action:
        return chosen
    list_legal(deck.cards[RIGHT], root, choices[ROOT_LIST])
    estimate_decisions(deck, workspace, evaluator, chance)
    for _ in range(SHORTLIST):
        at = best_estimate(workspace)
        if at == NONE:
            break
        decision = int(choices[ROOT_LIST].items[at])
        workspace.estimates[at] = LOWEST
        value = value_of_decision(deck, workspace, decision, evaluator, chance, True)
        if value > best:
            best, chosen = value, decision
    return chosen if chosen != NONE else int(choices[ROOT_LIST].items[0])


@kernel
def estimate_decisions(
    deck: DeckTables, workspace: PlanningWorkspace, evaluator: PositionEvaluator, chance: Chance
) -> None:
    """Estimate every decision at the root that assembles nothing."""
    listed = workspace.choices[ROOT_LIST]
    for at in range(listed.n):
        decision = int(listed.items[at])
        workspace.estimates[at] = LOWEST
        if not assembles(decision):
            workspace.estimates[at] = value_of_decision(
                deck, workspace, decision, evaluator, chance, False
            )


@kernel
def best_estimate(workspace: PlanningWorkspace) -> int:
    """The place in ROOT_LIST of the best decision that is left, or NONE."""
    estimates = workspace.estimates
    best = NONE
    for at in range(workspace.choices[ROOT_LIST].n):
        if estimates[at] > LOWEST and (best == NONE or estimates[at] > estimates[best]):
            best = at
    return best


@kernel
def value_of_decision(
    deck: DeckTables,
    workspace: PlanningWorkspace,
    decision: int,
    evaluator: PositionEvaluator,
    chance: Chance,
    closely: bool,
) -> float:
    """The value of a decision that assembles nothing: on average, where it draws a card.

    Looked at closely it includes the next action, otherwise only an assembly.
    """
    states, scratch = workspace.states, workspace.choices[SCRATCH_LIST]
    blind = decision in (decisions.DRAW, decisions.FUTURE_TOKEN)
    times = DRAW_SAMPLES if blind else 1
    total = 0.0
    for _ in range(times):
        states[AFTER] = states[ROOT]
        if blind:
            redact(states[AFTER], evaluator.seat)
            complete(states[AFTER], evaluator.seat, chance)
        apply(deck.cards[RIGHT], states[AFTER], decision, chance, scratch)
        if closely:
            total += value_with_next_action(deck, workspace, evaluator, chance)
        else:
            if states[AFTER].phase == PICK:
                pick_useful_cards(deck, workspace, AFTER, evaluator, chance)
            total += value_with_assembly(deck, workspace, AFTER, evaluator, chance, ESTIMATE_WIDTH)
    return total / times


@kernel
def value_with_next_action(
    deck: DeckTables, workspace: PlanningWorkspace, evaluator: PositionEvaluator, chance: Chance
) -> float:
    """The value of `states[AFTER]`, the position after an action, with the best next action."""
    states, width = workspace.states, NARROW_WIDTH
    after = states[AFTER]
    if after.phase == PICK:
        pick_useful_cards(deck, workspace, AFTER, evaluator, chance)
    now = evaluate(deck, after, evaluator)
    if after.phase == OVER or (evaluator.is_last_turn and not has_action_left(after, evaluator)):
        return now
    pass_turn_to(after, evaluator.seat)
    best, _ = best_assembly(deck, workspace, AFTER, evaluator, chance, width)
    best = max(best, now)
    for space in range(N_SPACES):
        if why_take(after, after.players[evaluator.seat], space) == ALLOWED:
            states[NEXT] = after
            take = decisions.TAKE + space
            scratch = workspace.choices[SCRATCH_LIST]
            apply(deck.cards[RIGHT], states[NEXT], take, chance, scratch)
            value = value_with_assembly(deck, workspace, NEXT, evaluator, chance, width)
            best = max(best, value)
    states[NEXT] = after
    if pick_useful_cards(deck, workspace, NEXT, evaluator, chance) > 0:
        value = value_with_assembly(deck, workspace, NEXT, evaluator, chance, width)
        best = max(best, value)
    return now + evaluator.weights.next_turn * (best - now)


@kernel
def has_action_left(state: StateRecord, evaluator: PositionEvaluator) -> bool:
    """Does the seat have another action in this turn? While it picks, only of a turn of two."""
    if state.current != evaluator.seat:
        return False
    return state.phase == MAIN or (state.phase == PICK and state.actions_left > 1)


@kernel
def pass_turn_to(state: StateRecord, seat: int) -> None:
    """Let a seat begin an action, as if its opponents had done nothing in between."""
    state.current = seat
    state.phase = MAIN


@kernel
def value_with_assembly(
    deck: DeckTables,
    workspace: PlanningWorkspace,
    i: int,
    evaluator: PositionEvaluator,
    chance: Chance,
    width: int,
) -> float:
    """The value of `states[i]` with the best assembly that could follow."""
    state, weights = workspace.states[i], evaluator.weights
    now = evaluate(deck, state, evaluator)
    opponent_can_end = evaluator.unfinished_factor == weights.opponent_can_end
    if state.phase == OVER or evaluator.is_last_turn or opponent_can_end:
        return now
    pass_turn_to(state, evaluator.seat)
    then, _ = best_assembly(deck, workspace, i, evaluator, chance, width)
    return now + weights.next_turn * max(then - now, 0.0)


@kernel
def pick_useful_cards(
    deck: DeckTables,
    workspace: PlanningWorkspace,
    i: int,
    evaluator: PositionEvaluator,
    chance: Chance,
) -> int:
    """Pick face-up cards in `states[i]` as long as each improves the position; how many."""
    states, listed = workspace.states, workspace.choices[STEP_LIST]
    cards, scratch = deck.cards[RIGHT], workspace.choices[SCRATCH_LIST]
    picked = 0
    while states[i].phase == PICK or picked == 0:
        best = evaluate(deck, states[i], evaluator)
        chosen = NONE
        list_legal(cards, states[i], listed)
        for at in range(listed.n):
            decision = int(listed.items[at])
            if DECODED[decision, KIND] == Kind.PICK:
                states[TRIAL] = states[i]
                apply(cards, states[TRIAL], decision, chance, scratch)
                value = evaluate(deck, states[TRIAL], evaluator)
                if value > best:
                    best, chosen = value, decision
        if chosen == NONE:
            break
        apply(cards, states[i], chosen, chance, scratch)
        picked += 1
    return picked


@kernel
def best_assembly(
    deck: DeckTables,
    workspace: PlanningWorkspace,
    start: int,
    evaluator: PositionEvaluator,
    chance: Chance,
    width: int,
) -> tuple[float, int]:
    """Beam search: the value of the best position that assembling from `states[start]` leads to,
    and its first step; LOWEST and NONE if there is none. The position is in `states[ASSEMBLED]`."""
    states, steps = workspace.states, workspace.choices[STEP_LIST]
    cards, scratch = deck.cards[RIGHT], workspace.choices[SCRATCH_LIST]
    states[BEAM] = states[start]
    n_kept, here = 1, 0
    best, best_first, stale = LOWEST, NONE, 0
    for depth in range(MAX_STEPS):
        there = WIDTH - here
        n_reached = 0
        improved = False
        for node in range(here, here + n_kept):
            list_steps(cards, states[BEAM + node], steps)
            for at in range(steps.n):
                step = int(steps.items[at])
                states[TRIAL] = states[BEAM + node]
                trial = states[TRIAL]
                apply(cards, trial, step, chance, scratch)
                value = evaluate(deck, trial, evaluator)
                first = step if depth == 0 else int(workspace.beam_first_steps[node])
                if trial.phase not in (FULFIL, TEMPLE) and value > best + EQUAL:
                    best, best_first, improved = value, first, True
                    states[ASSEMBLED] = trial
                n_reached = keep_in_beam(workspace, there, n_reached, width, value, first)
        stale = 0 if improved else stale + 1
        if n_reached == 0 or stale == MAX_STALE_STEPS:
            break
        n_kept, here = n_reached, there
    return best, best_first


@kernel
def list_steps(cards: Cards, state: StateRecord, into: Choices) -> None:
    """Steps of an assembly; leaving it is not one of them, but leaving a completion is."""
    into.n = 0
    if state.phase == MAIN:
        list_assembly(cards, state, state.players[state.current], into)
    elif state.phase in (FULFIL, TEMPLE, ASSEMBLE):
        list_legal(cards, state, into)
        if state.phase == ASSEMBLE and into.n > 0 and into.items[into.n - 1] == decisions.DONE:
            into.n -= 1


@kernel
def keep_in_beam(
    workspace: PlanningWorkspace, there: int, n_reached: int, width: int, value: float, first: int
) -> int:
    """Keep `states[TRIAL]` if it is among the best `width` of its step; how many there are then.

    The same pieces laid in another order have the same value: one of them is enough.
    """
    values = workspace.beam_values
    worst, place = value, NONE
    for node in range(there, there + n_reached):
        if abs(values[node] - value) < EQUAL:
            return n_reached
        if values[node] < worst:
            worst, place = float(values[node]), node
    if n_reached < width:
        place = there + n_reached
        n_reached += 1
    if place != NONE:
        workspace.states[BEAM + place] = workspace.states[TRIAL]
        values[place] = value
        workspace.beam_first_steps[place] = first
    return n_reached
