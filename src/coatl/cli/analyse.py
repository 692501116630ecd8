"""`coatl analyse`: chances, better moves and grades of a recorded game, as text, JSON or a page."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.table import Table

from coatl.analysis import Analysis, AnalysisError, Report, to_json
from coatl.analysis.course import NoSuchSeat
from coatl.analysis.curve import curve
from coatl.analysis.page import depth_text, html
from coatl.analysis.words import Speaker
from coatl.cli.console import Failure, read_text
from coatl.cli.language import choose_language
from coatl.cli.wrapping import wrap_text
from coatl.errors import RecordError
from coatl.net.weights import WeightsError
from coatl.text.drawing import make_console


@dataclass(frozen=True)
class AnalysisRequest:
    """What was asked for on the command line."""

    file: Path
    depth: str
    seats: Sequence[int]  # from 1; none: all
    lang: str | None
    form: str  # "text", "json", "html" or "svg"
    keep: Path | None


def analyse(request: AnalysisRequest) -> None:
    language = choose_language(request.lang)
    report = _run(request)
    match request.form:
        case "json":
            print(to_json(report).decode())
        case "html":
            print(html(report, language), end="")
        case "svg":
            print(curve(report, language), end="")
        case _:
            _print_text(report, Speaker(report, language), make_console())


def _run(request: AnalysisRequest) -> Report:
    text = read_text(request.file)
    try:
        analysis = _begin(request, text)
    except NoSuchSeat as error:
        raise Failure(f"the seats of this game are 1 to {error.players}") from None
    except (AnalysisError, RecordError) as error:
        raise Failure(f"{request.file}: {error}") from None
    except WeightsError as error:
        raise Failure(str(error)) from None
    shown = sys.stderr.isatty()
    while analysis.step():
        if request.keep is not None:
            request.keep.write_bytes(analysis.save())
        if shown:
            print(f"\r{analysis.progress:4.0%}", end="", file=sys.stderr, flush=True)
    if shown:
        print("\r    \r", end="", file=sys.stderr, flush=True)
    return analysis.report()


def _begin(request: AnalysisRequest, text: str) -> Analysis:
    """A new analysis, or the one that was kept."""
    if request.keep is not None and request.keep.exists():
        return Analysis.resume(text, request.keep.read_bytes())
    seats = [seat - 1 for seat in request.seats] or None
    return Analysis.of_record(text, request.depth, seats)


def _print_text(report: Report, speaker: Speaker, console: Console) -> None:
    words = speaker.phrases.page
    for sentence in [speaker.result(), *speaker.lead()]:
        _print(console, sentence)
    _title(console, words["turning_points"])
    for number, point in enumerate(report.turning_points, 1):
        _print(console, f"{number}. {' '.join(speaker.turning_point(point))}")
    if not report.turning_points:
        _print(console, words["nothing"])
    _title(console, words["grades"])
    for grade in report.grades:
        _print(console, speaker.grade(grade))
    _title(console, words["chances"])
    console.print(_course_table(report, speaker))
    _print(console, depth_text(report, speaker))


def _title(console: Console, text: str) -> None:
    console.print()
    console.print(text, style="bold")


def _print(console: Console, text: str) -> None:
    for line in wrap_text(text, console.width):
        console.print(line)


def _course_table(report: Report, speaker: Speaker) -> Table:
    """Every turn: what was done, and everybody's chance after it."""
    table = Table(box=None, pad_edge=False)
    table.add_column(speaker.phrases.page["turn"], justify="right")
    table.add_column(speaker.phrases.page["played"])
    for name in speaker.names:
        table.add_column(name, justify="right")
    for point in report.course:
        deed = "" if point.seat is None else speaker.deed(point)
        chances = [speaker.percent(chance) for chance in point.chances]
        table.add_row(str(point.turn), deed, *chances)
    return table
