"""The server is killed or stopped under load: what a client was told of stays done, once."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from coatl.server.sqlite_store import SqliteStore
from tests.cli.program import compiled
from tests.server import chaos, chaos_several
from tests.server.harness import (
    Browser,
    LiveServer,
    SeatClient,
    play_tables,
    run_for_a_while,
    running_server,
    seats_of,
)

pytestmark = [compiled, pytest.mark.games]

KILLS = 6  # `make chaos` kills more often
DISTURBANCES = 8


@pytest.mark.games
def test_killed_again_and_again(tmp_path: Path) -> None:
    report = chaos.run(tmp_path, KILLS, seed=1, at_once=5)
    assert report.kills == KILLS
    assert report.decisions > 100
    assert report.tables >= 5


def test_several_processes_killed_and_paused(tmp_path: Path) -> None:
    """And their database restarted and cut off; `make chaos` does it longer, and to the end."""
    report = chaos_several.run(
        tmp_path, DISTURBANCES, seed=1, at_once=50, pauses=(0.1, 0.5), to_the_end=False
    )
    assert sum(report.disturbances.values()) == DISTURBANCES
    assert set(report.disturbances) == set(chaos_several.KINDS)
    assert report.tables >= 50
    assert report.decisions > 100


@pytest.mark.games
def test_every_commit_is_synced(tmp_path: Path) -> None:
    syncs = chaos.count_syncs(tmp_path, decisions=30)
    if syncs is None:
        pytest.skip("strace is missing")
    assert syncs[0] >= syncs[1] > 30


# ---------------------------------------------------------------- stopped


def entries_in(folder: Path, table: str) -> list[str]:
    """The clients' ids in the log of a table."""
    store = SqliteStore(folder)
    try:
        stored = store.load(table)
        assert stored is not None
        ids = [getattr(entry, "id", None) for entry in stored.entries]
        return [id for id in ids if id]
    finally:
        store.close()


async def play_and_stop(server: LiveServer, browsers: list[Browser]) -> int:
    """Ask the server to end while everybody plays; its exit code."""
    stopped = asyncio.Event()
    games = [asyncio.create_task(browser.play(stopped.is_set)) for browser in browsers]
    while sum(len(browser.acknowledged) for browser in browsers) < 100:
        await asyncio.sleep(0.01)
    async with SeatClient(server, browsers[0].table, browsers[0].token) as client:
        stopping = asyncio.create_task(asyncio.to_thread(server.stop))
        await client.socket.wait_closed()
        assert client.socket.close_code == 1012
        code = await stopping
    stopped.set()
    await asyncio.gather(*games)
    return code


def test_stopped_under_load(tmp_path: Path) -> None:
    """It ends by itself and well; all that was acknowledged is there, and play goes on later."""
    with running_server(tmp_path / "data") as server:
        opened = [
            server.open_table(*kinds) for kinds in (("person", "person"), ("person", "greedy"))
        ]
        browsers = [seat for table in opened for seat in seats_of(server, table, seed=5)]
        assert run_for_a_while(play_and_stop(server, browsers)) == 0
        for browser in browsers:
            ids = entries_in(server.folder, browser.table)
            assert len(ids) == len(set(ids))
            assert set(browser.acknowledged) <= set(ids)
        server.start()
        play_tables(browsers)
    assert chaos.check_everything(server.folder, browsers) > 100
    log = server.log.read_text()
    assert log.count('"closed"') == 2
    assert '"level":"error"' not in log
    assert "Traceback" not in log
