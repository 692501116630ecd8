"""Every way to close a Cóatl for at least so many points: what proves that one answer is the best.

The solver has looked at every arrangement of the pieces and knows the most points for each set of
pieces and cards. Of the sets that are worth enough, the arrangements are written out here.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from coatl.puzzles.puzzle import Completed
from coatl.rules.cards import Deck
from coatl.rules.pieces import BODY, COLOURS, N_COLOURS, TAIL
from coatl.rules.state import LEVEL_1, NONE, States
from coatl.rules.tables import card_tables
from coatl.solver import compiled
from coatl.solver.workspace import N_TEMPLES, Room, Target, new_room


class Closing(NamedTuple):
    """A Cóatl that is closed, as it is then."""

    coatl: int  # its place among the seat's Cóatl
    completed: Completed
    value: int


class _Sets(NamedTuple):
    """What is used to close a target, by the numbers that the solver's room has for it."""

    target: int
    pieces: int
    cards: int
    temple: int  # NONE: no card
    temple_points: int


class Closings:
    """All that a seat can close in one action."""

    def __init__(self, deck: Deck, states: States, seat: int) -> None:
        self._deck = deck
        self._rooms = new_room(deck)
        self._n_targets = compiled.prepare(card_tables(deck), states, seat, self._rooms)

    @property
    def _room(self) -> Room:
        return self._rooms[0]

    def _table(self, target: int) -> Target:
        """New Cóatl are alike and share what was found."""
        return self._room.targets[int(self._room.tables[target])]

    def best(self, which: int) -> int | None:
        """The most points that this Cóatl can be closed for; None: it cannot be closed."""
        for k in range(self._n_targets):
            if int(self._room.targets[k].which) == which:
                most = int(self._table(k).most)
                return None if most == NONE else most
        return None

    def only(self, which: int | None, least: int) -> Closing | None:
        """The one way to close a Cóatl, or (None) any, for so many points; None: there are more.

        None also where a card might be laid for a while and be broken later (R2): then it would
        lie beside the same pieces, and whether it does would be a second answer.
        """
        sets = list(islice(self._sets(which, least), 2))
        if len(sets) != 1:
            return None
        found = list(islice(self._arrangements(sets[0], least), 2))
        return found[0] if len(found) == 1 and not self._breakable(sets[0]) else None

    def ways(self, which: int | None, least: int = 0) -> int:
        """How many sets of pieces and cards close a Cóatl for so many points."""
        return sum(1 for _ in self._sets(which, least))

    def may_close_two(self) -> bool:
        """Are there pieces for closing two Cóatl? Where there are, cards are not asked."""
        means = self._room.means
        there = means.counts[: means.n_kinds]
        closing = [self._used(k) for k in range(self._n_targets)]
        return any(
            bool((first[:, None] + second[None, :] <= there).all(axis=-1).any())
            for k, first in enumerate(closing)
            for second in closing[k + 1 :]
        )

    def _used(self, target: int) -> npt.NDArray[np.int64]:
        """The sets of pieces that close a target, as counts of each kind."""
        means, top = self._room.means, self._table(target).top
        closing = [self._counts(n) for n in range(means.n_piece_sets) if top[n] != NONE]
        return np.array(closing, np.int64).reshape(len(closing), int(means.n_kinds))

    def _counts(self, pieces: int) -> list[int]:
        """How many of each kind are in a set of pieces, by its number."""
        means, counts = self._room.means, []
        for k in range(means.n_kinds):
            pieces, n = divmod(pieces, int(means.counts[k]) + 1)
            counts.append(n)
        return counts

    # -------------------------------------------------------------- sets of pieces and cards

    def _sets(self, which: int | None, least: int) -> Iterator[_Sets]:
        """Pieces, cards and a Temple card that are worth enough together."""
        room = self._room
        seen_new = False
        for k in range(self._n_targets):
            target = room.targets[k]
            if which is not None and int(target.which) != which:
                continue
            if target.is_new and seen_new:
                continue  # begun as the second instead of the first, it would be the same Cóatl
            seen_new = seen_new or bool(target.is_new)
            for pieces in range(room.means.n_piece_sets):
                if int(self._table(k).top[pieces]) >= max(least, 0):
                    yield from self._card_sets(k, pieces, least)

    def _card_sets(self, k: int, pieces: int, least: int) -> Iterator[_Sets]:
        means, table = self._room.means, self._table(k)
        temples = [(NONE, 0)] if not int(means.levels) & LEVEL_1 else []
        for at in range(N_TEMPLES):
            if int(table.temple[pieces, at]) > 0:
                temples.append((at, int(table.temple[pieces, at])))
        for chosen in range(1 << int(means.n_cards)):
            points = int(table.points[pieces, chosen])
            for temple, worth in temples:
                if points != NONE and points + worth >= least:
                    yield _Sets(k, pieces, chosen, temple, worth)

    def _breakable(self, sets: _Sets) -> bool:
        """Might a card that is not part of the answer be laid before it is broken?"""
        target = self._room.targets[sets.target]
        cards = int(self._room.means.breakable) & int(target.useful) & ~sets.cards
        return bool(cards) and not target.is_pending

    # -------------------------------------------------------------- arrangements

    def _arrangements(self, sets: _Sets, least: int) -> Iterator[Closing]:
        """Each different row of these pieces that is worth enough with these cards."""
        means, target, deck = self._room.means, self._room.targets[sets.target], self._deck
        laid = [int(card) for card in target.coatl.cards[: target.coatl.n_cards]]
        chosen = [int(means.cards[k]) for k in range(means.n_cards) if sets.cards >> k & 1]
        cards = [deck.prophecies[card] for card in laid + chosen]
        seen: set[str] = set()
        for pieces in self._rows(target, sets.pieces):
            if pieces in seen:
                continue
            seen.add(pieces)
            points = [card.points(pieces) for card in cards]
            value = sum(points) + sets.temple_points
            if value >= least and all(points[len(laid) :]):
                names = tuple(sorted(card.name for card in cards))
                completed = Completed(f"<{pieces}>", names, self._temple(sets.temple))
                yield Closing(int(target.which), completed, value)

    def _temple(self, at: int) -> str | None:
        return None if at == NONE else self._deck.temples[int(self._room.means.temples[at])].name

    def _rows(self, target: Target, pieces: int) -> Iterator[str]:
        """Every row of the Cóatl as it lies and a set of pieces around it, as colours."""
        coatl = target.coatl
        lies = "".join(COLOURS[colour] for colour in coatl.colours[: coatl.length])
        heads, tails, bodies = self._by_part(pieces)
        if target.is_pending:
            yield lies
            return
        for row in _orders("".join(sorted(bodies))):
            first = 0 if coatl.has_head else len(row)  # pieces that may lie before it
            for at in range(0 if not coatl.has_tail else len(row), len(row) + 1):
                if at <= first and (not target.is_new or at == 0):
                    yield heads + row[:at] + lies + row[at:] + tails

    def _by_part(self, pieces: int) -> tuple[str, str, str]:
        """The colours of the heads, the tails and the body segments in a set of pieces."""
        parts = ["", "", ""]
        for kind, n in zip(self._room.means.kinds, self._counts(pieces), strict=False):
            part = 0 if kind < TAIL else 1 if kind < BODY else 2
            parts[part] += COLOURS[kind % N_COLOURS] * n
        return parts[0], parts[1], parts[2]


def _orders(letters: str) -> Iterator[str]:
    """Every different order of some letters."""
    if not letters:
        yield ""
    for k, letter in enumerate(letters):
        if letter not in letters[:k]:
            for rest in _orders(letters[:k] + letters[k + 1 :]):
                yield letter + rest
