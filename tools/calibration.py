"""Do the figures of an analysis mean something? Plays games of bots, and holds both together.

    python -m tools.calibration --games 2000 --judged 600 --results .cache/calibration

plays the games that the files of results lack, and then writes the tables of docs/analysis.md
between its markers (`tools.calibration_report`), and prints what belongs into
`coatl.analysis.calibration`. It can be interrupted and started again.

Chances are held against games of all sizes between bots drawn at random. Turns are judged in other
games, of two players: there every bot meets every other, and itself, equally often, so that a
grade does not depend on whom it was drawn against. What is written of a turn is enough to try
other grades without playing anew.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import TypeVar

import msgspec
import numpy as np

from coatl.analysis.analysis import weights_name
from coatl.analysis.chances import spectator_means
from coatl.analysis.course import Course, Turn, read_course
from coatl.analysis.data import JudgedTurn
from coatl.analysis.depth import DEPTHS
from coatl.analysis.turns import TurnJudge
from coatl.game import Game
from coatl.net.weights import load_policy
from coatl.players.registry import load_compiled, make_player
from coatl.rules.chance import new_chance
from coatl.simulate import play_moves
from tools.calibration_report import (
    JudgedGame,
    Judgement,
    PlayedGame,
    Position,
    fit_solo,
    write_tables,
)

SEED = "calibration"
JUDGED_SEED = "calibration of grades"
BOTS = ("novice", "apprentice", "artisan", "greedy", "planner")
WEIGHTS = (6, 6, 6, 6, 1)  # how often each is drawn: the planner takes the longest
PAIRS = tuple(product(BOTS, BOTS))  # who sits first, and who second
SIZES = (2, 2, 2, 2, 3, 3, 4, 4, 1, 1)  # of ten games; 1 is solo
POSITIONS = 3  # of a game
JUDGED_TURNS = 5  # of a seat, in a game in which turns are judged
TWICE = 2  # judgements of such a turn, to see how much they differ
DEPTH = DEPTHS["quick"]

G = TypeVar("G", PlayedGame, JudgedGame)


def play(number: int) -> PlayedGame:
    """Game number so much, always the same."""
    draw = random.Random(f"{SEED} {number}")
    size = SIZES[number % len(SIZES)]
    equals = draw.random() < 0.5
    bots = draw.choices(BOTS, WEIGHTS, k=size)
    bots = [bots[0]] * size if equals else bots
    seed = f"{SEED} {number}"
    if size == 1:
        game = Game.new(solo=draw.choice([[], [], [1], [2], [3], [4], [5]]), seed=seed)
    else:
        game = Game.new(players=size, seed=seed)
    play_moves(game, [make_player(b, new_chance(f"{seed} {i}")) for i, b in enumerate(bots)])
    course = read_course(game.record())
    positions = tuple(_positions(course, draw, seed))
    return PlayedGame(number, tuple(bots), course.shares, positions)


def judge(number: int) -> JudgedGame:
    """Judged game number so much, always the same: the pairs of bots take turns."""
    seed = f"{JUDGED_SEED} {number}"
    bots = PAIRS[number % len(PAIRS)]
    game = Game.new(players=2, seed=seed)
    play_moves(game, [make_player(b, new_chance(f"{seed} {i}")) for i, b in enumerate(bots)])
    course = read_course(game.record())
    judged = tuple(_judgements(course, random.Random(seed)))
    return JudgedGame(number, bots, course.shares, course.outcome.points, judged)


def _positions(course: Course, draw: random.Random, seed: str) -> Iterator[Position]:
    policy, stop, turns = load_policy(), np.zeros(1, np.int8), course.played
    unfinished = turns[:-1]
    for turn in draw.sample(unfinished, min(POSITIONS, len(unfinished))):
        state = course.state(turn.after)
        means = spectator_means(policy, state, DEPTH.samples, f"{seed} {turn.number}", stop)
        yield Position(turn.number, turns[-1].number, means)


def _judgements(course: Course, draw: random.Random) -> Iterator[Judgement]:
    """Of some turns of both seats; those in which there was nothing to choose do not count."""
    for seat in range(course.players):
        own = [turn for turn in course.turns if turn.seat == seat]
        for turn in draw.sample(own, min(JUDGED_TURNS, len(own))):
            judged = [_judge_turn(course, turn, f"{seat} {time}") for time in range(TWICE)]
            if all(one.choices for one in judged):
                yield Judgement(
                    seat=seat,
                    turn=turn.number,
                    turns=len(own),
                    action=turn.action,
                    chances=tuple(one.chance for one in judged),
                    losses=tuple(one.loss for one in judged),
                    points_lost=tuple(one.points_lost or 0.0 for one in judged),
                )


def _judge_turn(course: Course, turn: Turn, seed: str) -> JudgedTurn:
    """Without a margin, which a table can still put in."""
    stop, depth = np.zeros(1, np.int8), replace(DEPTH, margin=1e-9)
    return TurnJudge(load_policy(), course, turn, depth, seed, stop, lines=False).judge()


def read_results(file: Path, kind: type[G]) -> list[G]:
    """The games in a file, each once, by number."""
    if not file.exists():
        return []
    with file.open("rb") as lines:
        found = [msgspec.json.decode(line, type=kind) for line in lines]
    return sorted({game.number: game for game in found}.values(), key=lambda game: game.number)


def play_missing(file: Path, kind: type[G], games: int, play_one: Callable[[int], G]) -> list[G]:
    """All games; those that the file lacks are played, and each is added when it is over."""
    done = {game.number for game in read_results(file, kind)}
    file.parent.mkdir(parents=True, exist_ok=True)
    with file.open("ab") as out:
        for number in range(games):
            if number not in done:
                out.write(msgspec.json.encode(play_one(number)) + b"\n")
                out.flush()
    return [game for game in read_results(file, kind) if game.number < games]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=2000, help="for the chances")
    parser.add_argument("--judged", type=int, default=600, help="games for the grades")
    parser.add_argument("--results", type=Path, default=Path(".cache/calibration"))
    asked = parser.parse_args()
    load_compiled(BOTS)
    games = play_missing(asked.results / "games.jsonl", PlayedGame, asked.games, play)
    judged = play_missing(asked.results / "judged.jsonl", JudgedGame, asked.judged, judge)
    write_tables(games, judged)
    slope, offset = fit_solo(games)
    name = weights_name(load_policy().for_game(1))
    print(f"coatl.analysis.calibration: {name}, slope {slope:.2f}, offset {offset:.2f}")


if __name__ == "__main__":
    main()
