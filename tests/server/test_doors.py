"""What reaches the server before a table does: everything has an end, and refusals are counted."""

from __future__ import annotations

import asyncio
import json
import logging
import socket
import struct
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from coatl.server import limits, open_files
from coatl.server.connection_limits import TIMES, ConnectionLimits
from coatl.server.http_guard import MAX_HEAD, MOST_HEADERS, MOST_PIPELINED, GuardedHttp
from coatl.server.limits import MOST_EARLY, AddressLimits
from coatl.server.logs import OncePerMinute
from coatl.server.names import ServerNames
from coatl.server.origin import network_of
from coatl.server.protocol import RequestError, ServerCode
from coatl.server.refusals import MOST_SOURCES, Refusals
from coatl.server.settings import ServerSettings
from coatl.server.socket_guard import FRAMES_OF_A_MESSAGE, MOST_FRAGMENTS
from tests.server.fuzzing import (
    LocalServer,
    RawSocket,
    ask,
    compiled,
    exchange,
    local_server,
    log_lines,
    open_socket,
    plug,
    raw_socket,
    read_answer,
)
from tests.server.harness import HELLO, Json, LiveServer, wait_until

pytestmark = compiled

BELOW = {"X-Forwarded-For": "192.0.2.1"}  # as a proxy on this machine tells the address
BESIDE = {"X-Forwarded-For": "192.0.2.2"}
PING, PONG, FIRST_FRAGMENT, FRAGMENT, LAST_FRAGMENT = 0x89, 0x8A, 0x01, 0x00, 0x80

Serve = Callable[..., LocalServer]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalServer]:
    with local_server(tmp_path_factory.mktemp("doors") / "data") as server:
        yield server


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Serve]:
    """Starts a server with these settings."""
    with ExitStack() as stack:
        yield lambda **settings: stack.enter_context(local_server(tmp_path / "data", **settings))


