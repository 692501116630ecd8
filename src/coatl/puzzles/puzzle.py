"""What a puzzle is: a position, a question about it, and the one best answer."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

import msgspec

# That are asked how hard a puzzle is, the weakest first.
BOTS = ("novice", "apprentice", "artisan", "priest", "high-priest")
SOLVER_SEAT = 0  # in a puzzle whoever solves it always has the first seat


class PuzzleKind(StrEnum):
    """What is asked."""

    CLOSE = "close"  # close the Cóatl for the most points
    CARDS = "cards"  # the Cóatl is closed: find the cards that it meets, for the most points (A9)
    WIN = "win"  # this is the last action of the game: win it, with the most points
    ADAM = "adam"  # beat A.D.A.M. by completing the third Cóatl, with the most points (D8, D9)


class Puzzle(msgspec.Struct, frozen=True):
    """A puzzle as it stands in the file (docs/puzzles.md)."""

    kind: PuzzleKind
    position: str  # in the notation; the first seat is to move
    answer: str  # the Cóatl as the best answer completes it (`Completed.text`)
    points: int  # of that Cóatl
    found: tuple[str, ...] = ()  # the bots that find it without working it out, the weakest first


class Completed(NamedTuple):
    """A complete Cóatl: the same, in whatever order it was assembled and its cards were laid."""

    pieces: str  # from head to tail, such as ``<KRRB>``
    cards: tuple[str, ...]  # Prophecy cards, sorted
    temple: str | None = None

    @property
    def text(self) -> str:
        """As a position writes it, but for the order of the cards."""
        cards = (*self.cards, self.temple) if self.temple else self.cards
        return f"{self.pieces}:{','.join(cards)}"


class UnknownPuzzle(ValueError):  # noqa: N818 - it is the number that is unknown
    """There is no such puzzle."""


class BadPuzzles(ValueError):  # noqa: N818 - it is the file that is bad
    """A puzzle, or a file of them, that cannot be used, in one sentence."""
