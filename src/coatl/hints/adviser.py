"""Finding a hint: a search like that of our strongest bot, and its best line for this turn."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace

import msgspec
import numpy as np

from coatl.hints.change import ASSEMBLING, Change, Closings
from coatl.hints.facts import facts_of
from coatl.hints.hint import Advice, Fact, FactKind, Hint
from coatl.moves import Move, MoveKind
from coatl.net.weights import Policy, load_policy
from coatl.players.network import ViewEvaluator
from coatl.rules.chance import Chances, new_chance
from coatl.search.search import SLICE, Search
from coatl.search.settings import SearchSettings
from coatl.view import View
from coatl.view.checks import check_standard, check_turn

SCENARIOS = 16  # as `priest`
FEWEST_VISITS = 30  # with fewer, a move has hardly been looked at
CLOSE = 4  # times as few visits as the most: such an action can be the best
MOST_MOVES = 40  # of a line; no turn has more
DIFFERENCE = 0.005  # chances that differ by less look alike, in percent
HASTY = 32  # simulations for a further move when the time for the lines is over

Visits = dict[int, tuple[int, float, float]]


@dataclass(frozen=True)
class Effort:
    """How long to think at most: about the choice, and about the further moves of both lines.

    0 seconds stand for no limit. The facts take a few milliseconds more.
    """

    simulations: int = 3000
    seconds: float = 0.45
    second_seconds: float = 0.1  # about an action that the search would hardly try
    further_simulations: int = 300  # for each further move
    further_seconds: float = 0.05
    line_seconds: float = 0.15  # for all further moves together; then they are looked at briefly


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
        self._hasty = replace(
            self._first, simulations=min(HASTY, self._effort.further_simulations), seconds=0.0
        )
        policy = policy or load_policy()
        self._evaluator = ViewEvaluator(policy)
        self._search = Search(policy, self._chances, self._first)
        self._stop = np.zeros(1, np.int8)
        self._line_end = float("inf")

    def stop(self) -> None:
        """From another thread: be done with what has been found so far."""
        self._stop[0] = 1

    def hint(self, view: View) -> Hint:
        """What to do now; raises ValueError if it is not the turn of the view's seat."""
        check_turn(view)
        check_standard(view)
        self._stop[0] = 0
        visits = self._visits(view, self._first)
        actions = self._compare(view, visits) or [_Action(view.moves[0].decision, 0, None)]
        self._line_end = _in_seconds(self._effort.line_seconds)
        chance = _chance_before(visits)
        advices = [self._advice(view, action) for action in actions[:2]]
        best, *others = [_with_a_reason(advice, chance) for advice in advices]
        return Hint(view.seat, best, others[0] if others else None, chance)

    def _compare(self, view: View, visits: Visits) -> list[_Action]:
        """The actions, the best first; where only one was looked at, the next is looked at too."""
        actions = _actions(view, visits)
        if len(actions) != 1:
            return actions
        other = _untried(view, visits, actions[0])
        if other is None:
            return actions
        fewest = min(FEWEST_VISITS, actions[0].visits)
        enough = max(fewest, actions[0].visits // CLOSE + 1)  # it may turn out to be the best
        end, wanted = _in_seconds(self._effort.second_seconds), fewest
        self._search.force(other, wanted, self._stop)
        while wanted < enough and time.monotonic() < end:
            wanted = min(wanted + SLICE, enough)
            self._search.force(other, wanted, self._stop)
        return _actions(view, self._search.visits(), fewest)

    def _visits(self, view: View, settings: SearchSettings) -> Visits:
        """By decision; none where there is only one thing to do."""
        if len(self._evaluator.observe(view)) == 1:
            return {}  # the search would go on to the next choice
        self._search.settings = settings
        self._search.run(view, self._stop)
        return self._search.visits()

    def _advice(self, view: View, action: _Action) -> Advice:
        line, after = self._line(view, action.first)
        # The next Temple card of a pile is not known, though the sample has one.
        is_known = all(move.pile is None for move in line)
        closings = (_closings(view), _closings(after)) if is_known else ((), ())
        change = Change(view.deck, line, view.data, after.data, *closings)
        return Advice(tuple(line), facts_of(change), _rounded(action.chance))

    def _line(self, view: View, decision: int) -> tuple[list[Move], View]:
        """The moves from a first decision on, until something is drawn or the turn ends.

        And what is known after them: of a card that is drawn, nothing.
        """
        state = view.sample(self._chances)
        line: list[Move] = []
        while True:
            here = state.view(view.seat)
            line.append(state.move(decision))
            is_final = any(move.decision == decision for move in here.final)
            state.apply(decision)
            after = state.view(view.seat)
            if is_final or state.seat != view.seat or len(line) == MOST_MOVES:
                return line, here if line[-1].kind == MoveKind.DRAW else after
            decision = self._best_of(after)

    def _best_of(self, view: View) -> int:
        in_time = time.monotonic() < self._line_end
        visits = self._visits(view, self._further if in_time else self._hasty)
        if not visits:
            return view.moves[0].decision
        return max(visits, key=lambda decision: (visits[decision][0], visits[decision][2]))


def _groups(view: View, visits: Visits) -> list[list[int]]:
    """The decisions that were searched, by action."""
    groups: dict[str, list[int]] = {}
    for move in view.moves:
        name = "assemble" if move.kind in ASSEMBLING else move.text
        if move.decision in visits:
            groups.setdefault(name, []).append(move.decision)
    return list(groups.values())


def _untried(view: View, visits: Visits, best: _Action) -> int | None:
    """The most promising decision of all other actions."""
    others = [
        decision for group in _groups(view, visits) if best.first not in group for decision in group
    ]
    return max(
        others, key=lambda decision: (visits[decision][0], visits[decision][2]), default=None
    )


def _actions(view: View, visits: Visits, fewest: int = FEWEST_VISITS) -> list[_Action]:
    """The actions that a search has looked at, the best first."""
    found = []
    for decisions in _groups(view, visits):
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
        if action is not best and action.visits >= fewest and _chance(action) <= _chance(best)
    ]
    return [best, *sorted(others, key=_chance, reverse=True)]


def _in_seconds(seconds: float) -> float:
    return time.monotonic() + (seconds or float("inf"))


def _chance(action: _Action) -> float:
    return action.chance or 0.0


def _closings(view: View) -> Closings:
    """Of the Cóatl that have been begun."""
    *begun, _ = view.best_closings()
    return [None if closing is None else closing.closed[-1] for closing in begun]


def _chance_before(visits: Visits) -> float | None:
    """The mean over the moves that were tried, each as likely as the network plays it."""
    tried = [(chance, prior) for n, chance, prior in visits.values() if n > 0]
    total = sum(prior for _, prior in tried)
    return _rounded(sum(chance * prior for chance, prior in tried) / total) if total else None


def _with_a_reason(advice: Advice, chance: float | None) -> Advice:
    """Where no fact speaks for a move: that it makes no difference, if it does not."""
    if advice.facts or advice.chance is None or chance is None:
        return advice
    if abs(advice.chance - chance) >= DIFFERENCE:
        return advice
    return msgspec.structs.replace(advice, facts=(Fact(FactKind.EQUAL),))


def _rounded(chance: float | None) -> float | None:
    return None if chance is None else round(chance, 4)
