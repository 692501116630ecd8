"""Plans a turn ahead: what to assemble, and what to collect for it. Hand-written, and quick."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace

import numpy as np

from coatl.compiler.arguments import check_finite
from coatl.compiler.records import copy_records, record_array
from coatl.encode.reach import both_ways
from coatl.heuristics import compiled, planning
from coatl.heuristics.card_potential import promises
from coatl.heuristics.evaluation import Outlook, Outlooks
from coatl.moves import Move
from coatl.rules.chance import Chances, check_chances
from coatl.rules.decisions import new_choices
from coatl.rules.state import new_states
from coatl.view import View
from coatl.view.checks import check_moves

WIDE, NARROW = 6, 2  # positions side by side: assembling now, and imagined for the next turn


@dataclass(frozen=True, slots=True)
class Weights:
    """What the planner holds things worth, in points; `lookahead.worth.Outlook` tells of each."""

    complete: float = 8.0
    rush: float = 10.0
    win: float = 12.0
    margin: float = 3.0
    laid: float = 0.95
    fresh: float = 0.6
    temple: float = 0.4
    card: float = 0.1
    body: float = 0.1
    end: float = 0.8
    placed_end: float = 0.9
    token: float = 1.2
    later: float = 0.9
    assemble: float = 0.0
    near: float = 0.3
    nearing: float = 0.7


@dataclass(frozen=True, slots=True)
class Doubts:
    """What a promised point keeps; `lookahead.dreams.Dream` tells of each."""

    held: float = 0.9
    at_board: float = 0.96
    elsewhere: float = 0.74


WEIGHTS, DOUBTS = Weights(), Doubts()
# Nobody else completes Cóatl there, so it is no race: what counts is to be ahead at the end.
SOLO_WEIGHTS = replace(WEIGHTS, complete=3.0, win=30.0, margin=1.0)
KEEP = 0.75  # what a promise keeps for each piece that is missing


class PlannerPlayer:
    """Takes the decision after which its best next assembly is worth most."""

    def __init__(
        self,
        chances: Chances,
        weights: Weights = WEIGHTS,
        doubts: Doubts = DOUBTS,
        keep: float = KEEP,
        solo_weights: Weights = SOLO_WEIGHTS,
    ) -> None:
        check_chances(chances)
        self._chances = chances
        self._keep = check_finite(keep, "keep")
        self._outlooks = _outlooks(weights, doubts)
        self._solo_outlooks = _outlooks(solo_weights, doubts)
        self._states = new_states(planning.N_STATES)
        self._choices = new_choices(planning.N_LISTS)
        self._numbers = np.zeros(planning.N_NUMBERS)

    def choose(self, view: View, moves: Sequence[Move]) -> Move:
        if len(moves) == 1:
            return moves[0]
        check_moves(view, moves)
        copy_records(
            self._states[planning.ROOT : planning.ROOT + 1], view.sample(self._chances).records
        )
        solo = view.known["n_players"][0] == 1
        decision = compiled.planned(
            both_ways(view.deck),
            promises(view.deck, self._keep),
            self._states,
            self._solo_outlooks if solo else self._outlooks,
            self._chances,
            self._choices,
            self._numbers,
            WIDE,
            NARROW,
        )
        return next(move for move in moves if move.decision == decision)


def _outlooks(weights: Weights, doubts: Doubts) -> Outlooks:
    """One, with these weights."""
    outlooks = record_array(Outlook, 1)
    for name, value in asdict(weights).items():
        outlooks[name] = check_finite(value, f"the weight {name}")
    for name, value in asdict(doubts).items():
        outlooks["dream"][name] = check_finite(value, f"the doubt {name}")
    return outlooks
