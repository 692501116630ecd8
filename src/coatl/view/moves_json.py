"""The legal moves of a view as JSON, from moves that were encoded once."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from coatl.moves import Move
from coatl.notation.moves import move_table
from coatl.rules import decisions
from coatl.rules.cards import Deck
from coatl.view.parts import ENCODER

EncodedMove = tuple[bytes, bytes]  # all of it, and its text


def moves_json(deck: Deck, row: bytes, legal: Sequence[int], final: Sequence[int]) -> bytes:
    """The members `moves` and `final` of a view where no Temple card is to be laid.

    Each has a comma before it. `final` are some of the numbers in `legal`, in the same order.
    """
    fixed, picks = _fixed(deck), _picks(deck, row)
    moves = [fixed[number] or picks[number - decisions.PICK] for number in legal]
    found = b',"moves":[%b]' % b",".join([move for move, _ in moves])
    if not final:
        return found
    last = [fixed[number] or picks[number - decisions.PICK] for number in final]
    return b'%b,"final":[%b]' % (found, b",".join([text for _, text in last]))


def _encoded(move: Move) -> EncodedMove:
    return ENCODER.encode(move), ENCODER.encode(move.text)


@lru_cache(maxsize=16)
def _fixed(deck: Deck) -> list[EncodedMove | None]:
    """By number; None for those that depend on the position."""
    return [None if move is None else _encoded(move) for move in move_table(deck).fixed]


@lru_cache(maxsize=4096)
def _picks(deck: Deck, row: bytes) -> list[EncodedMove]:
    """Those that take the cards of a row, by place."""
    return [_encoded(move) for move in move_table(deck).picks(row)]
