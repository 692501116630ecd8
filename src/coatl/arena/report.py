"""What an arena found: matches and players as data, as text, and as CSV."""

from __future__ import annotations

import csv
import io
import math
from collections import defaultdict
from collections.abc import Iterable, Sequence

import msgspec

from coatl.arena.play import Played
from coatl.arena.ratings import rate, wilson
from coatl.arena.schedule import Match, Setup, levels_name, matches


class Share(msgspec.Struct, frozen=True):
    """A share of wins with its 95 % interval (Wilson)."""

    share: float
    low: float
    high: float


class MatchReport(msgspec.Struct, frozen=True):
    """One player against another, against a table of another, or against A.D.A.M."""

    player: str
    against: str
    levels: str | None  # solo: A.D.A.M.'s, or base
    games: int
    wins: float  # a shared win counts in part
    win_rate: Share
    fair_share: float  # what equals would win
    points: float  # mean, games that were forfeited left out
    points_against: float
    turns: float
    forfeits: int  # of either side


class PlayerReport(msgspec.Struct, frozen=True):
    """One player over all its matches."""

    player: str
    games: int
    rating: float | None  # two seats only; greedy, or else the first player, has 1000
    rating_interval: float | None  # plus or minus, 95 %
    points: float
    points_per_coatl: float
    ms_per_decision: float
    score_counts: dict[int, int]  # how often it scored so many points
    forfeits: tuple[str, ...]  # reasons, each once


class ArenaReport(msgspec.Struct, frozen=True):
    """What `coatl arena --json` prints, and `arena.json` holds."""

    setup: Setup
    games: int
    games_wanted: int
    interrupted: bool
    matches: tuple[MatchReport, ...]
    players: tuple[PlayerReport, ...]


def make_report(setup: Setup, games: Sequence[Played], interrupted: bool) -> ArenaReport:
    by_match = defaultdict(list)
    for game in games:
        by_match[game.match].append(game)
    pairs = matches(setup)
    found = [_match_report(match, by_match[match.number]) for match in pairs]
    ratings = _ratings(setup, pairs, found)
    return ArenaReport(
        setup=setup,
        games=len(games),
        games_wanted=setup.games * len(pairs),
        interrupted=interrupted,
        matches=tuple(found),
        players=tuple(_player_report(name, games, ratings.get(name)) for name in setup.players),
    )


def _match_report(match: Match, games: Sequence[Played]) -> MatchReport:
    wins = 0.0
    mine: list[int] = []
    theirs: list[int] = []
    for game in games:
        seat = game.names.index(match.one)
        wins += game.shares[seat]
        for at, points in enumerate(game.points):
            (mine if at == seat else theirs).append(points)
    low, high = wilson(wins, len(games))
    return MatchReport(
        player=match.one,
        against=match.other,
        levels=None if match.levels is None else levels_name(match.levels),
        games=len(games),
        wins=round(wins, 3),
        win_rate=Share(round(wins / max(len(games), 1), 4), round(low, 4), round(high, 4)),
        fair_share=round(1 / max(match.seats, 2), 4),
        points=_mean(mine),
        points_against=_mean(theirs),
        turns=_mean([game.turns for game in games if game.forfeit is None]),
        forfeits=sum(game.forfeit is not None for game in games),
    )


def _ratings(
    setup: Setup, pairs: Sequence[Match], found: Sequence[MatchReport]
) -> dict[str, tuple[float, float]]:
    if setup.solo or setup.seats != 2:
        return {}
    results = {
        (match.one, match.other): (report.wins, report.games - report.wins)
        for match, report in zip(pairs, found, strict=True)
    }
    return rate(setup.players, results)


def _player_report(
    name: str, games: Sequence[Played], rating: tuple[float, float] | None
) -> PlayerReport:
    points: list[int] = []
    coatls: list[int] = []
    decisions, seconds, took_part = 0, 0.0, 0
    reasons: dict[str, None] = {}
    for game in games:
        took_part += name in game.names
        for seat, other in enumerate(game.names):
            if other != name:
                continue
            if game.forfeit is not None:
                if game.forfeit.seat == seat:
                    reasons[game.forfeit.reason] = None
                continue
            points.append(game.points[seat])
            coatls += game.coatls[seat]
            decisions += game.decisions[seat]
            seconds += game.seconds[seat]
    return PlayerReport(
        player=name,
        games=took_part,
        rating=None if rating is None else round(rating[0], 1),
        rating_interval=None if rating is None else round(rating[1], 1),
        points=_mean(points),
        points_per_coatl=_mean(coatls),
        ms_per_decision=round(1000 * seconds / max(decisions, 1), 3),
        score_counts={score: points.count(score) for score in sorted(set(points))},
        forfeits=tuple(reasons),
    )


