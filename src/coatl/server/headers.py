"""The headers that every answer has, whoever made it."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import AbstractAsyncContextManager
from http import HTTPStatus
from typing import Any

import msgspec
from starlette.applications import Starlette

from coatl.server.refusals import MEANINGS

SECURITY_HEADERS = (
    (
        b"content-security-policy",
        b"default-src 'self'; img-src 'self' data:; worker-src 'self'; manifest-src 'self'; "
        b"frame-ancestors 'none'; base-uri 'none'; form-action 'none'; object-src 'none'",
    ),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), microphone=(), geolocation=()"),
)
PROTOCOL_HEADER = b"coatl-protocol"  # tells a page that it is older than its server
NO_STORE = (b"cache-control", b"no-store")  # unless an answer says otherwise
CLOSE = (b"connection", b"close")
Header = tuple[bytes, bytes]


def refusal(code: str) -> tuple[list[Header], bytes]:
    """Headers and content of an answer that ends the connection."""
    content = msgspec.json.encode({"code": code, "text": MEANINGS[code]})
    own = [(b"content-type", b"application/json"), (b"content-length", b"%d" % len(content))]
    return [*own, CLOSE, NO_STORE, *SECURITY_HEADERS], content


def plain_answer(status: int, code: str) -> bytes:
    """The same as bytes, where there is no application to send it."""
    headers, content = refusal(code)
    lines = [b"HTTP/1.1 %d %s" % (status, HTTPStatus(status).phrase.encode()), *_lines(headers)]
    return b"\r\n".join([*lines, b"", content])


def _lines(headers: Iterable[Header]) -> list[bytes]:
    return [name + b": " + value for name, value in headers]


class SecurityHeaders:
    """An ASGI application with the headers added to each of its answers.

    Answers of the API also name the protocol, if it is given: a server that is starting does not
    know it yet.
    """

    def __init__(self, app: Starlette, protocol: int | None = None) -> None:
        self.app = app
        self._api_headers = [] if protocol is None else [(PROTOCOL_HEADER, b"%d" % protocol)]

    def running(self) -> AbstractAsyncContextManager[Any]:
        """For whoever starts it later than the server that it runs in."""
        return self.app.router.lifespan_context(self.app)

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def send_with_headers(message: Any) -> None:
            if message["type"] == "http.response.start":
                headers = [*message["headers"], *SECURITY_HEADERS]
                if scope["path"].startswith("/api/"):
                    headers += self._api_headers
                if not any(name == b"cache-control" for name, _ in headers):
                    headers.append(NO_STORE)
                message["headers"] = headers
            await send(message)

        await self.app(scope, receive, send_with_headers)
