"""The rules: chapters to choose from, words to search for, the text beside them."""

from __future__ import annotations

from collections.abc import Callable
from io import StringIO
from typing import ClassVar

from rich.console import Console
from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.events import Resize
from textual.screen import Screen
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from coatl.cli.application.key_bar import KeyBar
from coatl.cli.application.look import text_styles
from coatl.cli.language import choose_language
from coatl.cli.rules import print_chapter, print_items
from coatl.rulebook import RuleChapter, load

LIST_WIDTH = 30


class RulesScreen(Screen[None]):
    """The rulebook of `coatl rules`, in the same language."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q", "close", "Close"),
        Binding("slash", "search", "Search", key_display="/"),
    ]

    def __init__(self) -> None:
        super().__init__()
        self._book = load(choose_language(None))
        self._print: Callable[[Console], None] | None = None  # what is shown

    def compose(self) -> ComposeResult:
        yield Static(f" {self._book.title}", id="lintel", markup=False)
        with Horizontal():
            with Vertical(id="contents"):
                yield Input(placeholder="/ search", id="search", compact=True)
                chapters = [
                    Option(("  " if chapter.within else "") + chapter.title, id=chapter.id)
                    for chapter in self._book.chapters
                ]
                yield OptionList(*chapters, id="chapters", compact=True, markup=False)
            with VerticalScroll(id="text"):
                yield Static(id="rules")
        yield KeyBar()

    def on_mount(self) -> None:
        self.query_one("#chapters").focus()

    def on_resize(self, event: Resize) -> None:
        self._draw()

    @on(OptionList.OptionHighlighted)
    @on(OptionList.OptionSelected)
    def show_chapter(self, event: OptionList.OptionHighlighted | OptionList.OptionSelected) -> None:
        chapter = self._book.find(str(event.option.id))
        assert isinstance(chapter, RuleChapter)
        self._print = lambda console: print_chapter(console, chapter)
        self._draw()

    @on(Input.Changed)
    def search(self, event: Input.Changed) -> None:
        items = self._book.search(event.value) if event.value.strip() else ()
        self._print = lambda console: print_items(console, items)
        self._draw()

    def _draw(self) -> None:
        """As the command prints it, in the width there is."""
        if self._print is None:
            return
        width = max(self.size.width - LIST_WIDTH - 4, 20)
        console = Console(
            file=StringIO(), width=width, force_terminal=True, color_system="truecolor",
            theme=text_styles(self.app.theme), highlight=False, markup=False, emoji=False,
        )  # fmt: skip
        with console.capture() as captured:
            self._print(console)
        self.query_one("#rules", Static).update(Text.from_ansi(captured.get()))
        self.query_one("#text").scroll_home(animate=False)

    def action_search(self) -> None:
        self.query_one("#search").focus()

    def action_close(self) -> None:
        self.dismiss(None)
