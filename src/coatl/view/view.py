"""What one seat may know, built up from nothing (H1-H3).

A `View` is made from the *known state* of a seat (`coatl.rules.knowledge`): the truth with every
card the seat cannot place taken out. So no field, legal move or explanation can tell more than the
seat has seen. Everything that leaves for a player, a bot or a browser is a `View`.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import msgspec
import numpy as np

from coatl.events import End
from coatl.memory import Memory
from coatl.moves import Move, Token
from coatl.notation.moves import context_of, move_table
from coatl.rules import compiled
from coatl.rules.cards import Deck
from coatl.rules.chance import Chances, check_chances, new_chance
from coatl.rules.decisions import new_choices
from coatl.rules.knowledge import NOBODY
from coatl.rules.pieces import COLOURS, KIND_TEXTS, N_COLOURS, SPACES
from coatl.rules.snapshot import AdamSnapshot, CoatlSnapshot, PlayerSnapshot, Snapshot
from coatl.rules.state import (
    ADAM,
    ADAM_STEPS,
    ENDS,
    NONE,
    OVER,
    PHASES,
    STATE,
    TEMPLE,
    AdamStep,
    Phase,
    States,
    new_states,
)
from coatl.rules.tables import CardTables
from coatl.state import State, Tools


class CardProgress(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """A Prophecy card on a Cóatl, or a hand card held against it."""

    card: str
    times: int
    points: int
    next_points: int | None = None  # at the next level
    matches: tuple[tuple[int, ...], ...] = ()  # positions of each counted match, head = 0
    lacks: tuple[str, str] | None = None  # fewest pieces to the next level: left, right


class TempleProgress(msgspec.Struct, frozen=True, gc=False):
    """A Temple card on a Cóatl."""

    card: str
    met: tuple[bool, ...]  # by requirement
    points: int


class CoatlView(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    pieces: str  # head to tail: `<KRB` has a head and no tail
    complete: bool
    value: int  # what its cards are worth now (F1)
    cards: tuple[CardProgress, ...] = ()
    temple: TempleProgress | None = None
    hand: tuple[CardProgress, ...] = ()  # your own hand, held against your open Cóatl
    row: tuple[CardProgress, ...] = ()  # the face-up Prophecy cards, likewise
    temples: tuple[TempleProgress, ...] = ()  # yours and the tops of the piles, likewise
    closing: int | None = None  # your own: what closing it now would score at best


class SeatView(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    board: tuple[str, ...]  # pieces
    hand_size: int
    hand: tuple[str, ...]  # your own, or the cards everyone saw being taken
    temple_count: int
    temples: tuple[str, ...]
    tokens: tuple[Token, ...]  # those left
    coatls: tuple[CoatlView, ...]
    points: int  # of complete Cóatl
    buried: tuple[str, ...] = ()  # your own setup discards


class AdamCard(msgspec.Struct, frozen=True, gc=False):
    card: str
    pieces: tuple[str, ...]
    missing: str  # colours


class AdamView(msgspec.Struct, frozen=True, gc=False):
    step: AdamStep
    cards: tuple[AdamCard, ...]
    holding: tuple[str, ...]
    fulfilled: tuple[str, ...]
    points: int


class Pile(msgspec.Struct, frozen=True, gc=False):
    top: str | None
    size: int


class ViewData(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """All a seat may know, as plain data."""

    seat: int | None  # None: a spectator
    players: int  # 1: solo
    options: tuple[str, ...]
    levels: tuple[int, ...]
    turn: int
    phase: Phase
    to_move: int | None  # seat; None when the game is over or A.D.A.M. plays
    actions_left: int
    supply: dict[str, str]  # space -> colours
    bag: dict[str, int]  # pieces still in the bags (H3)
    row: tuple[str | None, ...]
    deck: int
    discards: tuple[str, ...]  # those this seat knows of
    discard_count: int
    piles: tuple[Pile, ...]
    seats: tuple[SeatView, ...]
    moves: tuple[Move, ...]  # legal moves of this seat
    final: tuple[str, ...] = ()  # texts of those that cannot be taken back: a secret, turn's end
    adam: AdamView | None = None
    pending: int | None = None  # the Cóatl being completed
    second_action: bool = False
    gone: tuple[str, ...] = ()
    end: End | None = None  # what triggered the end
    trigger: int | None = None
    turns_left: int | None = None


_ENCODER = msgspec.json.Encoder()


class View:
    """A seat's knowledge: `data` for people and pages, `moves` and `sample` for bots."""

    def __init__(self, deck: Deck, cards: CardTables, known: States, seat: int) -> None:
        self.deck = deck
        self.seat = seat
        self.cards = cards
        self._known = known
        self._read: Snapshot | None = None
        self._moves: tuple[Move, ...] | None = None
        self._data: ViewData | None = None

    @property
    def _snapshot(self) -> Snapshot:
        """The known state, read in one go."""
        if self._read is None:
            self._read = Snapshot(self._known)
        return self._read

    @property
    def known(self) -> States:
        """The known state itself (`coatl.rules.knowledge`), for compiled bots; read only."""
        return self._known

    @property
    def data(self) -> ViewData:
        if self._data is None:
            self._data = _Builder(self).build()
        return self._data

    @property
    def moves(self) -> tuple[Move, ...]:
        """The legal moves, if it is this seat's turn."""
        if self._moves is None:
            mine = self._snapshot.current == self.seat and self._snapshot.phase not in (OVER, ADAM)
            self._moves = (
                list_moves(self.deck, self.cards, self._known, self._snapshot) if mine else ()
            )
        return self._moves

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
        seats = tuple([_json_of(seat) for seat in self.data.seats])
        return _ENCODER.encode(msgspec.structs.replace(self.data, seats=seats))

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


