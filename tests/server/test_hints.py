"""Hints from the server: of what the seat sees, noted for everybody, one at a time, given up."""

from __future__ import annotations

import os
import socket
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from coatl.hints import Adviser, Effort
from coatl.hints.hint import Hint
from coatl.rules.chance import new_chance
from coatl.server import hints, priority
from coatl.table.entries import Hinted
from coatl.view import View
from tests.players.small_network import small_policy
from tests.server.first_move import FirstMove
from tests.server.fuzzing import (
    HttpAnswer,
    LocalServer,
    ask,
    compiled,
    join,
    local_server,
    open_socket,
)
from tests.server.harness import PATIENCE, Json, wait_until

pytestmark = compiled
BRIEF = Effort(
    simulations=20,
    seconds=0.0,
    second_seconds=0.0,
    further_simulations=5,
    further_seconds=0.0,
    line_seconds=0.0,
)
ELSEWHERE = {"X-Forwarded-For": "192.0.2.2"}  # as a proxy on this machine tells the address


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalServer]:
    with local_server(tmp_path_factory.mktemp("hints") / "data") as running:
        yield running


@pytest.fixture
def adviser(server: LocalServer, monkeypatch: pytest.MonkeyPatch) -> FirstMove:
    found = FirstMove()
    monkeypatch.setattr(server.manager.hints, "_adviser", found)
    return found


def start(server: LocalServer, *kinds: str, **options: object) -> Json:
    opened = server.open_table(*kinds, **options)
    for token in filter(None, opened["seats"]):
        with open_socket(server, opened["table"], token) as client:
            join(client)
            client.hear_until("state", reply="join")
    return opened


def ask_hint(server: LocalServer, opened: Json, headers: Json | None = None) -> HttpAnswer:
    path = f"/api/tables/{opened['table']}/hint"
    return ask(server, "POST", path, token=opened["seats"][0], headers=headers)


def state_of(server: LocalServer, opened: Json, token: str) -> Json:
    answer: Json = ask(server, "GET", f"/api/tables/{opened['table']}", token=token).json
    return answer


def is_noted(server: LocalServer, opened: Json) -> bool:
    return any(isinstance(entry, Hinted) for entry in server.read_log(opened["table"]))


def test_a_hint_can_be_played(server: LocalServer, tmp_path: Path) -> None:
    """By a search with a network, if a small one."""
    opened = start(server, "person", "random")
    with pytest.MonkeyPatch.context() as patch:
        small = Adviser(new_chance(1), small_policy(tmp_path), BRIEF)
        patch.setattr(server.manager.hints, "_adviser", small)
        given = ask_hint(server, opened).json
    state = state_of(server, opened, opened["seats"][0])
    assert given["version"] == state["version"]
    assert given["hint"]["seat"] == state["seat"] == 0
    assert given["hint"]["best"]["moves"][0] in state["view"]["moves"]


@pytest.mark.usefixtures("adviser")
def test_everybody_sees_that_there_was_one_once_in_a_turn(server: LocalServer) -> None:
    opened = start(server, "person", "person", hints=True)
    first, again = ask_hint(server, opened).json, ask_hint(server, opened).json
    assert first["version"] == again["version"] == 4
    for token in (opened["seats"][1], opened["watch"]):
        notes = state_of(server, opened, token)["notes"]
        assert [(note["kind"], note["place"]) for note in notes] == [("hint", 0)]
    assert server.read_log(opened["table"])[3:] == [Hinted(0)]


@pytest.mark.parametrize(
    ("other", "agreed", "has_hints"),
    [("open", False, False), ("open", True, True), ("random", False, True)],
)
def test_who_comes_sees_whether_there_are_hints(
    server: LocalServer, other: str, agreed: bool, has_hints: bool
) -> None:
    opened = server.open_table("person", other, hints=agreed)
    state = state_of(server, opened, opened["seats"][0])
    assert (state["status"], state.get("hints", False)) == ("waiting", has_hints)
    path = f"/api/tables/{opened['table']}/invitation"
    answer = ask(server, "GET", path, token=opened["invite"] or opened["seats"][0])
    assert answer.json == {"hints": has_hints}


def test_the_adviser_sees_what_the_seat_sees(
    server: LocalServer, adviser: FirstMove, monkeypatch: pytest.MonkeyPatch
) -> None:
    views: list[View] = []
    find = adviser.hint

    def hint(view: View) -> Hint:
        views.append(view)
        return find(view)

    monkeypatch.setattr(adviser, "hint", hint)
    opened = start(server, "person", "random")
    ask_hint(server, opened)
    seen = server.manager.rooms[opened["table"]].table.view(0)
    assert seen is not None
    assert [view.to_json() for view in views] == [seen.to_json()]


def test_hints_are_limited_and_an_idle_adviser_is_dropped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hints, "_new_adviser", FirstMove)
    limits = {"COATL_HINTS_PER_MINUTE": "1", "COATL_HINT_BURST": "2"}
    with local_server(tmp_path / "data", **limits) as server:
        opened = start(server, "person", "random")
        codes = [ask_hint(server, opened).code for _ in range(3)]
        assert codes == ["", "", "too_fast"]
        assert ask_hint(server, opened, ELSEWHERE).status == 200
        dropped = [server.manager.hints.drop_unused(seconds) for seconds in (3600, 0, 0)]
        assert dropped == [0, 1, 0]


