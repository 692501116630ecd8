"""Connections break, messages come late or twice: no decision is lost, and none is made twice."""

from __future__ import annotations

import asyncio
import base64
import json
import random
import secrets
import socket
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

import pytest

from coatl.fairness import promise_of
from coatl.server.connection import MOST_WAITING, Connection
from coatl.server.room import Room
from coatl.server.store import StoredTable
from coatl.table import Opened, PlaceKind, PlaceSpec, Table
from coatl.table.entries import Joined
from tests.cli.program import compiled
from tests.server.harness import (
    HELLO,
    Browser,
    Json,
    LiveServer,
    SeatClient,
    clients_of,
    play_tables,
    run_for_a_while,
    seats_of,
    shared_server,
)

pytestmark = compiled


def ids_in_the_log(server: LiveServer, table: str) -> Counter[str]:
    ids = (getattr(entry, "id", None) for entry in server.read_log(table))
    return Counter(id for id in ids if id)


async def begin(clients: list[SeatClient]) -> None:
    """Everybody joins, and has the state of the first decision."""
    for client in clients:
        await client.join()
    for client in clients:
        await client.state_at(len(clients) + 1)


async def catch_up(clients: list[SeatClient]) -> None:
    """All read what there is, as far as the one who knows most."""
    latest = max(client.state["version"] for client in clients)
    for client in clients:
        await client.state_at(latest)


def whose_turn(clients: list[SeatClient]) -> SeatClient:
    return next(client for client in clients if client.is_my_turn)


# ---------------------------------------------------------------- lost connections


def check_log(server: LiveServer, browsers: list[Browser]) -> None:
    """What was acknowledged is in the log; nothing is there twice."""
    ids = ids_in_the_log(server, browsers[0].table)
    assert set(ids.values()) == {1}
    for browser in browsers:
        assert browser.is_over
        assert set(browser.acknowledged) <= set(ids)
    assert not {refused["code"] for browser in browsers for refused in browser.refused} - {
        "stale",
        "not_your_turn",
        "taken",
    }


def test_clients_that_drop_the_connection_before_reading() -> None:
    """And come back, send again what was not answered, and put all events together."""
    server = shared_server()
    browsers = seats_of(server, server.open_table("person", levels=[]), seed=1, drops=0.3)
    browsers += seats_of(server, server.open_table("person", levels=[1]), seed=2, drops=0.3)
    play_tables(browsers)
    for browser in browsers:
        check_log(server, [browser])


@pytest.mark.games
@pytest.mark.parametrize("drops", [0.1, 0.5])
def test_several_clients_that_drop_the_connection(drops: float) -> None:
    server = shared_server()
    browsers = seats_of(server, server.open_table("person", "person", "random"), 5, drops)
    play_tables(browsers)
    check_log(server, browsers)
    path = f"/api/tables/{browsers[0].table}"
    for browser in browsers:
        told = server.request("GET", path, token=browser.token)[1]
        assert browser.events == told["events"]


def test_events_go_on_where_a_client_stopped() -> None:
    """With `events` in hello there is neither gap nor repetition; without, all of them come."""
    server = shared_server()
    opened = server.open_table("person", levels=[])

    async def play() -> None:
        rng = random.Random(3)
        token, known = opened["seats"][0], list[Json]()
        async with SeatClient(server, opened["table"], token) as client:
            await client.join()
        while True:
            async with SeatClient(server, opened["table"], token, events=len(known)) as client:
                state = await client.next_state()
                assert state["first_event"] == len(known)
                known += state["events"]
                for _ in range(rng.randrange(4)):
                    if state["status"] == "over":
                        break
                    state = await client.decide(rng.choice(client.moves))
                    assert state["first_event"] == len(known)
                    known += state["events"]
            if state["status"] == "over":
                break
        async with SeatClient(server, opened["table"], token) as client:
            state = await client.next_state()
            assert (state["first_event"], state["events"]) == (0, known)

    run_for_a_while(play())


