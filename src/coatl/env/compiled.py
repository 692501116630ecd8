"""The entries of the environment. They trust their arguments, which `coatl.env.Batch` checks."""

from __future__ import annotations

import numpy as np

from coatl.compiler.arrays import Int16Grid, Int16Row
from coatl.compiler.jit import long_entry
from coatl.compiler.packages import describe
from coatl.encode.meanings import meaning_of
from coatl.encode.reach import EncodingTables
from coatl.env.stepping import (
    ALL_LEGAL,
    ILLEGAL,
    WAIT,
    Games,
    StepOutput,
    StepWorkspace,
    step_slice,
)
from coatl.rules.chance import Chances, below
from coatl.rules.state import States

describe(__name__, "the environment", 25)


@long_entry
def step_games(
    tables: EncodingTables,
    games: Games,
    output: StepOutput,
    workspace: StepWorkspace,
    first: int,
    last: int,
    fresh: bool,
) -> None:
    """Step games `first` to `last` - 1, or deal them if `fresh`; each thread has some of them."""
    step_slice(tables, games, output, workspace, first, last, fresh)


@long_entry
def first_illegal(decisions: Int16Grid, actions: Int16Row, may_wait: bool) -> int:
    """The first game whose action is not legal or does not exist; ALL_LEGAL if there is none.

    WAIT is passed over where games `may_wait`.
    """
    for i in range(len(actions)):
        action = int(actions[i])
        if may_wait and action == WAIT:
            continue
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
