"""An analysis in words: the result, who was ahead, turning points, better moves and grades."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from functools import lru_cache
from importlib import resources
from itertools import pairwise

import msgspec

from coatl.analysis.data import BetterMove, ChancePoint, JudgedTurn, Report, SeatGrade, TurningPoint
from coatl.rulebook.languages import Language

NO_BREAK = "\u00a0"
MINUS = "\u2212"
_ADD = re.compile(r"(?P<left>[^+\s]+)\+(?P<to>[1-9])|(?P<at>[1-9])\+(?P<right>\S+)")
_LAY = re.compile(r"(?P<coatl>[1-9]):(?P<card>[^@\s]+)(@[12])?")
_TEMPLE = re.compile(r"no[A-Za-z]|/|=")  # what only the names of Temple cards have


class Phrases(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The words of a language; names in braces are put in."""

    seat: str
    adam: str
    decimal: str
    and_: str = msgspec.field(name="and")
    result: dict[str, str]
    lead: dict[str, str]
    deed: dict[str, str]
    move: dict[str, str]
    turning: dict[str, str]
    grade: dict[str, str]
    page: dict[str, str]


@lru_cache(maxsize=8)
def load_phrases(language: Language) -> Phrases:
    file = resources.files("coatl.analysis").joinpath("data", f"{language}.toml")
    return msgspec.convert(tomllib.loads(file.read_text(encoding="utf-8")), Phrases)


