"""Bodies and answers of the requests about tables."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from coatl.hints.hint import Hint
from coatl.server.protocol.fields import (
    BotName,
    ClientMessage,
    MoveText,
    Name,
    PlaceNumber,
    ServerMessage,
    Token,
)
from coatl.server.roles import Role
from coatl.table import PlaceKind, Status


class NewPlace(ClientMessage, frozen=True):
    """A place of a new table: `person` gets a token, `bot` a bot, `open` is for who comes first."""

    kind: PlaceKind  # who is to sit there
    name: Name = ""  # no comma, no #; a person may choose another when joining
    bot: BotName | None = None  # the name of the bot; needed for kind `bot` only


class NewPractice(ClientMessage, frozen=True):
    """A position to play on from, for one person with bots or alone."""

    position: Annotated[str, Meta(min_length=1, max_length=4000)]  # in the notation
    # what is drawn first, as a record writes it: K, <R, YG, noK/8
    draws: Annotated[tuple[Annotated[str, Meta(max_length=40)], ...], Meta(max_length=512)] = ()


class NewTable(ClientMessage, frozen=True):
    """A table to be opened. `levels` means the solo game against A.D.A.M."""

    # 2 to 4 in the order of play, or one for solo; at least one is not a bot
    places: Annotated[tuple[NewPlace, ...], Meta(min_length=1, max_length=4)]
    tokens: bool = True  # with Sacrifice tokens (S6); there are none in solo
    promo: bool = False  # with the promo pack
    fewer_bodies: bool = False  # fewer body segments, for 2 or 3 players (R22)
    # A.D.A.M.'s levels from 1 to 5 (D10), [] for the solo base game; None: not solo
    levels: Annotated[tuple[int, ...], Meta(max_length=5)] | None = None
    draw_seats: bool = False  # the order of play is drawn by lot when the game begins
    # a practice table: the options are in its position, so none may be given; nothing is promised
    practice: NewPractice | None = None
    hints: bool = False  # several people agree on hints; where one person plays there always are


class TableOpened(ServerMessage, frozen=True):
    """The new table and its tokens. Whoever holds a token is that seat: keep them apart."""

    table: str  # its id
    promise: str  # SHA-256 of the table's secret; keep it to check the game. Empty: practice
    owner: str  # the token of who opened it
    watch: str  # the token for spectators
    invite: str | None  # the token for the open places; None: there are none
    seats: tuple[str | None, ...]  # the tokens by place; None: a bot or an open place


class JoinTable(ClientMessage, frozen=True):
    """Take an open place with the table's invitation."""

    invite: Token  # the invitation
    # 16 to 64 random characters of your own, a secret like a token; if the answer got lost, ask
    # again with the same: you get the same place. None: each request takes another place
    id: Token | None = None


class Invitation(ServerMessage, frozen=True):
    """What an invitation is to: what somebody should know before joining."""

    hints: bool  # people may ask for hints at this table


class SeatTaken(ServerMessage, frozen=True):
    """The place you got. Next, open a socket with its token and join."""

    table: str  # its id
    place: int  # yours, counted from 0
    token: str  # of your seat


class MyTables(ClientMessage, frozen=True):
    """The tokens that a browser holds."""

    tokens: Annotated[tuple[Token, ...], Meta(max_length=50)]  # of any roles; others do no harm


class TableSummary(ServerMessage, frozen=True):
    """One line of a list of tables."""

    table: str  # its id
    role: Role  # what the token opens
    place: int | None  # of the seat; None for other roles
    status: Status  # waiting until everybody has joined
    your_turn: bool  # the game waits for this seat
    turn: int  # turns begun; 0 before and during the setup
    names: tuple[str, ...]  # by place; a bot's own name if it got none, and empty for nobody yet
    created: float  # seconds since 1970
    token: int  # which of the tokens asked with, counted from 0
    practice: bool = False  # a practice table
    bots: tuple[str | None, ...] = ()  # by place; null where a person sits


class TableList(ServerMessage, frozen=True):
    """The tables found, the newest first. A token opens several where there was a rematch."""

    tables: tuple[TableSummary, ...]  # one for each table and token


class HintGiven(ServerMessage, frozen=True):
    """A hint for the seat that asked. Everybody sees in the notes that there was one."""

    version: int  # the table's, for which it holds
    hint: Hint  # what to do, and why


class HandOverSeat(ClientMessage, frozen=True):
    """The owner lets a bot play for a seat that has been away for a while."""

    place: PlaceNumber  # whose
    bot: BotName = "greedy"  # its name; where hints are off, none stronger than greedy


class FreePlace(ClientMessage, frozen=True):
    """The owner frees a place that somebody took with the invitation, before the game begins."""

    place: PlaceNumber  # which


class RematchOpened(ServerMessage, frozen=True):
    """The new table; the tokens of seats and spectators are those of the old one."""

    table: str  # its id


class WhyMove(ClientMessage, frozen=True):
    """A move to be explained."""

    move: MoveText  # in the notation


class MoveReason(ServerMessage, frozen=True):
    """Without a clause the move is allowed."""

    move: str  # the move asked about
    clause: str | None = None  # the clause of the rules that forbids it
    cause: str | None = None  # which of its causes, such as `A1.incomplete`
    text: str | None = None  # why, in English
