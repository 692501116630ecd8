"""One puzzle at the terminal: asks the question, takes moves, and judges the answer."""

from __future__ import annotations

from collections.abc import Callable

from rich.console import Console
from rich.text import Text

from coatl.cli.puzzle_progress import Tried
from coatl.cli.terminal.answers import clause_title, explain_cards, explain_move, find_move
from coatl.cli.terminal.choices import list_choices
from coatl.cli.terminal.prompt import Prompt
from coatl.cli.wrapping import wrap_text
from coatl.errors import IllegalMove, NotationError
from coatl.puzzles import SOLVER_SEAT, Attempt, Puzzle, PuzzleKind, Verdict, follow, solution
from coatl.text.board import YOU, Board
from coatl.text.drawing import plural

ATTEMPTS = 3
QUESTIONS = {
    PuzzleKind.CLOSE: (
        "Close for the most points",
        "Place any of your pieces and lay any of your cards. At the end the Cóatl must be "
        "complete.",
    ),
    PuzzleKind.CARDS: (
        "Find the cards",
        "The Cóatl is closed. Lay the cards that it meets, and a Temple card if one fits, for the "
        "most points. Whether a card is met is said when you check.",
    ),
    PuzzleKind.WIN: (
        "Win this turn",
        "This is the last action of the game. Close the Cóatl so that you win, with the most "
        "points.",
    ),
    PuzzleKind.ADAM: (
        "Beat A.D.A.M.",
        "Complete your third Cóatl: the game ends at once. Have more points than A.D.A.M., and as "
        "many as you can.",
    ),
}
COMMANDS = {
    "check": "is this the answer?",
    "undo": "take back the last move",
    "again": "begin again",
    "moves": "every move",
    "cards": "the cards in words",
    "why MOVE": "why a move is not allowed",
    "solution": "show the best answer, after three attempts",
    "help": "this list",
    "quit": "leave",
}


class Quit(Exception):  # noqa: N818 - leaving is no error
    """Somebody leaves the puzzle."""


