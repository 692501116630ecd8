"""An analysis as one HTML page that needs no other file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from xml.sax.saxutils import escape

from coatl.analysis.curve import curve
from coatl.analysis.data import Report
from coatl.analysis.depth import DEPTHS
from coatl.analysis.words import Speaker
from coatl.rulebook.languages import Language

STYLE = """
body { margin: 2rem auto; max-width: 60rem; padding: 0 1rem; font: 16px/1.5 sans-serif;
  background: #f4ecdc; color: #2a1f1b; }
.curve { overflow-x: auto; }
svg { width: 100%; min-width: 44rem; height: auto; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: 0.25rem 0.75rem 0.25rem 0;
  border-bottom: 1px solid #c8b999; }
"""


def html(report: Report, language: Language = "en") -> str:
    """The page; it is well-formed XML, too."""
    speaker = Speaker(report, language)
    title = escape(speaker.phrases.page["title"])
    parts = [
        "<!DOCTYPE html>",
        f'<html xmlns="http://www.w3.org/1999/xhtml" lang="{language}">',
        f'<head><meta charset="utf-8"/><title>{title}</title>',
        '<meta name="viewport" content="width=device-width, initial-scale=1"/>',
        f"<style>{STYLE}</style></head>",
        f"<body><h1>{title}</h1>",
        *_sections(report, speaker, language),
        "</body></html>",
    ]
    return "\n".join(parts) + "\n"


def _sections(report: Report, speaker: Speaker, language: Language) -> Iterator[str]:
    words = speaker.phrases.page
    for sentence in [speaker.result(), *speaker.lead()]:
        yield f"<p>{escape(sentence)}</p>"
    yield f'<div class="curve" tabindex="0">{curve(report, language)}</div>'
    yield f"<h2>{escape(words['turning_points'])}</h2>"
    points = [" ".join(speaker.turning_point(point)) for point in report.turning_points]
    if points:
        yield f"<ol>{''.join(f'<li>{escape(point)}</li>' for point in points)}</ol>"
    else:
        yield f"<p>{escape(words['nothing'])}</p>"
    yield f"<h2>{escape(words['grades'])}</h2>"
    yield _table(
        [words[name] for name in ("player", "choices", "loss", "best", "points_lost")],
        _grades(report, speaker),
    )
    rows = list(_better_moves(report, speaker))
    if rows:
        yield f"<h2>{escape(words['turns'])}</h2>"
        heads = [words[name] for name in ("turn", "player", "played", "better", "gain")]
        yield _table(heads, rows)
    yield f"<p>{escape(depth_text(report, speaker))}</p>"


def depth_text(report: Report, speaker: Speaker) -> str:
    """How deep the analysis was."""
    depth = DEPTHS[report.depth]
    return speaker.phrases.page["depth"].format(
        depth=depth.name,
        samples=depth.samples,
        simulations=depth.settings.budget(report.players),
        margin=speaker.percent(report.margin, 1),
    )


def _grades(report: Report, speaker: Speaker) -> Iterator[list[str]]:
    for grade in report.grades:
        yield [
            speaker.names[grade.seat],
            str(grade.turns),
            speaker.percent(grade.mean_loss, 1),
            speaker.percent(grade.best_share),
            speaker.points_lost(grade),
        ]


def _better_moves(report: Report, speaker: Speaker) -> Iterator[list[str]]:
    for turn in report.turns:
        if turn.better is not None:
            yield [
                str(turn.turn),
                speaker.names[turn.seat],
                speaker.move(turn.better.played.move, turn.better.played.taken),
                speaker.line(turn.better),
                speaker.percent(turn.loss),
            ]


def _table(heads: Iterable[str], rows: Iterable[list[str]]) -> str:
    head = "".join(f'<th scope="col">{escape(text)}</th>' for text in heads)
    body = "".join(
        f"<tr>{''.join(f'<td>{escape(text)}</td>' for text in row)}</tr>" for row in rows
    )
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
