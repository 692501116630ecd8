"""How many, how large, how long: every limit holds, and harms nobody else."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from coatl.fairness import promise_of
from coatl.server import socket
from coatl.server.connection import MOST_WAITING
from coatl.server.roles import Role
from coatl.server.settings import ServerSettings
from coatl.server.sqlite_store import SqliteStore
from coatl.server.store import hash_token
from coatl.table import Opened, PlaceKind, PlaceSpec
from coatl.table.table import MOST_FREED, MOST_HAND_OVERS, MOST_HINTS, MOST_UNDOS
from tests.server.fuzzing import (
    LocalServer,
    RecordingClient,
    ask,
    compiled,
    connections,
    finish,
    is_thinking,
    join,
    local_server,
    open_socket,
    raw_socket,
    wait_until_empty,
)
from tests.server.harness import HELLO, PATIENCE, Json, wait_until

pytestmark = compiled

NEW_TABLE = {"places": [{"kind": "person"}, {"kind": "bot", "bot": "random"}]}
BELOW = {"X-Forwarded-For": "192.0.2.1"}  # as a proxy on this machine tells the address
BESIDE = {"X-Forwarded-For": "192.0.2.2"}

Serve = Callable[..., LocalServer]


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Serve]:
    """Starts a server with these settings."""
    with ExitStack() as stack:
        yield lambda **settings: stack.enter_context(local_server(tmp_path / "data", **settings))


def test_the_limits_of_the_page_are_the_defaults() -> None:
    """docs/protocol.md names them."""
    usual = ServerSettings.from_environment({})
    assert usual == ServerSettings()
    text = (Path(__file__).parents[2] / "docs/protocol.md").read_text(encoding="utf-8")
    for shown in (
        f"{usual.max_message:,} bytes",
        f"{usual.max_body:,} bytes; with a record {usual.max_record:,}",
        f"{usual.replay_steps:,} decisions",
        f"| {usual.work_per_address} at once |",
        f"the {usual.listed_tables} newest",
        f"{usual.messages_per_second:g} per second, {usual.message_burst} at once",
        f"{usual.requests_per_second:g} per second, {usual.request_burst} at once",
        f"{usual.tables_per_minute:g} per minute, {usual.table_burst} at once",
        f"{usual.hints_per_minute:g} per minute, {usual.hint_burst} at once",
        f"{usual.connections_per_seat} per seat, {usual.connections_per_address} per address, "
        f"{usual.connections:,} in all",
        f"{usual.bots_per_address} per address, {usual.bots} in all",
        f"{MOST_UNDOS} undos, {MOST_HAND_OVERS} hand-overs and {MOST_HINTS} turns with hints per "
        f"place, {MOST_FREED} freed",
        f"| {usual.hello_seconds:g} seconds |",
    ):
        assert shown in text


# ---------------------------------------------------------------- how many


def refusal(client: RecordingClient) -> tuple[list[str], int]:
    code, _ = client.end()
    return client.refusals, code


def test_sockets_of_a_seat(serve: Serve) -> None:
    """Another seat, and spectators, have limits of their own or none."""
    server = serve(COATL_CONNECTIONS_PER_SEAT="2")
    table = server.open_table("person", "person")
    with ExitStack() as stack:
        for token in [table["seats"][0]] * 2 + [table["seats"][1]] * 2 + [table["watch"]] * 4:
            stack.enter_context(open_socket(server, table["table"], token))
        with open_socket(server, table["table"]) as client:
            client.send({**HELLO, "token": table["seats"][0]})
            assert refusal(client) == (["too_many_connections"], 4429)
        wait_until(lambda: connections(server) == 8, "the refused one is gone")
    wait_until_empty(server)
    with open_socket(server, table["table"], table["seats"][0]):
        assert connections(server) == 1


@pytest.mark.parametrize("limit", ["COATL_CONNECTIONS_PER_ADDRESS", "COATL_CONNECTIONS"])
def test_sockets_of_an_address_and_in_all(serve: Serve, limit: str) -> None:
    """Counted from the start, hello or not."""
    server = serve(**{limit: "3"})
    table = server.open_table("person", "random")
    with ExitStack() as stack:
        for _ in range(3):
            stack.enter_context(open_socket(server, table["table"], additional_headers=BELOW))
        with open_socket(server, table["table"], additional_headers=BELOW) as client:
            assert refusal(client) == (["too_many_connections"], 4429)
        with open_socket(server, table["table"], additional_headers=BESIDE) as client:
            if limit == "COATL_CONNECTIONS":
                assert refusal(client) == (["too_many_connections"], 4429)
            else:
                client.hello(table["seats"][0])
    wait_until_empty(server)
    with open_socket(server, table["table"], table["seats"][0], additional_headers=BELOW):
        assert connections(server) == 1


def test_refused_sockets_are_not_counted(serve: Serve) -> None:
    server = serve(COATL_CONNECTIONS="1")
    table = server.open_table("person", "random")
    for _ in range(5):
        with open_socket(server, table["table"], table["seats"][0]):
            with open_socket(server, table["table"]) as client:
                assert refusal(client) == (["too_many_connections"], 4429)
            assert connections(server) == 1
        wait_until_empty(server)


def test_requests_are_answered_when_all_sockets_are_taken(serve: Serve) -> None:
    server = serve(COATL_CONNECTIONS="1")
    table = server.open_table("person", "random")
    with open_socket(server, table["table"], table["seats"][0]):
        assert ask(server, "POST", "/api/tables", NEW_TABLE).status == 200


# ---------------------------------------------------------------- readers that are too slow


@contextmanager
def tight_server(folder: Path) -> Iterator[LocalServer]:
    """The kernel keeps little for those who do not read."""
    server = LocalServer(folder)
    server.send_buffer = 4096
    server.start()
    try:
        yield server
    finally:
        server.stop()


def stop_up(server: LocalServer, table: Json) -> None:
    """So many states and presences that a spectator who does not read has too many waiting."""
    with open_socket(server, table["table"], table["seats"][0]) as client:
        join(client)
        client.hear_until("state", reply="join")
        for number in range(60):
            kind = "take_back" if number % 2 else "hand_over"
            client.send({"type": kind, "id": str(number)})
            if client.hear_until("state", reply=str(number))["status"] == "over":
                break
    for _ in range(MOST_WAITING):
        with open_socket(server, table["table"], table["seats"][0]):
            pass


def test_who_reads_too_slowly_is_let_go(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And is told so when reading on; the others have played meanwhile."""
    monkeypatch.setattr(socket, "CLOSE_SECONDS", float(PATIENCE))
    with tight_server(tmp_path / "data") as server:
        table = server.open_table("person", "person")
        start_second(server, table)
        with raw_socket(server, table["table"], table["watch"], buffer=2048) as slow:
            stop_up(server, table)
            assert slow.end() == 4408
            wait_until_empty(server)


