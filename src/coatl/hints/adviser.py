"""Finding a hint: a search like that of our strongest bot, and its best line for this turn."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from coatl.hints.facts import Change, facts_of
from coatl.hints.hint import Advice, Hint
from coatl.moves import Move, MoveKind
from coatl.net.weights import Policy, load_policy
from coatl.players.network import ViewEvaluator
from coatl.rules.chance import Chances, new_chance
from coatl.search.search import Search
from coatl.search.settings import SearchSettings
from coatl.state import State
from coatl.view import View
from coatl.view.checks import check_standard, check_turn

SCENARIOS = 16  # as `high-priest`
ASSEMBLING = (MoveKind.BEGIN, MoveKind.ADD, MoveKind.FULFIL, MoveKind.TEMPLE)
FEWEST_VISITS = 30  # with fewer, a move has hardly been looked at
CLOSE = 4  # times as few visits as the most: such an action can be the best
MOST_MOVES = 40  # of a line; no turn has more

Visits = dict[int, tuple[int, float, float]]


@dataclass(frozen=True)
class Effort:
    """How long to think at most: about the choice, and about each further move of the line."""

    simulations: int = 3000
    seconds: float = 0.6
    further_simulations: int = 300
    further_seconds: float = 0.05


@dataclass(frozen=True)
class _Action:
    """Moves that are one action, such as all ways to begin assembling: orders do not matter."""

    first: int  # the decision with the most visits
    visits: int
    chance: float | None  # of winning; None where there is no choice


class Adviser:
    """Gives hints; one thread at a time. It knows the standard cards only."""

    def __init__(
        self,
        chances: Chances | None = None,
        policy: Policy | None = None,
        effort: Effort | None = None,
    ) -> None:
        self._chances = new_chance("hint") if chances is None else chances
        self._effort = effort or Effort()
        self._first = SearchSettings(
            simulations=self._effort.simulations,
            seconds=self._effort.seconds,
            scenarios=SCENARIOS,
            scenarios_with_others=SCENARIOS,
        )
        self._further = replace(
            self._first,
            simulations=self._effort.further_simulations,
            seconds=self._effort.further_seconds,
        )
        policy = policy or load_policy()
        self._evaluator = ViewEvaluator(policy)
        self._search = Search(policy, self._chances, self._first)
        self._stop = np.zeros(1, np.int8)

    def stop(self) -> None:
        """From another thread: be done with what has been found so far."""
        self._stop[0] = 1

    def hint(self, view: View) -> Hint:
        """What to do now; raises ValueError if it is not the turn of the view's seat."""
        check_turn(view)
        check_standard(view)
        self._stop[0] = 0
        visits = self._visits(view, self._first)
        actions = _actions(view, visits) or [_Action(view.moves[0].decision, 0, None)]
        best, *others = [self._advice(view, action) for action in actions[:2]]
        return Hint(view.seat, best, others[0] if others else None, _chance_before(visits))

    def _visits(self, view: View, settings: SearchSettings) -> Visits:
        """By decision; none where there is only one thing to do."""
        if len(self._evaluator.observe(view)) == 1:
            return {}  # the search would go on to the next choice
        self._search.settings = settings
        self._search.run(view, self._stop)
        return self._search.visits()

    def _advice(self, view: View, action: _Action) -> Advice:
        line, state = self._line(view, action.first)
        after = state.view(view.seat)
        # The next Temple card of a pile is not known, though the sample has one.
        is_known = all(move.pile is None for move in line)
        closings = (_closings(view), _closings(after)) if is_known else ((), ())
        change = Change(view.deck, line, view.data, after.data, *closings)
        return Advice(tuple(line), facts_of(change), _rounded(action.chance))

    def _line(self, view: View, decision: int) -> tuple[list[Move], State]:
        """The moves from a first decision on, until something is drawn or the turn ends."""
        state = view.sample(self._chances)
        line: list[Move] = []
        while len(line) < MOST_MOVES:
            here = state.view(view.seat)
            line.append(state.move(decision))
            is_final = any(move.decision == decision for move in here.final)
            state.apply(decision)
            if is_final or state.seat != view.seat:
                break
            decision = self._best_of(state.view(view.seat))
        return line, state

    def _best_of(self, view: View) -> int:
        visits = self._visits(view, self._further)
        if not visits:
            return view.moves[0].decision
        return max(visits, key=lambda decision: (visits[decision][0], visits[decision][2]))


def _actions(view: View, visits: Visits) -> list[_Action]:
    """The actions that a search has looked at, the best first."""
    groups: dict[str, list[int]] = {}
    for move in view.moves:
        name = "assemble" if move.kind in ASSEMBLING else move.text
        if move.decision in visits:
            groups.setdefault(name, []).append(move.decision)
    found = []
    for decisions in groups.values():
        first = max(decisions, key=lambda decision: (visits[decision][0], visits[decision][2]))
        total = sum(visits[decision][0] for decision in decisions)
        found.append(_Action(first, total, visits[first][1]))
    if not found:
        return []
    most = max(action.visits for action in found)
    best = max((action for action in found if CLOSE * action.visits >= most), key=_chance)
    # What was tried less and looks better has only been lucky so far.
    others = [
        action
        for action in found
        if action is not best
        and action.visits >= FEWEST_VISITS
        and _chance(action) <= _chance(best)
    ]
    return [best, *sorted(others, key=_chance, reverse=True)]


def _chance(action: _Action) -> float:
    return action.chance or 0.0


def _closings(view: View) -> list[int | None]:
    """Of the Cóatl that have been begun."""
    *begun, _ = view.best_closings()
    return [None if closing is None else closing.value for closing in begun]


def _chance_before(visits: Visits) -> float | None:
    """The mean over the moves that were tried, each as likely as the network plays it."""
    tried = [(chance, prior) for n, chance, prior in visits.values() if n > 0]
    total = sum(prior for _, prior in tried)
    return _rounded(sum(chance * prior for chance, prior in tried) / total) if total else None


def _rounded(chance: float | None) -> float | None:
    return None if chance is None else round(chance, 4)
