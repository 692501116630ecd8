"""`coatl database`: its commands and their options."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from coatl.cli.server_options import Archive, ConfigFile, Data, Database, Where

database_app = typer.Typer(help="The database of a server: check it, copy it, tidy it up.")


@database_app.callback(invoke_without_command=True)
def database_entrance(context: typer.Context) -> None:
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


@database_app.command("check")
def check_command(data: Data = None, database: Database = None, config: ConfigFile = None) -> None:
    """Check the files, and replay the log of every table."""
    from coatl.cli.database import check

    check(Where(data, database, config))


@database_app.command("backup")
def backup_command(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A new file for the copy.")],
    data: Data = None,
    archive: Archive = False,
    database: Database = None,
    config: ConfigFile = None,
) -> None:
    """Copy the database to a file, also while a server uses it."""
    from coatl.cli.database import make_backup

    make_backup(file, archive, Where(data, database, config))


@database_app.command("copy")
def copy_command(
    source: Annotated[str, typer.Argument(metavar="SOURCE", help="A folder, or postgresql://…")],
    target: Annotated[str, typer.Argument(metavar="TARGET", help="A folder, or postgresql://…")],
    config: ConfigFile = None,
) -> None:
    """Copy all tables to another database, while no server uses either, and check every log."""
    from coatl.cli.database import copy

    copy(source, target, Where(None, None, config))


@database_app.command("expire")
def expire_command(
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Only say which tables would expire.")
    ] = False,
    data: Data = None,
    database: Database = None,
    config: ConfigFile = None,
) -> None:
    """Let tables expire now that are due, as a server does every hour."""
    from coatl.cli.database import expire

    expire(dry_run, Where(data, database, config))
