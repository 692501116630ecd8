"""The learning curve: rows as JSON, and a picture drawn by hand as SVG."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import Any

Row = dict[str, Any]
PANELS = (
    (
        "Points (sampled play)",
        (("score2", "2 players"), ("score3", "3 players"), ("score4", "4 players")),
    ),
    (
        "Wins",
        (
            ("random.win", "against random"),
            ("past.win", "against its past"),
            ("solo.win", "solo, base game"),
        ),
    ),
    (
        "Training",
        (
            ("entropy", "entropy"),
            ("explained", "explained variance"),
            ("turned", "turned to winning"),
        ),
    ),
)
INKS = ("#0b6e4f", "#c8553d", "#2d5d9f")
WIDTH, HEIGHT, MARGIN = 640, 190, 46


def save_curve(folder: Path, rows: Sequence[Row], table: Row) -> None:
    """`curve.json` and `curve.svg`."""
    text = json.dumps({"curve": list(rows), "evaluation": table}, indent=1)
    for name, content in (("curve.json", text), ("curve.svg", draw(rows))):
        temporary = folder / (name + ".tmp")
        temporary.write_text(content, encoding="utf-8")
        os.replace(temporary, folder / name)


def load_rows(folder: Path) -> list[Row]:
    """The curve of an earlier run, to be continued."""
    path = folder / "curve.json"
    return list(json.loads(path.read_text(encoding="utf-8"))["curve"]) if path.exists() else []


def lookup(row: Row, path: str) -> float | None:
    found: Any = row
    for part in path.split("."):
        found = found.get(part) if isinstance(found, dict) else None
    return None if found is None else float(found)


def draw(rows: Sequence[Row]) -> str:
    panels = [_panel(rows, i, title, lines) for i, (title, lines) in enumerate(PANELS)]
    height = HEIGHT * len(PANELS) + 10
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" '
        'font-family="sans-serif" font-size="11">'
        f'<rect width="{WIDTH}" height="{height}" fill="#fff"/>' + "".join(panels) + "</svg>\n"
    )


def _panel(rows: Sequence[Row], number: int, title: str, lines: Any) -> str:
    top, bottom = HEIGHT * number + 24, HEIGHT * (number + 1) - 18
    left, right = MARGIN, WIDTH - 150
    found = {
        path: [
            (float(row["minutes"]), value)
            for row in rows
            if (value := lookup(row, path)) is not None
        ]
        for path, _ in lines
    }
    points = [point for line in found.values() for point in line]
    latest = max([x for x, _ in points], default=1.0) or 1.0
    lowest, highest = min([0.0, *(y for _, y in points)]), max([0.1, *(y for _, y in points)])
    parts = [
        f'<text x="{left}" y="{top - 8}" font-weight="bold">{escape(title)}</text>',
        f'<path d="M{left} {top}V{bottom}H{right}" fill="none" stroke="#999"/>',
        f'<text x="{left - 6}" y="{top + 4}" text-anchor="end">{highest:.3g}</text>',
        f'<text x="{left - 6}" y="{bottom}" text-anchor="end">{lowest:.3g}</text>',
        f'<text x="{right}" y="{bottom + 13}" text-anchor="end">{latest:.1f} min</text>',
    ]
    for ink, (path, name) in zip(INKS, lines, strict=True):
        if not found[path]:
            continue
        spots = [
            f"{left + (right - left) * x / latest:.1f},"
            f"{bottom - (bottom - top) * (y - lowest) / (highest - lowest):.1f}"
            for x, y in found[path]
        ]
        parts.append(f'<polyline points="{" ".join(spots)}" fill="none" stroke="{ink}"/>')
        at = top + 14 * [p for p, _ in lines].index(path) + 8
        parts.append(f'<text x="{right + 8}" y="{at}" fill="{ink}">{escape(name)}</text>')
    return "".join(parts)
