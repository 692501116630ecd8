"""What `coatl lab` does: check the request, play, and write the report."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import msgspec

from coatl.lab.findings import Findings, find, write_findings
from coatl.lab.page import describe, make_page
from coatl.lab.run import GAMES_FILE, Book, run
from coatl.lab.sections import interval, percent
from coatl.lab.setup import Setup
from coatl.options import OptionsError, check_seed
from coatl.parallel.runs import ProgressCallback, RunError, read_setup
from coatl.players.registry import find_player
from coatl.rules.cards import Deck, standard_deck
from coatl.rules.deckfile import load_deck

REPORT_FILE = "report.html"
USUAL = Setup(bot="artisan", players=(2, 3, 4), games=(4000,))  # the number of games for each
T = TypeVar("T")


@dataclass(frozen=True)
class LabRequest:
    """What was asked for on a command line; None: not said."""

    out: Path
    bot: str | None = None
    players: str | None = None  # such as 2,3,4
    games: str | None = None  # one number for all of them, or one for each
    seed: str | None = None
    deck: Path | None = None
    tokens: bool | None = None
    promo: bool | None = None
    fewer_bodies: bool | None = None
    random_first_pick: bool | None = None
    resume: bool = False


class LabReport(msgspec.Struct, frozen=True):
    """How a run ended."""

    setup: Setup
    findings: Findings
    interrupted: bool
    file: Path | None  # the report; None if no game was finished


def make_setup(request: LabRequest) -> tuple[Setup, Deck]:
    """A setup that can be played; raises an error with one line that says what is wrong.

    With `resume` everything that was not said is as in the folder.
    """
    before = _setup_before(request) or USUAL
    deck = _read_deck(request, before)
    digest = "" if deck == standard_deck() else deck.digest
    players = _numbers(request.players, "players", before.players)
    games = _numbers(request.games, "games", before.games)
    setup = Setup(
        bot=_given(request.bot, before.bot),
        players=players,
        games=games * len(players) if len(games) == 1 else games,
        seed=check_seed(_given(request.seed, before.seed)),
        tokens=_given(request.tokens, before.tokens),
        promo=_given(request.promo, before.promo),
        fewer_bodies=_given(request.fewer_bodies, before.fewer_bodies),
        random_first_pick=_given(request.random_first_pick, before.random_first_pick),
        deck=before.deck if digest == before.deck_digest else deck.source,
        deck_digest=digest,
    )
    if os.getcwd() not in sys.path:  # where one keeps bots of one's own
        sys.path.insert(0, os.getcwd())
    find_player(setup.bot)
    setup.check(deck)
    return setup, deck


def _setup_before(request: LabRequest) -> Setup | None:
    """What the folder was begun with; None if nothing is there."""
    file = request.out / GAMES_FILE
    if not file.exists():
        if request.resume:
            raise RunError(f"{request.out}: there is nothing to resume")
        return None
    if not request.resume:
        raise RunError(f"{request.out}: a run is there; --resume goes on with it")
    return read_setup(file, Setup, Book.what)


def _read_deck(request: LabRequest, before: Setup) -> Deck:
    file = request.deck if request.deck is not None else before.deck
    return load_deck(file) if file else standard_deck()


def _given(given: T | None, otherwise: T) -> T:
    return otherwise if given is None else given


def _numbers(text: str | None, name: str, otherwise: tuple[int, ...]) -> tuple[int, ...]:
    if text is None:
        return otherwise
    words = [word.strip() for word in text.split(",")]
    if not all(word.isascii() and word.isdigit() and len(word) < 10 for word in words):
        raise OptionsError(f"--{name} is a number, or several such as 2,3, not {text!r}")
    return tuple(int(word) for word in words)


def study(
    setup: Setup,
    deck: Deck,
    folder: Path,
    jobs: int,
    report_progress: ProgressCallback,
    cluster: str = "",
) -> LabReport:
    """Play, and write tables and report into the folder."""
    book, interrupted = run(setup, deck, folder, jobs, report_progress, cluster)
    findings = find(book.results(), deck)
    if not book.games:
        return LabReport(setup, findings, interrupted, None)
    write_findings(findings, folder)
    file = folder / REPORT_FILE
    file.write_text(make_page(setup, findings, interrupted), encoding="utf-8")
    return LabReport(setup, findings, interrupted, file)


def text_of(report: LabReport) -> str:
    """A few lines for the terminal."""
    findings = report.findings
    total = sum(findings.sizes.values())
    lines = [f"{total:,} games of {report.setup.bot}"]
    lines.append(describe(report.setup, findings, report.interrupted))
    for row in findings.seats:
        share = interval(row.win_share, percent)
        lines.append(f"{row.players} players, seat {row.seat}: wins {share}")
    if report.file is not None:
        lines.append(f"The report is in {report.file}, its tables beside it as CSV files.")
    return "\n".join(lines) + "\n"
