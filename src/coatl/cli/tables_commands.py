"""`coatl tables`: its commands and their options."""

from __future__ import annotations

from typing import Annotated

import typer

from coatl.cli.server_options import Archive, AsJson, ConfigFile, Data, Database, Where

tables_app = typer.Typer(help="The tables of a server, for whoever runs it.")
TableId = Annotated[str, typer.Argument(metavar="TABLE", help="Its id, as in its link.")]
Yes = Annotated[bool, typer.Option("--yes", help="Do not ask first.")]


@tables_app.callback(invoke_without_command=True)
def tables_entrance(context: typer.Context) -> None:
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


@tables_app.command("list")
def list_command(
    status: Annotated[
        str | None,
        typer.Option(metavar="STATUS", help="Only those: waiting, playing, over or damaged."),
    ] = None,
    idle: Annotated[
        float, typer.Option(metavar="DAYS", min=0.0, help="Only those untouched for so long.")
    ] = 0.0,
    person: Annotated[
        str | None, typer.Option(metavar="NAME", help="Only those where somebody is called that.")
    ] = None,
    limit: Annotated[int, typer.Option(min=0, help="How many at most; 0: all.")] = 50,
    json: AsJson = False,
    archive: Archive = False,
    data: Data = None,
    database: Database = None,
    config: ConfigFile = None,
) -> None:
    """List tables, those that were touched last first."""
    from coatl.cli.tables import Wanted, list_tables

    list_tables(Wanted(status, idle, person, limit), json, archive, Where(data, database, config))


@tables_app.command("show")
def show_command(
    table: TableId,
    json: AsJson = False,
    archive: Archive = False,
    data: Data = None,
    database: Database = None,
    config: ConfigFile = None,
) -> None:
    """Show who sits at a table and how far it is; no cards, and nothing secret."""
    from coatl.cli.tables import show_table

    show_table(table, json, archive, Where(data, database, config))


@tables_app.command("end")
def end_command(
    table: TableId,
    yes: Yes = False,
    data: Data = None,
    database: Database = None,
    config: ConfigFile = None,
) -> None:
    """Move a table to the archive: nobody can play or look at it any more."""
    from coatl.cli.tables import end_table

    end_table(table, yes, Where(data, database, config))


@tables_app.command("delete")
def delete_command(
    table: TableId,
    yes: Yes = False,
    data: Data = None,
    database: Database = None,
    config: ConfigFile = None,
) -> None:
    """Delete a table for good: its log, its names and its tokens, also in the archive."""
    from coatl.cli.tables import delete_table

    delete_table(table, yes, Where(data, database, config))
