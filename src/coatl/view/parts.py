"""The parts that a view is put together from, as data and as JSON.

A decision changes little, so most parts of the next view are those of the last one, and the middle
of the table is the same for every seat. Each part is therefore a function of exactly the bytes that
it shows, and `functools.lru_cache` remembers the latest of all tables, with their JSON: a part that
did not change is neither built nor encoded again. The bytes come from the known state of a seat and
nothing else, so what was made for one seat can be found only by who knows as much. How much each
cache saves is measured by `make bench` (rows "view").
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import msgspec
import numpy as np

from coatl.compiler.records import byte_view
from coatl.events import End
from coatl.moves import Token
from coatl.rules import compiled
from coatl.rules.cards import Deck, Prophecy
from coatl.rules.pieces import COLOURS, KIND_TEXTS, N_COLOURS, SPACES
from coatl.rules.snapshot import (
    LEVELS_AT,
    PENDING_AT,
    PHASE_AT,
    PILE_TOPS_AT,
    PLAYERS_AT,
    AdamSnapshot,
    CoatlSnapshot,
    Head,
    PlayerSnapshot,
    read_head,
    read_player,
)
from coatl.rules.state import (
    ADAM,
    ADAM_STEPS,
    ENDS,
    N_PILES,
    NONE,
    OVER,
    PHASES,
    ROW_SIZE,
    new_states,
)
from coatl.rules.tables import card_tables
from coatl.view.data import (
    AdamCard,
    AdamView,
    CardProgress,
    CoatlView,
    Pile,
    SeatView,
    TempleProgress,
)

ENCODER = msgspec.json.Encoder()
TOKENS = tuple(Token)  # an enum takes longer to iterate


class Part:
    """Some fields of a view, and the same as JSON once somebody asks."""

    __slots__ = ("_json", "fields")

    def __init__(self, **fields: Any) -> None:
        self.fields = fields
        self._json: bytes | None = None

    @property
    def json(self) -> bytes:
        """The members of an object, each with a comma before it."""
        if self._json is None:
            self._json = b"," + ENCODER.encode(self.fields)[1:-1] if self.fields else b""
        return self._json


# ---------------------------------------------------------------- cards


class ProgressPart:
    """How a card stands to a Cóatl, and the same as JSON."""

    __slots__ = ("data", "json")

    def __init__(self, data: Any) -> None:
        self.data = data
        self.json = msgspec.Raw(ENCODER.encode(data))


Form = Callable[[ProgressPart], Any]


def as_data(part: ProgressPart) -> Any:
    return part.data


def as_json(part: ProgressPart) -> Any:
    """What `ENCODER` copies as it is."""
    return part.json


def progress(card: Prophecy, pieces: str) -> CardProgress:
    """How far a Cóatl satisfies a Prophecy card."""
    found: CardProgress = progress_part(card, pieces).data
    return found


@lru_cache(maxsize=20_000)
def progress_part(card: Prophecy, pieces: str) -> ProgressPart:
    matches = card.matches(pieces)
    lacks = matches.lacks
    return ProgressPart(
        CardProgress(
            card=card.name,
            times=matches.times,
            points=matches.points,
            next_points=matches.next_points,
            matches=matches.positions,
            lacks=None if lacks is None else (lacks.left, lacks.right),
        )
    )


def temple_progress(deck: Deck, temple: int, pieces: str, cards: tuple[int, ...]) -> TempleProgress:
    """How far a Cóatl with these Prophecy cards satisfies a Temple card."""
    card = deck.temples[temple]
    met = card.met(pieces, [deck.prophecies[other] for other in cards])
    return TempleProgress(card.name, met, card.points_for(met))


@lru_cache(maxsize=20_000)
def _temple_part(deck: Deck, temple: int, colours: str, cards: tuple[int, ...]) -> ProgressPart:
    return ProgressPart(temple_progress(deck, temple, colours, cards))


def temple_parts(deck: Deck, temples: Sequence[int], coatl: CoatlSnapshot) -> list[ProgressPart]:
    """A Temple card asks how many pieces there are of a colour, not for their order (Q7)."""
    colours = "".join(sorted(coatl.pieces.strip("<>")))
    return [_temple_part(deck, temple, colours, coatl.cards) for temple in temples]


# ---------------------------------------------------------------- options and turn


@lru_cache(maxsize=1024)
def turn_part(head: bytes) -> Part:
    """What was agreed on, and whose turn it is."""
    table = read_head(head)
    return Part(
        players=table.n_players,
        options=_options(table),
        levels=tuple([n + 1 for n in range(5) if table.levels >> n & 1]),
        turn=table.turn,
        phase=PHASES[table.phase],
        to_move=None if table.phase in (OVER, ADAM) else table.current,
        actions_left=table.actions_left,
    )


def _options(table: Head) -> tuple[str, ...]:
    agreed = {
        "tokens": table.with_tokens,
        "promo": table.with_promo,
        "fewer_bodies": table.fewer_bodies,
    }
    return tuple([name for name, on in agreed.items() if on])


@lru_cache(maxsize=1024)
def last_part(head: bytes, gone: bytes) -> Part:
    """What is mostly not there: defaults are left out."""
    table = read_head(head)
    fields: dict[str, Any] = {}
    if table.pending != NONE:
        fields["pending"] = table.pending
    if table.second_action:
        fields["second_action"] = True
    if any(gone):
        fields["gone"] = _pieces(gone)
    if table.end:
        fields["end"] = End(ENDS[table.end])
    if table.trigger != NONE:
        fields["trigger"] = table.trigger
    if table.end:
        fields["turns_left"] = table.turns_left
    return Part(**fields)


# ---------------------------------------------------------------- the middle


@lru_cache(maxsize=2048)
def supply_part(supply: bytes, bag: bytes) -> Part:
    spaces = [_colours(supply[at : at + 2]) for at in range(0, 2 * len(SPACES), 2)]
    return Part(
        supply=dict(zip(SPACES, spaces, strict=True)),
        bag={KIND_TEXTS[kind]: n for kind, n in enumerate(bag) if n},
    )


@lru_cache(maxsize=2048)
def row_part(deck: Deck, row: bytes) -> Part:
    names = deck.prophecy_names
    return Part(row=tuple([None if card == _NO_CARD else names[card] for card in row]))


@lru_cache(maxsize=2048)
def discards_part(deck: Deck, n_deck: int, n_discard: int, discard: bytes) -> Part:
    return Part(deck=n_deck, discards=counted(deck, discard), discard_count=n_discard)


@lru_cache(maxsize=1024)
def piles_part(deck: Deck, piles: bytes) -> Part:
    """Of the bytes of the tops, and those of the sizes."""
    names = deck.temple_names
    tops, sizes = piles[:N_PILES], piles[N_PILES:]
    return Part(
        piles=tuple(
            [
                Pile(None if top == _NO_CARD else names[top], size)
                for top, size in zip(tops, sizes, strict=True)
            ]
        )
    )


def counted(deck: Deck, counts: Sequence[int]) -> tuple[str, ...]:
    """The names of Prophecy cards that are known as counts by id."""
    names = deck.prophecy_names
    return tuple([names[card] for card, n in enumerate(counts) if n for _ in range(n)])


# ---------------------------------------------------------------- Cóatl


class Reach(NamedTuple):
    """The cards that the owner of an open Cóatl can hold against it."""

    hand: tuple[int, ...]
    row: tuple[int, ...]
    temples: tuple[int, ...]  # the hand's, and the tops of the piles


@lru_cache(maxsize=4096)
def coatl_json(deck: Deck, coatl: CoatlSnapshot, reach: Reach | None) -> bytes:
    return ENCODER.encode(coatl_view(deck, coatl, reach, as_json))


def coatl_view(deck: Deck, coatl: CoatlSnapshot, reach: Reach | None, form: Form) -> CoatlView:
    """A Cóatl, with the cards within reach held against it if it is open and one's own."""
    pieces, cards = coatl.pieces, _progresses(deck, coatl.cards, coatl, as_data)
    value = sum([card.points for card in cards])  # F1
    laid = cards if form is as_data else _progresses(deck, coatl.cards, coatl, form)
    if reach is not None:
        temples = [form(part) for part in temple_parts(deck, reach.temples, coatl)]
        return CoatlView(
            pieces=pieces,
            complete=False,
            value=value,
            cards=laid,
            hand=_progresses(deck, reach.hand, coatl, form),
            row=_progresses(deck, reach.row, coatl, form),
            temples=tuple(temples),
        )
    temple = None
    if coatl.temple != NONE:
        (part,) = temple_parts(deck, [coatl.temple], coatl)
        temple, value = form(part), value + part.data.points
    return CoatlView(pieces, bool(coatl.complete), value, laid, temple)


