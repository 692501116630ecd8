"""A server that is starting: the page comes, how far it is is told, and everything else waits."""

from __future__ import annotations

import gc
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from websockets.exceptions import InvalidStatus

from coatl.compiler import cache, elsewhere, jit
from coatl.compiler.packages import RULES
from coatl.rulebook import LANGUAGES, Language, Rulebook, load
from coatl.server import app as app_module
from coatl.server import front, pages, protocol
from coatl.server.front import TRY_AGAIN_LATER, Front
from coatl.server.manager import TableManager
from coatl.server.protocol import ServerCode
from coatl.server.rest import OPERATIONS
from coatl.server.rest.operation import Operation
from coatl.server.socket import CLOSE
from coatl.server.startup import MEANINGS, MakeApp, Startup, StartupStatus
from tests.server.fuzzing import LocalServer, ask, compiled, finish, open_socket
from tests.server.harness import PATH_PARTS, PATIENCE, Json, wait_until
from tests.server.test_headers import EXPECTED, FOREIGN, origin_at

pytestmark = compiled

# What is there while a server starts; it stands for all that the protocol has.
ANSWERED = ("startup", "read_rules")
REFUSED = [operation for operation in OPERATIONS if operation.name not in ANSWERED]


class HeldStartup(Startup):
    """Gets ready when it is let, or fails."""

    def __init__(self) -> None:
        super().__init__()
        self.may_go_on = threading.Event()
        self.failure: Exception | None = None

    def prepare(self) -> MakeApp:
        assert self.may_go_on.wait(PATIENCE)
        if self.failure is not None:
            raise self.failure
        return super().prepare()

    def stop(self) -> None:
        super().stop()
        self.may_go_on.set()

    def report(self, share: float) -> None:
        self._report(RULES, share)


class StartingServer(LocalServer):
    """A server in this process that stays in its start."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.startup = HeldStartup()

    def _make_app(self) -> Front:
        return Front(self.store, self.limits, self.startup, self.refusals)

    def is_up(self) -> bool:
        """Does it answer? Not: can it play?"""
        try:
            return self.request("GET", "/api/startup")[0] == 200
        except OSError:
            return False

    def told(self) -> protocol.StartupState:
        answer = ask(self, "GET", "/api/startup")
        assert answer.status == 200
        return msgspec.json.decode(answer.body, type=protocol.StartupState, strict=True)

    def wait_for(self, status: StartupStatus) -> None:
        wait_until(lambda: self.told().status == status, status)

    def go_on(self) -> None:
        self.startup.may_go_on.set()
        self.wait_for(StartupStatus.READY)


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[StartingServer]:
    server = StartingServer(tmp_path / "data")

    def make_manager(*arguments: Any) -> TableManager:
        server.managers.append(TableManager(*arguments))
        return server.managers[-1]

    monkeypatch.setattr(app_module, "TableManager", make_manager)
    server.start()
    yield server
    server.stop()


@pytest.fixture(scope="module")
def waiting(tmp_path_factory: pytest.TempPathFactory) -> Iterator[StartingServer]:
    """One that never gets ready, for those who only look."""
    server = StartingServer(tmp_path_factory.mktemp("waiting") / "data")
    server.start()
    yield server
    server.stop()


# ---------------------------------------------------------------- from the start to a game


def test_from_the_start_to_a_game(server: StartingServer) -> None:
    assert server.told() == protocol.StartupState(StartupStatus.STARTING, 0.0)
    server.startup.report(0.25)
    assert server.told() == protocol.StartupState(StartupStatus.COMPILING, 0.25)
    assert server.request("GET", "/healthz")[0] == 503
    assert server.managers == []  # so no bot thinks, and nothing is compiled for one
    server.go_on()
    assert server.told() == protocol.StartupState(StartupStatus.READY, 1.0)
    assert server.request("GET", "/healthz")[0] == 200
    opened = server.open_table("person", "random")
    assert finish(server, opened)["status"] == "over"


def test_progress_never_goes_back(server: StartingServer) -> None:
    told = []
    for share in (0.0, 0.3, 0.2, 0.9, 0.1, 1.0):
        server.startup.report(share)
        told.append(server.told().compiled)
    assert told == [0.0, 0.3, 0.3, 0.9, 0.9, 1.0]
    assert server.told().status is StartupStatus.COMPILING  # it has to be loaded yet


def test_it_is_stopped_while_it_starts(server: StartingServer) -> None:
    server.stop()
    assert server.startup.is_stopped
    assert server.managers == []
    server.start()  # for the fixture


# ---------------------------------------------------------------- meanwhile


@pytest.mark.parametrize("operation", REFUSED, ids=lambda operation: operation.name)
def test_every_request_is_refused(waiting: StartingServer, operation: Operation) -> None:
    path = operation.path.format(table="abc", **PATH_PARTS)
    body: Json | None = {} if operation.body is not None else None
    answer = ask(waiting, operation.method, path, body, "x" * 32)
    problem = msgspec.json.decode(answer.body, type=protocol.ProblemMessage)
    assert (answer.status, problem.code) == (503, ServerCode.STARTING)
    assert problem.text == protocol.CODE_MEANINGS[ServerCode.STARTING]
    assert answer.headers["retry-after"] == "1"
    for name, value in (EXPECTED | {"cache-control": "no-store"}).items():
        assert answer.headers.get_all(name) == [value]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_rules_can_be_read(waiting: StartingServer, language: Language) -> None:
    answer = ask(waiting, "GET", f"/api/rules/{language}")
    assert answer.status == 200
    assert msgspec.json.decode(answer.body, type=Rulebook) == load(language)
    assert ask(waiting, "GET", "/api/rules/it").brief == (503, "starting")


def test_sockets_are_refused(waiting: StartingServer) -> None:
    with open_socket(waiting, "abc") as client:
        assert client.end() == (TRY_AGAIN_LATER, "starting")
    refused = msgspec.convert(client.heard, list[protocol.Refused])
    assert refused == [protocol.Refused("starting", MEANINGS["starting"])]


@pytest.mark.parametrize("origin", FOREIGN)
def test_sockets_of_other_sites_are_not_even_told(waiting: StartingServer, origin: str) -> None:
    headers = {"Origin": origin_at(waiting, origin)}
    with (
        pytest.raises(InvalidStatus) as refused,
        open_socket(waiting, "abc", additional_headers=headers),
    ):
        pass
    assert refused.value.response.status_code == 403


def test_the_codes_are_those_of_the_protocol() -> None:
    for code, text in MEANINGS.items():
        assert protocol.CODE_MEANINGS[ServerCode(code)] == text
    assert CLOSE[ServerCode.STARTING] == CLOSE[ServerCode.START_FAILED] == TRY_AGAIN_LATER


def test_the_page_comes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "static" / "assets").mkdir(parents=True)
    (tmp_path / "static" / "index.html").write_text("<!doctype html>")
    (tmp_path / "static" / "assets" / "index-1.js").write_text("0")
    monkeypatch.setattr(pages, "FOLDER", tmp_path / "static")
    server = StartingServer(tmp_path / "data")
    server.start()
    try:
        for path in ("/", "/assets/index-1.js"):
            assert ask(server, "GET", path).status == 200
        assert ask(server, "GET", "/assets/nosuch.js").brief == (503, "starting")
    finally:
        server.stop()


# ---------------------------------------------------------------- it fails


def test_a_failure_is_told(server: StartingServer, monkeypatch: pytest.MonkeyPatch) -> None:
    logged: list[Exception] = []
    monkeypatch.setattr(front.logger, "error", lambda _, exc_info: logged.append(exc_info))
    server.startup.report(0.5)
    server.startup.failure = elsewhere.CompileError("OSError: the disk is full")
    server.startup.may_go_on.set()
    server.wait_for(StartupStatus.FAILED)
    assert server.told().compiled == 0.5
    answer = ask(server, "POST", "/api/tables", {"places": []})
    assert answer.brief == (503, "start_failed")
    assert answer.json["text"] == protocol.CODE_MEANINGS[ServerCode.START_FAILED]
    with open_socket(server, "abc") as client:
        assert client.end() == (TRY_AGAIN_LATER, "start_failed")
    assert logged == [server.startup.failure]


# ---------------------------------------------------------------- what is prepared


@pytest.fixture
def loaded(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What is made ready in this process, without doing it."""
    loaded: list[str] = []
    monkeypatch.setattr(jit, "load_all", lambda package=RULES: loaded.append(package))
    return loaded


