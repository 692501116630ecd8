"""Making a file of puzzles: games are played until there are enough of each kind."""

from __future__ import annotations

import random
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from functools import partial
from typing import Any, TypeVar

from msgspec.structs import replace

from coatl.options import Options
from coatl.parallel.processes import run_in_processes
from coatl.puzzles.harvest import puzzles_in
from coatl.puzzles.measuring import bots_that_find
from coatl.puzzles.puzzle import BadPuzzles, Puzzle, PuzzleKind

T = TypeVar("T")
Report = Callable[[str], None]

MOST_GAMES = 40_000
GAMES_A_REPORT = 100
PLAYERS = (2, 2, 2, 3, 2, 2, 2, 4)  # of one game after another; last actions are rare with more
LEVELS = ((), (1,), (2,), (3,), (4,), (5,), (1, 3), (2, 4))  # of one solo game after another


def make_puzzles(
    seed: str,
    counts: Mapping[PuzzleKind, int],
    jobs: int = 1,
    report: Report | None = None,
    kept: Sequence[Puzzle] = (),
) -> list[Puzzle]:
    """So many puzzles of each kind, in an order that mixes them; raises `BadPuzzles`.

    The same seed and numbers give the same puzzles, however many processes share the work. Those
    that are `kept` come first, as they were, and count; how hard they are is measured anew.
    """
    say = report or (lambda _: None)
    known = {puzzle.position for puzzle in kept}
    missing = {
        kind: max(0, n - sum(puzzle.kind is kind for puzzle in kept)) for kind, n in counts.items()
    }
    added = [
        *_collect(partial(_game_of_several, seed), _some(missing, solo=False), known, jobs, say),
        *_collect(partial(_solo_game, seed), _some(missing, solo=True), known, jobs, say),
    ]
    random.Random(seed).shuffle(added)
    puzzles = [*kept, *added]
    say(f"measuring {len(puzzles)} puzzles")
    tasks = enumerate(puzzles)
    return list(_in_order(_shared(partial(_measured, seed), tasks, jobs)))


def _some(counts: Mapping[PuzzleKind, int], solo: bool) -> dict[PuzzleKind, int]:
    return {kind: n for kind, n in counts.items() if n and (kind is PuzzleKind.ADAM) == solo}


def _game_of_several(seed: str, number: int) -> tuple[int, list[Puzzle]]:
    options = Options.make(PLAYERS[number % len(PLAYERS)], None, None, False, False)
    return number, puzzles_in(options, seed, number)


def _solo_game(seed: str, number: int) -> tuple[int, list[Puzzle]]:
    options = Options.make(None, None, LEVELS[number % len(LEVELS)], False, False)
    return number, puzzles_in(options, f"{seed} solo", number)


def _measured(seed: str, number: int, puzzle: Puzzle) -> tuple[int, Puzzle]:
    return number, replace(puzzle, found=bots_that_find(puzzle, seed))


def _collect(
    play: Callable[[int], tuple[int, list[Puzzle]]],
    counts: Mapping[PuzzleKind, int],
    known: set[str],
    jobs: int,
    say: Report,
) -> list[Puzzle]:
    """The first puzzles of each kind, game by game, whose positions are not known."""
    chosen: dict[PuzzleKind, list[Puzzle]] = {kind: [] for kind in counts}
    if not counts:
        return []
    tasks = ((number,) for number in range(MOST_GAMES))
    with closing(_in_order(_shared(play, tasks, jobs))) as games:
        for number, puzzles in enumerate(games, 1):
            for puzzle in puzzles:
                wanted = len(chosen.get(puzzle.kind, ())) < counts.get(puzzle.kind, 0)
                if wanted and puzzle.position not in known:
                    chosen[puzzle.kind].append(puzzle)
                    known.add(puzzle.position)
            enough = all(len(chosen[kind]) >= n for kind, n in counts.items())
            if enough or number % GAMES_A_REPORT == 0:
                found = ", ".join(f"{len(some)} {kind}" for kind, some in chosen.items())
                say(f"{number} games: {found}")
            if enough:
                return [puzzle for some in chosen.values() for puzzle in some]
    raise BadPuzzles(f"{MOST_GAMES} games do not have so many puzzles")


def _in_order(results: Iterator[tuple[int, T]]) -> Generator[T, None, None]:
    """Numbered results, which come as they are ready, from 0 on."""
    waiting: dict[int, T] = {}
    following = 0
    for number, result in results:
        waiting[number] = result
        while following in waiting:
            yield waiting.pop(following)
            following += 1


def _shared(work: Callable[..., T], tasks: Iterable[tuple[Any, ...]], jobs: int) -> Iterator[T]:
    if jobs > 1:
        return run_in_processes(work, tasks, jobs)
    return (work(*task) for task in tasks)
