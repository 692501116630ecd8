"""What a client's socket may send."""

from __future__ import annotations

from coatl.server.protocol.fields import (
    BotName,
    ClientMessage,
    Id,
    MoveText,
    Name,
    Nonce,
    ProtocolNumber,
    Token,
    Version,
)


class Hello(ClientMessage, frozen=True, tag="hello", tag_field="type"):
    """The first message: the token of a seat or a spectator, and the version known so far.

    A client of another protocol is refused with `wrong_protocol`, whatever else its hello says.
    """

    token: Token  # of a seat or for spectators; the owner's and the invitation open no socket
    version: Version = 0  # the last one you saw; `ahead` comes first if the server has not got it
    events: Version = 0  # how many you have; the first state brings those after them
    protocol: ProtocolNumber = 1  # the one you speak; any other than the server's is refused
    # the version on your screen: a bot that plays for you waits for it; None: it need not wait
    shown: Version | None = None


class Join(ClientMessage, frozen=True, tag="join", tag_field="type"):
    """Sit down with a nonce for the game's chance, and a name if you like.

    When everybody has, the game begins. A seat joins once: another id is refused as `taken`.
    """

    id: Id  # of your choice; the answer repeats it
    nonce: Nonce  # 32 random bytes of your own; keep it to check the game afterwards
    name: Name | None = None  # None: the one the place was opened with, else `Player 1`


class Decide(ClientMessage, frozen=True, tag="decide", tag_field="type"):
    """Play a move at the version you see. A repeated `id` is answered again, not played again."""

    id: Id  # a new one for each decision; the same again if the answer got lost
    version: Version  # of the state you decided by; any other than the table's is refused
    move: MoveText  # in the notation: one of the view's `moves`


class Undo(ClientMessage, frozen=True, tag="undo", tag_field="type"):
    """Take back your last step, as far as the last secret revealed."""

    id: Id  # as in `decide`
    version: Version  # as in `decide`


class AskWhy(ClientMessage, frozen=True, tag="why", tag_field="type"):
    """Why is a move not allowed? Can be asked by the seat whose turn it is."""

    id: Id  # of your choice; the answer repeats it
    move: MoveText  # any move in the notation


class AskClosings(ClientMessage, frozen=True, tag="closings", tag_field="type"):
    """For how many points could each of your Cóatl be closed now? Can be asked at any time."""

    id: Id  # of your choice; the answer repeats it


class HandOver(ClientMessage, frozen=True, tag="hand_over", tag_field="type"):
    """Let a bot play for you."""

    id: Id  # as in `decide`
    bot: BotName = "greedy"  # its name; where hints are off, none stronger than greedy


class TakeBack(ClientMessage, frozen=True, tag="take_back", tag_field="type"):
    """Play on yourself. Where hints are off, a bot first ends the turn that it has begun."""

    id: Id  # as in `decide`


class GiveUp(ClientMessage, frozen=True, tag="give_up", tag_field="type"):
    """Leave for good: a bot plays on, and you rank last."""

    id: Id  # as in `decide`


class Shown(ClientMessage, frozen=True, tag="shown", tag_field="type"):
    """Your screen shows this version now. A bot that plays for you waits for it.

    There is no answer.
    """

    version: Version  # of the state that is shown, with all that led to it


class Ping(ClientMessage, frozen=True, tag="ping", tag_field="type"):
    """Are you there? Browsers cannot send the pings of WebSocket itself."""

    id: Id | None = None  # of your choice; the answer repeats it


SeatMessage = Join | Decide | Undo | HandOver | TakeBack | GiveUp  # what changes the table
FromClient = (
    Hello
    | Join
    | Decide
    | Undo
    | AskWhy
    | AskClosings
    | HandOver
    | TakeBack
    | GiveUp
    | Shown
    | Ping
)
