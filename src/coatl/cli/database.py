"""`coatl database`: checks the files of a server, copies them, and lets tables expire."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

import sqlalchemy as sa
import typer

from coatl.cli.console import Failure
from coatl.cli.server_files import carry_out, find_source, read_config, storage_failures
from coatl.cli.server_options import Where
from coatl.server.backup import back_up
from coatl.server.copying import CopyReport, copy_tables
from coatl.server.database import StorageError
from coatl.server.inspection import (
    Source,
    all_tables,
    count_tables,
    exists,
    find_file_damage,
    reading,
)
from coatl.server.operator import Expire
from coatl.server.postgres import is_postgres
from coatl.server.sqlite_store import FILE_NAME
from coatl.server.stores import open_store

DAMAGED = 1  # exit code
PROGRESS_EVERY = 20  # tables


def check(where: Where) -> None:
    """Of the database and, if there is one, the archive."""
    config = read_config(where)
    archive = find_source(config, archive=True)
    with storage_failures():
        sources = [find_source(config), *([archive] if exists(archive) else [])]
        results = [_check_source(source) for source in sources]
    if not all(results):
        raise typer.Exit(DAMAGED)


def _check_source(file: Source) -> bool:
    """Say what is wrong; is nothing?"""
    with reading(file) as connection:
        damage = find_file_damage(connection)
        if damage is not None:
            print(f"{file}: the file is damaged: {damage}")
        count, entries, damaged = _check_tables(connection)
    tables = "1 table" if count == 1 else f"{count:,} tables"
    if damaged:
        print(f"{file}: {damaged:,} of {tables} cannot be replayed")
    elif damage is None:
        print(f"{file}: {tables}, {entries:,} entries, all in order")
    return not damaged and damage is None


def _check_tables(connection: sa.Connection) -> tuple[int, int, int]:
    """How many there are, how many entries, and how many cannot be replayed."""
    in_all = count_tables(connection)
    count = entries = damaged = 0
    for found in all_tables(connection):
        count += 1
        entries += found.entries
        if found.table is None:
            damaged += 1
            print(f"{found.id}: {found.damage}")
        if sys.stderr.isatty() and count % PROGRESS_EVERY == 0:
            print(f"\r{count:,} of {in_all:,} tables", end="", file=sys.stderr, flush=True)
    _clear_line()
    return count, entries, damaged


def make_backup(file: Path, archive: bool, where: Where) -> None:
    source = find_source(read_config(where), archive)
    if not isinstance(source.place, Path):
        raise Failure("PostgreSQL makes its own backups: pg_dump --format=custom")
    with storage_failures():
        size = back_up(source.place, file)
    print(f"{file}: {size:,} bytes, checked")


def copy(source: str, target: str, where: Where) -> None:
    settings = read_config(where).settings
    if source == target:
        raise Failure("source and target are the same")
    with storage_failures(), ExitStack() as stack:
        stores = []
        for place in (source, target):
            _check_unserved(place)
            if place is source and not is_postgres(place) and not Path(place, FILE_NAME).is_file():
                raise StorageError(f"{Path(place, FILE_NAME)}: there is no database")
            stores.append(open_store(place, settings.busy_timeout))
            stack.callback(stores[-1].close)
        done = copy_tables(stores[0], stores[1], _report_copy(stores[0].count_tables()))
    _clear_line()
    print(f"{done.copied:,} copied and checked, {done.there:,} there already")
    for id in done.damaged:
        print(f"{id}: copied as it is, but its log cannot be replayed")
    for id in done.different:
        print(f"{id}: there is another table with this id; it was left alone")
    if done.damaged or done.different:
        raise typer.Exit(DAMAGED)


def _check_unserved(place: str) -> None:
    """A folder is locked by its server; a database is not."""
    if is_postgres(place):
        open_store(place, 0.0).close()  # or a reason why it cannot be opened
        from coatl.server.bus import is_served  # needs the driver
        from coatl.server.postgres import driver_address, name_of, read_url

        url = read_url(place)
        if is_served(driver_address(url)):
            raise StorageError(f"{name_of(url)}: a server uses this database; stop it first")


def _report_copy(in_all: int) -> Callable[[CopyReport], None]:
    def report(done: CopyReport) -> None:
        if sys.stderr.isatty():
            print(f"\r{done.count:,} of {in_all:,} tables", end="", file=sys.stderr, flush=True)

    return report


def _clear_line() -> None:
    if sys.stderr.isatty():
        print("\r".ljust(40) + "\r", end="", file=sys.stderr)


def expire(dry_run: bool, where: Where) -> None:
    config = read_config(where)
    found = carry_out(config, Expire(dry_run)).tables
    for table in found:
        print(table)
    many = "1 table" if len(found) == 1 else f"{len(found):,} tables"
    print(f"{many} would expire" if dry_run else f"{many} expired")
