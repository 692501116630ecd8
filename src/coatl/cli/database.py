"""`coatl database`: checks the files of a server, copies them, and lets tables expire."""

from __future__ import annotations

import sys
from pathlib import Path

import sqlalchemy as sa
import typer

from coatl.cli.server_files import carry_out, find_file, read_config, storage_failures
from coatl.server.backup import back_up
from coatl.server.inspection import all_tables, count_tables, find_file_damage, reading
from coatl.server.operator import Expire

DAMAGED = 1  # exit code
PROGRESS_EVERY = 20  # tables


def check(data: Path | None, config_file: Path | None) -> None:
    """Of the database and, if there is one, the archive."""
    config = read_config(data, config_file)
    files = [find_file(config)]
    if find_file(config, archive=True).exists():
        files.append(find_file(config, archive=True))
    with storage_failures():
        results = [_check_file(file) for file in files]
    if not all(results):
        raise typer.Exit(DAMAGED)


def _check_file(file: Path) -> bool:
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
    if sys.stderr.isatty() and count >= PROGRESS_EVERY:
        print("\r".ljust(40) + "\r", end="", file=sys.stderr)
    return count, entries, damaged


def make_backup(file: Path, archive: bool, data: Path | None, config_file: Path | None) -> None:
    source = find_file(read_config(data, config_file), archive)
    with storage_failures():
        size = back_up(source, file)
    print(f"{file}: {size:,} bytes, checked")


def expire(dry_run: bool, data: Path | None, config_file: Path | None) -> None:
    config = read_config(data, config_file)
    found = carry_out(config, Expire(dry_run)).tables
    for table in found:
        print(table)
    many = "1 table" if len(found) == 1 else f"{len(found):,} tables"
    print(f"{many} would expire" if dry_run else f"{many} expired")
