"""How far a table is, and the notes about what happened there outside the game."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Status(StrEnum):
    """How far a table is. The values stand in messages."""

    WAITING = "waiting"  # until everybody has joined
    PLAYING = "playing"
    OVER = "over"


class NoteKind(StrEnum):
    """What a note tells. The values stand in messages."""

    HAND = "hand"  # a bot took over
    BACK = "back"  # the person came back
    GIVE_UP = "give_up"
    BOT_FAILED = "bot_failed"
    HINT = "hint"  # the person was given one


@dataclass(frozen=True)
class Note:
    """Something that happened at the table, outside the game."""

    version: int
    kind: NoteKind
    place: int
    text: str
    events: int  # of the game, by then
