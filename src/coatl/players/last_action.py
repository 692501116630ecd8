"""The last action of a seat: what scores most is known exactly, so nothing has to be guessed.

The network was taught to win and sees long assemblies only roughly; the exact solver
(`coatl.assembly`) does not. Before the assembly everything is tried whose outcome is certain:
tokens that take known pieces or a Temple card that lies open and, where another action is left
(E2), taking pieces and cards.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from coatl.assembly import Assembly
from coatl.moves import Move
from coatl.rules.chance import Chances
from coatl.rules.decisions import DONE, DecisionKind, decode
from coatl.rules.state import (
    ASSEMBLE,
    END_NONE,
    FULFIL,
    MAIN,
    MAX_COATLS,
    N_PILES,
    NONE,
    PICK,
    TEMPLE,
)
from coatl.rules.turns import seats_to_come
from coatl.state import State
from coatl.view import View

MOST_POSITIONS = 400  # that are looked at; a position takes 10 to 200 microseconds
MOST_STEPS = 5  # before the assembly: two cards and the end of choosing, and two tokens
TOKENS = {DecisionKind.PERFECT_END, DecisionKind.PERFECT_PAIR, DecisionKind.PRIEST}
GATHERING = {DecisionKind.TAKE, DecisionKind.PICK, DecisionKind.DONE}


@dataclass
class _Ending:
    """The best so far: points, and the first decision on the way there."""

    value: int
    first: int | None = None


def best_last_move(view: View, chances: Chances) -> Move | None:
    """The first move of what scores most, if this is the seat's last action and it can score.

    None otherwise. `chances` deals what the seat does not know, which changes nothing here.
    """
    if not is_last_action(view):
        return None
    state = view.sample(chances)
    best = _Ending(state.scores()[view.seat])
    for first, assembly in islice(_endings(state, view.seat), MOST_POSITIONS):
        if assembly.value > best.value:
            best = _Ending(assembly.value, first if first is not None else _beginning(assembly))
    return next((move for move in view.moves if move.decision == best.first), None)


def is_last_action(view: View) -> bool:
    """Whether the seat to move scores nothing after this turn, and may assemble in it.

    True in its final turn (E2, E3), and while it completes its third Cóatl, after which it has no
    other turn.
    """
    state = view.known[0]
    if state.phase in (FULFIL, TEMPLE) and state.players[view.seat].n_complete == MAX_COATLS - 1:
        return True
    if state.end == END_NONE or view.seat in seats_to_come(state):
        return False
    return state.phase in (MAIN, PICK, ASSEMBLE, FULFIL, TEMPLE)


def _endings(state: State, seat: int) -> Iterator[tuple[int | None, Assembly]]:
    """Ways to end the game, the shortest first: the first decision before the assembly, and it."""
    waiting: list[tuple[int | None, State]] = [(None, state)]
    for _ in range(MOST_STEPS):
        following: list[tuple[int | None, State]] = []
        for first, reached in waiting:
            if reached.records[0].phase != PICK:
                yield first, reached.best_assembly(seat)
            for decision in _certain(reached):
                after = reached.clone()
                drawn = after.advance(decision)
                if after.seat != seat:
                    continue
                begun = decision if first is None else first
                if not drawn:
                    following.append((begun, after))
                elif after.records[0].phase != PICK:
                    _forget_revealed(reached, after)
                    yield begun, after.best_assembly(seat)
        waiting = following


def _forget_revealed(before: State, after: State) -> None:
    """A Temple card that came to light cannot be counted on."""
    for pile in range(N_PILES):
        if before.records[0].pile_size[pile] != after.records[0].pile_size[pile]:
            after.records[0].pile_size[pile] = 0
            after.records[0].pile_top[pile] = NONE


def _certain(state: State) -> list[int]:
    """Decisions before the last assembly whose outcome for the seat is certain."""
    record = state.records[0]
    if record.phase not in (MAIN, PICK):
        return []
    kinds = TOKENS | GATHERING if record.actions_left > 1 else TOKENS
    if record.phase == PICK:
        kinds = GATHERING
    return [decision for decision in state.legal if decode(decision).kind in kinds]


def _beginning(assembly: Assembly) -> int:
    """The first decision of an assembly; if all is laid, the end of the action."""
    return assembly.moves[0].decision if assembly.moves else DONE
