"""Playing an arena: on one core, several or a cluster, from where an earlier run stopped."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from coatl.arena.play import Played, play_fixture
from coatl.arena.schedule import Fixture, Setup, fixtures
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

GAMES_FILE = "games.jsonl"


class Book(ResultsFile[Setup, Played]):
    """The games played so far: in memory, and as lines of a file if there is a folder."""

    what = "an arena"
    setup_type = Setup
    result_type = Played

    def __init__(self, setup: Setup, folder: Path | None) -> None:
        super().__init__(setup, None if folder is None else folder / GAMES_FILE)

    def key(self, result: Played) -> tuple[int, int]:
        return result.match, result.game

    def results(self) -> list[Played]:
        """The games asked for, in order."""
        wanted = {key: game for key, game in self.games.items() if key[1] < self.setup.games}
        return [wanted[key] for key in sorted(wanted)]

    def missing(self) -> list[Fixture]:
        return [f for f in fixtures(self.setup) if (f.match, f.game) not in self.games]


def run(
    setup: Setup,
    folder: Path | None,
    jobs: int,
    report_progress: ProgressCallback,
    cluster: str = "",
) -> tuple[Book, bool]:
    """Play what is missing. Returns the games, and whether Ctrl-C interrupted it."""
    check_cluster(cluster)
    book = Book(setup, folder)
    place = None if folder is None else str(folder)
    tasks = [(setup, fixture, place) for fixture in book.missing()]
    if jobs > 1:
        load_compiled(setup.players)  # once, for all processes
    games = run_tasks(play_fixture, tasks, jobs, cluster, _name_of)
    done = len(book.results())
    try:
        return book, collect(games, book, done, done + len(tasks), report_progress)
    except ProcessDied as error:
        raise RunError(f"{error} while {', '.join(setup.players)} played") from None


def _name_of(task: tuple[Any, ...]) -> str:
    fixture: Fixture = task[1]
    return f"game {fixture.game} of {', '.join(fixture.names)}"
