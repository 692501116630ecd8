"""Players for bots' decisions: borrowed for one decision, so that idle tables keep none.

A player that searches needs tens of megabytes for its tree. There are about as many of them as
threads that think, however many tables there are, and none when no bot has played for a while.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from coatl.players.base import Player
from coatl.players.registry import make_player

MOST_IDLE = 4  # players of a name that are kept for the next decision


@dataclass(frozen=True)
class _Idle:
    table: str  # the last one it played at
    player: Player
    since: float = field(default_factory=time.monotonic)


class PlayerPool:
    """Used by the threads of bots."""

    def __init__(self, make: Callable[[str], Player] = make_player) -> None:
        self._make = make
        self._lock = threading.Lock()
        self._idle: dict[str, list[_Idle]] = {}  # by name, the longest unused first
        self._busy: list[Player] = []

    @contextmanager
    def borrow(self, name: str, table: str) -> Iterator[Player]:
        """A player that nobody else uses meanwhile; if possible the one the table had last.

        That one still has the tree of the turn. One that raises is not used again.
        """
        player = self._take(name, table)
        with self._lock:
            self._busy.append(player)
        try:
            yield player
            self._give_back(name, table, player)
        finally:
            with self._lock:
                self._busy = [busy for busy in self._busy if busy is not player]

    def _take(self, name: str, table: str) -> Player:
        with self._lock:
            idle = self._idle.get(name, [])
            for number, found in enumerate(idle):
                if found.table == table:
                    return idle.pop(number).player
            if len(idle) >= MOST_IDLE:  # the one that was not used for longest
                return idle.pop(0).player
        return self._make(name)

    def _give_back(self, name: str, table: str, player: Player) -> None:
        with self._lock:
            idle = self._idle.setdefault(name, [])
            idle.append(_Idle(table, player))
            del idle[:-MOST_IDLE]

    def drop_unused(self, seconds: float) -> int:
        """Drop the players that nobody has borrowed for so long; returns how many those were."""
        oldest = time.monotonic() - seconds
        before = self.count
        with self._lock:
            self._idle = {
                name: kept
                for name, idle in self._idle.items()
                if (kept := [found for found in idle if found.since >= oldest])
            }
        return before - self.count

    def stop(self) -> None:
        """Ask those that think to answer at once, as far as they can be asked."""
        with self._lock:
            busy: list[Any] = list(self._busy)
        for player in busy:
            stop = getattr(player, "stop", None)
            if stop is not None:
                stop()

    @property
    def count(self) -> int:
        """The players that there are."""
        with self._lock:
            return len(self._busy) + sum(map(len, self._idle.values()))
