"""A real server process with a real file, and clients that behave like browsers."""

from __future__ import annotations

import asyncio
import atexit
import json
import os
import random
import resource
import secrets
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Coroutine, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any, TextIO, TypeVar

import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from coatl.server.protocol import PROTOCOL
from coatl.server.sqlite_store import FILE_NAME
from coatl.table import decode_entry
from coatl.table.entries import AnyEntry
from tests.warm.process import WarmProcess
from tests.warm.start import compile_kernel, environment

ROOT = Path(__file__).parents[2]
PATIENCE = 60  # seconds until a test gives up
GENEROUS = {
    "COATL_MESSAGES_PER_SECOND": "0",
    "COATL_REQUESTS_PER_SECOND": "0",
    "COATL_TABLES_PER_MINUTE": "0",
    "COATL_HINTS_PER_MINUTE": "0",
    "COATL_FILES_PER_SECOND": "0",
    "COATL_GUESSES_PER_MINUTE": "0",
    "COATL_SOCKETS_PER_SECOND": "0",
    "COATL_CONNECTS_PER_SECOND": "0",
    "COATL_CONNECTIONS_PER_ADDRESS": "0",
    "COATL_BOTS_PER_ADDRESS": "0",
    "COATL_EXPIRED": "keep",  # stored tables of tests are old
    "COATL_CONNECTIONS_PER_SEAT": "0",  # who comes back may be quicker than the goodbye before
}
FIND_TESTS = f"import sys; sys.path.insert(0, {str(ROOT)!r})"  # bots are registered from there
# With a queue that can be full, closing waits until all of it has been read.
CONNECTING: dict[str, Any] = {"compression": None, "open_timeout": 5, "max_queue": None}
Json = dict[str, Any]
# What the paths of operations name besides a table.
PATH_PARTS = {"language": "en", "name": "first", "number": "1", "analysis": "any"}
HELLO: Json = {"type": "hello", "protocol": PROTOCOL}
T = TypeVar("T")


def wait_until(condition: Callable[[], object], what: str) -> None:
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < deadline, f"not after {PATIENCE} s: {what}"
        time.sleep(0.01)


