"""What a table refuses, by code."""

from __future__ import annotations

from enum import StrEnum


class Code(StrEnum):
    """Why something was refused. The value is what clients are told."""

    ILLEGAL = "illegal"
    UNREADABLE = "unreadable"
    NOT_YOUR_TURN = "not_your_turn"
    STALE = "stale"
    AHEAD = "ahead"
    NOT_STARTED = "not_started"
    STARTED = "started"
    OVER = "over"
    NOTHING_TO_UNDO = "nothing_to_undo"
    TOO_OFTEN = "too_often"
    TAKEN = "taken"
    BAD_NONCE = "bad_nonce"
    BAD_NAME = "bad_name"
    BAD_OPTIONS = "bad_options"
    BAD_POSITION = "bad_position"
    UNKNOWN_BOT = "unknown_bot"
    BOT_PLAYS = "bot_plays"
    NO_BOT = "no_bot"
    BOT_TOO_STRONG = "bot_too_strong"
    GAVE_UP = "gave_up"
    NOT_AWAY = "not_away"
    NOT_OVER = "not_over"
    NO_PERSON = "no_person"
    HINTS_OFF = "hints_off"


MEANINGS = {
    Code.ILLEGAL: "the rules forbid the move; `clause` says which one",
    Code.UNREADABLE: "the move cannot be read",
    Code.NOT_YOUR_TURN: "another seat is to move",
    Code.STALE: "the decision was made at an older version; look again",
    Code.AHEAD: "the client knows a later version than the server has; its copy is from a lost "
    "future",
    Code.NOT_STARTED: "the game has not begun: a seat is open, or a nonce is missing",
    Code.STARTED: "the game has begun",
    Code.OVER: "the game is over",
    Code.NOTHING_TO_UNDO: "nothing of this turn can be taken back",
    Code.TOO_OFTEN: "that was done too often at this table",
    Code.TAKEN: "somebody sits there already",
    Code.BAD_NONCE: "a nonce has 64 hexadecimal digits",
    Code.BAD_NAME: "a name has 1 to 40 characters, none of them invisible, no comma and no #",
    Code.BAD_OPTIONS: "the options of the game do not go together",
    Code.BAD_POSITION: "the position, or a draw given with it, cannot be",
    Code.UNKNOWN_BOT: "there is no such bot",
    Code.BOT_PLAYS: "a bot plays this seat; take it back first",
    Code.NO_BOT: "no bot plays this seat",
    Code.BOT_TOO_STRONG: "where hints are off, no bot stronger than greedy plays for a person",
    Code.GAVE_UP: "this seat has given up",
    Code.NOT_AWAY: "only the seat itself may do that while it is there",
    Code.NOT_OVER: "the game is not over",
    Code.NO_PERSON: "nobody belongs to this seat",
    Code.HINTS_OFF: "hints were not agreed on when this table was opened",
}

assert set(MEANINGS) == set(Code)


class TableError(ValueError):
    """Something a table refuses: a code, a sentence, and the clause and cause that forbid it."""

    def __init__(
        self,
        code: Code,
        text: str | None = None,
        clause: str | None = None,
        cause: str | None = None,
    ) -> None:
        self.code = code
        self.text = text if text is not None else MEANINGS[code]
        self.clause = clause
        self.cause = cause
        super().__init__(f"{code.value}: {self.text}")
