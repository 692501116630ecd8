"""The options that the commands for whoever runs a server share. Loads nothing of the server."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

Data = Annotated[
    Path | None,
    typer.Option(
        "--data", metavar="DIR", help="Where tables are kept (otherwise your data folder)."
    ),
]
ConfigFile = Annotated[
    Path | None, typer.Option("--config", metavar="FILE", help="A file with settings (TOML).")
]
Archive = Annotated[bool, typer.Option("--archive", help="The archive of expired tables instead.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
