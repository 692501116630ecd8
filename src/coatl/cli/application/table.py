"""The table: supply, row, Temples, the lanes of one seat, its board, hand and tokens."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from rich.text import Text
from textual.app import ComposeResult
from textual.containers import HorizontalGroup, Vertical, VerticalScroll
from textual.widgets import Static

from coatl.cli.application import painting
from coatl.cli.application.painting import styled
from coatl.cli.application.things import (
    BoardPiece,
    DeckTop,
    EndButton,
    HandCard,
    HandTemple,
    Lane,
    LaneEnd,
    RowCard,
    Space,
    TemplePile,
    Thing,
    TokenThing,
    moves_with,
)
from coatl.cli.application.widgets import ThingWidget
from coatl.moves import Move, Side
from coatl.rules.cards import Deck
from coatl.rules.pieces import BOARD_SPACES, SPACES
from coatl.rules.state import HAND_LIMIT, MAX_COATLS, N_PILES, ROW_SIZE, TOKENS
from coatl.text.board import pieces_in
from coatl.view import CoatlView, SeatView, ViewData

MOST_IN_HAND = HAND_LIMIT + ROW_SIZE + 1
MOST_TEMPLES = 4
BODIES = [space for space in SPACES if space.startswith("b")]
ENDS = [space for space in SPACES if not space.startswith("b")]
NO_ONE = SeatView(
    board=(), hand_size=0, hand=(), temple_count=0, temples=(), tokens=(), coatls=(), points=0
)


class Area(HorizontalGroup):
    """Things that belong together: Tab goes from one area to the next."""


class LaneRow(Vertical):
    """A Cóatl with its ends on one line, and its cards on the next."""

    def compose(self) -> ComposeResult:
        with Area():
            yield Static(classes="tag")
            yield ThingWidget(classes="end left")
            yield ThingWidget(classes="body")
            yield ThingWidget(classes="end right")
        yield Static(classes="chips")

    def show(self, number: int, coatl: CoatlView | None, deck: Deck) -> None:
        place = -1 if coatl is None else number
        left, body, right = self.query(ThingWidget)
        drawn = styled("  a new Cóatl  ", "quiet")
        is_open = coatl is None or not coatl.complete
        if coatl is not None:
            drawn = painting.serpent(coatl.pieces)
        self.query_one(".tag", Static).update(_tag(number, coatl), layout=False)
        left.show(LaneEnd(place, Side.LEFT) if is_open else None, Text("+" if is_open else " "))
        body.show(Lane(place), drawn)
        right.show(LaneEnd(place, Side.RIGHT) if is_open else None, Text("+" if is_open else " "))
        cards = Text() if coatl is None else painting.chips(coatl, deck)
        self.query_one(".chips", Static).update(cards, layout=False)
        self.set_class(not cards, "bare")


def _tag(number: int, coatl: CoatlView | None) -> Text:
    tag = styled(f"{number + 1} ", "quiet")
    if coatl is None:
        return tag
    tag.append(str(coatl.value), "bold")
    if coatl.complete:
        return tag.append(" complete")
    if coatl.closing is not None:
        return tag.append(f", {coatl.closing} closed")
    return tag.append(" so far")


class Table(VerticalScroll, can_focus=False):
    """Draws a view. What lies where is the same in a game, a lesson, a puzzle and a replay."""

    def compose(self) -> ComposeResult:
        with HorizontalGroup(id="middle"):
            with Vertical(id="supply"):
                yield Static("SUPPLY", classes="title")
                with Area():
                    for space in BODIES:
                        yield ThingWidget(classes="space", id=space)
                with Area():
                    for space in ENDS:
                        yield ThingWidget(classes="space", id=space)
                    yield Static(id="bags")
            with Vertical(id="temples"):
                yield Static("TEMPLES", classes="title")
                with Area(classes="piles"):
                    for number in range(N_PILES):
                        yield ThingWidget(classes="pile", id=f"pile{number}")
        yield Static("PROPHECIES", classes="title")
        with Area(id="row"):
            for place in range(ROW_SIZE):
                yield ThingWidget(classes="card", id=f"row{place}")
            yield ThingWidget(classes="card", id="deck")
        yield Static("YOUR CÓATL", classes="title", id="lanes-title")
        with Vertical(id="lanes"):
            for number in range(MAX_COATLS):
                yield LaneRow(id=f"lane{number}", classes="lane")
        with HorizontalGroup(id="dock"):
            with Vertical(id="board"):
                yield Static("BOARD", classes="title", id="board-title")
                for line in range(2):
                    with Area():
                        for at in range(BOARD_SPACES // 2):
                            number = line * BOARD_SPACES // 2 + at
                            yield ThingWidget(classes="well", id=f"well{number}")
            with Vertical(id="hand"):
                yield Static("HAND", classes="title", id="hand-title")
                with Area(id="cards"):
                    for number in range(MOST_IN_HAND):
                        yield ThingWidget(classes="card", id=f"hand{number}")
        with Area(id="extras"):
            yield ThingWidget(id="end-button")
            for token in TOKENS:
                yield ThingWidget(classes="token", id=f"token-{token}")
            for number in range(MOST_TEMPLES):
                yield ThingWidget(classes="temple", id=f"temple{number}")

    # -------------------------------------------------------------- drawing

    def show(self, view: ViewData, own: SeatView | None, deck: Deck, whose: str) -> None:
        """`own` is the seat whose lanes, board and hand are shown, of somebody called `whose`."""
        seat = own or NO_ONE
        with self.app.batch_update():
            self._show_middle(view, deck)
            for number in range(MAX_COATLS):
                coatl = seat.coatls[number] if number < len(seat.coatls) else None
                self.query_one(f"#lane{number}", LaneRow).show(number, coatl, deck)
            self._show_dock(seat, deck)
            self._show_extras(seat, view)
            title = f"{whose.upper()} CÓATL"
            self.query_one("#lanes-title", Static).update(title, layout=False)

    def on_mount(self) -> None:
        self._widgets = list(self.query(ThingWidget))
        self._by_id = {widget.id: widget for widget in self._widgets if widget.id is not None}

    def _thing(self, id: str) -> ThingWidget:
        return self._by_id[id]

    def _show_middle(self, view: ViewData, deck: Deck) -> None:
        for space in SPACES:
            content = painting.pieces(pieces_in(view, space)) or styled("·", "quiet")
            name = styled(f"{space} ", "quiet").append_text(content)
            self._thing(space).show(Space(space), name)
        self.query_one("#bags", Static).update(_bags(view), layout=False)
        for number, pile in enumerate(view.piles):
            top = Text("empty") if pile.top is None else painting.temple(pile.top)
            text = styled(f"{number + 1} ", "quiet").append_text(top)
            text.append(f" +{pile.size - 1}" if pile.size > 1 else "", "quiet")
            self._thing(f"pile{number}").show(TemplePile(number), text)
        for place, card in enumerate(view.row):
            drawn = Text("\n  –") if card is None else self._card(card, deck, str(place + 1))
            self._thing(f"row{place}").show(None if card is None else RowCard(place), drawn)
        self._thing("deck").show(DeckTop(), painting.card_back(view.deck))

    def _card(self, name: str, deck: Deck, number: str = "") -> Text:
        return painting.prophecy(deck.prophecies[deck.prophecy_ids[name]], number)

    def _show_dock(self, own: SeatView, deck: Deck) -> None:
        title = f"BOARD {len(own.board)} of {BOARD_SPACES}"
        self.query_one("#board-title", Static).update(title, layout=False)
        for at in range(BOARD_SPACES):
            text = own.board[at] if at < len(own.board) else None
            drawn = styled("·", "quiet") if text is None else painting.piece(text)
            self._thing(f"well{at}").show(None if text is None else BoardPiece(text), drawn)
        self.query_one("#hand-title", Static).update(f"HAND {own.hand_size}", layout=False)
        for at in range(MOST_IN_HAND):
            widget = self._thing(f"hand{at}")
            widget.display = at < len(own.hand)
            if at < len(own.hand):
                widget.show(HandCard(own.hand[at]), self._card(own.hand[at], deck))
            else:
                widget.show(None, "")

    def _show_extras(self, own: SeatView, view: ViewData) -> None:
        for token in TOKENS:
            widget = self._thing(f"token-{token}")
            widget.display = "tokens" in view.options
            held = token in own.tokens
            text = styled(f"{'●' if held else '○'} {token}", "" if held else "quiet")
            widget.show(TokenThing(token), text)
        for at in range(MOST_TEMPLES):
            widget = self._thing(f"temple{at}")
            widget.display = at < len(own.temples)
            if at < len(own.temples):
                widget.show(HandTemple(own.temples[at]), painting.temple(own.temples[at]))
            else:
                widget.show(None, "")

    # -------------------------------------------------------------- marks

    def mark(self, moves: Sequence[Move], chosen: Collection[Thing], hint: Move | None) -> None:
        """`chosen` things, what can be chosen next, and what a hint names.

        At the beginning of a turn nothing is marked, as on the page.
        """
        possible = moves_with(chosen, moves)
        ends = moves_with([EndButton()], moves)
        label = f"[ {ends[0].text.capitalize()} ]" if ends else ""
        button = self._thing("end-button")
        button.show(EndButton() if ends else None, styled(label, "mark"))
        button.display = bool(ends)
        for widget in self._widgets:
            thing = widget.thing
            is_chosen = thing is not None and thing in chosen
            legal = bool(chosen) and thing is not None and bool(moves_with([thing], possible))
            hinted = thing is not None and hint is not None and thing.is_in(hint)
            widget.mark(legal and not is_chosen, is_chosen, hinted)

    def things(self) -> Iterator[ThingWidget]:
        """Those that can be reached now."""
        for widget in self._widgets:
            if widget.can_focus and widget.display and widget.region.area:
                yield widget

    def first_with(self, moves: Sequence[Move], without: Collection[Thing]) -> ThingWidget | None:
        """The first thing that is part of one of some moves, for the focus to go to."""
        for widget in self.things():
            thing = widget.thing
            if thing is not None and thing not in without and moves_with([thing], moves):
                return widget
        return None


def _bags(view: ViewData) -> Text:
    """What is left in the bags, by kind."""
    heads = sum(n for piece, n in view.bag.items() if piece.startswith("<"))
    tails = sum(n for piece, n in view.bag.items() if piece.endswith(">"))
    bodies = sum(view.bag.values()) - heads - tails
    return styled(f"bags {bodies} <{heads} {tails}>", "quiet")
