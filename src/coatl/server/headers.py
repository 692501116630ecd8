"""The headers that every answer has, whoever made it."""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager
from typing import Any

from starlette.applications import Starlette

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
