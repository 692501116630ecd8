"""For how much a Cóatl can be closed: told exactly, to its owner, when it is asked for."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from coatl.game import Game
from tests.server.fuzzing import (
    LocalServer,
    RecordingClient,
    compiled,
    join,
    local_server,
    open_socket,
)
from tests.server.harness import Json

pytestmark = compiled
# With just a head and a tail it cannot be closed: the two cards need the red segments.
POSITION = "2p | hand=RRR,{R} temples=noY/7 board=2R,2B,K> coatl=<BR | hand=- board=R"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalServer]:
    with local_server(tmp_path_factory.mktemp("closings") / "data") as running:
        yield running


@pytest.fixture(scope="module")
def opened(server: LocalServer) -> Json:
    return server.open_table("person", "random", practice={"position": POSITION})


def closings(client: RecordingClient) -> Json:
    client.send({"type": "closings", "id": "asked"})
    answer: Json = client.hear_until("closings_found", reply="asked")
    return answer


def test_what_the_solver_finds_is_told(server: LocalServer, opened: Json) -> None:
    exact = Game.from_position(POSITION).view(0).best_closings()
    assert [None if one is None else one.value for one in exact] == [12, None]
    with open_socket(server, opened["table"], opened["seats"][0]) as client:
        join(client)
        state = client.hear_until("state", reply="join")
        assert "closing" not in state["view"]["seats"][0]["coatls"][0]
        answer = closings(client)
    assert (answer["version"], answer["values"]) == (state["version"], [12])


def test_while_it_is_compiled_nobody_waits(
    server: LocalServer, opened: Json, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server.manager.compiling, "is_ready", lambda _packages: False)
    with open_socket(server, opened["table"], opened["seats"][0]) as client:
        assert closings(client)["values"] is None


def test_spectators_own_nothing(server: LocalServer, opened: Json) -> None:
    with open_socket(server, opened["table"], opened["watch"]) as client:
        client.send({"type": "closings", "id": "asked"})
        assert client.hear_until("refused", reply="asked")["code"] == "forbidden"


def test_before_the_game_there_is_nothing(server: LocalServer) -> None:
    waiting = server.open_table("person", "open")
    with open_socket(server, waiting["table"], waiting["seats"][0]) as client:
        client.send({"type": "closings", "id": "asked"})
        assert client.hear_until("refused", reply="asked")["code"] == "not_started"
