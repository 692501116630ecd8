"""Garbage is looked for in small steps; what survives them is looked at when it is quiet."""

from __future__ import annotations

import asyncio
import gc
import json
import os
import signal
import time
import weakref
from collections.abc import Iterator
from pathlib import Path

import pytest
from websockets.asyncio.client import connect

from coatl.server import garbage
from tests.server.harness import CONNECTING, HELLO, Json, LiveServer, running_server, wait_until


class Node:
    """Something that leads back to itself."""

    def __init__(self) -> None:
        self.me = self


@pytest.fixture
def small_steps() -> Iterator[None]:
    before = gc.get_threshold()
    garbage.collect_in_small_steps()
    yield
    gc.unfreeze()
    gc.set_threshold(*before)


@pytest.mark.usefixtures("small_steps")
def test_what_survives_is_not_looked_at_again_until_everything_is() -> None:
    assert garbage.is_in_small_steps()
    kept = Node()
    young = weakref.ref(Node())
    gc.collect(0)
    assert young() is None
    old = weakref.ref(kept)
    del kept
    while gc.get_count()[0] < garbage.NEW_OBJECTS - 100:  # the collector comes by itself
        _ = [Node() for _ in range(50)]
    _ = [[] for _ in range(200)]
    assert old() is not None
    gc.collect()
    assert old() is None


class Clock:
    """Lets a test say when something happened, and counts the collections."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.used = 0.0
        self.collections = 0
        monkeypatch.setattr(garbage, "PAUSE", 0.0)
        monkeypatch.setattr(gc, "collect", self._count)

    def _count(self) -> None:
        self.collections += 1

    async def look(self) -> None:
        """A few more times."""
        for _ in range(20):
            await asyncio.sleep(0)


def test_everything_is_collected_once_it_is_quiet(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock(monkeypatch)
    monkeypatch.setattr(garbage, "QUIET_SECONDS", 0.0)

    async def wait() -> None:
        few, many = garbage.FEW_SOCKETS, garbage.FEW_SOCKETS + 1
        sockets = [many]
        task = asyncio.create_task(
            garbage.collect_when_quiet(lambda: clock.used, lambda: sockets[0])
        )
        await clock.look()
        assert clock.collections == 0  # nothing has happened yet
        clock.used = time.monotonic()
        await clock.look()
        assert clock.collections == 0  # it would take too long
        sockets[0] = few
        while not clock.collections:
            await asyncio.sleep(0)
        await clock.look()
        assert clock.collections == 1  # and nothing has happened since
        task.cancel()

    asyncio.run(asyncio.wait_for(wait(), 30))


@pytest.mark.parametrize("is_long", [False, True])
def test_a_server_that_is_never_quiet(monkeypatch: pytest.MonkeyPatch, is_long: bool) -> None:
    clock = Clock(monkeypatch)
    monkeypatch.setattr(garbage, "BUSY_SECONDS", -1.0 if is_long else 3600.0)

    async def wait() -> None:
        task = asyncio.create_task(garbage.collect_when_quiet(time.monotonic, lambda: 0))
        await clock.look()
        assert bool(clock.collections) == is_long
        task.cancel()

    asyncio.run(asyncio.wait_for(wait(), 30))


def test_closed_connections_leave_nothing_for_the_collector(tmp_path: Path) -> None:
    """Requests, sockets that say goodbye, and one that does not: all are gone at once."""
    report = tmp_path / "garbage"
    prelude = f"from tests.server import garbage_report; garbage_report.install({str(report)!r})"
    with running_server(tmp_path / "data", prelude) as server:
        table = server.request("POST", "/api/tables", {"places": [{"kind": "person"}] * 2})[1]
        asyncio.run(come_and_go(server, table))
        wait_until(
            lambda: server.request("GET", "/healthz")[1]["connections"] == 0, "they are gone"
        )
        assert server.process is not None
        os.kill(server.process.pid, signal.SIGUSR1)
        wait_until(report.exists, "the report")
    found = json.loads(report.read_text())
    ours = {"GuardedHttp", "GuardedSocket", "LimitedFrames", "SeatSession", "Connection"}
    assert not ours & found.keys(), found


async def come_and_go(server: LiveServer, table: Json) -> None:
    for goodbye in (True, False, True):
        url = f"ws://127.0.0.1:{server.port}/api/tables/{table['table']}/socket"
        socket = await connect(url, **CONNECTING)
        await socket.send(json.dumps({**HELLO, "token": table["seats"][0]}))
        await socket.recv()
        if goodbye:
            await socket.close()
        else:
            socket.transport.abort()
