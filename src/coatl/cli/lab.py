"""`coatl lab`: a bar while the games are played, then a few lines and where the report is."""

from __future__ import annotations

import sys

from coatl.cli.bar import games_bar
from coatl.cli.console import INTERRUPTED, Failure
from coatl.cli.options import print_stand_in_note
from coatl.lab.command import LabRequest, make_setup, study, text_of
from coatl.parallel.cluster import ClusterError
from coatl.parallel.processes import exit_at_once
from coatl.parallel.runs import RunError


def show_lab(request: LabRequest, jobs: int, cluster: str) -> None:
    try:
        setup, deck = make_setup(request)
        print_stand_in_note([setup.bot])
        with games_bar() as report_progress:
            report = study(setup, deck, request.out, jobs, report_progress, cluster)
    except (RunError, ClusterError) as error:
        raise Failure(str(error)) from None
    sys.stdout.write(text_of(report))
    if report.interrupted and jobs > 1 and not cluster:
        exit_at_once(INTERRUPTED)
    if report.interrupted:
        raise SystemExit(INTERRUPTED)
