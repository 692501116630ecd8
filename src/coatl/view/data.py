"""What a view tells, as plain data: for people, pages and JSON."""

from __future__ import annotations

import msgspec

from coatl.events import End
from coatl.moves import Move, Token
from coatl.rules.state import AdamStep, Phase


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
    closing: int | None = None  # your own: what it would score closed with just a head and a tail


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
