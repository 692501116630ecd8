"""A server that is stopped: nothing new begins, what runs goes on, and everybody is told."""

from __future__ import annotations

import asyncio
import json
import signal
from pathlib import Path

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from coatl.server import run
from coatl.server.settings import ServerSettings
from tests.server.fuzzing import compiled
from tests.server.harness import (
    CONNECTING,
    LiveServer,
    SeatClient,
    clients_of,
    run_for_a_while,
    running_server,
)

pytestmark = compiled

RESTART = 1012  # the close code after which a browser comes back
FOREVER = "600"  # seconds of draining; a second signal ends it
OPENING = {"places": [{"kind": "person"}, {"kind": "person"}]}


def signal_server(server: LiveServer) -> None:
    assert server.process is not None
    server.process.send_signal(signal.SIGTERM)


async def until_not_ready(server: LiveServer) -> None:
    while (await asyncio.to_thread(server.request, "GET", "/readyz"))[0] == 200:
        await asyncio.sleep(0.01)


async def close_code(client: SeatClient) -> int | None:
    """Read until the server closes; how it does."""
    try:
        while True:
            await client.receive()
    except ConnectionClosed as closed:
        return closed.rcvd.code if closed.rcvd is not None else None


def test_games_go_on_while_nothing_new_begins(tmp_path: Path) -> None:
    with running_server(tmp_path / "data", COATL_DRAIN_SECONDS=FOREVER) as server:
        opened = server.open_table("person", "person", draw_seats=False)

        async def play() -> list[int | None]:
            first, second = clients_of(server, opened)
            async with first, second:
                await first.join()
                await second.join()
                signal_server(server)
                await until_not_ready(server)
                await refuses_what_is_new(server, opened["table"], opened["watch"])
                state = await first.state_at(3)
                assert state["status"] == "playing"
                mover = first if first.is_my_turn else second
                await mover.state_at(3)
                answer = await mover.decide()
                assert answer["version"] == 4
                signal_server(server)
                return [await close_code(client) for client in (first, second)]

        assert run_for_a_while(play()) == [RESTART, RESTART]
        assert server.process is not None
        assert server.process.wait(30) == 0
        assert len(server.read_log(opened["table"])) == 4


async def refuses_what_is_new(server: LiveServer, table: str, watch: str) -> None:
    def ask() -> None:
        status, answer = server.request("GET", "/readyz")
        assert (status, answer["code"]) == (503, "shutting_down")
        assert server.request("GET", "/healthz")[1]["status"] == "closing"
        status, answer = server.request("POST", "/api/tables", OPENING)
        assert (status, answer["code"]) == (503, "shutting_down")
        status, answer = server.request("GET", f"/api/tables/{table}", token=watch)
        assert (status, answer["table"]) == (200, table)

    await asyncio.to_thread(ask)
    async with connect(server.socket_url(table), **CONNECTING) as socket:
        assert json.loads(await socket.recv())["code"] == "shutting_down"
        await socket.wait_closed()
        assert socket.close_code == RESTART


def test_no_socket_is_lost_without_a_code_and_nothing_acknowledged(tmp_path: Path) -> None:
    """Also those that have just said hello, or are in the middle of a decision."""
    with running_server(tmp_path / "data") as server:
        tables = [server.open_table("person", "person") for _ in range(5)]

        async def play() -> list[tuple[int | None, int]]:
            clients = [client for opened in tables for client in clients_of(server, opened)]
            for client in clients:
                await client.__aenter__()
                await client.join()
            playing = [asyncio.create_task(play_on(client)) for client in clients]
            idle = await connect(server.socket_url(tables[0]["table"]), **CONNECTING)
            signal_server(server)
            await asyncio.gather(*playing)
            await idle.wait_closed()
            assert idle.close_code == RESTART
            return [await task for task in playing]

        ends = run_for_a_while(play())
        assert [code for code, _ in ends] == [RESTART] * 10
        assert server.process is not None
        assert server.process.wait(30) == 0
        stored = [len(server.read_log(opened["table"])) for opened in tables for _ in range(2)]
        for (_, acknowledged), count in zip(ends, stored, strict=True):
            assert acknowledged <= count


async def play_on(client: SeatClient) -> tuple[int | None, int]:
    """Until the server closes: with which code, and the last version that was acknowledged."""
    acknowledged = int(client.state["version"])
    try:
        while True:
            if client.is_my_turn:
                answer = await client.decide()
                acknowledged = int(answer.get("version", acknowledged))
            else:
                await client.receive()
    except ConnectionClosed as closed:
        return (closed.rcvd.code if closed.rcvd is not None else None), acknowledged


def test_workers_are_given_the_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever watches over them does not end them before."""
    given = []

    class Watch:
        def __init__(self, _sockets: object, _start: object, drain: float) -> None:
            given.append(drain)

        def run(self) -> None:
            pass

    monkeypatch.setattr(run, "Supervisor", Watch)
    monkeypatch.setattr(run, "set_up_logs", lambda: None)
    settings = ServerSettings(drain_seconds=7)
    run.serve_with_workers("127.0.0.1", 0, tmp_path / "data", settings, 2, {})
    assert given == [7]
