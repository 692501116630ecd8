"""Clients of another protocol: refused with both numbers, before anything else is looked at."""

from __future__ import annotations

import pytest

from coatl.server.protocol import PROTOCOL
from coatl.server.socket import RELOAD
from tests.server.fuzzing import RecordingClient, compiled, open_socket
from tests.server.harness import HELLO, Json, LiveServer, shared_server

pytestmark = compiled


@pytest.fixture
def server() -> LiveServer:
    return shared_server()


@pytest.fixture
def table(server: LiveServer) -> Json:
    return server.open_table("person", "random")


def refusal(client: RecordingClient) -> Json:
    """The only message, after which the socket is closed."""
    assert client.end() == (4426, "wrong_protocol")
    assert [message["type"] for message in client.heard] == ["refused"]
    return client.heard[0]


@pytest.mark.parametrize("spoken", [None, 1, PROTOCOL - 1, PROTOCOL + 1, 10**30, -1])
def test_another_protocol(server: LiveServer, table: Json, spoken: int | None) -> None:
    hello = {"type": "hello", "token": table["seats"][0]}
    with open_socket(server, table["table"]) as client:
        client.send(hello if spoken is None else {**hello, "protocol": spoken})
        refused = refusal(client)
    assert refused["code"] == "wrong_protocol"
    assert (
        f"the server speaks protocol {PROTOCOL}, the client protocol {spoken or 1}"
        in (refused["text"])
    )


def test_a_hello_that_only_its_own_protocol_can_read(server: LiveServer, table: Json) -> None:
    """What the client speaks is known all the same."""
    with open_socket(server, table["table"]) as client:
        client.send({"type": "hello", "protocol": PROTOCOL + 1, "seat": {"key": 7}})
        assert refusal(client)["code"] == "wrong_protocol"


def test_the_token_is_not_looked_at(server: LiveServer) -> None:
    with open_socket(server, "nosuch") as client:
        client.send({"type": "hello", "token": "x" * 32})
        assert refusal(client)["code"] == "wrong_protocol"


def test_a_hello_later_on(server: LiveServer, table: Json) -> None:
    """It is one too many, whatever it speaks."""
    with open_socket(server, table["table"], table["seats"][0]) as client:
        assert client.ask({**HELLO, "token": "x" * 32, "protocol": 1})["code"] == "hello_first"


def test_a_page_of_protocol_1(server: LiveServer, table: Json) -> None:
    """What it can do something with: it stops at this code, and shows what stands for a clause."""
    with open_socket(server, table["table"], origin=server.url) as client:
        client.send({"type": "hello", "token": table["seats"][0], "version": 3, "events": 4})
        refused = refusal(client)
    assert (refused["code"], refused["clause"]) == ("wrong_origin", RELOAD)


def test_a_page_of_a_later_protocol(server: LiveServer, table: Json) -> None:
    with open_socket(server, table["table"], origin=server.url) as client:
        client.send({**HELLO, "token": table["seats"][0], "protocol": PROTOCOL + 1})
        refused = refusal(client)
    assert (refused["code"], refused.get("clause")) == ("wrong_protocol", None)


@pytest.mark.parametrize("role", ["seat", "watch"])
def test_a_ping_is_answered_with_its_id(server: LiveServer, table: Json, role: str) -> None:
    """And without one if it had none, as the first clients send it."""
    token = table["watch"] if role == "watch" else table["seats"][0]
    with open_socket(server, table["table"], token) as client:
        client.send({"type": "ping", "id": "42"})
        assert client.hear_until("pong") == {"type": "pong", "reply": "42"}
        client.send({"type": "ping"})
        assert client.hear_until("pong") == {"type": "pong"}
