"""A bar on standard error while many games are played, if that is a terminal."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeRemainingColumn,
)

from coatl.parallel.runs import ProgressCallback
from coatl.text.drawing import make_console


@contextmanager
def games_bar() -> Iterator[ProgressCallback]:
    """What to call with (games played, games in all)."""
    console = make_console(sys.stderr)
    columns = (TextColumn("Playing"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(
        *columns, console=console, transient=True, disable=not console.is_terminal
    ) as bar:
        task = bar.add_task("games", total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)
