"""`coatl train`: checks the request, then shows how the training goes."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path

from coatl.cli.console import Failure
from coatl.text.drawing import make_console

DEVICES = ("auto", "cpu", "cuda")


@dataclass(frozen=True)
class TrainingRequest:
    """What was asked for on the command line."""

    out: Path
    minutes: float
    resume: bool
    start: Path | None
    plan: float  # minutes of all runs together
    games: int
    players: str
    device: str
    seed: int
    settings: list[str]  # NAME=VALUE
    cluster: str

    def check(self) -> None:
        """Raises `Failure` with what is wrong, in one line."""
        if self.device not in DEVICES:
            raise Failure(f"a device is {', '.join(DEVICES)}, not {self.device!r}")
        if self.resume and not (self.out / "weights.pt").exists():
            raise Failure(f"{self.out}: there is no checkpoint to go on from")
        if self.resume and self.start is not None:
            raise Failure("--start begins a new run, --resume goes on with one: not both")
        if not all("=" in setting for setting in self.settings):
            raise Failure("--set takes NAME=VALUE")


def train_network(request: TrainingRequest) -> None:
    request.check()
    try:
        from coatl.learn.command import train
    except ModuleNotFoundError as error:
        raise Failure(f"training needs {error.name}: pip install 'coatl[train]'") from None
    with _Progress(request.minutes) as progress:
        try:
            train(
                request.minutes,
                request.out,
                request.out if request.resume else None,
                request.plan,
                request.games,
                request.device,
                request.players,
                request.seed,
                dict(setting.split("=", 1) for setting in request.settings),
                progress.print_line,
                request.cluster,
                request.start,
            )
        except ValueError as error:
            raise Failure(str(error)) from None


class _Progress:
    """A bar for the time, and a line above it for each evaluation."""

    def __init__(self, minutes: float) -> None:
        from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

        self.console = make_console()
        self.bar = Progress(
            TextColumn("training"),
            BarColumn(),
            TextColumn("{task.percentage:.0f} %"),
            TimeRemainingColumn(),
            console=self.console,
            disable=not self.console.is_terminal,
        )
        self.task = self.bar.add_task("", total=60 * minutes)
        self.began = time.monotonic()

    def __enter__(self) -> _Progress:
        self.bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.bar.stop()

    def print_line(self, line: str) -> None:
        self.bar.update(self.task, completed=time.monotonic() - self.began)
        self.console.print(line)