class Speaker:
    """Says what a report tells, in one language."""

    def __init__(self, report: Report, language: Language = "en") -> None:
        self.report, self.phrases = report, load_phrases(language)
        self.names = self._names()

    def _names(self) -> list[str]:
        """By seat; in solo A.D.A.M. comes second."""
        names = [name.removeprefix("bot:") for name in self.report.names]
        if not names or len(set(names)) < len(names):
            numbers = range(1, self.report.players + 1)
            names = [self.phrases.seat.format(number=number) for number in numbers]
        return [*names, self.phrases.adam] if self.report.players == 1 else names

    # -------------------------------------------------------------- the whole

    def summary(self) -> list[str]:
        """A few sentences: one of each list below."""
        sentences = [self.result(), *self.lead()]
        sentences += [" ".join(self.turning_point(point)) for point in self.report.turning_points]
        return sentences + [self.grade(grade) for grade in self.report.grades]

    def result(self) -> str:
        report, words = self.report, self.phrases.result
        points = [f"{name}{NO_BREAK}{n}" for name, n in zip(self.names, report.points, strict=True)]
        if report.players == 1:
            template = words["solo_won" if 0 in report.winners else "solo_lost"]
            return template.format(names=self.names[0], points=", ".join(points))
        winners = [self.names[seat] for seat in report.winners]
        template = words["won" if len(winners) == 1 else "shared"]
        return template.format(names=self._list(winners), points=", ".join(points))

    def _list(self, names: list[str]) -> str:
        if len(names) == 1:
            return names[0]
        return f"{', '.join(names[:-1])}{self.phrases.and_}{names[-1]}"

    def lead(self) -> Iterator[str]:
        """Who was ahead since when, if a single seat won and was so at last."""
        ahead = [(point.turn, _leader(point)) for point in self.report.course]
        if len(self.report.winners) != 1 or not ahead:
            return
        name = self.names[self.report.winners[0]]
        changes = [turn for (_, was), (turn, now) in pairwise(ahead) if was != now]
        words = self.phrases.lead
        if not changes:
            yield words["always"].format(name=name)
        else:
            template = words["once" if len(changes) == 1 else "often"]
            yield template.format(name=name, turn=changes[-1], n=len(changes))

    # -------------------------------------------------------------- turns

    def turning_point(self, point: TurningPoint) -> Iterator[str]:
        """What was done and what it changed; then what would have been better."""
        before, after = self._around(point)
        yield self.phrases.turning["swing"].format(
            turn=point.turn,
            deed=self.deed(after),
            before=self.percent(before.chances[point.seat]),
            after=self.percent(after.chances[point.seat]),
        )
        judged = self._judged(point.turn, point.seat)
        if judged is not None and judged.better is not None:
            yield self.better(judged.better, point.seat)
        elif judged is not None and point.kind == "drop":
            yield self.phrases.turning["as_good"]

    def _around(self, point: TurningPoint) -> tuple[ChancePoint, ChancePoint]:
        return next(
            (before, after)
            for before, after in pairwise(self.report.course)
            if (after.turn, after.seat) == (point.turn, point.seat)
        )

    def _judged(self, turn: int, seat: int) -> JudgedTurn | None:
        found = (
            judged for judged in self.report.turns if (judged.turn, judged.seat) == (turn, seat)
        )
        return next(found, None)

    def deed(self, point: ChancePoint) -> str:
        """What somebody did in a turn."""
        assert point.seat is not None
        several = "_several" if len(point.completed) > 1 else ""
        return self.phrases.deed[point.action + several].format(
            name=self.names[point.seat],
            pieces=point.taken,
            points=" + ".join(map(str, point.completed)),
        )

    def better(self, better: BetterMove, seat: int) -> str:
        return self.phrases.turning["better"].format(
            line=self.line(better),
            best=self.percent(better.best.chance),
            played=self.percent(better.played.chance),
            name=self.names[seat],
        )

    def line(self, better: BetterMove) -> str:
        """The better moves of a turn; that they end somewhere goes without saying."""
        moves = list(better.line)
        while len(moves) > 1 and moves[-1] == "done":
            moves.pop()
        first = self.move(moves[0], better.best.taken)
        return ", ".join([first, *(self.move(move) for move in moves[1:])])

    def move(self, text: str, taken: str = "") -> str:
        """A move in words, from its text in the notation."""
        words = self.phrases.move
        kind, _, rest = text.partition(" ")
        match kind:
            case "take":
                return words["take"].format(pieces=taken or rest)
            case "pick" | "drop":
                return words[kind].format(card=rest.partition("@")[0])
            case "new":
                return words["begin"].format(piece=rest)
            case "token":
                return self._token(rest)
            case "draw" | "done" | "pass":
                return words[kind]
        return self._addition(text)

    def _token(self, text: str) -> str:
        token, _, rest = text.partition(" ")
        if token == "pick":
            return self.phrases.move["perfect"].format(pieces=rest)
        return self.phrases.move[token].format(number=rest)

    def _addition(self, text: str) -> str:
        """A piece or a card that is laid on a Cóatl."""
        words, laid = self.phrases.move, _LAY.fullmatch(text)
        if laid is not None:
            kind = "temple" if _TEMPLE.search(laid["card"]) else "fulfil"
            return words[kind].format(card=laid["card"], number=laid["coatl"])
        added = _ADD.fullmatch(text)
        if added is None:
            return text
        piece, number = added["left"] or added["right"], added["to"] or added["at"]
        return words["add"].format(piece=piece, number=number)

    # -------------------------------------------------------------- grades, numbers

    def grade(self, grade: SeatGrade) -> str:
        words, name = self.phrases.grade, self.names[grade.seat]
        loss = self.percent(grade.mean_loss, 1)
        if grade.turns == 0:
            return words["none"].format(name=name)
        if grade.turns == 1:
            return words["one_turn"].format(name=name, loss=loss)
        best = round(grade.best_share * grade.turns)
        text = words["text"].format(name=name, loss=loss, best=best, turns=grade.turns)
        points = self.points_lost(grade)
        return text + words["points"].format(points=points) if points else text

    def points_lost(self, grade: SeatGrade) -> str:
        """A turn, with half the 95 % interval; empty if that was not estimated."""
        if grade.points_lost is None or grade.points_margin is None:
            return ""
        lost, margin = self.number(grade.points_lost, 1), self.number(grade.points_margin, 1)
        return f"{lost}{NO_BREAK}±{NO_BREAK}{margin}"

    def percent(self, share: float, digits: int = 0) -> str:
        return f"{self.number(100 * share, digits)}{NO_BREAK}%"

    def number(self, value: float, digits: int) -> str:
        shown = f"{value:z.{digits}f}"  # z: no -0.0
        return shown.replace(".", self.phrases.decimal).replace("-", MINUS)


def _leader(point: ChancePoint) -> int:
    return max(range(len(point.chances)), key=lambda seat: point.chances[seat])
