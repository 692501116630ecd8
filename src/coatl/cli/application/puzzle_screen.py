"""A puzzle at the table: the question, the moves, and what the answer is worth."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar

from textual.binding import Binding, BindingType

from coatl.cli.application.table_screen import TableScreen
from coatl.cli.puzzle_progress import Tried
from coatl.cli.terminal.puzzle import ATTEMPTS, QUESTIONS, add_attempt, describe, rivals
from coatl.game import Game
from coatl.moves import Move
from coatl.puzzles import Puzzle, follow, solution
from coatl.text.board import YOU
from coatl.text.drawing import plural
from coatl.view import ViewData


class PuzzleScreen(TableScreen):
    """`keep` is called after each attempt."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("e", "end", "Check"),
        Binding("h", "hint", "Solution"),
        Binding("a", "again", "Again"),
        Binding("s", "nothing", show=False),
    ]

    def __init__(
        self, puzzle: Puzzle, title: str, tried: Tried, keep: Callable[[Tried], None]
    ) -> None:
        self._puzzle, self._title, self._tried, self._keep = puzzle, title, tried, keep
        self._attempt = follow(puzzle, ())
        super().__init__()

    @property
    def game(self) -> Game:
        return self._attempt.game

    @property
    def names(self) -> list[str]:
        return [YOU, *(f"Player {seat + 2}" for seat in range(3))]

    def look(self) -> ViewData:
        return self._attempt.shown

    @property
    def moves(self) -> Sequence[Move]:
        return self.view.moves

    @property
    def prompt(self) -> str:
        return f"{self._title}: {QUESTIONS[self._puzzle.kind][0]}"

    def log_lines(self) -> list[str]:
        return list(self._attempt.path)

    def on_mount(self) -> None:
        self.show()
        self.say(self.assignment)

    @property
    def assignment(self) -> str:
        parts = [QUESTIONS[self._puzzle.kind][1], rivals(self._attempt), "e checks the answer."]
        return " ".join(filter(None, parts))

    def play(self, move: Move) -> None:
        self._attempt.play(move.text)
        self.show()
        if self._attempt.chosen:
            self.say("Chosen: " + ", ".join(move.card or "" for move in self._attempt.chosen))

    def explain(self, text: str) -> str:
        if self._attempt.chooses_cards:
            return "Whether a card is met is said when you check."
        return super().explain(text)

    # -------------------------------------------------------------- keys

    def action_end(self) -> None:
        """Is this the answer?"""
        verdict = self._attempt.judge()
        if verdict.points is None and not verdict.unmet:
            self.say("The Cóatl is not complete yet.")
            return
        self._tried = add_attempt(self._tried, verdict)
        self._keep(self._tried)
        left = ATTEMPTS - self._tried.attempts
        after = ""
        if not verdict.solved:
            after = f" {plural(left, 'attempt')} left." if left > 0 else " h shows the solution."
        self.say(describe(verdict) + after)

    def action_undo(self) -> None:
        self._return_to(self._attempt.path[:-1])

    def action_again(self) -> None:
        self._return_to(())

    def _return_to(self, path: tuple[str, ...]) -> None:
        self._attempt = follow(self._puzzle, path)
        self.show()
        self.say(self.assignment)

    def action_hint(self) -> None:
        if self._tried.attempts < ATTEMPTS and not self._tried.solved:
            left = plural(ATTEMPTS - self._tried.attempts, "attempt")
            self.say(f"First try it: {left} left.")
            return
        moves = ", ".join(solution(self._puzzle))
        self.say(f"{moves}: {self._puzzle.answer}, {plural(self._puzzle.points, 'point')}.")

    def action_nothing(self) -> None:
        """What was solved is kept after every attempt."""
