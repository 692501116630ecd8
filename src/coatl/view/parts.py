"""The parts that a view's data is put together from.

A decision changes little, so most parts of the next view are those of the last one, and the middle
of the table is the same for every seat. Each part is therefore a function of exactly what it shows,
and `functools.lru_cache` remembers the latest. The arguments come from the known state of a seat
and nothing else. How much each cache saves is measured by `make bench` (rows "view").
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from functools import cached_property, lru_cache
from typing import NamedTuple

import msgspec
import numpy as np

from coatl.compiler.records import byte_view
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
    PlayerSnapshot,
    Snapshot,
)
from coatl.rules.state import ADAM_STEPS, NONE, new_states
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


# ---------------------------------------------------------------- cards


@lru_cache(maxsize=20_000)
def progress(card: Prophecy, pieces: str) -> CardProgress:
    """How far a Cóatl satisfies a Prophecy card."""
    matches = card.matches(pieces)
    lacks = matches.lacks
    return CardProgress(
        card=card.name,
        times=matches.times,
        points=matches.points,
        next_points=matches.next_points,
        matches=matches.positions,
        lacks=None if lacks is None else (lacks.left, lacks.right),
    )


@lru_cache(maxsize=20_000)
def temple_progress(deck: Deck, temple: int, pieces: str, cards: tuple[int, ...]) -> TempleProgress:
    """How far a Cóatl with these Prophecy cards satisfies a Temple card."""
    card = deck.temples[temple]
    met = card.met(pieces, [deck.prophecies[other] for other in cards])
    return TempleProgress(card.name, met, card.points_for(met))


# ---------------------------------------------------------------- what was agreed on


@lru_cache
def options(tokens: int, promo: int, fewer_bodies: int) -> tuple[str, ...]:
    agreed = {"tokens": tokens, "promo": promo, "fewer_bodies": fewer_bodies}
    return tuple([name for name, on in agreed.items() if on])


@lru_cache
def levels(bits: int) -> tuple[int, ...]:
    return tuple([n + 1 for n in range(5) if bits >> n & 1])


# ---------------------------------------------------------------- the middle


class MiddlePart(msgspec.Struct, frozen=True, gc=False):
    """What lies between the players."""

    supply: dict[str, str]
    bag: dict[str, int]
    row: tuple[str | None, ...]
    piles: tuple[Pile, ...]
    gone: tuple[str, ...]


def middle(deck: Deck, table: Snapshot) -> MiddlePart:
    return _middle(
        deck,
        table.supply,
        table.bag,
        table.row,
        tuple(zip(table.pile_top, table.pile_size, strict=True)),
        table.gone,
    )


@lru_cache(maxsize=2048)
def _middle(
    deck: Deck,
    supply: tuple[tuple[int, ...], ...],
    bag: tuple[int, ...],
    row: tuple[int, ...],
    piles: tuple[tuple[int, int], ...],
    gone: tuple[int, ...],
) -> MiddlePart:
    prophecies, temples = deck.prophecy_names, deck.temple_names
    return MiddlePart(
        supply=dict(zip(SPACES, [_colours(space) for space in supply], strict=True)),
        bag={KIND_TEXTS[kind]: n for kind, n in enumerate(bag) if n},
        row=tuple([None if card == NONE else prophecies[card] for card in row]),
        piles=tuple([Pile(None if top == NONE else temples[top], size) for top, size in piles]),
        gone=_pieces(gone),
    )


@lru_cache(maxsize=1024)
def counted(deck: Deck, counts: tuple[int, ...]) -> tuple[str, ...]:
    """The names of Prophecy cards that are known as counts by id."""
    names = deck.prophecy_names
    return tuple([names[card] for card, n in enumerate(counts) if n > 0 for _ in range(n)])


# ---------------------------------------------------------------- seats


class OwnSeat(NamedTuple):
    """What the owner of a seat sees besides: what is within reach, and what is being completed."""

    row: tuple[int, ...]
    pile_tops: tuple[int, ...]
    levels: int
    pending: int  # the Cóatl that the seat is completing, or NONE
    phase: int  # while it does


class SeatPart:
    """A seat's data, and the same as JSON once somebody asks."""

    def __init__(self, data: SeatView) -> None:
        self.data = data

    @cached_property
    def json(self) -> msgspec.Raw:
        return msgspec.Raw(ENCODER.encode(self.data))