class LiveServer:
    """`coatl serve` in a process of its own; may be killed and started again on the same port.

    `prelude` is a line of Python that is run in that process first.
    """

    def __init__(
        self, folder: Path, prelude: str = "", database: str = "", **settings: str
    ) -> None:
        self.folder = folder
        self.database = database  # the address of one, instead of the folder
        self.prelude = prelude
        self.settings = settings
        self.port = 0
        self.process: WarmProcess | subprocess.Popen[str] | None = None
        self.log = folder.parent / f"{folder.name}.log"
        self.largest_file: int | None = None
        self.options: tuple[str, ...] = ()  # of the command, besides port and folder

    def start(self) -> None:
        store = ["--database", self.database] if self.database else ["--data", str(self.folder)]
        arguments = ["serve", "--port", str(self.port), *store, *self.options]
        with self.log.open("a") as log, open(os.devnull, "r+") as nothing:
            first = log.tell()
            env = environment(**{**GENEROUS, **self.settings})
            if self.largest_file is None:
                files = (nothing.fileno(), nothing.fileno(), log.fileno())
                prelude = f"{FIND_TESTS}\n{self.prelude}"
                self.process = WarmProcess(
                    arguments, files, env, ROOT, prelude, imports_anew=self._changes_ours()
                )
            else:
                self.process = self._start_limited(arguments, env, log)
        self._await_port(first)

    def _changes_ours(self) -> bool:
        """May the prelude change something before others of our modules import it?"""
        return "coatl" in self.prelude or "tests" in self.prelude

    def _start_limited(
        self, arguments: list[str], env: dict[str, str], log: TextIO
    ) -> subprocess.Popen[str]:
        """With a limit of the size of files, which a process must have from its start."""
        compile_kernel()
        return subprocess.Popen(
            [sys.executable, "-m", "coatl.cli.main", *arguments],
            env=env,
            cwd=ROOT,
            stderr=log,
            stdout=subprocess.DEVNULL,
            text=True,
            preexec_fn=self._limit_files,
        )

    def _limit_files(self) -> None:
        assert self.largest_file is not None
        resource.setrlimit(resource.RLIMIT_FSIZE, (self.largest_file, resource.RLIM_INFINITY))

    def _await_port(self, first: int) -> None:
        deadline = time.monotonic() + 120
        while time.monotonic() < deadline:
            for line in self.log.read_text()[first:].splitlines():
                if line.startswith("{") and '"listening"' in line:
                    self.port = json.loads(line)["port"]
                    if self.is_up():
                        return
            assert self.process is not None
            if self.process.poll() is not None:
                raise RuntimeError(f"the server ended: {self.log.read_text()[first:]}")
            time.sleep(0.02)
        raise RuntimeError("the server did not start")

    def is_up(self) -> bool:
        try:
            return bool(self.request("GET", "/healthz")[0] == 200)
        except OSError:
            return False

    def kill(self) -> None:
        """SIGKILL: nothing is tidied up."""
        assert self.process is not None
        self.process.kill()
        self.process.wait()

    def stop(self) -> int:
        """SIGTERM, and the exit code."""
        assert self.process is not None
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        return self.process.wait(30)

    def pause(self) -> None:
        """SIGSTOP: it does nothing any more, but its connections stay open."""
        assert self.process is not None
        self.process.send_signal(signal.SIGSTOP)

    def go_on(self) -> None:
        assert self.process is not None
        self.process.send_signal(signal.SIGCONT)

    def may_write_again(self) -> None:
        """Lift `largest_file` from the running process."""
        assert self.process is not None
        free = (resource.RLIM_INFINITY, resource.RLIM_INFINITY)
        resource.prlimit(self.process.pid, resource.RLIMIT_FSIZE, free)

    # -------------------------------------------------------------- the file

    def read_log(self, table: str) -> list[AnyEntry]:
        """The log of a table as it is on the disk, read beside the running server."""
        rows = self._query("SELECT entry FROM log WHERE table_id = ? ORDER BY version", table)
        return [decode_entry(entry) for (entry,) in rows]

    def read_secret(self, table: str) -> str:
        return str(self._query("SELECT secret FROM tables WHERE id = ?", table)[0][0])

    def _query(self, question: str, *values: str) -> list[Any]:
        file = self.folder / FILE_NAME
        with closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True)) as connection:
            return connection.execute(question, values).fetchall()

    # -------------------------------------------------------------- requests

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def socket_url(self, table: str) -> str:
        return f"ws://127.0.0.1:{self.port}/api/tables/{table}/socket"

    def request(
        self,
        method: str,
        path: str,
        body: object = None,
        token: str | None = None,
        headers: dict[str, str] | None = None,
    ) -> tuple[int, Any]:
        """Status and answer, decoded if it is JSON. `body` may be bytes, sent as they are."""
        data = body if isinstance(body, bytes) or body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.url + path, data, headers or {}, method=method)
        if token is not None:
            request.add_header("Authorization", f"Bearer {token}")
        try:
            with urllib.request.urlopen(request, timeout=20) as answer:
                status, content, kind = answer.status, answer.read(), answer.headers["content-type"]
        except urllib.error.HTTPError as error:
            with error:
                status, content, kind = error.code, error.read(), error.headers["content-type"]
        return status, json.loads(content) if "json" in (kind or "") else content.decode()

    def open_table(self, *kinds: str, **options: object) -> Json:
        """Kinds are ``person``, ``open``, or the name of a bot."""
        places = [
            {"kind": kind} if kind in ("person", "open") else {"kind": "bot", "bot": kind}
            for kind in kinds
        ]
        status, answer = self.request("POST", "/api/tables", {"places": places, **options})
        if status == 503:  # it starts just now: there is nobody to talk to yet
            raise ConnectionRefusedError(answer["text"])
        assert status == 200, answer
        return dict(answer)


@contextmanager
def running_server(folder: Path, prelude: str = "", **settings: str) -> Iterator[LiveServer]:
    server = LiveServer(folder, prelude, **settings)
    server.start()
    try:
        yield server
    finally:
        if server.process is not None and server.process.poll() is None:
            server.stop()


