"""Bodies and answers of the requests about records."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from coatl.events import Event
from coatl.moves import Move
from coatl.server.protocol.fields import ClientMessage, ServerMessage
from coatl.view import ViewData

StepKind = Literal["setup", "take", "choose", "assemble", "complete", "token", "pass", "undo"]


class ReplayRequest(ClientMessage, frozen=True):
    """A record, the step to show (0 is the setup), and the seat to see it from (none: all open)."""

    record: str  # the text of a .coatl file
    step: Annotated[int, Meta(ge=0, le=100_000)] = 0  # after so many decisions
    seat: Annotated[int, Meta(ge=0, le=3)] | None = None  # None: the views of all seats


class ReplayStep(ServerMessage, frozen=True):
    """A position of a record, and what led to it."""

    step: int  # the one asked for
    steps: int  # how many there are, the setup included: the last is one less
    move: Move | None  # the decision that led here; None at the setup, and for an `undo`
    seats: tuple[str, ...]  # who sat where; empty if the record does not tell
    views: tuple[ViewData, ...]  # one; all open: one of each seat
    events: tuple[Event, ...]  # of the decision, as that seat saw it; all open: as a spectator
    over: bool  # is the game over here?


class ReplayRange(ClientMessage, frozen=True):
    """A record, and which of its steps to show: as `ReplayRequest`, several at once."""

    record: str  # the text of a .coatl file
    first: Annotated[int, Meta(ge=0, le=100_000)] = 0  # the first step; 0 is the setup
    count: Annotated[int, Meta(ge=1, le=64)] = 16  # how many; fewer come where the record ends
    seat: Annotated[int, Meta(ge=0, le=3)] | None = None  # None: the views of all seats


class ReplaySteps(ServerMessage, frozen=True):
    """Positions of a record, in a row."""

    steps: tuple[ReplayStep, ...]  # from the first one asked for


class ReplayPlace(ClientMessage, frozen=True):
    """A record, and the step to play on from."""

    record: str  # the text of a .coatl file
    step: Annotated[int, Meta(ge=0, le=100_000)] = 0  # after so many decisions; 0 is the setup


class ReplayPosition(ServerMessage, frozen=True):
    """A step of a record as a position, for a practice table (`NewPractice`)."""

    position: str  # in the notation, with all cards that players hold
    seat: int | None  # whose decision it is; None: the game is over


class ReplayRecord(ClientMessage, frozen=True):
    """A record to be looked over."""

    record: str  # the text of a .coatl file


class ReplayMove(ServerMessage, frozen=True):
    """A decision of a record: the one that leads to the step with its number, counted from 1."""

    move: Move | None  # the decision; None for an `undo`
    seat: int  # who decided
    turn: int  # in which turn; 0 is the setup
    kind: StepKind  # what it was for; complete: a Cóatl was completed by it
    points: tuple[int, ...]  # of each seat after it, from complete Cóatl; in solo A.D.A.M.'s too
    events: tuple[Event, ...]  # what happened, with all cards open


class ReplayOverview(ServerMessage, frozen=True):
    """The course of a recorded game, with all cards open."""

    players: int  # 1: solo
    seats: tuple[str, ...]  # who sat where; empty if the record does not tell
    levels: tuple[int, ...] | None  # A.D.A.M.'s; None: not solo
    moves: tuple[ReplayMove, ...]  # every decision, also those taken back
    over: bool  # did the game come to its end?
    winners: tuple[int, ...] = ()  # seats; in solo 1 is A.D.A.M.
