"""The puzzle of the day: by the date in UTC, the same for everybody."""

from __future__ import annotations

from datetime import UTC, date, datetime

FIRST_DAY = date(1970, 1, 1)


def number_of_day(day: date, count: int) -> int:
    """The number of the puzzle, from 1: one after another, and after the last the first."""
    return (day - FIRST_DAY).days % count + 1


def today() -> date:
    return datetime.now(UTC).date()
