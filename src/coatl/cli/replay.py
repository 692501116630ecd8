"""`coatl replay`: a recorded game turn by turn, or the table at one of its turns."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec
from rich.console import Console

from coatl.cli.console import Failure, read_text
from coatl.cli.terminal.narration import Narrator
from coatl.cli.terminal.sheet import score_sheet
from coatl.events import Event, EventKind
from coatl.game import Game
from coatl.text.board import Board
from coatl.text.drawing import make_console
from coatl.view import ViewData


def replay(file: Path, turn: int | None, seat: int | None, deck: Path | None) -> None:
    text = read_text(file)
    try:
        last = Game.replay(text, deck)  # a broken record is refused before anything is printed
    except ValueError as error:
        raise Failure(f"{file}: {error}") from None
    players = last.options.players
    if seat is not None and seat > players:
        raise Failure(f"the game has no seat {seat}; its seats are 1 to {players}")
    if turn is not None and turn > last.turn:
        raise Failure(f"the game has no turn {turn}; its turns are 0 (setup) to {last.turn}")
    printer = ReplayPrinter(last, None if seat is None else seat - 1, make_console())
    if turn is None:
        printer.print_game()
    else:
        printer.print_turn(Game.steps(text, deck), turn)


class ReplayPrinter:
    """Prints a game as one seat saw it; without a seat all cards are open."""

    def __init__(self, game: Game, seat: int | None, console: Console) -> None:
        self.last = game
        self.seat = seat
        self.console = console
        self.names = seat_names(game)

    def print_game(self) -> None:
        """Every turn in words, then the score sheet (of an unfinished game, the table)."""
        self._print_events(self._events(self.last))
        if self.last.over:
            self.console.print(score_sheet(self.last, self.names))
        else:
            self._print_table(self.last)

    def print_turn(self, steps: Iterator[Game], turn: int) -> None:
        """The table when a turn began, and what was done in it."""
        for game in steps:
            if game.turn >= turn:
                break
        if game.turn == turn:  # not A.D.A.M.'s, which is over as soon as it begins
            self._print_table(game)
        self._print_events(self._events_of_turn(turn))
        if game.turn > turn:
            self._print_table(game)

    def _events_of_turn(self, turn: int) -> list[Event]:
        """From the event that begins a turn to the one that begins the next."""
        now, found = 0, []
        for event in self._events(self.last):
            if event.turn is not None:
                now = event.turn
            if now == turn and event.kind is not EventKind.TURN:
                found.append(event)
        return found

    def _print_events(self, events: list[Event]) -> None:
        for line in Narrator(self.names).describe(events, with_turns=True):
            self.console.print(line)

    def _print_table(self, game: Game) -> None:
        board = Board(game.deck, self.names)
        if self.seat is not None:
            self.console.print(board.draw(game.view(self.seat).data))
        else:
            self.console.print(board.draw(open_view(game), all_open=True))

    def _events(self, game: Game) -> list[Event]:
        return game.all_events() if self.seat is None else game.events(self.seat)


def seat_names(game: Game) -> list[str]:
    """Those in the record, or ``Seat 1`` and so on."""
    names = [name.removeprefix("bot:") for name in game.seats]
    if names and len(set(names)) == len(names):
        return names
    return [f"Seat {number}" for number in range(1, game.options.players + 1)]


def open_view(game: Game) -> ViewData:
    """The table with everybody's cards open: of each seat, what it sees of itself."""
    views = [game.view(seat).data for seat in range(game.options.players)]
    own = tuple(view.seats[seat] for seat, view in enumerate(views))
    return msgspec.structs.replace(game.view(None).data, seats=own)
