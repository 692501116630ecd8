"""What `Batch` calls of the compiled environment. It trusts its arguments; `Batch` checks them."""

from __future__ import annotations

import numpy as np

from coatl.compiler.arrays import FloatGrid, Int8Grid, Int8Row, Int16Grid, Int16Row
from coatl.compiler.jit import long_entry
from coatl.compiler.packages import describe
from coatl.compiler.records import (
    Int64s,
)
from coatl.encode.meanings import meaning_of
from coatl.encode.observe import Memories, observe
from coatl.encode.reach import Reaches
from coatl.env.stepping import (
    ALL_LEGAL,
    AT_THE_TABLE,
    ILLEGAL,
    IN_SOLO,
    Deals,
    Results,
    WeightsArray,
    carry_out,
    deal_anew,
    finish,
    offer,
    reward_adam,
)
from coatl.rules.chance import Chances, below
from coatl.rules.compiled import ChoiceLists
from coatl.rules.knowledge import redact
from coatl.rules.listing import list_legal
from coatl.rules.state import MAX_PLAYERS, OVER, States
from coatl.rules.tables import CardTables

describe(__name__, "the environment", 25)


@long_entry
def step_games(
    tables: CardTables,
    reaches: Reaches,
    blanks: States,
    deals: Deals,
    states: States,
    known: States,
    memories: Memories,
    chances: Chances,
    choices: ChoiceLists,
    weights: WeightsArray,
    actions: Int16Row,
    observations: Int8Grid,
    masks: Int8Grid,
    decisions: Int16Grid,
    movers: Int8Row,
    dones: Int8Row,
    rewards: FloatGrid,
    shares: FloatGrid,
    results: Results,
    scores: Int64s,
    first: int,
    last: int,
    thread: int,
    fresh: bool,
) -> None:
    """Games `first` to `last` - 1: carry out `actions` (or deal, if `fresh`), go to a choice."""
    cards, legal = tables[0], choices[thread]
    my_scores = scores[12 * thread : 12 * thread + 12]
    for i in range(first, last):
        state, deal, chance = states[i], deals[i], chances[i]
        weight = weights[IN_SOLO if blanks[deal.mode].n_players == 1 else AT_THE_TABLE]
        dones[i] = 0
        for seat in range(MAX_PLAYERS):
            rewards[i, seat] = 0.0
        if fresh:
            deal_anew(cards, blanks, states, deals, i, memories, chance, len(states))
        else:
            decision = int(decisions[i, actions[i]])
            carry_out(cards, state, decision, deal, weight, rewards[i], chance, legal)
        different = 0
        while different < 2:
            if state.phase == OVER:
                if state.n_players == 1:
                    reward_adam(cards, state, deal, weight, rewards[i])
                finish(cards, state, deal, weight, rewards[i], shares[i], results[i], my_scores)
                dones[i] = 1
                deal_anew(cards, blanks, states, deals, i, memories, chance, len(states))
            list_legal(cards, state, legal)
            if legal.n > 1:
                known[thread] = states[i]
                redact(known[thread], int(state.current))
                different = offer(known[thread], legal, masks[i], decisions[i])
            if different < 2:
                decision = int(legal.items[0])
                carry_out(cards, state, decision, deal, weight, rewards[i], chance, legal)
        if state.n_players == 1 and dones[i] == 0:
            reward_adam(cards, state, deal, weight, rewards[i])
        movers[i] = state.current
        observe(
            cards,
            tables[1],
            reaches[0],
            reaches[1],
            known[thread],
            memories[i],
            observations[i],
        )


@long_entry
def first_illegal(decisions: Int16Grid, actions: Int16Row) -> int:
    """The first game whose action is not legal or does not exist; ALL_LEGAL if there is none."""
    for i in range(len(actions)):
        action = int(actions[i])
        if action < 0 or action >= decisions.shape[1] or decisions[i, action] == ILLEGAL:
            return i
    return ALL_LEGAL


@long_entry
def random_actions(decisions: Int16Grid, chances: Chances, actions: Int16Row) -> None:
    """For each row one of the legal actions, each equally likely."""
    for i in range(len(decisions)):
        legal = 0
        for action in range(decisions.shape[1]):
            legal += 1 if decisions[i, action] != ILLEGAL else 0
        left = below(chances[0], legal)
        for action in range(decisions.shape[1]):
            if decisions[i, action] != ILLEGAL:
                if left == 0:
                    actions[i] = np.int16(action)
                left -= 1


@long_entry
def meaning(states: States, i: int, decision: int) -> int:
    """The action that says what a legal decision does in a game."""
    return meaning_of(states[i], states[i].players[states[i].current], decision)
