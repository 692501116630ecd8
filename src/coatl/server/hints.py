"""Hints for people at tables: one thread looks for them, and lets everybody else go first."""

from __future__ import annotations

import secrets
import time
from typing import TYPE_CHECKING

from coatl.hints.hint import Hint
from coatl.net.weights import WeightsError
from coatl.server.protocol import RequestError, ServerCode
from coatl.server.room import Room
from coatl.server.work import WorkMonitor, WorkPool, unless
from coatl.table import TableError
from coatl.table.errors import Code

if TYPE_CHECKING:
    from coatl.hints import Adviser
    from coatl.view import View


class HintPool:
    """One adviser, which needs tens of megabytes: it is made when somebody asks, and dropped when
    nobody has asked for a while. An address has one hint at a time.
    """

    def __init__(self, most: int) -> None:
        self._work = WorkPool(threads=1, per_address=1, in_all=most)
        self._adviser: Adviser | None = None
        self._used = time.monotonic()

    async def find(self, room: Room, view: View, address: str) -> Hint:
        """A hint for a view of a room as it is now.

        Raises `RequestError` if that cannot be, and `TableError` if the table moves on meanwhile.
        Whoever is cancelled stops the search.
        """
        moving_on = _moves_on(room, room.table.version)
        finding = self._work.run(address, lambda monitor: self._think(view, monitor))
        return await unless(moving_on, TableError(Code.STALE), finding)

    def _think(self, view: View, monitor: WorkMonitor) -> Hint:
        """In the thread of hints."""
        adviser = self._adviser or _new_adviser()
        self._adviser, self._used = adviser, time.monotonic()
        monitor.interrupt_by(adviser.stop)
        hint = adviser.hint(view)
        monitor.interrupt_by(None)  # or who leaves now would stop the search of whoever is next
        monitor.check()
        return hint

    def drop_unused(self, seconds: float) -> int:
        """Drop the adviser if nobody has asked it for so long; returns how many that were."""
        if self._adviser is None or self._work.count or time.monotonic() - self._used < seconds:
            return 0
        self._adviser = None
        return 1

    def close(self) -> None:
        self._work.close()


def _new_adviser() -> Adviser:
    from coatl.hints import Adviser  # needs the network, which a server without hints does not
    from coatl.rules.chance import new_chance

    try:
        return Adviser(new_chance(secrets.token_hex(16)))
    except WeightsError:
        raise RequestError(ServerCode.NO_WEIGHTS) from None


async def _moves_on(room: Room, version: int) -> None:
    """Until the table has another version."""
    while room.table.version == version and not room.is_dead:
        room.news.clear()
        await room.news.wait()
