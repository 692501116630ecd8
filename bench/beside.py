"""`make bench-peers`: random play of Cóatl beside other engines, on one core, in one run.

Ours and theirs take turns for a few rounds, so that other work on the machine hits both alike. The
clock is the CPU time of the process: what else runs on the core is not counted, and on a quiet
machine it is the time that passes. `measure.speed` tells how a speed comes out of the rounds. The
others have an environment of their own, .venv-peers, in which `peers.py` plays them.
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from time import process_time
from typing import TypedDict

from bench.measure import ROUNDS, Bench, MeasureError, Round, Run, Speed, pin, save, speed

ROOT = Path(__file__).parent.parent
PEERS_PYTHON = Path(".venv-peers/bin/python")
PEERS = Path(__file__).parent / "peers.py"
LONGEST = 300  # seconds that one run of a peer may take

KERNEL = "Cóatl kernel, 2 players"
STATE = "Cóatl State, 2 players"
GAME = "Cóatl Game, 2 players"
CATANATRON = "Catanatron, 2 players"
PEER_OF = {
    CATANATRON: "catanatron",
    "OpenSpiel gin_rummy": "gin_rummy",
    "OpenSpiel connect_four": "connect_four",
    "OpenSpiel backgammon": "backgammon",
    "OpenSpiel tic_tac_toe": "tic_tac_toe",
}
PEER_GAMES = {  # half a second, or two
    "catanatron": 100,
    "gin_rummy": 250,
    "connect_four": 20_000,
    "backgammon": 300,
    "tic_tac_toe": 50_000,
}
# ours : theirs, decisions a second
AIMS = {
    (KERNEL, CATANATRON): 70,
    (STATE, CATANATRON): 8,
    (GAME, CATANATRON): 3,
    (GAME, "OpenSpiel gin_rummy"): 1,
}
GAMES_AIMS = {CATANATRON: 380}  # kernel : theirs, games a second
CLONES = 100_000  # copies of a state that are timed in one go


@dataclass(frozen=True, slots=True)
class Contestant:
    name: str
    games: int
    play: Callable[[int], Round]  # this many games, then twice as many


# ---------------------------------------------------------------- ours


def kernel_run(bench: Bench, games: int) -> Run:
    begin = process_time()
    decisions = bench.play(games)
    return Run(games, decisions, process_time() - begin)


def state_run(games: int) -> Run:
    """Through `State`: every decision is checked, carried out and followed by what is legal."""
    from coatl import State

    rng, decisions = random.Random(1), 0
    begin = process_time()
    for number in range(games):
        state = State.new(players=2, tokens=True, seed=number)
        while not state.over:
            state.apply(rng.choice(state.legal))
            decisions += 1
    return Run(games, decisions, process_time() - begin)


def game_run(games: int) -> Run:
    """Through `Game`: the same with moves, a log, undo, and events for whoever asks."""
    from coatl import Game

    rng, decisions = random.Random(1), 0
    begin = process_time()
    for number in range(games):
        game = Game.new(players=2, tokens=True, seed=number)
        while not game.over:
            game.play(rng.choice(game.legal_moves()))
            decisions += 1
    return Run(games, decisions, process_time() - begin)


def clone_time() -> float:
    """Seconds for one copy of a state in the middle of a game."""
    from coatl import State

    rng, state = random.Random(1), State.new(players=2, seed=1)
    for _ in range(60):
        state.apply(rng.choice(state.legal))
    times = []
    for _ in range(ROUNDS):
        begin = process_time()
        for _ in range(CLONES):
            state.clone()
        times.append(process_time() - begin)
    return min(times) / CLONES


def ours() -> list[Contestant]:
    def kernel(name: str, players: int) -> Contestant:
        bench = Bench(players)
        return Contestant(
            name, 10_000, lambda games: (kernel_run(bench, games), kernel_run(bench, 2 * games))
        )

    return [
        kernel(KERNEL, 2),
        kernel("Cóatl kernel, 3 players", 3),
        kernel("Cóatl kernel, 4 players", 4),
        kernel("Cóatl kernel, solo", 1),
        Contestant(STATE, 1_000, lambda games: (state_run(games), state_run(2 * games))),
        Contestant(GAME, 300, lambda games: (game_run(games), game_run(2 * games))),
    ]


# ---------------------------------------------------------------- theirs


class PeerRun(TypedDict):
    games: int
    decisions: int
    seconds: float


class PeerReport(TypedDict):
    """What `peers.py` prints, as far as it is used here."""

    package: str
    version: str
    runs: list[PeerRun]


def ask_peer(name: str, games: int) -> PeerReport:
    """Let a peer play in a process of its own."""
    python = ROOT / PEERS_PYTHON
    if not python.exists():
        raise MeasureError(f"there is no {PEERS_PYTHON}: run `make bench-peers`")
    command = [str(python), "-P", str(PEERS), name, str(games)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=LONGEST)
    except subprocess.TimeoutExpired:
        raise MeasureError(f"{name}: {games} games took more than {LONGEST} s") from None
    if done.returncode:
        lines = done.stderr.strip().splitlines() or [f"exit code {done.returncode}"]
        raise MeasureError(f"{name}: {lines[-1]}")
    report: PeerReport = json.loads(done.stdout)
    return report


def peer_round(name: str, games: int) -> Round:
    one, two = (
        Run(run["games"], run["decisions"], run["seconds"]) for run in ask_peer(name, games)["runs"]
    )
    return one, two


def theirs() -> list[Contestant]:
    def peer(title: str, name: str) -> Contestant:
        return Contestant(title, PEER_GAMES[name], lambda games: peer_round(name, games))

    return [peer(title, name) for title, name in PEER_OF.items()]


# ---------------------------------------------------------------- rounds


def take_turns(contestants: Sequence[Contestant], rounds: int = ROUNDS) -> dict[str, Speed]:
    played: dict[str, list[Round]] = {one.name: [] for one in contestants}
    for _ in range(rounds):
        for one in contestants:
            played[one.name].append(one.play(one.games))
    return {name: speed(all_rounds) for name, all_rounds in played.items()}


def alternating(first: Sequence[Contestant], second: Sequence[Contestant]) -> list[Contestant]:
    """Ours and theirs in turn, as long as there are two."""
    longer = max(len(first), len(second))
    return [one for i in range(longer) for side in (first, second) for one in side[i : i + 1]]


# ---------------------------------------------------------------- tables


def figure(value: float) -> str:
    """Every digit before the point, and two or three in all: 4,188,411, 107, 5.1, 0.025."""
    if value >= 100:
        return f"{value:,.0f}"
    return f"{value:.1f}" if value >= 1 else f"{value:.2g}"


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table in Markdown, with aligned columns; all but the first are numbers."""
    lines = [list(head), *(list(row) for row in rows)]
    widths = [max(len(line[column]) for line in lines) for column in range(len(head))]
    rule = ["-" * widths[0], *("-" * (width - 1) + ":" for width in widths[1:])]

    def joined(cells: Sequence[str]) -> str:
        first, *others = zip(cells, widths, strict=True)
        padded = [first[0].ljust(first[1]), *(cell.rjust(width) for cell, width in others)]
        return f"| {' | '.join(padded)} |"

    return "\n".join(joined(cells) for cells in (lines[0], rule, *lines[1:]))


