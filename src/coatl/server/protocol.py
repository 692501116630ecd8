"""Every message of the server: what clients may send, what they get, and the error codes.

The documentation (docs/protocol.md), the OpenAPI description and the page's TypeScript types are
made from this module (`python -m tools.protocol_docs`, `python -m tools.protocol_types`). The
docstrings, and the comments behind or above the fields, are part of them.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from coatl.events import Event
from coatl.moves import Move
from coatl.players.bots import BotKind
from coatl.rules.scoring import DecidedBy
from coatl.server.roles import Role
from coatl.table import NoteKind, PlaceKind, Status
from coatl.table.errors import MEANINGS, Code
from coatl.view import ViewData

PROTOCOL = 2

Token = Annotated[str, Meta(min_length=16, max_length=64)]
Id = Annotated[str, Meta(min_length=1, max_length=64)]
MoveText = Annotated[str, Meta(min_length=1, max_length=100)]
Name = Annotated[str, Meta(max_length=40)]
Nonce = Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]
BotName = Annotated[str, Meta(min_length=1, max_length=40)]
PlaceNumber = Annotated[int, Meta(ge=0, le=3)]
Version = Annotated[int, Meta(ge=0, le=1_000_000_000)]
ProtocolNumber = Annotated[int, Meta(ge=1, le=1_000_000)]
StepKind = Literal["setup", "take", "choose", "assemble", "complete", "token", "pass", "undo"]


class Strict(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A message from outside: unknown fields are refused."""


class Answer(msgspec.Struct, frozen=True, omit_defaults=True):
    """A message from the server."""


# ---------------------------------------------------------------- from a client's socket


class Hello(Strict, frozen=True, tag="hello", tag_field="type"):
    """The first message: the token of a seat or a spectator, and the version known so far.

    A client of another protocol is refused with `wrong_protocol`, whatever else its hello says.
    """

    token: Token  # of a seat or for spectators; the owner's and the invitation open no socket
    version: Version = 0  # the last one you saw; `ahead` comes first if the server has not got it
    events: Version = 0  # how many you have; the first state brings those after them
    protocol: ProtocolNumber = 1  # the one you speak; any other than the server's is refused


class Join(Strict, frozen=True, tag="join", tag_field="type"):
    """Sit down with a nonce for the game's chance, and a name if you like.

    When everybody has, the game begins. A seat joins once: another id is refused as `taken`.
    """

    id: Id  # of your choice; the answer repeats it
    nonce: Nonce  # 32 random bytes of your own; keep it to check the game afterwards
    name: Name | None = None  # None: the one the place was opened with, else `Player 1`


class Decide(Strict, frozen=True, tag="decide", tag_field="type"):
    """Play a move at the version you see. A repeated `id` is answered again, not played again."""

    id: Id  # a new one for each decision; the same again if the answer got lost
    version: Version  # of the state you decided by; any other than the table's is refused
    move: MoveText  # in the notation: one of the view's `moves`


class Undo(Strict, frozen=True, tag="undo", tag_field="type"):
    """Take back your last step, as far as the last secret revealed."""

    id: Id  # as in `decide`
    version: Version  # as in `decide`


class AskWhy(Strict, frozen=True, tag="why", tag_field="type"):
    """Why is a move not allowed? Can be asked by the seat whose turn it is."""

    id: Id  # of your choice; the answer repeats it
    move: MoveText  # any move in the notation


class HandOver(Strict, frozen=True, tag="hand_over", tag_field="type"):
    """Let a bot play for you."""

    id: Id  # as in `decide`
    bot: BotName = "greedy"  # its name


class TakeBack(Strict, frozen=True, tag="take_back", tag_field="type"):
    """Play on yourself."""

    id: Id  # as in `decide`


class GiveUp(Strict, frozen=True, tag="give_up", tag_field="type"):
    """Leave for good: a bot plays on, and you rank last."""

    id: Id  # as in `decide`


class Ping(Strict, frozen=True, tag="ping", tag_field="type"):
    """Are you there?"""


