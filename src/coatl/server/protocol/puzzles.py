"""Bodies and answers of the requests about puzzles."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from coatl.puzzles.puzzle import PuzzleKind
from coatl.server.protocol.fields import ClientMessage, MoveText, ServerMessage
from coatl.server.protocol.tables import MoveReason
from coatl.view import ViewData

MOST_PUZZLE_MOVES = 40


class PuzzleInfo(ServerMessage, frozen=True):
    """A puzzle, for a list of them."""

    id: str  # the same as long as the puzzle is the same, whatever its number
    kind: PuzzleKind  # what is asked
    found: tuple[str, ...]  # the bots that find it without working it out, the weakest first


class PuzzleList(ServerMessage, frozen=True):
    """All puzzles."""

    puzzles: tuple[PuzzleInfo, ...]  # by number, from 1
    bots: tuple[str, ...]  # that were asked, the weakest first


class DayPuzzle(ServerMessage, frozen=True):
    """The puzzle of the day, which is the same for everybody."""

    day: str  # the date in UTC, such as 2026-11-18
    number: int  # of the puzzle
    seconds: int  # until the next one


class PuzzleRequest(ClientMessage, frozen=True):
    """What was done in a puzzle so far. Nothing of it is kept by the server."""

    # moves in the notation; the `done` between the steps of a completion is left out
    path: Annotated[tuple[MoveText, ...], Meta(max_length=MOST_PUZZLE_MOVES)] = ()
    why: MoveText | None = None  # a move to be explained
    check: bool = False  # is it the answer?
    reveal: bool = False  # what is the best answer?


class PuzzleVerdict(ServerMessage, frozen=True):
    """What an answer is worth."""

    solved: bool  # it is the best answer
    complete: bool  # the Cóatl is complete
    wins: bool = False  # the game is won with it
    points: int | None = None  # of the Cóatl, if it is complete
    short: int | None = None  # points that the best answer has more
    unmet: int = 0  # chosen cards that the Cóatl does not meet, or that find no place beside it


class PuzzleAnswer(ServerMessage, frozen=True):
    """The best answer."""

    pieces: str  # of the Cóatl, in the notation
    cards: tuple[str, ...]  # Prophecy cards beside it
    points: int  # of the Cóatl
    temple: str | None = None  # the Temple card
    moves: tuple[str, ...] = ()  # a path that leads there


class PuzzleState(ServerMessage, frozen=True, tag="puzzle", tag_field="type"):
    """Where somebody is in a puzzle."""

    number: int  # of the puzzle, from 1
    id: str  # the same as long as the puzzle is the same, whatever its number
    kind: PuzzleKind  # what is asked
    target: int  # the Cóatl that it is about: its place among yours, from 0
    path: tuple[str, ...]  # as in the request, in the exact notation
    chosen: tuple[str, ...]  # where cards are to be found: those that were chosen, by name
    view: ViewData  # what the first seat sees; its moves are those that the puzzle allows
    reason: MoveReason | None = None  # the answer to `why`
    verdict: PuzzleVerdict | None = None  # the answer to `check`
    answer: PuzzleAnswer | None = None  # the answer to `reveal`
