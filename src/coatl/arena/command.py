"""What both commands of the arena do: check the request, play, and write the results."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from pathlib import Path

from coatl.arena.picture import svg_of
from coatl.arena.report import (
    ArenaReport,
    json_of,
    make_report,
    matches_csv,
    players_csv,
)
from coatl.arena.run import run
from coatl.arena.schedule import Setup, read_levels_sets
from coatl.options import check_seed
from coatl.parallel.runs import ProgressCallback, RunError
from coatl.players.registry import find_player

SEATS = (2, 3, 4)


@dataclass(frozen=True)
class ArenaRequest:
    """What was asked for on a command line."""

    players: str  # such as planner,greedy
    games: int  # of every match
    seats: int = 2
    solo: str | None = None  # sets of A.D.A.M.'s levels, such as base,1,12345
    tokens: bool = True
    promo: bool = False
    fewer_bodies: bool = False
    seed: str = "1"
    seconds: float = 60.0  # a decision
    records: bool = False


def make_setup(request: ArenaRequest) -> Setup:
    """A setup that can be played; raises `OptionsError`, `UnknownPlayer` or `RunError`."""
    if os.getcwd() not in sys.path:  # where one keeps bots of one's own
        sys.path.insert(0, os.getcwd())
    names = tuple(name.strip() for name in request.players.split(","))
    for name in names:
        find_player(name)
    if request.seats not in SEATS:
        raise RunError(f"a table has 2, 3 or 4 seats, not {request.seats}")
    setup = Setup(
        players=names,
        games=request.games,
        seats=request.seats if request.solo is None else 1,
        solo=() if request.solo is None else read_levels_sets(request.solo),
        tokens=request.tokens,
        promo=request.promo,
        fewer_bodies=request.fewer_bodies,
        seed=check_seed(request.seed),
        seconds=request.seconds,
        records=request.records,
    )
    setup.check()
    return setup


def measure(
    setup: Setup,
    folder: Path | None,
    jobs: int,
    report_progress: ProgressCallback,
    cluster: str = "",
) -> ArenaReport:
    """Play, and write the reports into the folder; a report says whether it was interrupted."""
    if setup.records and folder is None:
        raise RunError("records need a folder: --out DIR")
    if setup.records and cluster:
        raise RunError("a cluster brings no records back: leave out --records or --ray")
    book, interrupted = run(setup, folder, jobs, report_progress, cluster)
    report = make_report(setup, book.results(), interrupted)
    if folder is not None and report.games:
        files = {
            "arena.json": json_of(report),
            "matches.csv": matches_csv(report),
            "players.csv": players_csv(report),
            "arena.svg": svg_of(report),
        }
        for name, text in files.items():
            (folder / name).write_text(text, encoding="utf-8")
    return report