FromClient = Hello | Join | Decide | Undo | AskWhy | HandOver | TakeBack | GiveUp | Ping


# ---------------------------------------------------------------- to a client's socket


class PlaceInfo(Answer, frozen=True):
    """Who sits at a place."""

    kind: PlaceKind  # person, bot, or open until somebody has joined there
    name: str  # empty where nobody has joined yet, and for bots that got none
    ready: bool  # has joined with a nonce, or is a bot
    connected: bool  # has an open socket; a bot never has
    bot: str | None = None  # the bot that plays there now, for a person too
    gave_up: bool = False  # has left for good


class NoteInfo(Answer, frozen=True):
    """Something that happened at the table, outside the game."""

    version: int  # the table's version after it
    kind: NoteKind  # a bot took over, the person came back, gave up, or the bot failed
    place: int  # where
    text: str = ""  # of hand: `owner` if the owner did it; of bot_failed: what went wrong


class RankInfo(Answer, frozen=True):
    """Where a place stands at the end; in solo the place after the last is A.D.A.M."""

    rank: int  # 1 won; equal ranks share
    place: int  # who
    points: int  # of complete Cóatl; A.D.A.M.: of his pile
    cards: int  # on complete Cóatl, or in A.D.A.M.'s pile: the first tie-break
    best_coatl: int  # points of the best Cóatl: the second tie-break
    gave_up: bool = False  # left for good, so comes after all who stayed


class VerdictInfo(Answer, frozen=True):
    """How the first place was decided between those who stayed (F2, D9)."""

    by: DecidedBy  # by points, by a tie-break, or not at all; adam: a tie in points, which he wins
    between: tuple[int, ...]  # the places that were level until then, the winner's among them


class TurnsInfo(Answer, frozen=True):
    """The turns before and after this one, by seat."""

    to_come: tuple[int, ...]  # the next seat; once the end is triggered, all turns that are left
    had: tuple[int, ...] = ()  # who has had the last turn since a third Cóatl was completed (E2)


class FairnessInfo(Answer, frozen=True):
    """Where the game's chance came from, told when it is over."""

    secret: str  # the table's; its SHA-256 is the promise
    nonces: dict[str, str]  # by place; bots have none
    seed: str  # SHA-256 of the secret and the nonces in the order of the places


class TableState(Answer, frozen=True, tag="state", tag_field="type"):
    """The table as a seat sees it: everything, every time, so that nothing can get out of step."""

    table: str  # its id, the one in the path
    version: int  # one more with each change; a decision names it
    status: Status  # waiting until everybody has joined
    place: int | None  # yours; None: a spectator
    seat: int | None  # yours in the game; None before it begins, and for spectators
    places: tuple[PlaceInfo, ...]  # by place
    seating: tuple[int, ...]  # the place of each seat, in the order of play; empty before the game
    promise: str  # SHA-256 of the table's secret; empty at a practice table
    can_undo: bool  # would `undo` take something back?
    events: tuple[Event, ...]  # since the last state on this socket; in the first: see `hello`
    first_event: int  # the number of the first of them, counted from 0
    view: ViewData | None  # all you may know of the game; None before it begins
    notes: tuple[NoteInfo, ...] = ()  # all of them, the oldest first
    turns: TurnsInfo | None = None  # whose turns follow; None in solo and when there is no game on
    standing: tuple[RankInfo, ...] = ()  # when the game is over, the best first
    verdict: VerdictInfo | None = None  # when it is over; None if only one player stayed
    fairness: FairnessInfo | None = None  # when the game is over
    rematch: str | None = None  # the table where you meet again; your token is good there too
    practice: bool = False  # the game began from a given position
    reply: str | None = None  # the id that this answers


class Refused(Answer, frozen=True, tag="refused", tag_field="type"):
    """Something was not done; `code` says why. A fresh state follows where it helps."""

    code: str  # one of the error codes
    text: str  # the same in English, for people
    clause: str | None = None  # the clause of the rules that forbids it
    cause: str | None = None  # which of its causes, such as `A1.incomplete`
    reply: str | None = None  # the id that this answers; none if no message could be read