def speed_table(speeds: Mapping[str, Speed]) -> str:
    rows = [
        (name, figure(one.decisions), figure(one.games), f"±{one.noise:.0%}")
        for name, one in speeds.items()
    ]
    return table(("random play", "decisions/s", "games/s", "noise"), rows)


def ratios(mine: Speed, other: Speed) -> tuple[float, float]:
    return mine.decisions / other.decisions, mine.games / other.games


def aimed(ratio: float, aim: int | None) -> str:
    """A ratio, and the aim beside it where there is one."""
    if aim is None:
        return figure(ratio)
    return f"{figure(ratio)} (aim {aim}{', missed' if ratio < aim else ''})"


def ratio_table(speeds: Mapping[str, Speed]) -> str:
    """Decisions a second, and for the kernel games, too: those of the others are of other games."""
    rows = []
    for peer in PEER_OF:
        games = ratios(speeds[KERNEL], speeds[peer])[1]
        decisions = [
            aimed(ratios(speeds[mine], speeds[peer])[0], AIMS.get((mine, peer)))
            for mine in (KERNEL, STATE, GAME)
        ]
        rows.append((peer, *decisions, aimed(games, GAMES_AIMS.get(peer))))
    columns = ("kernel", "State", "Game", "kernel, games")
    return table(("ours : theirs", *columns), rows)


def as_results(speeds: Mapping[str, Speed]) -> dict[str, object]:
    """Both tables for the JSON file."""
    times = {
        f"{mine} : {peer}": dict(
            zip(("decisions", "games"), ratios(speeds[mine], speeds[peer]), strict=True)
        )
        for mine in (KERNEL, STATE, GAME)
        for peer in PEER_OF
    }
    return {"speeds": {name: asdict(one) for name, one in speeds.items()}, "ratios": times}


# ---------------------------------------------------------------- all together


def main() -> None:
    try:
        compare()
    except MeasureError as error:
        sys.exit(f"bench-peers: {error}")


def compare() -> None:
    reports = [ask_peer(name, 1) for name in PEER_OF.values()]
    packages = sorted({f"{report['package']} {report['version']}" for report in reports})
    us, them = ours(), theirs()
    for one in us:
        one.play(1)  # compiles, on all cores
    core = pin()
    where = "not pinned to a core: this system cannot" if core is None else f"all on core {core}"
    print(f"{', '.join(packages)}; {where}; median of {ROUNDS} rounds\n", flush=True)
    found = take_turns(alternating(us, them))
    speeds = {one.name: found[one.name] for one in (*us, *them)}
    clone = clone_time()
    print(speed_table(speeds), ratio_table(speeds), sep="\n\n")
    print(f"\nState.clone: {clone * 1e6:.2f} µs")
    facts = {"packages": packages, "core": core, "rounds": ROUNDS, "clone_seconds": clone}
    save("peers", facts | as_results(speeds))


if __name__ == "__main__":
    main()