def _progresses(
    deck: Deck, cards: Sequence[int], coatl: CoatlSnapshot, form: Form
) -> tuple[Any, ...]:
    prophecies, pieces = deck.prophecies, coatl.pieces
    return tuple([form(progress_part(prophecies[card], pieces)) for card in cards])


@lru_cache(maxsize=4096)
def _points(deck: Deck, coatl: CoatlSnapshot) -> int:
    """Of a complete Cóatl."""
    return coatl_view(deck, coatl, None, as_data).value


# ---------------------------------------------------------------- seats


class OwnSeat(NamedTuple):
    """What the owner of a seat sees besides: what is within reach, and what is being completed."""

    row: tuple[int, ...]
    pile_tops: tuple[int, ...]
    levels: int
    pending: int  # the Cóatl that the seat is completing, or NONE
    phase: int  # while it does


class SeatPart:
    """A seat's data, and the same as JSON, for its owner or for others."""

    __slots__ = ("_data", "_deck", "_json", "_own", "_player")

    def __init__(self, deck: Deck, player: PlayerSnapshot, own: OwnSeat | None) -> None:
        self._deck, self._player, self._own = deck, player, own
        self._data: SeatView | None = None
        self._json: bytes | None = None

    @property
    def data(self) -> SeatView:
        if self._data is None:
            coatls = [
                msgspec.structs.replace(
                    coatl_view(self._deck, coatl, reach, as_data), closing=closing
                )
                for coatl, reach, closing in self._coatls()
            ]
            self._data = self._seat(tuple(coatls))
        return self._data

    @property
    def json(self) -> bytes:
        if self._json is None:
            coatls = []
            for coatl, reach, closing in self._coatls():
                found = coatl_json(self._deck, coatl, reach)
                if closing is not None:
                    found = b'%b,"closing":%d}' % (found[:-1], closing)
                coatls.append(msgspec.Raw(found))
            self._json = ENCODER.encode(self._seat(tuple(coatls)))
        return self._json

    def _coatls(self) -> list[tuple[CoatlSnapshot, Reach | None, int | None]]:
        """Each, with what its owner can hold against it and what closing it now would score."""
        coatls, own = self._player.coatls, self._own
        if own is None or not coatls:
            return [(coatl, None, None) for coatl in coatls]
        player = self._player
        temples = [card for card in (*player.temples, *own.pile_tops) if card != NONE]
        row = [card for card in own.row if card != NONE]
        reach = Reach(tuple(player.hand), tuple(row), tuple(temples))
        closings = _closings(self._deck, player, own)
        return [
            (coatl, None, None) if coatl.complete else (coatl, reach, closing)
            for coatl, closing in zip(coatls, closings, strict=True)
        ]

    def _seat(self, coatls: tuple[Any, ...]) -> SeatView:
        deck, player = self._deck, self._player
        prophecies, temples = deck.prophecy_names, deck.temple_names
        return SeatView(
            board=_pieces(player.pieces),
            hand_size=player.n_hand,
            hand=tuple([prophecies[card] for card in player.hand if card != NONE]),
            temple_count=player.n_temples,
            temples=tuple([temples[card] for card in player.temples if card != NONE]),
            tokens=tuple(
                [token for token, left in zip(TOKENS, player.tokens, strict=True) if left]
            ),
            coatls=coatls,
            points=sum([_points(deck, coatl) for coatl in player.coatls if coatl.complete]),
            buried=tuple([prophecies[card] for card in player.buried if card != NONE]),
        )


