"""The first screen: what there is to do."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import Screen
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from coatl import puzzles
from coatl.cli.application.dialogs import Asking
from coatl.cli.application.key_bar import KeyBar
from coatl.cli.application.lesson_screen import LessonScreen
from coatl.cli.application.new_game import NewGame
from coatl.cli.application.painting import serpent, styled
from coatl.cli.application.puzzle_screen import PuzzleScreen
from coatl.cli.application.replay_screen import ReplayScreen
from coatl.cli.application.rules_screen import RulesScreen
from coatl.cli.console import Failure, read_text
from coatl.cli.language import choose_language
from coatl.cli.learn import resume
from coatl.cli.play_request import PlayRequest
from coatl.cli.progress import Place, Progress
from coatl.cli.puzzle_progress import PuzzleProgress, Tried
from coatl.errors import RecordError
from coatl.lessons import LESSONS, LessonRun, load_lesson, load_words
from coatl.puzzles import UnknownPuzzle

if TYPE_CHECKING:
    from coatl.cli.application.app import CoatlApp


class Home(Screen[None]):
    """A list of everything, Escape leads back to it."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("q", "app.quit", "Leave")]
    app: CoatlApp

    def compose(self) -> ComposeResult:
        with Vertical(id="home"):
            yield Static(
                styled("Cóatl  ", "bold").append_text(serpent("<GKRBYY>")), id="home-title"
            )
            yield OptionList(id="entries", compact=True, markup=False)
        yield KeyBar()

    def on_mount(self) -> None:
        self._list()

    def on_screen_resume(self) -> None:
        self._list()

    def _entries(self) -> list[tuple[str, str, Callable[[], None]]]:
        """Each with what it says and what it does."""
        found: list[tuple[str, str, Callable[[], None]]] = [
            ("New game", "against bots, or with people at this machine", self._new_game),
            ("Solo", "you against A.D.A.M.", self._solo),
            ("Go on", "with a saved game", self._load),
        ]
        language, progress = choose_language(None), Progress()
        for name in LESSONS:
            title = load_words(name, language).title
            found.append((title, self._how_far(name, progress), partial(self._learn, name)))
        found += [
            ("Puzzle of the day", self._todays(), self._puzzle_of_day),
            ("Puzzles", "any of them, by its number", self._puzzle),
            ("Replay", "a recorded game, step by step", self._replay),
            ("Rules", "and rulings, to read and to search", self._rules),
            ("Leave", "", self.app.exit),
        ]
        return found

    def _list(self) -> None:
        entries = self.query_one("#entries", OptionList)
        at = entries.highlighted or 0
        entries.clear_options()
        for title, text, _ in self._entries():
            entries.add_option(Option(styled(f"{title:<26}", "bold").append(text, "quiet")))
        entries.highlighted = at
        entries.focus()

    @on(OptionList.OptionSelected)
    def choose(self, event: OptionList.OptionSelected) -> None:
        try:
            self._entries()[event.option_index][2]()
        except Failure as error:
            self._tell(str(error))

    def _tell(self, problem: str) -> None:
        self.notify(problem, severity="error", markup=False)

    # -------------------------------------------------------------- games

    def _new_game(self) -> None:
        def answer(request: PlayRequest | None) -> None:
            if request is not None:
                self._play(request)

        self.app.push_screen(NewGame(), answer)

    def _play(self, request: PlayRequest) -> None:
        try:
            self.app.begin(request)
        except Failure as error:
            self._tell(str(error))

    def _solo(self) -> None:
        def answer(levels: str | None) -> None:
            if levels is not None:
                self._play(PlayRequest(solo=True, levels=levels or None))

        self.app.push_screen(Asking("A.D.A.M.'s levels, such as 13, or Enter for none"), answer)

    def _load(self) -> None:
        self._ask_file("Which saved game?", lambda file: self._play(PlayRequest(load=file)))

    def _replay(self) -> None:
        def replay(file: Path) -> None:
            try:
                self.app.push_screen(ReplayScreen(read_text(file)))
            except (Failure, RecordError) as error:
                self._tell(str(error))

        self._ask_file("Which record?", replay)

    def _ask_file(self, question: str, then: Callable[[Path], None]) -> None:
        def answer(name: str | None) -> None:
            if name:
                then(Path(name).expanduser())

        self.app.push_screen(Asking(question, records_here()), answer)

    # -------------------------------------------------------------- lessons, puzzles, rules

    def _how_far(self, name: str, progress: Progress) -> str:
        steps, step = len(load_lesson(name).steps), progress.place(name).step
        if step >= steps:
            return "lesson, done"
        return f"lesson, step {step + 1} of {steps}" if step else "lesson"

    def _learn(self, name: str) -> None:
        progress = Progress()

        def keep(run: LessonRun) -> None:
            progress.keep(name, Place(run.path, run.number))

        run = resume(name, progress.place(name))
        self.app.push_screen(LessonScreen(run, choose_language(None), keep))

    def _todays(self) -> str:
        today = puzzles.today()
        number = puzzles.number_of_day(today, len(puzzles.shipped().puzzles))
        tried = PuzzleProgress().tried(puzzles.shipped().puzzle(number).position)
        return f"{today.isoformat()}, {'solved' if tried.solved else f'number {number}'}"

    def _puzzle_of_day(self) -> None:
        today = puzzles.today()
        number = puzzles.number_of_day(today, len(puzzles.shipped().puzzles))
        self._show_puzzle(number, is_todays=True)

    def _puzzle(self) -> None:
        def answer(text: str | None) -> None:
            if text:
                try:
                    self._show_puzzle(int(text) if text.isdecimal() else 0)
                except UnknownPuzzle as error:
                    self._tell(str(error))

        count = len(puzzles.shipped().puzzles)
        self.app.push_screen(Asking(f"Which puzzle, 1 to {count}?"), answer)

    def _show_puzzle(self, number: int, is_todays: bool = False) -> None:
        puzzle = puzzles.shipped().puzzle(number)
        kept = PuzzleProgress()

        def keep(tried: Tried) -> None:
            kept.keep(puzzle.position, tried, puzzles.today() if is_todays else None)

        title = f"Puzzle of the day ({number})" if is_todays else f"Puzzle {number}"
        tried = kept.tried(puzzle.position)
        self.app.push_screen(PuzzleScreen(puzzle, title, tried, keep))

    def _rules(self) -> None:
        self.app.push_screen(RulesScreen())


def records_here() -> tuple[str, ...]:
    """Files in this folder that are probably records, for completing a name."""
    return tuple(sorted(str(file) for file in Path().glob("*.coatl")))
