"""``python -m coatl.learn``: `coatl train` where only NumPy, Numba, msgspec and PyTorch exist."""

from __future__ import annotations

import argparse
from pathlib import Path

from coatl.learn.command import train
from coatl.learn.settings import TrainingSettings


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m coatl.learn", description=__doc__)
    usual = TrainingSettings()
    parser.add_argument("--minutes", type=float, default=usual.minutes)
    parser.add_argument("--plan", type=float, default=0.0, help="minutes of all runs together")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--resume", type=Path, nargs="?", const=Path(), help="default: --out")
    parser.add_argument("--start", type=Path, metavar="FILE", help="a policy.npz to begin with")
    parser.add_argument("--games", type=int, default=0)
    parser.add_argument("--device", choices=("auto", "cpu", "cuda"), default="auto")
    parser.add_argument("--players", default="")
    parser.add_argument("--seed", type=int, default=usual.seed)
    parser.add_argument("--ray", default="", metavar="ADDRESS", help="a cluster, or: local")
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE")
    given = parser.parse_args()
    if given.start and given.resume:
        parser.error("--start begins a new run, --resume goes on with one: not both")
    resume = given.out if given.resume == Path() else given.resume
    overrides = dict(pair.split("=", 1) for pair in given.set)
    train(
        minutes=given.minutes,
        plan=given.plan,
        folder=given.out,
        resume=resume,
        games=given.games,
        device=given.device,
        players=given.players,
        seed=given.seed,
        overrides=overrides,
        log=lambda line: print(line, flush=True),
        cluster=given.ray,
        start=given.start,
    )


if __name__ == "__main__":
    main()
