"""A server in this process, clients with bad manners, and a look into the server's log."""

from __future__ import annotations

import asyncio
import base64
import http.client
import json
import random
import secrets
import socket
import threading
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from email.message import Message
from pathlib import Path
from typing import Any, TypeVar

import pytest
import uvicorn
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from coatl.compiler import jit
from coatl.compiler.functions import DISABLED
from coatl.server import app as app_module
from coatl.server import run
from coatl.server.connection_limits import ConnectionLimits
from coatl.server.doors import Doors
from coatl.server.manager import TableManager
from coatl.server.names import ServerNames
from coatl.server.protocol import CODE_MEANINGS
from coatl.server.refusals import Refusals
from coatl.server.settings import ServerSettings
from coatl.server.sqlite_store import SqliteStore
from tests.server.harness import GENEROUS, HELLO, PATIENCE, Json, LiveServer, wait_until

T = TypeVar("T")
TEXT, BINARY, CLOSE = 0x81, 0x82, 0x88  # the first bytes of frames
CODES = frozenset(CODE_MEANINGS)
MOST_CONNECTIONS = 1_000

compiled = pytest.mark.skipif(
    DISABLED, reason="the server runs compiled, whatever the tests run as"
)


def few_or_many(few: int, many: int) -> pytest.MarkDecorator:
    """How often something random is tried, as `count`: the few are the first of the many."""
    return pytest.mark.parametrize(
        "count",
        [pytest.param(few, marks=pytest.mark.brief), pytest.param(many, marks=pytest.mark.games)],
    )


# ---------------------------------------------------------------- a server in this process


class LocalServer(LiveServer):
    """The same server in a thread, where a test can look into it and break it."""

    def __init__(self, folder: Path, **settings: str) -> None:
        super().__init__(folder, **settings)
        self.limits = ServerSettings.from_environment({**GENEROUS, **settings})
        self.managers: list[TableManager] = []
        self.send_buffer: int | None = None  # bytes that the kernel keeps for a slow reader
        self.names: tuple[str, ...] = ()

    @property
    def manager(self) -> TableManager:
        return self.managers[-1]

    def start(self) -> None:
        jit.load_all()
        self.store = SqliteStore(self.folder)
        listening = run.listen("127.0.0.1", self.port)
        if self.send_buffer is not None:  # those it accepts get the same
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, self.send_buffer)
        self.port = listening.getsockname()[1]
        self.refusals = Refusals()
        self.app = self._make_app()
        self.connection_limits = ConnectionLimits(self.limits, self.refusals, MOST_CONNECTIONS)
        doors = Doors(self.app, self.limits, ServerNames.of(self.names, "127.0.0.1"), self.refusals)
        self._server = uvicorn.Server(run.make_config(doors, self.connection_limits))
        self._thread = threading.Thread(target=self._server.run, args=([listening],))
        self._thread.start()
        wait_until(self.is_up, "the server answers")

    def _make_app(self) -> Any:
        """With a manager that we know of."""

        def make_manager(*arguments: Any) -> TableManager:
            self.managers.append(TableManager(*arguments))
            return self.managers[-1]

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(app_module, "TableManager", make_manager)
            return app_module.make_app(self.store, self.limits, self.refusals)

    def call(self, coroutine: Coroutine[Any, Any, T]) -> T:
        """Run something in the server's event loop."""
        return asyncio.run_coroutine_threadsafe(coroutine, self._loop()).result(PATIENCE)

    def _loop(self) -> asyncio.AbstractEventLoop:
        sweeper = self.manager._sweeper
        assert sweeper is not None
        return sweeper.get_loop()

    def stop(self) -> int:
        self._server.should_exit = True
        self._thread.join(PATIENCE)
        self.store.close()
        return 0

    def kill(self) -> None:
        raise NotImplementedError("a thread cannot be killed")


@contextmanager
def local_server(folder: Path, **settings: str) -> Iterator[LocalServer]:
    server = LocalServer(folder, **settings)
    server.start()
    try:
        yield server
    finally:
        server.stop()


# ---------------------------------------------------------------- mutations

ODD_VALUES: tuple[object, ...] = (
    *(None, True, False, 0, -1, 1, 2**31, -(2**63), 2**64, 10**400, 0.5, 1e308),
    *("", " ", "x", "0", "null", "-1", "\0", "\n", "a,b", "#", "bot:greedy", "é" * 50, "🐍" * 30),
    *("\u202e", "\ufeff", "%00", "../..", "' OR 1=1 --", "<script>", "x" * 5000, "0" * 64),
    *([], {}, [[]], [None] * 60, {"type": "ping"}, {"a": {"b": {}}}),
)
ODD_KEYS = ("", "type", "id", "token", "extra", "__class__", "é", "a" * 300)


