"""`make strength`: all measurements of docs/strength.md anew, with a seed of one's own.

    python -m tools.strength --out DIR --seed NAME --first first.npz [--jobs 2] [--minutes 60]

Every contest is an arena with a folder of its own, so a run that was interrupted, or that ended
after `--minutes`, goes on where it stopped. What has been played by then is written into the tables
of docs/strength.md (between the marks) and into docs/strength-results.csv, where `--write` asks for
it. `--first` is the file of the first edition, which the model card says how to get; without it the
contests against it are left out.
"""

from __future__ import annotations

import _thread
import argparse
import csv
import io
import re
import threading
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from pathlib import Path

import msgspec

from coatl.arena.command import ArenaRequest, make_setup, measure
from coatl.arena.report import MatchReport, make_report
from coatl.arena.run import Book

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "strength.md"
RESULTS = ROOT / "docs" / "strength-results.csv"
RATED = "two players"  # the table whose games the ratings come from
FIRST = "first.npz"  # how the page calls the first edition's file


@dataclass(frozen=True)
class Contest:
    """One row of a table: an arena of one match."""

    table: str
    request: ArenaRequest
    target: str = ""
    note: str = ""  # of the row: a variant, a number of seats

    @property
    def folder(self) -> str:
        """A name for its results; different contests have different ones."""
        asked = self.request
        parts = [self.table, asked.players, asked.solo or f"{asked.seats} seats", self.note]
        return re.sub(r"[^A-Za-z0-9.]+", "-", " ".join(parts)).strip("-")


def _pair(players: str, games: int, target: str = "") -> Contest:
    return Contest(RATED, ArenaRequest(players, games), target)


def _solo(bot: str, levels: str, games: int, target: str = "") -> Contest:
    return Contest("solo", ArenaRequest(bot, games, solo=levels), target)


def _sets(size: int) -> list[str]:
    return ["".join(levels) for levels in combinations("12345", size)]


