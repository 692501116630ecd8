"""Messages that nobody means well with: refused with a documented code, and play goes on."""

from __future__ import annotations

import json
import random
import socket
import struct
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed

from coatl.server.protocol import ServerCode
from coatl.server.settings import ServerSettings
from coatl.server.socket import CLOSE as CLOSE_CODES
from coatl.server.socket import MOST_OFFENCES
from tests.server.fuzzing import (
    BINARY,
    CLOSE,
    CODES,
    TEXT,
    RecordingClient,
    assert_calm,
    compiled,
    connections,
    few_or_many,
    join,
    local_server,
    mutate,
    open_socket,
    raw_socket,
    wait_until_empty,
)
from tests.server.harness import HELLO, Json, LiveServer, play_tables, running_server, seats_of

pytestmark = compiled

SEED = 30
KINDS = {"state", "refused", "reason", "presence", "pong"}
LONGEST = ServerSettings().max_message
NONCE = "0123456789abcdef" * 4
MESSAGES: dict[str, Json] = {
    "hello": {**HELLO, "token": "A" * 32, "version": 1, "events": 0, "shown": 1},
    "join": {"type": "join", "id": "a", "nonce": NONCE, "name": "Ana"},
    "decide": {"type": "decide", "id": "b", "version": 3, "move": "take b1"},
    "undo": {"type": "undo", "id": "c", "version": 3},
    "why": {"type": "why", "id": "d", "move": "1+R"},
    "hand_over": {"type": "hand_over", "id": "e", "bot": "random"},
    "take_back": {"type": "take_back", "id": "f"},
    "give_up": {"type": "give_up", "id": "g"},
    "shown": {"type": "shown", "version": 3},
    "ping": {"type": "ping", "id": "h"},
}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    """After all that a game of two people can still be played to its end."""
    with running_server(tmp_path_factory.mktemp("fuzz") / "data") as server:
        yield server
        browsers = seats_of(server, server.open_table("person", "person"), SEED)
        play_tables(browsers)
        assert all(browser.is_over and not browser.refused for browser in browsers)
    assert_calm(server)


@pytest.fixture(autouse=True)
def unharmed(request: pytest.FixtureRequest) -> Iterator[None]:
    """After each test everybody is gone, and nothing went wrong at the server."""
    yield
    if "server" in request.fixturenames:
        server: LiveServer = request.getfixturevalue("server")
        wait_until_empty(server)
        assert_calm(server)


def sit_down(server: LiveServer) -> Json:
    """Two people who play, and it is the first one's turn."""
    table = server.open_table("person", "person")
    for token in table["seats"]:
        with open_socket(server, table["table"], token) as client:
            join(client)
            client.hear_until("state", reply="join")
    return table


@pytest.fixture
def opened(server: LiveServer) -> Json:
    return sit_down(server)


@pytest.fixture(scope="module")
def seated(server: LiveServer) -> Json:
    """A table for tests that change nothing at it."""
    return sit_down(server)


# ---------------------------------------------------------------- mutated messages


class Pest:
    """Sends what it is given and comes back when it is thrown out."""

    def __init__(self, server: LiveServer, table: str, token: str) -> None:
        self.server, self.table, self.token = server, table, token
        self.ends: list[int] = []
        self.heard: list[Json] = []

    def send_all(self, messages: list[bytes]) -> None:
        while messages:
            with open_socket(self.server, self.table, self.token) as client:
                messages = self._send(client, messages)
                self.heard += client.heard

    def _send(self, client: RecordingClient, messages: list[bytes]) -> list[bytes]:
        """What is left when the socket is closed, or nothing."""
        for number, message in enumerate(messages):
            try:
                client.ask(as_frame(message))
            except ConnectionClosed as closed:
                self.ends.append(1006 if closed.rcvd is None else closed.rcvd.code)
                return messages[number + 1 :]
        return []


def as_frame(message: bytes) -> str | bytes:
    """Text if it can be one."""
    try:
        return message.decode()
    except UnicodeDecodeError:
        return message


def check_pest(pest: Pest) -> None:
    assert set(pest.ends) <= {*CLOSE_CODES.values(), 1009}
    assert {message["type"] for message in pest.heard} <= KINDS
    for message in pest.heard:
        if message["type"] == "refused":
            assert message["code"] in CODES
            assert set(message) <= {"type", "code", "text", "clause", "cause", "reply"}
            assert message["text"]


def pester(server: LiveServer, opened: Json, role: str, messages: list[bytes]) -> None:
    token = opened["seats"][0] if role == "seat" else opened[role]
    pest = Pest(server, opened["table"], token)
    pest.send_all(messages)
    check_pest(pest)


