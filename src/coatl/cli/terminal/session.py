"""One game at the terminal, from the first question to the score sheet."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

from rich.console import Console
from rich.text import Text

from coatl.cli.terminal.advice import describe_hint
from coatl.cli.terminal.answers import clause_title, explain_cards, explain_move, find_move
from coatl.cli.terminal.choices import list_choices
from coatl.cli.terminal.narration import Narrator
from coatl.cli.terminal.prompt import Prompt
from coatl.cli.terminal.saving import CannotSave, save_game
from coatl.cli.terminal.sheet import score_sheet
from coatl.errors import IllegalMove, NotationError
from coatl.game import Game
from coatl.moves import Move
from coatl.players.base import Player
from coatl.players.registry import make_player
from coatl.rules.state import KEPT_AT_SETUP
from coatl.table import SUBSTITUTE_BOT
from coatl.text.board import Board
from coatl.view import View

COMMANDS = {
    "help": "this list",
    "moves": "every legal move",
    "cards": "the cards you can see, in words",
    "board": "the table again",
    "log": "what has happened so far",
    "undo": "take back your last step, as far as the last secret revealed",
    "hint": "what a strong player would do, and why",
    "why MOVE": "why a move is not allowed",
    "save FILE": "keep the game (go on with coatl play --terminal --load FILE)",
    "quit": "leave the game",
}
PLAIN_COMMANDS = (
    "help",
    "?",
    "moves",
    "cards",
    "board",
    "log",
    "undo",
    "hint",
    "quit",
    "exit",
    "q",
)


class Quit(Exception):  # noqa: N818 - leaving is no error
    """Somebody leaves the table."""


@dataclass
class TerminalSeat:
    """A person, or a bot, and the name that is shown."""

    name: str
    bot: Player | None = None


class TerminalSession:
    """One game: bots move, people are asked what to do.

    It has a loop of its own, since a person's answer is often no move: `undo`, `save`, a question.
    """

    def __init__(
        self, game: Game, seats: Sequence[TerminalSeat], console: Console, hints: bool = False
    ) -> None:
        self.game = game
        self.seats = list(seats)
        self.console = console
        self.prompt = Prompt(console)
        names = [seat.name for seat in seats]
        self.names = names
        self.board = Board(game.deck, names)
        self.narrator = Narrator(names)
        self.people = [number for number, seat in enumerate(seats) if seat.bot is None]
        self.seen = dict.fromkeys(self.people, len(game.events()))  # events shown to each person
        self.at_table: int | None = None  # who saw the table last
        self.saved = True
        self.has_hints = hints or len(self.people) == 1  # several people have to agree on them

    def run(self) -> None:
        try:
            while self.game.seat is not None:
                seat = self.seats[self.game.seat]
                if seat.bot is None:
                    self._person_moves(self.game.seat)
                else:
                    self._bot_moves(self.game.seat, seat.bot)
            self._after_the_game()
        except (Quit, EOFError, KeyboardInterrupt):
            self._leave()

    # -------------------------------------------------------------- bots

    def _bot_moves(self, seat: int, bot: Player) -> None:
        view = self.game.view(seat)
        try:
            self.game.play(bot.choose(view, view.moves))
        except Exception as error:  # a stranger's bot can do anything
            reason = " ".join(f"{type(error).__name__}: {error}".split())
            self._print(f"{self.names[seat]} failed ({reason}); {SUBSTITUTE_BOT} takes over")
            self.seats[seat].bot = make_player(SUBSTITUTE_BOT)

    # -------------------------------------------------------------- people

    def _person_moves(self, seat: int) -> None:
        if self.at_table != seat:
            self._draw_curtain(seat)
            self._show_table(seat)
        view = self.game.view(seat)
        line = self._ask(f"{self.names[seat]}> ", view)
        if not line:
            return
        command, _, rest = line.partition(" ")
        if command.lower() in ("why", "save"):
            self._command_with_argument(command.lower(), rest.strip())
        elif line.lower() in PLAIN_COMMANDS:
            self._command(line.lower(), seat, view)
        else:
            self._try_move(line, seat, view)

    def _ask(self, question: str, view: View) -> str:
        moves = [move.text for move in view.moves]
        commands = [command.partition(" ")[0] for command in COMMANDS]
        whys = [f"why {text}" for text in moves]
        return self.prompt.ask(question, [*moves, *commands, *whys])

    def _try_move(self, line: str, seat: int, view: View) -> None:
        try:
            self._play(find_move(line, self.game, view.moves), seat)
        except IllegalMove as error:
            self._print(f"Not allowed: {error.reason} ({clause_title(error.clause)}).")
        except NotationError as error:
            near = difflib.get_close_matches(line, [move.text for move in view.moves], 1)
            hint = f" Did you mean {near[0]!r}?" if near else " (help shows what you can type)"
            self._print(f"{error}.{hint}")

    def _play(self, move: Move, seat: int) -> None:
        self.game.play(move)
        self.saved = False
        if self.game.seat == seat and self.game.options.players > 1:
            self._print_news(seat)
            self._show_table(seat, news=False)
        elif self.game.seat == seat:  # solo: A.D.A.M. may have moved
            self._show_table(seat)
        elif len(self.people) == 1:
            self.at_table = None  # the bots move; then everything is shown anew
        else:
            self._print_news(seat)

    def _draw_curtain(self, seat: int) -> None:
        """Between two people at one machine nobody sees the other's hand."""
        if len(self.people) > 1:
            name = self.names[seat]
            if self.prompt.interactive:
                if self.at_table is not None:
                    self.prompt.ask("Press Enter to hide your cards. ")
                self._wipe()
                self.prompt.forget_lines()
                self.prompt.ask(f"It is {name}'s turn. {name}, press Enter when you are alone. ")
                self._wipe()
            else:
                self._print(f"----- {name} takes over -----")
        self.at_table = seat

    def _wipe(self) -> None:
        """Clear the screen and what could be scrolled back to."""
        if self.console.is_dumb_terminal:  # it knows no way to clear
            self.console.print("\n" * 200)
            return
        self.console.clear()
        self.console.file.write("\x1b[3J")

    def _show_table(self, seat: int, news: bool = True) -> None:
        if news:
            self._print_news(seat)
        view = self.game.view(seat)
        self.console.print(self.board.draw(view.data))
        self._list_moves(view, everything=False)

    def _list_moves(self, view: View, everything: bool) -> None:
        if view.data.phase == "setup":
            solo = view.data.adam is not None
            how_many = "exactly" if solo else "at most"
            self._print(
                f"Keep {how_many} {KEPT_AT_SETUP} Prophecy cards ({'D2' if solo else 'S5'})."
            )
        for block in list_choices(view.data, view.moves, everything, self.console.width):
            self.console.print(block)
        if self.game.can_undo:
            self.console.print(Text("undo takes back your last step", "dim"))

    def _print_news(self, seat: int) -> None:
        """What happened since this person last looked."""
        events = self.game.events(seat, self.seen[seat])
        self.seen[seat] += len(events)
        for line in self.narrator.describe(events):
            self._print(f"  {line}")

    # -------------------------------------------------------------- commands

    def _command(self, command: str, seat: int, view: View) -> None:
        if command in ("help", "?"):
            self._print("Type the number of a move, a move such as 'take b3' (Tab completes), or:")
            for name, meaning in COMMANDS.items():
                self._print(f"  {name:<10} {meaning}")
            self._print("Levels: 1→2 2→5 means met once 2 points, twice 5.")
            self._print(
                "+RK makes 5: with R and K at the right end it is worth 5; RK+ the left end."
            )
        elif command == "moves":
            self._list_moves(view, everything=True)
        elif command == "cards":
            for line in explain_cards(view.data, self.game.deck):
                self._print(line)
        elif command == "board":
            self._show_table(seat)
        elif command == "log":
            for line in self.narrator.describe(self.game.events(seat), with_turns=True):
                self._print(line)
        elif command == "undo":
            self._undo(seat)
        elif command == "hint":
            self._hint(view)
        else:
            raise Quit

    def _command_with_argument(self, command: str, argument: str) -> None:
        if command == "save":
            self._save(argument)
        elif not argument:
            self._print("why MOVE: which move? Such as: why take b3")
        else:
            self._print(explain_move(argument, self.game))

    def _undo(self, seat: int) -> None:
        try:
            self.game.undo()
        except IllegalMove:
            self._print("Nothing can be taken back: a secret came out, or the turn has just begun.")
            return
        self.saved = False
        self._show_table(seat)

    def _hint(self, view: View) -> None:
        if not self.has_hints:
            self._print("Several people play, without hints: begin with --hints to have them.")
            return
        from coatl.hints import Adviser  # what is to be compiled for it, few games need

        try:
            hint = Adviser().hint(view)
        except ValueError as error:
            self._print(f"There is no hint: {error}.")
            return
        for line in describe_hint(hint, self.names):
            self._print(line)

    def _save(self, argument: str) -> None:
        if not argument:
            self._print("save FILE: under which name? Such as: save evening.coatl")
            return
        try:
            line = save_game(self.game, argument)
        except CannotSave as error:
            self._print(str(error))
            return
        self.saved = True
        self.console.print(line, soft_wrap=True)  # in one piece, to be copied

    # -------------------------------------------------------------- the end

    def _after_the_game(self) -> None:
        if len(self.people) == 1:
            self._print_news(self.people[0])
        self.console.print(score_sheet(self.game, self.names))
        while self.prompt.interactive and not self.saved:
            file = self.prompt.ask("Keep the record in a file? Its name, or Enter for no: ")
            if not file:
                return
            self._save(file.removeprefix("save "))

    def _leave(self) -> None:
        """Quit, the end of the input, or Ctrl-C: nobody loses a game without being asked."""
        if self.prompt.interactive and not self.saved and not self.game.over:
            with suppress(EOFError, KeyboardInterrupt):
                while not self.saved:
                    file = self.prompt.ask("\nSave the game to a file? Its name, or Enter for no: ")
                    if not file:
                        break
                    self._save(file.removeprefix("save "))
        self._print("\nGoodbye.")

    def _print(self, text: str) -> None:
        self.console.print(text)
