"""Requests that nobody means well with: no crash, and every refusal is a documented one."""

from __future__ import annotations

import http.client
import json
import random
import socket
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from schemathesis import checks
from schemathesis.generation import GenerationMode

from coatl.server.openapi import openapi
from coatl.server.rest import OPERATIONS
from coatl.server.rest.operation import Operation
from coatl.server.rest.status import status_of
from tests.server.fuzzing import (
    HttpAnswer,
    ask,
    assert_calm,
    compiled,
    exchange,
    few_or_many,
    finish,
    join,
    mutate,
    open_socket,
    plug,
    read_answer,
)
from tests.server.harness import PATH_PARTS, Json, LiveServer, running_server

pytestmark = compiled

FEW, MANY = 8, 30
SEED = 20
SCHEMA = schemathesis.openapi.from_dict(openapi())
CHECKS = [
    checks.not_a_server_error,
    checks.status_code_conformance,
    checks.content_type_conformance,
    checks.response_headers_conformance,
    checks.response_schema_conformance,
]
WITH_BODY = [operation for operation in OPERATIONS if operation.body is not None]
NAMES = {operation.name: operation for operation in OPERATIONS}


def name_of(value: Any) -> str:
    return str(getattr(value, "name", value))


@dataclass(repr=False)
class World:
    """A server with tables to be tried."""

    server: LiveServer
    tables: list[Json]
    record: str

    @property
    def ids(self) -> list[str]:
        return [opened["table"] for opened in self.tables]

    @property
    def tokens(self) -> list[str]:
        roles = [opened[role] for opened in self.tables for role in ("owner", "watch", "invite")]
        seats = [token for opened in self.tables for token in opened["seats"]]
        return [token for token in [*roles, *seats] if token is not None]


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    brief = {"COATL_ANALYSIS_SECONDS": "1e-9"}  # one step of an analysis will do
    with running_server(tmp_path_factory.mktemp("fuzz") / "data", **brief) as server:
        over, playing = (server.open_table("person", "random") for _ in range(2))
        finish(server, over)
        with open_socket(server, playing["table"], playing["seats"][0]) as client:
            join(client)
            client.hear_until("state", reply="join")
        path = f"/api/tables/{over['table']}/record"
        record = server.request("GET", path, token=over["watch"])[1]
        yield World(server, [over, playing, server.open_table("person", "open")], record)


@pytest.fixture(autouse=True)
def calm(world: World) -> Iterator[None]:
    """After each test the server is well, and nothing went wrong in it."""
    yield
    assert world.server.is_up()
    assert_calm(world.server)


# ---------------------------------------------------------------- as the description says


