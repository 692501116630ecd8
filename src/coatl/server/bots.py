"""Bots think in threads of their own, with a time limit; the event loop never waits for one."""

from __future__ import annotations

import asyncio
import queue
import threading
from collections.abc import Callable

from coatl.players.base import Player
from coatl.server.priority import give_way
from coatl.view import View

MOST_LOST_THREADS = 16
PATIENCE = 10  # so many times a bot's limit, until a thread is free


class BotError(Exception):
    """A bot raised or was too slow; the message is for the table."""


class BotPool:
    """A few daemon threads. Some of those that a bot never gives back are replaced."""

    def __init__(self, threads: int, seconds: float) -> None:
        self.seconds = seconds
        self._jobs: queue.SimpleQueue[Callable[[], None] | None] = queue.SimpleQueue()
        self._threads = max(threads, 1)
        self._lost = 0
        for _ in range(self._threads):
            self._start_thread()

    def _start_thread(self) -> None:
        threading.Thread(target=self._work, name="coatl-bot", daemon=True).start()

    def _work(self) -> None:
        give_way()
        while True:
            job = self._jobs.get()
            if job is None:
                return
            job()

    async def choose(self, player: Callable[[], Player], view: View) -> str:
        """The move of a player; raises `BotError`."""
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[str] = loop.create_future()
        started = asyncio.Event()

        def job() -> None:
            loop.call_soon_threadsafe(started.set)
            try:
                move: str | Exception = str(player().choose(view, view.moves))
            except BaseException as error:  # whatever a bot raises stays in its thread
                move = BotError(f"{type(error).__name__}: {error}")
            loop.call_soon_threadsafe(_settle, answer, move)

        self._jobs.put(job)
        patience = PATIENCE * self.seconds or None  # waiting for a thread is not the bot's fault
        try:
            await asyncio.wait_for(started.wait(), patience)
        except TimeoutError:
            raise BotError("no thread was free for it") from None
        try:
            return await asyncio.wait_for(answer, self.seconds or None)
        except TimeoutError:
            self._replace_lost_thread()
            raise BotError(f"no answer within {self.seconds:g} s") from None

    def _replace_lost_thread(self) -> None:
        if self._lost < MOST_LOST_THREADS:
            self._lost += 1
            self._start_thread()

    def close(self) -> None:
        for _ in range(self._threads + self._lost):
            self._jobs.put(None)


def _settle(answer: asyncio.Future[str], move: str | Exception) -> None:
    if answer.done():  # nobody waits for it any more
        return
    if isinstance(move, Exception):
        answer.set_exception(move)
    else:
        answer.set_result(move)
