"""What goes wrong: the codes, what they mean, and how a request that failed is answered."""

from __future__ import annotations

from enum import StrEnum

from coatl.server import refusals
from coatl.server.protocol.fields import ServerMessage
from coatl.server.startup import MEANINGS as STARTUP_MEANINGS
from coatl.server.startup import START_FAILED, STARTING
from coatl.table.errors import MEANINGS, Code


class ProblemMessage(ServerMessage, frozen=True):
    """What a request that failed is answered with."""

    code: str  # one of the error codes
    text: str  # the same in English, for people
    clause: str | None = None  # the clause of the rules that forbids it
    cause: str | None = None  # which of its causes, such as `A1.incomplete`
    line: int | None = None  # of a record: the first that does not hold


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
    BAD_REQUEST = refusals.BAD_REQUEST
    TOO_LARGE = refusals.TOO_LARGE
    TOO_FAST = refusals.TOO_FAST
    TOO_SLOW = refusals.TOO_SLOW
    TOO_MANY_CONNECTIONS = refusals.TOO_MANY_CONNECTIONS
    WRONG_HOST = refusals.WRONG_HOST
    TOO_MANY_BOTS = "too_many_bots"
    WRONG_ORIGIN = "wrong_origin"
    BAD_RECORD = "bad_record"
    BAD_PATH = "bad_path"
    NO_WEIGHTS = "no_weights"
    NOT_ANALYSABLE = "not_analysable"
    ONE_ANALYSIS = "one_analysis"
    TOO_MANY_ANALYSES = "too_many_analyses"
    STORAGE = "storage"
    DAMAGED = "damaged"
    STARTING = STARTING
    START_FAILED = START_FAILED
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
    **{ServerCode(code): meaning for code, meaning in refusals.MEANINGS.items()},
    ServerCode.TOO_MANY_BOTS: "too many bots play from this address, or on this server",
    ServerCode.WRONG_ORIGIN: "requests from pages of other sites are refused",
    ServerCode.BAD_RECORD: "the record cannot be replayed",
    ServerCode.BAD_PATH: "the lesson cannot be followed along this path",
    ServerCode.NO_WEIGHTS: "the server has no network to find hints or analyse with",
    ServerCode.NOT_ANALYSABLE: "this game cannot be analysed",
    ServerCode.ONE_ANALYSIS: "you have one analysis at a time; wait for the other, or cancel it",
    ServerCode.TOO_MANY_ANALYSES: "too many analyses wait here; try again in a few minutes",
    ServerCode.STORAGE: "it could not be stored, so it was not done; try again",
    ServerCode.DAMAGED: "the stored log of this table is damaged; other tables are not affected",
    ServerCode.STARTING: STARTUP_MEANINGS[STARTING],
    ServerCode.START_FAILED: STARTUP_MEANINGS[START_FAILED],
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
