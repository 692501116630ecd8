"""One lesson at the terminal: says the step, shows the table, and takes moves."""

from __future__ import annotations

from collections.abc import Callable

from rich.console import Console
from rich.text import Text

from coatl.cli.terminal.answers import clause_title, explain_cards, explain_move, find_move
from coatl.cli.terminal.choices import list_choices
from coatl.cli.terminal.narration import Narrator
from coatl.cli.terminal.prompt import Prompt
from coatl.cli.wrapping import wrap_text
from coatl.errors import IllegalMove, NotationError
from coatl.lessons import (
    LESSONS,
    NEXT,
    LessonRun,
    Target,
    follow,
    load_common_words,
    load_words,
    moves_to_show,
    reasons_of,
    speak,
    targets_of,
)
from coatl.lessons.lesson import LessonStepKind, LessonTargetKind
from coatl.lessons.run import LEARNER_SEAT
from coatl.lessons.targets import PILES
from coatl.rulebook import Language
from coatl.text.board import YOU, Board

QUESTION = "> "


class Quit(Exception):  # noqa: N818 - leaving is no error
    """Somebody leaves the lesson."""


class LessonSession:
    """Asks for what the steps want. `keep` is called whenever something was done."""

    def __init__(
        self,
        run: LessonRun,
        language: Language,
        console: Console,
        keep: Callable[[LessonRun], None],
    ) -> None:
        self._run, self._language, self._console, self._keep = run, language, console, keep
        self._common = load_common_words(language)
        self._words = self._common.terminal
        self._title = load_words(run.lesson.name, language).title
        self._prompt = Prompt(console)
        names = [YOU, self._common.coach][: run.game.options.players]
        self._board, self._narrator = Board(run.game.deck, names), Narrator(names)
        self._seen = run.game.event_count
        self._drawn = ""  # the position that was drawn last
        self._commands: dict[str, Callable[[], None]] = {
            "show": self._show_move,
            "back": self._go_back,
            "moves": lambda: self._list_moves(everything=True),
            "cards": self._explain_cards,
            "board": self._draw,
            "help": self._help,
            "quit": self._quit,
        }

    def run(self) -> None:
        try:
            self._show_step()
            while not self._run.over:
                self._answer(self._prompt.ask(QUESTION, self._options()))
            self._end()
        except (Quit, EOFError, KeyboardInterrupt):
            self._print("\n" + self._words.later.format(name=self._run.lesson.name))

    @property
    def _reads(self) -> bool:
        return self._run.step.kind is LessonStepKind.READ

    # -------------------------------------------------------------- what is shown

    def _show_step(self) -> None:
        """The table, what the step says, and what can be done."""
        if self._run.game.position != self._drawn:
            self._draw()
        run, speech = self._run, speak(self._run, self._language)
        heading = self._words.heading.format(
            title=self._title, number=run.number + 1, count=len(run.lesson.steps), step=speech.title
        )
        self._console.print(Text(f"\n{heading}", "bold"))
        self._print(speech.astray or speech.text)
        if run.astray:
            self._print(self._words.astray)
            return
        self._point()
        if self._reads:
            self._print(self._words.read)
        else:
            self._list_moves(everything=False)
            self._print(self._words.type, "dim")

    def _draw(self) -> None:
        self._drawn = self._run.game.position
        self._console.print(self._board.draw(self._run.game.view(LEARNER_SEAT).data))

    def _point(self) -> None:
        run = self._run
        pointed = (*targets_of(run, moves_to_show(run)), *reasons_of(run))
        if pointed:
            things = ", ".join(self._name(target) for target in pointed)
            self._print(self._words.look.format(things=things))

    def _name(self, target: Target) -> str:
        """Piles are counted, as the table and the moves do."""
        is_pile = target.kind is LessonTargetKind.PILE
        name = str(PILES.index(target.name) + 1) if is_pile else target.name
        return self._common.targets[target.kind].format(name=name)

    def _list_moves(self, everything: bool) -> None:
        view = self._run.game.view(LEARNER_SEAT)
        for block in list_choices(view.data, view.moves, everything, self._console.width):
            self._console.print(block)

    def _print_news(self) -> None:
        """What happened since the learner last looked."""
        events = self._run.game.events(LEARNER_SEAT, self._seen)
        self._seen = self._run.game.event_count
        for line in self._narrator.describe(events):
            self._print(f"  {line}")

    # -------------------------------------------------------------- what is typed

    def _options(self) -> list[str]:
        moves = [move.text for move in self._run.game.view(LEARNER_SEAT).data.moves]
        return [*self._commands, "why", *moves, *(f"why {move}" for move in moves)]

    def _answer(self, line: str) -> None:
        command, _, rest = line.partition(" ")
        if not line:
            self._go_on()
        elif line.lower() in self._commands:
            self._commands[line.lower()]()
        elif command.lower() == "why":
            self._print(explain_move(rest.strip(), self._run.game))
        else:
            self._try_move(line)

    def _go_on(self) -> None:
        """Enter: to the next step, or back from a wrong turn to where it was made."""
        if self._run.astray:
            self._return_to(self._run.right_until)
        elif self._reads:
            self._do(NEXT)

    def _try_move(self, line: str) -> None:
        run = self._run
        if self._reads or not run.is_learners_turn:
            self._print(self._words.read if self._reads else self._words.astray)
            return
        try:
            self._do(find_move(line, run.game, run.game.legal_moves()).text)
        except IllegalMove as error:
            self._print(f"{error.reason} ({clause_title(error.clause)}).")
        except NotationError as error:
            self._print(f"{error}.")

    def _do(self, item: str) -> None:
        run = self._run = follow(self._run.lesson.name, (*self._run.path, item))
        self._keep(run)
        self._print_news()
        said = speak(run, self._language).said
        if said:
            self._print(said)
        if not run.over:
            self._show_step()

    # -------------------------------------------------------------- commands

    def _show_move(self) -> None:
        show = moves_to_show(self._run)
        if show:
            self._print(self._words.shown.format(move=show[0]))
            self._do(show[0])
        else:
            self._go_on()

    def _go_back(self) -> None:
        """To the beginning of this step; from there to that of the step before."""
        starts = [start for start in self._run.path_starts if start < len(self._run.path)]
        self._return_to(starts[-1] if starts else 0)

    def _return_to(self, length: int) -> None:
        """To where the path had this length."""
        self._run = follow(self._run.lesson.name, self._run.path[:length])
        self._seen = self._run.game.event_count
        self._keep(self._run)
        self._show_step()

    def _explain_cards(self) -> None:
        data = self._run.game.view(LEARNER_SEAT).data
        for line in explain_cards(data, self._run.game.deck, self._language):
            self._print(line)

    def _help(self) -> None:
        self._print(self._words.read if self._reads else self._words.type)
        for name in self._common.commands.__struct_fields__:
            self._print(f"  {name:<8}{getattr(self._common.commands, name)}")

    def _quit(self) -> None:
        raise Quit

    # -------------------------------------------------------------- the end

    def _end(self) -> None:
        self._print(self._words.over)
        after = LESSONS.index(self._run.lesson.name) + 1
        if after < len(LESSONS):
            self._print(self._words.following.format(name=LESSONS[after]))

    def _print(self, text: str, style: str = "") -> None:
        """Rich would break lines at no-break spaces too."""
        for part in text.split("\n"):
            for line in wrap_text(part, self._console.width) or [""]:
                self._console.print(Text(line, style))