def try_out(world: World, operation: Operation, mode: GenerationMode, examples: int) -> None:
    """Requests made from the description, to tables that are there and tables that are not."""
    described = SCHEMA[operation.path][operation.method]

    @seed(SEED)
    @settings(
        max_examples=examples,
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(
        case=described.as_strategy(generation_mode=mode),
        table=st.sampled_from([None, *world.ids]),
        token=st.sampled_from([None, *world.tokens]),
    )
    def check(case: Any, table: str | None, token: str | None) -> None:
        if table is not None and "table" in (case.path_parameters or {}):
            case.path_parameters["table"] = table
        headers = {} if token is None else {"Authorization": f"Bearer {token}"}
        case.call_and_validate(
            base_url=world.server.url, headers=headers, checks=CHECKS, timeout=30
        )

    check()


def modes_of(operation: Operation) -> list[GenerationMode]:
    """Wrong ones too, where there is something to get wrong."""
    modes = [GenerationMode.POSITIVE]
    return [*modes, GenerationMode.NEGATIVE] if operation.body is not None else modes


TRIALS = [(operation, mode) for operation in OPERATIONS for mode in modes_of(operation)]
trials = pytest.mark.parametrize(("operation", "mode"), TRIALS, ids=name_of)


@few_or_many(FEW, MANY)
@trials
def test_described_requests(
    world: World, operation: Operation, mode: GenerationMode, count: int
) -> None:
    try_out(world, operation, mode, count)


# ---------------------------------------------------------------- bodies that are garbage

DEEP = 100_000
GARBAGE = {
    "nothing": b"",
    "blank": b" \n\t",
    "null": b"null",
    "list": b"[]",
    "text": b'"text"',
    "number": b"1",
    "NaN": b"NaN",
    "infinity": b"-Infinity",
    "huge number": b"9" * 60_000,
    "huge exponent": b"1e999999999",
    "brackets": b"[" * 60_000,
    "braces": b'{"a":' * 12_000,
    "cut off": b'{"places": [{"kind": "per',
    "more behind": b'{"tokens": []} {}',
    "trailing comma": b'{"tokens": [],}',
    "single quotes": b"{'tokens': []}",
    "comment": b"{} // fine",
    "not UTF-8": b'{"invite": "\xff\xfe\xfa"}',
    "surrogate": b'{"move": "\\ud800"}',
    "raw surrogate": b'{"move": "\xed\xa0\x80"}',
    "overlong": b'{"move": "\xc0\xaf"}',
    "UTF-16": '{"tokens": []}'.encode("utf-16"),
    "byte order mark": b"\xef\xbb\xbf{}",
    "NULs": b"\0" * 1000,
    "form": b"places=person&tokens=1",
    "XML": b'<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "b">]><x>&a;</x>',
    "control": b'{"move": "a\x01b"}',
}


def call(world: World, operation: Operation, body: bytes, **headers: str) -> HttpAnswer:
    over, playing, waiting = world.tables
    at = {"why": playing, "hand_over": playing, "join_table": waiting, "free_place": waiting}
    opened = at.get(operation.name, over)
    path = operation.path.format(table=opened["table"], **PATH_PARTS)
    token = opened["seats"][0] if operation.name == "why" else opened["owner"]
    return ask(world.server, operation.method, path, body, token, headers)


@pytest.mark.parametrize("garbage", GARBAGE.values(), ids=GARBAGE)
@pytest.mark.parametrize("operation", WITH_BODY, ids=name_of)
def test_garbage(world: World, operation: Operation, garbage: bytes) -> None:
    answer = call(world, operation, garbage)
    assert answer.status == 400
    assert answer.code in ("bad_json", "bad_message")


@pytest.mark.parametrize("opening", [b"[", b'{"record":', b'{"x":'])
def test_deep_nesting(world: World, opening: bytes) -> None:
    """Only a record may be so long."""
    body = opening * (390_000 // len(opening))
    assert len(opening) > 1 or body.count(b"[") > DEEP
    answer = call(world, NAMES["replay"], body)
    assert answer.code in ("bad_json", "bad_message")


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "", "\xff"])
def test_the_type_of_a_body_does_not_matter(world: World, kind: str) -> None:
    headers = {"Content-Type": kind}
    assert call(world, NAMES["list_tables"], b'{"tokens": []}', **headers).status == 200


def test_the_last_of_two_equal_keys_counts(world: World) -> None:
    token = world.tokens[0]
    body = f'{{"tokens": ["{"x" * 32}"], "tokens": ["{token}"]}}'.encode()
    assert call(world, NAMES["list_tables"], body).json["tables"][0]["role"] == "owner"


@pytest.mark.parametrize("number", ["1e400", "-1", "0.5", "1" * 400, "NaN", "true", '"0"', "-0.1"])
def test_numbers_that_are_no_step(world: World, number: str) -> None:
    body = f'{{"record": {json.dumps(world.record)}, "step": {number}}}'.encode()
    expected = "bad_json" if number == "NaN" else "bad_message"
    assert call(world, NAMES["replay"], body).brief == (400, expected)


def valid_body(world: World, name: str) -> Json:
    bodies: Json = {
        "open_table": {"places": [{"kind": "person", "name": "Ana"}, {"kind": "open"}]},
        "list_tables": {"tokens": world.tokens},
        "join_table": {"invite": world.tables[2]["invite"], "id": "0123456789abcdef"},
        "free_place": {"place": 1},
        "hand_over": {"place": 0, "bot": "greedy"},
        "why": {"move": "take b1"},
        "try_coatl": {"coatl": "<BBRB", "cards": ["{B}", "noG/9"]},
        "replay": {"record": world.record, "step": 3, "seat": 0},
        "replay_steps": {"record": world.record, "first": 3, "count": 2, "seat": 0},
        "replay_overview": {"record": world.record},
        "replay_position": {"record": world.record, "step": 3},
        "begin_analysis": {"depth": "quick"},
        "begin_file_analysis": {"record": world.record, "depth": "quick"},
        "solve": {"path": [], "check": True},
        "learn": {"path": ["next", "take b2", "next"], "events": 3, "why": "take b1"},
    }
    return dict(bodies[name])