@pytest.mark.parametrize("role", ["seat", "watch"])
@pytest.mark.parametrize("kind", MESSAGES)
def test_mutated_messages(server: LiveServer, opened: Json, kind: str, role: str) -> None:
    rng = random.Random(f"{SEED} {kind}")
    messages = [mutate(rng, MESSAGES[kind]) for _ in range(60)]
    pester(server, opened, role, messages)


@pytest.mark.games
@pytest.mark.parametrize("kind", MESSAGES)
def test_many_mutated_messages(server: LiveServer, opened: Json, kind: str) -> None:
    rng = random.Random(f"{SEED} many {kind}")
    messages = [mutate(rng, MESSAGES[kind]) for _ in range(500)]
    pester(server, opened, "seat", messages)


def random_garbage(rng: random.Random) -> bytes:
    match rng.randrange(4):
        case 0:
            return rng.randbytes(rng.randrange(200))
        case 1:
            letters = [chr(rng.randrange(0xD800)) for _ in range(rng.randrange(100))]
            return "".join(letters).encode()
        case 2:
            return b"".join(rng.choices(JSON_PARTS, k=rng.randrange(30)))
        case _:
            return b'{"type":"why","id":"x","move":"%s"}' % b"".join(rng.choices(MOVE_PARTS, k=9))


JSON_PARTS = (b"{", b"}", b"[", b"]", b'"', b":", b",", b"type", b"ping", b"null", b"1", b" ")
MOVE_PARTS = (b"take ", b"b1", b"<", b">", b"+", b"R", b"K", b"1", b"{Y}", b" ", b"token ", b"0-")


@few_or_many(200, 2_000)
def test_random_garbage(server: LiveServer, opened: Json, count: int) -> None:
    rng = random.Random(SEED)
    pester(server, opened, "seat", [random_garbage(rng) for _ in range(count)])


def test_a_game_goes_on_among_pests(server: LiveServer) -> None:
    """Two people play while a spectator and a third window of theirs send garbage."""
    table = server.open_table("person", "person")
    rng = random.Random(SEED)
    with (
        raw_socket(server, table["table"], table["seats"][0]) as window,
        raw_socket(server, table["table"], table["watch"]) as spectator,
    ):
        for kind in MESSAGES:
            if kind not in ("join", "give_up", "hand_over"):
                window.send(mutate(rng, MESSAGES[kind]), BINARY)
            spectator.send(mutate(rng, MESSAGES[kind]), BINARY)
        browsers = seats_of(server, table, SEED)
        play_tables(browsers)
    assert all(browser.is_over for browser in browsers)


# ---------------------------------------------------------------- hello


def refused_with(client: RecordingClient) -> tuple[list[str], int]:
    """The refusals, and how the socket was closed; the reason repeats the code."""
    code, reason = client.end()
    assert client.refusals[-1:] == [reason]
    return client.refusals, code


@pytest.mark.parametrize("kind", [kind for kind in MESSAGES if kind != "hello"])
def test_the_first_message_is_hello(server: LiveServer, seated: Json, kind: str) -> None:
    with open_socket(server, seated["table"]) as client:
        client.send(MESSAGES[kind])
        assert refused_with(client) == (["hello_first"], 4400)


@pytest.mark.parametrize(
    ("data", "code"),
    [
        ("", "bad_json"),
        ("hello", "bad_json"),
        (b"\xff\xfe", "bad_json"),
        ("[" * 10_000, "bad_message"),
        ({"type": "nosuch"}, "bad_message"),
        (HELLO, "bad_message"),
        ({**HELLO, "token": None}, "bad_message"),
        ({**HELLO, "token": "short"}, "bad_message"),
        ({**HELLO, "token": "x" * 65}, "bad_message"),
        ({**HELLO, "token": "x" * 32, "version": -1}, "bad_message"),
        ({**HELLO, "token": "x" * 32, "version": 1.5}, "bad_message"),
        ({**HELLO, "token": "x" * 32, "seat": 1}, "bad_message"),
        ({"token": "x" * 32}, "bad_message"),
    ],
    ids=lambda part: repr(part)[:40],
)
def test_no_hello(server: LiveServer, seated: Json, data: object, code: str) -> None:
    with open_socket(server, seated["table"]) as client:
        client.send(data)
        assert refused_with(client) == ([code], 4400)


def test_hello_comes_once(server: LiveServer, seated: Json) -> None:
    with open_socket(server, seated["table"], seated["watch"]) as client:
        again = {**HELLO, "token": seated["seats"][0]}
        assert client.ask(again)["code"] == "hello_first"
        assert client.ask(MESSAGES["undo"])["code"] == "forbidden"  # still a spectator


