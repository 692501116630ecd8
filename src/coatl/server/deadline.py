"""A deadline that can be called off: something is done if a client does not get on in time."""

from __future__ import annotations

import asyncio
from collections.abc import Callable


class Deadline:
    """Calls `passed` some seconds after `start`, unless `stop` comes first; 0 seconds: never."""

    def __init__(
        self, loop: asyncio.AbstractEventLoop, seconds: float, passed: Callable[[], None]
    ) -> None:
        self._loop, self._seconds, self._passed = loop, seconds, passed
        self._timer: asyncio.TimerHandle | None = None

    def start(self) -> None:
        """Started already, it is not put off."""
        if self._seconds and self._timer is None:
            self._timer = self._loop.call_later(self._seconds, self._passed)

    def stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
