"""A clock for tests: where the day is another one than in UTC."""

from __future__ import annotations

from datetime import UTC, datetime, tzinfo
from typing import Self


class InAuckland(datetime):
    """A clock that shows the next day already, unless it is asked for UTC."""

    @classmethod
    def now(cls, tz: tzinfo | None = None) -> Self:
        moment = cls(2026, 11, 18, 20, tzinfo=UTC)
        return moment.astimezone(tz) if tz else cls(2026, 11, 19, 9)
