"""For how much the Cóatl of a seat can be closed: exact, found in a thread of its own."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor

from coatl.server.compiling import Compiling
from coatl.view import View

PACKAGES = ("coatl.solver",)
Values = tuple[int | None, ...]


class ClosingFinder:
    """It takes microseconds mostly, milliseconds at most; but the first time code is loaded."""

    def __init__(self, compiling: Compiling) -> None:
        self._compiling = compiling
        self._thread = ThreadPoolExecutor(1, "coatl-closings")

    async def find(self, view: View) -> Values | None:
        """By Cóatl that the seat of the view has begun; None while that is still being compiled."""
        if not self._compiling.is_ready(PACKAGES):
            return None
        return await asyncio.get_running_loop().run_in_executor(self._thread, _values, view)

    def close(self) -> None:
        self._thread.shutdown()


def _values(view: View) -> Values:
    *begun, _ = view.best_closings()
    return tuple([None if closing is None else closing.value for closing in begun])
