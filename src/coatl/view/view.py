"""What one seat may know, built up from nothing (H1-H3).

A `View` is made from the *known state* of a seat (`coatl.rules.knowledge`): the truth with every
card the seat cannot place taken out. So no field, legal move or explanation can tell more than the
seat has seen. Everything that leaves for a player, a bot or a browser is a `View`.
"""

from __future__ import annotations

import threading
from typing import Any, cast

import numpy as np

from coatl.assembly import Assembly, best_assembly, best_closings
from coatl.compiler.functions import DISABLED
from coatl.compiler.records import RecordArray, byte_view
from coatl.moves import Move
from coatl.notation.moves import Context, move_table
from coatl.rules import compiled
from coatl.rules.cards import Deck
from coatl.rules.chance import Chances, check_chances, new_chance
from coatl.rules.decisions import new_choices
from coatl.rules.json_texts import MOST_BYTES, ViewTexts
from coatl.rules.knowledge import NOBODY
from coatl.rules.snapshot import (
    HEAD,
    PLAYER_SIZE,
    PLAYERS_AT,
    Head,
    bytes_of,
    read_head,
    read_player,
)
from coatl.rules.state import ADAM, MAIN, NONE, OVER, STATE, TEMPLE, States, new_states
from coatl.rules.tables import CardTables
from coatl.state import State, Tools
from coatl.view import parts
from coatl.view.data import ViewData
from coatl.view.moves_json import moves_json
from coatl.view.parts import Part, SeatPart
from coatl.view.texts import view_texts

_SUPPLY, _BAG, _GONE, _ROW = map(bytes_of, ("supply", "bag", "gone", "row"))
_DISCARD, _PILE_TOPS, _ADAM = map(bytes_of, ("discard", "pile_top", "adam"))
_PILES = bytes_of("pile_top", "pile_size")
_N_DECK, _N_DISCARD = bytes_of("n_deck").start, bytes_of("n_discard").start


