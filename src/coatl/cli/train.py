"""`coatl train`: says what is missing, then shows how the training goes."""

from __future__ import annotations

import time
from pathlib import Path

from coatl.cli.console import Failure, make_console

DEVICES = ("auto", "cpu", "cuda")


def train_network(
    out: Path,
    minutes: float,
    resume: bool,
    plan: float,
    games: int,
    players: str,
    device: str,
    seed: int,
    wishes: list[str],
    cluster: str,
    start: Path | None,
) -> None:
    if device not in DEVICES:
        raise Failure(f"a device is {', '.join(DEVICES)}, not {device!r}")
    if resume and not (out / "weights.pt").exists():
        raise Failure(f"{out}: there is no checkpoint to go on from")
    if resume and start is not None:
        raise Failure("--start begins a new run, --resume goes on with one: not both")
    if not all("=" in wish for wish in wishes):
        raise Failure("--set takes NAME=VALUE")
    try:
        from coatl.learn.command import train
    except ModuleNotFoundError as error:
        raise Failure(f"training needs {error.name}: pip install 'coatl[train]'") from None
    named = dict(wish.split("=", 1) for wish in wishes)
    from_folder = out if resume else None
    with _Progress(minutes) as progress:
        try:
            train(
                minutes,
                out,
                from_folder,
                plan,
                games,
                device,
                players,
                seed,
                named,
                progress.say,
                cluster,
                start,
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

    def say(self, line: str) -> None:
        self.bar.update(self.task, completed=time.monotonic() - self.began)
        self.console.print(line)
