"""`make chaos KILLS=1000`: the server is killed again and again under load, and nothing is lost.

Every decision that a client was told of is in the log, once; every client catches up; all games
end; every record replays and verifies. SIGKILL does not test fsync (the kernel keeps what was
written), so under strace the calls of fsync are counted against the commits as well.
"""

from __future__ import annotations

import asyncio
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from http.client import HTTPException
from pathlib import Path

import msgspec

from coatl import Game
from coatl.server.sqlite_store import SqliteStore
from coatl.server.store import Store, StoredTable
from coatl.server.table_state import place_infos, table_state
from coatl.table import Table
from coatl.table.entries import AnyEntry
from tests.server.harness import Browser, LiveServer, as_json, seats_of, wait_until

MODES: tuple[tuple[tuple[str, ...], dict[str, object]], ...] = (
    (("person", "person"), {}),
    (("person", "greedy"), {}),
    (("person", "person", "random"), {"tokens": False}),
    (("person", "person", "person", "person"), {"promo": True, "draw_seats": True}),
    (("person",), {"levels": [1, 4]}),
)


@dataclass
class ChaosReport:
    kills: int
    tables: int
    decisions: int


def run(folder: Path, kills: int, seed: int = 0, at_once: int = 10) -> ChaosReport:
    """Play games and kill the server until it was killed so often; then check everything."""
    server = LiveServer(folder / "data")
    server.start()
    browsers: list[Browser] = []
    try:
        killed = asyncio.run(_play_and_kill(server, browsers, kills, seed, at_once))
        server.stop()
        decisions = check_everything(folder / "data", browsers)
    finally:
        if server.process is not None and server.process.poll() is None:
            server.kill()
    return ChaosReport(killed, len({browser.table for browser in browsers}), decisions)


async def _play_and_kill(
    server: LiveServer, browsers: list[Browser], kills: int, seed: int, at_once: int
) -> int:
    rng = random.Random(seed)
    games: set[asyncio.Task[None]] = set()
    killed = 0
    while killed < kills:
        while len(games) < at_once:
            games.add(asyncio.create_task(_one_game(server, browsers, rng)))
        await asyncio.sleep(rng.uniform(0.02, 0.5))
        await asyncio.to_thread(server.kill)
        await asyncio.to_thread(server.start)
        killed += 1
        for game in [game for game in games if game.done()]:
            game.result()
            games.discard(game)
    async with asyncio.timeout(300):
        await asyncio.gather(*games)
    return killed


async def _one_game(server: LiveServer, browsers: list[Browser], rng: random.Random) -> None:
    kinds, options = rng.choice(MODES)
    while True:
        try:
            opened = await asyncio.to_thread(server.open_table, *kinds, **options)
            break
        except (OSError, HTTPException):  # it is being killed just now
            await asyncio.sleep(0.1)
    seats = seats_of(server, opened, rng.randrange(10**9), drops=0.02)
    for seat in seats:
        seat.leaves = 0.02
    browsers += seats
    await asyncio.gather(*(seat.play() for seat in seats))


def check_everything(folder: Path, browsers: Sequence[Browser]) -> int:
    store = SqliteStore(folder)
    try:
        return check_browsers(store, browsers)
    finally:
        store.close()


def check_browsers(store: Store, browsers: Sequence[Browser], are_over: bool = True) -> int:
    """Each acknowledged id stands in the log once, at the version the client was told, and what
    each has seen last is what the log says.
    """
    acknowledged = 0
    for table in sorted({browser.table for browser in browsers}):
        stored = store.load(table)
        assert stored is not None
        ids = [id for entry in stored.entries if (id := _id(entry))]
        assert not [id for id, n in Counter(ids).items() if n > 1], "a decision was played twice"
        place_of = {id: n for n, entry in enumerate(stored.entries) if (id := _id(entry))}
        for browser in [browser for browser in browsers if browser.table == table]:
            assert browser.is_over or not are_over
            for id, version in browser.acknowledged.items():
                assert place_of[id] < version, "an acknowledged decision is missing"
                acknowledged += 1
            check_last_state(stored, browser)
        if are_over:
            _check_record(stored.entries, stored.secret)
    return acknowledged


def check_last_state(stored: StoredTable, browser: Browser) -> None:
    """A client has seen the table as it was at that version, and every event until then.

    Who was connected, and which open places were taken, is not part of a log.
    """
    if not browser.state:
        return
    table = Table.rebuild(stored.entries[: browser.state["version"]], stored.secret)
    place = browser.state["place"]
    infos = place_infos(table, lambda _place: False)
    expected = as_json(table_state(browser.table, table, place, 0, infos))
    assert browser.events == expected["events"], "events are missing, or are others"
    seen = {**browser.state, "events": expected["events"], "first_event": 0}
    for info in (*seen["places"], *expected["places"]):
        for changing in ("connected", "taken"):
            info.pop(changing, None)
    seen.pop("reply", None)
    assert seen == expected, "a client has seen what is not in the log"


def _id(entry: msgspec.Struct) -> str | None:
    return getattr(entry, "id", None)


def _check_record(entries: list[AnyEntry], secret: str) -> None:
    record = Table.rebuild(entries, secret).record()
    game = Game.replay(record)
    assert game.seed is not None
    assert game.fairness is not None
    assert game.fairness.problems(game.seed) == []


# ---------------------------------------------------------------- fsync


def count_syncs(folder: Path, decisions: int = 50) -> tuple[int, int] | None:
    """How often the server called fsync, and how often it committed; None without strace."""
    strace = shutil.which("strace")
    if strace is None:
        return None
    server = LiveServer(folder / "synced")
    server.start()
    assert server.process is not None
    pid = server.process.pid
    trace = folder / "trace.txt"
    command = [strace, "-f", "-q", "-e", "trace=fsync,fdatasync", "-o", str(trace)]
    tracer = subprocess.Popen([*command, "-p", str(pid)], stderr=subprocess.DEVNULL)
    try:
        wait_until(lambda: _is_traced(pid), "strace is attached")
        opened = server.open_table("person", "person")
        seats = seats_of(server, opened)
        asyncio.run(_play_some(seats, decisions))
        made = sum(len(seat.acknowledged) for seat in seats) + 1
    finally:
        tracer.send_signal(signal.SIGINT)
        tracer.wait(20)
        server.stop()
    calls = re.findall(r"f(?:data)?sync\(", trace.read_text())
    return len(calls), made


def _is_traced(pid: int) -> bool:
    """Every thread of a process."""
    threads = Path(f"/proc/{pid}/task").glob("*/status")
    return all("TracerPid:\t0\n" not in thread.read_text() for thread in threads)


async def _play_some(seats: list[Browser], decisions: int) -> None:
    async with asyncio.timeout(120):
        enough = lambda: sum(len(seat.acknowledged) for seat in seats) >= decisions  # noqa: E731
        await asyncio.gather(*(seat.play(enough) for seat in seats))


def main() -> None:
    kills = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        report = run(folder, kills)
        print(
            f"{report.kills} kills, {report.tables} games to the end, "
            f"{report.decisions} acknowledged decisions: none lost, none twice, every record holds"
        )
        syncs = count_syncs(folder)
        if syncs is None:
            print("strace is missing, so fsyncs were not counted (apt-get install strace)")
        else:
            print(f"{syncs[0]} fsyncs for {syncs[1]} decisions, each in a commit of its own")
            if syncs[0] < syncs[1]:
                sys.exit("fewer fsyncs than commits: a power cut could lose decisions")


if __name__ == "__main__":
    main()