class Reason(Answer, frozen=True, tag="reason", tag_field="type"):
    """The answer to `why`; without a clause the move is allowed."""

    reply: str  # the id that this answers
    move: str  # the move asked about
    clause: str | None = None  # the clause of the rules that forbids it
    cause: str | None = None  # which of its causes, such as `A1.incomplete`
    text: str | None = None  # why, in English


class Presence(Answer, frozen=True, tag="presence", tag_field="type"):
    """Who is connected, by place. Comes when somebody arrives or leaves; no version changes."""

    connected: tuple[bool, ...]  # by place
    watching: int  # spectators


class Pong(Answer, frozen=True, tag="pong", tag_field="type"):
    """Yes."""


ToClient = TableState | Refused | Reason | Presence | Pong


# ---------------------------------------------------------------- REST


class NewPlace(Strict, frozen=True):
    """A place of a new table: `person` gets a token, `bot` a bot, `open` is for who comes first."""

    kind: PlaceKind  # who is to sit there
    name: Name = ""  # no comma, no #; a person may choose another when joining
    bot: BotName | None = None  # the name of the bot; needed for kind `bot` only


class NewPractice(Strict, frozen=True):
    """A position to play on from, for one person with bots or alone."""

    position: Annotated[str, Meta(min_length=1, max_length=4000)]  # in the notation
    # what is drawn first, as a record writes it: K, <R, YG, noK/8
    draws: Annotated[tuple[Annotated[str, Meta(max_length=40)], ...], Meta(max_length=512)] = ()


class NewTable(Strict, frozen=True):
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


class TableOpened(Answer, frozen=True):
    """The new table and its tokens. Whoever holds a token is that seat: keep them apart."""

    table: str  # its id
    promise: str  # SHA-256 of the table's secret; keep it to check the game. Empty: practice
    owner: str  # the token of who opened it
    watch: str  # the token for spectators
    invite: str | None  # the token for the open places; None: there are none
    seats: tuple[str | None, ...]  # the tokens by place; None: a bot or an open place


class JoinTable(Strict, frozen=True):
    """Take an open place with the table's invitation."""

    invite: Token  # the invitation


class SeatTaken(Answer, frozen=True):
    """The place you got. Next, open a socket with its token and join."""

    table: str  # its id
    place: int  # yours, counted from 0
    token: str  # of your seat


class MyTables(Strict, frozen=True):
    """The tokens that a browser holds."""

    tokens: Annotated[tuple[Token, ...], Meta(max_length=50)]  # of any roles; others do no harm


class TableSummary(Answer, frozen=True):
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


class TableList(Answer, frozen=True):
    """The tables found, the newest first. A token opens several where there was a rematch."""

    tables: tuple[TableSummary, ...]  # one for each table and token


class HandOverSeat(Strict, frozen=True):
    """The owner lets a bot play for a seat that has been away for a while."""

    place: PlaceNumber  # whose
    bot: BotName = "greedy"  # its name


class RematchOpened(Answer, frozen=True):
    """The new table; the tokens of seats and spectators are those of the old one."""

    table: str  # its id


class WhyMove(Strict, frozen=True):
    """A move to be explained."""

    move: MoveText  # in the notation


class MoveReason(Answer, frozen=True):
    """Without a clause the move is allowed."""

    move: str  # the move asked about
    clause: str | None = None  # the clause of the rules that forbids it
    cause: str | None = None  # which of its causes, such as `A1.incomplete`
    text: str | None = None  # why, in English


class ReplayRequest(Strict, frozen=True):
    """A record, the step to show (0 is the setup), and the seat to see it from (none: all open)."""

    record: str  # the text of a .coatl file
    step: Annotated[int, Meta(ge=0, le=100_000)] = 0  # after so many decisions
    seat: Annotated[int, Meta(ge=0, le=3)] | None = None  # None: the views of all seats


