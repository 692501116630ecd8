"""Garbage is looked for in small steps; what was set aside is found when it is quiet."""

from __future__ import annotations

import asyncio
import gc
import time
import weakref
from collections.abc import Iterator

import pytest

from coatl.server import garbage


class Node:
    """Something that leads back to itself."""

    def __init__(self) -> None:
        self.me = self


@pytest.fixture
def small_steps() -> Iterator[None]:
    before = gc.get_threshold()
    garbage.collect_in_small_steps()
    yield
    gc.callbacks.remove(garbage._set_survivors_aside)
    gc.unfreeze()
    gc.set_threshold(*before)


@pytest.mark.usefixtures("small_steps")
def test_what_survives_is_set_aside_and_never_looked_at_again() -> None:
    kept = Node()
    young = weakref.ref(Node())
    gc.collect(0)
    assert young() is None
    old = weakref.ref(kept)
    del kept
    gc.collect(1)
    assert old() is not None
    garbage.collect_all()
    assert old() is None
    assert gc.get_freeze_count() > 0  # what is left is set aside again


@pytest.mark.usefixtures("small_steps")
def test_everything_is_collected_once_it_is_quiet(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(garbage, "PAUSE", 0.0)
    monkeypatch.setattr(garbage, "QUIET_SECONDS", 0.0)
    collected: list[float] = []
    monkeypatch.setattr(garbage, "collect_all", lambda: collected.append(time.monotonic()))
    used = [0.0]

    async def wait() -> None:
        task = asyncio.create_task(garbage.collect_when_quiet(lambda: used[0]))
        for _ in range(20):
            await asyncio.sleep(0)
        assert collected == []  # nothing has happened yet
        used[0] = time.monotonic()
        while not collected:
            await asyncio.sleep(0)
        for _ in range(20):
            await asyncio.sleep(0)
        assert len(collected) == 1  # and nothing has happened since
        task.cancel()

    asyncio.run(asyncio.wait_for(wait(), 30))
