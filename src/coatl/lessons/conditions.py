"""Conditions on what a learner sees, in a small vocabulary: ``board <R,2G`` or ``complete 1``."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fnmatch import fnmatchcase

from coatl.notation.fields import read_pieces, split_list
from coatl.view import ViewData
from coatl.view.data import CoatlView, SeatView

NOT = "not "
_PIECE = re.compile(r"<?[A-Z]>?")


@dataclass(frozen=True)
class Sight:
    """What a condition is checked against."""

    view: ViewData  # of the learner
    turns: int  # that the learner has ended since the step began

    @property
    def me(self) -> SeatView:
        return self.view.seats[0]


@dataclass(frozen=True)
class Condition:
    """One condition, as it stands in a lesson."""

    text: str
    kind: str
    value: str
    negated: bool

    def holds(self, sight: Sight) -> bool:
        return CHECKS[self.kind](sight, self.value) != self.negated


def read_condition(text: str) -> Condition:
    """Raises `ValueError` if it is none."""
    negated = text.startswith(NOT)
    kind, _, value = text.removeprefix(NOT).strip().partition(" ")
    if kind not in CHECKS:
        raise ValueError(f"{text!r}: a condition is one of {', '.join(CHECKS)}")
    if kind in _NUMBERS and not value.isdecimal():
        raise ValueError(f"{text!r}: {kind} needs a number")
    if kind == "board":
        read_pieces(split_list(value))
    if bool(value) == (kind in _WITHOUT_VALUE):
        raise ValueError(f"{text!r}: {kind} has a value too many, or none")
    return Condition(text, kind, value, negated)


def all_hold(conditions: Iterable[Condition], sight: Sight) -> bool:
    return all(condition.holds(sight) for condition in conditions)


# ---------------------------------------------------------------- the vocabulary


def _board(sight: Sight, pieces: str) -> bool:
    """Are at least these pieces on the board?"""
    wanted, held = read_pieces(split_list(pieces)), read_pieces(sight.me.board)
    return all(need <= have for need, have in zip(wanted, held, strict=True))


def _coatl(sight: Sight, pieces: str) -> bool:
    """Has a Cóatl these pieces in a row?"""
    return any(_is_part(pieces, coatl.pieces) for coatl in sight.me.coatls)


def _within(sight: Sight, pieces: str) -> bool:
    """Is every open Cóatl a part of this one?"""
    return all(_is_part(coatl.pieces, pieces) for coatl in sight.me.coatls if not coatl.complete)


def _laid(sight: Sight, card: str) -> bool:
    """Does this card lie beside a Cóatl?"""
    return any(card in cards_on(coatl) for coatl in sight.me.coatls)


def _hand(sight: Sight, card: str) -> bool:
    return card in sight.me.hand


def _temple(sight: Sight, card: str) -> bool:
    return card in sight.me.temples


def _row(sight: Sight, card: str) -> bool:
    return card in sight.view.row


def _complete(sight: Sight, number: str) -> bool:
    """Are at least so many Cóatl complete? One that cards are still laid on is not."""
    return sum(coatl.complete for coatl in sight.me.coatls) >= int(number)


def _begun(sight: Sight, number: str) -> bool:
    """Are there exactly so many Cóatl, complete ones counted?"""
    return len(sight.me.coatls) == int(number)


def _turns(sight: Sight, number: str) -> bool:
    """Has the learner ended at least so many turns in this step?"""
    return sight.turns >= int(number)


def _points(sight: Sight, number: str) -> bool:
    return sight.me.points >= int(number)


def _token(sight: Sight, token: str) -> bool:
    """Is this token still there?"""
    return token in sight.me.tokens


def _phase(sight: Sight, phase: str) -> bool:
    return sight.view.phase == phase


def _can(sight: Sight, pattern: str) -> bool:
    """Is there a legal move like this? `*` stands for anything."""
    return any(fnmatchcase(move.text, pattern) for move in sight.view.moves)


def _over(sight: Sight, _: str) -> bool:
    return sight.view.phase == "over"


def cards_on(coatl: CoatlView) -> tuple[str, ...]:
    """The Prophecy cards beside a Cóatl, and its Temple card."""
    cards = tuple(progress.card for progress in coatl.cards)
    return cards if coatl.temple is None else (*cards, coatl.temple.card)


def _is_part(part: str, whole: str) -> bool:
    """Do the pieces of one Cóatl stand in another, in a row? ``<R`` is not ``R``."""
    wanted, pieces = _PIECE.findall(part), _PIECE.findall(whole)
    places = range(len(pieces) - len(wanted) + 1)
    return any(pieces[at : at + len(wanted)] == wanted for at in places)


CHECKS: dict[str, Callable[[Sight, str], bool]] = {
    "board": _board,
    "coatl": _coatl,
    "within": _within,
    "laid": _laid,
    "hand": _hand,
    "temple": _temple,
    "row": _row,
    "complete": _complete,
    "begun": _begun,
    "turns": _turns,
    "points": _points,
    "token": _token,
    "phase": _phase,
    "can": _can,
    "over": _over,
}
_NUMBERS = ("complete", "begun", "turns", "points")
_WITHOUT_VALUE = ("over",)