class ReplayStep(Answer, frozen=True):
    """A position of a record, and what led to it."""

    step: int  # the one asked for
    steps: int  # how many there are, the setup included: the last is one less
    move: Move | None  # the decision that led here; None at the setup, and for an `undo`
    seats: tuple[str, ...]  # who sat where; empty if the record does not tell
    views: tuple[ViewData, ...]  # one; all open: one of each seat
    events: tuple[Event, ...]  # of the decision, as that seat saw it; all open: as a spectator
    over: bool  # is the game over here?


class ReplayRange(Strict, frozen=True):
    """A record, and which of its steps to show: as `ReplayRequest`, several at once."""

    record: str  # the text of a .coatl file
    first: Annotated[int, Meta(ge=0, le=100_000)] = 0  # the first step; 0 is the setup
    count: Annotated[int, Meta(ge=1, le=64)] = 16  # how many; fewer come where the record ends
    seat: Annotated[int, Meta(ge=0, le=3)] | None = None  # None: the views of all seats


class ReplaySteps(Answer, frozen=True):
    """Positions of a record, in a row."""

    steps: tuple[ReplayStep, ...]  # from the first one asked for


class ReplayRecord(Strict, frozen=True):
    """A record to be looked over."""

    record: str  # the text of a .coatl file


class ReplayMove(Answer, frozen=True):
    """A decision of a record: the one that leads to the step with its number, counted from 1."""

    move: Move | None  # the decision; None for an `undo`
    seat: int  # who decided
    turn: int  # in which turn; 0 is the setup
    kind: StepKind  # what it was for; complete: a Cóatl was completed by it
    points: tuple[int, ...]  # of each seat after it, from complete Cóatl; in solo A.D.A.M.'s too
    events: tuple[Event, ...]  # what happened, with all cards open


class ReplayOverview(Answer, frozen=True):
    """The course of a recorded game, with all cards open."""

    players: int  # 1: solo
    seats: tuple[str, ...]  # who sat where; empty if the record does not tell
    levels: tuple[int, ...] | None  # A.D.A.M.'s; None: not solo
    moves: tuple[ReplayMove, ...]  # every decision, also those taken back
    over: bool  # did the game come to its end?
    winners: tuple[int, ...] = ()  # seats; in solo 1 is A.D.A.M.


class ProphecyInfo(Answer, frozen=True):
    """A Prophecy card."""

    name: str  # as in the notation
    pattern: str  # what it asks for, as in a deck file
    colour: str  # of the card: red, black, blue, yellow or green
    copies: int  # how many there are in the deck
    promo: bool  # of the promo pack
    levels: dict[str, int]  # times met -> points
    sentence: str  # what it asks for, in English


class TempleInfo(Answer, frozen=True):
    """A Temple card."""

    name: str  # as in the notation
    requirements: tuple[str, ...]  # as in a deck file
    levels: tuple[int, ...]  # points for one requirement met, for two
    copies: int  # how many there are in the deck
    promo: bool  # of the promo pack
    sentence: str  # what it asks for, in English


class RuleNumbers(Answer, frozen=True):
    """How many places there are to be drawn, and what games there are."""

    coatls: int  # that a player may have (A1)
    board: int  # spaces of a player's board (C5)
    cards: int  # Prophecy cards on one Cóatl (A6)
    players: tuple[int, ...]  # how many may play together; 1 is the solo game
    tokens: tuple[int, ...]  # how many may play with Sacrifice tokens (S6, D1)
    fewer_bodies: tuple[int, ...]  # how many may play with fewer body segments (R22)
    levels: tuple[int, ...]  # of the solo game (D10)


class CardList(Answer, frozen=True):
    """Every printed card, those of the promo pack too, and the numbers of the rules."""

    prophecies: tuple[ProphecyInfo, ...]  # the Prophecy cards
    temples: tuple[TempleInfo, ...]  # the Temple cards
    numbers: RuleNumbers  # of the rules
    digest: str  # a hash of all of them


class BotInfo(Answer, frozen=True):
    """A bot, described for people. Titles and sentences are by language: en, fr, de."""

    name: str  # as in a request
    kind: BotKind  # an opponent for people, or one to measure others by
    title: dict[str, str]  # what it is called
    text: dict[str, str]  # one sentence
    strength: int | None  # a rating, 1000 being greedy's; null if it was not measured
    stand_in: bool  # what it learnt cannot be read, so planner plays in its place