@lru_cache(maxsize=4096)
def seat_part(deck: Deck, player: bytes, own: bytes | None) -> SeatPart:
    """Of the bytes of a seat, and for its owner of the row, the tops of the piles, the levels, the
    Cóatl that the seat is completing, and the phase.
    """
    if own is None:
        return SeatPart(deck, read_player(player), None)
    numbers = tuple(memoryview(own).cast("b"))
    row, tops = numbers[:ROW_SIZE], numbers[ROW_SIZE : ROW_SIZE + N_PILES]
    return SeatPart(deck, read_player(player), OwnSeat(row, tops, *numbers[ROW_SIZE + N_PILES :]))


class _ClosingState(threading.local):
    """A state with nothing but one seat and what it may close with; one for each thread."""

    def __init__(self) -> None:
        self.states, self.scratch = new_states(), new_states()
        self.bytes = byte_view(self.states)
        self.signed = self.bytes.cast("b")
        self.values = np.zeros(6, np.int64)

    def set(self, player: PlayerSnapshot, own: OwnSeat) -> None:
        self.signed[LEVELS_AT] = own.levels
        self.signed[PENDING_AT] = own.pending
        self.signed[PHASE_AT] = own.phase
        for at, top in enumerate(own.pile_tops, PILE_TOPS_AT):
            self.signed[at] = top
        self.bytes[PLAYERS_AT : PLAYERS_AT + len(player.key)] = player.key