def _mean(numbers: Sequence[int]) -> float:
    return round(math.fsum(numbers) / len(numbers), 2) if numbers else 0.0


# ---------------------------------------------------------------- text


def text_of(report: ArenaReport) -> str:
    """Two tables for people, and what went wrong."""
    setup = report.setup
    broken_off = " (interrupted)" if report.interrupted else ""
    lines = [f"{report.games:,} games{broken_off}, seed {setup.seed}", ""]
    lines += table_lines(*match_rows(report))
    lines += ["", *table_lines(*player_rows(report))]
    for player in report.players:
        lines += [f"\n{player.player} lost games because it {reason}" for reason in player.forfeits]
    return "\n".join(lines) + "\n"


def match_rows(report: ArenaReport) -> tuple[list[str], list[list[str]]]:
    solo = bool(report.setup.solo)
    heading = ["player", "against", *(["levels"] if solo else []), "games", "wins", "95 %"]
    heading += ["fair", "points", "theirs", "turns"]
    rows = []
    for match in report.matches:
        wins = match.win_rate
        row = [match.player, match.against, *([match.levels or ""] if solo else [])]
        row += [str(match.games), f"{wins.share:.1%}", f"{wins.low:.1%} to {wins.high:.1%}"]
        row += ["" if solo else f"{match.fair_share:.0%}", f"{match.points:.1f}"]
        rows.append([*row, f"{match.points_against:.1f}", f"{match.turns:.1f}"])
    return heading, rows


def player_rows(report: ArenaReport) -> tuple[list[str], list[list[str]]]:
    heading = ["player", "rating", "±", "points", "a Cóatl", "ms a decision", "games"]
    rows = []
    for player in sorted(report.players, key=lambda one: -(one.rating or 0.0)):
        rated = player.rating is not None
        row = [player.player, f"{player.rating:.0f}" if rated else "-"]
        row += [f"{player.rating_interval:.0f}" if rated else "-", f"{player.points:.1f}"]
        row += [f"{player.points_per_coatl:.1f}", f"{player.ms_per_decision:.2f}"]
        rows.append([*row, str(player.games)])
    return heading, rows


def table_lines(heading: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """A table as lines of text; names stand on the left of their columns, numbers on the right."""
    widths = [max(len(row[at]) for row in [heading, *rows]) for at in range(len(heading))]
    words = sum(1 for name in heading if name in ("player", "against", "levels"))

    def line(row: Sequence[str]) -> str:
        cells = [
            cell.ljust(width) if at < words else cell.rjust(width)
            for at, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        return "  ".join(cells).rstrip()

    return [line(row) for row in [heading, *rows]]


# ---------------------------------------------------------------- files


def json_of(report: ArenaReport) -> str:
    return msgspec.json.format(msgspec.json.encode(report), indent=2).decode() + "\n"


def matches_csv(report: ArenaReport) -> str:
    names = [field.name for field in msgspec.structs.fields(MatchReport)]
    names[names.index("win_rate") : names.index("win_rate") + 1] = ["win_rate", "low", "high"]
    rows = []
    for match in report.matches:
        row = msgspec.structs.asdict(match)
        share = row["win_rate"]
        row |= {"win_rate": share.share, "low": share.low, "high": share.high}
        rows.append([row[name] for name in names])
    return csv_text(names, rows)


def players_csv(report: ArenaReport) -> str:
    names = [field.name for field in msgspec.structs.fields(PlayerReport)]
    names.remove("score_counts")
    rows = []
    for player in report.players:
        row = msgspec.structs.asdict(player) | {"forfeits": "; ".join(player.forfeits)}
        rows.append([row[name] for name in names])
    return csv_text(names, rows)


def csv_text(names: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A table as CSV, with a line of names first."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(names)
    writer.writerows(rows)
    return out.getvalue()
