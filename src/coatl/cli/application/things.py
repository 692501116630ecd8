"""The things on the table that can be pointed at, and which legal moves each of them is part of.

No rule is here: the moves come from the game, and a thing only asks what they name.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from coatl.moves import Move, MoveKind, Side
from coatl.view import SeatView, ViewData


@dataclass(frozen=True)
class Thing:
    """Something on the table."""

    def is_in(self, move: Move) -> bool:
        """Is it part of a move?"""
        raise NotImplementedError

    def questions(self, view: ViewData, own: SeatView) -> list[str]:
        """Moves that somebody may have meant who points at it, for asking why not."""
        return []


@dataclass(frozen=True)
class Space(Thing):
    """A space of the supply."""

    name: str

    def is_in(self, move: Move) -> bool:
        return move.space == self.name

    def questions(self, view: ViewData, own: SeatView) -> list[str]:
        return [f"take {self.name}"]


@dataclass(frozen=True)
class RowCard(Thing):
    """A face-up Prophecy card."""

    place: int

    def is_in(self, move: Move) -> bool:
        return move.kind is MoveKind.PICK and move.place == self.place

    def questions(self, view: ViewData, own: SeatView) -> list[str]:
        card = view.row[self.place]
        return [] if card is None else [f"pick {card}@{self.place + 1}"]


@dataclass(frozen=True)
class DeckTop(Thing):
    """The deck of Prophecy cards."""

    def is_in(self, move: Move) -> bool:
        return move.kind is MoveKind.DRAW

    def questions(self, view: ViewData, own: SeatView) -> list[str]:
        return ["draw"]


@dataclass(frozen=True)
class TemplePile(Thing):
    """A pile of Temple cards."""

    number: int

    def is_in(self, move: Move) -> bool:
        return move.pile == self.number

    def questions(self, view: ViewData, own: SeatView) -> list[str]:
        top = view.piles[self.number].top
        if view.pending is not None and top is not None:
            return [f"{view.pending + 1}:{top}@{self.number + 1}"]
        return [f"token priest {self.number + 1}"]


@dataclass(frozen=True)
class BoardPiece(Thing):
    """A piece on the player's board; equal pieces are equal things."""

    text: str
    KINDS: ClassVar = (MoveKind.BEGIN, MoveKind.ADD)

    def is_in(self, move: Move) -> bool:
        return move.kind in self.KINDS and move.pieces == (self.text,)

    def questions(self, view: ViewData, own: SeatView) -> list[str]:
        ends = [
            question
            for number in range(len(own.coatls))
            for end in (LaneEnd(number, Side.RIGHT), LaneEnd(number, Side.LEFT))
            for question in end.questions_with(self.text, own)
        ]
        return [*ends, f"new {self.text}"]


@dataclass(frozen=True)
class LaneEnd(Thing):
    """An end of one of the player's Cóatl; where there is none yet, the place for one."""

    number: int
    side: Side

    def is_in(self, move: Move) -> bool:
        if move.kind is MoveKind.BEGIN:
            return self.number < 0
        return move.kind is MoveKind.ADD and (move.coatl, move.side) == (self.number, self.side)

    def questions_with(self, piece: str, own: SeatView) -> list[str]:
        if self.number < 0 or self.number >= len(own.coatls):
            return [f"new {piece}"]
        place = self.number + 1
        return [f"{place}+{piece}" if self.side is Side.RIGHT else f"{piece}+{place}"]


@dataclass(frozen=True)
class HandCard(Thing):
    """A Prophecy card in the hand."""

    card: str
    KINDS: ClassVar = (MoveKind.FULFIL, MoveKind.DROP)

    def is_in(self, move: Move) -> bool:
        return move.kind in self.KINDS and move.card == self.card

    def questions(self, view: ViewData, own: SeatView) -> list[str]:
        open_ones = [n for n, coatl in enumerate(own.coatls, 1) if not coatl.complete]
        return [f"{number}:{self.card}" for number in open_ones or [1]]


@dataclass(frozen=True)
class HandTemple(Thing):
    """A Temple card in the hand."""

    card: str

    def is_in(self, move: Move) -> bool:
        return move.kind is MoveKind.TEMPLE and move.pile is None and move.card == self.card

    def questions(self, view: ViewData, own: SeatView) -> list[str]:
        number = 1 if view.pending is None else view.pending + 1
        return [f"{number}:{self.card}"]


@dataclass(frozen=True)
class Lane(Thing):
    """One of the player's Cóatl, for cards; below 0: the place for a new one."""

    number: int
    KINDS: ClassVar = (MoveKind.ADD, MoveKind.FULFIL, MoveKind.TEMPLE)

    def is_in(self, move: Move) -> bool:
        if move.kind is MoveKind.BEGIN:
            return self.number < 0
        return move.kind in self.KINDS and move.coatl == self.number


@dataclass(frozen=True)
class TokenThing(Thing):
    """A Sacrifice token."""

    token: str
    EXAMPLES: ClassVar = {"pick": "pick <K", "future": "future", "priest": "priest 1"}

    def is_in(self, move: Move) -> bool:
        return move.token == self.token

    def questions(self, view: ViewData, own: SeatView) -> list[str]:
        return [f"token {self.EXAMPLES[self.token]}"]


@dataclass(frozen=True)
class EndButton(Thing):
    """What ends an action, or passes."""

    KINDS: ClassVar = (MoveKind.DONE, MoveKind.PASS)

    def is_in(self, move: Move) -> bool:
        return move.kind in self.KINDS

    def questions(self, view: ViewData, own: SeatView) -> list[str]:
        return ["done"]


def moves_with(things: Iterable[Thing], moves: Sequence[Move]) -> list[Move]:
    """The moves that all of some things are part of."""
    wanted = list(things)
    return [move for move in moves if all(thing.is_in(move) for thing in wanted)]


def why_questions(
    thing: Thing, chosen: Sequence[Thing], view: ViewData, own: SeatView
) -> list[str]:
    """What to ask the game about a thing that no legal move is part of."""
    pieces = [one.text for one in chosen if isinstance(one, BoardPiece)]
    cards = [one.card for one in chosen if isinstance(one, HandCard | HandTemple)]
    if isinstance(thing, LaneEnd) and pieces:
        return thing.questions_with(pieces[0], own)
    if isinstance(thing, Lane) and cards:
        return [f"{max(thing.number, 0) + 1}:{cards[0]}"]
    return thing.questions(view, own)
