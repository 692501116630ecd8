"""Another process compiles what bots call, once on each machine; a bot's first move waits for it.

In a bot's own thread it would take longer than a bot may think, and delay everybody else.
"""

from __future__ import annotations

import asyncio
import subprocess

from coatl.compiler import jit
from coatl.compiler.cache import is_cached
from coatl.players.bots import BOTS
from coatl.players.registry import needed_packages

LOOK_EVERY = 0.1  # seconds


class Compiling:
    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Begin with what the first bots of the ladder need."""
        needed = dict.fromkeys(package for bot in BOTS for package in bot.packages)
        self._process = jit.start_filling(needed)

    async def wait_for(self, bot: str) -> None:
        """Until all that a bot needs is compiled, or the process has ended."""
        if self._process is None:
            return
        packages = await asyncio.to_thread(needed_packages, bot)  # may look for weights
        while self._process.poll() is None and not all(map(is_cached, packages)):
            await asyncio.sleep(LOOK_EVERY)

    def close(self) -> None:
        if self._process is None:
            return
        jit.let_go(self._process)
        if self._process.poll() is None:
            self._process.kill()
            self._process.wait()