@pytest.fixture
def stopped_clock(monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    """No bucket fills again."""
    clock = SimpleNamespace(monotonic=lambda: 100.0)
    monkeypatch.setattr(limits, "time", clock)
    return clock


def counted(server: LocalServer, what: str, times: int = 1) -> None:
    wait_until(lambda: server.refusals.totals[what] >= times, f"{what} is counted")


# ---------------------------------------------------------------- heads


GET = b"GET /healthz HTTP/1.1\r\nHost: x\r\n"
CHUNKED = b"POST /api/tables HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
TOO_LONG = {
    "one long header": GET + b"X: " + b"x" * MAX_HEAD + b"\r\n\r\n",
    "a header without an end": GET + b"X: " + b"x" * 2 * MAX_HEAD,
    "a name without an end": GET + b"x" * 2 * MAX_HEAD,
    "many headers": GET + b"a: b\r\n" * (MOST_HEADERS + 1),
    "a long address": b"GET /" + b"x" * MAX_HEAD,
    "many headers after a body": CHUNKED + b"0\r\n" + b"a: b\r\n" * (MOST_HEADERS + 1),
    "a long header after a body": CHUNKED + b"0\r\na: " + b"x" * 2 * MAX_HEAD,
}


@pytest.mark.parametrize("name", TOO_LONG)
def test_a_head_has_an_end(server: LocalServer, name: str) -> None:
    before = server.refusals.totals["connection too_large"]
    answer = exchange(server, TOO_LONG[name])
    assert answer.brief == (431, "too_large")
    assert answer.headers["connection"] == "close"
    counted(server, "connection too_large", before + 1)


def test_long_heads_that_are_allowed(server: LocalServer) -> None:
    headers = b"".join(b"X-%d: %s\r\n" % (n, b"x" * 150) for n in range(MOST_HEADERS - 2))
    assert exchange(server, GET + headers + b"\r\n").status == 200


def test_bodies_are_no_heads(server: LocalServer) -> None:
    """Whether they come in chunks or not."""
    chunk = b"2000\r\n" + b" " * 0x2000 + b"\r\n"
    answer = exchange(server, CHUNKED, *[chunk] * 6, b"0\r\n\r\n")
    assert answer.brief == (400, "bad_json")
    assert ask(server, "POST", "/api/tables", b" " * 60_000).brief == (400, "bad_json")


def test_what_is_not_http_is_counted(server: LocalServer) -> None:
    before = server.refusals.totals["connection bad_request"]
    assert exchange(server, b"\x16\x03\x01\r\n\r\n").brief == (400, "bad_request")
    counted(server, "connection bad_request", before + 1)


# ---------------------------------------------------------------- pipelining


def test_few_requests_may_be_pipelined(server: LocalServer) -> None:
    with plug(server) as raw:
        raw.sendall((GET + b"\r\n") * 3)
        heard = b""
        while heard.count(b"HTTP/1.1 200 OK") < 3:
            heard += raw.recv(4096)


def test_pipelining_has_an_end(server: LocalServer, monkeypatch: pytest.MonkeyPatch) -> None:
    """While the first request is being answered, so many wait and not one more."""
    before = server.refusals.totals["connection too_fast"]
    asked = asyncio.Event()

    async def never(*_: object) -> None:
        await asked.wait()
        raise RequestError(ServerCode.UNKNOWN_TABLE)

    monkeypatch.setattr(server.manager, "room", never)
    first = b"GET /api/tables/x HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer x\r\n\r\n"
    with plug(server) as raw:
        raw.sendall(first + (GET + b"\r\n") * (MOST_PIPELINED + 1))
        assert read_answer(raw, "GET").brief == (429, "too_fast")
        assert raw.recv(1) == b""
    counted(server, "connection too_fast", before + 1)
    server.call(release(asked))


async def release(event: asyncio.Event) -> None:
    """In the loop that waits for it."""
    event.set()


# ---------------------------------------------------------------- how long it takes


HALVES = {
    "nothing": b"",
    "half a head": GET,
    "half a body": b"POST /api/tables HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n{",
    "half of a body that nobody reads": GET + b"Content-Length: 10\r\n\r\n{",
    "half a second request": GET + b"\r\n" + GET,
}


@pytest.mark.parametrize("name", HALVES)
def test_half_a_request_times_out(serve: Serve, name: str) -> None:
    server = serve(COATL_REQUEST_SECONDS="0.2")
    with plug(server) as raw:
        raw.sendall(HALVES[name])
        heard = b""
        while part := raw.recv(4096):
            heard += part
    assert (b'"too_slow"' in heard) == (name != "nothing")
    wait_until(lambda: not server.connection_limits.count, "the connection is gone")


def test_who_does_not_read_answers_is_let_go(tmp_path: Path) -> None:
    server = LocalServer(tmp_path / "data", COATL_REQUEST_SECONDS="0.2")
    server.send_buffer = 4096
    server.start()
    try:
        with socket.socket() as raw:
            raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
            raw.connect(("127.0.0.1", server.port))
            raw.sendall(b"GET /api/rules/en HTTP/1.1\r\nHost: x\r\n\r\n" * 4)
            counted(server, "connection too_slow")
            wait_until(lambda: not server.connection_limits.count, "the connection is gone")
    finally:
        server.stop()


def test_a_connection_that_is_reset_leaves_no_timer(
    server: LocalServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It would find nothing of the connection any more, and fail into the log."""
    timers: list[Any] = []
    lose = GuardedHttp.connection_lost

    def noted(self: GuardedHttp, exc: Exception | None) -> None:
        timer = self.timeout_keep_alive_task
        lose(self, exc)
        timers.append((type(exc), timer, self.timeout_keep_alive_task))

    monkeypatch.setattr(GuardedHttp, "connection_lost", noted)
    with plug(server) as raw:
        raw.sendall(GET + b"\r\n")
        read_answer(raw, "GET")
        raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    wait_until(lambda: bool(timers), "the connection is gone")
    ((error, before, after),) = timers
    assert error is ConnectionResetError
    assert before is not None
    assert after is None


# ---------------------------------------------------------------- frames


MOST_PINGS = 4


def few_frames(serve: Serve) -> tuple[LocalServer, Json]:
    """A server whose sockets may send a few messages, and a table."""
    server = serve(COATL_MESSAGES_PER_SECOND="0.001", COATL_MESSAGE_BURST=str(MOST_PINGS))
    return server, server.open_table("person", "random")


def flood(client: RawSocket, first: int, times: int) -> list[tuple[int, bytes]]:
    """Send empty frames all at once; what comes until the other side ends it."""
    client.raw.sendall((bytes([first, 0x80]) + bytes(4)) * times)
    return list(client.frames())


def end_of(frames: list[tuple[int, bytes]]) -> tuple[str, int]:
    """The code of the last refusal, and the close code."""
    refusals = [json.loads(data) for opcode, data in frames if opcode == 1]
    code = next(data for opcode, data in frames if opcode == 8)
    return refusals[-1]["code"], int.from_bytes(code[:2], "big")


@pytest.mark.parametrize("first", [PING, PONG])
def test_empty_frames_are_limited(serve: Serve, stopped_clock: object, first: int) -> None:
    server, table = few_frames(serve)
    with raw_socket(server, table["table"], table["seats"][0]) as client:
        heard = flood(client, first, 10_000)
    assert end_of(heard) == ("too_fast", 4429)
    pongs = sum(opcode == 10 for opcode, _ in heard)
    assert pongs == (MOST_PINGS if first == PING else 0)
    assert server.refusals.totals["socket too_fast"] == 1
    wait_until(lambda: not server.connection_limits.count, "the connection is gone")


def test_as_many_frames_as_allowed(serve: Serve, stopped_clock: object) -> None:
    server, table = few_frames(serve)
    with open_socket(server, table["table"], table["seats"][0]) as client:
        pongs = [client.connection.ping() for _ in range(MOST_PINGS)]
        assert all(pong.wait(60) for pong in pongs)
        client.send({"type": "ping"})
        client.hear_until("pong")


def test_messages_in_many_frames_are_limited(serve: Serve, stopped_clock: object) -> None:
    """More than may wait as messages: what is left of them is not even read."""
    server, table = few_frames(serve)
    most = FRAMES_OF_A_MESSAGE * (MOST_PINGS + MOST_EARLY)
    with raw_socket(server, table["table"], table["seats"][0]) as client:
        client.send(b"", FIRST_FRAGMENT)
        ends = (bytes([LAST_FRAGMENT, 0x80]) + bytes(4), bytes([FIRST_FRAGMENT, 0x80]) + bytes(4))
        client.raw.sendall(b"".join(ends) * most)
        assert end_of(list(client.frames())) == ("too_fast", 4429)


def test_a_message_has_few_fragments(serve: Serve) -> None:
    server = serve()
    table = server.open_table("person", "random")
    with raw_socket(server, table["table"], table["seats"][0]) as client:
        client.send(b"", FIRST_FRAGMENT)
        assert end_of(flood(client, FRAGMENT, MOST_FRAGMENTS)) == ("too_large", 1009)
    assert server.refusals.totals["socket too_large"] == 1


def test_messages_in_fragments(serve: Serve) -> None:
    server = serve()
    table = server.open_table("person", "random")
    with open_socket(server, table["table"], table["seats"][0]) as client:
        for _ in range(3):
            client.send(['{"type":', *[" "] * (MOST_FRAGMENTS - 3), '"ping"}'])
            client.hear_until("pong")


# ---------------------------------------------------------------- connections


def make_limits(**settings: Any) -> ConnectionLimits:
    return ConnectionLimits(ServerSettings(**settings), Refusals(), most=50)


def enter(limits: ConnectionLimits, address: str, times: int) -> list[str | None]:
    async def enter() -> list[str | None]:
        return [limits.enter(address) for _ in range(times)]

    return asyncio.run(enter())


def test_connections_of_an_address() -> None:
    """By its /64 if it is of IPv6; whoever leaves makes room."""
    limits = make_limits(connections_per_address=2)
    most = 2 * TIMES
    assert enter(limits, "2001:db8::1", most) == [None] * most
    assert enter(limits, "2001:db8::2", 1) == ["too_many_connections"]
    assert enter(limits, "2001:db8:0:1::1", 1) == [None]
    for _ in range(2):
        limits.leave("2001:db8::1")
    assert enter(limits, "2001:db8::3", 1) == [None]
    assert limits.refusals.totals == {"connection too_many_connections": 1}


def test_connections_that_are_opened(stopped_clock: object) -> None:
    limits = make_limits(connects_per_second=1.0, connect_burst=3)
    assert enter(limits, "192.0.2.1", 4) == [None] * 3 + ["too_fast"]
    assert enter(limits, "192.0.2.2", 1) == [None]


def test_connections_in_all_and_of_a_proxy(stopped_clock: object) -> None:
    """A proxy's are of many people."""
    limits = make_limits(connections_per_address=1, connects_per_second=1.0, connect_burst=1)
    assert enter(limits, "127.0.0.1", 51) == [None] * 50 + ["too_many_connections"]
    for _ in range(51):
        limits.leave("127.0.0.1")
    assert (limits.count, limits.by_address) == (0, {})


def test_a_connection_too_many_is_told_so(server: LocalServer) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(server.connection_limits, "most", 0)
        with plug(server) as raw:
            assert read_answer(raw).brief == (429, "too_many_connections")
    counted(server, "connection too_many_connections")


def test_sockets_are_counted_back(server: LocalServer) -> None:
    table = server.open_table("person", "random")
    with open_socket(server, table["table"], table["seats"][0]):
        assert server.connection_limits.count >= 1
    wait_until(lambda: not server.connection_limits.count, "all connections are gone")


# ---------------------------------------------------------------- open files


@pytest.mark.skipif(sys.platform == "win32", reason="there is no such limit")
@pytest.mark.parametrize(
    ("soft", "hard", "expected"),
    [(1024, 100_000, 8_256), (1024, 4096, 4096), (20_000, 20_000, 20_000), (-1, -1, 65_536)],
)
def test_open_files(monkeypatch: pytest.MonkeyPatch, soft: int, hard: int, expected: int) -> None:
    """The limit is raised as far as it is needed and allowed."""
    import resource

    now = [(soft, hard)]
    monkeypatch.setattr(resource, "getrlimit", lambda _: now[-1])
    monkeypatch.setattr(resource, "setrlimit", lambda _, pair: now.append(pair))
    assert open_files.raise_limit(4_000) == expected
    assert now[-1] == (soft if expected in (soft, 65_536) else expected, hard)


def test_connections_leave_files_for_the_rest() -> None:
    assert open_files.most_connections(1024) == 1024 - open_files.SPARE
    assert open_files.most_connections(100) == open_files.FEWEST


# ---------------------------------------------------------------- quotas


def test_all_addresses_together(stopped_clock: object) -> None:
    """So many times what one may; who is refused takes nothing from the others."""
    quota = AddressLimits(1.0, 2, times=2)
    assert [bool(quota.take("a")) for _ in range(9)] == [False] * 2 + [True] * 7
    assert [bool(quota.take(name)) for name in "bcd"] == [False, False, True]


def test_only_those_who_failed_wait(stopped_clock: object) -> None:
    quota = AddressLimits(1.0, 2, times=2)
    for name in "abcd":
        quota.take(name)
    assert [bool(quota.wait_after(name)) for name in "abe"] == [True, True, False]


@pytest.mark.parametrize(
    ("address", "network"),
    [
        ("192.0.2.1", "192.0.2.1"),
        ("::ffff:192.0.2.1", "192.0.2.1"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("x" * 1000, "x" * 100),
    ],
)
def test_whose_address_it_is(address: str, network: str) -> None:
    assert network_of(address) == network


def test_a_network_shares_its_limits(serve: Serve, stopped_clock: object) -> None:
    server = serve(COATL_REQUESTS_PER_SECOND="1", COATL_REQUEST_BURST="2")
    asked = [
        ask(server, "GET", "/api/bots", headers={"X-Forwarded-For": address}).status
        for address in ("2001:db8::1", "2001:db8::2", "2001:db8::3", "2001:db8:0:1::1")
    ]
    assert asked == [200, 200, 429, 200]


def test_files_of_an_address(serve: Serve, stopped_clock: object) -> None:
    server = serve(COATL_FILES_PER_SECOND="0.5", COATL_FILE_BURST="3")
    paths = ["/", "/nosuch", "/assets/nosuch.js", "/"]
    answers = [ask(server, "GET", path, headers=BELOW) for path in paths]
    assert [answer.status == 429 for answer in answers] == [False] * 3 + [True]
    assert (answers[-1].code, answers[-1].headers["retry-after"]) == ("too_fast", "2")
    assert ask(server, "GET", "/api/bots", headers=BELOW).status == 200
    assert ask(server, "GET", "/nosuch", headers=BESIDE).status == 404
    assert server.refusals.totals["file too_fast"] == 1


def test_whatever_is_asked_of_the_api_counts(serve: Serve, stopped_clock: object) -> None:
    """Also what there is not."""
    server = serve(COATL_REQUESTS_PER_SECOND="1", COATL_REQUEST_BURST="2")
    paths = ["/api/nosuch", "/api/openapi.json", "/api/nosuch"]
    assert [ask(server, "GET", path, headers=BELOW).status for path in paths] == [404, 200, 429]


def test_opening_of_sockets(serve: Serve, stopped_clock: object) -> None:
    server = serve(COATL_SOCKETS_PER_SECOND="1", COATL_SOCKET_BURST="2")
    table = server.open_table("person", "random")
    for _ in range(2):
        with open_socket(server, table["table"], table["seats"][0], additional_headers=BELOW):
            pass
    with open_socket(server, table["table"], additional_headers=BELOW) as client:
        assert client.end() == (4429, "too_fast")
    with open_socket(server, table["table"], table["seats"][0], additional_headers=BESIDE):
        pass
    assert server.refusals.totals["socket too_fast"] == 1


def test_guesses_of_tokens(serve: Serve, stopped_clock: object) -> None:
    """After so many wrong ones, whatever the table, an address has to wait; nobody else has to."""
    server = serve(COATL_GUESSES_PER_MINUTE="1", COATL_GUESS_BURST="3")
    table = server.open_table("person", "random")
    path, token = f"/api/tables/{table['table']}", table["watch"]
    wrong = [
        ask(server, "GET", path, token="x", headers=BELOW).brief,
        ask(server, "GET", "/api/tables/nosuch", token=token, headers=BELOW).brief,
    ]
    assert wrong == [(401, "bad_token"), (404, "unknown_table")]
    assert ask(server, "GET", path, token=token, headers=BELOW).status == 200
    with open_socket(server, table["table"], additional_headers=BELOW) as client:
        client.send({**HELLO, "token": "x" * 32})
        assert client.end() == (4401, "bad_token")
    answer = ask(server, "GET", path, token=token, headers=BELOW)
    assert (answer.brief, answer.headers["retry-after"]) == ((429, "too_fast"), "60")
    with open_socket(server, table["table"], additional_headers=BELOW) as client:
        assert client.end() == (4429, "too_fast")
    assert ask(server, "GET", "/api/bots", headers=BELOW).status == 200
    assert ask(server, "GET", path, token=token, headers=BESIDE).status == 200


# ---------------------------------------------------------------- names


NAMES = ServerNames(frozenset(), frozenset({"box.lan", "box"}))
STRICT = ServerNames(frozenset({"coatl.example"}), frozenset({"box.lan"}))


@pytest.mark.parametrize(
    "host",
    [
        *("127.0.0.1:8642", "localhost:8642", "LOCALHOST", "a.localhost:8642", "localhost.:8642"),
        *("192.0.2.7:8642", "[::1]:8642", "[2001:db8::1]", "box:8642", "box.lan:8642", ""),
    ],
)
def test_names_that_are_always_right(host: str) -> None:
    assert NAMES.fits(host, 8642)
    assert STRICT.fits(host, 8642)


@pytest.mark.parametrize(
    "host",
    [
        *("elsewhere.example:8642", "box.lan.elsewhere.example:8642", "127.0.0.1.example:8642"),
        *("user@127.0.0.1:8642", "a b", "[::1", "[x]:1", "localhost:x", "localhost:8642:1", "/"),
        *("127.0.0.1:8642, localhost", "elsewhere.example.:8642", "1.2.3:8642"),
    ],
)
def test_names_that_are_wrong(host: str) -> None:
    assert not NAMES.fits(host, 8642)
    assert not STRICT.fits(host, 8642)


def test_names_by_way_of_a_proxy() -> None:
    """It was asked at another port; with names given it is only those."""
    assert NAMES.fits("coatl.example", 8642)
    assert NAMES.fits("coatl.example:8443", 8642)
    assert not NAMES.fits("coatl.example", 80)
    assert STRICT.fits("coatl.example", 8642)
    assert STRICT.fits("Coatl.example:8642", 8642)
    assert not STRICT.fits("elsewhere.example", 8642)


def test_the_server_listens_on_a_name() -> None:
    assert ServerNames.of([], "Table.example").fits("table.example:8642", 8642)


def test_another_name_is_refused(server: LocalServer) -> None:
    """Whatever is asked, and however."""
    host = {"Host": f"elsewhere.example:{server.port}"}
    for path in ("/", "/api/cards", "/healthz"):
        assert ask(server, "GET", path, headers=host).brief == (421, "wrong_host")
    origin = {"Origin": f"http://elsewhere.example:{server.port}"}
    before = server.store.count_tables()
    assert ask(server, "POST", "/api/tables", {}, headers=host | origin).code == "wrong_host"
    assert server.store.count_tables() == before
    assert server.refusals.totals["request wrong_host"] == 4


def test_a_socket_by_another_name_is_refused(server: LocalServer) -> None:
    table = server.open_table("person", "random")
    lines = [f"GET /api/tables/{table['table']}/socket HTTP/1.1", "Upgrade: websocket"]
    lines += [f"Host: elsewhere.example:{server.port}", "Connection: Upgrade"]
    lines += ["Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="]
    assert exchange(server, "\r\n".join([*lines, "", ""]).encode()).status == 403
    assert server.refusals.totals["socket wrong_host"] == 1


def test_the_program_at_its_doors(tmp_path: Path) -> None:
    """A name by the option; files are told at the start, and what was refused at the end."""
    server = LiveServer(tmp_path / "data")
    server.options = ("--name", "coatl.example", "--name", "www.coatl.example")
    server.start()
    try:
        asked = ["coatl.example", "www.coatl.example:443", "elsewhere.example", "elsewhere.example"]
        answers = [ask(server, "GET", "/healthz", headers={"Host": host}) for host in asked]
        assert [answer.status for answer in answers] == [200, 200, 421, 421]
        assert exchange(server, TOO_LONG["many headers"]).status == 431
    finally:
        assert server.stop() == 0
    first, *others = log_lines(server)
    assert first["open_files"] > 0
    refused = [line for line in others if line["event"] == "refused"]
    assert [(line["what"], line["code"], line["count"]) for line in refused] == [
        ("connection", "too_large", 1),
        ("request", "wrong_host", 2),
    ]
    assert "127.0.0.1" not in str(others)


# ---------------------------------------------------------------- counting


def refused_lines(caplog: pytest.LogCaptureFixture) -> list[Json]:
    records = [record for record in caplog.records if record.getMessage() == "refused"]
    return [record.fields for record in records]  # type: ignore[attr-defined]


def test_refusals_are_logged_by_kind(caplog: pytest.LogCaptureFixture) -> None:
    async def refuse() -> Refusals:
        refusals = Refusals()
        for number in range(10):
            refusals.count("request", "too_fast", "192.0.2.1" if number else "192.0.2.2")
        refusals.count("socket", "too_fast", "192.0.2.1")
        assert refused_lines(caplog) == []
        refusals.log()
        refusals.log()  # there is nothing more to say
        return refusals

    with caplog.at_level(logging.INFO, "coatl.server.refusals"):
        refusals = asyncio.run(refuse())
    first, second = refused_lines(caplog)
    ours, other = refusals.hash("192.0.2.1"), refusals.hash("192.0.2.2")
    assert first["most"] == {ours: 9, other: 1}
    assert (first["what"], first["code"]) == ("request", "too_fast")
    assert (first["count"], first["sources"]) == (10, 2)
    assert (second["what"], second["count"]) == ("socket", 1)
    assert refusals.totals == {"request too_fast": 10, "socket too_fast": 1}


def test_addresses_are_not_told() -> None:
    """Not even the same address is the same in another process."""
    first, second = (Refusals().hash("192.0.2.1") for _ in range(2))
    assert first != second


def test_few_sources_are_told_apart() -> None:
    async def refuse() -> int:
        refusals = Refusals()
        for number in range(MOST_SOURCES + 100):
            refusals.count("request", "too_fast", str(number))
        return len(refusals._unlogged["request", "too_fast"])

    assert asyncio.run(refuse()) == MOST_SOURCES + 1


def test_counts_are_told_to_this_machine(serve: Serve) -> None:
    server = serve()
    ask(server, "GET", "/api/tables/nosuch", token="x")
    assert ask(server, "GET", "/healthz").json["refused"] == {"request unknown_table": 1}
    assert ask(server, "GET", "/healthz", headers=BELOW).json.get("refused") is None


# ---------------------------------------------------------------- the log


def test_the_log_does_not_grow_by_what_strangers_send(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr("coatl.server.logs.time", SimpleNamespace(monotonic=lambda: now[0]))
    written = OncePerMinute()

    def passes(message: str, level: int = logging.WARNING, **fields: object) -> Any:
        record = logging.LogRecord("x", level, "", 1, message, None, None)
        record.fields = fields
        return written.filter(record) and vars(record)["fields"]

    assert passes("Invalid HTTP request received.") == {}
    assert not any(passes("Invalid HTTP request received.") is not False for _ in range(9))
    assert passes("another") == {}
    assert passes("ready", logging.INFO) == passes("ready", logging.INFO) == {}
    assert passes("damaged", table="a") == {"table": "a"}
    assert passes("damaged", table="b") == {"table": "b"}
    now[0] += 60
    assert passes("Invalid HTTP request received.") == {"more": 9}
