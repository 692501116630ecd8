"""Holds what the solver finds against brute force, and plays its moves."""

from __future__ import annotations

from coatl.assembly import Assembly
from coatl.moves import MoveKind
from coatl.rules.decisions import DONE
from coatl.rules.state import NONE, TEMPLE
from coatl.state import State
from tests.solver.brute_force import BruteForce, in_action


def assert_best(state: State, seat: int) -> bool:
    """Compare the best sum and the best closings with brute force; whether any can be closed."""
    brute = BruteForce(state, seat)
    assembly = state.best_assembly(seat)
    assert assembly.value == brute.best_sum, (state.position, seat)
    assert_line(state, seat, assembly)
    closings = state.best_closings(seat)
    n_coatls = len(closings) - 1
    best: list[int | None] = [None] * (n_coatls + 1)
    for which, value in brute.best_values.items():
        place = min(which, n_coatls)  # all that are not begun yet are alike
        best[place] = max(best[place] or 0, value)
    found = [None if closing is None else closing.value for closing in closings]
    assert found == best, (state.position, seat)
    for closing in closings:
        if closing is not None:
            assert_line(state, seat, closing)
            assert closing.closed[-1].value == closing.value
    if state.mover == seat and state.pending != NONE:  # what the completion sheet shows is exact
        assert state.closings(seat)[state.pending] == found[state.pending], (state.position, seat)
    return any(value is not None for value in best)


def assert_line(state: State, seat: int, assembly: Assembly) -> None:
    """The moves are legal, and lead to what the solver says.

    What a pile reveals may add a question that could not be foreseen: it is answered with `done`.
    """
    after = in_action(state, seat)
    before, is_revealed = points_of_complete(after, seat), False
    for move in assembly.moves:
        if after.records[0].phase == TEMPLE and move.kind not in (MoveKind.TEMPLE, MoveKind.DONE):
            after.apply(DONE)
        # In a made-up position a pile can reveal a card that is there already: the text is short.
        assert is_revealed or after.parse(move.text) == move, (state.position, seat, assembly.moves)
        after.apply(move.decision)
        is_revealed = is_revealed or move.pile is not None
    if after.records[0].phase == TEMPLE:
        after.apply(DONE)
    values = after.values(seat)
    coatls = after.records[0].players[seat].coatls
    for closed in assembly.closed:
        coatl = coatls[closed.coatl]
        assert coatl.complete
        assert values[closed.coatl] == closed.value
        assert len(closed.pieces) - 2 == coatl.length
        assert len(closed.cards) == coatl.n_cards
    assert points_of_complete(after, seat) == before + assembly.gain


def points_of_complete(state: State, seat: int) -> int:
    coatls = state.records[0].players[seat].coatls
    return sum(value for k, value in enumerate(state.values(seat)) if coatls[k].complete)