def try_mutations(world: World, operation: Operation, count: int) -> None:
    rng = random.Random(SEED)
    documented = {status_of(code) for code in operation.errors} | {200}
    for _ in range(count):
        answer = call(world, operation, mutate(rng, valid_body(world, operation.name)))
        assert answer.status in documented
        assert answer.status == 200 or answer.code in operation.errors


@few_or_many(30, 200)
@pytest.mark.parametrize("operation", WITH_BODY, ids=name_of)
def test_mutated_bodies(world: World, operation: Operation, count: int) -> None:
    try_mutations(world, operation, count)


# ---------------------------------------------------------------- records that were changed


def spoil_record(rng: random.Random, record: str) -> str:
    """Lines lost, doubled or swapped, words changed, the end cut off."""
    lines = record.splitlines()
    for _ in range(rng.randint(1, 3)):
        at, other = rng.randrange(len(lines)), rng.randrange(len(lines))
        match rng.randrange(6):
            case 0:
                lines[at] = ""
            case 1:
                lines.insert(at, lines[other])
            case 2:
                lines[at], lines[other] = lines[other], lines[at]
            case 3:
                words = lines[at].split(" ")
                words[rng.randrange(len(words))] = str(rng.choice(("-1", "9" * 30, "é", "", "#")))
                lines[at] = " ".join(words)
            case 4:
                lines[at] = lines[at].replace(rng.choice("0123RKB: "), rng.choice("0129RG,#"))
            case _:
                lines = lines[: at + 1]
    return "\n".join(lines)


def replay_spoilt_records(world: World, count: int) -> None:
    rng = random.Random(SEED)
    for _ in range(count):
        body = {"record": spoil_record(rng, world.record), "step": rng.choice((0, 1, 50))}
        answer = call(world, NAMES["replay"], json.dumps(body).encode())
        assert answer.brief in ((200, ""), (400, "bad_record"), (400, "bad_message"))


@few_or_many(60, 250)
def test_spoilt_records(world: World, count: int) -> None:
    replay_spoilt_records(world, count)


# ---------------------------------------------------------------- bodies that are too long

TEN_MEGABYTES = 10_000_000
HEAD = "POST /api/tables HTTP/1.1\r\nHost: x\r\n{}\r\n\r\n"
VALID = b'{"places": [{"kind": "person"}, {"kind": "open"}]}'


def head(*lines: str) -> bytes:
    return HEAD.format("\r\n".join(lines)).encode()


def chunked(data: bytes, size: int) -> Iterator[bytes]:
    for at in range(0, len(data), size):
        part = data[at : at + size]
        yield b"%x\r\n%s\r\n" % (len(part), part)
    yield b"0\r\n\r\n"


def send_all(raw: socket.socket, parts: Iterator[bytes]) -> None:
    """As far as the other side takes it."""
    with suppress(ConnectionError):
        for part in parts:
            raw.sendall(part)


def answer_or_end(raw: socket.socket) -> HttpAnswer | None:
    """An answer; None if the server closed the connection instead."""
    try:
        return read_answer(raw)
    except (ConnectionError, http.client.HTTPException):
        return None


@pytest.mark.parametrize("operation", WITH_BODY, ids=name_of)
def test_ten_megabytes(world: World, operation: Operation) -> None:
    assert call(world, operation, b" " * TEN_MEGABYTES).brief == (413, "too_large")


@pytest.mark.parametrize("way", ["length", "chunks"])
def test_the_connection_survives_or_closes(world: World, way: str) -> None:
    garbage = b"x" * TEN_MEGABYTES
    with plug(world.server) as raw:
        if way == "length":
            send_all(raw, iter([head(f"Content-Length: {TEN_MEGABYTES}"), garbage]))
        else:
            start = head("Transfer-Encoding: chunked")
            send_all(raw, (part for part in [start, *chunked(garbage, 100_000)]))
        assert read_answer(raw).brief == (413, "too_large")
        send_all(raw, iter([head(f"Content-Length: {len(VALID)}") + VALID]))
        again = answer_or_end(raw)
        assert again is None or again.status == 200


