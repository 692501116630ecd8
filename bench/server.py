"""`make bench-server`: the server under load, durably stored, loopback only and bounded.

The server runs on one core, the load on another. Two-seat tables play random moves: at full speed
for the rate, and at a human pace for the time from a decision to the other player's screen. The
latter also while bots think at other tables, where somebody answers them at once, and while a game
is analysed. `python -m bench.server analysis` measures the last alone.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import secrets
import signal
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec
import uvloop

from bench.light_socket import LightSocket, connect
from bench.measure import MeasureError, save
from coatl import Game
from coatl.compiler import jit
from coatl.players import make_player
from coatl.rules.chance import new_chance
from coatl.server.protocol import PROTOCOL

SERVE = (
    "import sys; from pathlib import Path; from coatl.server.run import serve; "
    "from coatl.server.settings import ServerSettings; "
    "serve('127.0.0.1', int(sys.argv[1]), Path(sys.argv[2]), ServerSettings.from_environment())"
)
UNLIMITED = {
    "COATL_MESSAGES_PER_SECOND": "0",
    "COATL_REQUESTS_PER_SECOND": "0",
    "COATL_TABLES_PER_MINUTE": "0",
    "COATL_SOCKETS_PER_SECOND": "0",
    "COATL_CONNECTS_PER_SECOND": "0",
    "COATL_CONNECTIONS_PER_ADDRESS": "0",
}
TABLES = 200
GAMES = 3  # that may begin at each table at full speed
SECONDS = 8.0
PACE = 1.0  # seconds between two decisions at a table, on average
BOT = "priest"
BOTS = (1, 4)  # that think at the same time, as far as the server lets them


class MoveOnly(msgspec.Struct):
    text: str


class MovesOnly(msgspec.Struct):
    moves: list[MoveOnly | str]  # version 0.1 sent texts alone


class StateOnly(msgspec.Struct):
    """What the load needs of a message; the rest is skipped."""

    type: str
    version: int = 0
    status: str = ""
    reply: str | None = None
    view: MovesOnly | None = None


_DECODER = msgspec.json.Decoder(StateOnly)
_ENCODER = msgspec.json.Encoder()


# ---------------------------------------------------------------- the server


@dataclass(frozen=True)
class Version:
    """Which server is measured, and how it is spoken to."""

    program: str = SERVE
    environment: Mapping[str, str] = field(default_factory=dict)
    hello: Mapping[str, Any] = field(default_factory=lambda: {"protocol": PROTOCOL})


CURRENT = Version()


class ServerProcess:
    """A server of its own folder on one core."""

    def __init__(
        self,
        folder: Path | str,
        core: int | None,
        settings: Mapping[str, str] = UNLIMITED,
        log: Path | None = None,
        version: Version = CURRENT,
    ) -> None:
        self.version = version
        self.port = _free_port()
        begin = time.perf_counter()
        with open(log or os.devnull, "w") as errors:
            self.process = subprocess.Popen(
                [sys.executable, "-c", version.program, str(self.port), str(folder)],
                env={**os.environ, **settings, **version.environment},
                stderr=errors,
            )
        if core is not None:
            os.sched_setaffinity(self.process.pid, {core})
        self._wait()
        self.start_seconds = time.perf_counter() - begin

    def _wait(self) -> None:
        for _ in range(600):
            try:
                self.get("/healthz")
                return
            except OSError:
                time.sleep(0.02)
        raise RuntimeError("the server did not start")

    def get(self, path: str) -> Any:
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}{path}", timeout=10) as answer:
            return json.load(answer)

    def post(self, path: str, body: Any) -> Any:
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.port}{path}", json.dumps(body).encode()
        )
        with urllib.request.urlopen(request, timeout=10) as answer:
            return json.load(answer)

    def open_tables(self, n: int, bot: str | None = None) -> list[Any]:
        other = {"kind": "person"} if bot is None else {"kind": "bot", "bot": bot}
        opening = {"places": [{"kind": "person"}, other]}
        return [self.post("/api/tables", opening) for _ in range(n)]

    @property
    def resident_kb(self) -> int:
        for line in Path(f"/proc/{self.process.pid}/status").read_text().splitlines():
            if line.startswith("VmRSS"):
                return int(line.split()[1])
        return 0

    @property
    def cpu_seconds(self) -> float:
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def stop(self) -> None:
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(20)


def _free_port() -> int:
    import socket

    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


# ---------------------------------------------------------------- the load


@dataclass
class Tally:
    """What the load has seen."""

    decisions: int = 0
    latencies: list[float] = field(default_factory=list)
    stop: bool = False
    begun: float = 0.0  # by `time.monotonic`
    cpu: float = 0.0  # seconds that the server has used meanwhile


class LoadTable:
    """Both seats of one table, in one process, so that one clock times both."""

    def __init__(
        self, server: ServerProcess, opened: Any, tally: Tally, pace: float, seed: int
    ) -> None:
        self.server, self.opened, self.tally, self.pace = server, opened, tally, pace
        self.random = random.Random(seed)
        self.sent_at = 0.0
        self.sent_version = -1
        self.number = 0

    async def play(self) -> None:
        tokens = [token for token in self.opened["seats"] if token]
        seats = [self._seat(token, self.server_of(n)) for n, token in enumerate(tokens)]
        await asyncio.gather(*seats)

    def server_of(self, seat: int) -> ServerProcess:
        """To which process a seat is connected."""
        return self.server

    async def _seat(self, token: str, server: ServerProcess) -> None:
        url = f"ws://127.0.0.1:{server.port}/api/tables/{self.opened['table']}/socket"
        hello = server.version.hello
        socket = await connect(url)
        try:
            self._send(socket, {"type": "hello", "token": token, **hello})
            nonce = secrets.token_hex(32)
            self._send(socket, {"type": "join", "id": "join", "nonce": nonce})
            await self._answer_states(socket)
        finally:
            socket.close()

    def _send(self, socket: LightSocket, message: Mapping[str, Any]) -> None:
        socket.send(_ENCODER.encode(message))

    async def _answer_states(self, socket: LightSocket) -> None:
        """Until the game or the measurement is over."""
        while True:
            message = await socket.receive()
            state = _DECODER.decode(message)
            if state.type == "refused":
                raise RuntimeError(message.decode())
            if state.type != "state":
                continue
            if state.version > self.sent_version >= 0 and state.reply is None:
                self.tally.latencies.append(time.perf_counter() - self.sent_at)
                self.sent_version = 1 << 40
            if self.tally.stop or state.status == "over":
                return
            if state.view is not None and state.view.moves:
                await self._decide(socket, state)

    async def _decide(self, socket: LightSocket, state: StateOnly) -> None:
        assert state.view is not None
        if self.pace:
            await asyncio.sleep(self.random.uniform(0, 2 * self.pace))
        move = self.random.choice(state.view.moves)
        self.number += 1
        self.tally.decisions += 1
        self.sent_at, self.sent_version = time.perf_counter(), state.version
        decision = {"type": "decide", "id": f"d{self.number}", "version": state.version}
        text = move if isinstance(move, str) else move.text
        self._send(socket, {**decision, "move": text})


async def keep_thinking(server: ServerProcess, tally: Tally) -> None:
    """Play game after game against one bot, and never let it wait."""
    seed = 0
    while not tally.stop:
        opened = (await asyncio.to_thread(server.open_tables, 1, BOT))[0]
        await LoadTable(server, opened, tally, 0.0, seed).play()
        seed += 1


async def load_beside_bots(
    server: ServerProcess, tables: list[Any], pace: float, seconds: float, bots: int
) -> tuple[Tally, float]:
    """`load` while bots think at tables of their own."""
    tallies = [Tally() for _ in range(bots)]
    thinking = [asyncio.create_task(keep_thinking(server, tally)) for tally in tallies]
    try:
        while any(not tally.latencies for tally in tallies):  # until each has answered once
            await asyncio.sleep(0.1)
            for task in thinking:
                if task.done():
                    task.result()
        answered = sum(len(tally.latencies) for tally in tallies)
        found = await load(server, tables, pace, seconds)
        if bots and sum(len(tally.latencies) for tally in tallies) == answered:
            raise RuntimeError("the bots did not play")
        return found
    finally:
        for task in thinking:
            task.cancel()
        await asyncio.gather(*thinking, return_exceptions=True)


async def load_beside_analysis(
    server: ServerProcess, tables: list[Any], pace: float, seconds: float
) -> tuple[Tally, float]:
    """`load` while a game is analysed, so deeply that it lasts."""
    request = {"record": whole_game(), "depth": "deep"}
    path = f"/api/analyses/{(await asyncio.to_thread(server.post, '/api/analyses', request))['id']}"
    while not (state := await asyncio.to_thread(server.get, path)).get("done"):
        await asyncio.sleep(0.1)
    found = await load(server, tables, pace, seconds)
    after = await asyncio.to_thread(server.get, path)
    if after["status"] != "running" or after["done"] == state["done"]:
        raise RuntimeError("the game was not analysed meanwhile")
    return found


def whole_game() -> str:
    """The record of a game between bots that play at once."""
    game = Game.new(players=2, seed=1)
    bots = [make_player("greedy", new_chance(f"bot {seat}")) for seat in range(2)]
    while game.seat is not None:
        view = game.view(game.seat)
        game.play(bots[game.seat].choose(view, view.moves))
    return game.record()


async def load(
    server: ServerProcess, tables: list[Any], pace: float, seconds: float, at_once: int = TABLES
) -> tuple[Tally, float]:
    """Play at some of the tables at once for a while, and at the others when games are over.

    Returns the tally, and the seconds that were counted.
    """
    tally, waiting = Tally(), list(enumerate(tables))
    players = keep_playing(
        waiting, at_once, tally, lambda seed, opened: LoadTable(server, opened, tally, pace, seed)
    )
    await asyncio.sleep(2.0)
    first = tally.decisions
    tally.latencies.clear()
    tally.begun = time.monotonic()
    cpu, begin = server.cpu_seconds, time.perf_counter()
    await asyncio.sleep(seconds)
    elapsed, tally.cpu = time.perf_counter() - begin, server.cpu_seconds - cpu
    tally.decisions -= first
    tally.stop = True
    if len(tables) > at_once and not waiting:
        raise MeasureError("the load ran out of tables: fewer than it should were played at")
    await stop_playing(players)
    return tally, elapsed


def keep_playing(
    waiting: list[tuple[int, Any]],
    at_once: int,
    tally: Tally,
    make_table: Callable[[int, Any], LoadTable],
) -> list[asyncio.Task[None]]:
    """Play at some of the tables that wait, with their numbers; when one is over, at the next."""

    async def play_on() -> None:
        while waiting and not tally.stop:
            await make_table(*waiting.pop()).play()

    return [asyncio.create_task(play_on()) for _ in range(min(at_once, len(waiting)))]


async def stop_playing(players: list[asyncio.Task[None]]) -> None:
    """Raises what any of them failed with."""
    for player in players:
        player.cancel()
    for result in await asyncio.gather(*players, return_exceptions=True):
        if isinstance(result, Exception) and not isinstance(result, asyncio.CancelledError):
            raise result


# ---------------------------------------------------------------- the table of results


def measure_play(
    pace: float,
    n_tables: int,
    seconds: float,
    bots: int = 0,
    version: Version = CURRENT,
    analysis: bool = False,
) -> dict[str, float]:
    cores = sorted(os.sched_getaffinity(0))
    with tempfile.TemporaryDirectory() as folder:
        server = ServerProcess(Path(folder), cores[0], version=version)
        try:
            os.sched_setaffinity(0, {cores[-1]})
            tables = server.open_tables(n_tables if pace else n_tables * GAMES)
            if analysis:
                loading = load_beside_analysis(server, tables, pace, seconds)
            else:
                loading = load_beside_bots(server, tables, pace, seconds, bots)
            tally, elapsed = uvloop.run(loading)
        finally:
            os.sched_setaffinity(0, set(cores))
            server.stop()
    times = sorted(tally.latencies)
    return {
        "begun": tally.begun,
        "decisions a second": tally.decisions / elapsed,
        "median ms": statistics.median(times) * 1e3,
        "p99 ms": times[int(len(times) * 0.99)] * 1e3,
        "worst ms": times[-1] * 1e3,
        # where bots think it is mostly theirs
        "server µs a decision": tally.cpu / tally.decisions * 1e6,
    }


def measure_idle(waves: int = 5, n_tables: int = 100) -> dict[str, float]:
    """What a table leaves behind in memory after it was played at and nobody is there any more."""
    with tempfile.TemporaryDirectory() as folder:
        server = ServerProcess(Path(folder), None, {**UNLIMITED, "COATL_IDLE_SECONDS": "3"})
        try:
            sizes = [_play_and_leave(server, n_tables) for _ in range(waves)]
        finally:
            server.stop()
    # The first wave also pays for what the server remembers of any table.
    return {"KB an idle table": (sizes[-1] - sizes[0]) / (n_tables * (waves - 1))}


def _play_and_leave(server: ServerProcess, n_tables: int) -> int:
    """Resident KB when a wave of tables has been played at, left, and forgotten."""
    uvloop.run(load(server, server.open_tables(n_tables), 0.05, 2.0))
    while server.get("/healthz")["tables"]:
        time.sleep(0.5)
    return server.resident_kb


def measure_start(n_tables: int = 10_000) -> dict[str, float]:
    """Start with an empty file, and with many stored tables; both warm."""
    with tempfile.TemporaryDirectory() as folder:
        empty = ServerProcess(Path(folder), None)
        empty.stop()
        fill_store(Path(folder), n_tables)
        full = ServerProcess(Path(folder), None)
        full.stop()
    return {"start s, empty": empty.start_seconds, "start s": full.start_seconds}


def fill_store(folder: Path, n_tables: int) -> None:
    """Tables with a log of some length, written in bulk."""
    from coatl.fairness import new_secret, promise_of
    from coatl.server.roles import Role
    from coatl.server.sqlite_store import SqliteStore
    from coatl.table import Opened, PlaceKind, PlaceSpec
    from coatl.table.entries import Joined

    store = SqliteStore(folder)
    for number in range(n_tables):
        secret = new_secret()
        places = (PlaceSpec(PlaceKind.PERSON, "Ana"), PlaceSpec(PlaceKind.PERSON, "Ben"))
        name = f"table{number}"
        opened = Opened(places, promise_of(secret))
        access = [(secrets.token_bytes(32), Role.SEAT, place) for place in (0, 1)]
        store.open_table(name, secret, opened, access, lambda _: None)
        for place in (0, 1):
            joined = Joined(place, "Ana", new_secret())
            store.append(name, 2 + place, joined, lambda _: None)
    store.close()


def rows_beside(
    bots: int, found: dict[str, float], alone: dict[str, float]
) -> list[tuple[str, float, str]]:
    """What bots that think do to the others: times the same run's figure without any."""
    who = f"the same beside {bots} {BOT}"
    aim = "<= 2" if bots == 1 else ""
    return [
        (f"{who}, median, times", found["median ms"] / alone["median ms"], aim),
        (f"{who}, p99, times", found["p99 ms"] / alone["p99 ms"], ""),
    ]


