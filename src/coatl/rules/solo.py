"""A.D.A.M. (section 7): his turn as a sequence of automatic steps, one a call.

``state.adam.step`` says what he does next, so a caller can watch him look, find, place, fulfil,
discard and take, by comparing the state before and after each step.
"""

from __future__ import annotations

from coatl.compiler.functions import kernel
from coatl.rules import limits
from coatl.rules.chance import Chance
from coatl.rules.pieces import (
    BODY,
    FIRST_HEAD_SPACE,
    FIRST_TAIL_SPACE,
    HEAD,
    N_COLOURS,
    N_KINDS,
    N_SPACES,
    TAIL,
)
from coatl.rules.state import (
    ADAM,
    COMPLETE,
    END_BODIES,
    FINISH,
    GRAB,
    LOOK,
    MAIN,
    NONE,
    OVER,
    PLACE,
    REFILL,
    ROW_SIZE,
    Adam,
    StateRecord,
)
from coatl.rules.supply import bodies_left, refill_after_take, refill_row
from coatl.rules.tables import Cards

adam_cards = kernel(limits.adam_cards)


@kernel
def begin_adam_turn(state: StateRecord) -> None:
    state.phase = ADAM
    state.turn += 1
    state.actions_left = 0
    state.adam.step = LOOK
    state.adam.looking = 0
    if state.adam.n_cards == 0:  # R20: nothing to look for
        find_lowest(state)


@kernel
def adam_step(cards: Cards, state: StateRecord, chance: Chance) -> None:
    """The next automatic step of A.D.A.M.'s turn."""
    step = state.adam.step
    if step == LOOK:
        look(cards, state)
    elif step == GRAB:
        grab(state, chance)
    elif step == PLACE:
        place(cards, state)
    elif step == COMPLETE:
        complete(cards, state)
    elif step == REFILL:
        take_card(cards, state)
    else:
        finish(state, chance)


@kernel
def missing(cards: Cards, adam: Adam, which: int, colour: int) -> int:
    """D4: pieces of a colour that a card of his still lacks."""
    lacking = int(cards.needs[adam.cards[which], colour])
    for kind in range(colour, N_KINDS, N_COLOURS):
        lacking -= int(adam.pieces[which, kind])
    return lacking


@kernel
def space_has_wanted(cards: Cards, state: StateRecord, which: int, space: int) -> bool:
    for i in range(2):
        colour = int(state.supply[space, i])
        if colour != NONE and missing(cards, state.adam, which, colour) > 0:
            return True
    return False


@kernel
def look(cards: Cards, state: StateRecord) -> None:
    """D4: the first space, 1 to 10, with a piece that the card needs; else the next card."""
    adam = state.adam
    for space in range(N_SPACES):
        if space_has_wanted(cards, state, int(adam.looking), space):
            adam.space = space
            adam.step = GRAB
            return
    adam.looking += 1
    if adam.looking >= adam.n_cards:
        find_lowest(state)


@kernel
def find_lowest(state: StateRecord) -> None:
    """D4: nothing wanted anywhere: the lowest-numbered non-empty space, to be discarded."""
    for space in range(N_SPACES - 1, -1, -1):
        if state.supply[space, 0] != NONE:
            state.adam.space = space
    state.adam.step = GRAB


@kernel
def grab(state: StateRecord, chance: Chance) -> None:
    """D4: take the content of the space; D7: the supply is refilled as after any take."""
    adam = state.adam
    space = int(adam.space)
    if space < FIRST_HEAD_SPACE:
        first_kind = BODY
    else:
        first_kind = HEAD if space < FIRST_TAIL_SPACE else TAIL
    for i in range(2):
        colour = int(state.supply[space, i])
        if colour != NONE:
            adam.holding[first_kind + colour] += 1
            state.supply[space, i] = NONE
    refill_after_take(state, chance)
    adam.step = PLACE


@kernel
def place(cards: Cards, state: StateRecord) -> None:
    """D5: one piece to the leftmost card that still needs it; not needed: discarded (R15)."""
    adam = state.adam
    kind = 0
    while adam.holding[kind] == 0:
        kind += 1
    adam.holding[kind] -= 1
    lay_piece(cards, state, kind)
    for other in range(kind, N_KINDS):
        if adam.holding[other] > 0:
            return
    next_step(cards, state)


@kernel
def lay_piece(cards: Cards, state: StateRecord, kind: int) -> None:
    """D5, D6: to the leftmost card that needs the colour, else out of the game (R15)."""
    adam = state.adam
    for which in range(adam.n_cards):
        if missing(cards, adam, which, kind % N_COLOURS) > 0:
            adam.pieces[which, kind] += 1
            return
    state.gone[kind] += 1


@kernel
def filled_card(cards: Cards, adam: Adam) -> int:
    """The leftmost card filled to its highest level, or NONE."""
    for which in range(adam.n_cards):
        lacking = 0
        for colour in range(N_COLOURS):
            lacking += missing(cards, adam, which, colour)
        if lacking == 0:
            return which
    return NONE


@kernel
def next_step(cards: Cards, state: StateRecord) -> None:
    """D6, R17: fulfil as long as a card is filled, only then take new cards."""
    adam = state.adam
    if filled_card(cards, adam) != NONE:
        adam.step = COMPLETE
    elif adam.n_cards < adam_cards(int(state.levels)) and rightmost(state) != NONE:
        adam.step = REFILL
    else:
        adam.step = FINISH  # R20: he may stay short


@kernel
def complete(cards: Cards, state: StateRecord) -> None:
    """D6: the card goes to the fulfilled pile, its pieces to the first cards that need them."""
    adam = state.adam
    which = filled_card(cards, adam)
    adam.fulfilled[adam.cards[which]] += 1
    for kind in range(N_KINDS):  # kept apart while the row closes up
        adam.holding[kind] = adam.pieces[which, kind]
    last = int(adam.n_cards) - 1
    for i in range(which, last):
        adam.cards[i] = adam.cards[i + 1]
        for kind in range(N_KINDS):
            adam.pieces[i, kind] = adam.pieces[i + 1, kind]
    adam.cards[last] = 0
    for kind in range(N_KINDS):
        adam.pieces[last, kind] = 0
    adam.n_cards = last
    for kind in range(N_KINDS):
        while adam.holding[kind] > 0:
            adam.holding[kind] -= 1
            lay_piece(cards, state, kind)
    next_step(cards, state)


@kernel
def rightmost(state: StateRecord) -> int:
    for at in range(ROW_SIZE - 1, -1, -1):
        if state.row[at] != NONE:
            return at
    return NONE


@kernel
def take_card(cards: Cards, state: StateRecord) -> None:
    """D6: the rightmost card of the row to the right end of his; R17: with no old pieces."""
    adam = state.adam
    at = rightmost(state)
    adam.cards[adam.n_cards] = state.row[at]
    adam.n_cards += 1
    state.row[at] = NONE
    next_step(cards, state)


@kernel
def finish(state: StateRecord, chance: Chance) -> None:
    """D3: the row is refilled. D8, R18: no body segment left ends the game after his turn."""
    refill_row(state, chance)
    state.adam.step = LOOK
    state.adam.looking = 0
    state.adam.space = NONE
    if not bodies_left(state):
        state.end = END_BODIES
        state.phase = OVER
        return
    state.phase = MAIN
    state.actions_left = 1
    state.turn += 1
