"""What the commands for whoever runs a server work on: its tables, and the server if it runs."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from coatl.cli.console import Failure
from coatl.cli.server_options import Where
from coatl.server.archive import ARCHIVE_NAME
from coatl.server.config import Config, SettingsError, load_config
from coatl.server.database import StorageError
from coatl.server.inspection import Source
from coatl.server.sqlite_store import FILE_NAME

if TYPE_CHECKING:
    from coatl.server.operator import Done, Order


def read_config(where: Where) -> Config:
    given = {"data": where.data, "database": where.database}
    if where.data is not None and where.database is None:
        given["database"] = ""  # a folder that is named counts more than a variable
    try:
        config = load_config({k: v for k, v in given.items() if v is not None}, where.config)
        _ = config.options.store
    except SettingsError as error:
        raise Failure(str(error)) from None
    return config


def find_source(config: Config, archive: bool = False) -> Source:
    """The database, or the archive; whether it is there is not asked."""
    store = config.options.store
    if isinstance(store, Path):
        return Source(store / (ARCHIVE_NAME if archive else FILE_NAME))
    return Source(store, archive)


@contextmanager
def storage_failures() -> Iterator[None]:
    """What is wrong with a database is told in one line."""
    try:
        yield
    except StorageError as error:
        raise Failure(str(error)) from None


def carry_out(config: Config, order: Order) -> Done:
    """By the server that uses a folder; here if none does, or if it is a shared database."""
    with storage_failures():
        store = config.options.store
        done = _ask_server(store, order) if isinstance(store, Path) else None
        if done is None:
            done = asyncio.run(_carry_out_here(config, order))
    if done.problem:
        raise Failure(done.problem)
    return done


def _ask_server(folder: Path, order: Order) -> Done | None:
    from coatl.server.control import ask_server

    if not (folder / FILE_NAME).is_file():
        raise StorageError(f"{folder / FILE_NAME}: there is no database")
    return ask_server(folder, order)


async def _carry_out_here(config: Config, order: Order) -> Done:
    from coatl.server.operator import operator_of

    async with operator_of(config.options.store, config.settings) as operator:
        return await operator.carry_out(order)