def test_hello_must_come_soon(tmp_path: Path) -> None:
    """A ping is none."""
    with local_server(tmp_path / "data", COATL_HELLO_SECONDS="0.1") as server:
        table = server.open_table("person", "random")
        with (
            open_socket(server, table["table"]) as silent,
            open_socket(server, table["table"]) as pinging,
        ):
            pinging.connection.ping(b"I am here")
            assert refused_with(silent) == (["hello_first"], 4400)
            assert refused_with(pinging) == (["hello_first"], 4400)
        wait_until_empty(server)


@pytest.mark.parametrize("token", ["A" * 32, "é" * 32, "\0" * 32, "' OR ''=' OR ''='"])
def test_wrong_tokens(server: LiveServer, seated: Json, token: str) -> None:
    with open_socket(server, seated["table"]) as client:
        client.send({**HELLO, "token": token})
        assert refused_with(client) == (["bad_token"], 4401)


@pytest.mark.parametrize("role", ["seat", "owner", "watch", "invite"])
def test_tokens_of_another_table(server: LiveServer, seated: Json, role: str) -> None:
    other = server.open_table("person", "open")
    token = other["seats"][0] if role == "seat" else other[role]
    with open_socket(server, seated["table"]) as client:
        client.send({**HELLO, "token": token})
        assert refused_with(client) == (["bad_token"], 4401)


@pytest.mark.parametrize("role", ["owner", "invite"])
def test_tokens_that_open_no_socket(server: LiveServer, role: str) -> None:
    table = server.open_table("person", "open")
    with open_socket(server, table["table"]) as client:
        client.send({**HELLO, "token": table[role]})
        assert refused_with(client) == (["forbidden"], 4403)


@pytest.mark.parametrize("table", ["nosuch", "%00%ff", "mine", "x" * 3000, "..", "'"])
def test_tables_that_are_not_there(server: LiveServer, table: str) -> None:
    with open_socket(server, table) as client:
        client.send(MESSAGES["hello"])
        assert refused_with(client) == (["unknown_table"], 4404)


def test_a_client_that_knows_more(server: LiveServer, seated: Json) -> None:
    with open_socket(server, seated["table"]) as client:
        state = client.hello(seated["seats"][0], version=10**9, events=10**9)
        assert client.refusals == ["ahead"]
        assert state["first_event"] == 0


@pytest.mark.parametrize("events", [0, 1, 10**9])
def test_events_that_are_not_there(server: LiveServer, seated: Json, events: int) -> None:
    with open_socket(server, seated["table"]) as client:
        state = client.hello(seated["seats"][0], version=state_version(server, seated))
        told = len(state["events"])
    with open_socket(server, seated["table"]) as client:
        state = client.hello(seated["seats"][0], events=events)
        assert state["first_event"] + len(state["events"]) == told


def state_version(server: LiveServer, opened: Json) -> int:
    path = f"/api/tables/{opened['table']}"
    return int(server.request("GET", path, token=opened["watch"])[1]["version"])


# ---------------------------------------------------------------- frames


def test_binary_frames_are_read_too(server: LiveServer, seated: Json) -> None:
    with open_socket(server, seated["table"], seated["seats"][0]) as client:
        client.send(b'{"type":"ping"}')
        client.hear_until("pong")
        client.send(b"\xff" + bytes(range(256)))  # no JSON begins like this
        assert client.hear_until("refused")["code"] == "bad_json"


@pytest.mark.parametrize("size", [1, 2, 5])
def test_fragments(server: LiveServer, seated: Json, size: int) -> None:
    text = json.dumps(MESSAGES["why"])
    parts = [text[at : at + size] for at in range(0, len(text), size)]
    with open_socket(server, seated["table"], seated["seats"][0]) as client:
        client.send(["", *parts, ""])
        assert client.hear_until("reason")["reply"] == "d"


def test_a_ping_between_fragments(server: LiveServer, seated: Json) -> None:
    with raw_socket(server, seated["table"], seated["seats"][0]) as raw:
        raw.send(b'{"type":', 0x01)
        raw.send(b"x", 0x89)
        raw.send(b'"ping"}', 0x80)
        frames = raw.frames()
        heard = [next(frames) for _ in range(4)]
    assert (10, b"x") in heard
    assert (1, b'{"type":"pong"}') in heard


