"""`coatl serve` and `coatl verify`: how they start and stop, and one clear line if they cannot."""

from __future__ import annotations

import json
import queue
import re
import signal
import socket
import sqlite3
import subprocess
import time
import webbrowser
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import fields
from functools import lru_cache
from pathlib import Path

import pytest

from coatl import Game
from coatl.cli import serve as serve_command
from coatl.cli.console import Failure
from coatl.cli.verify import verify
from coatl.fairness import promise_of
from coatl.server.config import ServeOptions
from coatl.server.run import ServeError, listen, serve
from coatl.server.settings import ServerSettings, SettingsError
from coatl.server.sqlite_store import FILE_NAME, SqliteStore
from coatl.table import Opened, PlaceKind, PlaceSpec, Table
from tests.cli import program
from tests.server.fuzzing import finish, local_server, wait_until_empty
from tests.server.harness import Json, LiveServer

pytestmark = program.compiled

ROOT = Path(__file__).parents[2]


def refusal(*arguments: str | Path, cwd: Path, **env: str) -> str:
    """The one line of the program if it cannot serve."""
    done = program.quick_run("serve", "--port", "0", *arguments, cwd=cwd, env=env)
    assert (done.code, done.out) == (2, ""), done
    return program.one_line(done.err)


def reason(folder: Path, host: str = "127.0.0.1", port: int = 0) -> str:
    """The same without a process of its own."""
    with pytest.raises(ServeError) as error:
        serve(host, port, folder, ServerSettings())
    return str(error.value)


# ---------------------------------------------------------------- it cannot start


