"""What a client's socket gets besides the state of its table."""

from __future__ import annotations

from coatl.server.protocol.fields import ServerMessage
from coatl.server.protocol.state import TableState


class Refused(ServerMessage, frozen=True, tag="refused", tag_field="type"):
    """Something was not done; `code` says why. A fresh state follows where it helps."""

    code: str  # one of the error codes
    text: str  # the same in English, for people
    clause: str | None = None  # the clause of the rules that forbids it
    cause: str | None = None  # which of its causes, such as `A1.incomplete`
    reply: str | None = None  # the id that this answers; none if no message could be read


class ReasonMessage(ServerMessage, frozen=True, tag="reason", tag_field="type"):
    """The answer to `why`; without a clause the move is allowed."""

    reply: str  # the id that this answers
    move: str  # the move asked about
    clause: str | None = None  # the clause of the rules that forbids it
    cause: str | None = None  # which of its causes, such as `A1.incomplete`
    text: str | None = None  # why, in English


class ClosingsFound(ServerMessage, frozen=True, tag="closings_found", tag_field="type"):
    """The answer to `closings`: exact, unlike `closing` in a view."""

    reply: str  # the id that this answers
    version: int  # the table's, for which it holds
    # by Cóatl that you have begun: the most points in one action, draws excluded; null: it is
    # complete or cannot be closed. Instead of all of them null: ask later, the server has just
    # started
    values: tuple[int | None, ...] | None


class Presence(ServerMessage, frozen=True, tag="presence", tag_field="type"):
    """Who is connected, by place. Comes when somebody arrives or leaves; no version changes."""

    connected: tuple[bool, ...]  # by place
    watching: int  # spectators


class Pong(ServerMessage, frozen=True, tag="pong", tag_field="type"):
    """The answer to `ping`."""

    reply: str | None = None  # the id that this answers, if it had one


ToClient = TableState | Refused | ReasonMessage | ClosingsFound | Presence | Pong