def mutate(rng: random.Random, message: Json) -> bytes:
    """A message that somebody spoilt: its fields, or its text."""
    spoilt = dict(message)
    for _ in range(rng.randint(1, 3)):
        rng.choice((_drop_field, _change_field, _add_field, _nest_field))(rng, spoilt)
    text = json.dumps(spoilt, ensure_ascii=rng.random() < 0.5).encode()
    return _spoil_text(rng, text) if rng.random() < 0.3 else text


def _drop_field(rng: random.Random, message: Json) -> None:
    if message:
        del message[rng.choice(list(message))]


def _change_field(rng: random.Random, message: Json) -> None:
    if message:
        message[rng.choice(list(message))] = rng.choice(ODD_VALUES)


def _add_field(rng: random.Random, message: Json) -> None:
    message[rng.choice(ODD_KEYS)] = rng.choice(ODD_VALUES)


def _nest_field(rng: random.Random, message: Json) -> None:
    if message:
        key = rng.choice(list(message))
        message[key] = [message[key]] if rng.random() < 0.5 else {key: message[key]}


def _spoil_text(rng: random.Random, text: bytes) -> bytes:
    """Bytes cut out, put in, doubled or changed."""
    at = rng.randrange(len(text) + 1)
    to = min(at + rng.randint(0, 8), len(text))
    noise = rng.choice((b"", b"\xff", b"\x00", b'"', b"{", b"]", b"\\ud800", b",", text[at:to] * 2))
    return text[:at] + noise + text[to:]


# ---------------------------------------------------------------- requests


@dataclass(frozen=True)
class HttpAnswer:
    """What a request was answered with, headers too."""

    status: int
    headers: Message
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def code(self) -> str:
        """The error code of a problem; empty for an answer that is none."""
        return str(self.json["code"]) if self.status >= 400 else ""

    @property
    def brief(self) -> tuple[int, str]:
        return self.status, self.code


def ask(
    server: LiveServer,
    method: str,
    path: str,
    body: object = None,
    token: str | None = None,
    headers: dict[str, str] | None = None,
) -> HttpAnswer:
    """One request on a connection of its own; `body` may be bytes, sent as they are."""
    data = body if isinstance(body, bytes) or body is None else json.dumps(body).encode()
    sent = dict(headers or {})
    if token is not None:
        sent["Authorization"] = f"Bearer {token}"
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE)
    try:
        connection.request(method, path, data, sent)
        answer = connection.getresponse()
        return HttpAnswer(answer.status, answer.headers, answer.read())
    finally:
        connection.close()


@contextmanager
def plug(server: LiveServer) -> Iterator[socket.socket]:
    """A bare connection."""
    with socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE) as raw:
        yield raw


def read_answer(raw: socket.socket, method: str = "POST") -> HttpAnswer:
    """One HTTP answer from a bare connection."""
    answer = http.client.HTTPResponse(raw, method=method)
    try:
        answer.begin()
        return HttpAnswer(answer.status, answer.headers, answer.read())
    finally:
        answer.close()


def exchange(server: LiveServer, *parts: bytes) -> HttpAnswer:
    """Send bytes as they are on a new connection, and read an answer."""
    with plug(server) as raw:
        for part in parts:
            raw.sendall(part)
        return read_answer(raw)


# ---------------------------------------------------------------- sockets


class RecordingClient:
    """An open WebSocket; remembers every message."""

    def __init__(self, connection: ClientConnection) -> None:
        self.connection = connection
        self.heard: list[Json] = []

    def send(self, data: object) -> None:
        """A text or bytes as they are (a list in fragments); anything else as JSON."""
        raw = isinstance(data, (str, bytes, list))
        self.connection.send(data if raw else json.dumps(data))  # type: ignore[arg-type]

    def hear(self) -> Json:
        message: Json = json.loads(self.connection.recv(PATIENCE))
        self.heard.append(message)
        return message

    def hear_until(self, kind: str, **values: object) -> Json:
        """Read on until a message of this type with these values."""
        while True:
            message = self.hear()
            if message["type"] == kind and values.items() <= message.items():
                return message

    def ask(self, data: object) -> Json:
        """Send something, then a question of our own: the first refusal or reason before that."""
        self.send(data)
        mark = secrets.token_hex(8)
        self.send({"type": "why", "id": mark, "move": "1+R"})
        first: Json = {}
        while True:
            message = self.hear()
            if message.get("reply") == mark:
                return first
            if not first and message["type"] in ("refused", "reason"):
                first = message

    def hello(self, token: str, **more: object) -> Json:
        """Say hello; the first state."""
        self.send({**HELLO, "token": token, **more})
        return self.hear_until("state")

    def end(self) -> tuple[int, str]:
        """Read until the server closes: the close code (1006: none came), and the reason."""
        try:
            while True:
                self.hear()
        except ConnectionClosed as closed:
            if closed.rcvd is None:
                return 1006, ""
            return closed.rcvd.code, closed.rcvd.reason

    @property
    def refusals(self) -> list[str]:
        return [message["code"] for message in self.heard if message["type"] == "refused"]


