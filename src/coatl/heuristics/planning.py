"""A plan for two turns and the assembly after them, as if the others sat still.

Assembling is one action, however many pieces it uses, so it is worth saving up for. A position is
therefore worth what could be assembled in it (`liquid`), and an action what the best next action
makes of the position after it.
"""

from __future__ import annotations

from coatl.compiler.arrays import DoubleRow
from coatl.compiler.functions import kernel
from coatl.heuristics.card_potential import Promises
from coatl.heuristics.evaluation import Outlook, worth
from coatl.rules import decisions
from coatl.rules.apply import apply
from coatl.rules.causes import ALLOWED
from coatl.rules.chance import Chance
from coatl.rules.compiled import ChoiceLists
from coatl.rules.decisions import DECODED, KIND, Choices
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
)
from coatl.rules.tables import Cards, CardTables

WIDEST = 8  # positions that a search keeps side by side
DEEPEST = 16  # steps of one assembly
DRAWS = 4  # guesses at a card drawn blind
SHORTLIST = 8  # decisions that are thought through

# Places in the array of states.
ROOT, AFTER, NEXT, TRIAL, SPARE, BUILT = 0, 1, 2, 3, 4, 5
BEAM = 6  # + WIDEST for this depth, + WIDEST for the next
N_STATES = BEAM + 2 * WIDEST
# Lists of decisions.
AT_ROOT, AT_NODE, SIDE = 0, 1, 2
N_LISTS = 3
# Numbers: of each kept position its worth and its first decision.
VALUES = 0
FIRSTS = VALUES + 2 * WIDEST
LISTED = FIRSTS + 2 * WIDEST  # and of each decision at the root, what it seems to be worth
N_NUMBERS = LISTED + decisions.N_DECISIONS
WORST = -1e9


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
def best_assembly(
    tables: CardTables,
    promised: Promises,
    states: States,
    start: int,
    look: Outlook,
    chance: Chance,
    choices: ChoiceLists,
    numbers: DoubleRow,
    width: int,
) -> tuple[float, int]:
    """The worth of the best position that assembling from `states[start]` leads to, and its first
    step; WORST and NONE if there is none. The position itself is left in `states[BUILT]`."""
    states[BEAM] = states[start]
    numbers[FIRSTS] = NONE
    kept, here = 1, 0
    best, first, stale = WORST, NONE, 0
    for depth in range(DEEPEST):
        there = WIDEST - here
        reached = 0
        improved = False
        for node in range(here, here + kept):
            list_steps(tables[0], states[BEAM + node], choices[AT_NODE])
            for at in range(choices[AT_NODE].n):
                step = int(choices[AT_NODE].items[at])
                states[TRIAL] = states[BEAM + node]
                trial = states[TRIAL]
                apply(tables[0], trial, step, chance, choices[SIDE])
                value = worth(tables, promised, trial, look)
                begun = step if depth == 0 else int(numbers[FIRSTS + node])
                if trial.phase not in (FULFIL, TEMPLE) and value > best + 1e-9:
                    best, first, improved = value, begun, True
                    states[BUILT] = trial
                reached = keep(states, numbers, there, reached, width, value, begun)
        stale = 0 if improved else stale + 1
        if reached == 0 or stale == 3:
            break
        kept, here = reached, there
    return best, first


@kernel
def keep(
    states: States,
    numbers: DoubleRow,
    there: int,
    reached: int,
    width: int,
    value: float,
    begun: int,
) -> int:
    """Keep the position on trial if it is among the best `width` of its depth; how many there are.

    The same pieces laid in another order are worth the same: one of them is enough.
    """
    worst, place = value, NONE
    for node in range(there, there + reached):
        if abs(numbers[VALUES + node] - value) < 1e-9:
            return reached
        if numbers[VALUES + node] < worst:
            worst, place = float(numbers[VALUES + node]), node
    if reached < width:
        place = there + reached
        reached += 1
    if place != NONE:
        states[BEAM + place] = states[TRIAL]
        numbers[VALUES + place] = value
        numbers[FIRSTS + place] = begun
    return reached


@kernel
def liquid(
    tables: CardTables,
    promised: Promises,
    states: States,
    i: int,
    look: Outlook,
    chance: Chance,
    choices: ChoiceLists,
    numbers: DoubleRow,
    width: int,
) -> float:
    """What a position is worth with the assembly that could follow."""
    now = worth(tables, promised, states[i], look)
    if states[i].phase == OVER or look.last or look.hope == look.near:
        return now
    my_turn(states[i], look)
    then, _ = best_assembly(tables, promised, states, i, look, chance, choices, numbers, width)
    return now + look.later * max(then - now, 0.0)


@kernel
def my_turn(state: StateRecord, look: Outlook) -> None:
    """Imagine that the others have sat still."""
    state.current = look.seat
    state.phase = MAIN


@kernel
def prospect(
    tables: CardTables,
    promised: Promises,
    states: States,
    look: Outlook,
    chance: Chance,
    choices: ChoiceLists,
    numbers: DoubleRow,
    width: int,
) -> float:
    """What `states[AFTER]`, the position after an action, is worth with the best next action."""
    after = states[AFTER]
    if after.phase == PICK:
        pick_on(tables, promised, states, AFTER, look, chance, choices, numbers)
    now = worth(tables, promised, after, look)
    if after.phase == OVER or (look.last and not goes_on(after, look)):
        return now
    my_turn(after, look)
    best, _ = best_assembly(tables, promised, states, AFTER, look, chance, choices, numbers, width)
    best = max(best, now)
    for space in range(N_SPACES):
        if why_take(after, after.players[look.seat], space) == ALLOWED:
            states[NEXT] = after
            apply(tables[0], states[NEXT], decisions.TAKE + space, chance, choices[SIDE])
            value = liquid(tables, promised, states, NEXT, look, chance, choices, numbers, width)
            best = max(best, value)
    states[NEXT] = after
    if pick_on(tables, promised, states, NEXT, look, chance, choices, numbers) > 0:
        value = liquid(tables, promised, states, NEXT, look, chance, choices, numbers, width)
        best = max(best, value)
    return now + look.later * (best - now)


