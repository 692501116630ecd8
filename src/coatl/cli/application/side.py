"""Beside the table: the other players, and what has happened."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from textwrap import wrap

from rich.text import Text
from textual.app import ComposeResult
from textual.containers import Vertical, VerticalScroll
from textual.widgets import Static

from coatl.cli.application import painting
from coatl.cli.application.painting import styled
from coatl.rules.cards import Deck
from coatl.text.drawing import coatl_text, pattern_text, plural
from coatl.view import AdamView, SeatView, ViewData


class Side(Vertical):
    """The players above, the log below."""

    def compose(self) -> ComposeResult:
        yield Static(id="players")
        yield Static("LOG", classes="title")
        with VerticalScroll(id="log", can_focus=False):
            yield Static(id="log-text")

    def show(
        self, view: ViewData, deck: Deck, names: Sequence[str], own: int | None, log: Sequence[str]
    ) -> None:
        self.query_one("#players", Static).update(players_text(view, deck, names, own))
        lines = [part for line in log[-LOG_LINES:] for part in _wrapped(line)]
        self.query_one("#log-text", Static).update(Text("\n".join(lines)))
        self.query_one("#log", VerticalScroll).scroll_end(animate=False)


LOG_WIDTH = 24  # columns
LOG_LINES = 60  # beside the table; the key for the log shows all


def players_text(view: ViewData, deck: Deck, names: Sequence[str], own: int | None) -> Text:
    """Everybody but the one whose lanes are on the table, and A.D.A.M."""
    blocks = []
    if own is not None:
        points = view.seats[own].points
        blocks.append(_title(names[own], points, view.to_move == own))
    for seat, player in enumerate(view.seats):
        if seat != own:
            title = _title(names[seat], player.points, view.to_move == seat)
            blocks.append(Text("\n").join([title, *_player(player)]))
    if view.adam is not None:
        title = _title("A.D.A.M.", view.adam.points, view.to_move is None)
        blocks.append(Text("\n").join([title, *_adam(view.adam, deck)]))
    return Text("\n").join(blocks)


def points_line(view: ViewData, names: Sequence[str]) -> str:
    """Everybody's points on one line, where there is no room for more."""
    points = [f"{names[seat]} {player.points}" for seat, player in enumerate(view.seats)]
    if view.adam is not None:
        points.append(f"A.D.A.M. {view.adam.points}")
    return " · ".join(points)


def _wrapped(line: str) -> list[str]:
    """A line of the log; what does not fit goes on further to the right."""
    indent = line[: len(line) - len(line.lstrip())]
    return wrap(line, LOG_WIDTH, initial_indent="", subsequent_indent=f"{indent}  ")


def _title(name: str, points: int, is_to_move: bool) -> Text:
    mark = "▶ " if is_to_move else "  "
    return styled(f"{mark}{name}: ", "bold").append(plural(points, "point"), "bold")


def _player(player: SeatView) -> Iterator[Text]:
    held = f"  hand {player.hand_size}, ⌂{player.temple_count}"
    tokens = f", {plural(len(player.tokens), 'token')}" if player.tokens else ""
    yield styled(held + tokens, "quiet")
    if player.board:
        yield Text("  ").append_text(painting.letters(player.board))
    for coatl in player.coatls:
        value = f" {coatl.value}" + ("" if coatl.complete else "…")
        yield Text("  ").append_text(coatl_text(coatl.pieces)).append(value, "bold")


def _adam(adam: AdamView, deck: Deck) -> Iterator[Text]:
    for card in adam.cards:
        found = deck.prophecies[deck.prophecy_ids[card.card]]
        line = Text("  ").append_text(pattern_text(found)).append(" has ", "quiet")
        line.append_text(painting.letters(card.pieces) or Text("–"))
        yield line.append(" wants ", "quiet").append_text(painting.letters(card.missing))
    if adam.fulfilled:
        yield styled(f"  fulfilled {', '.join(adam.fulfilled)}", "quiet")
