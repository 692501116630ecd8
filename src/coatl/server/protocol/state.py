"""The state of a table as a socket gets it after each change, and its parts."""

from __future__ import annotations

from coatl.events import Event
from coatl.rules.scoring import DecidedBy
from coatl.server.protocol.fields import ServerMessage
from coatl.table import NoteKind, PlaceKind, Status
from coatl.view import ViewData


class PlaceInfo(ServerMessage, frozen=True):
    """Who sits at a place."""

    kind: PlaceKind  # person, bot, or open until somebody has joined there
    name: str  # empty where nobody has joined yet, and for bots that got none
    ready: bool  # has joined with a nonce, or is a bot
    connected: bool  # has an open socket; a bot never has
    bot: str | None = None  # the bot that plays there now, for a person too
    gave_up: bool = False  # has left for good
    taken: bool = False  # while waiting: somebody took this open place; the owner may free it
    returns: bool = False  # the person has taken back, and plays when the bot's turn is over


class NoteInfo(ServerMessage, frozen=True):
    """Something that happened at the table, outside the game."""

    version: int  # the table's version after it
    kind: NoteKind  # a bot took over, the person came back, gave up, had a hint; the bot failed
    place: int  # where
    text: str = ""  # of hand: `owner` if the owner did it; of bot_failed: what went wrong
    events: int = 0  # how many events of the game there were by then: where a log has the note


class RankInfo(ServerMessage, frozen=True):
    """Where a place stands at the end; in solo the place after the last is A.D.A.M."""

    rank: int  # 1 won; equal ranks share
    place: int  # who
    points: int  # of complete Cóatl; A.D.A.M.: of his pile
    cards: int  # on complete Cóatl, or in A.D.A.M.'s pile: the first tie-break
    best_coatl: int  # points of the best Cóatl: the second tie-break
    gave_up: bool = False  # left for good, so comes after all who stayed


class VerdictInfo(ServerMessage, frozen=True):
    """How the first place was decided between those who stayed (F2, D9)."""

    by: DecidedBy  # by points, by a tie-break, or not at all; adam: a tie in points, which he wins
    between: tuple[int, ...]  # the places that were level until then, the winner's among them


class TurnsInfo(ServerMessage, frozen=True):
    """The turns before and after this one, by seat."""

    to_come: tuple[int, ...]  # the next seat; once the end is triggered, all turns that are left
    had: tuple[int, ...] = ()  # who has had the last turn since a third Cóatl was completed (E2)


class FairnessInfo(ServerMessage, frozen=True):
    """Where the game's chance came from, told when it is over."""

    secret: str  # the table's; its SHA-256 is the promise
    nonces: dict[str, str]  # by place; bots have none
    seed: str  # SHA-256 of the secret and the nonces in the order of the places


class TableState(ServerMessage, frozen=True, tag="state", tag_field="type"):
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
    hints: bool = False  # people may ask for hints here: one alone always, several if they agreed
    reply: str | None = None  # the id that this answers