def test_more_events_than_there_are() -> None:
    """From a lost future: all of them come again."""
    server = shared_server()
    opened = server.open_table("person", levels=[])

    async def play() -> None:
        token = opened["seats"][0]
        async with SeatClient(server, opened["table"], token) as client:
            await client.join()
            await client.decide()
            told = len(client.state["events"])
            assert told > 0
        async with SeatClient(server, opened["table"], token, events=told + 1) as client:
            state = await client.next_state()
            assert (state["first_event"], len(state["events"])) == (0, told)
        async with SeatClient(server, opened["table"], token, events=told) as client:
            state = await client.next_state()
            assert (state["first_event"], state["events"]) == (told, [])

    run_for_a_while(play())


def test_hello_with_a_later_version() -> None:
    """`ahead` comes first, then the table as it is, with all events, and the game goes on."""
    server = shared_server()
    opened = server.open_table("person", levels=[])

    async def play() -> None:
        token = opened["seats"][0]
        async with SeatClient(server, opened["table"], token) as client:
            await client.join()
            await client.decide()
        async with SeatClient(server, opened["table"], token, version=99, events=1) as client:
            refused = await client.receive()
            assert (refused["type"], refused["code"]) == ("refused", "ahead")
            assert "reply" not in refused
            state = await client.receive()
            assert (state["type"], state["version"], state["first_event"]) == ("state", 3, 0)
            assert (await client.decide())["version"] == 4
        async with SeatClient(server, opened["table"], token, version=4) as client:
            assert (await client.receive())["type"] == "state"

    run_for_a_while(play())


# ---------------------------------------------------------------- again, late, at once


def test_the_same_id_again() -> None:
    """Answered again, not played again, on this socket and on a new one, and much later."""
    server = shared_server()
    opened = server.open_table("person", "person")

    async def play() -> None:
        ana, ben = clients_of(server, opened)
        async with ana, ben:
            await begin([ana, ben])
            again: Json = {"version": 3, "move": ana.moves[0], "id": "once"}
            assert (await ana.ask("decide", **again))["version"] == 4
            assert (await ana.ask("decide", **again))["version"] == 4
            again["move"] = "something else"
            assert (await ana.ask("decide", **again))["type"] == "state"
            while not ben.is_my_turn:
                await ana.decide()
                await catch_up([ana, ben])
            await ben.decide()
        async with SeatClient(server, opened["table"], opened["seats"][0]) as later:
            answer = await later.ask("decide", **again)
            assert (answer["type"], answer["version"]) == ("state", ben.state["version"])

    run_for_a_while(play())
    assert ids_in_the_log(server, opened["table"])["once"] == 1


def test_ids_are_a_seats_own() -> None:
    server = shared_server()
    opened = server.open_table("person", "person")

    async def play() -> None:
        ana, ben = clients_of(server, opened)
        async with ana, ben:
            assert (await ana.ask("join", id="x", nonce="0" * 64))["type"] == "state"
            assert (await ben.ask("join", id="x", nonce="1" * 64))["version"] == 3

    run_for_a_while(play())
    assert ids_in_the_log(server, opened["table"])["x"] == 2


def test_join_again() -> None:
    """The same id is answered again; another one finds the seat taken."""
    server = shared_server()
    opened = server.open_table("person", "person")

    async def play() -> None:
        async with clients_of(server, opened)[0] as client:
            first = await client.ask("join", id="x", nonce="0" * 64)
            again = await client.ask("join", id="x", nonce="0" * 64)
            assert first["version"] == again["version"] == 2
            assert (await client.ask("join", id="y", nonce="0" * 64))["code"] == "taken"

    run_for_a_while(play())


def test_a_late_decision_is_refused_with_a_fresh_state() -> None:
    server = shared_server()
    opened = server.open_table("person", "person")

    async def play() -> None:
        ana, ben = clients_of(server, opened)
        async with ana, ben:
            await begin([ana, ben])
            move = ana.moves[0]
            await ana.decide(move)
            for version, code in ((3, "stale"), (99, "ahead")):
                refused = await ana.ask("decide", version=version, move=move)
                assert (refused["type"], refused["code"]) == ("refused", code)
                fresh = await ana.next_state()
                assert (fresh["version"], fresh["events"]) == (4, [])
                assert "reply" not in fresh
            refused = await ben.ask("decide", version=4, move=move)
            assert refused["code"] == "not_your_turn"
            assert (await ben.next_state())["version"] == 4
            refused = await ana.ask("undo", version=3)
            assert refused["code"] == "stale"

    run_for_a_while(play())
    assert len(server.read_log(opened["table"])) == 4


