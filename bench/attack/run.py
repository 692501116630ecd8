"""Run attacks one after the other, each against a new server, and print what they did to others.

`python -m bench.attack` does all, `python -m bench.attack pings files` some. The server has its
usual limits and runs on one core; the attacker is another process with an address of its own, on
the core where two people play at a human pace. Every attack ends by itself after a few seconds, or
when the server has taken 2 GB.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import uvloop

from bench.attack import doors, tables
from bench.attack.target import Target
from bench.measure import save
from bench.server import LoadTable, ServerProcess, Tally
from coatl.compiler import jit

Attack = Callable[[Target], None]
ATTACKS: dict[str, Attack] = {attack.__name__: attack for attack in doors.ATTACKS + tables.ATTACKS}
BOTS_NEEDED = {tables.bots_alone.__name__}

SECONDS = 8.0
IDLE_SECONDS = 5.0  # until a table or a bot's player that nobody uses leaves the memory
REST_SECONDS = 30.0  # until the memory should have been given back
REST_MB = 10.0  # more than before: then it has been
MOST_MB = 2000
PACE = 0.1  # seconds between two decisions of the paced table, on average
GAMES = 5  # more than can be played meanwhile
WANTED_MS = 50.0


@dataclass(frozen=True)
class Result:
    """What an attack did to the paced table and to the server."""

    name: str
    median_ms: float
    worst_ms: float
    decisions: int
    before_mb: float
    most_mb: float
    after_mb: float
    log_bytes: int
    tally: dict[str, int]

    def line(self) -> str:
        found = ", ".join(f"{count:,} {what}" for what, count in sorted(self.tally.items()))
        return (
            f"{self.name:<18}{self.median_ms:>9.1f}{self.worst_ms:>9.0f}{self.decisions:>6}"
            f"{self.before_mb:>8.0f}{self.most_mb:>8.0f}{self.after_mb:>8.0f}"
            f"{self.log_bytes:>9,}  {found}"
        )


HEAD = (
    f"{'attack':<18}{'median':>9}{'worst ms':>9}{'moves':>6}"
    f"{'before':>8}{'most':>8}{'after':>8}{'log':>9}  what the attacker saw"
)


# ---------------------------------------------------------------- the paced table


class PacedTable(LoadTable):
    """A table whose last decision counts too, even if nobody has been told of it yet."""

    @property
    def waits_since(self) -> float | None:
        return self.sent_at if 0 <= self.sent_version < 1 << 40 else None


async def play_paced(server: ServerProcess, opened: list[Any], tally: Tally) -> None:
    """One game after the other until `tally.stop`."""
    current: PacedTable | None = None
    try:
        for seed, table in enumerate(opened):
            current = PacedTable(server, table, tally, PACE, seed)
            await current.play()
    finally:
        if current is not None and current.waits_since is not None:
            tally.latencies.append(time.perf_counter() - current.waits_since)


# ---------------------------------------------------------------- one attack


def _attack(name: str, port: int, seconds: float, answer: Connection) -> None:
    """In a process of its own."""
    target = Target(port, seconds)
    try:
        ATTACKS[name](target)
    finally:
        answer.send(dict(target.tally))


@dataclass
class Attacker:
    """The process that attacks."""

    name: str
    port: int
    core: int

    def __post_init__(self) -> None:
        self._answer, self._theirs = multiprocessing.Pipe(duplex=False)
        arguments = (self.name, self.port, SECONDS, self._theirs)
        self._process = multiprocessing.get_context("spawn").Process(
            target=_attack, args=arguments, daemon=True
        )

    def start(self) -> None:
        self._process.start()
        self._theirs.close()
        assert self._process.pid is not None
        os.sched_setaffinity(self._process.pid, {self.core})

    @property
    def is_running(self) -> bool:
        return self._process.is_alive()

    def end(self) -> dict[str, int]:
        """What it saw; nothing if it had to be stopped."""
        found: dict[str, int] = {"stopped": 1}
        if self._answer.poll():
            with suppress(EOFError):
                found = self._answer.recv()
        if self._process.is_alive():
            self._process.kill()
        self._process.join()
        return found


async def watch(server: ServerProcess, attacker: Attacker, opened: list[Any]) -> tuple[Tally, int]:
    """Play beside the attack; the latencies, and the most KB that the server had."""
    tally = Tally()
    playing = asyncio.create_task(play_paced(server, opened, tally))
    attacker.start()
    most = 0
    end = time.monotonic() + SECONDS * 3
    while attacker.is_running and time.monotonic() < end and most < MOST_MB * 1000:
        most = max(most, server.resident_kb)
        await asyncio.sleep(0.05)
    playing.cancel()
    await asyncio.gather(playing, return_exceptions=True)
    return tally, most


async def load_bot(server: ServerProcess) -> None:
    """Let a bot play once and be forgotten: its compiled code and weights stay for good."""
    tally = Tally()
    (opened,) = server.open_tables(1, tables.BOT)
    playing = asyncio.create_task(LoadTable(server, opened, tally, 0.0, 0).play())
    while len(tally.latencies) < 2 and not playing.done():
        await asyncio.sleep(0.1)
    playing.cancel()
    await asyncio.gather(playing, return_exceptions=True)
    await asyncio.sleep(3 * IDLE_SECONDS)


def rest(server: ServerProcess, before: int) -> int:
    """The resident KB when what the attack took has been given back, or has not for too long."""
    end = time.monotonic() + REST_SECONDS
    while server.resident_kb > before + REST_MB * 1000 and time.monotonic() < end:
        time.sleep(0.5)
    return server.resident_kb


def _stop(server: ServerProcess) -> bool:
    """Does it end when it is told to?"""
    try:
        server.stop()
    except subprocess.TimeoutExpired:
        server.process.kill()
        server.process.wait()
        return False
    return True


def run(name: str) -> Result:
    cores = sorted(os.sched_getaffinity(0))
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder, "log")
        settings = {"COATL_IDLE_SECONDS": str(IDLE_SECONDS)}
        server = ServerProcess(Path(folder, "data"), cores[0], settings, log)
        try:
            os.sched_setaffinity(0, {cores[-1]})
            if name in BOTS_NEEDED:
                uvloop.run(load_bot(server))
            opened = server.open_tables(GAMES)
            logged, before = log.stat().st_size, server.resident_kb
            attacker = Attacker(name, server.port, cores[-1])
            tally, most = uvloop.run(watch(server, attacker, opened))
            seen = attacker.end()
            after = rest(server, before)
        finally:
            os.sched_setaffinity(0, set(cores))
            stops = _stop(server)
        grown = log.stat().st_size - logged
    times = tally.latencies or [float("inf")]
    return Result(
        name=name,
        median_ms=statistics.median(times) * 1e3,
        worst_ms=max(times) * 1e3,
        decisions=tally.decisions,
        before_mb=before / 1e3,
        most_mb=most / 1e3,
        after_mb=after / 1e3,
        log_bytes=grown,
        tally=seen if stops else {**seen, "times SIGTERM was not enough": 1},
    )


def main(names: list[str]) -> None:
    if not set(names) <= ATTACKS.keys():
        raise SystemExit(f"there are the attacks {', '.join(ATTACKS)}")
    jit.load_packages()  # a server that compiles its bots' search measures the compiler
    print(HEAD, flush=True)
    results = []
    for name in names or ATTACKS:
        results.append(run(name))
        print(results[-1].line(), flush=True)
    slow = [result.name for result in results if not result.median_ms < WANTED_MS]
    print(f"median under {WANTED_MS:g} ms: {'all' if not slow else 'not ' + ', '.join(slow)}")
    print(f"cores {len(os.sched_getaffinity(0))}, load {os.getloadavg()[0]:.1f}")
    if not names:
        save("attack", {result.name: vars(result) for result in results})