class _Builder:
    """Puts a view's data together; reads nothing but the known state."""

    def __init__(self, view: View) -> None:
        self.view = view
        self.deck = view.deck
        self.table = view._snapshot
        self.prophecies = view.deck.prophecy_names
        self.temples = view.deck.temple_names

    def build(self) -> ViewData:
        table, middle = self.table, self.middle()
        return ViewData(
            seat=None if self.view.seat == NOBODY else self.view.seat,
            players=table.n_players,
            options=_options(table.with_tokens, table.with_promo, table.fewer_bodies),
            levels=_levels(table.levels),
            turn=table.turn,
            phase=PHASES[table.phase],
            to_move=None if table.phase in (OVER, ADAM) else table.current,
            actions_left=table.actions_left,
            supply=middle.supply,
            bag=middle.bag,
            row=middle.row,
            deck=table.n_deck,
            discards=self.counted(table.discard),
            discard_count=table.n_discard,
            piles=middle.piles,
            seats=tuple([self.seat(i, player) for i, player in enumerate(table.players)]),
            moves=self.view.moves,
            final=tuple([move.text for move in self.view.final]),
            adam=None if table.adam is None else self.adam(table.adam),
            pending=None if table.pending == NONE else table.pending,
            second_action=bool(table.second_action),
            gone=middle.gone,
            end=None if table.end == 0 else End(ENDS[table.end]),
            trigger=None if table.trigger == NONE else table.trigger,
            turns_left=table.turns_left if table.end else None,
        )

    def middle(self) -> _Middle:
        """The middle of the table is the same for everybody; remembered for the next view."""
        table = self.table
        key = (self.deck, table.middle_key)
        found = _MIDDLES.get(key)
        if found is None:
            piles = zip(table.pile_top, table.pile_size, strict=True)
            found = _Middle(
                supply=dict(zip(SPACES, [_colours(space) for space in table.supply], strict=True)),
                bag={KIND_TEXTS[kind]: n for kind, n in enumerate(table.bag) if n},
                row=tuple([None if card == NONE else self.prophecies[card] for card in table.row]),
                piles=tuple([Pile(self.top_name(top), size) for top, size in piles]),
                gone=_pieces(table.gone),
            )
            _MIDDLES.keep(key, found)
        return found

    def top_name(self, top: int) -> str | None:
        return None if top == NONE else self.temples[top]

    def counted(self, counts: tuple[int, ...]) -> tuple[str, ...]:
        return _named(self.deck, counts)

    def seat(self, seat: int, player: PlayerSnapshot) -> SeatView:
        """A seat's part, remembered by all it depends on: most decisions change one seat only."""
        table, own = self.table, seat == self.view.seat
        key: tuple[object, ...] = (self.deck, player.key)
        if own:  # held against what lies open; closing depends on what is being completed too
            pending = table.pending if seat == table.current else NONE
            phase = table.phase if pending != NONE else NONE
            key = (*key, table.levels, pending, phase, *table.pile_top, *table.row)
        found = _SEATS.get(key)
        if found is None:
            found = self.make_seat(seat, player, own)
            _SEATS.keep(key, found)
        return found

    def make_seat(self, seat: int, player: PlayerSnapshot, own: bool) -> SeatView:
        closings = self.closings(seat) if own and player.coatls else (None, None, None)
        coatls = [
            self.coatl(coatl, player, own, closing)
            for coatl, closing in zip(player.coatls, closings, strict=False)
        ]
        return SeatView(
            board=_pieces(player.pieces),
            hand_size=player.n_hand,
            hand=tuple([self.prophecies[card] for card in player.hand if card != NONE]),
            temple_count=player.n_temples,
            temples=tuple([self.temples[card] for card in player.temples if card != NONE]),
            tokens=tuple([token for token, left in zip(Token, player.tokens, strict=True) if left]),
            coatls=tuple(coatls),
            points=sum([coatl.value for coatl in coatls if coatl.complete]),
            buried=tuple([self.prophecies[card] for card in player.buried if card != NONE]),
        )

    def closings(self, seat: int) -> list[int | None]:
        """What closing each Cóatl of a seat now would score; None where it cannot be closed."""
        values = np.zeros(6, np.int64)
        compiled.coatl_values(self.view.cards, self.view._known, 0, seat, new_states(), values)
        return [
            value if value != NONE and self.may_close(seat, which) else None
            for which, value in enumerate(values.tolist()[3:])
        ]

    def may_close(self, seat: int, which: int) -> bool:
        """While one of a seat's Cóatl is being completed the others have to wait (A9)."""
        return seat != self.table.current or self.table.pending in (NONE, which)

    def coatl(
        self, coatl: CoatlSnapshot, player: PlayerSnapshot, own: bool, closing: int | None
    ) -> CoatlView:
        is_open = own and not coatl.complete
        cards = self.deck.prophecies
        on_it = tuple([progress(cards[card], coatl.pieces) for card in coatl.cards])
        value = sum([card.points for card in on_it])  # F1
        temple = None
        if coatl.temple != NONE:
            temple = self.temple(coatl.temple, coatl)
            value += temple.points
        return CoatlView(
            pieces=coatl.pieces,
            complete=bool(coatl.complete),
            value=value,
            cards=on_it,
            temple=temple,
            hand=self.held(player.hand, coatl) if is_open else (),
            row=self.held(self.table.row, coatl) if is_open else (),
            temples=self.held_temples(player, coatl) if is_open else (),
            closing=closing if is_open else None,
        )

    def held(self, hand: Sequence[int], coatl: CoatlSnapshot) -> tuple[CardProgress, ...]:
        cards = self.deck.prophecies
        return tuple([progress(cards[card], coatl.pieces) for card in hand if card != NONE])

    def held_temples(
        self, player: PlayerSnapshot, coatl: CoatlSnapshot
    ) -> tuple[TempleProgress, ...]:
        within_reach = (*player.temples, *self.table.pile_top)
        return tuple([self.temple(card, coatl) for card in within_reach if card != NONE])

    def temple(self, number: int, coatl: CoatlSnapshot) -> TempleProgress:
        key = (self.deck, number, coatl.pieces, *coatl.cards)
        found = _TEMPLES.get(key)
        if found is None:
            card = self.deck.temples[number]
            met = card.met(coatl.pieces, [self.deck.prophecies[other] for other in coatl.cards])
            found = TempleProgress(card.name, met, card.points_for(met))
            _TEMPLES.keep(key, found)
        return found

    def adam(self, adam: AdamSnapshot) -> AdamView:
        cards = []
        for which, card in enumerate(adam.cards):
            prophecy = self.deck.prophecies[card]
            held = [sum(adam.pieces[which][c::N_COLOURS]) for c in range(N_COLOURS)]
            lacking = [need - have for need, have in zip(prophecy.needs, held, strict=True)]
            missing = "".join([COLOURS[c] * n for c, n in enumerate(lacking)])
            cards.append(AdamCard(prophecy.name, _pieces(adam.pieces[which]), missing))
        best = [card.best_points for card in self.deck.prophecies]
        return AdamView(
            step=ADAM_STEPS[adam.step],
            cards=tuple(cards),
            holding=_pieces(adam.holding),
            fulfilled=self.counted(adam.fulfilled),
            points=sum([best[card] * n for card, n in enumerate(adam.fulfilled) if n]),
        )


