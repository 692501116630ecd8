"""`make chaos`, second part: three processes on one PostgreSQL are killed and paused at random.

The seats of each table are at different processes and move on when theirs is away. In between the
database is restarted and its connections are cut. Every decision that a client was told of is in
the log, once and in order; all games end, all seats agree on how; every record replays.
"""

from __future__ import annotations

import asyncio
import random
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from http.client import HTTPException
from pathlib import Path

from coatl.server.postgres_store import PostgresStore
from tests.postgres import PostgresServer, shared_postgres
from tests.server.chaos import MODES, check_browsers
from tests.server.harness import Browser, Json, LiveServer

PROCESSES = 3
SILENCE = 4.0  # seconds without an answer, until a client tries another process
PAUSES = (0.2, 8.0)  # seconds that a process is stopped for
KINDS = ("kill", "pause", "kill", "pause", "cut", "restart")
LONGEST_WAIT = 30.0  # seconds that a table may stand still; docs/server.md states it


@dataclass
class SeveralReport:
    disturbances: dict[str, int]
    tables: int
    decisions: int
    longest_wait: float  # of a client for anything new at a table


@dataclass
class MovingBrowser(Browser):
    """A browser that goes to another process when its own is away."""

    servers: list[LiveServer] = field(default_factory=list)
    longest_wait: float = 0.0
    _progress: float = 0.0
    _version: int = -1

    async def _connected(self, until: Callable[[], bool]) -> None:
        others = [server for server in self.servers if server is not self.server]
        self.server = self.random.choice(others)
        await super()._connected(until)

    def _read(self, frame: str | bytes) -> dict[str, object]:
        message = super()._read(frame)
        if message["type"] == "state" and message["version"] != self._version:
            now = time.monotonic()
            if self._progress and message["status"] != "waiting":
                self.longest_wait = max(self.longest_wait, now - self._progress)
            self._progress, self._version = now, message["version"]
        return message


@dataclass
class Cluster:
    """Some processes on one database, and what disturbs them."""

    postgres: PostgresServer
    address: str
    servers: list[LiveServer]
    pauses: tuple[float, float] = PAUSES
    counts: dict[str, int] = field(default_factory=dict)

    @classmethod
    def start(
        cls, postgres: PostgresServer, address: str, folder: Path, processes: int = PROCESSES
    ) -> Cluster:
        servers = [LiveServer(folder / f"process{n}", "", address) for n in range(processes)]
        for server in servers:
            server.folder.mkdir(parents=True)
            server.start()
        return cls(postgres, address, servers)

    @property
    def disturbances(self) -> int:
        return sum(self.counts.values())

    async def disturb(self, kind: str, rng: random.Random) -> None:
        self.counts[kind] = self.counts.get(kind, 0) + 1
        server = rng.choice(self.servers)
        match kind:
            case "kill":
                await asyncio.to_thread(server.kill)
                await asyncio.to_thread(server.start)
            case "pause":
                server.pause()
                await asyncio.sleep(rng.uniform(*self.pauses))
                server.go_on()
            case "cut":
                name = self.address.rpartition("/")[2]
                await asyncio.to_thread(self.postgres.cut, name)
            case "restart":
                await asyncio.to_thread(self.postgres.stop)
                await asyncio.sleep(rng.uniform(0, 1))
                self.postgres.launch()
                await asyncio.to_thread(self.postgres.wait_until_up)

    def kill_all(self) -> None:
        for server in self.servers:
            if server.process is not None and server.process.poll() is None:
                server.kill()


def run(
    folder: Path,
    disturbances: int,
    seed: int = 0,
    at_once: int = 100,
    kinds: tuple[str, ...] = KINDS,
    pauses: tuple[float, float] = PAUSES,
    to_the_end: bool = True,
) -> SeveralReport:
    """Play games and disturb the processes so often, and then play on `to_the_end` of each game;
    then check everything.
    """
    postgres = shared_postgres()
    with postgres.database() as address:
        cluster = Cluster.start(postgres, address, folder)
        cluster.pauses = pauses
        browsers: list[MovingBrowser] = []
        games = _Games(cluster, browsers, random.Random(seed), at_once)
        try:
            asyncio.run(_play_and_disturb(games, disturbances, kinds, to_the_end))
        finally:
            cluster.kill_all()
        store = PostgresStore(address)
        try:
            decisions = check_browsers(store, browsers, are_over=to_the_end)
        finally:
            store.close()
    if to_the_end:
        _check_agreement(browsers)
    return SeveralReport(
        cluster.counts,
        len({browser.table for browser in browsers}),
        decisions,
        max(browser.longest_wait for browser in browsers),
    )


@dataclass
class _Games:
    """As many at once as there are to be."""

    cluster: Cluster
    browsers: list[MovingBrowser]
    random: random.Random
    at_once: int
    is_stopped: bool = False
    running: set[asyncio.Task[None]] = field(default_factory=set)

    def refill(self) -> None:
        for game in [game for game in self.running if game.done()]:
            game.result()
            self.running.discard(game)
        while len(self.running) < self.at_once:
            self.running.add(asyncio.create_task(self._play_one()))

    async def finish(self) -> None:
        async with asyncio.timeout(600):
            await asyncio.gather(*self.running)

    async def _play_one(self) -> None:
        opened = await self._open()
        if opened is None:
            return
        seats = [
            MovingBrowser(
                self.random.choice(self.cluster.servers),
                opened["table"],
                token,
                self.random.randrange(10**9),
                drops=0.02,
                leaves=0.02,
                patience=SILENCE,
                servers=self.cluster.servers,
            )
            for token in opened["seats"]
            if token is not None
        ]
        self.browsers += seats
        await asyncio.gather(*(seat.play(lambda: self.is_stopped) for seat in seats))

    async def _open(self) -> Json | None:
        """A new table; None if no more are wanted."""
        kinds, options = self.random.choice(MODES)
        while not self.is_stopped:
            with suppress(OSError, HTTPException, AssertionError):  # it is away just now
                server = self.random.choice(self.cluster.servers)
                return await asyncio.to_thread(server.open_table, *kinds, **options)
            await asyncio.sleep(0.1)
        return None


async def _play_and_disturb(
    games: _Games, disturbances: int, kinds: tuple[str, ...], to_the_end: bool
) -> None:
    cluster, rng = games.cluster, games.random
    for number in range(disturbances):
        games.refill()
        await asyncio.sleep(rng.uniform(0.02, 0.5))
        await cluster.disturb(kinds[number % len(kinds)], rng)
    games.is_stopped = not to_the_end
    await games.finish()


def _check_agreement(browsers: list[MovingBrowser]) -> None:
    """All seats of a table have seen the same end."""
    ends: dict[str, list[object]] = {}
    for browser in browsers:
        standing, version = browser.state["standing"], browser.state["version"]
        ends.setdefault(browser.table, []).append((standing, version))
    for table, seen in ends.items():
        assert all(end == seen[0] for end in seen), f"the seats of {table} do not agree"


def main() -> None:
    disturbances = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    with tempfile.TemporaryDirectory() as name:
        report = run(Path(name), disturbances)
    done = ", ".join(f"{count} × {kind}" for kind, count in sorted(report.disturbances.items()))
    print(
        f"three processes on PostgreSQL, {done}: {report.tables} games to the end, "
        f"{report.decisions} acknowledged decisions: none lost, none twice, all seats agree; "
        f"the longest wait for something new was {report.longest_wait:.1f} s"
    )
    if report.longest_wait > LONGEST_WAIT:
        sys.exit(f"a table stood still for more than {LONGEST_WAIT:g} s")


if __name__ == "__main__":
    main()
