"""Results of several arenas together: read from CSV files, and rated by one fit."""

from __future__ import annotations

import csv
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from coatl.arena.ratings import rate
from coatl.arena.report import table_lines
from coatl.parallel.runs import RunError

NEEDED = ("player", "against", "games", "wins")  # columns; `matches.csv` of an arena has them


@dataclass(frozen=True)
class MatchResult:
    """Games of two players at tables of two; a shared win counts in part."""

    player: str
    against: str
    games: int
    wins: float


@dataclass(frozen=True)
class Rating:
    """On the scale of the arena; `margin` is half a 95 % interval."""

    player: str
    rating: float
    margin: float
    games: int


def read_results(file: Path) -> list[MatchResult]:
    """The matches in a CSV file; raises `RunError` with the file and the line."""
    try:
        lines = file.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise RunError(f"{file}: {getattr(error, 'strerror', None) or error}") from None
    rows = csv.DictReader(lines)
    missing = [name for name in NEEDED if name not in (rows.fieldnames or ())]
    if missing:
        raise RunError(f"{file}: there is no column {missing[0]}")
    found = []
    for row in rows:
        try:
            found.append(_read_row(row))
        except (TypeError, ValueError) as error:
            raise RunError(f"{file}, line {rows.line_num}: {error}") from None
    return found


def _read_row(row: dict[str, str]) -> MatchResult:
    result = MatchResult(row["player"], row["against"], int(row["games"]), float(row["wins"]))
    if row.get("levels") or float(row.get("fair_share") or 0.5) != 0.5:
        raise ValueError("ratings are from games of two players")
    if not result.player or not result.against or result.player == result.against:
        raise ValueError("a match is between two different players")
    if not 0 <= result.wins <= result.games:
        raise ValueError(f"{row['wins']} wins of {result.games} games")
    return result


def rate_results(results: Iterable[MatchResult]) -> list[Rating]:
    """All players, the strongest first."""
    pairs: dict[tuple[str, str], tuple[float, float]] = {}
    games: dict[str, int] = defaultdict(int)
    for result in results:
        one, other = sorted((result.player, result.against))
        wins, losses = result.wins, result.games - result.wins
        if one != result.player:
            wins, losses = losses, wins
        before = pairs.get((one, other), (0.0, 0.0))
        pairs[one, other] = before[0] + wins, before[1] + losses
        games[one] += result.games
        games[other] += result.games
    if not games:
        raise RunError("there are no results to rate")
    rated = rate(tuple(games), pairs)
    found = [Rating(name, *rated[name], games[name]) for name in games]
    return sorted(found, key=lambda one: -one.rating)


def ratings_text(ratings: Sequence[Rating]) -> str:
    """A table for people."""
    heading = ["player", "rating", "±", "games"]
    rows = [
        [one.player, f"{one.rating:.0f}", f"{one.margin:.0f}", str(one.games)] for one in ratings
    ]
    return "\n".join(table_lines(heading, rows)) + "\n"
