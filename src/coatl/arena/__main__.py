"""`python -m coatl.arena`: the arena where neither typer nor rich is installed."""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

from coatl.arena.command import SEATS, make_setup, measure
from coatl.arena.report import json_of, text_of
from coatl.arena.run import ArenaError
from coatl.options import OptionsError
from coatl.parallel.cluster import ClusterError
from coatl.players.registry import UnknownPlayer, stand_in_note

INTERRUPTED = 130


def main(arguments: list[str] | None = None) -> int:
    wish = _parser().parse_args(arguments)
    try:
        setup = make_setup(
            wish.players,
            wish.games,
            seats=wish.seats,
            solo=wish.solo,
            tokens=not wish.no_tokens,
            promo=wish.promo,
            fewer_bodies=wish.fewer_bodies,
            seed=wish.seed,
            seconds=wish.seconds,
            records=wish.records,
        )
        note = stand_in_note(setup.players)
        if note:
            print(f"coatl: {note}", file=sys.stderr)
        report = measure(setup, wish.out, wish.jobs, _Lines().tell, wish.ray)
    except (ArenaError, ClusterError, OptionsError, UnknownPlayer) as error:
        print(f"coatl: {error}", file=sys.stderr)
        return 2
    sys.stdout.write(json_of(report) if wish.json else text_of(report))
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


class _Lines:
    """A line now and then, with the time left."""

    def __init__(self, every: float = 10.0) -> None:
        self._every = every
        self._began = self._told = time.monotonic()
        self._first: int | None = None

    def tell(self, done: int, total: int) -> None:
        now = time.monotonic()
        if self._first is None:
            self._first = done
        if now - self._told < self._every or done == self._first:
            return
        self._told = now
        left = (now - self._began) / (done - self._first) * (total - done)
        print(f"{done} of {total} games, {left:.0f} s left", file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
