"""A move as a value: its text, its number, and what it names.

The texts are described in :mod:`coatl.notation.moves`, which reads and writes them in a position.

>>> move = Move('1+K>', 37)
>>> move.kind, move.coatl, move.side, move.pieces
(<MoveKind.ADD: 'add'>, 0, <Side.RIGHT: 'right'>, ('K>',))
>>> move
Move('1+K>', 37)
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from enum import StrEnum
from typing import Any

import msgspec

from coatl.errors import NotationError
from coatl.rules.decisions import PAIR_FIRST, PAIR_SECOND, Decision, DecisionKind, decode
from coatl.rules.pieces import BODY, KIND_TEXTS, SPACES
from coatl.rules.state import NONE, TOKENS

# The Cóatl of a laid card, the card, and the place behind "@": all that a number may not tell.
_NAMES = re.compile(r"(pick |drop |(?P<coatl>[1-3]):)(?P<card>[^@\s]+)(?P<mark>@[1-9])?")


class MoveKind(StrEnum):
    """What a move does."""

    TAKE = "take"  # T1: the content of a supply space
    PICK = "pick"  # P1: a face-up card
    DRAW = "draw"  # P1: the top card of the deck
    BEGIN = "begin"  # A1: a Cóatl
    ADD = "add"  # A2: a piece to a Cóatl
    FULFIL = "fulfil"  # A3, A9(i): a Prophecy card
    TEMPLE = "temple"  # A9(ii): lay a Temple card
    TOKEN = "token"  # K1-K3: spend a Sacrifice token
    DROP = "drop"  # S5, K2: discard a card from the hand
    DONE = "done"  # end what you are doing
    PASS = "pass"  # R5
    STEP = "step"  # D4-D6: A.D.A.M.'s next step


class Side(StrEnum):
    """An end of a Cóatl (A4)."""

    LEFT = "left"
    RIGHT = "right"


class Token(StrEnum):
    """A Sacrifice token (C5)."""

    PICK = TOKENS[0]  # K1: Perfect Pick
    FUTURE = TOKENS[1]  # K2: See the Future
    PRIEST = TOKENS[2]  # K3: Priest Commitment


class Move(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """One decision in a position: its exact text, its number, and what it names.

    Text and number are enough to make one; the other fields are read from them. Places in the
    row, Cóatl and piles are counted from 0, in the text from 1.
    """

    text: str  # in the notation
    decision: int  # its number
    # what it does; made by a factory, so that JSON never leaves it out
    kind: MoveKind = msgspec.field(default_factory=lambda: MoveKind.DONE)
    space: str | None = None  # take: the supply space
    place: int | None = None  # pick: the place in the row
    card: str | None = None  # pick, fulfil, temple, drop: its name
    pieces: tuple[str, ...] = ()  # begin, add: one piece; Perfect Pick: one or two
    coatl: int | None = None  # add, fulfil, temple
    side: Side | None = None  # add
    token: Token | None = None  # token: which one
    pile: int | None = None  # temple, Priest Commitment: of Temple cards; None: the hand

    def __post_init__(self) -> None:
        names = _NAMES.fullmatch(self.text)
        card, coatl, mark = names.group("card", "coatl", "mark") if names else (None, None, None)
        fields = _fields(self.decision, card, int(coatl) - 1 if coatl else 0)
        written = _text(fields, with_place=mark is not None)
        if written != self.text:
            raise NotationError(f"{self.text!r} is not decision {self.decision}: {written!r}")
        for name, value in fields.items():
            msgspec.structs.force_setattr(self, name, value)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Move):
            return NotImplemented
        return self.decision == other.decision and self.text == other.text

    def __hash__(self) -> int:
        return hash(self.text)

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"Move({self.text!r}, {self.decision})"


def make_move(
    decision: int, card: str | None = None, coatl: int = 0, with_place: bool = False
) -> Move:
    """The move with a number; `card`, and `coatl` for a Temple card, are what the number lacks."""
    return Move(_text(_fields(decision, card, coatl), with_place), decision)


def _fields(decision: int, card: str | None, coatl: int) -> Mapping[str, Any]:
    """What a decision names."""
    try:
        numbers = decode(decision)
    except (TypeError, ValueError) as error:
        raise NotationError(str(error)) from None
    found: dict[str, Any] = {"kind": MOVE_KINDS[numbers.kind]}
    match numbers.kind:
        case DecisionKind.TAKE:
            found["space"] = SPACES[numbers.at]
        case DecisionKind.PICK:
            found |= {"place": numbers.at, "card": card}
        case DecisionKind.BEGIN:
            found["pieces"] = (KIND_TEXTS[numbers.piece],)
        case DecisionKind.ADD:
            side = Side.LEFT if numbers.is_left else Side.RIGHT
            found |= {"coatl": numbers.coatl, "side": side, "pieces": (KIND_TEXTS[numbers.piece],)}
        case DecisionKind.FULFIL:
            found |= {"coatl": numbers.coatl, "card": card}
        case DecisionKind.TEMPLE_FROM_HAND:
            found |= {"coatl": coatl, "card": card}
        case DecisionKind.TEMPLE_FROM_PILE:
            found |= {"coatl": coatl, "card": card, "pile": numbers.at}
        case DecisionKind.PERFECT_END | DecisionKind.PERFECT_PAIR:
            found |= {"token": Token.PICK, "pieces": _perfect_pieces(numbers)}
        case DecisionKind.FUTURE:
            found["token"] = Token.FUTURE
        case DecisionKind.PRIEST:
            found |= {"token": Token.PRIEST, "pile": numbers.at}
        case DecisionKind.DISCARD:
            found["card"] = card
    return found


MOVE_KINDS = {
    DecisionKind.TAKE: MoveKind.TAKE,
    DecisionKind.PICK: MoveKind.PICK,
    DecisionKind.DRAW: MoveKind.DRAW,
    DecisionKind.BEGIN: MoveKind.BEGIN,
    DecisionKind.ADD: MoveKind.ADD,
    DecisionKind.FULFIL: MoveKind.FULFIL,
    DecisionKind.TEMPLE_FROM_HAND: MoveKind.TEMPLE,
    DecisionKind.TEMPLE_FROM_PILE: MoveKind.TEMPLE,
    DecisionKind.PERFECT_END: MoveKind.TOKEN,
    DecisionKind.PERFECT_PAIR: MoveKind.TOKEN,
    DecisionKind.FUTURE: MoveKind.TOKEN,
    DecisionKind.PRIEST: MoveKind.TOKEN,
    DecisionKind.DISCARD: MoveKind.DROP,
    DecisionKind.DONE: MoveKind.DONE,
    DecisionKind.PASS: MoveKind.PASS,
    DecisionKind.STEP: MoveKind.STEP,
}


def _perfect_pieces(numbers: Decision) -> tuple[str, ...]:
    """K1: a head or a tail, or two body segments."""
    if numbers.piece != NONE:
        return (KIND_TEXTS[numbers.piece],)
    pair = PAIR_FIRST[numbers.pair], PAIR_SECOND[numbers.pair]
    return tuple(KIND_TEXTS[BODY + colour] for colour in pair)


def _text(fields: Mapping[str, Any], with_place: bool) -> str:
    """The text that the fields of a move say, with the place of its card or without."""
    kind, card, coatl = fields["kind"], fields.get("card"), fields.get("coatl", 0) + 1
    pieces, pile = fields.get("pieces", ()), fields.get("pile")
    match kind:
        case MoveKind.TAKE:
            return f"take {fields['space']}"
        case MoveKind.PICK:
            return f"pick {card}" + (f"@{fields['place'] + 1}" if with_place else "")
        case MoveKind.BEGIN:
            return f"new {pieces[0]}"
        case MoveKind.ADD:
            is_left = fields["side"] is Side.LEFT
            return f"{pieces[0]}+{coatl}" if is_left else f"{coatl}+{pieces[0]}"
        case MoveKind.FULFIL | MoveKind.TEMPLE:
            return f"{coatl}:{card}" + (f"@{pile + 1}" if with_place and pile is not None else "")
        case MoveKind.TOKEN:
            names = "".join(pieces) if pile is None else str(pile + 1)
            return f"token {fields['token']} {names}".rstrip()
        case MoveKind.DROP:
            return f"drop {card}"
    return str(kind)
