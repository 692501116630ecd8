"""The application: its screens, themes and how it is left."""

from __future__ import annotations

from typing import ClassVar

from textual.app import App
from textual.binding import Binding, BindingType

from coatl.cli.application.game_screen import GameScreen
from coatl.cli.application.home import Home
from coatl.cli.application.look import DARK, LIGHT, make_theme, text_styles
from coatl.cli.application.table_screen import TableScreen
from coatl.cli.play import load_game, new_game, take_seats
from coatl.cli.play_request import PlayRequest
from coatl.compiler import jit


class CoatlApp(App[None]):
    """The menu, and above it what was chosen there or on the command line."""

    TITLE = "Cóatl"
    CSS_PATH = "app.tcss"
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+q,ctrl+c", "quit", "Leave", show=False, priority=True),
        Binding("d", "change_theme", "Dark or light", show=False),
    ]

    def __init__(self, game: GameScreen | None = None) -> None:
        super().__init__()
        self._first = game
        for name in (DARK, LIGHT):
            self.register_theme(make_theme(name))
        self.theme = DARK
        self.console.push_theme(text_styles(DARK))

    def on_mount(self) -> None:
        self.push_screen(Home())
        if self._first is not None:
            self.push_screen(self._first)

    def begin(self, request: PlayRequest) -> None:
        """A new or a saved game; raises `Failure`."""
        self.push_screen(make_game(request))

    def action_change_theme(self) -> None:
        self.theme = LIGHT if self.theme == DARK else DARK
        self.console.pop_theme()
        self.console.push_theme(text_styles(self.theme))
        for screen in self.screen_stack:
            if isinstance(screen, TableScreen):
                screen.change_colours()

    async def action_quit(self) -> None:
        for screen in reversed(self.screen_stack):
            if isinstance(screen, GameScreen):
                screen.leave(self.exit)
                return
        self.exit()


def make_game(request: PlayRequest) -> GameScreen:
    """The screen of a game; raises `Failure`."""
    game = load_game(request) if request.load is not None else new_game(request)
    return GameScreen(game, take_seats(game), request.hints)


def play_in_application(request: PlayRequest) -> None:
    """Run until it is left."""
    jit.load_all()
    first = None if request.is_empty else make_game(request)
    CoatlApp(first).run()