def _variants(players: str, games: int) -> Iterator[Contest]:
    usual = ArenaRequest(players, games)
    yield Contest("variants", usual, note="the usual game")
    yield Contest("variants", replace(usual, tokens=False), note="without tokens")
    usual = replace(usual, games=games // 2)
    yield Contest("variants", replace(usual, promo=True), note="with the promo pack")
    yield Contest("variants", replace(usual, fewer_bodies=True), note="with fewer bodies")


def _against_the_first(file: str) -> Iterator[Contest]:
    def match(bot: str, games: int, target: str = "", seats: int = 2) -> Contest:
        rival = "artisan" if seats > 2 else bot
        request = ArenaRequest(f"{bot},{rival}@{file}", games, seats=seats)
        return Contest("editions", request, target, f"{seats} players")

    yield match("artisan", 1000, "60 %")
    yield match("high-priest:0.05s", 400, "60 %")
    yield match("high-priest", 200, "50 %", seats=4)
    yield match("high-priest:0.2s", 60)
    yield match("high-priest:1s", 20)


def contests(first: str | None) -> list[Contest]:
    """All of them; those that our targets are about, and the quick ones, come first."""
    return [
        _pair("artisan,planner", 1000, "92 %"),
        _pair("novice,greedy", 1000, "at most 35 %"),
        _pair("novice,random", 400, "90 %"),
        _pair("artisan,greedy", 1000, "99 %"),
        _pair("artisan,random", 400, "99 %"),
        _pair("artisan,apprentice", 400),
        _pair("artisan,novice", 200),
        _pair("apprentice,greedy", 400),
        _pair("apprentice,novice", 400),
        _pair("planner,greedy", 400, "80 %"),
        _pair("planner,novice", 200),
        _pair("greedy,random", 200),
        *(_against_the_first(first) if first else ()),
        _solo("priest", "12345", 200, "65 %"),
        _solo("high-priest", "12345", 200, "70 %"),
        _solo("priest", "base", 200, "99 %"),
        *(_solo("priest", levels, 100, "97 %") for levels in _sets(1)),
        *(_solo("priest", levels, 40, "90 %") for levels in _sets(2)),
        _pair("priest,artisan", 400, "60 %"),
        _pair("high-priest,artisan", 400, "65 %"),
        _pair("high-priest,priest", 100),
        *(_variants(f"artisan,artisan@{first}", 6000) if first else ()),
        *_variants("artisan,planner", 1000),
        *(_solo("priest", levels, 40) for levels in (*_sets(3), *_sets(4))),
        *(_solo("artisan", levels, 500) for levels in ("base", *_sets(1), "12345")),
        *(_solo("planner", levels, 100) for levels in ("base", "12345")),
        Contest("tables", ArenaRequest("artisan,planner", 300, seats=3), "66.7 %", "3 players"),
        Contest("tables", ArenaRequest("artisan,planner", 400, seats=4), "50 %", "4 players"),
        _pair("montecarlo,greedy", 100),
        _pair("artisan,montecarlo", 100, "97 %"),
    ]


def chosen(found: Sequence[Contest], only: str) -> list[Contest]:
    """Those whose names contain one of the texts of `only` (A,B), in the order of these."""
    kept: list[Contest] = []
    for text in only.split(","):
        kept += [one for one in found if text in one.folder and one not in kept]
    return kept


def _no_progress(done: int, total: int) -> None:
    """One line a contest is enough."""


def play(todo: Iterable[Contest], out: Path, seed: str, jobs: int) -> None:
    """Play what is missing, one contest after the other; ends early if interrupted."""
    for contest in todo:
        setup = make_setup(replace(contest.request, seed=seed))
        print(contest.folder, flush=True)
        report = measure(setup, out / contest.folder, jobs, _no_progress)
        for match in report.matches:
            print("   ", one_line(match), flush=True)
        if report.interrupted:
            return


def one_line(match: MatchReport) -> str:
    share, low, high = (100 * part for part in msgspec.structs.astuple(match.win_rate))
    return f"{share:.1f} % of {match.games} ({low:.1f} to {high:.1f})"


def played(todo: Iterable[Contest], out: Path, seed: str) -> Iterator[tuple[Contest, MatchReport]]:
    """What is known so far, also of contests that are not finished."""
    for contest in todo:
        if not (out / contest.folder).is_dir():
            continue
        setup = make_setup(replace(contest.request, seed=seed))
        games = Book(setup, out / contest.folder).results()
        if games:
            yield contest, make_report(setup, games, False).matches[0]


def row_of(contest: Contest, match: MatchReport) -> list[str]:
    rate = match.win_rate
    first = [contest.note] if contest.table in ("variants", "tables", "editions") else []
    named = [re.sub(r"@.*", f"@{FIRST}", name) for name in (match.player, match.against)]
    against = [match.levels or ""] if contest.table == "solo" else [f"`{named[1]}`"]
    return [
        *first,
        f"`{named[0]}`",
        *against,
        f"{match.games:,}",
        f"{100 * rate.share:.1f} %",
        f"{100 * rate.low:.1f} to {100 * rate.high:.1f}",
        contest.target,
        f"{match.points:.1f}",
        f"{match.points_against:.1f}",
        f"{match.turns:.1f}",
    ]


HEADS = {
    "two players": ["player", "against"],
    "editions": ["table", "player", "against"],
    "tables": ["table", "player", "against"],
    "variants": ["game", "player", "against"],
    "solo": ["player", "levels"],
}
FIGURES = ["games", "wins", "95 %", "target", "points", "theirs", "turns"]


def tables(found: Sequence[tuple[Contest, MatchReport]]) -> dict[str, str]:
    """The tables of the page, by name."""
    texts = {}
    for name, head in HEADS.items():
        rows = [row_of(contest, match) for contest, match in found if contest.table == name]
        if rows:
            lines = [[*head, *FIGURES], ["---"] * (len(head) + len(FIGURES)), *rows]
            texts[name] = "\n".join("| " + " | ".join(line) + " |" for line in lines)
    return texts


def with_tables(page: str, texts: dict[str, str]) -> str:
    """The page with these tables between their marks."""
    for name, text in texts.items():
        begin, end = f"<!-- table: {name} -->", "<!-- end of table -->"
        before, mark, rest = page.partition(begin)
        if not mark:
            raise ValueError(f"{PAGE.name} has no mark {begin}")
        page = f"{before}{begin}\n\n{text}\n\n{end}{rest.partition(end)[2]}"
    return page


def results_csv(found: Sequence[tuple[Contest, MatchReport]], seed: str) -> str:
    """The games of two between bots that there are, for `coatl ratings`."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["player", "against", "games", "wins", "seed"])
    for contest, match in found:
        if contest.table == RATED:
            writer.writerow([match.player, match.against, match.games, f"{match.wins:g}", seed])
    return out.getvalue()


def write(
    found: Sequence[tuple[Contest, MatchReport]], seed: str, page: Path, results: Path
) -> None:
    """Put what was played into the page and the file of results; other tables stay as they are."""
    page.write_text(with_tables(page.read_text("utf-8"), tables(found)), "utf-8")
    if any(contest.table == RATED for contest, _ in found):
        results.write_text(results_csv(found, seed), "utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tools.strength")
    parser.add_argument("--out", type=Path, required=True, help="the folder of the results")
    parser.add_argument("--seed", required=True, help="any name; use each once")
    parser.add_argument("--first", help="the file of the first edition's network")
    parser.add_argument("--jobs", type=int, default=2)
    minutes = "stop after these, or play nothing (0); the next run goes on"
    parser.add_argument("--minutes", type=float, help=minutes)
    only = "contests whose names contain one of these, in this order: A,B"
    parser.add_argument("--only", default="", help=only)
    parser.add_argument("--write", action="store_true", help="write what was played to docs/")
    arguments = parser.parse_args()
    todo = chosen(contests(arguments.first), arguments.only)
    if arguments.minutes:
        timer = threading.Timer(60 * arguments.minutes, _thread.interrupt_main)
        timer.daemon = True
        timer.start()
    if arguments.minutes != 0:
        play(todo, arguments.out, arguments.seed, arguments.jobs)
    if arguments.write:
        found = list(played(todo, arguments.out, arguments.seed))
        write(found, arguments.seed, PAGE, RESULTS)


if __name__ == "__main__":
    main()
