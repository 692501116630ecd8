"""Open places: taken once by whoever asks, asked for again when the answer got lost, and freed."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from coatl.table.entries import Freed
from tests.server.fuzzing import LocalServer, ask, compiled, join, local_server, open_socket
from tests.server.harness import HELLO, Json

pytestmark = compiled

ID, OTHER_ID = "0123456789abcdef" * 3, "fedcba9876543210" * 3


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalServer]:
    with local_server(tmp_path_factory.mktemp("open") / "data") as server:
        yield server


def take(server: LocalServer, table: Json, id: str | None = None) -> Json:
    body = {"invite": table["invite"]} | ({} if id is None else {"id": id})
    return dict(ask(server, "POST", f"/api/tables/{table['table']}/join", body).json)


def free(server: LocalServer, table: Json, place: int = 1) -> tuple[int, str]:
    path = f"/api/tables/{table['table']}/free"
    return ask(server, "POST", path, {"place": place}, token=table["owner"]).brief


def places(server: LocalServer, table: Json) -> list[Json]:
    path = f"/api/tables/{table['table']}"
    return list(ask(server, "GET", path, token=table["owner"]).json["places"])


def test_a_request_can_be_repeated(server: LocalServer) -> None:
    """With its id, also after the server has forgotten the table; another id gets another place."""
    table = server.open_table("person", "open", "open")
    first = take(server, table, ID)
    assert take(server, table, ID) == first
    server.manager.rooms.clear()
    assert take(server, table, ID) == first
    second = take(server, table, OTHER_ID)
    assert {first["place"], second["place"]} == {1, 2}
    assert first["token"] != second["token"]
    assert take(server, table)["code"] == "taken"
    assert take(server, table, ID) == first


def test_an_id_is_worth_something_at_one_table_only(server: LocalServer) -> None:
    tables = [server.open_table("person", "open") for _ in range(2)]
    assert len({take(server, table, ID)["token"] for table in tables}) == 2


@pytest.mark.parametrize("id", ["", "short", "x" * 65, 5])
def test_ids_that_can_be_guessed_are_refused(server: LocalServer, id: object) -> None:
    table = server.open_table("person", "open")
    body = {"invite": table["invite"], "id": id}
    answer = ask(server, "POST", f"/api/tables/{table['table']}/join", body)
    assert answer.brief == (400, "bad_message")


def test_a_place_that_is_freed_can_be_taken_again(server: LocalServer) -> None:
    """Whoever had it is let go, and their token opens nothing any more, now and after a restart."""
    table = server.open_table("person", "open")
    before = take(server, table)
    assert [place.get("taken", False) for place in places(server, table)] == [False, True]
    with open_socket(server, table["table"], before["token"]) as guest:
        assert free(server, table) == (200, "")
        guest.end()
    assert [place.get("taken", False) for place in places(server, table)] == [False, False]
    for _ in range(2):
        with open_socket(server, table["table"]) as guest:
            guest.send({**HELLO, "token": before["token"]})
            assert guest.end() == (4401, "bad_token")
        server.manager.rooms.clear()
    assert take(server, table)["place"] == before["place"]


def test_somebody_who_has_sat_down_loses_the_place_too(server: LocalServer) -> None:
    """The game begins with whoever comes then, under their own name."""
    table = server.open_table("person", "open")
    with open_socket(server, table["table"], take(server, table)["token"]) as guest:
        guest.send({"type": "join", "id": "j", "nonce": "1" * 64, "name": "Gone"})
        guest.hear_until("state", reply="j")
    assert places(server, table)[1]["name"] == "Gone"
    assert free(server, table) == (200, "")
    at = places(server, table)[1]
    assert (at["kind"], at["name"], at["ready"]) == ("open", "", False)
    assert Freed(1) in server.read_log(table["table"])
    server.manager.rooms.clear()
    for token in (table["seats"][0], take(server, table)["token"]):
        with open_socket(server, table["table"], token) as client:
            join(client)
            state = client.hear_until("state", reply="join")
    assert state["status"] == "playing"
    assert state["places"][1]["name"] == "Player 2"
    assert free(server, table) == (409, "started")


def test_what_cannot_be_freed(server: LocalServer) -> None:
    table = server.open_table("person", "open", "random")
    for place in (0, 1, 2, 3):  # of a person, not taken, a bot's, none
        assert free(server, table, place) == (400, "no_person")


def test_everybody_is_told_of_places_that_are_taken_and_freed(server: LocalServer) -> None:
    table = server.open_table("person", "open")
    with open_socket(server, table["table"], table["seats"][0]) as client:
        take(server, table)
        assert client.hear_until("state")["places"][1]["taken"]
        free(server, table)
        assert "taken" not in client.hear_until("state")["places"][1]
