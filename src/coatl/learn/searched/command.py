"""Play solo games with a search in some processes, and learn from them in another."""

from __future__ import annotations

import argparse
import multiprocessing
import os
import shutil
import tempfile
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

from coatl.compiler import jit
from coatl.learn.searched.games import PlaySettings, play
from coatl.net.weights import load_policy

# The packages that players need compiled.
COMPILED = ("coatl.rules", "coatl.encode", "coatl.solver", "coatl.net", "coatl.search")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m coatl.learn.searched", description=__doc__)
    parser.add_argument("--start", type=Path, required=True, metavar="FILE", help="a policy.npz")
    parser.add_argument("--out", type=Path, required=True, metavar="FILE", help="what is learnt")
    kept = "where games are kept, and found that were played before; otherwise they are thrown away"
    parser.add_argument("--games", type=Path, metavar="DIR", help=kept)
    parser.add_argument("--processes", type=int, default=1, help="that play; 0: only learn")
    parser.add_argument("--only-play", action="store_true", help="learn nothing; no PyTorch needed")
    parser.add_argument("--minutes", type=float, default=9.0)
    parser.add_argument("--name", default="run", help="of the games: another name, other games")
    parser.add_argument("--device", choices=("auto", "cpu", "cuda"), default="auto")
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE")
    given = parser.parse_args()
    if given.only_play and (given.games is None or given.processes < 1):
        parser.error("--only-play needs --games and a process")
    overrides = dict(pair.split("=", 1) for pair in given.set)
    try:
        playing = changed(PlaySettings(), overrides)
        with tempfile.TemporaryDirectory() as temporary:
            given.games = given.games or Path(temporary)
            work(given, playing, overrides)
    except ValueError as error:  # unusable weights or settings, games that do not fit
        raise SystemExit(str(error)) from None


def work(given: argparse.Namespace, playing: PlaySettings, overrides: dict[str, str]) -> None:
    """Play in processes of their own, and learn in this one."""
    load_policy(given.start)  # is it usable?
    study = None if given.only_play else prepare(given, overrides)
    if overrides:
        raise ValueError(f"there is no setting {', '.join(overrides)}")
    given.out.parent.mkdir(parents=True, exist_ok=True)
    if given.out.exists() and given.out.samefile(given.start):
        raise ValueError("--out has to be another file than --start")
    shutil.copyfile(given.start, given.out)  # players follow this file
    given.games.mkdir(parents=True, exist_ok=True)
    if given.processes:
        jit.load_packages(*COMPILED)  # once, before others want it
    context = multiprocessing.get_context("spawn")
    players = [
        context.Process(target=play_for, args=(given, playing, f"{given.name}-{number}"))
        for number in range(given.processes)
    ]
    for player in players:
        player.start()

    def check_players() -> None:
        for player in players:
            if player.exitcode:
                raise SystemExit(f"a process that plays has ended with status {player.exitcode}")

    try:
        if study is not None:
            study.run(check_players)
        else:
            for player in players:
                player.join()
            check_players()
    finally:
        for player in players:
            player.terminate()


def play_for(given: argparse.Namespace, playing: PlaySettings, name: str) -> None:
    os.nice(5)  # who learns goes first

    def log(line: str) -> None:
        if given.only_play:
            print(line, flush=True)

    play(given.out, given.games, playing, name, 60 * given.minutes, log)


def prepare(given: argparse.Namespace, overrides: dict[str, str]) -> Any:
    """What learns; PyTorch is imported here, since players do without."""
    import torch

    from coatl.learn.searched.study import Study, StudySettings

    device = given.device
    if device == "auto":
        device = "cuda" if torch.cuda.is_available() else "cpu"
    settings = replace(changed(StudySettings(), overrides), minutes=given.minutes)
    return Study(
        given.start,
        given.games,
        given.out,
        settings,
        torch.device(device),
        lambda line: print(line, flush=True),
    )


def changed(settings: Any, overrides: dict[str, str]) -> Any:
    """The settings with those values that they have; what is used is taken out of `overrides`."""
    values: dict[str, Any] = {}
    for field in fields(settings):
        if field.name in overrides:
            kind = type(getattr(settings, field.name))
            text = overrides.pop(field.name)
            values[field.name] = text == "yes" if kind is bool else kind(text)
    return replace(settings, **values)
