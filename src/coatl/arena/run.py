"""Playing an arena: on one core or several, from where it stood, until it is done or broken off."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import active_children, get_context
from pathlib import Path

import msgspec

from coatl.arena.cluster import on_cluster
from coatl.arena.play import Played, play_fixture
from coatl.arena.schedule import Fixture, Setup, fixtures
from coatl.parallel.interrupts import deferred_interrupts
from coatl.players.registry import load_compiled

GAMES_FILE = "games.jsonl"
Tell = Callable[[int, int], None]
"""Called with (games played, games in all)."""


class ArenaError(ValueError):
    """What the user can mend, in one line."""


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
    setup: Setup, folder: Path | None, jobs: int, tell: Tell, cluster: str = ""
) -> tuple[Book, bool]:
    """Play what is missing. Returns the games, and whether it was broken off (Ctrl-C)."""
    book = Book(setup, folder)
    missing = book.missing()
    total = len(missing) + len(book.results())
    place = None if folder is None else str(folder)
    tell(total - len(missing), total)
    if cluster:
        games = on_cluster(setup, missing, cluster)
    elif jobs > 1:
        games = _in_processes(setup, missing, place, jobs)
    else:
        games = (play_fixture(setup, fixture, place) for fixture in missing)
    try:
        for done, game in enumerate(games, total - len(missing) + 1):
            book.add(game)
            tell(done, total)
    except KeyboardInterrupt:
        return book, True
    return book, False


def _in_processes(
    setup: Setup, missing: Iterable[Fixture], folder: str | None, jobs: int
) -> Iterator[Played]:
    """Games as they are finished; a few wait for each process, so that none is ever idle."""
    load_compiled(setup.players)  # once, for all
    context = get_context("spawn")  # forking a process that has threads is unsafe
    waiting = iter(missing)
    pool = ProcessPoolExecutor(jobs, context)
    running: set[Future[Played]] = set()
    try:
        while True:
            with deferred_interrupts():  # processes may be started
                for fixture in waiting:
                    running.add(pool.submit(play_fixture, setup, fixture, folder))
                    if len(running) >= 3 * jobs:
                        break
            if not running:
                return
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                running.discard(future)
                yield future.result()
    except BrokenProcessPool:
        raise ArenaError(f"a process died while {', '.join(setup.players)} played") from None
    finally:
        pool.shutdown(wait=not running, cancel_futures=True)
        if running:  # games that have begun are not waited for
            for child in active_children():
                child.kill()