def measure_analysis() -> tuple[dict[str, float], dict[str, float]]:
    """The human pace alone, and beside an analysis."""
    print(f"Human pace at {TABLES} tables (a decision every {PACE:g} s each) ...", flush=True)
    paced = measure_play(PACE, TABLES, SECONDS)
    print("The same while a game is analysed ...", flush=True)
    return paced, measure_play(PACE, TABLES, SECONDS, analysis=True)


def rows_beside_analysis(
    found: dict[str, float], alone: dict[str, float]
) -> list[tuple[str, float, str]]:
    who = "the same beside an analysis"
    return [
        (f"{who}, median, times", found["median ms"] / alone["median ms"], ""),
        (f"{who}, p99, times", found["p99 ms"] / alone["p99 ms"], "<= 2"),
    ]


def print_rows(rows: list[tuple[str, float, str]]) -> None:
    for name, value, aim in rows:
        print(f"{name:<42} {value:>10,.2f}   {aim}")
    print(f"cores {len(os.sched_getaffinity(0))}, load {os.getloadavg()[0]:.1f}")


def paced_rows(paced: dict[str, float]) -> list[tuple[str, float, str]]:
    return [
        ("to the other player, paced, median ms", paced["median ms"], "<= 2"),
        ("to the other player, paced, p99 ms", paced["p99 ms"], "<= 15"),
    ]