def test_what_is_refused_does_not_count(server: LocalServer, tmp_path: Path) -> None:
    limits = {"COATL_HINTS_PER_MINUTE": "1", "COATL_HINT_BURST": "1"}
    with local_server(tmp_path / "data", **limits) as server:
        opened = start(server, "person", "person")
        assert [ask_hint(server, opened).code for _ in range(3)] == ["hints_off"] * 3


def test_nobody_thinks_before_all_is_compiled(
    server: LocalServer, adviser: FirstMove, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else the compiler would take the time of the hint, and of everybody else."""
    order: list[str] = []
    find = adviser.hint

    def hint(view: View) -> Hint:
        order.append("asked")
        return find(view)

    async def wait_for_hints() -> None:
        order.append("compiled")

    monkeypatch.setattr(adviser, "hint", hint)
    monkeypatch.setattr(server.manager.compiling, "wait_for_hints", wait_for_hints)
    ask_hint(server, start(server, "person", "random"))
    assert order == ["compiled", "asked"]


class Patient(FirstMove):
    """Thinks until it is stopped, or told to answer."""

    def __init__(self) -> None:
        super().__init__()
        self.asked, self.answer = threading.Event(), threading.Event()
        self.niceness: int | None = None

    def hint(self, view: View) -> Hint:
        self.niceness = os.getpriority(os.PRIO_PROCESS, threading.get_native_id())
        self.asked.set()
        assert self.answer.wait(3 * PATIENCE)  # longer than any test waits for what it does
        return super().hint(view)

    def stop(self) -> None:
        super().stop()
        self.answer.set()


@pytest.fixture
def patient(server: LocalServer, monkeypatch: pytest.MonkeyPatch) -> Patient:
    found = Patient()
    monkeypatch.setattr(server.manager.hints, "_adviser", found)
    return found


def ask_in_thread(server: LocalServer, opened: Json, answers: list[HttpAnswer]) -> threading.Thread:
    thread = threading.Thread(target=lambda: answers.append(ask_hint(server, opened)))
    thread.start()
    return thread


def test_one_at_a_time_for_an_address(server: LocalServer, patient: Patient) -> None:
    answers: list[HttpAnswer] = []
    opened = start(server, "person", "random")
    thread = ask_in_thread(server, opened, answers)
    assert patient.asked.wait(PATIENCE)
    assert ask_hint(server, opened).code == "too_fast"
    patient.answer.set()
    thread.join(PATIENCE)
    assert [answer.status for answer in answers] == [200]
    assert patient.niceness is not None
    assert patient.niceness >= priority.NICENESS


def test_a_search_ends_when_the_table_moves_on(server: LocalServer, patient: Patient) -> None:
    answers: list[HttpAnswer] = []
    opened = start(server, "person", "random")
    thread = ask_in_thread(server, opened, answers)
    assert patient.asked.wait(PATIENCE)
    room = server.manager.rooms[opened["table"]]
    view, version = room.table.view(0), room.table.version
    assert view is not None
    move = view.moves[0].text
    server.call(server.manager.change(room, lambda table: table.decide(0, move, version)))
    thread.join(PATIENCE)
    assert [answer.code for answer in answers] == ["stale"]
    assert patient.stops >= 1
    assert not is_noted(server, opened)


def test_a_search_ends_when_the_client_leaves(server: LocalServer, patient: Patient) -> None:
    opened = start(server, "person", "random")
    with socket.create_connection(("127.0.0.1", server.port)) as raw:
        path, token = f"/api/tables/{opened['table']}/hint", opened["seats"][0]
        head = f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {token}\r\n"
        raw.sendall(f"{head}Content-Length: 0\r\n\r\n".encode())
        assert patient.asked.wait(PATIENCE)
    wait_until(lambda: patient.stops, "it is stopped")
    assert not is_noted(server, opened)


def test_who_has_an_answer_stops_nobody_else(server: LocalServer, adviser: FirstMove) -> None:
    """The same adviser thinks for the next one already."""
    ask_hint(server, start(server, "person", "random"))
    assert adviser.stops == 0


def test_a_bot_makes_way_when_its_turn_is_over(server: LocalServer) -> None:
    """The state says so at once, though a decision does not change who sits where otherwise."""
    opened = start(server, "person", "person")
    manager, room = server.manager, server.manager.rooms[opened["table"]]

    def bot_plays(table: Any) -> Any:
        return table.bot_decides(0, table.view(0).moves[0].text)

    with (
        pytest.MonkeyPatch.context() as patch,
        open_socket(server, opened["table"], opened["seats"][1]) as ben,
    ):
        patch.setattr(manager._runner, "wake", lambda _: None)
        server.call(manager.change(room, lambda table: table.hand_over(0, "random")))
        server.call(manager.change(room, bot_plays))
        server.call(manager.change(room, lambda table: table.take_back(0)))
        states = [ben.hear_until("state", version=room.table.version)]
        while room.table.to_move == 0:
            server.call(manager.change(room, bot_plays))
            states.append(ben.hear_until("state", version=room.table.version))
    places = [state["places"][0] for state in states]
    assert [place.get("returns", False) for place in places] == [True] * (len(places) - 1) + [False]
    assert "bot" not in places[-1]
