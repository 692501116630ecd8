"""The log: JSON lines that tell what happened, and nothing that anybody could cheat with."""

from __future__ import annotations

import json
import logging
import re
import socket
import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

import pytest

from coatl.fairness import promise_of
from coatl.server.logs import JsonLines
from coatl.server.roles import Role
from coatl.server.sqlite_store import FILE_NAME, SqliteStore
from coatl.server.store import hash_token
from coatl.table import Opened, PlaceKind, PlaceSpec
from tests.server.fuzzing import (
    LocalServer,
    ask,
    compiled,
    is_thinking,
    join,
    local_server,
    log_lines,
    open_socket,
    plug,
)
from tests.server.harness import (
    HELLO,
    Json,
    LiveServer,
    play_tables,
    running_server,
    seats_of,
    wait_until,
)

pytestmark = [compiled, pytest.mark.games]

FIRST_FIELDS = ["time", "level", "logger", "event"]


# ---------------------------------------------------------------- after a whole game


@dataclass(frozen=True)
class Evening:
    """A server that was used and stopped, and what should not be in its log."""

    server: LiveServer
    hidden: list[str]

    @property
    def log(self) -> str:
        return self.server.log.read_text(encoding="utf-8")


def spend_evening(folder: Path) -> Evening:
    """A game to its end, people who hang up, and one who is still there when the server stops."""
    with running_server(folder) as server:
        hidden = play_secretly(server)
        table = server.open_table("person", "random")
        hang_up(server, table["table"])
        with open_socket(server, table["table"], table["seats"][0]) as client:
            assert server.stop() == 0
            assert client.end()[0] == 1012
    return Evening(server, hidden)


def play_secretly(server: LiveServer) -> list[str]:
    opened = server.open_table("person", "open", "random")
    path = f"/api/tables/{opened['table']}"
    opened["seats"][1] = ask(server, "POST", f"{path}/join", {"invite": opened["invite"]}).json[
        "token"
    ]
    browsers = seats_of(server, opened, seed=5)
    for browser, name in zip(browsers, ("Xochitl", "Quetzal"), strict=True):
        with open_socket(server, opened["table"], browser.token) as client:
            join(client, name=name, nonce=browser.nonce)
            client.hear_until("state", reply="join")
            client.send({"type": "decide", "id": "secret id", "version": 0, "move": "take b1"})
    play_tables(browsers)
    ask(server, "GET", f"{path}?token={opened['owner']}")
    ask(server, "GET", f"/{opened['owner']}", token=opened["owner"])
    return secrets_of(server, opened, browsers[0].state)


def secrets_of(server: LiveServer, opened: Json, last: Json) -> list[str]:
    """Tokens, names, ids, moves, and where the chance came from."""
    tokens = [opened[role] for role in ("owner", "watch", "invite")] + opened["seats"]
    fairness = last["fairness"]
    names = [place["name"] for place in last["places"]]
    record = server.request("GET", f"/api/tables/{opened['table']}/record", token=tokens[1])[1]
    moves = re.findall(r"^\d+\.\d+ (.*)$", record, re.MULTILINE)
    found = [*tokens, *names, fairness["secret"], fairness["seed"], *fairness["nonces"].values()]
    return [text for text in [*found, *moves, "secret id"] if text]


def hang_up(server: LiveServer, table: str) -> None:
    """In the middle of requests and handshakes."""
    cut_off = b"POST /api/tables HTTP/1.1\r\nHost: x\r\nContent-Length: 99\r\n\r\n{"
    for start in [cut_off, upgrade(table)] * 20:
        with plug(server) as raw:
            raw.sendall(start)
            raw.shutdown(socket.SHUT_RDWR)


def upgrade(table: str) -> bytes:
    key = "dGhlIHNhbXBsZSBub25jZQ=="
    lines = [f"GET /api/tables/{table}/socket HTTP/1.1", "Host: x", "Upgrade: websocket"]
    lines += ["Connection: Upgrade", "Sec-WebSocket-Version: 13", f"Sec-WebSocket-Key: {key}"]
    return "\r\n".join([*lines, "", ""]).encode()


def test_an_evening_leaves_no_traces(tmp_path: Path) -> None:
    """No line a move, a request, a connection or one that breaks off; no secrets at all.

    What was refused is one line for each kind.
    """
    evening = spend_evening(tmp_path / "data")
    first, *others = log_lines(evening.server)
    assert (first["event"], first["host"]) == ("listening", "127.0.0.1")
    assert first["port"] == evening.server.port
    refused = [line for line in others if line["event"] == "refused"]
    assert [line["event"] for line in others if line not in refused] == ["ready", "closed"]
    kinds = [(line["what"], line["code"]) for line in refused]
    assert len(kinds) == len(set(kinds))
    assert len(evening.hidden) > 30
    assert [text for text in evening.hidden if text in evening.log] == []


# ---------------------------------------------------------------- lines


def check_lines(server: LiveServer) -> set[str]:
    """Every line has the same beginning; the levels there are."""
    lines = log_lines(server)
    for line in lines:
        assert list(line)[:4] == FIRST_FIELDS
        assert datetime.fromisoformat(line["time"]).utcoffset() is not None
    return {line["level"] for line in lines}


