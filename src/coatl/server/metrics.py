"""`GET /metrics`: figures for Prometheus, in its text format.

Labels hold nothing of a person or a table: no ids, names, addresses or tokens.
"""

from __future__ import annotations

import hmac
import os
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from coatl._version import __version__
from coatl.server.figures import Histogram
from coatl.server.manager import TableManager
from coatl.server.origin import is_here
from coatl.server.protocol import PROTOCOL
from coatl.server.refusals import Refusals
from coatl.server.rest.operation import Services
from coatl.server.workers import NUMBER_VARIABLE
from coatl.table import Status

PATH = "/metrics"
MEDIA_TYPE = "text/plain; version=0.0.4; charset=utf-8"
Sample = tuple[Mapping[str, str], float]


class MetricsPage:
    """The figures of a server; the time it has been up is counted from when this is made."""

    def __init__(self, services: Services, connection_count: Callable[[], int]) -> None:
        self._services = services
        self._connection_count = connection_count
        self._started = time.monotonic()
        self._worker = os.environ.get(NUMBER_VARIABLE)

    @property
    def route(self) -> Route:
        return Route(PATH, self._answer, methods=["GET"], name="metrics")

    async def _answer(self, request: Request) -> Response:
        """To others there is no such page."""
        if not (is_here(request.scope) or self._has_token(request)):
            raise HTTPException(404)
        return Response(self.render(), media_type=MEDIA_TYPE)

    def _has_token(self, request: Request) -> bool:
        wanted = self._services.settings.metrics_token
        kind, _, token = request.headers.get("authorization", "").partition(" ")
        is_equal = hmac.compare_digest(token.strip().encode(), wanted.encode())
        return bool(wanted) and kind.lower() == "bearer" and is_equal

    def render(self) -> str:
        services = self._services
        lines = [
            *self._process(),
            *_people(services.manager, self._connection_count()),
            *_tables(services.manager),
            *_bots(services.manager),
            *_storage(services.manager),
            *_refusals(services.refusals),
            *_analyses(services.manager),
            *_gauge("coatl_work", "Replays and lessons that wait or run.", services.work.count),
        ]
        return "\n".join([*(self._mark(line) for line in lines), ""])

    def _mark(self, line: str) -> str:
        """Workers on one port answer in turns: a label tells their figures apart."""
        if self._worker is None or line.startswith("#"):
            return line
        label = f'worker="{self._worker}"'
        name, brace, rest = line.partition("{")
        if brace:
            return f"{name}{{{label},{rest}"
        name, _, value = line.partition(" ")
        return f"{name}{{{label}}} {value}"

    def _process(self) -> Iterable[str]:
        info = {"version": __version__, "protocol": str(PROTOCOL)}
        yield from _family("coatl_info", "gauge", "The server's version; always 1.", [(info, 1)])
        uptime = time.monotonic() - self._started
        yield from _gauge("coatl_uptime_seconds", "Since tables can be opened.", uptime)
        cpu = time.process_time()
        yield from _counter("process_cpu_seconds_total", "CPU time of the process.", cpu)
        memory = resident_memory()
        if memory is not None:
            yield from _gauge("process_resident_memory_bytes", "Memory of the process.", memory)


def resident_memory() -> int | None:
    """Bytes; None where the system does not tell."""
    if sys.platform != "linux":
        return None
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def _people(manager: TableManager, connections: int) -> Iterable[str]:
    places = [
        connection.place for room in manager.rooms.values() for connection in room.connections
    ]
    spectators = places.count(None)
    sockets: list[Sample] = [
        ({"role": "seat"}, len(places) - spectators),
        ({"role": "spectator"}, spectators),
    ]
    yield from _family("coatl_sockets", "gauge", "Sockets that have said hello, by role.", sockets)
    text = "Connections of any kind, sockets included."
    yield from _gauge("coatl_connections", text, connections)


def _tables(manager: TableManager) -> Iterable[str]:
    by_status = Counter(room.table.status for room in manager.rooms.values())
    tables: list[Sample] = [({"status": status}, by_status[status]) for status in Status]
    yield from _family("coatl_tables", "gauge", "Tables in memory, by status.", tables)
    figures = manager.figures
    decisions: list[Sample] = [
        ({"by": "people"}, figures.people_decisions),
        ({"by": "bots"}, figures.bot_decisions),
    ]
    text = "Decisions that were stored and sent, by who made them."
    yield from _family("coatl_decisions_total", "counter", text, decisions)
    text = "From a person's message to the change being stored and on its way to everybody."
    yield from _histogram("coatl_change_seconds", text, figures.change_seconds)


def _bots(manager: TableManager) -> Iterable[str]:
    pool = manager.bots
    yield from _gauge("coatl_bots_waiting", "Decisions that wait for a thread.", pool.waiting)
    text = "How long bots thought about a decision."
    yield from _histogram("coatl_bot_thinking_seconds", text, pool.figures.thinking_seconds)
    text = "Bots that failed and were replaced."
    yield from _counter("coatl_bot_failures_total", text, pool.figures.failures)


def _analyses(manager: TableManager) -> Iterable[str]:
    return _gauge("coatl_analyses", "Analyses that wait or run.", manager.analyses.count)


def _storage(manager: TableManager) -> Iterable[str]:
    store = manager.store
    figures = store.figures
    yield from _counter("coatl_entries_stored_total", "Entries of tables' logs.", figures.entries)
    yield from _histogram("coatl_commit_seconds", "How long commits took.", figures.commit_seconds)
    yield from _gauge("coatl_writes_waiting", "Writes that wait for a commit.", store.waiting)
    text = "Commits that failed."
    yield from _counter("coatl_write_failures_total", text, figures.write_failures)
    text = "Reads that failed."
    yield from _counter("coatl_read_failures_total", text, figures.read_failures)


def _refusals(refusals: Refusals) -> Iterable[str]:
    samples: list[Sample] = []
    for name, count in sorted(refusals.totals.items()):
        what, code = name.split(" ")
        samples.append(({"what": what, "code": code}, count))
    text = "What was refused, by kind and error code."
    yield from _family("coatl_refusals_total", "counter", text, samples)


# ---------------------------------------------------------------- the format


def _gauge(name: str, text: str, value: float) -> Iterable[str]:
    return _family(name, "gauge", text, [({}, value)])


def _counter(name: str, text: str, value: float) -> Iterable[str]:
    return _family(name, "counter", text, [({}, value)])


def _family(name: str, kind: str, text: str, samples: Iterable[Sample]) -> Iterable[str]:
    yield f"# HELP {name} {text}"
    yield f"# TYPE {name} {kind}"
    for labels, value in samples:
        yield _line(name, labels, value)


def _histogram(name: str, text: str, histogram: Histogram) -> Iterable[str]:
    """Each bucket counts all that took no longer than its bound."""
    counts, total = list(histogram.counts), histogram.total
    yield from _family(name, "histogram", text, [])
    count = 0
    for bound, here in zip((*map(str, histogram.bounds), "+Inf"), counts, strict=True):
        count += here
        yield _line(f"{name}_bucket", {"le": bound}, count)
    yield _line(f"{name}_sum", {}, total)
    yield _line(f"{name}_count", {}, count)


def _line(name: str, labels: Mapping[str, str], value: float) -> str:
    """No label of ours has a character that would have to be escaped."""
    inside = ",".join(f'{label}="{text}"' for label, text in labels.items())
    return f"{name}{{{inside}}} {value}" if inside else f"{name} {value}"
