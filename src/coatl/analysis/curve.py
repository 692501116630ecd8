"""The chances after each turn as a picture (SVG), for pages and for sharing."""

from __future__ import annotations

from collections.abc import Iterator
from xml.sax.saxutils import escape

from coatl.analysis.data import Report
from coatl.analysis.words import Speaker
from coatl.rulebook.languages import Language
from coatl.svg.pen import Drawing

WIDTH, HEIGHT = 960, 480
LEFT, RIGHT, TOP, BOTTOM = 52, 20, 72, 124  # around the curve
STRIP = 34  # the height of the bars below it
LETTER = 10  # about the width of one
LEGEND = ("take", "choose", "assemble", "complete")  # the bars that are explained
STROKES = ("none", "9 6", "2 5", "14 5 3 5")  # one for each seat, so that colour is not needed
COLOURS = ("#2a1f1b", "#9a1750", "#1d5fa8", "#6b5a2e")
PAPER, LINE, FILL, BAR = "#f4ecdc", "#c8b999", "#e0d2b6", "#7a643d"
BARS = {"setup": 0, "pass": 1, "take": 2, "choose": 4, "token": 4, "assemble": 6, "complete": 10}


def curve(report: Report, language: Language = "en") -> Drawing:
    """The curve of a whole report."""
    speaker = Speaker(report, language)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" '
        f'width="{WIDTH}" height="{HEIGHT}" font-family="sans-serif" font-size="17" '
        f'fill="{COLOURS[0]}">',
        f"<title>{escape(speaker.phrases.page['chances'])}</title>",
        f"<desc>{escape(speaker.result())}</desc>",
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="{PAPER}"/>',
        *_CurvePainter(report, speaker).parts(),
        "</svg>",
    ]
    return Drawing("\n".join(parts) + "\n", WIDTH, HEIGHT)


class _CurvePainter:
    def __init__(self, report: Report, speaker: Speaker) -> None:
        self.report, self.speaker = report, speaker
        turns = [point.turn for point in report.course] or [0]
        self.first, self.last = turns[0], max(turns[-1], turns[0] + 1)
        self.bottom = HEIGHT - BOTTOM
        self.shown = max((len(point.chances) for point in report.course), default=0)

    def x(self, turn: int) -> float:
        share = (turn - self.first) / (self.last - self.first)
        return LEFT + share * (WIDTH - LEFT - RIGHT)

    def y(self, chance: float) -> float:
        return self.bottom - chance * (self.bottom - TOP)

    def parts(self) -> Iterator[str]:
        yield _text(LEFT, 26, self.speaker.phrases.page["chances"], bold=True)
        yield from self._legend()
        yield from self._grid()
        yield from self._bars()
        yield from self._bar_legend()
        yield from self._lines()
        yield from self._marks()

    def _legend(self) -> Iterator[str]:
        x = float(LEFT)
        for seat, name in enumerate(self.speaker.names[: self.shown]):
            yield _line(x, 48, x + 28, 48, COLOURS[seat], 2.5, STROKES[seat])
            yield _text(x + 34, 54, name)
            x += 60 + LETTER * len(name)

    def _grid(self) -> Iterator[str]:
        for percent in (0, 25, 50, 75, 100):
            y = self.y(percent / 100)
            yield _line(LEFT, y, WIDTH - RIGHT, y, LINE, 1)
            if percent % 50 == 0:
                yield _text(LEFT - 8, y + 6, str(percent), anchor="end")
        step = 10 if self.last - self.first <= 120 else 50
        for turn in range(-(-self.first // step) * step, self.last + 1, step):
            yield _text(self.x(turn), self.bottom + 22, str(turn), anchor="middle")

    def _bars(self) -> Iterator[str]:
        """What each turn was about: the more, the higher."""
        top, base = self.bottom + 30, self.bottom + 30 + STRIP
        room = WIDTH - LEFT - RIGHT
        yield f'<rect x="{LEFT}" y="{top}" width="{room}" height="{STRIP}" fill="{FILL}"/>'
        width = room / (self.last - self.first)
        for point in self.report.course[1:]:
            height = STRIP * BARS[point.action] / 10
            x = self.x(point.turn) - width
            colour = COLOURS[0] if point.action == "complete" else BAR
            yield (
                f'<rect x="{x:.1f}" y="{base - height:.1f}" width="{max(width - 1, 0.5):.1f}" '
                f'height="{height:.1f}" fill="{colour}"/>'
            )

    def _bar_legend(self) -> Iterator[str]:
        """What the heights below the curve mean."""
        base, x = HEIGHT - 18, float(LEFT)
        for action in LEGEND:
            height, name = STRIP * BARS[action] / 20, self.speaker.phrases.page[f"bar_{action}"]
            colour = COLOURS[0] if action == "complete" else BAR
            yield (
                f'<rect x="{x:.1f}" y="{base - height:.1f}" width="10" height="{height:.1f}" '
                f'fill="{colour}"/>'
            )
            yield _text(x + 16, base, name)
            x += 44 + LETTER * len(name)

    def _lines(self) -> Iterator[str]:
        for seat in reversed(range(self.shown)):
            points = [
                f"{self.x(point.turn):.1f},{self.y(point.chances[seat]):.1f}"
                for point in self.report.course
            ]
            yield (
                f'<polyline points="{" ".join(points)}" fill="none" stroke="{COLOURS[seat]}" '
                f'stroke-width="2.5" stroke-linejoin="round" stroke-dasharray="{STROKES[seat]}"/>'
            )

    def _marks(self) -> Iterator[str]:
        """The turning points, numbered."""
        after = {(point.turn, point.seat): point for point in self.report.course}
        for number, turning in enumerate(self.report.turning_points, 1):
            point = after[turning.turn, turning.seat]
            x, y = self.x(point.turn), self.y(point.chances[turning.seat])
            yield (
                f'<rect x="{x - 12:.1f}" y="{y - 12:.1f}" width="24" height="24" rx="3" '
                f'fill="#fff" stroke="{COLOURS[0]}" stroke-width="2"/>'
            )
            yield _text(x, y + 6, str(number), anchor="middle", bold=True)


def _text(x: float, y: float, text: str, anchor: str = "start", bold: bool = False) -> str:
    weight = ' font-weight="bold"' if bold else ""
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{weight}>{escape(text)}</text>'


def _line(
    x1: float, y1: float, x2: float, y2: float, colour: str, width: float, dashes: str = "none"
) -> str:
    return (
        f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{colour}" '
        f'stroke-width="{width}" stroke-dasharray="{dashes}"/>'
    )
