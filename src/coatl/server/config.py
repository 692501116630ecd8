"""What a server is told: by options of the command, variables, and a file, in this order."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

import platformdirs

from coatl.server.postgres import is_postgres
from coatl.server.setting_values import SECRET, SettingsError, read_environment, read_toml
from coatl.server.settings import ServerSettings

CONFIG_VARIABLE = "COATL_CONFIG"


@dataclass(frozen=True)
class ServeOptions:
    """Where a server listens, and where its tables are."""

    host: str = "127.0.0.1"
    port: int = 8642
    data: Path | None = None  # None: the user's data folder
    # The address of a PostgreSQL database, instead of the folder.
    database: str = field(default="", repr=False, metadata=SECRET)
    workers: int = 1  # processes that serve together
    names: tuple[str, ...] = ()  # what the server is called

    @property
    def folder(self) -> Path:
        return self.data if self.data is not None else data_folder()

    @property
    def store(self) -> str | Path:
        """Where tables are kept; raises `SettingsError` if that cannot be."""
        if not self.database:
            if self.workers > 1:
                raise SettingsError(
                    "several workers need a PostgreSQL database: --database postgresql://…"
                )
            return self.folder
        if not is_postgres(self.database):
            raise SettingsError("a database is postgresql://USER:PASSWORD@HOST:PORT/NAME")
        return self.database


@dataclass(frozen=True)
class Config:
    options: ServeOptions
    settings: ServerSettings


def data_folder() -> Path:
    return Path(platformdirs.user_data_dir("coatl", appauthor=False))


def load_config(
    given: Mapping[str, Any] | None = None,
    file: Path | None = None,
    environment: Mapping[str, str] | None = None,
) -> Config:
    """`given` are the options of the command that were set, by the names of the fields.

    They count more than variables, and variables more than the file. Raises `SettingsError`.
    """
    variables = os.environ if environment is None else environment
    if file is None and variables.get(CONFIG_VARIABLE):
        file = Path(variables[CONFIG_VARIABLE])
    kinds = (ServeOptions, ServerSettings)
    values = {} if file is None else read_toml(file, kinds)
    for kind in kinds:
        values |= read_environment(kind, variables)
    values |= given or {}
    parts = [
        kind(**{one.name: values[one.name] for one in fields(kind) if one.name in values})
        for kind in kinds
    ]
    return Config(*parts)  # type: ignore[arg-type]


__all__ = [
    "CONFIG_VARIABLE",
    "Config",
    "ServeOptions",
    "SettingsError",
    "data_folder",
    "load_config",
]
