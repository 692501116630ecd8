"""Small screens above the table: something to read, a line to type, the curtain."""

from __future__ import annotations

from typing import ClassVar

from rich.console import RenderableType
from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.screen import ModalScreen
from textual.suggester import SuggestFromList
from textual.widgets import Input, Static


class Reading(ModalScreen[str | None]):
    """Something to read; Escape or Enter closes it. Answers with a key of `keys`, if pressed."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,enter,q", "close", "Close")]

    def __init__(self, title: str, text: RenderableType, keys: dict[str, str] | None = None):
        super().__init__()
        self._title, self._text, self._keys = title, text, keys or {}

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog tall"):
            yield Static(self._title, classes="dialog-title", markup=False)
            with VerticalScroll(id="reading"):
                yield Static(self._text, markup=False)
            keys = [*(f"{key} {meaning}" for key, meaning in self._keys.items()), "Esc close"]
            yield Static("   ".join(keys), classes="dialog-keys", markup=False)

    def on_mount(self) -> None:
        self.query_one("#reading").focus()

    def on_key(self, event: events.Key) -> None:
        if event.key in self._keys:
            self.dismiss(event.key)

    def action_close(self) -> None:
        self.dismiss(None)


class Asking(ModalScreen[str | None]):
    """A line to type; Escape gives None."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "close", "Close")]

    def __init__(self, question: str, options: tuple[str, ...] = (), text: str = "") -> None:
        super().__init__()
        self._question, self._options, self._text = question, options, text

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog"):
            yield Static(self._question, classes="dialog-title", markup=False)
            suggester = SuggestFromList(self._options, case_sensitive=False)
            yield Input(self._text, suggester=suggester if self._options else None)
            yield Static("Enter confirms   → completes   Esc close", classes="dialog-keys")

    def on_input_submitted(self, event: Input.Submitted) -> None:
        self.dismiss(event.value.strip())

    def action_close(self) -> None:
        self.dismiss(None)


class Curtain(ModalScreen[None]):
    """Between two people at one machine: nothing of the table shows."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter", "open", "Open the table")]

    def __init__(self, name: str, news: list[str]) -> None:
        super().__init__()
        self._name, self._news = name, news

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog"):
            yield Static(f"It is {self._name}'s turn", classes="dialog-title", markup=False)
            yield Static(Text("\n".join(self._news[-10:])))
            line = f"{self._name}, press Enter when you are alone."
            yield Static(line, classes="dialog-keys", markup=False)

    def on_click(self) -> None:
        self.dismiss(None)

    def action_open(self) -> None:
        self.dismiss(None)
