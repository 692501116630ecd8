"""Decisions in words: exact, readable, the same in every language.

====================  ==============================================================
``take b3``           T1: the content of a supply space (``b1``-``b6``, ``h1 h2``, ``t1 t2``)
``pick YK+R``         P1: a face-up card; ``pick YK+R@4`` where it lies more than once
``draw``              P1: the top card of the deck
``new <K``            A1: begin with a head, ``new K`` a body segment, ``new K>`` a tail
``<K+1`` ``R+1``      A2: to the left end of Cóatl 1
``1+R`` ``1+K>``      A2: to the right end of Cóatl 1
``1:KKK``             A3, A9(i): fulfil a Prophecy card with Cóatl 1
``1:noK/8``           A9(ii): a Temple card from the hand or from a pile; ``1:noK/8@2`` from
                      pile 2 where the name alone is not enough
``token pick BG``     K1: two body segments; ``token pick <K`` a head, ``token pick K>`` a tail
``token future``      K2
``token priest 1``    K3: the top of pile 1 or 2
``drop KKK``          S5, K2: discard from the hand
``done``              end what you are doing
``pass``              R5
``step``              A.D.A.M.'s next automatic step
====================  ==============================================================
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache, lru_cache
from typing import NamedTuple, Protocol

from coatl.errors import NotationError
from coatl.moves import Move, make_move
from coatl.reasons import reason_of
from coatl.rules import decisions
from coatl.rules.cards import Deck
from coatl.rules.causes import Cause
from coatl.rules.decisions import DecisionKind, decode
from coatl.rules.pieces import BODY, COLOURS, KIND_OF_TEXT, N_COLOURS, SPACES
from coatl.rules.snapshot import Snapshot
from coatl.rules.state import NONE, ROW_SIZE, StateRecord

NO_NAME = "-"  # of a card that is not there
MOST_ROWS = 4096  # whose moves are kept
_ADD = re.compile(r"(?P<left>\S+)\+(?P<to>[1-9])|(?P<at>[1-9])\+(?P<right>\S+)")
_LAY = re.compile(r"(?P<coatl>[1-9]):(?P<card>[^@\s]+)(@(?P<pile>[12]))?")
_DEPENDENT = (
    DecisionKind.PICK,
    DecisionKind.TEMPLE_FROM_HAND,
    DecisionKind.TEMPLE_FROM_PILE,
)


class MoveContext(Protocol):
    """What the text of a move depends on, besides its number."""

    @property
    def row(self) -> bytes:
        """The face-up Prophecy cards, one signed byte each."""

    @property
    def pile_top(self) -> Sequence[int]: ...

    @property
    def pending(self) -> int:
        """The Cóatl being completed, or NONE."""

    @property
    def temples(self) -> Sequence[int]:
        """The Temple cards in the hand of the seat to move."""


class Context(NamedTuple):
    """A context that was read before."""

    row: bytes
    pile_top: Sequence[int]
    pending: int
    temples: Sequence[int]


def context_of(state: StateRecord | Snapshot) -> Context:
    player = state.players[state.current]
    temples = [int(card) for card in player.temples[: player.n_temples]]
    row = bytes([int(card) & 0xFF for card in state.row])
    return Context(row, [int(top) for top in state.pile_top], int(state.pending), temples)


# ---------------------------------------------------------------- writing


class MoveTable:
    """The moves of a deck, each made once: almost all of them are the same in every position."""

    def __init__(self, deck: Deck) -> None:
        self.deck = deck
        self.fixed = [self._fixed_move(number) for number in range(decisions.N_DECISIONS)]
        self._picks: dict[bytes, list[Move]] = {}  # by row
        self.pick = cache(self._make_pick)

    def _fixed_move(self, decision: int) -> Move | None:
        """The move that a number is in every position; None if it depends on the position."""
        numbers = decode(decision)
        if numbers.kind in _DEPENDENT:
            return None
        names_card = numbers.card != NONE
        return make_move(decision, self._prophecy_name(numbers.card) if names_card else None)

    def move(self, decision: int, context: MoveContext) -> Move:
        """The move with a number in a position; raises `ValueError` if there is no such number."""
        fixed = self.fixed[decision] if 0 <= decision < decisions.N_DECISIONS else None
        if fixed is not None:
            return fixed
        numbers = decode(decision)
        if numbers.kind is DecisionKind.PICK:
            return self.picks(context.row)[numbers.at]
        coatl = max(context.pending, 0)
        if numbers.kind is DecisionKind.TEMPLE_FROM_HAND:
            return make_move(decision, self._temple_name(numbers.card), coatl)
        top = context.pile_top[numbers.at]
        # Does the name alone tell where the card comes from: one pile only, and not the hand?
        is_clear = top not in context.temples and list(context.pile_top).count(top) == 1
        return make_move(decision, self._temple_name(top), coatl, with_place=not is_clear)

    def several(self, numbers: Sequence[int], row: bytes) -> tuple[Move, ...]:
        """The moves with these numbers where no Temple card is to be laid."""
        fixed, picks = self.fixed, self.picks(row)
        return tuple([fixed[number] or picks[number - decisions.PICK] for number in numbers])

    def picks(self, row: bytes) -> list[Move]:
        """The moves that take the cards of a row."""
        found = self._picks.get(row)
        if found is None:
            if len(self._picks) >= MOST_ROWS:
                self._picks.clear()
            found = self._picks[row] = [
                self.pick(place, card, row.count(card) == 1) for place, card in enumerate(row)
            ]
        return found

    def _make_pick(self, place: int, card: int, is_alone: bool) -> Move:
        name = NO_NAME if card == _NO_CARD else self._prophecy_name(card)
        with_place = card == _NO_CARD or not is_alone
        return make_move(decisions.pick(place), name, with_place=with_place)

    def _prophecy_name(self, card: int) -> str:
        names = self.deck.prophecy_names
        return names[card] if card < len(names) else f"card#{card}"

    def _temple_name(self, card: int) -> str:
        names = self.deck.temple_names
        if card == NONE:
            return NO_NAME
        return names[card] if card < len(names) else f"temple#{card}"


_NO_CARD = NONE & 0xFF


@lru_cache(maxsize=16)
def move_table(deck: Deck) -> MoveTable:
    return MoveTable(deck)


# ---------------------------------------------------------------- reading


def parse_decision(deck: Deck, context: MoveContext, text: str) -> int:
    """The decision a text names in a position; raises `NotationError` saying what was expected."""
    words = text.split()
    match words:
        case ["take", space] if space in SPACES:
            return decisions.take(SPACES.index(space))
        case ["take", *_]:
            raise NotationError(f"{text!r}: take names a space, one of {', '.join(SPACES)}")
        case ["pick", card]:
            return _parse_pick(deck, context, card)
        case ["new", piece] if piece in KIND_OF_TEXT:
            return decisions.begin(KIND_OF_TEXT[piece])
        case ["new", *_]:
            raise NotationError(f"{text!r}: new names a piece, like <K, K or K>")
        case ["token", *rest]:
            return _parse_token(text, rest)
        case ["drop", card]:
            return decisions.discard(_prophecy(deck, card))
        case ["draw" | "done" | "pass" | "step" as word]:
            return {
                "draw": decisions.DRAW,
                "done": decisions.DONE,
                "pass": decisions.PASS,
                "step": decisions.STEP,
            }[word]
        case [word] if ":" in word:
            return _parse_lay(deck, context, word)
        case [word] if "+" in word:
            return _parse_addition(word)
    raise NotationError(
        f"cannot read {text!r}; a move is like 'take b3', 'pick YG', 'draw', 'new <K', '1+R', "
        "'1:KKK', 'token future', 'drop YG', 'done' or 'pass'"
    )


def _prophecy(deck: Deck, name: str) -> int:
    if name not in deck.prophecy_ids:
        raise NotationError(f"no Prophecy card is named {name!r}")
    return deck.prophecy_ids[name]


def _parse_pick(deck: Deck, context: MoveContext, text: str) -> int:
    name, sign, place = text.partition("@")
    if sign:
        if place not in tuple("123456"):
            raise NotationError(f"the row has places 1 to {ROW_SIZE}, not {place!r}")
        at = int(place) - 1
        if context.row[at] != (_NO_CARD if name == NO_NAME else _prophecy(deck, name)):
            raise NotationError(f"{name} does not lie at place {place} of the row")
        return decisions.pick(at)
    places = [at for at in range(ROW_SIZE) if context.row[at] == _prophecy(deck, name)]
    if not places:
        raise NotationError(f"{name} does not lie face up")
    return decisions.pick(places[0])


def _parse_token(text: str, words: list[str]) -> int:
    match words:
        case ["future"]:
            return decisions.FUTURE_TOKEN
        case ["priest", "1" | "2" as pile]:
            return decisions.priest(int(pile) - 1)
        case ["pick", piece] if piece in KIND_OF_TEXT and KIND_OF_TEXT[piece] < BODY:
            return decisions.perfect_pick(KIND_OF_TEXT[piece])
        case ["pick", pair] if len(pair) == 2 and set(pair) <= set(COLOURS):
            return decisions.perfect_pick(*(BODY + COLOURS.index(letter) for letter in pair))
    raise NotationError(
        f"{text!r}: a token is 'token pick BG' (or <K, K>), 'token future' or 'token priest 1'"
    )


def _parse_lay(deck: Deck, context: MoveContext, word: str) -> int:
    found = _LAY.fullmatch(word)
    if found is None or int(found["coatl"]) > 3:
        raise NotationError(f"{word!r}: a card is laid like 1:KKK, on Cóatl 1, 2 or 3")
    coatl, name = int(found["coatl"]) - 1, found["card"]
    if name in deck.prophecy_ids:
        if found["pile"]:
            raise NotationError(f"{word!r}: the piles hold Temple cards")
        return decisions.fulfil(coatl, deck.prophecy_ids[name])
    if name not in deck.temple_ids:
        raise NotationError(f"no card is named {name!r}")
    if coatl != max(context.pending, 0):
        raise NotationError(f"{word!r}: a Temple card goes on the Cóatl just closed (A9)")
    temple = deck.temple_ids[name]
    tops = list(context.pile_top)
    if found["pile"]:
        pile = int(found["pile"]) - 1
        if tops[pile] != temple:
            raise NotationError(f"{name} is not the top of pile {pile + 1}")
        return decisions.temple_from_pile(pile)
    if temple in context.temples or temple not in tops:
        return decisions.temple_from_hand(temple)
    return decisions.temple_from_pile(tops.index(temple))


def _parse_addition(word: str) -> int:
    found = _ADD.fullmatch(word)
    piece = (found["left"] or found["right"]) if found else None
    coatl = int(found["to"] or found["at"]) - 1 if found else 3
    if found is None or piece not in KIND_OF_TEXT or coatl > 2:
        raise NotationError(f"{word!r}: a piece is added like <K+1, R+1, 1+R or 1+K>")
    kind = KIND_OF_TEXT[piece]
    left = found["left"] is not None
    if (kind < BODY) and left != (kind < N_COLOURS):
        why = reason_of(Cause.A4_TAIL_SIDE if left else Cause.A4_HEAD_SIDE)
        raise NotationError(f"{word!r}: {why.text} (A4)", why)
    return decisions.add(coatl, kind, left)
