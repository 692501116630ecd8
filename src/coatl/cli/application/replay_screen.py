"""A recorded game at the table, step by step, with all cards open."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, NamedTuple

from textual.binding import Binding, BindingType

from coatl.cli.application.table_screen import TableScreen
from coatl.cli.replay import open_view, seat_names
from coatl.cli.terminal.narration import Narrator
from coatl.game import Game
from coatl.moves import Move
from coatl.rules.cards import Deck
from coatl.view import ViewData


class Moment(NamedTuple):
    """The table after a decision."""

    view: ViewData
    events: int  # how many have happened
    move: str  # the decision


class ReplayScreen(TableScreen):
    """Left and right go by one decision, up and down by one turn."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "back", "Back", key_display="←"),
        Binding("right", "on", "On", key_display="→"),
        Binding("up", "turn_back", "Turn back", key_display="↑"),
        Binding("down", "turn_on", "Turn on", key_display="↓"),
        Binding("home", "first", show=False),
        Binding("end", "last", show=False),
        Binding("p", "player", "Player"),
        Binding("u,w,h,e,s,c", "nothing", show=False),
        Binding("colon,slash", "nothing", show=False),
    ]

    def __init__(self, record: str, deck: Deck | None = None) -> None:
        self._moments = []
        for game in Game.steps(record, deck):
            self._moments.append(
                Moment(open_view(game), game.event_count, game.last_move or "the deal")
            )
        self._game, self._at, self._own = game, 0, 0
        self._narrator = Narrator(seat_names(game))
        super().__init__()

    @property
    def game(self) -> Game:
        return self._game

    @property
    def names(self) -> list[str]:
        return seat_names(self._game)

    @property
    def own(self) -> int:
        return self._own

    @property
    def moves(self) -> Sequence[Move]:
        return ()

    def look(self) -> ViewData:
        return self._moments[self._at].view

    @property
    def prompt(self) -> str:
        turn = self.view.turn
        here = self._moments[self._at]
        return f"Replay  turn {turn}  {here.move}  ({self._at} of {len(self._moments) - 1})"

    def log_lines(self) -> list[str]:
        events = self._game.all_events()[: self._moments[self._at].events]
        return list(self._narrator.describe(events, with_turns=True))

    def action_back(self) -> None:
        self._go_to(self._at - 1)

    def action_on(self) -> None:
        self._go_to(self._at + 1)

    def action_first(self) -> None:
        self._go_to(0)

    def action_last(self) -> None:
        self._go_to(len(self._moments) - 1)

    def action_turn_on(self) -> None:
        """To the beginning of the next turn."""
        turns = [moment.view.turn for moment in self._moments]
        later = [at for at, turn in enumerate(turns) if turn > turns[self._at]]
        self._go_to(later[0] if later else len(turns) - 1)

    def action_turn_back(self) -> None:
        """To the beginning of this turn; from there to that of the one before."""
        turns = [moment.view.turn for moment in self._moments]
        self._go_to(turns.index(turns[max(self._at - 1, 0)]))

    def _go_to(self, at: int) -> None:
        self._at = min(max(at, 0), len(self._moments) - 1)
        self._follow_mover()
        self.show()
        lines = self.log_lines()
        self.say(lines[-1].strip() if lines else "")

    def _follow_mover(self) -> None:
        to_move = self._moments[self._at].view.to_move
        if to_move is not None:
            self._own = to_move

    def action_player(self) -> None:
        """The lanes and the hand of the next player."""
        self._own = (self._own + 1) % self._game.options.players
        self.show()

    def action_nothing(self) -> None:
        self.say("This is a recorded game: ← and → go through it, m leads to the menu.")