@kernel
def goes_on(state: StateRecord, look: Outlook) -> bool:
    """Does the seat have another action in this turn? While it picks, only of a turn of two."""
    if state.current != look.seat:
        return False
    return state.phase == MAIN or (state.phase == PICK and state.actions_left > 1)


@kernel
def pick_on(
    tables: CardTables,
    promised: Promises,
    states: States,
    i: int,
    look: Outlook,
    chance: Chance,
    choices: ChoiceLists,
    numbers: DoubleRow,
) -> int:
    """Take face-up cards, as long as each is worth having; how many."""
    cards = tables[0]
    picked = 0
    while states[i].phase == PICK or picked == 0:
        best = worth(tables, promised, states[i], look)
        chosen = NONE
        list_legal(cards, states[i], choices[AT_NODE])
        for at in range(choices[AT_NODE].n):
            decision = int(choices[AT_NODE].items[at])
            if DECODED[decision, KIND] == Kind.PICK:
                states[TRIAL] = states[i]
                apply(cards, states[TRIAL], decision, chance, choices[SIDE])
                value = worth(tables, promised, states[TRIAL], look)
                if value > best:
                    best, chosen = value, decision
        if chosen == NONE:
            break
        apply(cards, states[i], chosen, chance, choices[SIDE])
        picked += 1
    return picked


@kernel
def after_decision(
    tables: CardTables,
    promised: Promises,
    states: States,
    decision: int,
    look: Outlook,
    chance: Chance,
    choices: ChoiceLists,
    numbers: DoubleRow,
    width: int,
    deep: bool,
) -> float:
    """What a decision that assembles nothing is worth: on average, where it draws a card.

    Thought through (`deep`) with the next action, or at a glance with an assembly only.
    """
    blind = decision in (decisions.DRAW, decisions.FUTURE_TOKEN)
    times = DRAWS if blind else 1
    total = 0.0
    for _ in range(times):
        states[AFTER] = states[ROOT]
        if blind:
            redact(states[AFTER], look.seat)
            complete(states[AFTER], look.seat, chance)
        apply(tables[0], states[AFTER], decision, chance, choices[SIDE])
        if deep:
            total += prospect(tables, promised, states, look, chance, choices, numbers, width)
        else:
            if states[AFTER].phase == PICK:
                pick_on(tables, promised, states, AFTER, look, chance, choices, numbers)
            total += liquid(tables, promised, states, AFTER, look, chance, choices, numbers, 1)
    return total / times


@kernel
def best_decision(
    tables: CardTables,
    promised: Promises,
    states: States,
    look: Outlook,
    chance: Chance,
    choices: ChoiceLists,
    numbers: DoubleRow,
    wide: int,
    narrow: int,
) -> int:
    """The decision that looks best for the seat to move in `states[ROOT]`."""
    root = states[ROOT]
    at_action = root.phase == MAIN
    best, chosen = WORST, NONE
    if root.phase in (MAIN, ASSEMBLE, FULFIL, TEMPLE):
        best, chosen = best_assembly(
            tables, promised, states, ROOT, look, chance, choices, numbers, wide
        )
    if at_action and chosen != NONE:
        states[AFTER] = states[BUILT]
        best = look.assemble + prospect(
            tables, promised, states, look, chance, choices, numbers, narrow
        )
    if root.phase == ASSEMBLE and worth(tables, promised, root, look) >= best:
        return decisions.DONE
    if chosen != NONE and not at_action:
        return chosen
    list_legal(tables[0], root, choices[AT_ROOT])
    glance(tables, promised, states, look, chance, choices, numbers)
    for _ in range(SHORTLIST):
        at = most_promising(choices[AT_ROOT], numbers)
        if at == NONE:
            break
        decision = int(choices[AT_ROOT].items[at])
        numbers[LISTED + at] = WORST
        value = after_decision(
            tables, promised, states, decision, look, chance, choices, numbers, narrow, True
        )
        if value > best:
            best, chosen = value, decision
    return chosen if chosen != NONE else int(choices[AT_ROOT].items[0])


@kernel
def glance(
    tables: CardTables,
    promised: Promises,
    states: States,
    look: Outlook,
    chance: Chance,
    choices: ChoiceLists,
    numbers: DoubleRow,
) -> None:
    """A first idea of every decision at the root that assembles nothing."""
    for at in range(choices[AT_ROOT].n):
        decision = int(choices[AT_ROOT].items[at])
        numbers[LISTED + at] = WORST
        if not assembles(decision):
            numbers[LISTED + at] = after_decision(
                tables, promised, states, decision, look, chance, choices, numbers, 1, False
            )


@kernel
def most_promising(listed: Choices, numbers: DoubleRow) -> int:
    """The place of the best decision that is left, or NONE."""
    best = NONE
    for at in range(listed.n):
        if numbers[LISTED + at] > WORST and (
            best == NONE or numbers[LISTED + at] > numbers[LISTED + best]
        ):
            best = at
    return best
