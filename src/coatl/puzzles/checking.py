"""Proves a puzzle again: is its answer the only best one, and what it says about itself true?"""

from __future__ import annotations

from coatl.puzzles.attempt import Attempt, follow, solution
from coatl.puzzles.proof import Closings
from coatl.puzzles.puzzle import SOLVER_SEAT, BadPuzzles, Puzzle, PuzzleKind
from coatl.rules.state import MAX_COATLS

WINNING = frozenset((PuzzleKind.WIN, PuzzleKind.ADAM))


def why_unproven(puzzle: Puzzle) -> str | None:
    """What is wrong with a puzzle, in a sentence; None: it is proven."""
    try:
        attempt = Attempt(puzzle)
    except BadPuzzles as error:
        return str(error)
    state = attempt.game.state
    closings = Closings(state.deck, state.records, SOLVER_SEAT)
    if puzzle.kind in WINNING:
        if closings.may_close_two():
            return "two Cóatl might be closed"
        which, best = None, max(closings.best(k) or 0 for k in range(MAX_COATLS))
    else:
        which, best = attempt.target, closings.best(attempt.target) or 0
    found = closings.only(which, best)
    if found is None or found.coatl != attempt.target:
        return "it does not have one best answer"
    if (found.completed.text, found.value) != (puzzle.answer, puzzle.points):
        return f"its best answer is {found.completed.text} with {found.value} points"
    verdict = follow(puzzle, solution(puzzle)).judge()
    if not verdict.solved or (puzzle.kind in WINNING and not verdict.wins):
        return "its answer does not do what is asked"
    return None
