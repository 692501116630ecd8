"""Playing the games of the lab, from where an earlier run stopped."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from coatl.lab.facts import GameFacts
from coatl.lab.play import play_lab_game
from coatl.lab.setup import Setup
from coatl.parallel.processes import ProcessDied
from coatl.parallel.runs import (
    ProgressCallback,
    ResultsFile,
    RunError,
    check_cluster,
    collect,
    run_tasks,
)
from coatl.players.registry import load_compiled
from coatl.rules.cards import Deck

GAMES_FILE = "games.jsonl"


class Book(ResultsFile[Setup, GameFacts]):
    """The games played so far, also as lines of a file in the folder."""

    what = "the lab"
    setup_type = Setup
    result_type = GameFacts

    def __init__(self, setup: Setup, folder: Path | None) -> None:
        super().__init__(setup, None if folder is None else folder / GAMES_FILE)

    def key(self, result: GameFacts) -> tuple[int, int]:
        return result.players, result.game

    def results(self) -> list[GameFacts]:
        """The games asked for that were played, in order."""
        return [self.games[key] for key in sorted(self.setup.wanted()) if key in self.games]

    def missing(self) -> list[tuple[int, int]]:
        return [key for key in self.setup.wanted() if key not in self.games]


def run(
    setup: Setup,
    deck: Deck,
    folder: Path | None,
    jobs: int,
    report_progress: ProgressCallback,
    cluster: str = "",
) -> tuple[Book, bool]:
    """Play what is missing. Returns the games, and whether Ctrl-C interrupted it."""
    check_cluster(cluster)
    book = Book(setup, folder)
    tasks = [(setup, deck, players, number) for players, number in book.missing()]
    if jobs > 1:
        load_compiled([setup.bot])  # once, for all processes
    games = run_tasks(play_lab_game, tasks, jobs, cluster, _name_of)
    try:
        interrupted = collect(games, book, setup.total - len(tasks), setup.total, report_progress)
    except ProcessDied as error:
        raise RunError(f"{error} while {setup.bot} played") from None
    return book, interrupted


def _name_of(task: tuple[Any, ...]) -> str:
    return f"game {task[3]} of {task[2]} players"
