"""The best assembly the slow way: every legal decision, in every order, one after another.

Nothing here comes from the solver: the rules say what is legal and what it does.
"""

from __future__ import annotations

from coatl.rules.decisions import DECISIONS, DONE, DecisionKind
from coatl.rules.state import ASSEMBLE, FULFIL, MAIN, NONE, TEMPLE
from coatl.state import State

ASSEMBLY = (
    DecisionKind.BEGIN,
    DecisionKind.ADD,
    DecisionKind.FULFIL,
    DecisionKind.TEMPLE_FROM_HAND,
    DecisionKind.TEMPLE_FROM_PILE,
)


def in_action(state: State, seat: int) -> State:
    """A copy in which the seat can assemble: as it is in an assembly, or as if it were its turn."""
    copy = state.copy()
    record = copy.records[0]
    if record.current != seat or record.phase not in (MAIN, ASSEMBLE, FULFIL, TEMPLE):
        record.current, record.phase, record.pending = seat, MAIN, NONE
        record.actions_left, record.second_action, record.picked = 1, 0, 0
    copy.restore(bytes(copy.buffer))
    return copy


def hide_revealed(state: State, decision: int) -> None:
    """What lies below the top of a pile is not known (H2), so nothing may be planned with it."""
    if DECISIONS[decision].kind == DecisionKind.TEMPLE_FROM_PILE:
        pile = DECISIONS[decision].at
        state.records[0].pile_top[pile], state.records[0].pile_size[pile] = NONE, 0
        state.restore(bytes(state.buffer))


class BruteForce:
    """Every position that a seat can assemble in one action."""

    def __init__(self, state: State, seat: int) -> None:
        self.seat = seat
        self.best_sum = 0
        self.best_values: dict[int, int] = {}  # by Cóatl, complete ones that were open or not begun
        start = in_action(state, seat)
        values = start.values(seat)
        coatls = start.records[0].players[seat].coatls
        self.complete = {k for k in range(len(values)) if coatls[k].complete}
        self.known: set[bytes] = set()
        self.visit(start)

    def visit(self, state: State) -> None:
        waiting = [state]
        while waiting:
            now = waiting.pop()
            self.score(now)
            for decision in self.steps(now):
                after = now.clone()
                after.apply(decision)
                hide_revealed(after, decision)
                key = bytes(after.buffer)
                if key not in self.known:
                    self.known.add(key)
                    waiting.append(after)

    @staticmethod
    def steps(state: State) -> list[int]:
        """The decisions that go on with the assembly; `done` only inside a completion (A9)."""
        if state.over:
            return []
        is_completing = state.records[0].phase in (FULFIL, TEMPLE)
        return [
            decision
            for decision in state.legal
            if DECISIONS[decision].kind in ASSEMBLY or (decision == DONE and is_completing)
        ]

    def score(self, state: State) -> None:
        values = state.values(self.seat)
        coatls = state.records[0].players[self.seat].coatls
        complete = [k for k in range(len(values)) if coatls[k].complete]
        self.best_sum = max(self.best_sum, sum(values[k] for k in complete))
        for k in complete:
            if k not in self.complete:
                self.best_values[k] = max(self.best_values.get(k, 0), values[k])
