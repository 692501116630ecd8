"""Long runs: on one core, several or a cluster, from where an earlier one stopped."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Generic, TypeVar

import msgspec

from coatl.parallel.cluster import connect, run_on_cluster
from coatl.parallel.processes import run_in_processes

S = TypeVar("S", bound=msgspec.Struct)
R = TypeVar("R", bound=msgspec.Struct)
ProgressCallback = Callable[[int, int], None]
"""Called with (results so far, results in all)."""


class RunError(ValueError):
    """What the user can fix, in one line."""


def check_cluster(address: str) -> None:
    """Raises `ClusterError` before a run is begun; without an address there is nothing to check."""
    if address:
        connect(address)


class ResultsFile(Generic[S, R]):
    """The results of a run so far: in memory and, if there is a file, as its lines.

    The first line says what was asked for (`setup`). A file belongs to one setup, of which only the
    number of games may change.
    """

    what = "a run"  # in messages
    setup_type: type[S]
    result_type: type[R]

    def __init__(self, setup: S, file: Path | None) -> None:
        self.setup = setup
        self.file = file
        self.games: dict[Any, R] = {}
        if file is not None:
            file.parent.mkdir(parents=True, exist_ok=True)
            self._open(file)

    def key(self, result: R) -> Any:
        """By what a result is found again."""
        raise NotImplementedError

    def add(self, result: R) -> None:
        self.games[self.key(result)] = result
        if self.file is not None:
            with open(self.file, "ab") as file:
                file.write(msgspec.json.encode(result) + b"\n")

    def _open(self, file: Path) -> None:
        """Read what is there; a line that was cut off is worked out again."""
        head = msgspec.json.encode(self.setup)
        lines = file.read_bytes().split(b"\n") if file.exists() else []
        if len(lines) < 2:
            file.write_bytes(head + b"\n")
            return
        self._check_same(read_setup(file, self.setup_type, self.what))
        kept = [head]
        for number, line in enumerate(lines[1:-1], 2):  # the last line has no end: cut off
            try:
                result = msgspec.json.decode(line, type=self.result_type)
            except msgspec.MsgspecError as error:
                raise RunError(f"{file}: line {number}: {error}") from None
            self.games[self.key(result)] = result
            kept.append(line)
        file.write_bytes(b"\n".join(kept) + b"\n")

    def _check_same(self, before: S) -> None:
        for field in msgspec.structs.fields(before):
            old, new = getattr(before, field.name), getattr(self.setup, field.name)
            if old != new and field.name != "games":
                raise RunError(
                    f"{self.file}: it has {field.name} {old}, not {new}; use another folder"
                )


def read_setup(file: Path, setup_type: type[S], what: str) -> S:
    """The first line of a file of results."""
    try:
        with open(file, "rb") as lines:
            return msgspec.json.decode(lines.readline(), type=setup_type)
    except msgspec.MsgspecError:
        raise RunError(f"{file}: this is not a file of {what}") from None


def run_tasks(
    work: Callable[..., R],
    tasks: Sequence[tuple[Any, ...]],
    jobs: int,
    cluster: str,
    name_of: Callable[[tuple[Any, ...]], str],
) -> Iterator[R]:
    """`work(*task)` for each task, as results come: on a cluster, in processes, or here."""
    if cluster:
        return run_on_cluster(work, tasks, cluster, name_of)
    if jobs > 1:
        return run_in_processes(work, tasks, jobs)
    return (work(*task) for task in tasks)


def collect(
    results: Iterator[R],
    file: ResultsFile[S, R],
    done: int,
    total: int,
    report_progress: ProgressCallback,
) -> bool:
    """Keep results as they come, after those `done` before; True if Ctrl-C interrupted it."""
    try:
        report_progress(done, total)
        for number, result in enumerate(results, done + 1):
            file.add(result)
            report_progress(number, total)
    except KeyboardInterrupt:
        return True
    return False
