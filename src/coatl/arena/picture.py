"""An arena as a picture: ratings with their intervals, and how the scores are distributed."""

from __future__ import annotations

from collections.abc import Iterator
from xml.sax.saxutils import escape

from coatl.arena.report import ArenaReport, PlayerReport

WIDTH, LEFT, RIGHT = 720, 170, 30
ROW = 34
COLOURS = ("#1b6ca8", "#c0392b", "#2e7d32", "#b7791f", "#6b4fa0", "#00838f", "#8d6e63", "#455a64")
BIN = 3  # points


def svg_of(report: ArenaReport) -> str:
    parts: list[str] = []
    rated = [player for player in report.players if player.rating is not None]
    below = 20
    if rated:
        parts += _ratings(rated, below)
        below += ROW * len(rated) + 70
    parts += _scores(report.players, below)
    height = below + (ROW + 26) * len(report.players) + 50
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" '
        f'width="{WIDTH}" height="{height}" font-family="sans-serif" font-size="13">'
    )
    back = f'<rect width="{WIDTH}" height="{height}" fill="#fff"/>'
    return "\n".join([head, back, *parts, "</svg>"]) + "\n"


def _ratings(players: list[PlayerReport], top: int) -> Iterator[str]:
    """One line a player: a dot, and the 95 % interval."""
    spans = [(player.rating or 0.0, player.rating_interval or 0.0) for player in players]
    low = min(rating - half for rating, half in spans)
    high = max(rating + half for rating, half in spans)
    scale = (WIDTH - LEFT - RIGHT) / max(high - low, 1.0)
    yield _text(LEFT, top, "Ratings, with 95 % intervals", bold=True)
    for at, (player, (rating, half)) in enumerate(zip(players, spans, strict=True)):
        y = top + 30 + ROW * at
        x = LEFT + (rating - low) * scale
        colour = COLOURS[at % len(COLOURS)]
        yield _text(LEFT - 12, y + 4, player.player, anchor="end")
        yield _line(x - half * scale, y, x + half * scale, y, colour)
        yield f'<circle cx="{x:.1f}" cy="{y}" r="5" fill="{colour}"/>'
        yield _text(x, y - 9, f"{rating:.0f}", anchor="middle", size=11)


def _scores(players: tuple[PlayerReport, ...], top: int) -> Iterator[str]:
    """One histogram a player, all on the same scale, with the mean marked."""
    most = max([max(player.score_counts, default=0) for player in players], default=0) + BIN
    scale = (WIDTH - LEFT - RIGHT) / most
    yield _text(LEFT, top, "Points at the end, and their mean", bold=True)
    bottom = top
    for at, player in enumerate(players):
        bottom = top + 62 + (ROW + 26) * at
        colour = COLOURS[at % len(COLOURS)]
        yield _text(LEFT - 12, bottom, player.player, anchor="end")
        bins: dict[int, int] = {}
        for score, count in player.score_counts.items():
            bins[score // BIN] = bins.get(score // BIN, 0) + count
        tallest = max(bins.values(), default=1)
        for number, count in bins.items():
            height = (ROW + 10) * count / tallest
            yield (
                f'<rect x="{LEFT + number * BIN * scale:.1f}" y="{bottom - height:.1f}" '
                f'width="{BIN * scale - 1:.1f}" height="{height:.1f}" '
                f'fill="{colour}" opacity="0.7"/>'
            )
        x = LEFT + player.points * scale
        yield _line(x, bottom - ROW - 12, x, bottom, "#000")
        yield _text(x + 4, bottom - ROW - 4, f"{player.points:.1f}", size=11)
    for points in range(0, most, 10):
        yield _text(LEFT + points * scale, bottom + 18, str(points), anchor="middle", size=11)


def _text(
    x: float, y: float, text: str, anchor: str = "start", bold: bool = False, size: int = 13
) -> str:
    weight = ' font-weight="bold"' if bold else ""
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size}"{weight}>'
        f"{escape(text)}</text>"
    )


def _line(x1: float, y1: float, x2: float, y2: float, colour: str) -> str:
    return (
        f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" '
        f'stroke="{colour}" stroke-width="2"/>'
    )
