"""Bots think in threads of their own, with a time limit; the event loop never waits for one."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable
from contextlib import suppress

from coatl.server.fair_queue import FairQueue
from coatl.server.figures import BotFigures
from coatl.server.player_pool import PlayerPool
from coatl.server.priority import give_way
from coatl.view import View

MOST_LOST_THREADS = 16
PATIENCE = 10  # so many times a bot's limit, until a thread is free
THREAD_NAME = "coatl-bot"
STOP_SECONDS = 3.0  # for the threads to end, when the server does
STOP_EVERY = 0.02  # seconds between two requests to end


class BotError(Exception):
    """A bot raised or was too slow; the message is for the table."""


class BotPool:
    """A few daemon threads. Some of those that a bot never gives back are replaced.

    Addresses take turns, and a table has one decision at a time: whoever opens a hundred tables
    waits for them, and others do not.
    """

    def __init__(self, threads: int, seconds: float, players: PlayerPool | None = None) -> None:
        self.seconds = seconds
        self.players = PlayerPool() if players is None else players
        self._jobs: FairQueue[Callable[[], None]] = FairQueue()
        self._threads: list[threading.Thread] = []
        self._lost = 0
        self.figures = BotFigures()
        for _ in range(max(threads, 1)):
            self._start_thread()

    @property
    def waiting(self) -> int:
        """How many decisions wait for a thread."""
        return len(self._jobs)

    def _start_thread(self) -> None:
        thread = threading.Thread(target=self._work, name=THREAD_NAME, daemon=True)
        self._threads.append(thread)
        thread.start()

    def _work(self) -> None:
        give_way()
        while (job := self._jobs.get()) is not None:
            job()

    async def choose(self, name: str, view: View, table: str = "", address: str = "") -> str:
        """The move of a bot at a table; raises `BotError`."""
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[str] = loop.create_future()
        started = asyncio.Event()

        def tell(callback: Callable[..., object], *arguments: object) -> None:
            with suppress(RuntimeError):  # the loop has ended; nobody waits any more
                loop.call_soon_threadsafe(callback, *arguments)

        def job() -> None:
            tell(started.set)
            tell(_settle, answer, self._think(name, view, table))

        self._jobs.put(address, job)
        try:
            return await self._wait(started, answer)
        finally:
            self._jobs.remove(address, job)  # if it still waits, nobody needs it
            answer.cancel()  # nobody looks at it any more

    def _think(self, name: str, view: View, table: str) -> str | Exception:
        try:
            with self.players.borrow(name, table) as player:
                return str(player.choose(view, view.moves))
        except BaseException as error:  # whatever a bot raises stays in its thread
            return BotError(f"{type(error).__name__}: {error}")

    async def _wait(self, started: asyncio.Event, answer: asyncio.Future[str]) -> str:
        patience = PATIENCE * self.seconds or None  # waiting for a thread is not the bot's fault
        try:
            await asyncio.wait_for(started.wait(), patience)
        except TimeoutError:
            raise BotError("no thread was free for it") from None
        began = time.monotonic()
        try:
            return await asyncio.wait_for(answer, self.seconds or None)
        except TimeoutError:
            self._replace_lost_thread()
            raise BotError(f"no answer within {self.seconds:g} s") from None
        finally:
            self.figures.thinking_seconds.observe(time.monotonic() - began)

    def _replace_lost_thread(self) -> None:
        if self._lost < MOST_LOST_THREADS:
            self._lost += 1
            self._start_thread()

    def close(self) -> bool:
        """Drop what waits, ask what thinks to end, and wait for it a while: has all ended?

        A thread in compiled code when the program ends would take the program down with it.
        """
        self._jobs.close()
        deadline = time.monotonic() + STOP_SECONDS
        while any(thread.is_alive() for thread in self._threads) and time.monotonic() < deadline:
            self.players.stop()  # again and again: a decision may have begun just now
            for thread in self._threads:
                thread.join(STOP_EVERY / len(self._threads))
        return not any(thread.is_alive() for thread in self._threads)


def any_thinks() -> bool:
    """Is there a bot's thread that has not ended, after all pools were closed?"""
    return any(thread.name == THREAD_NAME for thread in threading.enumerate())


def _settle(answer: asyncio.Future[str], move: str | Exception) -> None:
    if answer.done():  # nobody waits for it any more
        return
    if isinstance(move, Exception):
        answer.set_exception(move)
    else:
        answer.set_result(move)
