"""What happened, as typed events: who, what, from which place to which.

A log, an animation and statistics can be made of them without knowing a rule. Events are found by
comparing the table before and after a decision; what a seat may not know is taken out for it.

Places are written ``supply.b3``, ``bag``, ``gone``, ``board.0``, ``hand.0``, ``temples.0``,
``coatl.0.2`` (seat and Cóatl, from 0), ``row.3``, ``deck``, ``discard``, ``pile.1``, and A.D.A.M.'s
``adam.holding``, ``adam.0`` (his first card) and ``adam.fulfilled``.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

import msgspec

from coatl.rules import actions as act
from coatl.rules import state as st
from coatl.rules.cards import Deck
from coatl.rules.pieces import KIND_TEXTS, N_COLOURS, SPACES, kind_of_space
from coatl.rules.state import MAX_PROPHECIES, NONE
from coatl.rules.supply import slid_place
from coatl.snapshot import AdamSnapshot, CoatlSnapshot, Snapshot


class Event(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """One thing that happened.

    ``kind``: ``piece``, ``prophecy``, ``temple`` (something moved from `source` to `target`; of a
    piece added to a Cóatl `value` is its position there, and none where it begins one),
    ``token`` (spent), ``shuffle`` (discards become the deck), ``coatl`` (completed, with its
    value), ``look`` (A.D.A.M. looked for a card and found `target` or nothing), ``turn`` (begins),
    ``pass``, ``end`` (triggered), ``over``, ``undo``.
    """

    kind: str
    seat: int | None = None  # who did it; None: A.D.A.M. or the table
    what: str | None = None  # a piece or a card; None where it is hidden from the reader
    source: str | None = None
    target: str | None = None
    value: int | None = None


@dataclass(frozen=True, slots=True)
class Recorded:
    """An event and who may know what moved: everybody, or one seat only (H1)."""

    event: Event
    only: int | None = field(default=None)

    def for_seat(self, seat: int | None) -> Event:
        if self.only is None or self.only == seat:
            return self.event
        return msgspec.structs.replace(self.event, what=None)


Found = Iterator[Recorded]


def public(
    kind: str,
    seat: int | None = None,
    what: str | None = None,
    source: str | None = None,
    target: str | None = None,
    value: int | None = None,
) -> Recorded:
    return Recorded(Event(kind, seat, what, _place(source), _place(target), value))


def _place(name: str | None) -> str | None:
    """There are few places: every event shares their names, or a log would be mostly these."""
    return None if name is None else sys.intern(name)


class Observer:
    """Turns decisions into events."""

    def __init__(self, deck: Deck) -> None:
        self.deck = deck
        self.prophecies = deck.prophecy_names
        self.temples = deck.temple_names
        self.needs = [list(card.needs) for card in deck.prophecies]

    def watch(
        self, before: Snapshot, decision: int, after: Snapshot, cards_drawn: int
    ) -> list[Recorded]:
        """The events of one decision (or one step of A.D.A.M.)."""
        found = list(self.action(before, decision, after))
        if cards_drawn > before.n_deck:
            shuffle = public("shuffle", source="discard", target="deck")
            found.insert(0 if decision == act.DRAW else len(found), shuffle)
        found += self.slides(before, decision, after)
        found += self.refills(before, decision, after)
        found += self.milestones(before, after)
        return found

    def action(self, before: Snapshot, decision: int, after: Snapshot) -> Found:
        seat = before.current
        if decision == act.STEP:
            yield from self.adam_step(before, after)
        elif decision < act.PICK:
            space = decision - act.TAKE
            for kind in kinds_in(before, space):
                place = f"supply.{SPACES[space]}"
                yield public("piece", seat, KIND_TEXTS[kind], place, f"board.{seat}")
        elif decision < act.BEGIN:
            yield from self.choosing(before, decision, after)
        elif decision < act.FULFIL:
            yield self.attaching(before, decision)
        elif decision < act.TEMPLE_FROM_HAND:
            coatl, card = divmod(decision - act.FULFIL, MAX_PROPHECIES)
            target = f"coatl.{seat}.{coatl}"
            yield public("prophecy", seat, self.prophecies[card], f"hand.{seat}", target)
        elif decision < act.PERFECT_END:
            yield from self.temple(before, decision)
        elif decision < act.DISCARD:
            yield from self.token(before, decision, after)
        elif decision < act.DONE:
            name = self.prophecies[decision - act.DISCARD]
            event = Event("prophecy", seat, name, f"hand.{seat}", "discard")
            yield Recorded(event, seat if before.phase == st.SETUP else None)
        elif decision == act.PASS:
            yield public("pass", seat)

    def choosing(self, before: Snapshot, decision: int, after: Snapshot) -> Found:
        seat = before.current
        if decision < act.DRAW:
            place = decision - act.PICK
            name = self.prophecies[before.row[place]]
            yield public("prophecy", seat, name, f"row.{place}", f"hand.{seat}")
        else:
            new = Counter(after.players[seat].hand) - Counter(before.players[seat].hand)
            name = self.prophecies[next(iter(new))]
            yield Recorded(Event("prophecy", seat, name, "deck", f"hand.{seat}"), seat)

    def attaching(self, before: Snapshot, decision: int) -> Recorded:
        seat, at = before.current, None
        coatls = before.players[seat].coatls
        if decision < act.ADD:
            kind, coatl = decision - act.BEGIN, len(coatls)
        else:
            coatl, end = divmod(decision - act.ADD, act.N_ENDS)
            kind = end - N_COLOURS if end >= act.ADD_RIGHT else end
            is_left = end < act.ADD_TAIL or act.ADD_LEFT <= end < act.ADD_RIGHT
            at = 0 if is_left else coatls[coatl].length
        place = f"coatl.{seat}.{coatl}"
        return public("piece", seat, KIND_TEXTS[kind], f"board.{seat}", place, at)

    def temple(self, before: Snapshot, decision: int) -> Found:
        seat = before.current
        target = f"coatl.{seat}.{before.pending}"
        if decision < act.TEMPLE_FROM_PILE:
            name = self.temples[decision - act.TEMPLE_FROM_HAND]
            yield public("temple", seat, name, f"temples.{seat}", target)
        else:
            pile = decision - act.TEMPLE_FROM_PILE
            yield public(
                "temple", seat, self.temples[before.pile_top[pile]], f"pile.{pile}", target
            )

    def token(self, before: Snapshot, decision: int, after: Snapshot) -> Found:
        seat = before.current
        if decision < act.FUTURE_TOKEN:
            yield public("token", seat, "pick")
            gained = Counter(dict(enumerate(after.players[seat].pieces)))
            gained.subtract(Counter(dict(enumerate(before.players[seat].pieces))))
            for kind in sorted(gained.elements()):
                yield public("piece", seat, KIND_TEXTS[kind], "bag", f"board.{seat}")
        elif decision < act.PRIEST:
            yield public("token", seat, "future")
            for place, card in enumerate(before.row):
                if card != NONE:
                    name = self.prophecies[card]
                    yield public("prophecy", seat, name, f"row.{place}", "discard")
        else:
            pile = decision - act.PRIEST
            name = self.temples[before.pile_top[pile]]
            yield public("token", seat, "priest")
            yield public("temple", seat, name, f"pile.{pile}", f"temples.{seat}")

    # -------------------------------------------------------------- what follows by itself

    def slides(self, before: Snapshot, decision: int, after: Snapshot) -> Found:
        """D3: in solo the cards of the row slide to the right before new ones come."""
        if before.n_players > 1:
            return
        row = row_left(before, decision)
        places = [place for place, card in enumerate(row) if card != NONE]
        slid = [(place, slid_place(n)) for n, place in enumerate(reversed(places))]
        if any(after.row[to] != row[place] for place, to in slid):
            return  # the turn goes on
        for place, to in slid:
            if place != to:
                name = self.prophecies[row[place]]
                yield public("prophecy", None, name, f"row.{place}", f"row.{to}")

    def refills(self, before: Snapshot, decision: int, after: Snapshot) -> Found:
        """Pieces from the bags, cards from the deck, the next card of a pile."""
        taken = taken_space(before, decision)
        for space, content in enumerate(after.supply):
            if content and (space == taken or not before.supply[space]):
                for kind in kinds_in(after, space):
                    yield public("piece", None, KIND_TEXTS[kind], "bag", f"supply.{SPACES[space]}")
        for place in new_places(before, decision, after):
            yield public(
                "prophecy", None, self.prophecies[after.row[place]], "deck", f"row.{place}"
            )
        for pile in range(st.N_PILES):
            if after.pile_size[pile] < before.pile_size[pile] and after.pile_size[pile]:
                name = self.temples[after.pile_top[pile]]
                yield public("temple", None, name, f"pile.{pile}", f"pile.{pile}")

    def milestones(self, before: Snapshot, after: Snapshot) -> Found:
        """A Cóatl completed (A9(iii)), the end triggered, a turn begun, the game over."""
        for seat, player in enumerate(after.players):
            old = before.players[seat].coatls
            for i, coatl in enumerate(player.coatls):
                if coatl.complete and not (i < len(old) and old[i].complete):
                    target, value = f"coatl.{seat}.{i}", self.value(coatl)
                    yield public("coatl", seat, coatl.pieces, target=target, value=value)
        if after.end != before.end:
            who = None if before.phase == st.ADAM else before.current
            yield public("end", who, st.ENDS[after.end])
        if after.phase == st.OVER:
            yield public("over")
        elif after.turn != before.turn:
            next_one = None if after.phase == st.ADAM else after.current
            yield public("turn", next_one, value=after.turn)

    def value(self, coatl: CoatlSnapshot) -> int:
        """A9(iii): what the cards of a Cóatl are worth."""
        laid = [self.deck.prophecies[card] for card in coatl.cards]
        points = sum(card.points(coatl.pieces) for card in laid)
        if coatl.temple != NONE:
            points += self.deck.temples[coatl.temple].points(coatl.pieces, laid)
        return points

    # -------------------------------------------------------------- A.D.A.M.

    def adam_step(self, before: Snapshot, after: Snapshot) -> Found:
        adam, then = before.adam, after.adam
        assert adam is not None
        assert then is not None
        if adam.step == st.LOOK:
            found = then.step == st.GRAB and then.looking == adam.looking
            target = f"supply.{SPACES[then.space]}" if found else None
            name = self.prophecies[adam.cards[adam.looking]]
            yield public("look", None, name, f"adam.{adam.looking}", target)
        elif adam.step == st.GRAB:
            for kind in kinds_in(before, adam.space):
                place = f"supply.{SPACES[adam.space]}"
                yield public("piece", None, KIND_TEXTS[kind], place, "adam.holding")
        elif adam.step == st.PLACE:
            yield from self.placing(before, after)
        elif adam.step == st.COMPLETE:
            yield from self.fulfilling(before, after, adam, then)
        elif adam.step == st.REFILL:
            last = max(i for i, card in enumerate(before.row) if card != NONE)
            name = self.prophecies[before.row[last]]
            yield public("prophecy", None, name, f"row.{last}", f"adam.{len(adam.cards)}")

    def is_filled(self, adam: AdamSnapshot, which: int) -> bool:
        held = [sum(adam.pieces[which][colour::N_COLOURS]) for colour in range(N_COLOURS)]
        return held == self.needs[adam.cards[which]]

    def placing(self, before: Snapshot, after: Snapshot) -> Found:
        """D5: one piece from what he holds to a card, or out of the game."""
        adam, then = before.adam, after.adam
        assert adam is not None
        assert then is not None
        kind = next(k for k, n in enumerate(adam.holding) if then.holding[k] < n)
        onto = [i for i, old in enumerate(adam.pieces) if then.pieces[i][kind] > old[kind]]
        target = f"adam.{onto[0]}" if onto else "gone"
        yield public("piece", None, KIND_TEXTS[kind], "adam.holding", target)

    def fulfilling(
        self, before: Snapshot, after: Snapshot, adam: AdamSnapshot, then: AdamSnapshot
    ) -> Found:
        """D6: a card to his pile; its pieces to the cards that are left, or out of the game."""
        which = next(i for i in range(len(adam.cards)) if self.is_filled(adam, i))
        name = self.prophecies[adam.cards[which]]
        yield public("prophecy", None, name, f"adam.{which}", "adam.fulfilled")
        kept = [pieces for i, pieces in enumerate(adam.pieces) if i != which]
        for i in range(len(then.cards)):
            for kind in gained(kept[i], then.pieces[i]):
                target = f"adam.{i + (i >= which)}"  # places as they were before the row closes up
                yield public("piece", None, KIND_TEXTS[kind], f"adam.{which}", target)
        for kind in gained(before.gone, after.gone):
            yield public("piece", None, KIND_TEXTS[kind], f"adam.{which}", "gone")


def gained(before: Sequence[int], after: Sequence[int]) -> Iterable[int]:
    return [kind for kind, n in enumerate(after) for _ in range(n - before[kind])]


@lru_cache(maxsize=16)
def observer_of(deck: Deck) -> Observer:
    """An observer keeps nothing of a game, so one does for all games with a deck."""
    return Observer(deck)


def kinds_in(table: Snapshot, space: int) -> list[int]:
    """The kinds of the pieces in a supply space."""
    return [kind_of_space(space) + colour for colour in table.supply[space]]


def taken_space(before: Snapshot, decision: int) -> int:
    if decision < act.PICK:
        return decision - act.TAKE
    if decision == act.STEP and before.adam is not None and before.adam.step == st.GRAB:
        return before.adam.space
    return NONE


def row_left(before: Snapshot, decision: int) -> list[int]:
    """The row once a decision has taken its cards out, before anything slides or is refilled."""
    row = list(before.row)
    if act.PICK <= decision < act.DRAW:
        row[decision - act.PICK] = NONE
    elif decision == act.FUTURE_TOKEN:
        row = [NONE] * len(row)
    elif decision == act.STEP and before.adam is not None and before.adam.step == st.REFILL:
        row[max(place for place, card in enumerate(row) if card != NONE)] = NONE
    return row


def new_places(before: Snapshot, decision: int, after: Snapshot) -> list[int]:
    """The places of the row that were filled from the deck, in the order they were."""
    row = row_left(before, decision)
    if before.n_players > 1:
        return [i for i, card in enumerate(after.row) if card != NONE and row[i] == NONE]
    old, now = (sum(card != NONE for card in cards) for cards in (row, after.row))
    return [slid_place(n) for n in range(old, now)]
