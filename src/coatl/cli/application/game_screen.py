"""A game at the table: people at this machine, bots, A.D.A.M."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

from textual import work

from coatl.cli.application.dialogs import Asking, Curtain, Reading
from coatl.cli.application.replay_screen import ReplayScreen
from coatl.cli.application.table_screen import TableScreen
from coatl.cli.application.things import EndButton, moves_with
from coatl.cli.terminal.advice import describe_hint
from coatl.cli.terminal.choices import GROUPS
from coatl.cli.terminal.narration import Narrator
from coatl.cli.terminal.saving import CannotSave, save_game
from coatl.cli.terminal.session import TerminalSeat
from coatl.cli.terminal.sheet import score_sheet, verdict
from coatl.errors import IllegalMove
from coatl.game import Game
from coatl.moves import Move
from coatl.players.registry import make_player
from coatl.rules.state import KEPT_AT_SETUP
from coatl.table import SUBSTITUTE_BOT
from coatl.view import ViewData

VERBS = {
    "Take": "take",
    "Prophecy": "choose a card",
    "Assemble": "assemble",
    "Lay": "lay a card",
    "Token": "use a token",
    "Discard": "discard",
}


class GameScreen(TableScreen):
    """One game, to its score sheet."""

    def __init__(self, game: Game, seats: Sequence[TerminalSeat], hints: bool = False) -> None:
        self._game = game
        self._seats = list(seats)
        self._people = [number for number, seat in enumerate(seats) if seat.bot is None]
        self._seat = self._people[0]  # who sits at the keyboard
        self._narrator = Narrator(self.names)
        self._has_hints = hints or len(self._people) == 1  # several people have to agree on them
        self._seen = dict.fromkeys(self._people, game.event_count)
        self._busy = ""  # what is being waited for
        self._logged: tuple[int, int] = (-1, -1)
        self._log: list[str] = []
        self.saved = True
        super().__init__()

    def on_mount(self) -> None:
        if len(self._people) > 1:
            self._seat = -1
        self.go_on()

    # -------------------------------------------------------------- what is shown

    @property
    def game(self) -> Game:
        return self._game

    @property
    def names(self) -> list[str]:
        return [seat.name for seat in self._seats]

    def look(self) -> ViewData:
        return self._game.view(None if self._seat < 0 else self._seat).data

    @property
    def moves(self) -> Sequence[Move]:
        return () if self._busy else self.view.moves

    @property
    def prompt(self) -> str:
        game = self._game
        if game.over:
            return verdict(game, self.names)
        who = "A.D.A.M." if game.seat is None else self.names[game.seat]
        turn = "Setup" if game.phase == "setup" else f"Turn {game.turn}"
        if self._busy or game.seat != self._seat:
            return f"{turn}  {self._busy or who}"
        actions = f", {self.view.actions_left} actions" if self.view.actions_left > 1 else ""
        return f"{turn}  {who}{actions}: {self._wanted()}"

    def _wanted(self) -> str:
        if self._game.phase == "setup":
            solo = self.view.adam is not None
            how_many, clause = ("exactly", "D2") if solo else ("at most", "S5")
            return f"keep {how_many} {KEPT_AT_SETUP} Prophecy cards ({clause})"
        groups = dict.fromkeys(GROUPS[move.kind] for move in self.view.moves)
        verbs = [VERBS[group] for group in groups if group in VERBS]
        ends = [move.text for move in moves_with([EndButton()], self.view.moves)]
        return ", ".join([*verbs, *ends])

    def log_lines(self) -> list[str]:
        now = (self._game.event_count, self._seat)
        if self._logged != now:
            seat = None if self._seat < 0 else self._seat
            self._log = list(self._narrator.describe(self._game.events(seat), with_turns=True))
            self._logged = now
        return self._log

    # -------------------------------------------------------------- turns

    def play(self, move: Move) -> None:
        self._game.play(move)
        self.saved = False
        self.go_on()

    def go_on(self) -> None:
        """Show the table, and let whoever is next move."""
        seat = self._game.seat
        if seat is not None and self._seats[seat].bot is not None:
            self._let_bots_move()
        elif seat is not None and seat != self._seat:
            self._draw_curtain(seat)
        else:
            self.show()
            self._tell_news()
            if seat is None:
                self._end()

    def _tell_news(self) -> None:
        """What others did since this person moved; one's own deeds are in the log."""
        since = self._seen.get(self._seat, 0)
        events = self._game.events(self._seat, since)
        self._seen[self._seat] = self._game.event_count
        others = [event for event in events if event.seat != self._seat]
        lines = list(self._narrator.describe(others))
        self.say("; ".join(lines) + "." if lines else "")

    @work(exclusive=True)
    async def _let_bots_move(self) -> None:
        while (seat := self._game.seat) is not None:
            bot, name = self._seats[seat].bot, self.names[seat]
            if bot is None:
                break
            self._busy = f"{name} is thinking"
            self.show()
            try:
                while self._game.seat == seat:
                    view = self._game.view(seat)
                    self._game.play(await asyncio.to_thread(bot.choose, view, view.moves))
            except Exception as error:  # a stranger's bot can do anything
                self.notify(f"{name} failed ({error!r}); {SUBSTITUTE_BOT} takes over", markup=False)
                self._seats[seat].bot = make_player(SUBSTITUTE_BOT)
        self._busy = ""
        self.go_on()

    def _draw_curtain(self, seat: int) -> None:
        """Between two people at one machine nobody sees the other's hand."""
        news = self._game.events(None, self._seen[seat])
        self._seat, self._busy = -1, f"{self.names[seat]} is next"
        self.show()

        def lift(_: None) -> None:
            self._seat, self._busy = seat, ""
            self.go_on()

        self.app.push_screen(Curtain(self.names[seat], list(self._narrator.describe(news))), lift)

    # -------------------------------------------------------------- keys

    def action_undo(self) -> None:
        try:
            if self._busy:
                return
            self._game.undo()
        except IllegalMove:
            self.say("Nothing can be taken back: a secret came out, or the turn has just begun.")
            return
        self.saved, self.hint = False, None
        self.show()
        self.say("Taken back.")

    def action_hint(self) -> None:
        if not self._has_hints:
            self.say("Several people play, without hints: begin with --hints to have them.")
        elif self.moves:
            self._find_hint()

    @work(exclusive=True)
    async def _find_hint(self) -> None:
        from coatl.hints import Adviser  # what is to be compiled for it, few games need

        view = self._game.view(self._seat)
        self._busy = "Looking for a hint"
        self.say(
            "Looking for a hint. Before the first one much is compiled, which takes a minute or "
            "more (coatl warmup does it beforehand)."
        )
        try:
            hint = await asyncio.to_thread(lambda: Adviser().hint(view))
        except ValueError as error:
            self.say(f"There is no hint: {error}.")
            return
        finally:
            self._busy = ""
        self.hint = hint.best.moves[0]
        self.show_choice()
        moves, *sentences = (line.strip() for line in describe_hint(hint, self.names))
        self.say(" ".join([f"{moves}.", *sentences]))

    def action_save(self) -> None:
        self._ask_file("Save the game to which file?", lambda: None)

    def _ask_file(self, question: str, then: Callable[[], None]) -> None:
        """`then` is done once there is an answer, also if it is empty."""

        def answer(name: str | None) -> None:
            if name is None:
                return
            if name:
                try:
                    line = save_game(self._game, name)
                except CannotSave as error:
                    self.say(str(error))
                    return
                self.saved = True
                self.say(line)
            then()

        self.app.push_screen(Asking(question), answer)

    def leave(self, then: Callable[[], None]) -> None:
        """Nobody loses a game without being asked."""
        if self.saved or self._game.over:
            then()
        else:
            question = "Save the game to a file? Its name, or Enter for no"
            self._ask_file(question, then)

    def action_menu(self) -> None:
        self.leave(lambda: self._close())

    def _close(self) -> None:
        self.dismiss(None)

    # -------------------------------------------------------------- the end

    def _end(self) -> None:
        keys = {"p": "replay", "s": "save the record", "m": "menu"}
        sheet = score_sheet(self._game, self.names)

        def answer(key: str | None) -> None:
            if key == "p":
                self.app.push_screen(ReplayScreen(self._game.record(True), self._game.deck))
            elif key == "s":
                self.action_save()
            elif key == "m":
                self.dismiss(None)

        self.app.push_screen(Reading("The game is over", sheet, keys), answer)
