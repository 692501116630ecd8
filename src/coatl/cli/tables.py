"""`coatl tables`: lists the tables of a server, shows one, ends it, or deletes it."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import typer
from rich.console import Console
from rich.table import Table as Grid

from coatl.cli.console import Failure
from coatl.cli.server_files import carry_out, find_source, read_config, storage_failures
from coatl.cli.server_options import Where
from coatl.server.config import Config
from coatl.server.inspection import Source, TableSummary, exists, find_table, newest_tables, reading
from coatl.server.operator import Delete, Done, End, Order
from coatl.table import Status
from coatl.table.places import Place

DAY = 86_400.0  # seconds
STATUSES = (*(status.value for status in Status), "damaged")


@dataclass(frozen=True)
class Wanted:
    """Which tables to list; nothing said means any."""

    status: str | None
    idle: float  # days
    person: str | None
    limit: int

    def fits(self, found: TableSummary, now: float) -> bool:
        return (
            (self.status is None or found.status == self.status)
            and found.last <= now - self.idle * DAY
            and (self.person is None or self.person in found.people)
        )


# ---------------------------------------------------------------- looking


def list_tables(wanted: Wanted, as_json: bool, archive: bool, where: Where) -> None:
    if wanted.status is not None and wanted.status not in STATUSES:
        raise Failure(f"a status is one of {', '.join(STATUSES)}, not {wanted.status!r}")
    source = find_source(read_config(where), archive)
    with storage_failures():
        found = list(_find(source, wanted))
    if as_json:
        print(json.dumps([describe(summary) for summary in found], indent=2))
        return
    grid = Grid(box=None, pad_edge=False, header_style="bold")
    for name in ("table", "status", "opened", "last entry", "entries", "people"):
        grid.add_column(name, no_wrap=name != "people", justify=_side(name))
    for summary in found:
        row = (summary.id, summary.status, _when(summary.created), _when(summary.last))
        grid.add_row(*row, f"{summary.entries:,}", ", ".join(summary.people))
    Console(highlight=False, markup=False).print(grid if found else "No tables.")


def _find(source: Source, wanted: Wanted) -> Iterator[TableSummary]:
    now, count = time.time(), 0
    with reading(source) as connection:
        for summary in newest_tables(connection):
            if wanted.fits(summary, now):
                yield summary
                count += 1
                if count == wanted.limit:
                    return


def _side(name: str) -> Any:
    return "right" if name == "entries" else "left"


def show_table(table: str, as_json: bool, archive: bool, where: Where) -> None:
    found = _find_one(read_config(where), table, archive)
    if as_json:
        print(json.dumps(describe(found), indent=2))
        return
    for line in _lines(found):
        print(line)


def _find_one(config: Config, table: str, archive: bool) -> TableSummary:
    source = find_source(config, archive)
    with storage_failures(), reading(source) as connection:
        found = find_table(connection, table)
    if found is None:
        raise Failure(f"{source}: there is no table {table}")
    return found


def _lines(found: TableSummary) -> Iterator[str]:
    yield f"{found.id}: {found.status}"
    if found.damage:
        yield f"  the log cannot be replayed: {found.damage}"
    yield f"  opened {_when(found.created)}, last entry {_when(found.last)}"
    yield f"  {found.entries:,} entries"
    for number, place in enumerate(_places(found), start=1):
        yield f"  place {number}: {_sitting(place)}"
    if found.table is not None and found.table.opened.rematch_of is not None:
        yield f"  a rematch of {found.table.opened.rematch_of}"
    if found.table is not None and found.table.rematch is not None:
        yield f"  its rematch is {found.table.rematch}"


def _sitting(place: Place) -> str:
    if place.nonce is None:
        return f"bot {place.bot}" if place.bot is not None else "nobody has come yet"
    if place.gave_up is not None:
        return f"{place.name}, who gave up"
    return f"{place.name}, {place.bot} plays for them" if place.bot is not None else place.name


def _places(found: TableSummary) -> list[Place]:
    return [] if found.table is None else found.table.places


def describe(found: TableSummary) -> dict[str, Any]:
    """For programs; times are in UTC."""
    table = found.table
    return {
        "table": found.id,
        "status": found.status,
        "damage": found.damage or None,
        "opened": _iso(found.created),
        "last_entry": _iso(found.last),
        "entries": found.entries,
        "places": [
            {
                "kind": place.kind,
                "name": place.name or None,
                "here": place.nonce is not None,
                "bot": place.bot,
                "gave_up": place.gave_up is not None,
            }
            for place in _places(found)
        ],
        "rematch_of": None if table is None else table.opened.rematch_of,
        "rematch": None if table is None else table.rematch,
    }


def _when(at: float) -> str:
    return datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%d %H:%M")


def _iso(at: float) -> str:
    return datetime.fromtimestamp(at, UTC).isoformat(timespec="seconds")


# ---------------------------------------------------------------- ending and deleting


def end_table(table: str, yes: bool, where: Where) -> None:
    config = read_config(where)
    if not yes:
        _ask(config, table, "Move it to the archive?")
    _do(config, table, End(table))
    print(f"{table} is in the archive now, and no longer on the server.")


def delete_table(table: str, yes: bool, where: Where) -> None:
    config = read_config(where)
    if not yes:
        _ask(config, table, "Delete it for good?")
    _do(config, table, Delete(table))
    print(f"{table} is deleted. Backups that were made before still have it.")


def _ask(config: Config, table: str, question: str) -> None:
    """Show the table first, so that it is the right one."""
    if not sys.stdin.isatty():
        raise Failure("there is nobody to ask; --yes does it without asking")
    for archive in (False, True):
        source = find_source(config, archive)
        if not exists(source):
            continue
        with storage_failures(), reading(source) as connection:
            found = find_table(connection, table)
        for line in [] if found is None else _lines(found):
            print(line)
    if not typer.confirm(question):
        raise typer.Exit


def _do(config: Config, table: str, order: Order) -> Done:
    done = carry_out(config, order)
    if not done.tables:
        raise Failure(f"there is no table {table}")
    return done