def test_nothing_is_made_if_the_port_is_in_use(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        message = refusal("--port", port, "--data", "data", cwd=tmp_path)
    assert message == f"127.0.0.1:{port}: Address already in use"
    assert not (tmp_path / "data").exists()


@pytest.mark.parametrize("host", ["nosuch.invalid", "256.0.0.1", "a b", "", ":::"])
def test_bad_hosts(tmp_path: Path, host: str) -> None:
    assert reason(tmp_path, host).startswith(f"{host}:0: ")


def test_a_host_that_is_not_this_machine(tmp_path: Path) -> None:
    message = refusal("--host", "203.0.113.7", "--data", "data", cwd=tmp_path)
    assert message == "203.0.113.7:0: Cannot assign requested address"


@pytest.mark.parametrize("host", ["x" * 64 + ".example", "a..b", "\udcff"])
def test_a_host_that_is_no_name(tmp_path: Path, host: str) -> None:
    assert reason(tmp_path, host)


@pytest.mark.parametrize("port", ["-1", "x"])
def test_a_bad_port(tmp_path: Path, port: str) -> None:
    assert refusal("--port", port, "--data", "data", cwd=tmp_path)


@pytest.mark.parametrize("port", [65_536, 99_999])
def test_a_port_that_is_too_great(port: int) -> None:
    with pytest.raises(ServeError):
        listen("127.0.0.1", port).close()


def test_a_file_in_the_way(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert refusal("--data", "file", cwd=tmp_path) == "file: File exists"
    assert reason(tmp_path / "file/data") == f"{tmp_path}/file/data: Not a directory"


@pytest.mark.parametrize(
    ("name", "what"), [("lock", "Is a directory"), (FILE_NAME, "unable to open database file")]
)
def test_a_folder_in_the_way(tmp_path: Path, name: str, what: str) -> None:
    (tmp_path / name).mkdir()
    assert what in reason(tmp_path)


def test_a_folder_that_cannot_be_made() -> None:
    assert "/proc/nosuch" in reason(Path("/proc/nosuch"))


def test_a_folder_in_use(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path)
    try:
        assert reason(tmp_path) == f"{tmp_path}: another coatl server uses this folder"
    finally:
        store.close()


def test_a_database_of_a_newer_version(tmp_path: Path) -> None:
    SqliteStore(tmp_path / "data").close()
    change(tmp_path / "data", "UPDATE alembic_version SET version_num = '9999'")
    message = refusal("--data", "data", cwd=tmp_path)
    assert message == f"data/{FILE_NAME}: the database was made by a newer version of coatl"


def test_somebody_elses_database(tmp_path: Path) -> None:
    change(tmp_path, "CREATE TABLE tables (x)")
    assert reason(tmp_path).startswith(f"{tmp_path}/{FILE_NAME}: ")


def change(folder: Path, statement: str) -> None:
    database = sqlite3.connect(folder / FILE_NAME)
    database.execute(statement)
    database.commit()
    database.close()


@pytest.mark.parametrize("content", [bytes(range(256)) * 40, b"SQLite format 3\0" + b"x" * 5000])
def test_a_broken_database(tmp_path: Path, content: bytes) -> None:
    """It is left as it was, to be mended or thrown away."""
    (tmp_path / "data").mkdir()
    file = tmp_path / "data" / FILE_NAME
    file.write_bytes(content)
    assert refusal("--data", "data", cwd=tmp_path) == f"data/{FILE_NAME}: file is not a database"
    assert file.read_bytes() == content


@pytest.mark.parametrize("name", ["a?b", "a%20b", "a#b", "a b", "é", "a?mode=memory"])
def test_odd_names_of_folders(tmp_path: Path, name: str) -> None:
    """Everything that is kept lies in the folder."""
    SqliteStore(tmp_path / name).close()
    assert [file.name for file in tmp_path.iterdir()] == [name]
    assert (tmp_path / name / FILE_NAME).is_file()


# ---------------------------------------------------------------- settings

BAD = [
    ("COATL_CONNECTIONS", "many"),
    ("COATL_CONNECTIONS", "1.5"),
    ("COATL_CONNECTIONS", "-1"),
    ("COATL_MAX_MESSAGE", ""),
    ("COATL_HELLO_SECONDS", "soon"),
    ("COATL_HELLO_SECONDS", "-0.1"),
    ("COATL_HELLO_SECONDS", "nan"),
    ("COATL_IDLE_SECONDS", "inf"),
    ("COATL_EXPIRED", "burn"),
    ("COATL_EXPIRED", ""),
    ("COATL_METRICS", "maybe"),
]


def test_a_bad_setting(tmp_path: Path) -> None:
    message = refusal("--data", "data", cwd=tmp_path, COATL_CONNECTIONS="many")
    assert message == "COATL_CONNECTIONS is a number, not 'many'"
    assert not (tmp_path / "data").exists()


@pytest.mark.parametrize(("name", "value"), BAD)
def test_bad_settings(name: str, value: str) -> None:
    with pytest.raises(SettingsError, match=f"^{name} is "):
        ServerSettings.from_environment({name: value})


SET: dict[str, tuple[str, object]] = {
    "expired": ("delete", "delete"),
    "backup_folder": ("folder", Path("folder")),
    "metrics": ("yes", True),
    "metrics_token": ("secret", "secret"),
}


@pytest.mark.parametrize("field", fields(ServerSettings), ids=lambda field: field.name)
def test_every_setting_can_be_set(field: object) -> None:
    name = str(getattr(field, "name", ""))
    text, expected = SET.get(name, ("7", 7))
    value = getattr(ServerSettings.from_environment({f"COATL_{name.upper()}": text}), name)
    assert value == expected
    usual = getattr(ServerSettings(), name)
    assert usual is None or type(value) is type(usual)


def test_every_setting_is_documented() -> None:
    """docs/cli.md has a table of the variables and what they are if left out."""
    text = (ROOT / "docs/cli.md").read_text(encoding="utf-8")
    section = text.split("\n### Settings\n")[1].split("\n## ")[0]
    rows = re.findall(r"^\| `COATL_(\w+)` \| (\S+) \| .+ \|$", section, re.MULTILINE)
    assert {name.lower(): default for name, default in rows} == {
        field.name: shown_default(getattr(kind(), field.name))
        for kind in (ServeOptions, ServerSettings)
        for field in fields(kind)
    }


def shown_default(value: object) -> str:
    if value is False:
        return "off"
    return f"{value:,g}" if isinstance(value, int | float) else str(value or "none")


# ---------------------------------------------------------------- it starts and stops


@contextmanager
def serving(folder: Path, *arguments: str) -> Iterator[tuple[subprocess.Popen[str], int]]:
    """A server that listens, and its port."""
    program.compile_kernel()
    process = subprocess.Popen(
        [*program.COMMAND, "serve", "--port", "0", *arguments],
        cwd=folder,
        env=program.environment(XDG_DATA_HOME=str(folder / "home")),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stderr is not None
        port = int(json.loads(process.stderr.readline())["port"])
        assert json.loads(process.stderr.readline())["event"] == "ready"
        await_port(port)
        yield process, port
    finally:
        if process.poll() is None:
            process.kill()
        process.communicate()


def await_port(port: int) -> None:
    """The log says so a moment before it is true."""
    deadline = time.monotonic() + program.PATIENCE
    while time.monotonic() < deadline:
        with socket.socket() as client:
            if client.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.01)
    pytest.fail("nobody listens")


def stop(process: subprocess.Popen[str], sign: signal.Signals) -> program.Run:
    process.send_signal(sign)
    out, err = process.communicate(timeout=program.PATIENCE)
    return program.Run(process.returncode, out, err)


def assert_ended_well(done: program.Run) -> None:
    assert (done.code, done.out) == (0, "")
    assert [json.loads(line)["event"] for line in done.err.splitlines()] == ["closed"]


@pytest.mark.slow
def test_ctrl_c(tmp_path: Path) -> None:
    """And where it keeps tables if nothing is said: in the user's data folder."""
    with serving(tmp_path) as (process, _):
        assert_ended_well(stop(process, signal.SIGINT))
    folder = tmp_path / "home" / "coatl"
    assert {file.name for file in folder.iterdir()} == {"lock", FILE_NAME}


@pytest.mark.slow
def test_sigterm(tmp_path: Path) -> None:
    """And that two servers need two folders and two ports."""
    with serving(tmp_path, "--data", "data") as (process, port):
        message = refusal("--data", "data", cwd=tmp_path)
        assert message == "data: another coatl server uses this folder"
        message = refusal("--data", "other", "--port", str(port), cwd=tmp_path)
        assert message == f"127.0.0.1:{port}: Address already in use"
        assert_ended_well(stop(process, signal.SIGTERM))
    assert {file.name for file in (tmp_path / "data").iterdir()} == {"lock", FILE_NAME}


# ---------------------------------------------------------------- coatl play


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch) -> queue.SimpleQueue[str]:
    """The addresses that a browser is sent to."""
    shown: queue.SimpleQueue[str] = queue.SimpleQueue()
    monkeypatch.setattr(webbrowser, "open", shown.put)
    return shown


def test_play_shows_the_page_when_it_answers(
    shown: queue.SimpleQueue[str],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """And says where it is then, not before."""

    def listen_and_end(*arguments: object, names: object) -> None:
        on_listening = arguments[-1]
        assert capsys.readouterr().out == ""
        assert shown.empty()
        assert callable(on_listening)
        on_listening()

    monkeypatch.setattr(serve_command, "is_ours", lambda _address: False)
    monkeypatch.setattr(serve_command, "serve", listen_and_end)
    serve_command.play_in_browser()
    address = shown.get(timeout=program.PATIENCE)
    assert f"The game is at {address} " in capsys.readouterr().out


def test_play_uses_a_server_that_runs(
    shown: queue.SimpleQueue[str],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
) -> None:
    with local_server(tmp_path / "data") as server:
        monkeypatch.setattr(serve_command, "PORT", server.port)
        serve_command.play_in_browser()
        assert shown.get(timeout=program.PATIENCE) == f"{server.url}/"
    assert capsys.readouterr().out == f"The game is running already: {server.url}/\n"
    assert not serve_command.is_ours(f"{server.url}/")


@pytest.mark.slow
def test_a_backup_of_a_running_server(tmp_path: Path) -> None:
    """As docs/server.md says; what the copy has is what the server had."""
    states = []
    with local_server(tmp_path / "data") as server:
        opened = server.open_table("person", "random")
        finish(server, opened)
        wait_until_empty(server)  # or a state tells who is still connected
        states.append(read_table(server, opened))
        (tmp_path / "copy").mkdir()
        source = sqlite3.connect(tmp_path / "data" / FILE_NAME)
        target = sqlite3.connect(tmp_path / "copy" / FILE_NAME)
        source.backup(target)
        source.close()
        target.close()
    with local_server(tmp_path / "copy") as server:
        states.append(read_table(server, opened))
    assert states[0] == states[1]
    assert states[0]["status"] == "over"


def read_table(server: LiveServer, opened: Json) -> Json:
    path = f"/api/tables/{opened['table']}"
    return dict(server.request("GET", path, token=opened["seats"][0])[1])


# ---------------------------------------------------------------- coatl verify

SECRET, NONCES = "1" * 64, ("2" * 64, "3" * 64)


@lru_cache(maxsize=1)
def record() -> str:
    """Of a game that two people played at a table."""
    places = (PlaceSpec(PlaceKind.PERSON, "Ana"), PlaceSpec(PlaceKind.PERSON, "Ben"))
    table = Table(Opened(places, promise_of(SECRET), draw_seats=True), SECRET)
    for place, nonce in enumerate(NONCES):
        table.join(place, nonce)
    while table.to_move is not None:
        view = table.view(table.to_move)
        assert view is not None
        table.decide(table.to_move, str(view.moves[0]), table.version)
    return table.record()


def doubts(folder: Path, text: str, promise: str | None = None, nonce: str | None = None) -> str:
    """What `coatl verify` says against a record, in one line."""
    file = program.write(folder, "game.coatl", text)
    with pytest.raises(Failure) as failure:
        verify(file, promise, nonce)
    message = str(failure.value)
    assert message.startswith(f"{file}: ")
    assert "\n" not in message
    return message.removeprefix(f"{file}: ")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    program.write(tmp_path, "game.coatl", record())
    return tmp_path


def test_a_fair_game(folder: Path) -> None:
    lines = program.output("verify", "game.coatl", cwd=folder).splitlines()
    assert len(lines) == 5
    assert "--promise and --nonce" in lines[-1]


def test_what_was_noted(folder: Path) -> None:
    noted = ("--nonce", f" {NONCES[1].upper()} ", "--promise", promise_of(SECRET).upper())
    lines = program.output("verify", "game.coatl", *noted, cwd=folder).splitlines()
    assert lines[-1] == "What you noted at the start is in the record."


def test_what_was_exchanged(folder: Path) -> None:
    message = program.failure("verify", "game.coatl", "--nonce", "4" * 64, cwd=folder)
    assert message == "game.coatl: your nonce is not in the record"
    for promise in ("", "0" * 64):
        said = doubts(folder, record(), promise)
        assert said == "the record has another promise than the one you noted"
    assert doubts(folder, record(), nonce="") == "your nonce is not in the record"


CHANGES = [
    (r"^Secret: 1", "Secret: 2", "the secret is not the one that was promised at the start"),
    (r"^Promise: .", "Promise: f", "the secret is not the one that was promised at the start"),
    (r"0=2222", "0=2223", "the seed does not come from the secret and the nonces"),
    (r", 1=3+", "", "the seed does not come from the secret and the nonces"),
    (r"^Seating: lot (\d) (\d)", r"Seating: lot \2 \1", "the seats were not drawn by the seed"),
    (r"^Seed: .", "Seed: !", ""),
    (r"^Secret: .*\n", "", "the header Secret is missing"),
    (r"^Nonces: .*", "Nonces: many", "Nonces are like"),
    (r"^Seating: .*", "Seating: somehow", "Seating is"),
    (r"^Result: .*", "Result: third; points 99 0; winners 0", ""),
    (r"^1\.0 .*", "1.0 pass", ""),
]


@pytest.mark.parametrize(("pattern", "new", "reason"), CHANGES, ids=[c[0] for c in CHANGES])
def test_a_changed_record(tmp_path: Path, pattern: str, new: str, reason: str) -> None:
    changed = re.sub(pattern, new, record(), count=1, flags=re.MULTILINE)
    assert changed != record()
    assert reason in doubts(tmp_path, changed)


def test_a_changed_record_in_the_program(tmp_path: Path) -> None:
    program.write(tmp_path, "game.coatl", record().replace("Secret: 1", "Secret: 2"))
    message = program.failure("verify", "game.coatl", cwd=tmp_path)
    assert message.startswith("game.coatl: the secret is not the one that was promised")


@pytest.mark.parametrize("over", [False, True])
def test_a_game_that_tells_nothing(tmp_path: Path, over: bool) -> None:
    """One that is not over has not told its seed yet; one of no table promised nothing."""
    game = Game.new(seed=1)
    while over and not game.over:
        game.play(game.legal_moves()[0])
    program.write(tmp_path, "some.coatl", game.record())
    message = program.failure("verify", "some.coatl", cwd=tmp_path)
    assert message == "some.coatl: the record does not say where its chance came from"


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("missing.coatl", "No such file or directory"),
        ("", "Is a directory"),
        ("binary", "this is not a text file in UTF-8"),
        ("empty", "line 1: "),
        ("cut.coatl", "line "),
    ],
)
def test_what_is_no_record(tmp_path: Path, name: str, reason: str) -> None:
    program.write_binary(tmp_path, "binary")
    program.write(tmp_path, "empty", "")
    program.write(tmp_path, "cut.coatl", record()[:1000])
    with pytest.raises(Failure, match=f"^{re.escape(str(tmp_path / name))}: {reason}"):
        verify(tmp_path / name, None, None)


def test_verify_needs_a_file() -> None:
    assert "Missing argument 'FILE'" in program.failure("verify")
