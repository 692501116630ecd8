"""How fast somebody may ask: messages of a socket wait, requests are refused."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from coatl.server import limits, socket
from coatl.server.incoming import Incoming
from coatl.server.limits import MOST_EARLY, AddressLimits, Bucket
from tests.server.fuzzing import (
    LocalServer,
    RecordingClient,
    ask,
    compiled,
    finish,
    join,
    local_server,
    open_socket,
    wait_until_empty,
)
from tests.server.harness import wait_until

pytestmark = compiled

NEW_TABLE = {"places": [{"kind": "person"}, {"kind": "bot", "bot": "random"}]}
BELOW = {"X-Forwarded-For": "192.0.2.1"}  # as a proxy on this machine tells the address
BESIDE = {"X-Forwarded-For": "192.0.2.2"}
PING = {"type": "ping"}

Serve = Callable[..., LocalServer]


class Clock:
    """The time that buckets go by; it stands still unless a test moves it."""

    def __init__(self) -> None:
        self.now = 100.0


@pytest.fixture(autouse=True)
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(limits, "time", SimpleNamespace(monotonic=lambda: clock.now))
    return clock


@pytest.fixture
def sockets(monkeypatch: pytest.MonkeyPatch) -> list[Incoming]:
    """Every socket of the server, the newest last."""
    sockets: list[Incoming] = []

    class Noted(Incoming):
        def __init__(self, *args: Any) -> None:
            super().__init__(*args)
            sockets.append(self)

    monkeypatch.setattr(socket, "Incoming", Noted)
    return sockets


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Serve]:
    """Starts a server with these settings."""
    with ExitStack() as stack:
        yield lambda **settings: stack.enter_context(local_server(tmp_path / "data", **settings))


# ---------------------------------------------------------------- buckets


def test_a_bucket_fills_again(clock: Clock) -> None:
    bucket = Bucket(rate=2.0, burst=3)
    assert [bucket.take() for _ in range(4)] == [0, 0, 0, 0.5]
    clock.now += 0.25
    assert bucket.take() == 0.25
    clock.now += 0.25
    assert [bucket.take() for _ in range(2)] == [0, 0.5]
    clock.now += 1000
    assert [bucket.take() for _ in range(4)] == [0, 0, 0, 0.5]


def test_no_rate_is_no_limit() -> None:
    assert not any(Bucket(rate=0, burst=1).take() for _ in range(100))


def test_addresses_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    """Those not heard of for longest first, so that the memory has an end."""
    monkeypatch.setattr(limits, "MOST_ADDRESSES", 3)
    addresses = AddressLimits(1.0, 1)
    assert not any(addresses.take(name) for name in "abc")
    assert addresses.take("a")
    assert not addresses.take("d")  # b is forgotten
    assert not addresses.take("b")
    assert addresses.take("a")


# ---------------------------------------------------------------- messages


def slow_server(serve: Serve, burst: int) -> LocalServer:
    """One that answers `burst` messages of a socket, and more only when the clock moves on."""
    return serve(COATL_MESSAGES_PER_SECOND="0.001", COATL_MESSAGE_BURST=str(burst))


def waiting(sockets: list[Incoming]) -> int:
    return len(sockets[-1]._early)


def ping(client: RecordingClient, times: int) -> None:
    for _ in range(times):
        client.send(PING)


def hear_pongs(client: RecordingClient, times: int) -> None:
    for _ in range(times):
        client.hear_until("pong")


def test_messages_that_come_too_fast_wait(
    serve: Serve, sockets: list[Incoming], clock: Clock
) -> None:
    """They are answered in their order, and nobody else is held up."""
    server = slow_server(serve, burst=5)
    table = server.open_table("person", "random")
    with open_socket(server, table["table"], table["seats"][0]) as client:
        ping(client, 4)  # hello was the first
        hear_pongs(client, 4)
        join(client)
        ping(client, 2)
        wait_until(lambda: waiting(sockets) == 3, "three messages wait")
        with open_socket(server, table["table"], table["watch"]) as other:
            ping(other, 4)
            hear_pongs(other, 4)
        assert "join" not in [message.get("reply") for message in client.heard]
        clock.now += 5000
        ping(client, 1)  # its arrival lets the server look at the clock
        client.hear_until("state", reply="join")
        hear_pongs(client, 3)
        assert client.refusals == []


def test_a_message_waits_no_longer_than_it_has_to(serve: Serve, clock: Clock) -> None:
    """Nothing else has to come for it to be answered."""
    server = serve(COATL_MESSAGES_PER_SECOND="1000", COATL_MESSAGE_BURST="1")
    table = server.open_table("person", "random")
    with open_socket(server, table["table"], table["seats"][0]) as client:
        for _ in range(3):
            ping(client, 1)
            clock.now += 1
            hear_pongs(client, 1)


def test_who_leaves_while_messages_wait(serve: Serve, sockets: list[Incoming]) -> None:
    """What was sent before is done."""
    server = slow_server(serve, burst=1)
    table = server.open_table("person", "random")
    with open_socket(server, table["table"], table["seats"][0]) as client:
        join(client, name="Ana")
        wait_until(lambda: waiting(sockets) == 1, "a message waits")
    wait_until_empty(server)
    state = ask(server, "GET", f"/api/tables/{table['table']}", token=table["watch"]).json
    assert (state["places"][0]["name"], state["places"][0]["ready"]) == ("Ana", True)


def test_a_server_stops_while_messages_wait(serve: Serve, sockets: list[Incoming]) -> None:
    server = slow_server(serve, burst=1)
    table = server.open_table("person", "random")
    with open_socket(server, table["table"], table["seats"][0]) as client:
        ping(client, 2)
        wait_until(lambda: waiting(sockets) == 2, "two messages wait")
        server._server.should_exit = True
        assert client.end()[0] == 1012


def test_who_does_not_stop_is_let_go(serve: Serve, sockets: list[Incoming]) -> None:
    """So many may wait, and not one more."""
    server = slow_server(serve, burst=1)
    table = server.open_table("person", "random")
    with open_socket(server, table["table"], table["seats"][0]) as client:
        ping(client, MOST_EARLY)
        wait_until(lambda: waiting(sockets) == MOST_EARLY, "as many wait as may")
        ping(client, 1)
        assert client.end() == (4429, "too_fast")
        assert client.refusals == ["too_fast"]


def test_what_waits_is_small(serve: Serve, sockets: list[Incoming]) -> None:
    """It is kept as it was understood, or as the reason why it was not."""
    server = slow_server(serve, burst=1)
    table = server.open_table("person", "random")
    with open_socket(server, table["table"], table["seats"][0]) as client:
        client.send('{"type": "ping"' + " " * 10_000 + "}")
        client.send({"type": "ping", "x" * 10_000: 1})
        client.send("x" * 10_000)
        wait_until(lambda: waiting(sockets) == 3, "three messages wait")
        assert all(len(repr(message)) < 300 for message in sockets[-1]._early)


def test_no_limit_of_messages(serve: Serve) -> None:
    server = serve(COATL_MESSAGES_PER_SECOND="0", COATL_MESSAGE_BURST="1")
    table = server.open_table("person", "random")
    with open_socket(server, table["table"], table["seats"][0]) as client:
        for _ in range(200):
            ping(client, 1)
            hear_pongs(client, 1)


# ---------------------------------------------------------------- requests


def test_requests_of_an_address(serve: Serve, clock: Clock) -> None:
    server = serve(COATL_REQUESTS_PER_SECOND="0.4", COATL_REQUEST_BURST="5")
    statuses = [ask(server, "GET", "/api/bots", headers=BELOW).status for _ in range(7)]
    assert statuses == [200] * 5 + [429] * 2
    answer = ask(server, "POST", "/api/tables", NEW_TABLE, headers=BELOW)
    assert (answer.brief, answer.headers["retry-after"]) == ((429, "too_fast"), "3")
    assert ask(server, "POST", "/api/tables", NEW_TABLE, headers=BESIDE).status == 200
    clock.now += int(answer.headers["retry-after"])
    assert ask(server, "POST", "/api/tables", NEW_TABLE, headers=BELOW).status == 200


def test_new_tables_of_an_address(serve: Serve, clock: Clock) -> None:
    server = serve(COATL_TABLES_PER_MINUTE="12", COATL_TABLE_BURST="3")
    answers = [ask(server, "POST", "/api/tables", NEW_TABLE, headers=BELOW) for _ in range(5)]
    assert [answer.status for answer in answers] == [200] * 3 + [429] * 2
    assert (answers[-1].code, answers[-1].headers["retry-after"]) == ("too_fast", "5")
    assert ask(server, "GET", "/api/bots", headers=BELOW).status == 200
    assert ask(server, "POST", "/api/tables", NEW_TABLE, headers=BESIDE).status == 200
    assert server.store.count_tables() == 4
    clock.now += 5
    assert ask(server, "POST", "/api/tables", NEW_TABLE, headers=BELOW).status == 200


def test_only_what_came_too_fast_says_when_to_come_again(serve: Serve) -> None:
    answer = ask(serve(), "POST", "/api/tables", {})
    assert (answer.brief, answer.headers["retry-after"]) == ((400, "bad_message"), None)


def test_a_rematch_is_a_new_table(serve: Serve) -> None:
    server = serve(COATL_TABLES_PER_MINUTE="1", COATL_TABLE_BURST="1")
    opened = ask(server, "POST", "/api/tables", NEW_TABLE, headers=BELOW).json
    finish(server, opened)
    path = f"/api/tables/{opened['table']}/rematch"
    again = ask(server, "POST", path, token=opened["owner"], headers=BELOW)
    assert again.brief == (429, "too_fast")
    assert ask(server, "POST", path, token=opened["owner"], headers=BESIDE).status == 200
