"""Where the focus goes when an arrow key is pressed: to the nearest thing on that side."""

from __future__ import annotations

from collections.abc import Iterable

from textual.geometry import Region
from textual.widget import Widget

SIDEWAYS = 4  # a line away counts as much as so many columns


def neighbour(here: Region, others: Iterable[Widget], direction: str) -> Widget | None:
    """The widget that an arrow key leads to; None if there is none on that side."""
    best, least = None, None
    for widget in others:
        distance = _distance(here, widget.region, direction)
        if distance is not None and (least is None or distance < least):
            best, least = widget, distance
    return best


def _distance(here: Region, there: Region, direction: str) -> float | None:
    """How far a place is in a direction; None if it is not there at all."""
    across = (there.x + there.right - here.x - here.right) / 2
    down = (there.y + there.bottom - here.y - here.bottom) / 2
    if direction in ("left", "right"):
        ahead = across if direction == "right" else -across
        beside = max(there.y - here.bottom + 1, here.y - there.bottom + 1, 0)
        return ahead + 100 * beside if ahead > 0 and beside == 0 else None
    ahead = down if direction == "down" else -down
    is_beyond = there.y >= here.bottom if direction == "down" else there.bottom <= here.y
    return ahead * SIDEWAYS * 2 + abs(across) if is_beyond else None