@pytest.mark.games
def test_who_never_reads_is_let_go(tmp_path: Path) -> None:
    with tight_server(tmp_path / "data") as server:
        table = server.open_table("person", "person")
        start_second(server, table)
        with raw_socket(server, table["table"], table["watch"], buffer=2048):
            stop_up(server, table)
            wait_until_empty(server)


def start_second(server: LocalServer, table: Json) -> None:
    """The other one has sat down, so that the game begins with the first."""
    with open_socket(server, table["table"], table["seats"][1]) as client:
        join(client)
        client.hear_until("state", reply="join")


# ---------------------------------------------------------------- many tables, and idle ones

MANY = 10_000
SECRET = "5" * 64


def token_of(number: int) -> str:
    return f"token-{number:026}"


def fill_store(folder: Path, count: int) -> None:
    """Tables of one person and a bot, straight into the file."""
    opened = Opened(
        (PlaceSpec(PlaceKind.PERSON), PlaceSpec(PlaceKind.BOT, "", "random")), promise_of(SECRET)
    )
    store = SqliteStore(folder)
    left = threading.Semaphore(0)
    errors: list[Exception] = []

    def done(error: Exception | None) -> None:
        if error is not None:
            errors.append(error)
        left.release()

    for number in range(count):
        access = [(hash_token(token_of(number)), Role.SEAT, 0)]
        store.open_table(f"table-{number}", SECRET, opened, access, done)
    for _ in range(count):
        left.acquire()
    store.close()
    assert errors == []


@contextmanager
def statements() -> Iterator[list[str]]:
    """Every SQL statement that any store carries out."""
    heard: list[str] = []

    def listen(_conn: Any, _cursor: Any, statement: str, *_: Any) -> None:
        heard.append(statement)

    sa.event.listen(sa.Engine, "before_cursor_execute", listen)
    try:
        yield heard
    finally:
        sa.event.remove(sa.Engine, "before_cursor_execute", listen)


@pytest.fixture(scope="module")
def full_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("many") / "data"
    fill_store(folder, MANY)
    return folder


