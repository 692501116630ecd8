"""A form for a new game; Enter gives what the rulebook suggests for a first one."""

from __future__ import annotations

from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import HorizontalGroup, Vertical
from textual.screen import ModalScreen
from textual.widgets import Button, Input, Label, Select

from coatl.cli.play import DEFAULT_OPPONENT, MOST_SEATS
from coatl.cli.play_request import PlayRequest
from coatl.players.bots import BOTS, LADDER

OPPONENTS = [DEFAULT_OPPONENT, *(bot.name for bot in BOTS if bot.kind == LADDER)]

QUESTIONS = {
    "tokens": "Sacrifice tokens? Not in a first game",
    "promo": "The promo pack?",
    "hints": "Hints where several people play?",
}


class NewGame(ModalScreen[PlayRequest | None]):
    """Answers with what is asked for on the command line."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "close", "Close")]

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog"):
            yield Label("New game", classes="dialog-title")
            with HorizontalGroup():
                yield Label("People: how many, or Ana,Ben")
                yield Input("1", id="people", compact=True)
            with HorizontalGroup():
                yield Label("Bots: how many")
                yield Input("1", id="count", compact=True, type="integer")
            with HorizontalGroup():
                yield Label("Which bot")
                names = [(name, name) for name in dict.fromkeys(OPPONENTS)]
                yield Select(
                    names, value=DEFAULT_OPPONENT, allow_blank=False, id="bot", compact=True
                )
            for id, question in QUESTIONS.items():
                with HorizontalGroup():
                    yield Label(question)
                    answers = [("no", False), ("yes", True)]
                    yield Select(answers, value=False, allow_blank=False, id=id, compact=True)
            with HorizontalGroup(id="buttons"):
                yield Button("Play", id="play", variant="primary", compact=True)
                yield Button("Close", id="close", compact=True)

    def on_mount(self) -> None:
        self.query_one("#play").focus()

    @on(Button.Pressed, "#play")
    @on(Input.Submitted)
    def begin(self) -> None:
        count = self.query_one("#count", Input).value
        bots = min(int(count[:9]) if count.isdecimal() else 0, MOST_SEATS)
        bot = str(self.query_one("#bot", Select).value)
        self.dismiss(
            PlayRequest(
                people=self.query_one("#people", Input).value or None,
                bots=",".join([bot] * bots) or None,
                tokens=self._says_yes("tokens"),
                promo=self._says_yes("promo"),
                hints=self._says_yes("hints"),
            )
        )

    def _says_yes(self, id: str) -> bool:
        return bool(self.query_one(f"#{id}", Select).value)

    @on(Button.Pressed, "#close")
    def action_close(self) -> None:
        self.dismiss(None)
