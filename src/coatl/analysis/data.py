"""What an analysis tells, as plain data: for pages, programs and JSON (docs/analysis.md)."""

from __future__ import annotations

import msgspec

VERSION = 1  # of the JSON


class _Data(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Part of an analysis."""


class ChancePoint(_Data, frozen=True):
    """Where the game stood after a turn, as a spectator could know it."""

    turn: int  # after which; the first point is before the first turn
    seat: int | None  # whose turn it was; None: nobody's yet
    action: str  # what it was about: see `coatl.analysis.course.ACTIONS`
    chances: tuple[float, ...]  # of each seat to win, 1 in all; in solo the second is A.D.A.M.
    points: tuple[int, ...]  # of complete Cóatl
    taken: str = ""  # pieces that were taken from the supply in this turn
    completed: tuple[int, ...] = ()  # points of the Cóatl that were completed in this turn


class MoveChance(_Data, frozen=True):
    """A move and how likely its seat was to win with it."""

    move: str  # in the notation
    chance: float
    taken: str = ""  # the pieces that it takes from the supply


class BetterMove(_Data, frozen=True):
    """What would have been better in a turn, where the most was lost."""

    decision: int  # the number of the decision in the turn, from 0
    played: MoveChance
    best: MoveChance
    line: tuple[str, ...]  # the best move, and what goes with it up to a draw or the turn's end
    others: tuple[MoveChance, ...]  # further moves that were looked at closely, best first


class JudgedTurn(_Data, frozen=True):
    """A turn of a seat, judged by what that seat knew."""

    turn: int
    seat: int
    moves: tuple[str, ...]  # what was played
    chance: float  # of winning, with the best move at the turn's beginning
    choices: int  # decisions in which there was something to choose
    loss: float  # what was played was worse by so much; 0: as good as the best
    better: BetterMove | None = None  # None: nothing
    points_lost: float | None = None  # compared with artisan, at the end; None: not estimated


class TurningPoint(_Data, frozen=True):
    """A turn that changed much, or could have."""

    turn: int
    seat: int
    kind: str  # "gain", "drop" (of the chance of the seat), or "missed" (what could have been)
    change: float  # of the chance of the seat, as a spectator could know it
    loss: float | None  # by what the seat knew; None: that seat was not judged


class SeatGrade(_Data, frozen=True):
    """How well a seat played."""

    seat: int
    turns: int  # with something to choose
    mean_loss: float  # a turn
    best_share: float  # of these turns in which nothing better was found
    worst: int | None  # the turn with the highest loss; None: nothing was lost
    points_lost: float | None = None  # a turn, compared with artisan; None: not estimated
    points_margin: float | None = None  # half its 95 % interval; None: of fewer than two turns


class Report(_Data, frozen=True):
    """A whole analysis."""

    version: int
    depth: str
    margin: float  # a chance that differs by less counts as equal
    seed: str
    weights: str  # which network was asked: a digest of its weights
    record: str  # the digest of the game
    players: int  # 1: solo
    names: tuple[str, ...]  # from the record; empty if it has none
    winners: tuple[int, ...]  # in solo seat 1 is A.D.A.M.
    points: tuple[int, ...]
    course: tuple[ChancePoint, ...]
    turns: tuple[JudgedTurn, ...]
    turning_points: tuple[TurningPoint, ...]
    grades: tuple[SeatGrade, ...]


def to_json(report: Report) -> bytes:
    return msgspec.json.encode(report)


def from_json(content: bytes | str) -> Report:
    """The inverse of `to_json`; raises `ValueError`."""
    report = msgspec.json.decode(content, type=Report)
    if report.version != VERSION:
        raise ValueError(f"an analysis of version {report.version}; this program reads {VERSION}")
    return report