def test_a_start_does_not_read_the_tables(full_folder: Path) -> None:
    with statements() as heard, local_server(full_folder) as server:
        assert server.manager.rooms == {}
        touched = [line for line in heard if "FROM log" in line or "FROM tables" in line]
        assert touched == []
        assert server.store.count_tables() == MANY
        assert server.request("GET", "/healthz")[1]["tables"] == 0


def test_any_of_many_tables_can_be_opened(full_folder: Path) -> None:
    with local_server(full_folder) as server:
        for number in (0, 1, 4999, MANY - 1):
            path = f"/api/tables/table-{number}"
            answer = ask(server, "GET", path, token=token_of(number))
            assert (answer.status, answer.json["version"]) == (200, 1)
            assert ask(server, "GET", path, token=token_of((number + 1) % MANY)).status == 401
        assert len(server.manager.rooms) == 4


def test_a_browser_finds_its_tables_among_many(full_folder: Path) -> None:
    numbers = range(0, MANY, MANY // 50)
    with statements() as heard, local_server(full_folder) as server:
        body = {"tokens": [token_of(number) for number in numbers]}
        found = ask(server, "POST", "/api/tables/mine", body).json["tables"]
        assert len(found) == len(server.manager.rooms) == 50
        assert len([line for line in heard if "FROM log" in line]) == 50


@pytest.mark.games
def test_thousands_of_many_tables_can_be_opened(full_folder: Path) -> None:
    opened = range(0, MANY, 4)
    with local_server(full_folder, COATL_IDLE_SECONDS="3600") as server:
        for number in opened:
            path = f"/api/tables/table-{number}"
            assert ask(server, "GET", path, token=token_of(number)).status == 200
        assert server.request("GET", "/healthz")[1]["tables"] == len(opened)


def read(server: LocalServer, table: Json) -> Json:
    path = f"/api/tables/{table['table']}"
    return dict(ask(server, "GET", path, token=table["seats"][0]).json)


def test_idle_tables_leave_the_memory(serve: Serve) -> None:
    """And come back as they were: one that waits, one in the middle, one that is over."""
    server = serve(COATL_IDLE_SECONDS="0.05")
    waiting, playing, over = (server.open_table("person", "random") for _ in range(3))
    with open_socket(server, playing["table"], playing["seats"][0]) as client:
        join(client, name="Ana")
        state = client.hear_until("state", reply="join")
        move = state["view"]["moves"][0]["text"]
        client.send({"type": "decide", "id": "m", "version": state["version"], "move": move})
        client.hear_until("state", reply="m")
    finish(server, over)
    before = [settled(server, table) for table in (waiting, playing, over)]
    wait_until(lambda: not server.manager.rooms, "idle tables are forgotten")
    assert server.request("GET", "/healthz")[1]["tables"] == 0
    assert [read(server, table) for table in (waiting, playing, over)] == before


def settled(server: LocalServer, table: Json) -> Json:
    """The state once everybody is gone and the bots have played."""
    wait_until_empty(server)
    wait_until(lambda: not is_thinking(server, table["table"]), "bots have played")
    return read(server, table)


def test_a_table_with_somebody_at_it_stays(serve: Serve) -> None:
    server = serve(COATL_IDLE_SECONDS="0.05")
    table, idle = (server.open_table("person", "random") for _ in range(2))
    with open_socket(server, table["table"], table["seats"][0]):
        read(server, idle)
        wait_until(lambda: idle["table"] not in server.manager.rooms, "the idle one is forgotten")
        assert list(server.manager.rooms) == [table["table"]]
    wait_until(lambda: not server.manager.rooms, "both are forgotten")


def test_a_bot_plays_on_while_nobody_is_there(serve: Serve) -> None:
    """Up to a person's turn; the table is forgotten only when nothing is left to do."""
    server = serve(COATL_IDLE_SECONDS="0.05")
    table = server.open_table("person", "random", "random")
    with open_socket(server, table["table"], table["seats"][0]) as client:
        join(client)
        client.hear_until("state", reply="join")
    wait_until(lambda: not server.manager.rooms, "it is forgotten")
    assert read(server, table)["view"]["moves"]


def test_two_who_ask_at_once_get_one_room(serve: Serve) -> None:
    server = serve()
    table = server.open_table("person", "random")
    loads: list[str] = []
    load = server.store.load

    def counted(name: str) -> Any:
        loads.append(name)
        return load(name)

    async def ask_at_once() -> int:
        rooms = [server.manager.room(table["table"]) for _ in range(20)]
        return len({id(room) for room in await asyncio.gather(*rooms)})

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(server.store, "load", counted)
        assert server.call(ask_at_once()) == 1
    assert loads == [table["table"]]