@lru_cache(maxsize=4096)
def seat_part(deck: Deck, player: PlayerSnapshot, own: OwnSeat | None) -> SeatPart:
    """The part of a seat, for its owner or for others."""
    prophecies, temples = deck.prophecy_names, deck.temple_names
    closings = _closings(deck, player, own) if own and player.coatls else []
    coatls = [
        _own_coatl(deck, player, coatl, own, closings[which])
        if own and not coatl.complete
        else _coatl(deck, coatl)
        for which, coatl in enumerate(player.coatls)
    ]
    return SeatPart(
        SeatView(
            board=_pieces(player.pieces),
            hand_size=player.n_hand,
            hand=tuple([prophecies[card] for card in player.hand if card != NONE]),
            temple_count=player.n_temples,
            temples=tuple([temples[card] for card in player.temples if card != NONE]),
            tokens=tuple(
                [token for token, left in zip(TOKENS, player.tokens, strict=True) if left]
            ),
            coatls=tuple(coatls),
            points=sum([coatl.value for coatl in coatls if coatl.complete]),
            buried=tuple([prophecies[card] for card in player.buried if card != NONE]),
        )
    )


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
    """What closing each Cóatl of a seat now would score; None where it cannot be closed."""
    asked = _CLOSING
    asked.set(player, own)
    compiled.coatl_values(card_tables(deck), asked.states, 0, 0, asked.scratch, asked.values)
    # While one of a seat's Cóatl is being completed the others have to wait (A9).
    return [
        None if value == NONE or own.pending not in (NONE, which) else value
        for which, value in enumerate(asked.values[3:].tolist())
    ]


def _coatl(deck: Deck, coatl: CoatlSnapshot) -> CoatlView:
    cards = _progresses(deck, coatl.cards, coatl)
    temple = None
    value = sum([card.points for card in cards])  # F1
    if coatl.temple != NONE:
        temple = temple_progress(deck, coatl.temple, coatl.pieces, coatl.cards)
        value += temple.points
    return CoatlView(coatl.pieces, bool(coatl.complete), value, cards, temple)


def _own_coatl(
    deck: Deck, player: PlayerSnapshot, coatl: CoatlSnapshot, own: OwnSeat, closing: int | None
) -> CoatlView:
    """An open Cóatl for its owner, with the cards within reach held against it."""
    within_reach = (*player.temples, *own.pile_tops)
    cards = _progresses(deck, coatl.cards, coatl)
    return CoatlView(
        pieces=coatl.pieces,
        complete=False,
        value=sum([card.points for card in cards]),
        cards=cards,
        hand=_progresses(deck, player.hand, coatl),
        row=_progresses(deck, own.row, coatl),
        temples=tuple(
            [
                temple_progress(deck, card, coatl.pieces, coatl.cards)
                for card in within_reach
                if card != NONE
            ]
        ),
        closing=closing,
    )


def _progresses(deck: Deck, cards: Sequence[int], coatl: CoatlSnapshot) -> tuple[CardProgress, ...]:
    prophecies = deck.prophecies
    return tuple([progress(prophecies[card], coatl.pieces) for card in cards if card != NONE])


def adam_view(deck: Deck, adam: AdamSnapshot) -> AdamView:
    cards = []
    for which, card in enumerate(adam.cards):
        prophecy = deck.prophecies[card]
        held = [sum(adam.pieces[which][c::N_COLOURS]) for c in range(N_COLOURS)]
        lacking = [need - have for need, have in zip(prophecy.needs, held, strict=True)]
        missing = "".join([COLOURS[c] * n for c, n in enumerate(lacking)])
        cards.append(AdamCard(prophecy.name, _pieces(adam.pieces[which]), missing))
    best = [card.best_points for card in deck.prophecies]
    return AdamView(
        step=ADAM_STEPS[adam.step],
        cards=tuple(cards),
        holding=_pieces(adam.holding),
        fulfilled=counted(deck, adam.fulfilled),
        points=sum([best[card] * n for card, n in enumerate(adam.fulfilled) if n]),
    )


def _colours(space: Sequence[int]) -> str:
    return "".join([COLOURS[colour] for colour in space])


def _pieces(counts: Sequence[int]) -> tuple[str, ...]:
    return tuple([KIND_TEXTS[kind] for kind, n in enumerate(counts) if n for _ in range(n)])