def test_an_id_that_was_refused_may_be_used() -> None:
    server = shared_server()
    opened = server.open_table("person", levels=[])

    async def play() -> None:
        async with clients_of(server, opened)[0] as client:
            await client.join()
            assert (await client.decide(version=1, id="x"))["code"] == "stale"
            await client.next_state()
            assert (await client.decide(id="x"))["version"] == 3

    run_for_a_while(play())


@pytest.mark.parametrize("ids", [("a", "a"), ("a", "b")], ids=["same id", "two ids"])
def test_sent_twice_at_once(ids: tuple[str, str]) -> None:
    """On two sockets of a seat, before either has an answer: one decision is made."""
    server = shared_server()
    opened = server.open_table("person", levels=[])

    async def play() -> tuple[Json, Json]:
        token = opened["seats"][0]
        async with (
            SeatClient(server, opened["table"], token) as one,
            SeatClient(server, opened["table"], token) as two,
        ):
            await one.join()
            await two.state_at(2)
            move = one.moves[0]
            return await asyncio.gather(
                one.ask("decide", version=2, move=move, id=ids[0]),
                two.ask("decide", version=2, move=move, id=ids[1]),
            )

    answers = run_for_a_while(play())
    if ids[0] == ids[1]:
        assert [answer["version"] for answer in answers] == [3, 3]
    else:
        assert sorted(answer["type"] for answer in answers) == ["refused", "state"]
        assert next(a["code"] for a in answers if a["type"] == "refused") == "stale"
    assert len(server.read_log(opened["table"])) == 3


def test_many_messages_without_waiting_are_answered_in_order() -> None:
    server = shared_server()
    opened = server.open_table("person", levels=[])

    async def play() -> None:
        async with clients_of(server, opened)[0] as client:
            await client.join()
            moves = client.moves
            for number in range(30):  # each at the version before: only the first can be right
                fields: Json = {"version": 2, "move": moves[0], "id": str(number)}
                await client.send("decide", **fields)
            replies: list[Json] = []
            while len(replies) < 30:
                message = await client.receive()
                if "reply" in message:
                    replies.append(message)
            assert [reply["reply"] for reply in replies] == [str(n) for n in range(30)]
            assert [reply["type"] for reply in replies] == ["state"] + ["refused"] * 29

    run_for_a_while(play())


def test_two_windows_of_one_seat() -> None:
    """Whichever decides, both are right afterwards; the answer comes where it was asked."""
    server = shared_server()
    opened = server.open_table("person", levels=[])

    async def play() -> None:
        rng = random.Random(1)
        token = opened["seats"][0]
        windows = [SeatClient(server, opened["table"], token) for _ in range(2)]
        async with windows[0], windows[1]:
            await windows[0].join()
            await windows[1].state_at(2)
            while windows[0].state["status"] != "over":
                asking, other = rng.sample(windows, 2)
                answer = await asking.decide(rng.choice(asking.moves))
                state = await other.state_at(answer["version"])
                assert "reply" not in state
                assert state == {key: value for key, value in answer.items() if key != "reply"}

    run_for_a_while(play())


# ---------------------------------------------------------------- a client that never reads


class BlockedSend:
    """A socket whose buffer is full, until it is let through."""

    def __init__(self) -> None:
        self.open = asyncio.Event()
        self.sent: list[Json] = []

    async def __call__(self, text: str) -> None:
        await self.open.wait()
        self.sent.append(json.loads(text))


def started_room() -> Room:
    secret = "77" * 32
    opened = Opened((PlaceSpec(PlaceKind.PERSON),), promise_of(secret), levels=())
    return Room("room", StoredTable(secret, 0.0, [opened, Joined(0, "Ana", "0" * 64)], {}))


def play_and_publish(room: Room, rng: random.Random) -> None:
    table: Table = room.table
    view = table.view(0)
    assert view is not None
    table.decide(0, rng.choice(view.moves).text, table.version)
    room.publish()


