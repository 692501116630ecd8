"""Drives the application without a terminal: presses, clicks, and the text of the screen."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable, Iterable
from pathlib import Path

from textual.events import Key
from textual.message_pump import MessagePump
from textual.pilot import Pilot
from textual.screen import Screen
from textual.widgets import Static

from coatl.cli.application.app import CoatlApp, make_game
from coatl.cli.application.game_screen import GameScreen
from coatl.cli.application.table import Table
from coatl.cli.application.table_screen import TableScreen
from coatl.cli.application.things import Thing
from coatl.cli.application.widgets import ThingWidget
from coatl.cli.play import take_seats
from coatl.cli.play_request import PlayRequest
from coatl.game import Game

FOLDER = Path(__file__).parent / "snapshots"
MOVES = Path(__file__).parent.parent / "snapshots"
WIDE, SMALL = (100, 30), (80, 24)


QUIET_ROUNDS = 20  # of the event loop, in a row, with nothing to do
KEY_NAMES = {"<": "less_than_sign", ">": "greater_than_sign", "+": "plus", ":": "colon"}
KEY_NAMES |= {" ": "space", ".": "full_stop", "/": "slash", "-": "minus", "_": "underscore"}
CHARACTERS = {name: letter for letter, name in KEY_NAMES.items()}


class Player:
    """Somebody at the application.

    Textual's pilot waits until the process does little, which depends on how busy the machine is;
    here everything waits until there is nothing left to do.
    """

    def __init__(self, app: CoatlApp, pilot: Pilot[None]) -> None:
        self.app, self.pilot = app, pilot

    async def settle(self) -> None:
        """Until the bots have moved and everything is drawn."""
        quiet = 0
        pumps: list[MessagePump] = []
        while quiet < QUIET_ROUNDS and self.app.is_running and not self.app._exit:
            running = [worker for worker in self.app.workers if not worker.is_finished]
            if running:
                await self.app.workers.wait_for_complete(running)
            if quiet == 0:
                pumps = [self.app, *self.app.screen.walk_children(with_self=True)]
            if self._is_drawn() and not any(map(has_work, pumps)):
                quiet += 1
            else:
                quiet = 0
                self.app.screen._on_timer_update()
            await asyncio.sleep(0)

    def _is_drawn(self) -> bool:
        screen = self.app.screen
        return not (
            screen._layout_required
            or screen._scroll_required
            or screen._repaint_required
            or screen._recompose_required
            or screen._dirty_widgets
            or screen._callbacks
        )

    async def press(self, *keys: str) -> None:
        for key in keys:
            character = key if len(key) == 1 else CHARACTERS.get(key)
            self.app.post_message(Key(key, character))
            await self.settle()

    async def type(self, text: str) -> None:
        """A line into whatever asks for one."""
        await self.press(*(KEY_NAMES.get(letter, letter) for letter in text), "enter")

    async def resize(self, width: int, height: int) -> None:
        await self.pilot.resize_terminal(width, height)
        await self.settle()

    async def click(self, thing: Thing) -> None:
        await self.pilot.click(self.widget(thing))
        await self.settle()

    async def point(self, thing: Thing) -> None:
        """Bring the focus to a thing."""
        self.widget(thing).focus()
        await self.settle()

    def widget(self, thing: Thing) -> ThingWidget:
        found = [w for w in self.table.query_one(Table).things() if w.thing == thing]
        assert found, f"{thing} is not on the table:\n{self.text}"
        return found[0]

    @property
    def screen(self) -> Screen[object]:
        return self.app.screen

    @property
    def table(self) -> TableScreen:
        assert isinstance(self.app.screen, TableScreen), self.text
        return self.app.screen

    @property
    def game(self) -> Game:
        return self.table.game

    @property
    def text(self) -> str:
        """What the screen shows."""
        strips = self.app.screen._compositor.render_strips()
        return "\n".join(strip.text.rstrip() for strip in strips)

    @property
    def message(self) -> str:
        return str(self.table.query_one("#message", Static).visual)


def has_work(pump: MessagePump) -> bool:
    return bool(pump._next_callbacks) or not pump._message_queue.empty()


Script = Callable[[Player], Awaitable[None]]


def run(script: Script, screen: GameScreen | None = None, size: tuple[int, int] = WIDE) -> None:
    """Do something at the application; without a screen it begins with its menu."""

    async def inside() -> None:
        app = CoatlApp(screen)
        async with app.run_test(size=size, notifications=True) as pilot:
            player = Player(app, pilot)
            await player.settle()
            await script(player)

    asyncio.run(inside())


def new_game(**request: object) -> GameScreen:
    """Against `greedy`, with a seed."""
    chosen: dict[str, object] = {"seed": "4", "bots": "greedy"} | request
    return make_game(PlayRequest(**chosen))  # type: ignore[arg-type]


def game_after(moves: Iterable[str], seats: list[str], **options: object) -> GameScreen:
    """A game in which some moves have been made."""
    game = Game.new(seed="4", **options)  # type: ignore[arg-type]
    for move in moves:
        game.play(move)
    game.seats = seats
    return GameScreen(game, take_seats(game))


def kept_moves(name: str) -> list[str]:
    """Of a game of the plain mode's tests."""
    return (MOVES / f"{name}.moves").read_text("utf-8").splitlines()


def compare(name: str, text: str) -> None:
    """With the text that is kept; ``COATL_RENEW_SNAPSHOTS=1`` writes it anew, read the diff."""
    file = FOLDER / f"{name}.txt"
    if os.environ.get("COATL_RENEW_SNAPSHOTS") == "1":
        file.write_text(text + "\n", "utf-8")
    assert text + "\n" == file.read_text("utf-8")
