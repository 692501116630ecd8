"""Players for bots' decisions: borrowed for one decision, so that idle tables keep none.

A player that searches needs tens of megabytes for its tree. There are about as many of them as
threads that think, however many tables there are.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from coatl.players.base import Player
from coatl.players.registry import make_player

MOST_IDLE = 4  # players of a name that are kept for the next decision


class PlayerPool:
    """Used by the threads of bots."""

    def __init__(self, make: Callable[[str], Player] = make_player) -> None:
        self._make = make
        self._lock = threading.Lock()
        self._idle: dict[str, list[tuple[str, Player]]] = {}  # by name: the last table, the player
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
            for number, (last, player) in enumerate(idle):
                if last == table:
                    del idle[number]
                    return player
            if len(idle) >= MOST_IDLE:  # the one that was not used for longest
                return idle.pop(0)[1]
        return self._make(name)

    def _give_back(self, name: str, table: str, player: Player) -> None:
        with self._lock:
            idle = self._idle.setdefault(name, [])
            idle.append((table, player))
            del idle[:-MOST_IDLE]

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
