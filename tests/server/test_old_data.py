"""What version 0.1 stored (tests/data/0.1) is read, and played on, by this one."""

from __future__ import annotations

import json
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from coatl import Game
from coatl.notation import format_position, parse_position
from coatl.server.roles import Role
from coatl.server.room import Room
from coatl.server.sqlite_store import FILE_NAME, SqliteStore
from coatl.server.store import hash_token
from coatl.table import decode_entry, encode_entry
from tests.server.fuzzing import (
    LocalServer,
    RecordingClient,
    ask,
    compiled,
    join,
    local_server,
    open_socket,
)
from tests.server.harness import Json

pytestmark = compiled

DATA = Path(__file__).parents[1] / "data" / "0.1"
TABLES: dict[str, Json] = json.loads((DATA / "tables.json").read_text(encoding="utf-8"))
POSITIONS = (DATA / "positions.txt").read_text(encoding="utf-8").splitlines()
FINISHED = ("over", "solo")


def record_of(name: str) -> str:
    return (DATA / f"{name}.coatl").read_text(encoding="utf-8")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A copy that may be written to."""
    shutil.copy(DATA / FILE_NAME, tmp_path)
    return tmp_path


@pytest.fixture
def store(folder: Path) -> Iterator[SqliteStore]:
    store = SqliteStore(folder)
    yield store
    store.close()


@pytest.fixture
def server(folder: Path) -> Iterator[LocalServer]:
    with local_server(folder) as server:
        yield server


def load(store: SqliteStore, name: str) -> Room:
    table = TABLES[name]["table"]
    stored = store.load(table)
    assert stored is not None
    return Room(table, stored)


def game_of(store: SqliteStore, name: str) -> Game:
    game = load(store, name).table.game
    assert game is not None
    return game


# ---------------------------------------------------------------- read


def test_entries_are_written_as_they_were() -> None:
    with closing(sqlite3.connect(f"file:{DATA / FILE_NAME}?mode=ro&immutable=1", uri=True)) as file:
        entries = [entry for (entry,) in file.execute("SELECT entry FROM log")]
    assert {json.loads(entry)["do"] for entry in entries} == {
        *("open", "join", "move", "undo", "hand", "back", "give_up", "bot_failed", "rematch")
    }
    assert [encode_entry(decode_entry(entry)) for entry in entries] == entries


@pytest.mark.parametrize("name", TABLES)
def test_tables_stand_where_they_stood(store: SqliteStore, name: str) -> None:
    state = json.loads(load(store, name).render(None, 0))
    for note in state.get("notes", []):
        note.pop("events", None)  # its place in the log is new since 0.1
    assert {key: state.get(key) for key in TABLES[name]["state"]} == TABLES[name]["state"]


@pytest.mark.parametrize("name", TABLES)
def test_tokens_open_what_they_opened(store: SqliteStore, name: str) -> None:
    tokens = TABLES[name]["tokens"]
    expected: set[tuple[str, Role, int | None]] = {
        (token, Role.SEAT, place) for place, token in enumerate(tokens["seats"]) if token
    }
    expected |= {
        (tokens[role], role, None)
        for role in (Role.OWNER, Role.WATCH, Role.INVITE)
        if tokens[role] is not None
    }
    access = load(store, name).access
    found = {
        (token, access[hash_token(token)].role, access[hash_token(token)].place)
        for token, _, _ in expected
    }
    assert found == expected
    assert len(access) == len(expected)


@pytest.mark.parametrize("name", FINISHED)
def test_records(store: SqliteStore, name: str) -> None:
    record = record_of(name)
    assert load(store, name).table.record() == record
    game = Game.replay(record)
    assert game.over
    assert game.record() == record


def test_positions(store: SqliteStore) -> None:
    assert [game_of(store, name).position for name in ("playing", *FINISHED)] == POSITIONS
    assert [format_position(parse_position(text)[0]) for text in POSITIONS] == POSITIONS


# ---------------------------------------------------------------- played on


def sit(server: LocalServer, name: str, place: int) -> Any:
    return open_socket(server, TABLES[name]["table"], TABLES[name]["tokens"]["seats"][place])


def read(server: LocalServer, name: str, role: str = "watch", what: str = "") -> Any:
    path = f"/api/tables/{TABLES[name]['table']}{what}"
    answer = ask(server, "GET", path, token=TABLES[name]["tokens"][role])
    assert answer.status == 200
    return answer.body.decode() if what else answer.json


def wait_for_turn(client: RecordingClient, state: Json) -> Json:
    while not state["view"]["moves"]:
        state = client.hear_until("state")
    return state


def test_a_game_is_played_to_its_end(server: LocalServer) -> None:
    tokens = TABLES["playing"]["tokens"]
    with open_socket(server, TABLES["playing"]["table"]) as client:
        state = wait_for_turn(client, client.hello(tokens["seats"][0]))
        decision = {"version": state["version"], "move": state["view"]["moves"][0]["text"]}
        client.send({"type": "decide", "id": "first", **decision})
        client.hear_until("state", reply="first")
        client.send({"type": "hand_over", "id": "bot", "bot": "random"})
        client.hear_until("state", status="over")
    assert read(server, "playing")["status"] == "over"
    game = Game.replay(read(server, "playing", "owner", "/record"))
    assert (game.over, game.seats) == (True, ("Ana", "Carla", "bot:random"))


def test_a_table_that_waits_is_joined(server: LocalServer) -> None:
    table, tokens = TABLES["waiting"]["table"], TABLES["waiting"]["tokens"]
    taken = ask(server, "POST", f"/api/tables/{table}/join", {"invite": tokens["invite"]})
    assert (taken.status, taken.json["place"]) == (200, 1)
    with open_socket(server, table, taken.json["token"]) as client:
        join(client, name="Ben")
        state = client.hear_until("state", reply="join")
    assert state["status"] == "playing"
    assert [place["name"] for place in state["places"]] == ["Änne", "Ben", ""]


def test_a_rematch_begins(server: LocalServer) -> None:
    with sit(server, "rematch", 0) as ana, sit(server, "rematch", 1) as ben:
        for client in (ana, ben):
            join(client)
        assert ben.hear_until("state", status="playing")["seating"] == [0, 1, 2]


@pytest.mark.parametrize("name", FINISHED)
def test_finished_games_are_shown(server: LocalServer, name: str) -> None:
    assert read(server, name)["status"] == "over"
    assert read(server, name, what="/record") == record_of(name)
    assert ask(server, "POST", "/api/replay/overview", {"record": record_of(name)}).json["over"]


def test_a_browser_finds_its_tables(server: LocalServer) -> None:
    """With the tokens that it has kept: those of Ana."""
    seats = {name: table["tokens"]["seats"][0] for name, table in TABLES.items()}
    body = {"tokens": sorted(set(seats.values()))}
    found = ask(server, "POST", "/api/tables/mine", body).json["tables"]
    assert {entry["table"]: entry["status"] for entry in found} == {
        table["table"]: table["state"]["status"] for table in TABLES.values()
    }
