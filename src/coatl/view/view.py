"""What one seat may know, built up from nothing (H1-H3).

A `View` is made from the *known state* of a seat (`coatl.rules.knowledge`): the truth with every
card the seat cannot place taken out. So no field, legal move or explanation can tell more than the
seat has seen. Everything that leaves for a player, a bot or a browser is a `View`.
"""

from __future__ import annotations

import threading

import msgspec

from coatl.events import End
from coatl.moves import Move
from coatl.notation.moves import context_of, move_table
from coatl.rules import compiled
from coatl.rules.cards import Deck
from coatl.rules.chance import Chances, check_chances, new_chance
from coatl.rules.decisions import new_choices
from coatl.rules.knowledge import NOBODY
from coatl.rules.snapshot import Snapshot
from coatl.rules.state import (
    ADAM,
    ENDS,
    MAIN,
    NONE,
    OVER,
    PHASES,
    STATE,
    TEMPLE,
    States,
    new_states,
)
from coatl.rules.tables import CardTables
from coatl.state import State, Tools
from coatl.view import parts
from coatl.view.data import ViewData


class View:
    """A seat's knowledge: `data` for people and pages, `moves` and `sample` for bots."""

    def __init__(self, deck: Deck, cards: CardTables, known: States, seat: int) -> None:
        self.deck = deck
        self.seat = seat
        self.cards = cards
        self._known = known
        # What is made when it is first asked for; `functools.cached_property` is slower.
        self._made_snapshot: Snapshot | None = None
        self._made_parts: list[parts.SeatPart] | None = None
        self._made_moves: tuple[Move, ...] | None = None
        self._made_data: ViewData | None = None

    @property
    def known(self) -> States:
        """The known state itself (`coatl.rules.knowledge`), for compiled bots; read only."""
        return self._known

    @property
    def data(self) -> ViewData:
        if self._made_data is None:
            self._made_data = _data(self)
        return self._made_data

    @property
    def moves(self) -> tuple[Move, ...]:
        """The legal moves, if it is this seat's turn."""
        if self._made_moves is None:
            table = self._snapshot
            mine = table.current == self.seat and table.phase not in (OVER, ADAM)
            self._made_moves = list_moves(self.deck, self.cards, self._known, table) if mine else ()
        return self._made_moves

    @property
    def final(self) -> tuple[Move, ...]:
        """Those of the moves after which `undo` cannot go back: a draw, or the end of the turn."""
        if not self.moves:
            return ()
        trial = _TRIAL
        n = compiled.final_decisions(
            self.cards, self._known, self.seat, trial.states, trial.chances, trial.choices
        )
        final = set(trial.choices["items"][0, :n].tolist())
        return tuple([move for move in self.moves if move.decision in final])

    def to_json(self) -> bytes:
        seats = tuple([part.json for part in self._seat_parts])
        return parts.ENCODER.encode(msgspec.structs.replace(self.data, seats=seats))

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

    @property
    def _snapshot(self) -> Snapshot:
        """The known state, read in one go."""
        if self._made_snapshot is None:
            self._made_snapshot = Snapshot(self._known)
        return self._made_snapshot

    @property
    def _seat_parts(self) -> list[parts.SeatPart]:
        if self._made_parts is None:
            deck, players = self.deck, self._snapshot.players
            self._made_parts = [
                parts.seat_part(deck, player, self._own_seat() if seat == self.seat else None)
                for seat, player in enumerate(players)
            ]
        return self._made_parts

    def _own_seat(self) -> parts.OwnSeat:
        table = self._snapshot
        pending = table.pending if table.current == self.seat else NONE
        phase = MAIN if pending == NONE else table.phase
        return parts.OwnSeat(table.row, table.pile_top, table.levels, pending, phase)


class _Trial(threading.local):
    """Room for trying moves out, one for each thread; what chance deals there is thrown away."""

    def __init__(self) -> None:
        self.states = new_states(2)
        self.choices = new_choices(2)
        self.chances = new_chance("trial")


_TRIAL = _Trial()


def make_view(deck: Deck, cards: CardTables, states: States, seat: int | None) -> View:
    """The view of a seat; None is a spectator."""
    number = NOBODY if seat is None else seat
    known = new_states()
    compiled.known_to(states, 0, number, known, 0)
    return View(deck, cards, known, number)


def list_moves(
    deck: Deck, cards: CardTables, states: States, snapshot: Snapshot
) -> tuple[Move, ...]:
    choices = new_choices()
    compiled.legal_decisions(cards, states, 0, choices)
    decisions = choices["items"][0, : choices["n"][0]].tolist()
    moves, context = move_table(deck), context_of(snapshot)
    if snapshot.phase != TEMPLE:
        return moves.several(decisions, context.row)
    return tuple([moves.move(decision, context) for decision in decisions])


def _data(view: View) -> ViewData:
    table, deck = view._snapshot, view.deck
    middle = parts.middle(deck, table)
    return ViewData(
        seat=None if view.seat == NOBODY else view.seat,
        players=table.n_players,
        options=parts.options(table.with_tokens, table.with_promo, table.fewer_bodies),
        levels=parts.levels(table.levels),
        turn=table.turn,
        phase=PHASES[table.phase],
        to_move=None if table.phase in (OVER, ADAM) else table.current,
        actions_left=table.actions_left,
        supply=middle.supply,
        bag=middle.bag,
        row=middle.row,
        deck=table.n_deck,
        discards=parts.counted(deck, table.discard),
        discard_count=table.n_discard,
        piles=middle.piles,
        seats=tuple([part.data for part in view._seat_parts]),
        moves=view.moves,
        final=tuple([move.text for move in view.final]),
        adam=None if table.adam is None else parts.adam_view(deck, table.adam),
        pending=None if table.pending == NONE else table.pending,
        second_action=bool(table.second_action),
        gone=middle.gone,
        end=None if table.end == 0 else End(ENDS[table.end]),
        trigger=None if table.trigger == NONE else table.trigger,
        turns_left=table.turns_left if table.end else None,
    )