def test_an_exception_is_one_line() -> None:
    try:
        raise ValueError("a\nb")
    except ValueError as error:
        record = logging.LogRecord("x", logging.ERROR, "", 1, "went %s", ("wrong",), None)
        record.exc_info = (type(error), error, None)
    record.fields = {"table": "t"}
    text = JsonLines().format(record)
    assert "\n" not in text
    line = json.loads(text)
    assert (line["event"], line["table"], line["level"]) == ("went wrong", "t", "error")
    assert line["exception"].endswith("ValueError: a\nb")


@pytest.mark.parametrize("text", ["é🐍", "\x1b[31m", "\0", '"', "\u2028", "\r\n"])
def test_odd_letters_stay_in_their_line(text: str) -> None:
    record = logging.LogRecord("x", logging.INFO, "", 1, text, None, None)
    line = JsonLines().format(record)
    assert json.loads(line)["event"] == text
    assert not set(line) & set("\n\r\0\x1b")


# ---------------------------------------------------------------- when something goes wrong


def test_a_storage_failure_is_logged(tmp_path: Path) -> None:
    """The disk is full: those who ask hear of it, the log says why, and nothing is made up."""
    server = LiveServer(tmp_path / "data")
    server.largest_file = 120_000
    server.start()
    try:
        opened = server.open_table("person", "random")
        with plug(server) as raw:
            raw.sendall(b"garbage\r\n\r\n")
            assert raw.recv(100)
        wait_until(lambda: is_full(server), "the disk is full")
        path = f"/api/tables/{opened['table']}"
        assert ask(server, "GET", path, token=opened["watch"]).status == 200
    finally:
        server.stop()
    assert check_lines(server) == {"info", "warning", "error"}
    errors = [line for line in log_lines(server) if line["level"] == "error"]
    assert {line["event"] for line in errors} == {"write failed"}
    assert all(line["reason"] for line in errors)
    assert all("INSERT" not in line["reason"] for line in errors)
    assert "Traceback" not in server.log.read_text(encoding="utf-8")


def is_full(server: LiveServer) -> bool:
    """Does another table find no room?"""
    places = [{"kind": "person"}, {"kind": "bot", "bot": "random"}]
    answer = ask(server, "POST", "/api/tables", {"places": places})
    assert answer.brief in ((200, ""), (503, "storage"))
    return answer.status == 503


def errors_of(records: list[logging.LogRecord]) -> list[str]:
    return [record.message for record in records if record.levelno >= logging.WARNING]


def test_taking_back_is_no_failure_of_the_bot(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """The bot was asked, but had not begun to think."""
    with local_server(tmp_path / "data", COATL_BOT_THREADS="1") as server:
        table = server.open_table("person", "person")
        busy = threading.Event()
        for token in table["seats"]:
            with open_socket(server, table["table"], token) as client:
                join(client)
                client.hear_until("state", reply="join")
        with open_socket(server, table["table"], table["seats"][0]) as client:
            server.manager.bots._jobs.put("", hold_up(busy))
            for kind in ("hand_over", "take_back"):
                client.send({"type": kind, "id": kind})
                client.hear_until("state", reply=kind)
            busy.set()
            wait_until(lambda: not is_thinking(server, table["table"]), "the bot is asked")
    assert errors_of(caplog.records) == []


def hold_up(busy: threading.Event) -> Callable[[], None]:
    """A job that takes a bot's thread until told to end."""

    def job() -> None:
        busy.wait()

    return job


TOKEN = "token-of-the-seat-at-the-table-"
NO_BEGINNING = b'{"do":"give_up","place":0,"bot":"x"}'
BAD_ENTRIES = [
    NO_BEGINNING,
    pytest.param(
        b'{"do":"nosuch"}',
    ),
]


@contextmanager
def damaged_server(folder: Path, entry: bytes) -> Iterator[LocalServer]:
    """With a table `bad`, whose log is this entry, and a table `good`."""
    secret = "5" * 64
    opened = Opened(
        (PlaceSpec(PlaceKind.PERSON), PlaceSpec(PlaceKind.BOT, "", "random")), promise_of(secret)
    )
    store = SqliteStore(folder)
    for name in ("bad", "good"):
        access = [(hash_token(TOKEN + name), Role.SEAT, 0)]
        store.open_table(name, secret, opened, access, lambda _: None)
    store.close()
    database = sqlite3.connect(folder / FILE_NAME)
    database.execute("UPDATE log SET entry = ? WHERE table_id = 'bad'", (entry,))
    database.commit()
    database.close()
    with local_server(folder) as server:
        yield server


@pytest.mark.parametrize("entry", BAD_ENTRIES)
def test_a_damaged_table(tmp_path: Path, caplog: pytest.LogCaptureFixture, entry: bytes) -> None:
    """It is told in one line which one; others are well."""
    with damaged_server(tmp_path / "data", entry) as server:
        answer = ask(server, "GET", "/api/tables/bad", token=TOKEN + "bad")
        with open_socket(server, "bad") as client:
            client.send({**HELLO, "token": TOKEN + "bad"})
            end = client.end()
        assert ask(server, "GET", "/api/tables/good", token=TOKEN + "good").status == 200
    assert answer.brief == (500, "damaged")
    assert end == (1011, "damaged")
    assert errors_of(caplog.records) == ["a log cannot be replayed"]


def test_a_damaged_table_in_a_list(tmp_path: Path) -> None:
    with damaged_server(tmp_path / "data", NO_BEGINNING) as server:
        body = {"tokens": [TOKEN + "bad", TOKEN + "good"]}
        answer = ask(server, "POST", "/api/tables/mine", body)
    assert [table["table"] for table in answer.json["tables"]] == ["good"]
