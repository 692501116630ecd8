"""The table as text: what a view says, in 80 columns, readable without colour."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from io import StringIO

from rich.console import Group, RenderableType
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from coatl.rules.cards import Deck
from coatl.rules.pieces import BOARD_SPACES, COLOURS
from coatl.text.drawing import (
    coatl_text,
    label,
    levels_text,
    make_console,
    pattern_text,
    piece_text,
    pieces_text,
    plural,
    temple_text,
)
from coatl.view import AdamView, CardProgress, CoatlView, SeatView, ViewData

TOKEN_NAMES = {"pick": "Perfect Pick", "future": "See the Future", "priest": "Priest Commitment"}
END_NAMES = {
    "third": "a third Cóatl is complete",
    "bodies": "the body segments have run out",
    "passed": "everybody passed",
}
YOU = "You"  # the name of a person who gave none
PIECE_GROUPS = ("bodies", "heads", "tails")


class Board:
    """Draws views. `names` are those of the seats."""

    def __init__(self, deck: Deck, names: Sequence[str]) -> None:
        self.names = names
        self.prophecies = {card.name: card for card in deck.prophecies}

    def draw(self, view: ViewData, all_open: bool = False) -> Group:
        """Everything a seat knows; its own things come last, next to where it types."""
        parts: list[RenderableType] = [*self._title(view), *self._middle(view)]
        if view.adam is not None:
            parts += self._adam(view.adam, view.levels)
        own = view.seat
        for seat, player in enumerate(view.seats):
            if seat != own:
                parts += self._seat(seat, player, is_open=all_open)
        if own is not None:
            parts += self._seat(own, view.seats[own], is_open=True, mine=True)
        return Group(*parts)

    def draw_own(self, view: ViewData) -> Group:
        """What a seat can assemble with, and its Cóatl; nothing of the others."""
        assert view.seat is not None
        own = self._seat(view.seat, view.seats[view.seat], is_open=True, mine=True)
        return Group(self._piles(view), *own)

    def _title(self, view: ViewData) -> Iterator[RenderableType]:
        if view.phase == "over":
            yield Rule("The game is over", align="left", style="bold", characters="=")
            return
        who = "A.D.A.M." if view.to_move is None else self.names[view.to_move]
        title = "Setup" if view.phase == "setup" else f"Turn {view.turn}"
        title = f"{title}: {who}"
        if view.actions_left > 1:
            title += f", {view.actions_left} actions"
        yield Rule(title, align="left", style="bold", characters="=")
        if view.end is not None:
            left = (
                f"{plural(view.turns_left, 'turn')} after this" if view.turns_left else "the last"
            )
            yield label("Final turns").append(f"  {END_NAMES[view.end]}; {left}")

    # -------------------------------------------------------------- the middle of the table

    def _middle(self, view: ViewData) -> Iterator[RenderableType]:
        yield self._supply(view)
        yield self._bags(view)
        yield label("Prophecies").append(f"  deck {view.deck}, discards {view.discard_count}")
        yield self._cards(view.row)
        yield self._piles(view)

    def _piles(self, view: ViewData) -> Text:
        piles = label("Temples  ")
        for number, pile in enumerate(view.piles, 1):
            piles.append(f"pile {number}: ")
            if pile.top is None:
                piles.append("empty")
            else:
                piles.append_text(temple_text(pile.top)).append(f" on {pile.size - 1} more")
            piles.append("    ")
        return piles

    def _supply(self, view: ViewData) -> Text:
        text = label("Supply   ")
        for number, space in enumerate(view.supply):
            if number == 6:
                text.append("\n         ")
            text.append(f"{space} ")
            content = pieces_text(pieces_in(view, space))
            text.append_text(content).append(" " * (6 - content.cell_len))
        return text

    def _bags(self, view: ViewData) -> Text:
        text = label("Bags     ")
        for group, mark in zip(PIECE_GROUPS, ("{}", "<{}", "{}>"), strict=True):
            counts = [(letter, view.bag.get(mark.format(letter), 0)) for letter in COLOURS]
            text.append(f"{group} ")
            for letter, n in counts:
                text.append_text(piece_text(letter)).append(f"{n} ")
        text.rstrip()
        return text

    def _cards(self, names: Iterable[str | None]) -> Table:
        """Prophecy cards, three a line, with their levels."""
        grid = Table.grid(padding=(0, 1))
        cells = [self._card(number, name) for number, name in enumerate(names, 1)]
        for at in range(0, len(cells), 3):
            row = cells[at : at + 3]
            grid.add_row(*row)
        return grid

    def _card(self, number: int, name: str | None) -> Text:
        text = Text().append(f"  {number} ", "dim")
        if name is None:
            return text.append("-")
        card = self.prophecies[name]
        return text.append_text(pattern_text(card)).append(f" {levels_text(card)}")

    # -------------------------------------------------------------- seats

    def _seat(
        self, seat: int, player: SeatView, is_open: bool, mine: bool = False
    ) -> Iterator[RenderableType]:
        name = self.names[seat]
        if mine and name != YOU:
            name += " (you)"
        yield Rule(f"{name}: {plural(player.points, 'point')}", align="left", style="dim")
        board = Text("  Board  ").append_text(pieces_text(player.board))
        board.append(f"  ({len(player.board)} of {BOARD_SPACES})", "dim")
        if player.tokens:
            board.append("   Tokens  ").append(", ".join(player.tokens))
        yield board
        yield from self._coatls(player.coatls)
        yield self._hand(player) if is_open else self._seen_hand(player)
        if is_open and player.temples:
            yield Text("  Temple cards in hand  ").append(", ".join(player.temples))

    def _seen_hand(self, player: SeatView) -> Text:
        text = Text(f"  Hand  {plural(player.hand_size, 'Prophecy card')}")
        if player.hand:
            text.append(f", of which {', '.join(player.hand)}")
        text.append(f"; {plural(player.temple_count, 'Temple card')}")
        if player.temples:
            text.append(f", of which {', '.join(player.temples)}")
        return text

    def _coatls(self, coatls: Sequence[CoatlView]) -> Iterator[Text]:
        for number, coatl in enumerate(coatls, 1):
            text = Text(f"  Cóatl {number}  ").append_text(coatl_text(coatl.pieces))
            text.append("  complete, " if coatl.complete else "  ")
            text.append(f"worth {coatl.value}")
            if coatl.closing is not None:
                text.append(f"; closed now it would score {coatl.closing}")
            yield text
            for card in coatl.cards:
                yield self._laid(card)
            if coatl.temple is not None:
                temple = coatl.temple
                yield (
                    Text("    ")
                    .append_text(temple_text(temple.card))
                    .append(
                        f" {sum(temple.met)} of {len(temple.met)} met: "
                        f"{plural(temple.points, 'point')}"
                    )
                )

    def _laid(self, card: CardProgress) -> Text:
        text = Text("    ").append_text(pattern_text(self.prophecies[card.card]))
        text.append(f" {card.times}×: {plural(card.points, 'point')}")
        text.append(f", pieces {_positions(card)}" if card.matches else " (broken since)")
        if card.next_points is not None and card.lacks is not None:
            text.append(f"; {_lacks(card)} would make {card.next_points}")
        return text

    def _hand(self, player: SeatView) -> RenderableType:
        """Your cards against each of your open Cóatl: points now, and what the next level takes."""
        if not player.hand:
            return Text("  Hand   no Prophecy card")
        open_coatls = [(i, c) for i, c in enumerate(player.coatls, 1) if c.hand]
        table = Table.grid(padding=(0, 2))
        table.add_row(
            Text("  Hand", "bold"),
            Text("levels", "dim"),
            *(Text(f"on Cóatl {number}", "dim") for number, _ in open_coatls),
        )
        for at, name in enumerate(player.hand):
            card = self.prophecies[name]
            table.add_row(
                Text("  ").append_text(pattern_text(card)),
                levels_text(card),
                *(held_against(coatl.hand[at]) for _, coatl in open_coatls),
            )
        return table

    def _adam(self, adam: AdamView, levels: Sequence[int]) -> Iterator[RenderableType]:
        at = f" (level {', '.join(map(str, levels))})" if levels else ""
        title = f"A.D.A.M.{at}: {plural(adam.points, 'point')}"
        yield Rule(title, align="left", style="dim")
        for card in adam.cards:
            text = Text("  ").append_text(pattern_text(self.prophecies[card.card]))
            text.append("  has ").append_text(pieces_text(card.pieces))
            text.append("  needs ").append_text(pieces_text(card.missing))
            yield text
        if adam.fulfilled:
            yield Text(f"  Fulfilled  {', '.join(adam.fulfilled)}")


def pieces_in(view: ViewData, space: str) -> list[str]:
    """What lies in a supply space, as pieces: ``<K`` in h1."""
    mark = {"h": "<{}", "t": "{}>"}.get(space[0], "{}")
    return [mark.format(colour) for colour in view.supply[space]]


def _positions(card: CardProgress) -> str:
    """The pieces of each match, counted from 1 at the head: ``1-2, 5-6``."""
    texts = []
    for match in card.matches:
        numbers = [at + 1 for at in match]
        run = numbers == list(range(numbers[0], numbers[-1] + 1)) and len(numbers) > 1
        texts.append(f"{numbers[0]}-{numbers[-1]}" if run else "+".join(map(str, numbers)))
    return ", ".join(texts)


def held_against(card: CardProgress) -> str:
    now = f"{card.points} now"
    if card.next_points is None or card.lacks is None:
        return now
    return f"{now}, {_lacks(card)} makes {card.next_points}"


def _lacks(card: CardProgress) -> str:
    """Pieces to add: ``+RK`` at the right end, ``RK+`` at the left."""
    assert card.lacks is not None
    left, right = card.lacks
    return " ".join(
        part for part in (f"{left}+" if left else "", f"+{right}" if right else "") if part
    )


def board_text(view: ViewData, deck: Deck, seats: Sequence[str]) -> str:
    """What a view shows, in 80 columns and without colours."""
    names = seats or [f"Seat {seat}" for seat in range(view.players)]
    out = StringIO()
    make_console(out).print(Board(deck, names).draw(view))
    return out.getvalue().rstrip("\n")
