"""A screen with the table, whatever is played there: pointing, choosing, asking."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import wrap
from typing import ClassVar

from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, HorizontalGroup, Vertical
from textual.events import Resize
from textual.screen import Screen
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from coatl.cli.application import painting
from coatl.cli.application.describing import describe
from coatl.cli.application.dialogs import Asking, Reading
from coatl.cli.application.key_bar import KeyBar
from coatl.cli.application.moving import neighbour
from coatl.cli.application.painting import styled
from coatl.cli.application.rules_screen import RulesScreen
from coatl.cli.application.side import Side, players_text, points_line
from coatl.cli.application.table import NO_ONE, Area, Table
from coatl.cli.application.things import EndButton, Lane, LaneEnd, Thing, moves_with, why_questions
from coatl.cli.application.widgets import ThingWidget
from coatl.cli.terminal.answers import clause_title, explain_cards, explain_move, find_move
from coatl.cli.terminal.choices import GROUPS
from coatl.errors import IllegalMove, NotationError
from coatl.game import Game
from coatl.moves import Move
from coatl.text.board import pieces_in
from coatl.view import SeatView, ViewData

WIDE, HIGH = 96, 28  # columns and lines from which on there is room for the side, and for titles
ARROWS = ("up", "down", "left", "right")


class TableScreen(Screen[None]):
    """What a game, a lesson, a puzzle and a replay have in common.

    They say what is shown (`view`, `moves` and so on) and what happens with a move (`play`).
    """

    AUTO_FOCUS = ""  # nothing; None would be as the application says
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("u", "undo", "Undo"),
        Binding("w", "why", "Why"),
        Binding("h", "hint", "Hint"),
        Binding("e", "end", "End"),
        Binding("colon,slash", "type", "Type", key_display=":"),
        Binding("c", "cards", "Cards"),
        Binding("r", "rules", "Rules"),
        Binding("l", "log", "Log"),
        Binding("s", "save", "Save"),
        Binding("m", "menu", "Menu"),
        Binding("question_mark", "keys", "Keys", key_display="?"),
        Binding("tab", "next_area(1)", show=False, priority=True),
        Binding("shift+tab", "next_area(-1)", show=False, priority=True),
        Binding("escape", "let_go", show=False),
        *(Binding(key, f"go('{key}')", show=False) for key in ARROWS),
    ]

    def __init__(self) -> None:
        super().__init__()
        self.chosen: list[Thing] = []
        self.hint: Move | None = None
        self.view = self.look()
        self._said = ""  # what stands in the message line until something else is to be said

    # -------------------------------------------------------------- what is played

    @property
    def game(self) -> Game:
        raise NotImplementedError

    def look(self) -> ViewData:
        """What is to be shown now; `view` is what was shown last."""
        raise NotImplementedError

    @property
    def own(self) -> int | None:
        """The seat whose lanes and hand are on the table."""
        return self.view.seat

    @property
    def names(self) -> Sequence[str]:
        raise NotImplementedError

    @property
    def moves(self) -> Sequence[Move]:
        """What may be done now; none while somebody else is to move."""
        return self.view.moves

    @property
    def prompt(self) -> str:
        """Above the table: whose turn it is, and what for."""
        raise NotImplementedError

    def log_lines(self) -> list[str]:
        return []

    def play(self, move: Move) -> None:
        raise NotImplementedError

    # -------------------------------------------------------------- drawing

    def compose(self) -> ComposeResult:
        with HorizontalGroup(id="lintel"):
            yield Static(id="prompt", markup=False)
            yield Static(id="points", markup=False)
        with Horizontal(id="all"):
            yield Side(id="side")
            with Vertical(id="main"):
                yield Table(id="table")
                yield Static(id="message", markup=False)
                yield OptionList(id="moves", compact=True, markup=False)
        yield KeyBar()

    def on_mount(self) -> None:
        self.show()

    def on_resize(self, event: Resize) -> None:
        self.set_class(event.size.width < WIDE, "narrow")
        self.set_class(event.size.height < HIGH, "low")

    @property
    def own_seat(self) -> SeatView:
        own = self.own
        return NO_ONE if own is None else self.view.seats[own]

    def show(self) -> None:
        """Draw everything anew after something has happened."""
        view = self.view = self.look()
        own = self.own
        self.chosen = []
        whose = "your" if own is None or own == view.seat else f"{self.names[own]}'s"
        self.query_one("#prompt", Static).update(f" Cóatl  {self.prompt}", layout=False)
        self.query_one("#points", Static).update(points_line(view, self.names))
        table = self.query_one(Table)
        table.show(view, None if own is None else view.seats[own], self.game.deck, whose)
        self.query_one(Side).show(view, self.game.deck, self.names, own, self.log_lines())
        self.show_choice()

    def change_colours(self) -> None:
        """The theme is another one."""
        for widget in self.query(ThingWidget):
            widget.forget()
        self.show()

    def show_choice(self) -> None:
        """Marks, and the list of what can be done with what was chosen."""
        self.query_one(Table).mark(self.moves, self.chosen, self.hint)
        found = moves_with(self.chosen, self.moves)
        options = self.query_one("#moves", OptionList)
        options.clear_options()
        options.add_options([Option(self._entry(move), id=move.text) for move in found])

    def _entry(self, move: Move) -> Text:
        text = styled(f"{GROUPS[move.kind]:<10}", "quiet").append(f"{move.text:<14}", "bold")
        if move.space is not None:
            text.append_text(painting.pieces(pieces_in(self.view, move.space)))
        elif move.kind in ("begin", "add") or move.token == "pick":
            text.append_text(painting.pieces(move.pieces))
        if move.text in self.view.final:
            text.append("  cannot be undone", "quiet")
        return text

    def say(self, text: str) -> None:
        """In the message line, until the focus moves on."""
        self._said = text
        self._write(text)

    def _write(self, text: str) -> None:
        """A long text, such as a hint, has more lines."""
        message = self.query_one("#message", Static)
        message.set_class(len(wrap(text, max(message.size.width, 20))) > 2, "long")
        message.update(text, layout=False)

    # -------------------------------------------------------------- choosing

    @on(ThingWidget.Looked)
    def look_at(self, event: ThingWidget.Looked) -> None:
        if not self._said:
            text = describe(event.thing, self.view, self.own_seat, self.game.deck)
            self._write(text)
        self._said = ""

    @on(ThingWidget.Chosen)
    def take_choice(self, event: ThingWidget.Chosen) -> None:
        self.choose(event.thing)

    def choose(self, thing: Thing) -> None:
        """Make the one move that is left, or wait for the next thing, or say why there is none."""
        if thing in self.chosen:
            self.action_let_go()
            return
        found = moves_with([*self.chosen, thing], self.moves)
        is_place = isinstance(thing, Lane | LaneEnd)  # for what was chosen, or else it says why
        if not found and self.chosen and not is_place:
            alone = moves_with([thing], self.moves)
            if alone:
                self.chosen, found = [], alone
        if not found:
            self.say(self._why_not(thing))
        elif len(found) == 1:
            self.make_move(found[0])
        else:
            self.chosen.append(thing)
            self.show_choice()
            self._go_on_from(found)

    def _go_on_from(self, found: Sequence[Move]) -> None:
        """To where the choice goes on: another thing, or the list."""
        names = ", ".join(move.text for move in found[:6]) + (" …" if len(found) > 6 else "")
        widget = self.query_one(Table).first_with(found, self.chosen)
        self.say(f"Choose: {names}")
        (widget or self.query_one("#moves", OptionList)).focus()

    @on(OptionList.OptionSelected, "#moves")
    def choose_move(self, event: OptionList.OptionSelected) -> None:
        for move in self.moves:
            if move.text == event.option.id:
                self.make_move(move)
                return

    def make_move(self, move: Move) -> None:
        self.hint = None
        try:
            self.play(move)
        except IllegalMove as error:
            self.say(f"Not allowed: {error.reason} ({clause_title(error.clause)}).")
        except NotationError as error:
            self.say(f"{error}.")

    def _why_not(self, thing: Thing) -> str:
        """The game's reason, for the moves that somebody may have meant."""
        for question in why_questions(thing, self.chosen, self.view, self.own_seat):
            return self.explain(question)
        return describe(thing, self.view, self.own_seat, self.game.deck)

    @property
    def assignment(self) -> str:
        """What is asked for, where that is more than a move; it stays until it is done."""
        return ""

    def explain(self, text: str) -> str:
        if not self.moves:
            return "It is not your turn."
        return explain_move(text, self.game)

    # -------------------------------------------------------------- keys

    def action_go(self, direction: str) -> None:
        table = self.query_one(Table)
        here = self.focused
        if here is None or not isinstance(here, ThingWidget):
            first = next(table.things(), None)
            if first is not None:
                first.focus()
            return
        found = neighbour(here.region, [w for w in table.things() if w is not here], direction)
        if found is not None:
            found.focus()
        elif direction == "down":
            self.query_one("#moves", OptionList).focus()

    def action_next_area(self, step: int) -> None:
        """To the first thing of the next area, and to the list after the last."""
        stops: list[ThingWidget | OptionList] = []
        areas: list[object] = []
        for widget in self.query_one(Table).things():
            area = _area_of(widget)
            if area not in areas:
                areas.append(area)
                stops.append(widget)
        moves = self.query_one("#moves", OptionList)
        if moves.option_count:
            areas.append(moves)
            stops.append(moves)
        here = self.focused
        place = moves if here is moves else _area_of(here) if here is not None else None
        at = areas.index(place) if place in areas else (-1 if step > 0 else 0)
        if stops:
            stops[(at + step) % len(stops)].focus()

    def action_let_go(self) -> None:
        """Escape: nothing is chosen any more."""
        self.chosen = []
        self.show_choice()
        self.say(self.assignment)

    def action_end(self) -> None:
        ends = moves_with([EndButton()], self.moves)
        if ends:
            self.make_move(ends[0])
        else:
            self.say(self.explain("done"))

    def action_why(self) -> None:
        """About the thing that has the focus, or about a move to be typed."""
        here = self.focused
        if isinstance(here, ThingWidget) and here.thing is not None:
            if moves_with([*self.chosen, here.thing], self.moves):
                self.action_ask_why()
            else:
                self.say(self._why_not(here.thing))
        else:
            self.action_ask_why()

    def action_ask_why(self) -> None:
        def answer(text: str | None) -> None:
            if text:
                self.say(self.explain(text))

        self.app.push_screen(Asking("Why not? A move such as take b3, 1+K> or 1:RGRG"), answer)

    def action_type(self) -> None:
        def answer(text: str | None) -> None:
            if not text:
                return
            try:
                self.make_move(find_move(text, self.game, self.moves))
            except NotationError as error:
                self.say(f"{error}.")

        options = tuple(move.text for move in self.moves)
        self.app.push_screen(Asking("A move such as take b3, new <K or done", options), answer)

    def action_cards(self) -> None:
        lines = list(explain_cards(self.view, self.game.deck)) if self.view.seat is not None else []
        self.app.push_screen(Reading("The cards in words", Text("\n".join(lines))))

    def action_rules(self) -> None:
        self.app.push_screen(RulesScreen())

    def action_log(self) -> None:
        """The other players and all that happened, where there is no room for them beside."""
        text = players_text(self.view, self.game.deck, self.names, self.own)
        text.append("\n\n").append("\n".join(self.log_lines()))
        self.app.push_screen(Reading("Players and log", text))

    def action_keys(self) -> None:
        self.app.push_screen(Reading("Keys", Text("\n".join(self.key_lines()))))

    def key_lines(self) -> list[str]:
        return KEY_LINES

    def action_menu(self) -> None:
        self.dismiss(None)

    def action_undo(self) -> None:
        raise NotImplementedError

    def action_hint(self) -> None:
        raise NotImplementedError

    def action_save(self) -> None:
        raise NotImplementedError


KEY_LINES = [
    "Arrows    go from thing to thing; Tab to the next area, then to the list of moves",
    "Enter     choose what is marked: a space, a card, a piece and then its place",
    "Escape    let go of what was chosen",
    "Mouse     click what you mean; the line under the table says what it is",
    "",
    "u         undo, as far as the last secret revealed",
    "w         why is this not allowed? (on a thing; elsewhere it asks for a move)",
    "h         what would a strong player do?",
    "e         end the action: done, or pass",
    ":         type a move, as in plain mode",
    "c         the cards in words",
    "r         the rules",
    "l         players and log",
    "s         save the game to a file",
    "d         dark or light",
    "m         to the menu",
    "Ctrl+Q    leave",
    "",
    "Marks     █ focus   ╏ can be chosen next   ║ chosen   ┃ the hint",
    "Pieces    K◆ black   R▲ red   B≈ blue   Y☼ yellow   G♠ green   <K head   K> tail",
]


def _area_of(widget: object) -> object:
    for parent in getattr(widget, "ancestors", ()):
        if isinstance(parent, Area):
            return parent
    return None