class View:
    """A seat's knowledge: `data` for people and pages, `moves` and `sample` for bots."""

    def __init__(self, deck: Deck, cards: CardTables, known: States, seat: int) -> None:
        self.deck = deck
        self.seat = seat
        self.cards = cards
        self._known = known
        # What is made when it is first asked for; `functools.cached_property` is slower.
        self._made_content: bytes | None = None
        self._made_head: Head | None = None
        self._made_moves: tuple[Move, ...] | None = None
        self._made_data: ViewData | None = None

    @property
    def known(self) -> States:
        """The known state itself (`coatl.rules.knowledge`), for compiled bots; read only."""
        return self._known

    @property
    def data(self) -> ViewData:
        if self._made_data is None:
            middle, last = self._parts()
            fields: dict[str, Any] = {}
            for part in (*middle, *last):
                fields |= part.fields
            self._made_data = ViewData(
                seat=None if self.seat == NOBODY else self.seat,
                seats=tuple([part.data for part in self._seat_parts()]),
                moves=self.moves,
                final=tuple([move.text for move in self.final]),
                **fields,
            )
        return self._made_data

    @property
    def moves(self) -> tuple[Move, ...]:
        """The legal moves, if it is this seat's turn."""
        if self._made_moves is None:
            self._made_moves = self._list_moves() if self._is_mine else ()
        return self._made_moves

    @property
    def final(self) -> tuple[Move, ...]:
        """Those of the moves after which `undo` cannot go back: a draw, or the end of the turn."""
        if not self.moves:
            return ()
        final = set(self._final_decisions())
        return tuple([move for move in self.moves if move.decision in final])

    def to_json(self) -> bytes:
        """`data` as JSON, put together from parts that were encoded before, as far as possible."""
        middle, last = self._parts()
        return b"".join(
            [
                b'{"seat":null' if self.seat == NOBODY else b'{"seat":%d' % self.seat,
                *[part.json for part in middle],
                b',"seats":[',
                b",".join([part.json for part in self._seat_parts()]),
                b"]",
                self._moves_json(),
                *[part.json for part in last],
                b"}",
            ]
        )

    def sample(self, chances: Chances) -> State:
        """A full state that agrees with everything this seat has seen, each equally likely.

        It is dealt from `chances`, the generator of a player, and goes on to draw from it.
        """
        check_chances(chances)
        state = State(bytes(STATE.itemsize), Tools(self.deck, chances))
        compiled.completed(
            self.cards, self._known, 0, self.seat, state.records, 0, chances, new_choices()
        )
        return state

    def best_assembly(self) -> Assembly:
        """The assembly that scores most for this seat, in one action from now on."""
        return best_assembly(self.deck, self._known, self._player_seat)

    def best_closings(self) -> tuple[Assembly | None, ...]:
        """How each Cóatl of this seat, and a new one, can be closed now for most points."""
        return best_closings(self.deck, self._known, self._player_seat)

    @property
    def _player_seat(self) -> int:
        if self.seat == NOBODY:
            raise ValueError("a spectator has nothing to assemble")
        return self.seat

    # -------------------------------------------------------------- reading the known state

    @property
    def _content(self) -> bytes:
        """The bytes of the known state."""
        if self._made_content is None:
            self._made_content = self._known.tobytes()
        return self._made_content

    @property
    def _head(self) -> Head:
        if self._made_head is None:
            self._made_head = read_head(self._content)
        return self._made_head

    @property
    def _is_mine(self) -> bool:
        head = self._head
        return head.current == self.seat and head.phase not in (OVER, ADAM)

    def _parts(self) -> tuple[tuple[Part, ...], tuple[Part, ...]]:
        """Those that come before the seats and the moves, and those after them."""
        content, deck = self._content, self.deck
        head = content[HEAD]
        middle = (
            parts.turn_part(head),
            parts.supply_part(content[_SUPPLY], content[_BAG]),
            parts.row_part(deck, content[_ROW]),
            parts.discards_part(deck, content[_N_DECK], content[_N_DISCARD], content[_DISCARD]),
            parts.piles_part(deck, content[_PILES]),
        )
        last = parts.last_part(head, content[_GONE])
        if head[0] > 1:
            return middle, (last,)
        return middle, (parts.adam_part(deck, content[_ADAM]), last)

    def _seat_parts(self) -> list[SeatPart]:
        content, deck = self._content, self.deck
        found = []
        for seat in range(content[0]):
            at = PLAYERS_AT + seat * PLAYER_SIZE
            own = self._own_seat() if seat == self.seat else None
            found.append(parts.seat_part(deck, content[at : at + PLAYER_SIZE], own))
        return found

    def _own_seat(self) -> bytes:
        """What the own seat's part depends on besides the seat."""
        content, head = self._content, self._head
        pending = head.pending if head.current == self.seat else NONE
        phase = MAIN if pending == NONE else head.phase
        asked = bytes((head.levels, pending & 0xFF, phase))
        return content[_ROW] + content[_PILE_TOPS] + asked

    # -------------------------------------------------------------- moves

    def _legal(self) -> list[int]:
        trial = _TRIAL
        compiled.legal_decisions(self.cards, self._known, 0, trial.choices)
        return trial.items[1 : 1 + trial.items[0]].tolist()

    def _list_moves(self) -> tuple[Move, ...]:
        moves, row, head = move_table(self.deck), self._content[_ROW], self._head
        if head.phase != TEMPLE:
            return moves.several(self._legal(), row)
        at = PLAYERS_AT + self.seat * PLAYER_SIZE
        player = read_player(self._content[at : at + PLAYER_SIZE])
        tops = memoryview(self._content[_PILE_TOPS]).cast("b").tolist()
        context = Context(row, tops, head.pending, player.temples)
        return tuple([moves.move(decision, context) for decision in self._legal()])

    def _final_decisions(self) -> list[int]:
        trial = _TRIAL
        n = compiled.final_decisions(
            self.cards, self._known, self.seat, trial.states, trial.chances, trial.choices
        )
        return trial.items[1 : 1 + n].tolist()

    def _moves_json(self) -> bytes:
        if not self._is_mine:
            return b',"moves":[]'
        if self._head.phase == TEMPLE:
            final = tuple([move.text for move in self.final])
            return Part(moves=self.moves, **({"final": final} if final else {})).json
        return moves_json(self.deck, self._content[_ROW], self._legal(), self._final_decisions())


class _Trial(threading.local):
    """Room for trying moves out, one for each thread; what chance deals there is thrown away."""

    def __init__(self) -> None:
        self.room = new_states(3)
        self.states = self.room[1:]  # to try a move on
        self.choices = new_choices(2)
        self.items = byte_view(self.choices).cast("h")  # of the first: its number, then the list
        self.chances = new_chance("trial")
        self.out = np.zeros(MOST_BYTES, np.uint8)
        self.written = memoryview(cast("Any", self.out))


_TRIAL = _Trial()


def make_view(deck: Deck, cards: CardTables, states: States, seat: int | None) -> View:
    """The view of a seat; None is a spectator."""
    number = NOBODY if seat is None else seat
    known = new_states()
    compiled.known_to(states, 0, number, known, 0)
    return View(deck, cards, known, number)


def view_json(deck: Deck, cards: CardTables, states: States, seat: int | None) -> bytes:
    """The JSON of a seat's view, from compiled code where it can be."""
    found = _written(deck, cards, states, NOBODY if seat is None else seat)
    return make_view(deck, cards, states, seat).to_json() if found is None else found


def _written(deck: Deck, cards: CardTables, states: States, seat: int) -> bytes | None:
    """The JSON of a view by compiled code; None where that does not write it."""
    texts = None if DISABLED else view_texts(deck)
    return None if texts is None else written_view(texts, cards, states, seat)


def written_view(
    texts: RecordArray[ViewTexts], cards: CardTables, states: States, seat: int
) -> bytes | None:
    """The same with the texts of the deck, also where nothing is compiled."""
    trial = _TRIAL
    length = compiled.write_view(
        cards, texts, states, seat, trial.room, trial.chances, trial.choices, trial.out
    )
    return None if length < 0 else trial.written[:length].tobytes()