@contextmanager
def open_socket(
    server: LiveServer, table: str, token: str | None = None, **options: Any
) -> Iterator[RecordingClient]:
    """A socket that has said hello, if there is a token."""
    address = server.socket_url(table)
    with connect(address, compression=None, max_size=None, proxy=None, **options) as connection:
        client = RecordingClient(connection)
        if token is not None:
            client.hello(token)
        yield client


class RawSocket:
    """A WebSocket by hand, for what no library would send; reads only when asked to."""

    def __init__(self, raw: socket.socket, path: str) -> None:
        self.raw = raw
        key = base64.b64encode(secrets.token_bytes(16)).decode()
        lines = [f"GET {path} HTTP/1.1", "Host: x", "Upgrade: websocket", "Connection: Upgrade"]
        lines += ["Sec-WebSocket-Version: 13", f"Sec-WebSocket-Key: {key}"]
        raw.sendall("\r\n".join([*lines, "", ""]).encode())
        head = b""
        while not head.endswith(b"\r\n\r\n"):
            head += self._take(1)
        assert head.startswith(b"HTTP/1.1 101 "), head

    def send(self, data: bytes, first: int = TEXT, length: int | None = None) -> None:
        """A frame; `first` is its first byte, `length` a lie about its length."""
        size = len(data) if length is None else length
        head = bytes([first, 0x80 | 127]) + size.to_bytes(8, "big") + bytes(4)
        self.raw.sendall(head + data)

    def say(self, message: Json) -> None:
        self.send(json.dumps(message).encode())

    def frames(self) -> Iterator[tuple[int, bytes]]:
        """Opcode and content of all that comes until the other side ends it."""
        with suppress(EOFError, ConnectionError):
            while True:
                first, size = self._take(2)
                if size >= 126:
                    size = int.from_bytes(self._take(2 if size == 126 else 8), "big")
                yield first & 15, self._take(size)

    def end(self) -> int:
        """Read to the end: the close code, 1006 if none came."""
        code = 1006
        for opcode, content in self.frames():
            if opcode == 8 and content:
                code = int.from_bytes(content[:2], "big")
                with suppress(ConnectionError):
                    self.send(content[:2], CLOSE)
        return code

    def _take(self, size: int) -> bytes:
        taken = b""
        while len(taken) < size:
            part = self.raw.recv(size - len(taken))
            if not part:
                raise EOFError
            taken += part
        return taken


@contextmanager
def raw_socket(
    server: LiveServer, table: str, token: str | None = None, buffer: int | None = None
) -> Iterator[RawSocket]:
    """`buffer` is what the kernel keeps of what is not read."""
    with socket.socket() as raw:
        raw.settimeout(PATIENCE)
        if buffer is not None:
            raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
        raw.connect(("127.0.0.1", server.port))
        opened = RawSocket(raw, f"/api/tables/{table}/socket")
        if token is not None:
            opened.say({**HELLO, "token": token})
        yield opened


def join(client: RecordingClient, **more: object) -> None:
    client.send({"type": "join", "id": "join", "nonce": secrets.token_hex(32), **more})


def finish(server: LiveServer, opened: Json) -> Json:
    """Let every person join and hand over to a bot; the last state."""
    state: Json = {}
    tokens = [token for token in opened["seats"] if token is not None]
    for token in tokens:
        with open_socket(server, opened["table"], token) as client:
            join(client)
            client.hear_until("state", reply="join")
    for token in tokens:
        with open_socket(server, opened["table"], token) as client:
            client.send({"type": "hand_over", "id": "bot", "bot": "random"})
            state = client.hear_until("state", reply="bot")
    with open_socket(server, opened["table"]) as client:
        state = client.hello(tokens[-1])
        while state["status"] != "over":
            state = client.hear_until("state")
    return state


def is_thinking(server: LocalServer, table: str) -> bool:
    """Is a bot at it?"""
    room = server.manager.rooms.get(table)
    return room is not None and room.bot_task is not None and not room.bot_task.done()


def connections(server: LiveServer) -> int:
    return int(server.request("GET", "/healthz")[1]["connections"])


def wait_until_empty(server: LiveServer) -> None:
    """Every connection is counted back."""
    wait_until(lambda: connections(server) == 0, "no connections are left")


# ---------------------------------------------------------------- the log


def log_lines(server: LiveServer) -> list[Json]:
    """What a server process logged; every line is a JSON object."""
    lines = server.log.read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def assert_calm(server: LiveServer) -> None:
    """Nothing went wrong at the server, whatever it was sent."""
    bad = [line for line in log_lines(server) if line["level"] in ("error", "critical")]
    assert bad == []
    assert "Traceback" not in server.log.read_text(encoding="utf-8")
