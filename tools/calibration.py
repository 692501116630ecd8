"""Do the figures of an analysis mean something? Plays games of bots, and holds both together.

    python -m tools.calibration --games 2000 --results .cache/calibration.jsonl

plays the games that the file of results lacks, and then writes the tables of docs/analysis.md
between its markers (`tools.calibration_report`), and prints what belongs into
`coatl.analysis.calibration`. It can be interrupted and started again.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import msgspec
import numpy as np

from coatl.analysis.analysis import weights_name
from coatl.analysis.chances import spectator_means
from coatl.analysis.course import Course, Turn, read_course
from coatl.analysis.depth import DEPTHS
from coatl.analysis.turns import TurnJudge
from coatl.game import Game
from coatl.net.weights import load_policy
from coatl.players.registry import load_compiled, make_player
from coatl.rules.chance import new_chance
from coatl.simulate import play_moves
from tools.calibration_report import Judgement, PlayedGame, Position, fit_solo, write_tables

SEED = "calibration"
BOTS = ("novice", "apprentice", "artisan", "greedy", "planner")
WEIGHTS = (6, 6, 6, 6, 1)  # how often each is drawn: the planner takes the longest
SIZES = (2, 2, 2, 2, 3, 3, 4, 4, 1, 1)  # of ten games; 1 is solo
POSITIONS = 3  # of a game
JUDGED_GAMES = 8  # one in so many
JUDGED_TURNS = 3  # of a seat, in such a game
TWICE = 2  # judgements of such a turn, to see how much they differ
DEPTH = DEPTHS["quick"]


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
    judged = _judgements(course, bots, draw) if number % JUDGED_GAMES == 0 else ()
    positions = tuple(_positions(course, draw, seed))
    return PlayedGame(number, tuple(bots), course.shares, positions, tuple(judged))


def _positions(course: Course, draw: random.Random, seed: str) -> Iterator[Position]:
    policy, stop, turns = load_policy(), np.zeros(1, np.int8), course.played
    unfinished = turns[:-1]
    for turn in draw.sample(unfinished, min(POSITIONS, len(unfinished))):
        state = course.state(turn.after)
        means = spectator_means(policy, state, DEPTH.samples, f"{seed} {turn.number}", stop)
        yield Position(turn.number, turns[-1].number, means)


def _judgements(course: Course, bots: list[str], draw: random.Random) -> Iterator[Judgement]:
    for seat, bot in enumerate(bots):
        own = [turn for turn in course.turns if turn.seat == seat]
        for turn in draw.sample(own, min(JUDGED_TURNS, len(own))):
            losses = [_loss(course, turn, f"{bot} {time}") for time in range(TWICE)]
            if None not in losses:
                yield Judgement(bot, tuple(loss for loss in losses if loss is not None))


def _loss(course: Course, turn: Turn, seed: str) -> float | None:
    """What was lost in a turn; None if there was nothing to choose."""
    stop, depth = np.zeros(1, np.int8), replace(DEPTH, margin=1e-9)
    judged = TurnJudge(load_policy(), course, turn, depth, seed, stop, lines=False).judge()
    return judged.loss if judged.choices else None


def read_results(file: Path) -> list[PlayedGame]:
    """The games in a file, each once, by number."""
    if not file.exists():
        return []
    with file.open("rb") as lines:
        found = [msgspec.json.decode(line, type=PlayedGame) for line in lines]
    return sorted({game.number: game for game in found}.values(), key=lambda game: game.number)


def play_missing(file: Path, games: int) -> None:
    """Play the games that the file lacks; each is added when it is over."""
    done = {game.number for game in read_results(file)}
    file.parent.mkdir(parents=True, exist_ok=True)
    with file.open("ab") as out:
        for number in range(games):
            if number not in done:
                out.write(msgspec.json.encode(play(number)) + b"\n")
                out.flush()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=2000)
    parser.add_argument("--results", type=Path, default=Path(".cache/calibration.jsonl"))
    asked = parser.parse_args()
    load_compiled(BOTS)
    play_missing(asked.results, asked.games)
    games = [game for game in read_results(asked.results) if game.number < asked.games]
    write_tables(games)
    slope, offset = fit_solo(games)
    name = weights_name(load_policy().for_game(1))
    print(f"coatl.analysis.calibration: {name}, slope {slope:.2f}, offset {offset:.2f}")


if __name__ == "__main__":
    main()
