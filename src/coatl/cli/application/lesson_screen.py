"""A lesson at the table: what the step says, what it points at, and its moves."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar

from textual.binding import Binding, BindingType

from coatl.cli.application.dialogs import Reading
from coatl.cli.application.table_screen import TableScreen
from coatl.cli.application.things import Thing
from coatl.cli.terminal.narration import Narrator
from coatl.game import Game
from coatl.lessons import (
    LESSONS,
    NEXT,
    LessonRun,
    follow,
    load_common_words,
    load_words,
    moves_to_show,
    speak,
)
from coatl.lessons.lesson import LessonStepKind
from coatl.lessons.run import LEARNER_SEAT
from coatl.moves import Move
from coatl.rulebook import Language
from coatl.text.board import YOU
from coatl.view import ViewData


class LessonScreen(TableScreen):
    """`keep` is called whenever something was done."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("n,enter", "next", "Next"),
        Binding("h", "hint", "Show me"),
        Binding("u", "undo", "Back"),
        Binding("s", "nothing", show=False),
    ]

    def __init__(
        self, run: LessonRun, language: Language, keep: Callable[[LessonRun], None]
    ) -> None:
        self._run, self._language, self._keep = run, language, keep
        self._common = load_common_words(language)
        self._narrator = Narrator(self.names)
        super().__init__()

    @property
    def game(self) -> Game:
        return self._run.game

    @property
    def names(self) -> list[str]:
        return [YOU, self._common.coach][: self._run.game.options.players]

    def look(self) -> ViewData:
        return self._run.game.view(LEARNER_SEAT).data

    @property
    def moves(self) -> Sequence[Move]:
        return () if self._waits or self._run.over else self.view.moves

    @property
    def _reads(self) -> bool:
        return self._run.step.kind is LessonStepKind.READ

    @property
    def _waits(self) -> bool:
        """Is there nothing to be done but to press Enter?"""
        return self._reads or bool(self._run.astray)

    @property
    def _wait_text(self) -> str:
        words = self._common.terminal
        return words.astray if self._run.astray else words.read

    @property
    def prompt(self) -> str:
        run = self._run
        return self._common.terminal.heading.format(
            title=load_words(run.lesson.name, self._language).title,
            number=min(run.number + 1, len(run.lesson.steps)),
            count=len(run.lesson.steps),
            step=speak(run, self._language).title,
        )

    def log_lines(self) -> list[str]:
        return list(self._narrator.describe(self.game.events(LEARNER_SEAT), with_turns=True))

    def on_mount(self) -> None:
        self.show_step("")

    def show_step(self, before: str) -> None:
        """`before` is said about what was just achieved."""
        ways = moves_to_show(self._run)
        self.hint = self.game.move(ways[0]) if ways else None
        self.show()
        self.say(" ".join(filter(None, [before, self.assignment])))

    @property
    def assignment(self) -> str:
        speech = speak(self._run, self._language)
        wait = self._wait_text if self._waits else ""
        return " ".join(filter(None, [speech.astray or speech.text, wait]))

    def play(self, move: Move) -> None:
        self._do(move.text)

    def _do(self, item: str) -> None:
        self._go_to((*self._run.path, item))

    def _go_to(self, path: Sequence[str]) -> None:
        run = self._run = follow(self._run.lesson.name, tuple(path))
        self._keep(run)
        said = speak(run, self._language).said
        self.show_step(said)
        if run.over:
            self._end(said)

    def choose(self, thing: Thing) -> None:
        """Where only Enter is waited for, it counts wherever the focus is."""
        if self._waits:
            self.action_next()
        else:
            super().choose(thing)

    def _end(self, said: str) -> None:
        words = self._common.terminal
        after = LESSONS.index(self._run.lesson.name) + 1
        lines = [said, "", words.over]
        if after < len(LESSONS):
            lines.append(words.following.format(name=LESSONS[after]))
        self.app.push_screen(Reading(self.prompt, "\n".join(lines)), lambda _: self.dismiss(None))

    # -------------------------------------------------------------- keys

    def action_next(self) -> None:
        """To the next step, or back from a wrong turn to where it was made."""
        if self._run.astray:
            self._go_to(self._run.path[: self._run.right_until])
        elif self._reads:
            self._do(NEXT)
        else:
            self.show_step("")

    def action_hint(self) -> None:
        ways = moves_to_show(self._run)
        if ways:
            self._do(ways[0])
        else:
            self.action_next()

    def action_undo(self) -> None:
        """To the beginning of this step; from there to that of the step before."""
        starts = [start for start in self._run.path_starts if start < len(self._run.path)]
        self._go_to(self._run.path[: starts[-1] if starts else 0])

    def explain(self, text: str) -> str:
        return self._wait_text if self._waits else super().explain(text)

    def action_nothing(self) -> None:
        """Where somebody is in a lesson is kept after every move."""
