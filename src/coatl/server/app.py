"""The ASGI application: requests, sockets and the page."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import partial

import msgspec
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route, WebSocketRoute

from coatl.server import protocol
from coatl.server.backup_schedule import BackupSchedule
from coatl.server.control import control_socket
from coatl.server.garbage import collect_when_quiet, is_in_small_steps
from coatl.server.headers import SecurityHeaders
from coatl.server.installing import install_routes
from coatl.server.limits import Buckets
from coatl.server.manager import TableManager
from coatl.server.metrics import MetricsPage
from coatl.server.operator import Operator
from coatl.server.pages import page_routes
from coatl.server.protocol import ServerCode
from coatl.server.refusals import Refusals
from coatl.server.rest import OPERATIONS
from coatl.server.rest.operation import Operation, Services, problem
from coatl.server.settings import ServerSettings
from coatl.server.socket import SocketEndpoint
from coatl.server.sqlite_store import SqliteStore
from coatl.server.store import Store
from coatl.server.work import WorkPool

logger = logging.getLogger("coatl.server")

WORK_THREADS = 1  # replays are Python: more threads would only take turns with the event loop


def make_app(
    store: Store,
    settings: ServerSettings,
    refusals: Refusals | None = None,
    buckets: Buckets | None = None,
    connection_count: Callable[[], int] = lambda: 0,
) -> SecurityHeaders:
    """The ASGI application over an open store; closing the store is the caller's."""
    buckets = Buckets() if buckets is None else buckets
    manager = TableManager(store, settings, buckets)
    times = settings.all_addresses
    services = Services(
        manager=manager,
        settings=settings,
        connections=lambda: sockets.count,
        new_tables=buckets.make(
            "tables", settings.tables_per_minute / 60, settings.table_burst, times
        ),
        guesses=buckets.make(
            "guesses", settings.guesses_per_minute / 60, settings.guess_burst, times
        ),
        new_hints=buckets.make("hints", settings.hints_per_minute / 60, settings.hint_burst, times),
        refusals=Refusals() if refusals is None else refusals,
        work=WorkPool(WORK_THREADS, settings.work_per_address, settings.work),
    )
    sockets = SocketEndpoint(services, buckets)

    def stop_work() -> None:
        services.work.close()
        manager.hints.close()
        manager.analyses.stop()

    @asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncIterator[None]:
        manager.start()
        collector = None
        if is_in_small_steps():
            collector = asyncio.create_task(_collect(manager, sockets))
        async with _folder_services(manager):
            logger.info("ready")
            yield
            if collector is not None:
                collector.cancel()
            stop_work()
        await manager.close()
        logger.info("closed")

    routes = [_route(operation, services) for operation in OPERATIONS]
    routes.append(Route("/api/openapi.json", _describe, methods=["GET"], name="openapi"))
    if settings.metrics:
        routes.append(MetricsPage(services, connection_count).route)
    app = Starlette(
        routes=[
            *routes,
            WebSocketRoute("/api/tables/{table}/socket", sockets),
            *page_routes(),
            *install_routes(),
        ],
        exception_handlers={HTTPException: _http_error, Exception: _crash},
        lifespan=lifespan,
    )
    app.state.stop_work = stop_work
    app.state.drain = manager.drain
    app.router.redirect_slashes = False  # `/healthz/` is not `/healthz`
    return SecurityHeaders(app, protocol.PROTOCOL)


@asynccontextmanager
async def _folder_services(manager: TableManager) -> AsyncIterator[None]:
    """What a server does for its folder: backups, and the orders of `coatl tables`.

    Other databases have means of their own for backups, and are reached by `coatl tables` itself.
    """
    store = manager.store
    if not isinstance(store, SqliteStore):
        yield
        return
    backups = BackupSchedule(store.file, manager.settings)
    making = asyncio.create_task(backups.run())
    try:
        async with control_socket(store.file.parent, Operator(manager)):
            yield
    finally:
        making.cancel()
        backups.stop()


async def _collect(manager: TableManager, sockets: SocketEndpoint) -> None:
    """Garbage, whenever nobody has done anything for a while."""
    await collect_when_quiet(
        lambda: max([room.last_used for room in manager.rooms.values()], default=0.0),
        lambda: sockets.count,
    )


def _route(operation: Operation, services: Services) -> Route:
    endpoint = partial(_handle, operation, services)
    return Route(operation.path, endpoint, methods=[operation.method], name=operation.name)


async def _handle(operation: Operation, services: Services, request: Request) -> Response:
    return await operation(services, request)


async def _describe(_request: Request) -> Response:
    from coatl.server.openapi import openapi

    return Response(msgspec.json.encode(openapi()), media_type="application/json")


async def _http_error(_request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    code = ServerCode.METHOD_NOT_ALLOWED if error.status_code == 405 else ServerCode.NOT_FOUND
    answer = problem(code)
    answer.headers.update(error.headers or {})
    return answer


async def _crash(_request: Request, error: Exception) -> Response:
    logger.error("a request failed", exc_info=error)
    return problem(ServerCode.INTERNAL)