def main() -> None:
    jit.load_packages()  # a server that compiles its bots' search measures the compiler
    if sys.argv[1:] == ["analysis"]:
        paced, analysed = measure_analysis()
        print_rows([*paced_rows(paced), *rows_beside_analysis(analysed, paced)])
        return
    print(f"Full speed at {TABLES} two-seat tables ...", flush=True)
    full = measure_play(0.0, TABLES, SECONDS)
    paced, analysed = measure_analysis()
    beside = {}
    for bots in BOTS:
        print(f"The same while bots think: {bots} {BOT} ...", flush=True)
        beside[bots] = measure_play(PACE, TABLES, SECONDS, bots)
    print("Idle tables, and starting ...", flush=True)
    rest = {**measure_idle(), **measure_start()}
    rows = [
        ("decisions a second, durably, full speed", full["decisions a second"], ">= 3,500"),
        ("server's CPU a decision, µs", full["server µs a decision"], "<= 285"),
        *paced_rows(paced),
        *rows_beside_analysis(analysed, paced),
        *(row for bots in BOTS for row in rows_beside(bots, beside[bots], paced)),
        ("resident KB an idle table", rest["KB an idle table"], "<= 30"),
        ("start with an empty file, s", rest["start s, empty"], ""),
        ("start with 10,000 stored tables, s", rest["start s"], "<= 2"),
    ]
    print_rows(rows)
    named = {f"paced beside {bots} bots": found for bots, found in beside.items()}
    named["paced beside an analysis"] = analysed
    save("server", {"full": full, "paced": paced, **named, **rest})


if __name__ == "__main__":
    main()
