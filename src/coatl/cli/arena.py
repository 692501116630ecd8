"""`coatl arena`: a bar while the games are played, then the tables; and `coatl ratings`."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from coatl.arena.command import measure
from coatl.arena.report import json_of, text_of
from coatl.arena.results import rate_results, ratings_text, read_results
from coatl.arena.schedule import Setup
from coatl.cli.bar import games_bar
from coatl.cli.console import INTERRUPTED, Failure
from coatl.cli.options import print_stand_in_note
from coatl.parallel.cluster import ClusterError
from coatl.parallel.processes import exit_at_once
from coatl.parallel.runs import RunError


def show_arena(setup: Setup, out: Path | None, jobs: int, as_json: bool, cluster: str) -> None:
    print_stand_in_note(setup.players)
    try:
        with games_bar() as report_progress:
            report = measure(setup, out, jobs, report_progress, cluster)
    except (RunError, ClusterError) as error:
        raise Failure(str(error)) from None
    sys.stdout.write(json_of(report) if as_json else text_of(report))
    if report.interrupted and jobs > 1 and not cluster:
        exit_at_once(INTERRUPTED)
    if report.interrupted:
        raise SystemExit(INTERRUPTED)


def show_ratings(files: Sequence[Path]) -> None:
    """`coatl ratings`."""
    try:
        results = [result for file in files for result in read_results(file)]
        sys.stdout.write(ratings_text(rate_results(results)))
    except RunError as error:
        raise Failure(str(error)) from None
