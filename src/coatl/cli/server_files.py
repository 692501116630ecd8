"""What the commands for whoever runs a server work on: a folder, and the server that may use it."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from coatl.cli.console import Failure
from coatl.server.archive import ARCHIVE_NAME
from coatl.server.config import Config, SettingsError, load_config
from coatl.server.database import StorageError
from coatl.server.store import FILE_NAME

if TYPE_CHECKING:
    from coatl.server.operator import Done, Order


def read_config(data: Path | None, config_file: Path | None) -> Config:
    try:
        return load_config({} if data is None else {"data": data}, config_file)
    except SettingsError as error:
        raise Failure(str(error)) from None


def find_file(config: Config, archive: bool = False) -> Path:
    """The database, or the archive; whether it is there is not asked."""
    return config.options.folder / (ARCHIVE_NAME if archive else FILE_NAME)


@contextmanager
def storage_failures() -> Iterator[None]:
    """What is wrong with a database is told in one line."""
    try:
        yield
    except StorageError as error:
        raise Failure(str(error)) from None


def carry_out(config: Config, order: Order) -> Done:
    """By the server that uses the folder, or here if none does."""
    from coatl.server.control import ask_server
    from coatl.server.operator import operator_of_folder

    folder = config.options.folder

    async def work_here() -> Done:
        async with operator_of_folder(folder, config.settings) as operator:
            return await operator.carry_out(order)

    with storage_failures():
        if not (folder / FILE_NAME).is_file():
            raise StorageError(f"{folder / FILE_NAME}: there is no database")
        done = ask_server(folder, order)
        if done is None:
            done = asyncio.run(work_here())
    if done.problem:
        raise Failure(done.problem)
    return done
