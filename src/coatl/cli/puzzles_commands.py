"""`coatl puzzles`: its commands and their options."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

puzzles_app = typer.Typer(help="Puzzles: one of the day, and a few hundred more.")
File = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="Puzzles of your own (otherwise those of the program)."),
]
Progress = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="What you solved (otherwise in your data folder)."),
]


@puzzles_app.callback(invoke_without_command=True)
def puzzles_entrance(
    context: typer.Context,
    day: Annotated[
        str | None, typer.Option(metavar="DATE", help="Of another day, such as 2026-11-18.")
    ] = None,
    file: File = None,
    progress: Progress = None,
) -> None:
    """Solve the puzzle of the day: by the date in UTC, the same for everybody."""
    if context.invoked_subcommand is None:
        from coatl.cli.puzzles import play_of_day

        play_of_day(day, file, progress)


@puzzles_app.command("play")
def play_command(
    number: Annotated[int, typer.Argument(metavar="NUMBER", help="As in the list.")],
    file: File = None,
    progress: Progress = None,
) -> None:
    """Solve a puzzle by its number."""
    from coatl.cli.puzzles import play_number

    play_number(number, file, progress)


@puzzles_app.command("list")
def list_command(
    kind: Annotated[
        str | None, typer.Option(metavar="KIND", help="Only close, cards, win or adam.")
    ] = None,
    file: File = None,
    progress: Progress = None,
) -> None:
    """List the puzzles, and which of them you solved."""
    from coatl.cli.puzzles import list_puzzles

    list_puzzles(kind, file, progress)


@puzzles_app.command("make")
def make_command(
    seed: Annotated[str, typer.Option(help="The same seed gives the same puzzles.")],
    out: Annotated[Path, typer.Option(metavar="FILE", help="Where they go.")],
    close: Annotated[int, typer.Option(min=0, help="So many: close for the most points.")] = 165,
    cards: Annotated[int, typer.Option(min=0, help="So many: find the cards.")] = 75,
    win: Annotated[int, typer.Option(min=0, help="So many: win this turn.")] = 30,
    adam: Annotated[int, typer.Option(min=0, help="So many: beat A.D.A.M.")] = 30,
    keep: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Puzzles that come first, and count; measured anew."),
    ] = None,
    jobs: Annotated[int, typer.Option(min=1, help="Processes that share the work.")] = 1,
) -> None:
    """Make a file of puzzles from games of strong bots, and measure how hard each one is."""
    from coatl.cli.puzzles import make
    from coatl.puzzles import PuzzleKind

    counts = {
        PuzzleKind.CLOSE: close,
        PuzzleKind.CARDS: cards,
        PuzzleKind.WIN: win,
        PuzzleKind.ADAM: adam,
    }
    make(seed, out, counts, jobs, keep)


@puzzles_app.command("check")
def check_command(file: File = None) -> None:
    """Prove again that every puzzle has one best answer."""
    from coatl.cli.puzzles import check

    check(file)
