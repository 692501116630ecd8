"""The texts that compiled code writes views with (`coatl.rules.json_texts`), for each deck."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from itertools import product

import numpy as np

from coatl.compiler.records import RecordArray, record_array
from coatl.moves import Move, Token, make_move
from coatl.notation.moves import move_table
from coatl.rules import decisions
from coatl.rules import json_texts as writer
from coatl.rules.cards import Additions, Deck, Prophecy, additions_of
from coatl.rules.json_texts import ViewTexts
from coatl.rules.pieces import COLOURS, KIND_TEXTS, N_COLOURS, SPACES
from coatl.rules.state import (
    ENDS,
    MAX_COATLS,
    MAX_PROPHECIES,
    MAX_TEMPLES,
    N_PILES,
    NONE,
    PHASES,
    ROW_SIZE,
)
from coatl.view.parts import ENCODER


@lru_cache(maxsize=32)
def view_texts(deck: Deck) -> RecordArray[ViewTexts] | None:
    """The texts of a deck; None if its cards are too complicated for the tables."""
    builder = _Builder()
    try:
        builder.add_fixed()
        builder.add_cards(deck)
        builder.add_moves(deck)
        for number, card in enumerate(deck.prophecies):
            builder.add_pattern(number, card)
            builder.add_effects(number, additions_of(card))
    except _TooMuchError:
        return None
    return builder.finish()


class _TooMuchError(Exception):
    """More than fits into the tables."""


class _Builder:
    """Fills the tables."""

    def __init__(self) -> None:
        self.tables = record_array(ViewTexts, 1)
        self.into = self.tables[0]
        self.texts: dict[int, bytes] = {}
        self.numbers: dict[bytes, int] = {}  # of the texts from FIRST_FREE on
        self.n_effects = 0

    def add(self, first: int, texts: Iterable[bytes]) -> None:
        self.texts.update(enumerate(texts, first))

    def add_fixed(self) -> None:
        self.add(0, writer.FIXED)
        self.add(writer.COLOUR, [colour.encode() for colour in COLOURS])
        quoted = (
            (writer.KIND, KIND_TEXTS),
            (writer.SPACE, SPACES),
            (writer.PHASE_NAME, PHASES),
            (writer.END_NAME, ENDS),
            (writer.TOKEN_NAME, tuple(Token)),
        )
        for first, names in quoted:
            self.add(first, map(ENCODER.encode, names))

    def add_cards(self, deck: Deck) -> None:
        prophecies = [ENCODER.encode(name) for name in deck.prophecy_names]
        temples = [ENCODER.encode(name) for name in deck.temple_names]
        self.add(writer.PROPHECY, prophecies)
        self.add(writer.TEMPLE_NAME, temples)
        self.add(writer.PROPHECY_BEGIN, [b'{"card":%b,"times":' % name for name in prophecies])
        self.add(writer.TEMPLE_BEGIN, [b'{"card":%b,"met":[' % name for name in temples])

    def add_moves(self, deck: Deck) -> None:
        table = move_table(deck)
        for number, move in enumerate(table.fixed):
            if move is not None:
                self._add_move(number, move, writer.MOVE, writer.MOVE_TEXT)
        cards = [*range(len(deck.prophecies)), MAX_PROPHECIES]
        for place, card, is_alone in product(range(ROW_SIZE), cards, (False, True)):
            number = (place * (MAX_PROPHECIES + 1) + card) * 2 + is_alone
            id = card if card < MAX_PROPHECIES else NONE & 0xFF
            move = table.pick(place, id, is_alone)
            self._add_move(number, move, writer.PICK_MOVE, writer.PICK_TEXT)

        for coatl, temple in product(range(MAX_COATLS), range(len(deck.temples))):
            self._add_temple(coatl, temple, deck.temple_names[temple])

    def _add_temple(self, coatl: int, temple: int, name: str) -> None:
        """The moves that lay a Temple card on a Cóatl, from the hand and from each pile."""
        moves = [make_move(decisions.temple_from_hand(temple), name, coatl)]
        for pile, with_place in product(range(N_PILES), (True, False)):
            decision = decisions.temple_from_pile(pile)
            moves.append(make_move(decision, name, coatl, with_place=with_place))
        for source, move in enumerate(moves):
            number = (source * MAX_COATLS + coatl) * MAX_TEMPLES + temple
            self._add_move(number, move, writer.LAY_MOVE, writer.LAY_TEXT)

    def _add_move(self, number: int, move: Move, moves: int, texts: int) -> None:
        self.texts[moves + number] = ENCODER.encode(move)
        self.texts[texts + number] = ENCODER.encode(move.text)

    def add_pattern(self, number: int, card: Prophecy) -> None:
        into, pattern = self.into, card.pattern
        if len(pattern.items) > writer.MAX_ITEMS:
            raise _TooMuchError
        into.n_items[number] = len(pattern.items)
        for i, item in enumerate(pattern.items):
            into.item_colour[number, i] = NONE if item.colour is None else item.colour
            into.item_repeats[number, i] = item.repeats
        into.not_before[number] = NONE if pattern.not_before is None else pattern.not_before
        into.not_after[number] = NONE if pattern.not_after is None else pattern.not_after
        into.needs[number] = pattern.needs

    def add_effects(self, number: int, additions: Additions) -> None:
        effects, first = additions.effects, self.n_effects
        if not effects.find_all(writer.MAX_EFFECTS - first):
            raise _TooMuchError
        self.into.first_effect[number] = first
        for effect in range(len(effects.walks)):
            self.into.following[first + effect] = [
                first + effects.of_one_more(effect, colour) for colour in range(N_COLOURS)
            ]
            self._add_effect(first + effect, effect, additions)
        self.n_effects += len(effects.walks)

    def _add_effect(self, number: int, effect: int, additions: Additions) -> None:
        """What a card says besides its matches: of the next level, and what that lacks."""
        times = additions.effects.times(effect)
        for left, right in product((False, True), repeat=2):
            matches = additions.matches(((),) * times, effect, left, right)
            lacks = matches.lacks
            text = b"}"
            if lacks is not None:
                text = b',"lacks":%b}' % ENCODER.encode((lacks.left, lacks.right))
            self.into.lacks[number, 2 * left + right] = self._number(text)
            points = matches.next_points
            self.into.next_points[number] = self._number(
                b"" if points is None else b',"next_points":%d' % points
            )

    def _number(self, text: bytes) -> int:
        """Of a text that may be used often."""
        found = self.numbers.setdefault(text, writer.FIRST_FREE + len(self.numbers))
        self.texts[found] = text
        return found

    def finish(self) -> RecordArray[ViewTexts]:
        count = writer.FIRST_FREE + len(self.numbers)
        blob = b"".join([self.texts.get(number, b"") for number in range(count)])
        if count > writer.MAX_TEXTS or len(blob) > writer.MAX_TEXT_BYTES:
            raise _TooMuchError
        self.into.blob[: len(blob)] = np.frombuffer(blob, np.uint8)
        sizes = [len(self.texts.get(number, b"")) for number in range(count)]
        self.into.start[1 : count + 1] = np.cumsum(sizes)
        return self.tables