def not_cached(monkeypatch: pytest.MonkeyPatch, task: str) -> None:
    """As on a machine where nothing is compiled yet; the other process does something else."""
    monkeypatch.setattr(elsewhere, "can_compile_elsewhere", lambda _package: True)
    monkeypatch.setattr(elsewhere, "TASK", task)


def test_another_process_compiles(loaded: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    not_cached(monkeypatch, "print(0.0); print(0.5); print(1.0)")
    startup = Startup()
    assert startup.prepare() is app_module.make_app
    assert (startup.status, startup.compiled) == (StartupStatus.COMPILING, 1.0)
    assert loaded == [RULES]


def test_what_is_compiled_already_is_loaded(
    loaded: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(elsewhere, "can_compile_elsewhere", lambda _package: False)
    startup = Startup()
    startup.prepare()
    assert (startup.status, startup.compiled) == (StartupStatus.STARTING, 0.0)
    assert loaded == [RULES]


def test_without_a_cache_it_is_compiled_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """And reported all the same."""
    usual = jit.report_progress

    def load() -> None:
        assert jit.report_progress is not None
        jit.report_progress(RULES, 0.75)

    monkeypatch.setattr(elsewhere, "can_compile_elsewhere", lambda _package: False)
    monkeypatch.setattr(jit, "load_all", load)
    startup = Startup()
    startup.prepare()
    assert (startup.status, startup.compiled) == (StartupStatus.COMPILING, 0.75)
    assert jit.report_progress is usual


@pytest.mark.parametrize("is_cached", [True, False])
def test_no_garbage_is_looked_for_in_what_is_loaded(
    monkeypatch: pytest.MonkeyPatch, is_cached: bool
) -> None:
    """But in what a compiler leaves behind, and whenever a server runs."""
    looked: list[bool] = []
    monkeypatch.setattr(elsewhere, "can_compile_elsewhere", lambda _package: False)
    monkeypatch.setattr(cache, "is_cached", lambda _package: is_cached)
    monkeypatch.setattr(jit, "load_all", lambda: looked.append(gc.isenabled()))
    Startup().prepare()
    assert looked == [not is_cached]
    assert gc.isenabled()


@pytest.mark.parametrize("task", ["raise SystemExit('no')", "import os; os.abort()"])
def test_nothing_is_loaded_after_a_failure(
    loaded: list[str], monkeypatch: pytest.MonkeyPatch, task: str
) -> None:
    not_cached(monkeypatch, task)
    with pytest.raises(elsewhere.CompileError):
        Startup().prepare()
    assert loaded == []


def test_nothing_is_compiled_after_a_stop(
    loaded: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    not_cached(monkeypatch, "raise AssertionError")
    startup = Startup()
    startup.stop()
    with pytest.raises(elsewhere.CompileError, match=r"^stopped$"):
        startup.prepare()
    assert loaded == []
