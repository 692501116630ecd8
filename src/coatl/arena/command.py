"""What both doors of the arena do: check what was asked for, play, and write what was found."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from coatl.arena.picture import svg_of
from coatl.arena.report import (
    ArenaReport,
    json_of,
    make_report,
    matches_csv,
    players_csv,
)
from coatl.arena.run import ArenaError, Tell, run
from coatl.arena.schedule import Setup, read_levels_sets
from coatl.options import check_seed
from coatl.players.registry import find_player

SEATS = (2, 3, 4)


def make_setup(
    players: str,
    games: int,
    *,
    seats: int = 2,
    solo: str | None = None,
    tokens: bool = True,
    promo: bool = False,
    fewer_bodies: bool = False,
    seed: str = "1",
    seconds: float = 60.0,
    records: bool = False,
) -> Setup:
    """A setup that can be played; raises `OptionsError`, `UnknownPlayer` or `ArenaError`."""
    if os.getcwd() not in sys.path:  # a bot of one's own lies where one works
        sys.path.insert(0, os.getcwd())
    names = tuple(name.strip() for name in players.split(","))
    for name in names:
        find_player(name)
    if seats not in SEATS:
        raise ArenaError(f"a table has 2, 3 or 4 seats, not {seats}")
    setup = Setup(
        players=names,
        games=games,
        seats=seats if solo is None else 1,
        solo=() if solo is None else read_levels_sets(solo),
        tokens=tokens,
        promo=promo,
        fewer_bodies=fewer_bodies,
        seed=check_seed(seed),
        seconds=seconds,
        records=records,
    )
    setup.check()
    return setup


def measure(
    setup: Setup, folder: Path | None, jobs: int, tell: Tell, cluster: str = ""
) -> ArenaReport:
    """Play, and write the reports into the folder; they tell whether it was broken off."""
    if setup.records and folder is None:
        raise ArenaError("records need a folder: --out DIR")
    if setup.records and cluster:
        raise ArenaError("a cluster brings no records back: leave out --records or --ray")
    book, interrupted = run(setup, folder, jobs, tell, cluster)
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