@pytest.mark.parametrize("kind", [str, bytes])
def test_the_longest_message(server: LiveServer, seated: Json, kind: type) -> None:
    data = "x" * LONGEST if kind is str else b"x" * LONGEST
    with open_socket(server, seated["table"], seated["seats"][0]) as client:
        client.send(data)
        assert client.hear_until("refused")["code"] == "bad_json"
        client.send(data + data[:1])  # type: ignore[operator]
        assert client.end()[0] == 1009


def test_letters_of_several_bytes_count_as_such(server: LiveServer, seated: Json) -> None:
    with open_socket(server, seated["table"], seated["seats"][0]) as client:
        client.send("é" * (LONGEST // 2 + 1))
        assert client.end()[0] == 1009


def test_fragments_that_are_too_long_together(server: LiveServer, seated: Json) -> None:
    with raw_socket(server, seated["table"], seated["seats"][0]) as raw:
        raw.send(b"x" * LONGEST, 0x01)
        raw.send(b"x", 0x80)
        assert raw.end() == 1009


def test_too_large_is_told(server: LiveServer, seated: Json) -> None:
    with open_socket(server, seated["table"], seated["seats"][0]) as client:
        client.send("x" * (LONGEST + 1))
        assert refused_with(client) == ([ServerCode.TOO_LARGE], 1009)


def test_the_limit_is_in_bytes(server: LiveServer, seated: Json) -> None:
    """Two for each of these letters."""
    with open_socket(server, seated["table"], seated["seats"][0]) as client:
        client.send("é" * (LONGEST // 2 + 1))
        assert refused_with(client) == ([ServerCode.TOO_LARGE], 1009)


def test_ten_megabytes_announced(server: LiveServer, seated: Json) -> None:
    """They are not waited for."""
    with raw_socket(server, seated["table"], seated["seats"][0]) as raw:
        raw.send(b"x" * 100, length=10_000_000)
        assert raw.end() == 1009


@pytest.mark.parametrize("first", [TEXT, BINARY])
def test_ten_megabytes_sent(server: LiveServer, seated: Json, first: int) -> None:
    """Whoever is still sending may not hear why the line went dead."""
    with raw_socket(server, seated["table"], seated["seats"][0]) as raw:
        try:
            raw.send(b"x" * 10_000_000, first)
        except ConnectionError:
            return
        assert raw.end() in (1006, 1009)


NO_FRAMES = {
    "not masked": b"\x81\x02{}",
    "reserved bit": b"\xc1\x80\0\0\0\0",
    "unknown opcode": b"\x83\x80\0\0\0\0",
    "long ping": b"\x89\xfe\x00\xc8\0\0\0\0" + b"x" * 200,
    "ping in fragments": b"\x09\x80\0\0\0\0",
    "end without a beginning": b"\x80\x80\0\0\0\0",
    "close with one byte": b"\x88\x81\0\0\0\0x",
    "close with a bad code": b"\x88\x82\0\0\0\0\x00\x01",
    "negative length": b"\x81\xff" + b"\xff" * 8 + b"\0\0\0\0",
    "HTTP": b"GET / HTTP/1.1\r\nHost: x\r\n\r\n",
}


@pytest.mark.parametrize("data", NO_FRAMES.values(), ids=NO_FRAMES)
def test_what_is_no_frame(server: LiveServer, seated: Json, data: bytes) -> None:
    with raw_socket(server, seated["table"], seated["seats"][0]) as raw:
        raw.raw.sendall(data)
        assert raw.end() in (1002, 1009)


def test_random_bytes_for_frames(server: LiveServer, seated: Json) -> None:
    rng = random.Random(SEED)
    for _ in range(30):
        with raw_socket(server, seated["table"], seated["seats"][0]) as raw:
            with suppress(ConnectionError):
                raw.raw.sendall(rng.randbytes(300))
                raw.raw.shutdown(socket.SHUT_WR)
            assert raw.end() in (1000, 1002, 1005, 1006, 1007, 1009)


def test_garbage_after_the_end(server: LiveServer, seated: Json) -> None:
    with raw_socket(server, seated["table"], seated["seats"][0]) as raw:
        raw.send(struct.pack("!H", 1000), CLOSE)
        for _ in range(10):
            try:
                raw.send(b'{"type":"ping"}')
            except ConnectionError:
                break
        assert raw.end() in (1000, 1006)


def test_garbage_after_a_refusal(server: LiveServer, seated: Json) -> None:
    with raw_socket(server, seated["table"], "A" * 32) as raw:
        for _ in range(50):
            raw.send(b"garbage")
        assert raw.end() == 4401


def test_unplugged(server: LiveServer, seated: Json) -> None:
    """Without a word, in the middle of a message."""
    for linger in (0, 1):
        with raw_socket(server, seated["table"], seated["seats"][0]) as raw:
            raw.send(b'{"type"', 0x01)
            raw.raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, linger))


def test_connections_are_counted(server: LiveServer, seated: Json) -> None:
    with (
        open_socket(server, seated["table"], seated["seats"][0]),
        open_socket(server, seated["table"], seated["watch"]),
        open_socket(server, seated["table"]),
    ):
        assert connections(server) == 3


# ---------------------------------------------------------------- too many offences


def test_offences_are_counted(server: LiveServer, seated: Json) -> None:
    """One more than may be ends it; a good message makes up for a bad one."""
    with open_socket(server, seated["table"], seated["seats"][0]) as client:
        for _ in range(MOST_OFFENCES):
            client.send("garbage")
            client.hear_until("refused", code="bad_json")
        client.send({"type": "ping"})
        client.hear_until("pong")
        client.send("garbage")
        client.hear_until("refused", code="bad_json")
        client.send("garbage")
        refusals, code = refused_with(client)
    assert code == 4400
    assert refusals == ["bad_json"] * (MOST_OFFENCES + 2)


def test_many_messages_at_once(server: LiveServer, seated: Json) -> None:
    """A client that sends a lot at once reads fast enough all the same."""
    ping = b"\x81\x8f\0\0\0\0" + b'{"type":"ping"}'
    with raw_socket(server, seated["table"], seated["seats"][0]) as raw:
        raw.raw.sendall(ping * 100)
        pongs = 0
        for opcode, content in raw.frames():
            pongs += (opcode, content) == (1, b'{"type":"pong"}')
            if pongs == 100:
                break
    assert pongs == 100


# ---------------------------------------------------------------- what a table refuses


def test_spectators_only_watch(server: LiveServer, opened: Json) -> None:
    with open_socket(server, opened["table"], opened["watch"]) as client:
        for kind in ("join", "decide", "undo", "hand_over", "take_back", "give_up"):
            refused = client.ask(MESSAGES[kind])
            assert (refused["code"], refused["reply"]) == ("forbidden", MESSAGES[kind]["id"])
        assert client.ask(MESSAGES["why"])["code"] == "not_your_turn"


EXPECTED = [
    ({"type": "decide", "move": "take b1", "version": 0}, "stale"),
    ({"type": "decide", "move": "take b1", "version": 10**9}, "ahead"),
    ({"type": "undo", "version": 0}, "stale"),
    ({"type": "join", "nonce": NONCE}, "taken"),
    ({"type": "hand_over", "bot": "nosuch"}, "unknown_bot"),
    ({"type": "take_back"}, "no_bot"),
    ({"type": "why", "move": "🐍"}, "unreadable"),
]


@pytest.mark.parametrize(("message", "code"), EXPECTED, ids=lambda part: repr(part)[:30])
def test_refusals(server: LiveServer, opened: Json, message: Json, code: str) -> None:
    with open_socket(server, opened["table"], opened["seats"][0]) as client:
        refused = client.ask({"id": "x", **message})
        assert (refused["code"], refused["reply"]) == (code, "x")


NOW = [
    ("decide", {"move": "🐍"}, 0, "unreadable"),
    ("decide", {"move": "take b1"}, 0, "illegal"),
    ("decide", {"move": "done"}, 1, "not_your_turn"),
    ("undo", {}, 0, "nothing_to_undo"),
    ("undo", {}, 1, "not_your_turn"),
]


@pytest.mark.parametrize(("kind", "more", "place", "code"), NOW)
def test_refusals_at_the_version(
    server: LiveServer, opened: Json, kind: str, more: Json, place: int, code: str
) -> None:
    version = state_version(server, opened)
    with open_socket(server, opened["table"], opened["seats"][place]) as client:
        refused = client.ask({"type": kind, "id": "x", "version": version, **more})
        assert refused["code"] == code


@pytest.mark.parametrize("name", ["a,b", "a#b", "bot:random", "a\nb", "\x1b[31m"])
def test_names_that_are_refused(server: LiveServer, name: str) -> None:
    table = server.open_table("person", "person")
    with open_socket(server, table["table"], table["seats"][0]) as client:
        assert client.ask({**MESSAGES["join"], "name": name})["code"] == "bad_name"


def test_everything_after_giving_up(server: LiveServer, opened: Json) -> None:
    with open_socket(server, opened["table"], opened["seats"][0]) as client:
        client.ask(MESSAGES["give_up"])
        codes = [
            client.ask({**MESSAGES[kind], "id": f"{kind} again"}).get("code")
            for kind in ("give_up", "take_back", "hand_over")
        ]
    assert codes == ["gave_up", "gave_up", "bot_plays"]
