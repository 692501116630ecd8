"""A deck as one record of arrays, for the kernel: automata, points, needs, requirements."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Annotated

from coatl.compiler.records import Int8, Int8s, Int16s, Int64s, RecordArray, UInt16s, record_array
from coatl.rules.cards import Deck, DeckError
from coatl.rules.patterns import END
from coatl.rules.pieces import COLOUR_NAMES, N_COLOURS
from coatl.rules.state import MAX_PROPHECIES, MAX_TEMPLES

MAX_ROWS = 4096  # automaton states of all cards together
MAX_TIMES = 31  # the highest level a card may ask for
MAX_REQUIREMENTS = 4
COUNTED = 1 << 15  # flag in `transition`: this piece completes a match


def packed_counts(counts: Sequence[int]) -> int:
    """Pieces of each colour as one number, a byte a colour (`Coatl.counts`, `Cards.wanted`)."""
    return sum(count << (8 * colour) for colour, count in enumerate(counts))


class Cards:
    """What the kernel knows of the cards, by card id."""

    n_prophecies: Int8
    n_temples: Int8
    start: Annotated[Int16s, MAX_PROPHECIES]  # first row of the card's automaton
    transition: Annotated[UInt16s, MAX_ROWS, 8]  # [row, colour or END] -> row | COUNTED
    wanted: Annotated[Int64s, MAX_PROPHECIES]  # pieces its lowest level cannot do without
    points: Annotated[Int8s, MAX_PROPHECIES, MAX_TIMES + 1]  # by times met (Q4)
    colour: Annotated[Int8s, MAX_PROPHECIES]  # card colour
    copies: Annotated[Int8s, MAX_PROPHECIES]
    promo: Annotated[Int8s, MAX_PROPHECIES]
    needs: Annotated[Int8s, MAX_PROPHECIES, N_COLOURS]  # of A.D.A.M. (D4)
    best: Annotated[Int8s, MAX_PROPHECIES]  # points of the highest level (D9)
    n_requirements: Annotated[Int8s, MAX_TEMPLES]
    requirement: Annotated[Int8s, MAX_TEMPLES, MAX_REQUIREMENTS, 3]  # kind, a, b (Q7)
    temple_points: Annotated[Int8s, MAX_TEMPLES, MAX_REQUIREMENTS + 1]  # by requirements met
    temple_copies: Annotated[Int8s, MAX_TEMPLES]
    temple_promo: Annotated[Int8s, MAX_TEMPLES]


CardTables = RecordArray[Cards]  # of one element


@lru_cache(maxsize=32)
def card_tables(deck: Deck) -> CardTables:
    """The tables of a deck, as an array of one record."""
    if len(deck.prophecies) > MAX_PROPHECIES or len(deck.temples) > MAX_TEMPLES:
        raise DeckError(
            f"a deck may have {MAX_PROPHECIES} different Prophecy and {MAX_TEMPLES} Temple cards"
        )
    tables = record_array(Cards, 1)
    into = tables[0]
    into.n_prophecies = len(deck.prophecies)
    into.n_temples = len(deck.temples)
    _lay_out_automata(deck, into)
    for i, card in enumerate(deck.prophecies):
        lowest = min(card.levels)
        into.wanted[i] = packed_counts([need * lowest for need in card.pattern.needs])
        into.points[i] = [card.points_for(times) for times in range(MAX_TIMES + 1)]
        into.colour[i] = COLOUR_NAMES.index(card.colour)
        into.copies[i] = card.copies
        into.promo[i] = card.promo
        into.needs[i] = card.needs
        into.best[i] = card.best_points
    for i, temple in enumerate(deck.temples):
        into.n_requirements[i] = len(temple.requirements)
        for j, requirement in enumerate(temple.requirements):
            into.requirement[i, j] = (requirement.kind, requirement.a, requirement.b)
            into.temple_points[i, j + 1] = temple.levels[j]
        into.temple_copies[i] = temple.copies
        into.temple_promo[i] = temple.promo
    return tables


def _lay_out_automata(deck: Deck, into: Cards) -> None:
    first = 0
    for i, card in enumerate(deck.prophecies):
        rows = card.automaton.rows
        if first + len(rows) > MAX_ROWS:
            raise DeckError(f"the patterns up to {card.name!r} are too complicated together")
        into.start[i] = first
        for state, row in enumerate(rows):
            for symbol in range(END + 1):
                following, counted = row[symbol]
                entry = (first + following) | (COUNTED if counted else 0)
                into.transition[first + state, symbol] = entry
        first += len(rows)
