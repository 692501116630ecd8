"""What answers from the first moment: page and rules; and that the server starts, until it has.

Then everything goes to the application of `app`. While it starts, the types of the protocol are
not there yet (they need the compiler), so the few messages sent meanwhile are written out here.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from functools import lru_cache
from typing import Any

import msgspec
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route, WebSocketRoute

from coatl.rulebook import LANGUAGES, Language, load
from coatl.server.headers import SecurityHeaders
from coatl.server.installing import install_routes
from coatl.server.limits import Buckets
from coatl.server.origin import is_same_origin
from coatl.server.pages import page_routes
from coatl.server.refusals import Refusals
from coatl.server.settings import ServerSettings
from coatl.server.startup import MEANINGS, START_FAILED, STARTING, Startup, StartupStatus
from coatl.server.store import Store

logger = logging.getLogger("coatl.server")

RETRY_SECONDS = "1"
FORBIDDEN, TRY_AGAIN_LATER = 4403, 1013  # close codes


class Front:
    """The ASGI application of `coatl serve`.

    One that takes the place of another process answers nobody before it is ready: meanwhile the
    other one does.
    """

    def __init__(
        self,
        store: Store,
        settings: ServerSettings,
        startup: Startup,
        refusals: Refusals,
        buckets: Buckets | None = None,
        connection_count: Callable[[], int] = lambda: 0,
        is_replacement: bool = False,
    ) -> None:
        self._store, self._settings, self._refusals = store, settings, refusals
        self._buckets = Buckets() if buckets is None else buckets
        self.startup = startup
        self._connection_count = connection_count
        self._is_replacement = is_replacement
        self._waiting_room = SecurityHeaders(
            Starlette(
                routes=[
                    Route("/api/startup", self._tell, methods=["GET"]),
                    Route("/api/rules/{language}", self._show_rules, methods=["GET"]),
                    WebSocketRoute("/{path:path}", self._refuse_socket),
                    *page_routes(),
                    *install_routes(),
                ],
                exception_handlers={HTTPException: self._refuse},
                lifespan=self._lifespan,
            )
        )
        self._app = self._waiting_room
        self._is_draining = False

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        app = self._waiting_room if scope["type"] == "lifespan" else self._app
        await app(scope, receive, send)

    def drain(self) -> None:
        """Take nothing new."""
        self._is_draining = True
        if self._app is not self._waiting_room:
            self._app.app.state.drain()

    def stop_work(self) -> None:
        """Give up what takes long, so that nobody has to be waited for."""
        if self._app is not self._waiting_room:
            self._app.app.state.stop_work()

    # -------------------------------------------------------------- getting ready

    @asynccontextmanager
    async def _lifespan(self, _app: Starlette) -> AsyncIterator[None]:
        async with AsyncExitStack() as running:
            starting = asyncio.create_task(self._start(running))
            if self._is_replacement:
                await starting
                if self.startup.status is StartupStatus.FAILED:
                    raise RuntimeError(MEANINGS[START_FAILED])
            yield
            self._refusals.log()
            if not starting.done():
                await asyncio.to_thread(self.startup.stop)
                await starting

    async def _start(self, running: AsyncExitStack) -> None:
        """Whatever goes wrong is told to everybody who asks; the server stays to tell it."""
        try:
            make_app = await asyncio.to_thread(self.startup.prepare)
            if self.startup.is_stopped:
                return
            shared = (self._refusals, self._buckets, self._connection_count)
            app = make_app(self._store, self._settings, *shared)
            await running.enter_async_context(app.running())
        except Exception as error:
            if not self.startup.is_stopped:
                self.startup.status = StartupStatus.FAILED
                logger.error("the server cannot start", exc_info=error)
            return
        self.startup.status = StartupStatus.READY
        self._app = app
        self.startup.on_ready()
        if self._is_draining:
            self.drain()

    # -------------------------------------------------------------- meanwhile

    @property
    def _code(self) -> str:
        return START_FAILED if self.startup.status is StartupStatus.FAILED else STARTING

    async def _tell(self, _request: Request) -> Response:
        startup = self.startup
        return _json({"status": startup.status, "compiled": startup.compiled})

    async def _show_rules(self, request: Request) -> Response:
        """In words: nothing of them has to be compiled."""
        for language in LANGUAGES:
            if request.path_params["language"] == language:
                content = await asyncio.to_thread(_encode_rules, language)
                return Response(content, media_type="application/json")
        raise HTTPException(404)

    async def _refuse(self, _request: Request, _error: Exception) -> Response:
        """Whatever is not of the page."""
        answer = _json({"code": self._code, "text": MEANINGS[self._code]}, 503)
        answer.headers["retry-after"] = RETRY_SECONDS
        return answer

    async def _refuse_socket(self, socket: Any) -> None:
        if not is_same_origin(socket.scope):
            await socket.close(FORBIDDEN)
            return
        await socket.accept()
        refused = {"type": "refused", "code": self._code, "text": MEANINGS[self._code]}
        await socket.send_text(msgspec.json.encode(refused).decode())
        await socket.close(TRY_AGAIN_LATER, self._code)


@lru_cache(maxsize=8)
def _encode_rules(language: Language) -> bytes:
    return msgspec.json.encode(load(language))


def _json(content: dict[str, object], status: int = 200) -> Response:
    return Response(msgspec.json.encode(content), status, media_type="application/json")
