"""Another process compiles what bots, hints and analyses call, once on each machine; the first move
of a bot and the first hint wait for it.

In a bot's own thread it would take longer than a bot may think, and delay everybody else.
"""

from __future__ import annotations

import asyncio
import subprocess
from collections.abc import Collection

from coatl.analysis.packages import NEEDED_FOR_ANALYSES
from coatl.compiler import jit
from coatl.compiler.cache import is_cached
from coatl.hints.packages import NEEDED_FOR_HINTS
from coatl.players.bots import BOTS
from coatl.players.registry import needed_packages

LOOK_EVERY = 0.1  # seconds


class Compiling:
    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Begin with what the first bots of the ladder need."""
        of_bots = [package for bot in BOTS for package in bot.packages]
        needed = [*of_bots, *NEEDED_FOR_HINTS, *NEEDED_FOR_ANALYSES]
        self._process = jit.start_filling(dict.fromkeys(needed))

    async def wait_for(self, bot: str) -> None:
        """Until all that a bot needs is compiled, or the process has ended."""
        if self._process is None:
            return
        await self._wait_for(await asyncio.to_thread(needed_packages, bot))  # may look for weights

    def is_ready(self, packages: Collection[str]) -> bool:
        """Are they compiled, or will they have to be in this process?"""
        is_filling = self._process is not None and self._process.poll() is None
        return not is_filling or all(map(is_cached, packages))

    async def wait_for_hints(self) -> None:
        """The same for what a hint needs."""
        await self._wait_for(NEEDED_FOR_HINTS)

    async def _wait_for(self, packages: Collection[str]) -> None:
        while not self.is_ready(packages):
            await asyncio.sleep(LOOK_EVERY)

    def close(self) -> None:
        if self._process is None:
            return
        jit.let_go(self._process)
        if self._process.poll() is None:
            self._process.kill()
            self._process.wait()
