"""Lets bots play at the tables where it is their turn."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress

from coatl.server.bots import BotError, BotPool
from coatl.server.compiling import Compiling
from coatl.server.protocol import RequestError
from coatl.server.room import Change, Room
from coatl.server.store import ConflictError
from coatl.table import SUBSTITUTE_BOT, TableError

logger = logging.getLogger("coatl.server.bot_runner")

RETRY_SECONDS = 1.0  # after a move that could not be stored
ELSEWHERE_SECONDS = 1.0  # between two looks whether another process lets the bots think
SCREEN_SECONDS = 10.0  # to wait for a person's screen, where other people wait for the bot


class BotRunner:
    """At most one task for each room. `change` stores and publishes, with the room's lock held."""

    def __init__(
        self,
        pool: BotPool,
        compiling: Compiling,
        change: Callable[[Room, Change], Awaitable[None]],
        may_think: Callable[[Room], Awaitable[bool]],
    ) -> None:
        self._pool = pool
        self._compiling = compiling
        self._change = change
        self._may_think = may_think
        self._closing = False

    def close(self) -> None:
        """Start nothing new."""
        self._closing = True

    def wake(self, room: Room) -> None:
        """Let bots play in a room if it is their turn, and somebody waits for it."""
        if self._closing or room.table.bot_to_move is None or not room.is_awaited:
            return
        if room.bot_task is None or room.bot_task.done():
            room.bot_task = asyncio.create_task(self._run(room))

    async def _run(self, room: Room) -> None:
        with suppress(asyncio.CancelledError):
            while not self._closing and not room.is_dead and not room.is_stuck:
                if room.table.bot_to_move is None or not room.is_awaited:
                    return
                if not await self._may_think(room):
                    await asyncio.sleep(ELSEWHERE_SECONDS)
                    continue
                await self._compiling.wait_for(room.table.bot_to_move)
                place, version = room.table.to_move, room.table.version
                bot = room.table.bot_to_move
                if place is None or bot is None:
                    return
                view = room.table.view(place)
                assert view is not None
                try:
                    move = await self._pool.choose(bot, view, room.id, room.address)
                    await _wait_for_screen(room, place, version)
                    await self._play(room, place, version, move)
                except BotError as failure:
                    await self._replace(room, place, version, str(failure))
                except ConflictError:  # another process was first, and all is different now
                    continue
                except RequestError:  # not stored; perhaps there is space on the disk later
                    await asyncio.sleep(RETRY_SECONDS)

    async def _play(self, room: Room, place: int, version: int, move: str) -> None:
        async with room.lock:
            if room.table.version != version:
                return  # somebody took the seat back meanwhile, or the like
            try:
                await self._change(room, lambda table: table.bot_decides(place, move))
            except TableError as error:
                self._pool.figures.failures += 1
                reason = f"played {move[:40]!r}: {error.text}"
                await self._change(room, lambda table: table.bot_failed(place, reason))

    async def _replace(self, room: Room, place: int, version: int, reason: str) -> None:
        """The substitute goes on for a bot that failed."""
        self._pool.figures.failures += 1
        async with room.lock:
            if room.table.places[place].bot == SUBSTITUTE_BOT:
                logger.error("the substitute failed", extra={"fields": {"reason": reason}})
                room.is_stuck = True  # until the server is mended: no entry without end
            elif room.table.version == version:  # else somebody took the seat back meanwhile
                logger.warning("bot failed", extra={"fields": {"table": room.id, "reason": reason}})
                await self._change(room, lambda table: table.bot_failed(place, reason[:200]))


async def _wait_for_screen(room: Room, place: int, version: int) -> None:
    """A bot that plays for a person waits until their screen shows the table as it is.

    So they can take over at what they see. A bot that plays for nobody does not wait.
    """
    if not room.table.places[place].has_stand_in:
        return
    limit = SCREEN_SECONDS if room.table.has_other_people(place) else None
    with suppress(TimeoutError):
        async with asyncio.timeout(limit):
            while room.table.version == version and not room.is_shown(place):
                room.news.clear()
                await room.news.wait()
