"""`make bench-processors`: what code for any processor costs, beside code for this one.

An image brings compiled code along, so it is compiled for what most machines have (see Dockerfile).
A process for each target plays in turn, for a few rounds, so that other work on the machine hits
all alike. The clock is the CPU time of the process; of the rounds the best counts.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time

from bench import measure
from bench.measure import pin, save

HERE = "this processor"
TARGETS = (HERE, "x86-64-v3", "x86-64-v2")
ROUNDS = 3
GAMES = 10_000
ASK = "import bench.processors as b; b.tell()"
COMPILE = "from coatl.compiler import jit; jit.load_packages()"

Figures = dict[str, float]


def tell() -> None:
    """Measure in this process, which was started for one target; more is better."""
    from bench.__main__ import games_per_second, thinking

    measure.clock = time.process_time
    bots = thinking()
    figures = {
        "rules: decisions/s": games_per_second(2, GAMES)[0],
        "network: decisions/s": 1000 / bots["artisan: ms a decision"],
        "search: simulations/s": bots["search: simulations/s"],
    }
    print(json.dumps(figures))


def environment(target: str) -> dict[str, str]:
    """As the Dockerfile has it."""
    if target == HERE:
        return dict(os.environ)
    return os.environ | {"NUMBA_CPU_NAME": target, "NUMBA_CPU_FEATURES": ""}


def ask(target: str, program: str) -> str:
    command = [sys.executable, "-c", program]
    env = environment(target)
    return subprocess.run(command, env=env, check=True, stdout=subprocess.PIPE, text=True).stdout


def best_of(rounds: list[Figures]) -> Figures:
    return {name: max(one[name] for one in rounds) for name in rounds[0]}


def table(results: dict[str, Figures]) -> str:
    """Each figure, and in brackets how it compares with code for this processor."""
    names = list(results[HERE])
    lines = ["| code for | " + " | ".join(names) + " |", "| --- |" + " ---: |" * len(names)]
    for target, figures in results.items():
        cells = [
            f"{figures[name]:,.0f} ({figures[name] / results[HERE][name] - 1:+.0%})"
            if target != HERE
            else f"{figures[name]:,.0f}"
            for name in names
        ]
        lines.append(f"| {target} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def main() -> None:
    for target in TARGETS:
        ask(target, COMPILE)
    pin()
    rounds: dict[str, list[Figures]] = {target: [] for target in TARGETS}
    for _ in range(ROUNDS):
        for target in TARGETS:
            rounds[target].append(json.loads(ask(target, ASK)))
    results = {target: best_of(figures) for target, figures in rounds.items()}
    print(table(results))
    save("processors", {"rounds": rounds, "best": results})


if __name__ == "__main__":
    main()