@lru_cache(maxsize=1)
def shared_server() -> LiveServer:
    """One for all tests that neither stop it nor change its settings."""
    folder = tempfile.TemporaryDirectory()
    server = LiveServer(Path(folder.name) / "data")
    server.start()

    def tidy_up() -> None:
        server.stop()
        folder.cleanup()

    atexit.register(tidy_up)
    return server


# ---------------------------------------------------------------- one socket, step by step


class SeatClient:
    """``async with SeatClient(...)`` says hello; then send what you like."""

    def __init__(self, server: LiveServer, table: str, token: str, **hello: object) -> None:
        self.server, self.table = server, table
        self.hello = {**HELLO, "token": token, **hello}
        self.frames: list[str] = []
        self.state: Json = {}
        self.presence: Json = {}

    async def __aenter__(self) -> SeatClient:
        url = self.server.socket_url(self.table)
        self.socket: ClientConnection = await connect(url, **CONNECTING)
        await self.socket.send(json.dumps(self.hello))
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.socket.close()

    async def send(self, kind: str, **fields: object) -> None:
        await self.socket.send(json.dumps({"type": kind, **fields}))

    async def receive(self) -> Json:
        frame = await asyncio.wait_for(self.socket.recv(), PATIENCE)
        assert isinstance(frame, str)
        self.frames.append(frame)
        message: Json = json.loads(frame)
        if message["type"] == "state":
            self.state = message
        elif message["type"] == "presence":
            self.presence = message
        return message

    async def until(self, fits: Callable[[Json], bool]) -> Json:
        """The next message of a kind; what comes before it is passed over."""
        while True:
            message = await self.receive()
            if fits(message):
                return message

    async def next_state(self) -> Json:
        return await self.until(lambda message: bool(message["type"] == "state"))

    async def state_at(self, version: int) -> Json:
        """The first state of a version or a later one; perhaps the one it has."""
        while self.state.get("version", 0) < version:
            await self.receive()
        return self.state

    async def ask(self, kind: str, **fields: object) -> Json:
        """Send a message with a new id, or the given one, and wait for its answer."""
        message = {"id": secrets.token_hex(8), **fields}
        await self.send(kind, **message)
        return await self.until(lambda answer: bool(answer.get("reply") == message["id"]))

    async def join(self) -> Json:
        return await self.ask("join", nonce=secrets.token_hex(32))

    async def decide(self, move: str | None = None, **fields: object) -> Json:
        """Play a move of the last state, the first one if none is named."""
        chosen = move if move is not None else self.moves[0]
        return await self.ask("decide", **{"version": self.state["version"], **fields}, move=chosen)

    @property
    def moves(self) -> list[str]:
        """The texts of the legal moves in the last state."""
        return move_texts(self.state)

    @property
    def is_my_turn(self) -> bool:
        return bool(self.moves)


def as_json(value: object) -> Any:
    """A value as it comes over the wire."""
    return msgspec.json.decode(msgspec.json.encode(value))


def move_texts(state: Json) -> list[str]:
    """The texts of the legal moves in a state."""
    return [move["text"] for move in (state.get("view") or {}).get("moves", ())]


def clients_of(server: LiveServer, opened: Json) -> list[SeatClient]:
    """A client for each person's seat of a new table."""
    return [SeatClient(server, opened["table"], token) for token in opened["seats"] if token]


def run_for_a_while(doing: Coroutine[Any, Any, T]) -> T:
    """`asyncio.run` that gives up rather than hang."""

    async def limited() -> T:
        async with asyncio.timeout(2 * PATIENCE):
            return await doing

    return asyncio.run(limited())


# ---------------------------------------------------------------- a browser