class PuzzleSession:
    """Asks until the puzzle is solved or left. `keep` is called after each attempt."""

    def __init__(
        self,
        puzzle: Puzzle,
        title: str,
        tried: Tried,
        console: Console,
        keep: Callable[[Tried], None],
    ) -> None:
        self._puzzle, self._title, self._tried = puzzle, title, tried
        self._console, self._keep = console, keep
        self._attempt = follow(puzzle, ())
        names = [YOU, *(f"Player {seat + 2}" for seat in range(3))]
        self._board = Board(self._attempt.game.deck, names)
        self._prompt = Prompt(console)
        self._solved = False
        self._commands: dict[str, Callable[[], None]] = {
            "check": self._check,
            "undo": self._undo,
            "again": self._again,
            "moves": lambda: self._list_moves(everything=True),
            "cards": self._explain_cards,
            "solution": self._show_solution,
            "help": self._help,
            "quit": self._quit,
        }

    def run(self) -> None:
        try:
            self._ask()
            while not self._solved:
                self._answer(self._prompt.ask("> ", self._options()))
        except (Quit, EOFError, KeyboardInterrupt):
            self._print("")

    # -------------------------------------------------------------- what is shown

    def _ask(self) -> None:
        heading, text = QUESTIONS[self._puzzle.kind]
        self._console.print(Text(f"{self._title}: {heading}", "bold"))
        self._print(text)
        self._print(rivals(self._attempt))
        self._draw()
        self._list_moves(everything=False)
        self._print("Type moves, then check; help lists the commands.", "dim")

    def _draw(self) -> None:
        self._console.print(self._board.draw_own(self._attempt.shown))
        if self._attempt.chosen:
            names = ", ".join(move.card or "" for move in self._attempt.chosen)
            self._print(f"  Chosen  {names}")

    def _list_moves(self, everything: bool) -> None:
        attempt = self._attempt
        width = self._console.width
        for block in list_choices(attempt.shown, attempt.moves(), everything, width):
            self._console.print(block)

    # -------------------------------------------------------------- what is typed

    def _options(self) -> list[str]:
        return [*self._commands, "why", *(move.text for move in self._attempt.moves())]

    def _answer(self, line: str) -> None:
        command, _, rest = line.partition(" ")
        if line.lower() in self._commands:
            self._commands[line.lower()]()
        elif command.lower() == "why":
            self._print(self._explain(rest.strip()))
        elif line:
            self._move(line)

    def _move(self, line: str) -> None:
        attempt = self._attempt
        try:
            attempt.play(find_move(line, attempt.game, attempt.moves()).text)
        except IllegalMove as error:
            self._print(f"{error.reason} ({clause_title(error.clause)}).")
        except NotationError as error:
            self._print(f"{error}.")
        else:
            self._draw()
            self._list_moves(everything=False)

    def _explain(self, move: str) -> str:
        if self._attempt.chooses_cards:
            return "Whether a card is met is said when you check."
        return explain_move(move, self._attempt.game)

    # -------------------------------------------------------------- commands

    def _check(self) -> None:
        verdict = self._attempt.judge()
        if verdict.points is None and not verdict.unmet:
            self._print("The Cóatl is not complete yet.")
            return
        self._tried = add_attempt(self._tried, verdict)
        self._keep(self._tried)
        self._solved = verdict.solved
        self._print(describe(verdict))
        left = ATTEMPTS - self._tried.attempts
        if not verdict.solved and left > 0:
            self._print(f"{plural(left, 'attempt')} left.")
        elif not verdict.solved:
            self._print("Type solution to see the best answer, or try on.")

    def _undo(self) -> None:
        self._return_to(self._attempt.path[:-1])

    def _again(self) -> None:
        self._return_to(())

    def _return_to(self, path: tuple[str, ...]) -> None:
        self._attempt = follow(self._puzzle, path)
        self._draw()
        self._list_moves(everything=False)

    def _show_solution(self) -> None:
        if self._tried.attempts < ATTEMPTS and not self._tried.solved:
            self._print(f"First try it: {plural(ATTEMPTS - self._tried.attempts, 'attempt')} left.")
            return
        moves = ", ".join(solution(self._puzzle))
        self._print(f"{moves}: {self._puzzle.answer}, {plural(self._puzzle.points, 'point')}.")

    def _explain_cards(self) -> None:
        for line in explain_cards(self._attempt.shown, self._attempt.game.deck):
            if "(in the row)" not in line:
                self._print(line)

    def _help(self) -> None:
        for name, meaning in COMMANDS.items():
            self._print(f"  {name:<9} {meaning}")

    def _quit(self) -> None:
        raise Quit

    def _print(self, text: str, style: str = "") -> None:
        for line in wrap_text(text, self._console.width):
            self._console.print(Text(line, style))


def rivals(attempt: Attempt) -> str:
    """Who is to be beaten; nothing where that is not asked for."""
    view = attempt.view
    mine = view.seats[SOLVER_SEAT].points
    if view.adam is not None:
        return f"You have {mine} points, A.D.A.M. has {view.adam.points}."
    if attempt.puzzle.kind is not PuzzleKind.WIN:
        return ""
    best = max(seat.points for seat in view.seats[1:])
    return f"You have {mine} points, the best of the others has {best}."


def add_attempt(tried: Tried, verdict: Verdict) -> Tried:
    """How somebody did, with one more answer; after the solution none counts any more."""
    attempts = tried.attempts + (not tried.solved)
    best = max((p for p in (tried.best, verdict.points) if p is not None), default=None)
    return Tried(attempts, best, tried.solved or verdict.solved)


def describe(verdict: Verdict) -> str:
    """What an answer was worth, in a sentence."""
    if verdict.unmet:
        cards = (
            "card does not count: it is" if verdict.unmet == 1 else "cards do not count: they are"
        )
        return f"{verdict.unmet} {cards} not met, or there is no place left."
    points = plural(verdict.points or 0, "point")
    if verdict.solved:
        return f"Solved: {points}, and no answer has more."
    won = " That wins, but" if verdict.wins else " The best answer has"
    more = plural(verdict.short or 0, "point")
    return f"{points}.{won} {more} {'are missing to the best answer' if verdict.wins else 'more'}."