class BotList(Answer, frozen=True):
    """The bots that may play at a table."""

    bots: tuple[str, ...]  # by name
    described: tuple[BotInfo, ...]  # the same, in the same order
    default: str  # for somebody who has not chosen


class Health(Answer, frozen=True):
    """How the server is."""

    status: Literal["ok", "closing"]  # closing: it is about to stop
    version: str  # of the program
    protocol: int  # of this protocol; it changes when clients have to
    tables: int  # in memory
    connections: int  # open sockets


class Problem(Answer, frozen=True):
    """What a request that failed is answered with."""

    code: str  # one of the error codes
    text: str  # the same in English, for people
    clause: str | None = None  # the clause of the rules that forbids it
    cause: str | None = None  # which of its causes, such as `A1.incomplete`
    line: int | None = None  # of a record: the first that does not hold


# ---------------------------------------------------------------- error codes


class ServerCode(StrEnum):
    """Codes besides those of the table (`coatl.table.errors.Code`)."""

    BAD_JSON = "bad_json"
    BAD_MESSAGE = "bad_message"
    HELLO_FIRST = "hello_first"
    WRONG_PROTOCOL = "wrong_protocol"
    BAD_TOKEN = "bad_token"
    FORBIDDEN = "forbidden"
    UNKNOWN_TABLE = "unknown_table"
    NOT_FOUND = "not_found"
    METHOD_NOT_ALLOWED = "method_not_allowed"
    TOO_LARGE = "too_large"
    TOO_FAST = "too_fast"
    TOO_SLOW = "too_slow"
    TOO_MANY_CONNECTIONS = "too_many_connections"
    WRONG_ORIGIN = "wrong_origin"
    BAD_RECORD = "bad_record"
    STORAGE = "storage"
    SHUTTING_DOWN = "shutting_down"
    INTERNAL = "internal"


SERVER_MEANINGS = {
    ServerCode.BAD_JSON: "this is not JSON",
    ServerCode.BAD_MESSAGE: "not a message of this protocol: unknown type, field or wrong value",
    ServerCode.HELLO_FIRST: "the first message is hello, and it comes once",
    ServerCode.WRONG_PROTOCOL: "another protocol than the server's; reload, or update the client",
    ServerCode.BAD_TOKEN: "no seat, spectator or owner of this table has that token",
    ServerCode.FORBIDDEN: "this token may not do that",
    ServerCode.UNKNOWN_TABLE: "there is no such table",
    ServerCode.NOT_FOUND: "there is no such page",
    ServerCode.METHOD_NOT_ALLOWED: "not with this method",
    ServerCode.TOO_LARGE: "the message is too long",
    ServerCode.TOO_FAST: "too much at once; wait a little",
    ServerCode.TOO_SLOW: "the request took too long to arrive",
    ServerCode.TOO_MANY_CONNECTIONS: "too many connections",
    ServerCode.WRONG_ORIGIN: "requests from pages of other sites are refused",
    ServerCode.BAD_RECORD: "the record cannot be replayed",
    ServerCode.STORAGE: "it could not be stored, so it was not done; try again",
    ServerCode.SHUTTING_DOWN: "the server is about to stop; try again in a moment",
    ServerCode.INTERNAL: "something went wrong here",
}

assert set(SERVER_MEANINGS) == set(ServerCode)

ErrorCode = ServerCode | Code
CODE_MEANINGS: dict[ErrorCode, str] = dict((*SERVER_MEANINGS.items(), *MEANINGS.items()))


class RequestError(ValueError):
    """A request or message that the server refuses."""

    def __init__(
        self,
        code: ServerCode,
        text: str | None = None,
        line: int | None = None,
        wait: float | None = None,
    ) -> None:
        self.code = code
        self.line = line
        self.wait = wait  # seconds until it may be tried again
        self.text = text if text is not None else SERVER_MEANINGS[code]
        super().__init__(f"{code.value}: {self.text}")
