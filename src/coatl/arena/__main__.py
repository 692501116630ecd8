"""`python -m coatl.arena`: the arena where neither typer nor rich is installed."""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

from coatl.arena.command import SEATS, ArenaRequest, make_setup, measure
from coatl.arena.report import json_of, text_of
from coatl.options import OptionsError
from coatl.parallel.cluster import ClusterError
from coatl.parallel.processes import exit_at_once
from coatl.parallel.runs import RunError
from coatl.players.registry import UnknownPlayer, stand_in_note

INTERRUPTED = 130


def main(arguments: list[str] | None = None) -> int:
    given = _parser().parse_args(arguments)
    request = ArenaRequest(
        players=given.players,
        games=given.games,
        seats=given.seats,
        solo=given.solo,
        tokens=not given.no_tokens,
        promo=given.promo,
        fewer_bodies=given.fewer_bodies,
        seed=given.seed,
        seconds=given.seconds,
        records=given.records,
    )
    try:
        setup = make_setup(request)
        note = stand_in_note(setup.players)
        if note:
            print(f"coatl: {note}", file=sys.stderr)
        report = measure(setup, given.out, given.jobs, _ProgressLines().report, given.ray)
    except (RunError, ClusterError, OptionsError, UnknownPlayer) as error:
        print(f"coatl: {error}", file=sys.stderr)
        return 2
    sys.stdout.write(json_of(report) if given.json else text_of(report))
    if report.interrupted and given.jobs > 1 and not given.ray:
        exit_at_once(INTERRUPTED)
    return INTERRUPTED if report.interrupted else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m coatl.arena", description="Measure players.")
    parser.add_argument("--players", required=True, help="such as planner,greedy")
    parser.add_argument("--games", type=int, default=400, help="of every match")
    parser.add_argument("--seats", type=int, choices=SEATS, default=2)
    parser.add_argument("--solo", help="sets of A.D.A.M.'s levels, such as base,1,12345")
    parser.add_argument("--no-tokens", action="store_true")
    parser.add_argument("--promo", action="store_true")
    parser.add_argument("--fewer-bodies", action="store_true")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--seconds", type=float, default=60.0, help="a decision may take")
    parser.add_argument("--out", type=Path, help="the folder of the results")
    parser.add_argument("--records", action="store_true", help="keep every game")
    parser.add_argument("--ray", default="", metavar="ADDRESS", help="a cluster, or: local")
    parser.add_argument("--json", action="store_true")
    return parser


class _ProgressLines:
    """A line now and then, with the time left."""

    def __init__(self, every: float = 10.0) -> None:
        self._every = every
        self._began = self._last_line = time.monotonic()
        self._first: int | None = None

    def report(self, done: int, total: int) -> None:
        now = time.monotonic()
        if self._first is None:
            self._first = done
        if now - self._last_line < self._every or done == self._first:
            return
        self._last_line = now
        left = (now - self._began) / (done - self._first) * (total - done)
        print(f"{done} of {total} games, {left:.0f} s left", file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
