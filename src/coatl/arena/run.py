"""Playing an arena: on one core, several or a cluster, from where an earlier run stopped."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import msgspec

from coatl.arena.cluster import on_cluster
from coatl.arena.play import Played, play_fixture
from coatl.arena.schedule import Fixture, Setup, fixtures
from coatl.parallel.processes import ProcessDied, run_in_processes
from coatl.players.registry import load_compiled

GAMES_FILE = "games.jsonl"
ProgressCallback = Callable[[int, int], None]
"""Called with (games played, games in all)."""


class ArenaError(ValueError):
    """What the user can fix, in one line."""


class Book:
    """The games played so far: in memory, and as lines of a file where there is a folder."""

    def __init__(self, setup: Setup, folder: Path | None) -> None:
        self.setup = setup
        self.folder = folder
        self.games: dict[tuple[int, int], Played] = {}
        if folder is not None:
            folder.mkdir(parents=True, exist_ok=True)
            self._open(folder / GAMES_FILE)

    def _open(self, file: Path) -> None:
        """Read what is there; a line that was cut off is played again."""
        head = msgspec.json.encode(self.setup)
        lines = file.read_bytes().split(b"\n") if file.exists() else []
        if len(lines) < 2:
            file.write_bytes(head + b"\n")
            return
        _check_same(self.setup, lines[0], file)
        kept = [head]
        for number, line in enumerate(lines[1:-1], 2):  # the last line has no end: cut off
            try:
                played = msgspec.json.decode(line, type=Played)
            except msgspec.MsgspecError as error:
                raise ArenaError(f"{file}: line {number}: {error}") from None
            self.games[played.match, played.game] = played
            kept.append(line)
        file.write_bytes(b"\n".join(kept) + b"\n")

    def add(self, played: Played) -> None:
        self.games[played.match, played.game] = played
        if self.folder is not None:
            with open(self.folder / GAMES_FILE, "ab") as file:
                file.write(msgspec.json.encode(played) + b"\n")

    def results(self) -> list[Played]:
        """The games asked for, in order."""
        wanted = {key: game for key, game in self.games.items() if key[1] < self.setup.games}
        return [wanted[key] for key in sorted(wanted)]

    def missing(self) -> list[Fixture]:
        return [f for f in fixtures(self.setup) if (f.match, f.game) not in self.games]


def _check_same(setup: Setup, line: bytes, file: Path) -> None:
    try:
        before = msgspec.json.decode(line, type=Setup)
    except msgspec.MsgspecError:
        raise ArenaError(f"{file}: this is not a file of an arena") from None
    for field in msgspec.structs.fields(Setup):
        old, new = getattr(before, field.name), getattr(setup, field.name)
        if old != new and field.name != "games":
            raise ArenaError(f"{file}: it has {field.name} {old}, not {new}; use another folder")


def run(
    setup: Setup,
    folder: Path | None,
    jobs: int,
    report_progress: ProgressCallback,
    cluster: str = "",
) -> tuple[Book, bool]:
    """Play what is missing. Returns the games, and whether Ctrl-C interrupted it."""
    book = Book(setup, folder)
    missing = book.missing()
    total = len(missing) + len(book.results())
    place = None if folder is None else str(folder)
    report_progress(total - len(missing), total)
    if cluster:
        games = on_cluster(setup, missing, cluster)
    elif jobs > 1:
        load_compiled(setup.players)  # once, for all processes
        tasks = ((setup, fixture, place) for fixture in missing)
        games = run_in_processes(play_fixture, tasks, jobs)
    else:
        games = (play_fixture(setup, fixture, place) for fixture in missing)
    try:
        for done, game in enumerate(games, total - len(missing) + 1):
            book.add(game)
            report_progress(done, total)
    except KeyboardInterrupt:
        return book, True
    except ProcessDied as error:
        raise ArenaError(f"{error} while {', '.join(setup.players)} played") from None
    return book, False