@dataclass
class Browser:
    """A seat's browser: plays at random, reconnects, and sends again what was not answered.

    With a spectator's token it only looks.
    """

    server: LiveServer
    table: str
    token: str
    seed: int
    nonce: str = field(default_factory=lambda: secrets.token_hex(32))
    drops: float = 0.0  # how often it drops the connection before reading the answer
    leaves: float = 0.0  # how often it lets a bot play; it soon comes back
    patience: float = 30.0  # seconds without a message, until it connects again
    acknowledged: dict[str, int] = field(default_factory=dict)  # id -> version
    state: Json = field(default_factory=dict)
    refused: list[Json] = field(default_factory=list)
    pending: Json | None = None
    events: list[Json] = field(default_factory=list)  # all of the game, put together
    states: list[Json] = field(default_factory=list)  # if `keeps_states`
    frames: list[str] = field(default_factory=list)
    keeps_states: bool = False

    def __post_init__(self) -> None:
        self.random = random.Random(self.seed)

    @property
    def is_over(self) -> bool:
        return self.state.get("status") == "over"

    async def play(self, until: Callable[[], bool] = lambda: False) -> None:
        """Until the game is over."""
        while not self.is_over and not until():
            try:
                await self._connected(until)
            except ConnectionClosed:
                continue
            except (OSError, InvalidHandshake, TimeoutError):
                await asyncio.sleep(0.05)

    async def _connected(self, until: Callable[[], bool]) -> None:
        async with connect(self.server.socket_url(self.table), **CONNECTING) as socket:
            await socket.send(json.dumps(self._hello()))
            if self.pending is not None:
                await socket.send(json.dumps(self.pending))
            while not self.is_over and not until():
                frame = await asyncio.wait_for(socket.recv(), self.patience)
                await self._hear(socket, self._read(frame))

    def _hello(self) -> Json:
        known = {"version": self.state.get("version", 0), "events": len(self.events)}
        return {**HELLO, "token": self.token, **known}

    def _read(self, frame: str | bytes) -> Json:
        assert isinstance(frame, str)
        message: Json = json.loads(frame)
        if self.keeps_states:
            self.frames.append(frame)
            if message["type"] == "state":
                self.states.append(message)
        return message

    async def _hear(self, socket: ClientConnection, message: Json) -> None:
        if message["type"] == "refused":
            self.refused.append(message)
            if self.pending is not None and message.get("reply") == self.pending["id"]:
                self.pending = None  # a fresh state follows, and with it a new decision
        if message["type"] != "state":
            return
        self.state = message
        self._note_events(message)
        if self.pending is not None and message.get("reply") == self.pending["id"]:
            self.acknowledged[self.pending["id"]] = message["version"]
            self.pending = None
        if self.pending is None:
            await self._act(socket)

    def _note_events(self, state: Json) -> None:
        """No gap and no repetition; all of them again after the server went back in time."""
        first: int = state["first_event"]
        assert first in (0, len(self.events)), "events are missing or came twice"
        del self.events[first:]
        self.events += state["events"]

    async def _act(self, socket: ClientConnection) -> None:
        action = self._next_action()
        if action is None:
            return
        self.pending = {**action, "id": secrets.token_hex(8)}
        await socket.send(json.dumps(self.pending))
        if self.random.random() < self.drops:
            await socket.close()

    def _next_action(self) -> Json | None:
        place = self.state["place"]
        if place is None:
            return None
        if not self.state["places"][place]["ready"]:
            return {"type": "join", "nonce": self.nonce}
        moves = move_texts(self.state)
        if self.state["places"][place].get("bot"):
            return {"type": "take_back"} if self.random.random() < 10 * self.leaves else None
        if not moves:
            return None
        if self.random.random() < self.leaves:
            return {"type": "hand_over", "bot": "random"}
        if self.state["can_undo"] and self.random.random() < 0.05:
            return {"type": "undo", "version": self.state["version"]}
        move = self.random.choice(moves)
        return {"type": "decide", "version": self.state["version"], "move": move}


def seats_of(
    server: LiveServer,
    opened: Json,
    seed: int = 0,
    drops: float = 0.0,
    keeps_states: bool = False,
) -> list[Browser]:
    """A browser for each person's seat of a new table."""
    return [
        Browser(
            server, opened["table"], token, seed + number, drops=drops, keeps_states=keeps_states
        )
        for number, token in enumerate(opened["seats"])
        if token is not None
    ]


def play_tables(browsers: list[Browser], until: Callable[[], bool] = lambda: False) -> None:
    """All at once, to the end of each game."""

    async def play() -> None:
        await asyncio.gather(*(browser.play(until) for browser in browsers))

    run_for_a_while(play())
