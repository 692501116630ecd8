"""The options that the commands for whoever runs a server share. Loads nothing of the server."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

Data = Annotated[
    Path | None,
    typer.Option(
        "--data", metavar="DIR", help="Where tables are kept (otherwise your data folder)."
    ),
]
Database = Annotated[
    str | None,
    typer.Option(
        "--database",
        metavar="URL",
        help="A PostgreSQL database instead, such as postgresql://coatl@localhost/coatl.",
    ),
]
ConfigFile = Annotated[
    Path | None, typer.Option("--config", metavar="FILE", help="A file with settings (TOML).")
]
Archive = Annotated[bool, typer.Option("--archive", help="The archive of expired tables instead.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]


@dataclass(frozen=True)
class Where:
    """The options that say which tables are meant."""

    data: Path | None
    database: str | None
    config: Path | None