_CLOSING = _ClosingState()


def _closings(deck: Deck, player: PlayerSnapshot, own: OwnSeat) -> list[int | None]:
    """What closing each Cóatl of a seat with a head and a tail would score; None: it cannot be."""
    asked = _CLOSING
    asked.set(player, own)
    compiled.coatl_values(card_tables(deck), asked.states, 0, 0, asked.scratch, asked.values)
    # While one of a seat's Cóatl is being completed the others have to wait (A9).
    return [
        None if value == NONE or own.pending not in (NONE, which) else value
        for which, value in enumerate(asked.values[3 : 3 + len(player.coatls)].tolist())
    ]


# ---------------------------------------------------------------- A.D.A.M.


@lru_cache(maxsize=256)
def adam_part(deck: Deck, content: bytes) -> Part:
    adam = AdamSnapshot(content)
    cards = []
    for which, card in enumerate(adam.cards):
        prophecy = deck.prophecies[card]
        held = [sum(adam.pieces[which][c::N_COLOURS]) for c in range(N_COLOURS)]
        lacking = [need - have for need, have in zip(prophecy.needs, held, strict=True)]
        missing = "".join([COLOURS[c] * n for c, n in enumerate(lacking)])
        cards.append(AdamCard(prophecy.name, _pieces(adam.pieces[which]), missing))
    best = [card.best_points for card in deck.prophecies]
    return Part(
        adam=AdamView(
            step=ADAM_STEPS[adam.step],
            cards=tuple(cards),
            holding=_pieces(adam.holding),
            fulfilled=counted(deck, adam.fulfilled),
            points=sum([best[card] * n for card, n in enumerate(adam.fulfilled) if n]),
        )
    )


_NO_CARD = NONE & 0xFF


def _colours(space: bytes) -> str:
    return "".join([COLOURS[colour] for colour in space if colour != _NO_CARD])


def _pieces(counts: Sequence[int]) -> tuple[str, ...]:
    return tuple([KIND_TEXTS[kind] for kind, n in enumerate(counts) if n for _ in range(n)])
