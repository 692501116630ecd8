"""`coatl tables` and `coatl database`, with a running server and without: nothing stale or half."""

from __future__ import annotations

import asyncio
import json
import shutil
import sqlite3
import stat
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed

from coatl.server import control
from coatl.server.archive import ARCHIVE_NAME, add_to_archive
from coatl.server.control import ask_server
from coatl.server.operator import Delete, End, Expire, Operator
from coatl.server.sqlite_store import FILE_NAME, SqliteStore
from tests.cli import program
from tests.server.fuzzing import LocalServer, compiled, local_server
from tests.server.harness import SeatClient, run_for_a_while
from tests.server.test_old_data import DATA, TABLES

pytestmark = [compiled, pytest.mark.slow]

IDS = {name: table["table"] for name, table in TABLES.items()}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """What version 0.1 stored: five tables, of each kind at least one."""
    (tmp_path / "data").mkdir()
    shutil.copy(DATA / FILE_NAME, tmp_path / "data")
    return tmp_path / "data"


@pytest.fixture
def server(folder: Path) -> Iterator[LocalServer]:
    with local_server(folder) as running:
        yield running


def run(folder: Path, *arguments: str, code: int = 0, **env: Any) -> str:
    done = program.quick_run(*arguments, "--data", folder, env=env)
    assert done.code == code, done
    return done.out if code in (0, 1) else program.one_line(done.err)


def ids_in(folder: Path, name: str = FILE_NAME) -> set[str]:
    if not (folder / name).exists():
        return set()
    with closing(sqlite3.connect(folder / name)) as connection:
        found = [
            {id for (id,) in connection.execute(f"SELECT {column} FROM {table}")}
            for table, column in (("tables", "id"), ("tokens", "table_id"), ("log", "table_id"))
        ]
    assert found[0] == found[1] == found[2]  # a table is there as a whole, or not at all
    return found[0]


def change(folder: Path, statement: str) -> None:
    with closing(sqlite3.connect(folder / FILE_NAME)) as connection:
        connection.execute(statement)
        connection.commit()


# ---------------------------------------------------------------- check


def test_all_is_in_order(folder: Path) -> None:
    assert run(folder, "database", "check").endswith(": 5 tables, 294 entries, all in order\n")


@pytest.mark.parametrize(
    ("statement", "reason"),
    [
        ("DELETE FROM log WHERE table_id = '{}' AND version = 3", "an entry is missing"),
        ("UPDATE log SET entry = '{{' WHERE table_id = '{}' AND version = 3", ""),
        ("DELETE FROM log WHERE table_id = '{}'", "begins with its opening"),
    ],
)
def test_damaged_tables_are_named(folder: Path, statement: str, reason: str) -> None:
    table = IDS["playing"]
    change(folder, statement.format(table))
    first, last = run(folder, "database", "check", code=1).splitlines()
    assert first.startswith(f"{table}: ")
    assert reason in first
    assert last.endswith(": 1 of 5 tables cannot be replayed")


def test_what_belongs_to_no_table_is_damage(folder: Path) -> None:
    change(folder, f"DELETE FROM tables WHERE id = '{IDS['playing']}'")
    assert "log of a table that is not there" in run(folder, "database", "check", code=1)


def test_the_archive_is_checked_too(folder: Path) -> None:
    shutil.copy(folder / FILE_NAME, folder / ARCHIVE_NAME)
    assert run(folder, "database", "check").count("all in order") == 2


def test_a_running_server_does_not_mind_the_check(server: LocalServer) -> None:
    opened = server.open_table("person", "person")
    assert "6 tables, 295 entries" in run(server.folder, "database", "check")
    assert server.request("GET", "/readyz")[0] == 200
    assert server.request("GET", f"/api/tables/{opened['table']}", token=opened["watch"])[0] == 200


