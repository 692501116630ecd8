"""Several processes on one PostgreSQL, beside one on SQLite, in one run: `make bench-server`.

Two-seat tables play random moves at full speed, everything stored durably; with several processes
the two seats of a table are at different ones. Then at a human pace: how long a move takes to the
other player at the same process and at another. All of it, the database and the load included,
shares the cores of this machine, so the CPU time for a decision is the figure to compare.
"""

from __future__ import annotations

import asyncio
import os
import statistics
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import uvloop

from bench.measure import save
from bench.server import (
    GAMES,
    PACE,
    SECONDS,
    TABLES,
    UNLIMITED,
    LoadTable,
    ServerProcess,
    Tally,
    Version,
    keep_playing,
    stop_playing,
)
from coatl.compiler import jit
from tests.postgres import DURABLE, PostgresServer
from tools.find_postgres import MISSING, find_postgres

PROCESSES = (1, 2, 4)
SERVE_DATABASE = (
    "import sys; from coatl.server.run import serve; "
    "from coatl.server.settings import ServerSettings; "
    "serve('127.0.0.1', int(sys.argv[1]), sys.argv[2], ServerSettings.from_environment())"
)
Figures = dict[str, float]


class SpreadTable(LoadTable):
    """A table whose seats are at different processes, if there are several."""

    def __init__(
        self, servers: list[ServerProcess], opened: Any, tally: Tally, pace: float
    ) -> None:
        self.servers = servers
        super().__init__(servers[0], opened, tally, pace, hash(opened["table"]) % 1000)

    def server_of(self, seat: int) -> ServerProcess:
        return self.servers[seat % len(self.servers)]


@contextmanager
def processes(place: Path | str, count: int) -> Iterator[list[ServerProcess]]:
    version = Version() if isinstance(place, Path) else Version(SERVE_DATABASE)
    with ExitStack() as stack:
        servers = []
        for _ in range(count):
            servers.append(ServerProcess(place, None, UNLIMITED, version=version))
            stack.callback(servers[-1].stop)
        yield servers


async def load(servers: list[ServerProcess], pace: float, is_spread: bool) -> tuple[Tally, Figures]:
    """Play at all tables for a while; the tally, and the CPU seconds of the processes."""
    tally = Tally()
    opened = await asyncio.to_thread(servers[0].open_tables, TABLES if pace else TABLES * GAMES)

    def make_table(number: int, table: Any) -> SpreadTable:
        first = number % len(servers)
        mine = servers[first:] + servers[:first]
        return SpreadTable(mine if is_spread else mine[:1], table, tally, pace)

    players = keep_playing(list(enumerate(opened)), TABLES, tally, make_table)
    await asyncio.sleep(3.0)
    before, tally.decisions = sum(server.cpu_seconds for server in servers), 0
    tally.latencies.clear()
    begin = time.perf_counter()
    await asyncio.sleep(SECONDS)
    elapsed = time.perf_counter() - begin
    cpu = sum(server.cpu_seconds for server in servers) - before
    tally.stop = True
    await stop_playing(players)
    times = sorted(tally.latencies)
    return tally, {
        "decisions a second": tally.decisions / elapsed,
        "servers µs a decision": cpu / max(tally.decisions, 1) * 1e6,
        "median ms": statistics.median(times) * 1e3,
        "p99 ms": times[int(len(times) * 0.99)] * 1e3,
    }


def measure(place: Path | str, count: int, pace: float = 0.0, is_spread: bool = True) -> Figures:
    with processes(place, count) as servers:
        return uvloop.run(load(servers, pace, is_spread))[1]


def measure_all(postgres: PostgresServer) -> dict[str, Figures]:
    found: dict[str, Figures] = {}
    with tempfile.TemporaryDirectory() as folder:
        print("Full speed: one process on SQLite ...", flush=True)
        found["SQLite, 1 process"] = measure(Path(folder), 1)
    for count in PROCESSES:
        print(f"Full speed: {count} on PostgreSQL ...", flush=True)
        with postgres.database() as address:
            name = f"PostgreSQL, {count} process{'es' if count > 1 else ''}"
            before = _cpu_of_all(postgres.pid)
            found[name] = measure(address, count)
            seconds = _cpu_of_all(postgres.pid) - before
            decisions = found[name]["decisions a second"] * (SECONDS + 3.0)
            found[name]["database's µs a decision"] = seconds / decisions * 1e6
    for is_spread, where in ((False, "the same process"), (True, "another process")):
        print(f"Human pace: to a seat at {where} ...", flush=True)
        with postgres.database() as address:
            found[f"paced, {where}"] = measure(address, 2, PACE, is_spread)
    return found


def _cpu_of_all(postmaster: int) -> float:
    """The CPU seconds of a database's processes, also of those that have ended."""
    total = 0.0
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(stat.parent.name) == postmaster:
            total += sum(map(int, fields[11:15]))  # with children that were waited for
        elif int(fields[1]) == postmaster:
            total += sum(map(int, fields[11:13]))
    return total / os.sysconf("SC_CLK_TCK")


def main() -> None:
    programs = find_postgres()
    if programs is None:
        print(MISSING.format(tried=", so several processes are not measured"))
        return
    jit.load_packages()
    postgres = PostgresServer(programs, DURABLE)
    try:
        found = measure_all(postgres)
    finally:
        postgres.close()
    for name, figures in found.items():
        if "paced" in name:
            median, p99 = figures["median ms"], figures["p99 ms"]
            print(f"{name:<24} median {median:.2f} ms, p99 {p99:.1f} ms")
            continue
        database = figures.get("database's µs a decision")
        print(
            f"{name:<24} {figures['decisions a second']:>8,.0f} decisions a second,"
            f" {figures['servers µs a decision']:>6.0f} µs of the servers'"
            + (f" and {database:.0f} µs of the database's CPU each" if database else " CPU each")
        )
    print(f"cores {len(os.sched_getaffinity(0))}, load {os.getloadavg()[0]:.1f}")
    save("server_several", found)


if __name__ == "__main__":
    main()
