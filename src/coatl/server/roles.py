"""What a token opens."""

from __future__ import annotations

from enum import StrEnum


class Role(StrEnum):
    """Of whoever holds a token. The values stand in the database and in messages."""

    SEAT = "seat"
    OWNER = "owner"
    WATCH = "watch"
    INVITE = "invite"
