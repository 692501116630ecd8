"""What the benchmarks share: timing, random games in compiled code, one core, results as JSON."""

from __future__ import annotations

import json
import os
import platform
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

RESULTS = Path(__file__).parent / "results"
ROUNDS = 5
clock: Callable[[], float] = time.perf_counter  # of `timed`; `time.process_time` for a busy machine


class MeasureError(Exception):
    """A measurement that cannot be made, in one line."""


def timed(work: Callable[[], object]) -> float:
    begin = clock()
    work()
    return clock() - begin


def best(work: Callable[[], object], rounds: int = ROUNDS) -> float:
    return min(timed(work) for _ in range(rounds))


class Bench:
    """Buffers for one benchmark thread."""

    def __init__(self, players: int, n_states: int = 2) -> None:
        from coatl.rules import chance, decisions, state, tables
        from coatl.rules.cards import standard_deck
        from coatl.rules.pieces import bodies_of_a_colour

        self.cards = tables.card_tables(standard_deck())
        self.states = state.new_states(n_states)
        self.states[0].n_players = players
        self.states[0].with_tokens = players > 1
        self.bodies = bodies_of_a_colour(players, False)
        self.chances = chance.new_chance(1)
        self.choosers = chance.join_chances(
            [chance.new_chance(2 + seat) for seat in range(players)]
        )
        self.choices = decisions.new_choices()

    def play(self, games: int, first: int = 0) -> int:
        from coatl.rules import compiled

        return compiled.random_games(
            self.cards,
            self.states,
            games,
            first,
            self.bodies,
            self.chances,
            self.choosers,
            self.choices,
        )


@dataclass(frozen=True, slots=True)
class Run:
    """So many games in one go."""

    games: int
    decisions: int
    seconds: float  # of CPU time


@dataclass(frozen=True, slots=True)
class Speed:
    decisions: float  # a second
    games: float  # a second
    noise: float  # how far a round was off at most: 0.1 is 10 %


Round = tuple[Run, Run]  # N games, then 2 N that begin with the same N


def speed(rounds: Sequence[Round]) -> Speed:
    """What the second N games of each round took; of the rounds, the median.

    N / (t(2N) - t(N)): what is done once a run cancels out. The best round would be wrong here: it
    is the one whose first run was disturbed.
    """
    game = median((two.seconds - one.seconds) / (two.games - one.games) for one, two in rounds)
    each = [(two.seconds - one.seconds) / (two.decisions - one.decisions) for one, two in rounds]
    decision = median(each)
    if game <= 0 or decision <= 0:
        raise MeasureError("too much else runs here: more games took no longer")
    noise = max(abs(seconds - decision) for seconds in each) / decision
    return Speed(1 / decision, 1 / game, noise)


def pin() -> int | None:
    """Stay on one core, and every process started from here too; None where that cannot be."""
    if not hasattr(os, "sched_setaffinity"):
        return None
    core = max(os.sched_getaffinity(0))  # the first often has the interrupts
    os.sched_setaffinity(0, {core})
    return core


def save(name: str, results: Mapping[str, object]) -> None:
    """Write results to bench/results/, with the facts about this machine that matter."""
    RESULTS.mkdir(exist_ok=True)
    facts = {"python": platform.python_version(), "machine": platform.machine(), **results}
    (RESULTS / f"{name}.json").write_text(json.dumps(facts, indent=1) + "\n")
