"""The server as an attacker sees it: bytes to one port of this machine, for a limited time."""

from __future__ import annotations

import base64
import http.client
import json
import secrets
import socket
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any

from coatl.server.protocol import PROTOCOL

SERVER = "127.0.0.1"
ATTACKER = "127.0.0.66"  # another address of this machine, so that it has limits of its own
BYTES_PER_SECOND = 2_500_000  # 20 Mbit/s
PATIENCE = 5.0  # seconds for one answer
NEW_TABLE = {"places": [{"kind": "person"}, {"kind": "person"}]}


@dataclass
class Target:
    """What an attack has: the port, an end, and a tally of what came of it."""

    port: int
    seconds: float
    tally: Counter[str] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self.begin = time.monotonic()
        self._sent = 0

    @property
    def is_over(self) -> bool:
        return time.monotonic() - self.begin > self.seconds

    # -------------------------------------------------------------- bytes

    def connect(self) -> socket.socket:
        return socket.create_connection((SERVER, self.port), PATIENCE, (ATTACKER, 0))

    @contextmanager
    def connected(self) -> Iterator[socket.socket]:
        """A connection; what the server does to it is no error, but is counted."""
        try:
            with self.connect() as raw:
                yield raw
        except TimeoutError:
            self.tally["no answer in time"] += 1
        except OSError:
            self.tally["connections cut"] += 1

    def send(self, raw: socket.socket, data: bytes) -> None:
        """At 20 Mbit/s at most."""
        raw.sendall(data)
        self._sent += len(data)
        ahead = self._sent / BYTES_PER_SECOND - (time.monotonic() - self.begin)
        if ahead > 0:
            time.sleep(min(ahead, 1.0))

    def flood(self, raw: socket.socket, data: bytes, most: int) -> None:
        """The same bytes again and again until the server ends it, or `most` are sent."""
        sent = 0
        while sent < most and not self.is_over:
            self.send(raw, data)
            sent += len(data)
            self.tally["bytes"] += len(data)

    # -------------------------------------------------------------- requests

    def ask(self, method: str, path: str, body: object = None, **headers: str) -> Any:
        """The answer to one request; a refusal is counted by its code."""
        connection = http.client.HTTPConnection(
            SERVER, self.port, timeout=self.seconds, source_address=(ATTACKER, 0)
        )
        try:
            data = None if body is None else json.dumps(body)
            connection.request(method, path, data, headers)
            answer = connection.getresponse()
            content = answer.read()
        except (OSError, http.client.HTTPException) as error:
            self.tally[type(error).__name__] += 1
            time.sleep(0.01)
            return None
        finally:
            connection.close()
        return self._read(answer.status, content)

    def _read(self, status: int, content: bytes) -> Any:
        found: Any = None
        with suppress(ValueError):
            found = json.loads(content)
        self.tally[f"{status} {found['code']}" if status >= 400 and found else str(status)] += 1
        return found if status < 400 else None

    def open_table(self, *bots: str) -> Any:
        """A table of one person and these bots, or of two persons; None if it was refused."""
        places = [{"kind": "person"}, *({"kind": "bot", "bot": bot} for bot in bots)]
        return self.ask("POST", "/api/tables", {"places": places} if bots else NEW_TABLE)

    # -------------------------------------------------------------- sockets

    def upgrade(self, raw: socket.socket, table: str) -> None:
        """Open a WebSocket, and read no further than its head."""
        key = base64.b64encode(secrets.token_bytes(16)).decode()
        lines = [f"GET /api/tables/{table}/socket HTTP/1.1", f"Host: {SERVER}:{self.port}"]
        lines += ["Upgrade: websocket", "Connection: Upgrade"]
        lines += ["Sec-WebSocket-Version: 13", f"Sec-WebSocket-Key: {key}"]
        raw.sendall("\r\n".join([*lines, "", ""]).encode())
        head = b""
        while not head.endswith(b"\r\n\r\n"):
            part = raw.recv(1)
            if not part:
                raise ConnectionResetError
            head += part
        self.tally[f"sockets {head.split()[1].decode()}"] += 1

    def greet(self, raw: socket.socket, token: str) -> None:
        raw.sendall(frame({"type": "hello", "protocol": PROTOCOL, "token": token}))


def frame(message: object) -> bytes:
    """A text frame with a mask of zeros."""
    data = json.dumps(message).encode()
    return bytes([0x81, 0x80 | 126]) + len(data).to_bytes(2, "big") + bytes(4) + data


def empty_frame(first: int) -> bytes:
    """Six bytes; `first` holds the opcode."""
    return bytes([first, 0x80]) + bytes(4)
