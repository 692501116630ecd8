"""A line of moves, with what a seat sees before it and after it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from coatl.assembly import ClosedCoatl
from coatl.moves import Move, MoveKind
from coatl.rules.cards import Deck, Prophecy
from coatl.view.data import ViewData

ASSEMBLING = (MoveKind.BEGIN, MoveKind.ADD, MoveKind.FULFIL, MoveKind.TEMPLE)
NEAR = 3  # a card that lacks more pieces than that is not worth a word

Closings = Sequence[ClosedCoatl | None]  # by Cóatl: how it can be closed now for most points


@dataclass(frozen=True)
class Change:
    """What a seat sees before a line of moves and after it."""

    deck: Deck
    moves: Sequence[Move]
    before: ViewData
    after: ViewData
    closings_before: Closings = ()
    closings_after: Closings = ()

    @property
    def seat(self) -> int:
        assert self.before.seat is not None
        return self.before.seat

    @property
    def gained(self) -> Counter[str]:
        """Pieces that came from the supply."""
        if not any(move.kind in (MoveKind.TAKE, MoveKind.TOKEN) for move in self.moves):
            return Counter()
        then, now = self.after.seats[self.seat].board, self.before.seats[self.seat].board
        return Counter(then) - Counter(now)

    @property
    def picked(self) -> list[str]:
        return [move.card for move in self.moves if move.kind == MoveKind.PICK and move.card]

    @property
    def laid(self) -> list[str]:
        return [move.card for move in self.moves if move.kind == MoveKind.FULFIL and move.card]

    @property
    def temples_taken(self) -> list[str]:
        """With Priest Commitment."""
        piles = [move.pile for move in self.moves if move.kind == MoveKind.TOKEN]
        tops = [self.before.piles[pile].top for pile in piles if pile is not None]
        return [top for top in tops if top is not None]

    @property
    def assembles(self) -> bool:
        return any(move.kind in ASSEMBLING for move in self.moves)

    def prophecy(self, name: str) -> Prophecy:
        return self.deck.prophecies[self.deck.prophecy_ids[name]]