@lru_cache(maxsize=8)
def _options(tokens: int, promo: int, fewer_bodies: int) -> tuple[str, ...]:
    options = {"tokens": tokens, "promo": promo, "fewer_bodies": fewer_bodies}
    return tuple([name for name, on in options.items() if on])


@lru_cache(maxsize=32)
def _levels(bits: int) -> tuple[int, ...]:
    return tuple([n + 1 for n in range(5) if bits >> n & 1])


@lru_cache(maxsize=1024)
def _named(deck: Deck, counts: tuple[int, ...]) -> tuple[str, ...]:
    names = deck.prophecy_names
    return tuple([names[card] for card, n in enumerate(counts) if n > 0 for _ in range(n)])


class _Middle(msgspec.Struct, frozen=True, gc=False):
    """What lies between the players."""

    supply: dict[str, str]
    bag: dict[str, int]
    row: tuple[str | None, ...]
    piles: tuple[Pile, ...]
    gone: tuple[str, ...]


_JSON: Memory[int, tuple[SeatView, msgspec.Raw]] = Memory(2048)


def _json_of(seat: SeatView) -> msgspec.Raw:
    """A seat's part as JSON; kept with the seat, whose place in memory names it meanwhile."""
    known = _JSON.get(id(seat))
    if known is None or known[0] is not seat:
        known = (seat, msgspec.Raw(_ENCODER.encode(seat)))
        _JSON.keep(id(seat), known)
    return known[1]


_MIDDLES: Memory[tuple[object, bytes], _Middle] = Memory(1024)
_SEATS: Memory[tuple[object, ...], SeatView] = Memory(2048)
_TEMPLES: Memory[tuple[object, ...], TempleProgress] = Memory(4096)
_PROGRESS: Memory[tuple[Any, str], CardProgress] = Memory(10_000)


def progress(card: Any, pieces: str) -> CardProgress:
    """How far a Cóatl satisfies a card; remembered, since views ask again and again."""
    found = _PROGRESS.get((card, pieces))
    if found is None:
        matches = card.matches(pieces)
        lacks = matches.lacks
        found = CardProgress(
            card=card.name,
            times=matches.times,
            points=matches.points,
            next_points=matches.next_points,
            matches=matches.positions,
            lacks=None if lacks is None else (lacks.left, lacks.right),
        )
        _PROGRESS.keep((card, pieces), found)
    return found


def _colours(space: Sequence[int]) -> str:
    return "".join([COLOURS[colour] for colour in space])


def _pieces(counts: Sequence[int]) -> tuple[str, ...]:
    return tuple([KIND_TEXTS[kind] for kind, n in enumerate(counts) if n for _ in range(n)])