def test_states_that_wait_are_overtaken_and_no_event_is_left_out() -> None:
    async def play() -> None:
        room, send, rng = started_room(), BlockedSend(), random.Random(2)
        connection = Connection(send, 0)
        room.enter(connection)
        connection.offer_state(room)
        writer = asyncio.create_task(connection.write())
        while room.table.status != "over":
            await asyncio.sleep(0)
            play_and_publish(room, rng)
        assert len(connection._waiting) <= 2
        assert not connection.ended.is_set()
        send.open.set()
        while not send.sent or send.sent[-1]["status"] != "over":
            await asyncio.sleep(0)
        writer.cancel()
        assert len(send.sent) <= 3
        told = 0
        for state in send.sent:
            assert state["first_event"] == told
            told += len(state["events"])
        assert told == room.event_count

    run_for_a_while(play())


def test_a_client_with_too_many_answers_waiting_is_let_go() -> None:
    async def play() -> None:
        connection = Connection(BlockedSend(), 0)
        for _ in range(MOST_WAITING):
            connection.offer(b'{"type":"pong"}')
        assert not connection.ended.is_set()
        connection.offer(b'{"type":"pong"}')
        assert connection.ended.is_set()

    run_for_a_while(play())


@contextmanager
def never_reading(server: LiveServer, table: str, token: str) -> Iterator[socket.socket]:
    """A WebSocket by hand, with a small buffer, that says hello and then nothing more."""
    with socket.socket() as raw:
        raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
        raw.settimeout(20)
        raw.connect(("127.0.0.1", server.port))
        key = base64.b64encode(secrets.token_bytes(16)).decode()
        raw.sendall(
            f"GET /api/tables/{table}/socket HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n"
            "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
            f"Sec-WebSocket-Key: {key}\r\n\r\n".encode()
        )
        answer = b""
        while not answer.endswith(b"\r\n\r\n"):  # so far it reads
            answer += raw.recv(1)
        assert answer.startswith(b"HTTP/1.1 101")
        raw.sendall(text_frame({**HELLO, "token": token}))
        yield raw


def text_frame(message: Any) -> bytes:
    """A masked text frame (RFC 6455) with the mask 0."""
    data = json.dumps(message).encode()
    assert len(data) < 126
    return bytes([0x81, 0x80 | len(data), 0, 0, 0, 0]) + data


def test_those_who_never_read_hold_nobody_up() -> None:
    """A seat's second window and some spectators stop reading; the game goes on to its end."""
    server = shared_server()
    opened = server.open_table("person", "greedy")
    tokens = [opened["seats"][0], *[opened["watch"]] * 6]
    with ExitStack() as stack:
        for token in tokens:
            stack.enter_context(never_reading(server, opened["table"], token))
        browsers = seats_of(server, opened, seed=4)
        play_tables(browsers)
        assert browsers[0].is_over
    check_log(server, browsers)


def test_who_asks_much_and_never_reads_is_let_go() -> None:
    """Megabytes of answers are neither kept in memory nor waited for."""
    server = shared_server()
    opened = server.open_table("person", "person")

    async def play() -> None:
        table = opened["table"]
        async with SeatClient(server, table, opened["seats"][0]) as client:
            await client.ask("join", id="x", nonce="0" * 64)
        async with SeatClient(server, table, opened["seats"][1]) as ben:
            await ben.join()
            with never_reading(server, table, opened["seats"][0]) as raw:
                await ben.until(lambda message: message.get("connected") == [True, True])
                flooding = asyncio.create_task(asyncio.to_thread(flood, raw))
                await ben.until(lambda message: message.get("connected") == [False, True])
                raw.shutdown(socket.SHUT_RDWR)
                await flooding
            assert (await ben.ask("hand_over", bot="greedy"))["type"] == "state"

    run_for_a_while(play())


def flood(raw: socket.socket) -> None:
    """The same question with a long answer, until the other side hangs up."""
    again = text_frame({"type": "join", "id": "x", "nonce": "0" * 64})
    try:
        for _ in range(20_000):
            raw.sendall(again)
    except OSError:
        pass
