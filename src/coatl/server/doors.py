"""What every request passes before the application: what it calls the server, and how many come."""

from __future__ import annotations

import math
from typing import Any

from coatl.server.headers import refusal
from coatl.server.limits import Buckets
from coatl.server.names import ServerNames
from coatl.server.origin import address_of
from coatl.server.refusals import TOO_FAST, WRONG_HOST, Refusals
from coatl.server.settings import ServerSettings

STATUS = {WRONG_HOST: 421, TOO_FAST: 429}
FORBIDDEN = 4403  # close code
PROBES = ("/healthz", "/readyz", "/metrics")


class Doors:
    """An ASGI application around another."""

    def __init__(
        self,
        app: Any,
        settings: ServerSettings,
        names: ServerNames,
        refusals: Refusals,
        buckets: Buckets | None = None,
    ) -> None:
        self._app = app
        self._names = names
        self._refusals = refusals
        times = settings.all_addresses
        make = (Buckets() if buckets is None else buckets).make
        self._files = make("files", settings.files_per_second, settings.file_burst, times)
        self._requests = make(
            "requests", settings.requests_per_second, settings.request_burst, times
        )

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "http":
            if not self._is_name_right(scope):
                await self._refuse(scope, send, "request", WRONG_HOST)
                return
            what, limits = ("file", self._files) if _is_file(scope) else ("request", self._requests)
            if wait := limits.take(address_of(scope)):
                await self._refuse(scope, send, what, TOO_FAST, wait)
                return
        elif scope["type"] == "websocket" and not self._is_name_right(scope):
            self._refusals.count("socket", WRONG_HOST, address_of(scope))
            await receive()
            await send({"type": "websocket.close", "code": FORBIDDEN})
            return
        await self._app(scope, receive, send)

    def _is_name_right(self, scope: Any) -> bool:
        hosts = [value for name, value in scope["headers"] if name == b"host"]
        server = scope.get("server")
        port = server[1] if server else None
        return all(self._names.fits(host.decode("latin-1"), port) for host in hosts)

    async def _refuse(
        self, scope: Any, send: Any, what: str, code: str, wait: float | None = None
    ) -> None:
        self._refusals.count(what, code, address_of(scope))
        headers, content = refusal(code)
        if wait is not None:
            headers.append((b"retry-after", b"%d" % math.ceil(wait)))
        start = {"type": "http.response.start", "status": STATUS[code], "headers": headers}
        await send(start)
        await send({"type": "http.response.body", "body": content})


def _is_file(scope: Any) -> bool:
    """Is it of the page?"""
    path: str = scope["path"]
    return not path.startswith("/api/") and path not in PROBES