@pytest.mark.parametrize("name", ["open_table", "replay"])
def test_the_longest_body(world: World, name: str) -> None:
    """As long as may be is read, and one byte more is not."""
    most = 400_000 if name == "replay" else 65_536
    assert call(world, NAMES[name], b" " * most).brief == (400, "bad_json")
    assert call(world, NAMES[name], b" " * (most + 1)).brief == (413, "too_large")


# ---------------------------------------------------------------- bodies that lie or dawdle


@pytest.mark.parametrize("size", [1, 7, 1000])
def test_chunks(world: World, size: int) -> None:
    start = head("Transfer-Encoding: chunked")
    assert exchange(world.server, start, *chunked(VALID, size)).status == 200


def test_a_slow_body(world: World) -> None:
    """Byte by byte; meanwhile others are answered."""
    with plug(world.server) as raw:
        raw.sendall(head(f"Content-Length: {len(VALID)}"))
        for byte in VALID:
            raw.sendall(bytes([byte]))
            assert world.server.is_up()
        assert read_answer(raw).status == 200


def test_a_body_that_is_shorter_than_it_says(world: World) -> None:
    """Whoever hangs up has not asked for anything."""
    with plug(world.server) as raw:
        raw.sendall(head("Content-Length: 1000") + VALID)
        raw.shutdown(socket.SHUT_WR)
        answer = answer_or_end(raw)
    assert answer is None or answer.brief == (400, "bad_json")


def test_chunks_without_an_end(world: World) -> None:
    with plug(world.server) as raw:
        raw.sendall(head("Transfer-Encoding: chunked") + b'5\r\n{"pla\r\n')
        raw.shutdown(socket.SHUT_WR)
        answer = answer_or_end(raw)
    assert answer is None or answer.brief == (400, "bad_json")


def test_a_body_that_is_longer_than_it_says(world: World) -> None:
    """What is left over is no request; then the connection ends."""
    with plug(world.server) as raw:
        raw.sendall(head(f"Content-Length: {len(VALID)}") + VALID + b"garbage\r\n\r\n")
        first = read_answer(raw)
        assert first.status in (200, 400)
        if first.status == 200:
            second = answer_or_end(raw)
            assert second is None or second.status == 400
        assert answer_or_end(raw) is None


LIES = {
    "negative": ["Content-Length: -5"],
    "a word": ["Content-Length: many"],
    "huge": [f"Content-Length: {10**30}"],
    "twice": ["Content-Length: 2", "Content-Length: 50"],
    "both ways": ["Content-Length: 2", "Transfer-Encoding: chunked"],
    "unknown coding": ["Transfer-Encoding: gzip"],
}


@pytest.mark.parametrize("lines", LIES.values(), ids=LIES)
def test_lengths_that_are_none(world: World, lines: list[str]) -> None:
    with plug(world.server) as raw:
        raw.sendall(head(*lines) + b"{}")
        raw.shutdown(socket.SHUT_WR)
        answer = answer_or_end(raw)
    assert answer is None or answer.status == 400


def test_many_who_never_finish(world: World) -> None:
    """They wait; nobody else does."""
    with ExitStack() as waiting:
        for _ in range(50):
            waiting.enter_context(plug(world.server)).sendall(head("Content-Length: 50") + b"{")
        assert call(world, NAMES["open_table"], VALID).status == 200


@pytest.mark.parametrize(
    "data",
    [
        b"\x00\x01\x02\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost x\r\n\r\n",
        b"BREW / HTTP/1.1\r\nHost: x\r\n\r\n",
        b"CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n",
        b"GET /\xc3\xa9 HTTP/1.1\r\nHost: x\r\n\r\n",
        b"GET nowhere HTTP/1.1\r\nHost: x\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",  # TLS
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    ],
    ids=lambda data: repr(data)[:20],
)
def test_what_is_not_http(world: World, data: bytes) -> None:
    assert exchange(world.server, data).status == 400