@pytest.mark.parametrize(
    "arguments",
    [
        ("database", "check"),
        ("database", "expire"),
        ("tables", "list"),
        ("tables", "delete", "x", "--yes"),
    ],
)
def test_no_database(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    message = run(tmp_path / "nosuch", *arguments, code=2)
    assert message == f"{tmp_path}/nosuch/{FILE_NAME}: there is no database"
    assert not (tmp_path / "nosuch").exists()


def test_a_database_of_another_version(folder: Path) -> None:
    change(folder, "UPDATE alembic_version SET version_num = '9999'")
    assert "made by a newer version" in run(folder, "database", "check", code=2)
    change(folder, "DROP TABLE alembic_version")
    assert "no database of coatl" in run(folder, "database", "check", code=2)


# ---------------------------------------------------------------- backup and expire


def test_backup(folder: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.sqlite3"
    assert run(folder, "database", "backup", str(copy)) == f"{copy}: 61,440 bytes, checked\n"
    assert "there already" in run(folder, "database", "backup", str(copy), code=2)
    assert "no database" in run(folder, "database", "backup", str(copy), "--archive", code=2)


def test_expire_without_a_server(folder: Path) -> None:
    days: dict[str, Any] = {"COATL_WAITING_DAYS": "0.000001"}
    waiting = sorted((IDS["waiting"], IDS["rematch"]))
    assert run(folder, "database", "expire", "--dry-run", **days).splitlines() == [
        *waiting,
        "2 tables would expire",
    ]
    assert len(ids_in(folder)) == 5
    assert run(folder, "database", "expire", **days).endswith("\n2 tables expired\n")
    assert ids_in(folder, ARCHIVE_NAME) == set(waiting)
    assert ids_in(folder).isdisjoint(waiting)
    assert run(folder, "database", "expire", **days) == "0 tables expired\n"
    assert run(folder, "database", "expire", COATL_EXPIRED="keep") == "0 tables expired\n"


def test_a_running_server_lets_tables_expire_itself(folder: Path) -> None:
    """By its own settings, and not those that somebody looks at."""
    with local_server(folder, COATL_WAITING_DAYS="0.000001", COATL_EXPIRED="archive") as server:
        token = TABLES["waiting"]["tokens"]["owner"]
        assert server.request("GET", f"/api/tables/{IDS['waiting']}", token=token)[0] == 200
        assert run(folder, "database", "expire").splitlines() == [IDS["rematch"], "1 table expired"]


# ---------------------------------------------------------------- list and show


def listed(folder: Path, *arguments: str) -> set[str]:
    answer: list[dict[str, Any]] = json.loads(run(folder, "tables", "list", "--json", *arguments))
    names = {id: name for name, id in IDS.items()}
    return {names[table["table"]] for table in answer}


def test_lists(folder: Path) -> None:
    assert listed(folder) == set(TABLES)
    assert listed(folder, "--status", "waiting") == {"waiting", "rematch"}
    assert listed(folder, "--person", "Carla") == {"playing"}
    assert listed(folder, "--idle", "36500") == set()
    assert len(listed(folder, "--limit", "2")) == 2
    change(folder, f"DELETE FROM log WHERE table_id = '{IDS['solo']}' AND version = 3")
    assert listed(folder, "--status", "damaged") == {"solo"}
    assert "a status is one of" in run(folder, "tables", "list", "--status", "x", code=2)


def test_a_table_for_people(folder: Path) -> None:
    text = run(folder, "tables", "show", IDS["over"])
    assert text.splitlines()[0] == f"{IDS['over']}: over"
    assert "  place 1: Ana, greedy plays for them" in text
    assert f"  its rematch is {IDS['rematch']}" in text
    assert f"  a rematch of {IDS['over']}" in run(folder, "tables", "show", IDS["rematch"])
    assert "there is no table nosuch" in run(folder, "tables", "show", "nosuch", code=2)
    assert "Ana, Ben" in run(folder, "tables", "list")


def test_nothing_secret_is_shown(folder: Path) -> None:
    with closing(sqlite3.connect(folder / FILE_NAME)) as connection:
        secrets = [secret for (secret,) in connection.execute("SELECT secret FROM tables")]
    shown = run(folder, "tables", "list", "--json")
    shown += "".join(run(folder, "tables", "show", id, "--json") for id in IDS.values())
    assert not any(secret in shown for secret in secrets)


# ---------------------------------------------------------------- end and delete


@pytest.mark.parametrize("word", ["end", "delete"])
def test_without_a_server(folder: Path, word: str) -> None:
    table = IDS["playing"]
    assert table in run(folder, "tables", word, table, "--yes")
    assert table not in ids_in(folder)
    assert ids_in(folder, ARCHIVE_NAME) == ({table} if word == "end" else set())
    assert f"there is no table {table}" in run(folder, "tables", "end", table, "--yes", code=2)


def test_a_table_is_deleted_from_the_archive_too(folder: Path) -> None:
    table, other = IDS["playing"], IDS["over"]
    for id in (table, other):
        run(folder, "tables", "end", id, "--yes")
    run(folder, "tables", "delete", table, "--yes")
    assert ids_in(folder, ARCHIVE_NAME) == {other}
    assert run(folder, "tables", "show", "--archive", other)


def test_nothing_of_a_deleted_table_is_left_in_the_file(folder: Path) -> None:
    """Of a file that was never written to without overwriting what is deleted."""
    store = SqliteStore(folder)
    add_to_archive(folder, store.read_rows([*IDS.values()]), busy_timeout=5)
    store.close()
    (folder / ARCHIVE_NAME).rename(folder / FILE_NAME)
    parts = (b"Carla", IDS["playing"].encode())
    assert all(part in (folder / FILE_NAME).read_bytes() for part in parts)
    run(folder, "tables", "delete", IDS["playing"], "--yes")
    left = b"".join(file.read_bytes() for file in folder.iterdir())
    assert not any(part in left for part in parts)


def test_it_is_asked_first(folder: Path) -> None:
    message = run(folder, "tables", "delete", IDS["playing"], code=2)
    assert message == "there is nobody to ask; --yes does it without asking"
    assert IDS["playing"] in ids_in(folder)


def test_a_folder_whose_server_does_not_answer(folder: Path) -> None:
    store = SqliteStore(folder)  # has the lock, and no control socket
    try:
        message = run(folder, "tables", "end", IDS["playing"], "--yes", code=2)
    finally:
        store.close()
    assert message == f"{folder}: another coatl server uses this folder"


@pytest.mark.parametrize("word", ["end", "delete"])
def test_people_at_the_table_are_told(server: LocalServer, word: str) -> None:
    """They are disconnected with a code after which no page comes back, and are not punished."""
    opened, other = (server.open_table("person", "person") for _ in range(2))
    table = opened["table"]

    async def play() -> None:
        beside = SeatClient(server, other["table"], other["seats"][0])
        async with SeatClient(server, table, opened["seats"][0]) as seat, beside:
            await seat.next_state()
            await beside.next_state()
            await asyncio.to_thread(run, server.folder, "tables", word, table, "--yes")
            refused = await seat.until(lambda message: message["type"] == "refused")
            assert refused["code"] == "unknown_table"
            with pytest.raises(ConnectionClosed) as closed:
                await seat.receive()
            assert closed.value.rcvd is not None
            assert closed.value.rcvd.code == 4404
            assert (await beside.join())["status"] == "waiting"

    run_for_a_while(play())
    assert table not in server.manager.rooms
    assert table not in ids_in(server.folder)
    status, answer = server.request("GET", f"/api/tables/{table}", token=opened["seats"][0])
    assert (status, answer["code"]) == (404, "unknown_table")
    assert "socket unknown_table" not in server.refusals.totals


def test_a_table_is_not_removed_in_the_middle_of_a_change(server: LocalServer) -> None:
    """Who changes it and who ends it take turns."""
    table = server.open_table("person", "person")["table"]
    manager = server.manager

    async def end_during_a_change() -> None:
        room = await manager.room(table)
        async with room.lock:
            ending = asyncio.create_task(Operator(manager).carry_out(End(table)))
            done, _ = await asyncio.wait([ending], timeout=1)
            assert not done
        assert (await ending).tables == [table]
        assert room.is_removed

    server.call(end_during_a_change())
    assert ids_in(server.folder, ARCHIVE_NAME) == {table}


def test_a_table_that_cannot_be_removed_stays(server: LocalServer) -> None:
    opened = server.open_table("person", "person")
    server.store.file.with_name(FILE_NAME).rename(server.folder / "away")
    done = ask_server(server.folder, Delete(opened["table"]))
    assert done is not None
    assert done.problem
    (server.folder / "away").rename(server.folder / FILE_NAME)
    path = f"/api/tables/{opened['table']}"
    assert server.request("GET", path, token=opened["watch"])[0] == 200


# ---------------------------------------------------------------- the control socket


def test_only_the_user_of_the_server_can_open_it(server: LocalServer) -> None:
    mode = (server.folder / control.NAME).stat().st_mode
    assert stat.S_ISSOCK(mode)
    assert mode & 0o777 == 0o600


def test_it_goes_with_the_server_and_comes_back(folder: Path) -> None:
    with local_server(folder):
        pass
    assert not (folder / control.NAME).exists()
    assert ask_server(folder, Expire(True)) is None
    (folder / control.NAME).touch()  # as a server leaves it that was killed
    assert ask_server(folder, Expire(True)) is None
    with local_server(folder):
        assert ask_server(folder, Expire(True)) is not None


def test_nonsense_is_refused(server: LocalServer) -> None:
    for line in (b"\n", b"{}\n", b'{"type":"burn"}\n', b"x" * 100_000 + b"\n", b""):
        answer = server.call(send(server.folder, line))
        assert not answer or json.loads(answer)["problem"]
    assert ask_server(server.folder, Expire(True)) is not None


async def send(folder: Path, line: bytes) -> bytes:
    reader, writer = await asyncio.open_unix_connection(folder / control.NAME)
    writer.write(line)
    writer.write_eof()
    answer = await reader.read()
    writer.close()
    return answer


def test_a_name_too_long_for_a_socket(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """The server runs all the same."""
    folder = tmp_path / ("x" * 120)
    with local_server(folder) as server:
        assert server.request("GET", "/readyz")[0] == 200
        assert ask_server(folder, Expire(True)) is None
