"""`make bench-server-beside`: the server beside that of version 0.1, in one run.

Both take turns for a few rounds, with the same load on the same machine, so that other work there
hits both alike. On a busy machine the CPU time that the server takes for a decision is the figure
to trust. Version 0.1 is read from the history of the repository.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from statistics import median

from bench import gc_times
from bench.measure import MeasureError, save
from bench.server import CURRENT, PACE, SERVE, TABLES, Version, measure_play
from coatl.compiler import jit

ROOT = Path(__file__).parent.parent
RELEASE = "cdecbac75ec78703f8461d6d4f8ac22c3dd5157f"  # the last commit of version 0.1
FOLDER = ROOT / ".cache" / "release-0.1"
ROUNDS = 3
SECONDS = 8.0
AIM = 2.2  # times the decisions of 0.1

Figures = dict[str, float]
Measure = Callable[[float, Version], Figures]

# Collections are timed in the server's process, whichever version it is.
_WATCH = "from bench.gc_times import watch; watch(); "
NEW, OLD = "now", "0.1"


def fetch_release(root: Path, folder: Path) -> None:
    """Put the sources of 0.1 into a folder, once; raises `MeasureError` without a history."""
    if (folder / "src").is_dir():
        return
    try:
        archive = subprocess.run(
            ["git", "archive", "--format=tar", RELEASE, "src"],
            cwd=root,
            check=True,
            capture_output=True,
        )
    except (OSError, subprocess.CalledProcessError):
        raise MeasureError(
            "the comparison with version 0.1 is left out: its commit is not in the history here"
        ) from None
    folder.mkdir(parents=True, exist_ok=True)
    subprocess.run(["tar", "-x", "-C", str(folder)], input=archive.stdout, check=True)


def release(folder: Path) -> Version:
    """The server of 0.1, by the same interpreter; its rules are compiled first."""
    environment = {"PYTHONPATH": str(folder / "src")}
    subprocess.run(
        [sys.executable, "-c", "from coatl.rules import jit; jit.load_all()"],
        env={**os.environ, **environment},
        check=True,
    )
    program = _WATCH + SERVE.replace("ServerSettings", "Settings")
    return Version(program, environment, hello={})


def measure(pace: float, version: Version) -> Figures:
    """The server at all tables, and the longest collection of garbage meanwhile."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "collections")
        watched = {**version.environment, gc_times.FILE: str(file)}
        found = measure_play(
            pace, TABLES, SECONDS, version=Version(version.program, watched, version.hello)
        )
        begun = found.pop("begun")
        return {**found, "longest collection ms": gc_times.longest(file, begun, begun + SECONDS)}


def compare(versions: Mapping[str, Version], pace: float, rounds: int, measure: Measure) -> Figures:
    """Each figure of each version: the median of the rounds, in which they take turns."""
    found: dict[str, list[float]] = {}
    for number in range(rounds):
        for name, version in versions.items():
            print(f"  round {number + 1} of {rounds}: {name} ...", flush=True)
            for figure, value in measure(pace, version).items():
                found.setdefault(f"{figure}, {name}", []).append(value)
    return {name: median(values) for name, values in found.items()}


def rows(full: Figures, paced: Figures) -> list[tuple[str, float, float, str]]:
    """Name, version 0.1, now, and what is aimed at."""
    wanted: Sequence[tuple[Figures, str, str, str]] = (
        (full, "decisions a second", "decisions a second, full speed", f">= {AIM} times"),
        (full, "server µs a decision", "server's CPU a decision, µs", f"{AIM} times less"),
        (full, "longest collection ms", "longest collection, full speed, ms", "<= 20"),
        (paced, "median ms", "to the other player, paced, median ms", ""),
        (paced, "p99 ms", "to the other player, paced, p99 ms", "no more"),
        (paced, "worst ms", "to the other player, paced, worst ms", ""),
        (paced, "longest collection ms", "longest collection, paced, ms", "<= 20"),
    )
    return [
        (name, figures[f"{figure}, {OLD}"], figures[f"{figure}, {NEW}"], aim)
        for figures, figure, name, aim in wanted
    ]


def main(rounds: int = ROUNDS) -> None:
    try:
        fetch_release(ROOT, FOLDER)
    except MeasureError as error:
        print(error)
        return
    jit.load_packages()
    versions = {OLD: release(FOLDER), NEW: Version(_WATCH + SERVE, hello=CURRENT.hello)}
    print(f"Full speed at {TABLES} two-seat tables", flush=True)
    full = compare(versions, 0.0, rounds, measure)
    print(f"Human pace at {TABLES} tables (a decision every {PACE:g} s each)", flush=True)
    paced = compare(versions, PACE, rounds, measure)
    print(f"{'':<40} {OLD:>10} {NEW:>10} {'now : 0.1':>10}")
    for name, old, new, aim in rows(full, paced):
        ratio = f"{new / old:>10.2f}" if old else f"{'':>10}"
        print(f"{name:<40} {old:>10,.2f} {new:>10,.2f} {ratio}   {aim}")
    print(f"cores {len(os.sched_getaffinity(0))}, load {os.getloadavg()[0]:.1f}")
    save("server-beside", {"full": full, "paced": paced})


if __name__ == "__main__":
    main(*[int(number) for number in sys.argv[1:2]])
