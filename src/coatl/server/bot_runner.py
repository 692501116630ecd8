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
ELSEWHERE_SECONDS = 0.5  # between two looks whether another process lets the bots think
SCREEN_SECONDS = 10.0  # to wait for a person's screen, where other people wait for the bot


class BotRunner:
    """At most one task for each room. `change` stores and publishes, with the room's lock held.

    Where several processes serve a table, its bots think at one of them: `may_think` asks for that,
    and `has_thought` lets another one go on.
    """

    def __init__(
        self,
        pool: BotPool,
        compiling: Compiling,
        change: Callable[[Room, Change], Awaitable[None]],
        may_think: Callable[[Room], Awaitable[bool]],
        has_thought: Callable[[Room], Awaitable[None]],
    ) -> None:
        self._pool = pool
        self._compiling = compiling
        self._change = change
        self._may_think, self._has_thought = may_think, has_thought
        self._closing = False

    def close(self) -> None:
        """Start nothing new."""
        self._closing = True

    def wake(self, room: Room) -> None:
        """Let bots play in a room if it is their turn, and somebody waits for it."""
        if self._is_needed(room) and (room.bot_task is None or room.bot_task.done()):
            room.bot_task = asyncio.create_task(self._run(room))

    def _is_needed(self, room: Room) -> bool:
        if self._closing or room.is_dead or room.is_stuck:
            return False
        return room.table.bot_to_move is not None and room.is_awaited

    async def _run(self, room: Room) -> None:
        with suppress(asyncio.CancelledError):
            while self._is_needed(room):  # again, if it was a bot's turn meanwhile
                await self._play_on(room)
                await self._has_thought(room)

    async def _play_on(self, room: Room) -> None:
        """As long as it is a bot's turn."""
        while self._is_needed(room):
            if not await self._may_think(room):
                await asyncio.sleep(ELSEWHERE_SECONDS)
                continue
            if (bot := room.table.bot_to_move) is not None:
                await self._compiling.wait_for(bot)
            place, version = room.table.to_move, room.table.version
            if place is None or bot is None or room.table.bot_to_move != bot:
                continue
            try:
                await self._move(room, bot, place, version)
            except ConflictError:  # another process was first, and all is different now
                continue
            except RequestError:  # not stored; perhaps there is space on the disk later
                await asyncio.sleep(RETRY_SECONDS)

    async def _move(self, room: Room, bot: str, place: int, version: int) -> None:
        """Let a bot think and play, or replace it if it cannot."""
        view = room.table.view(place)
        assert view is not None
        try:
            move = await self._pool.choose(bot, view, room.id, room.address)
            await _wait_for_screen(room, place, version)
            await self._play(room, place, version, move)
        except BotError as failure:
            await self._replace(room, place, version, str(failure))

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
