"""Finds out what happened: compares the table before and after a decision."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from coatl.events import (
    ADAM_FULFILLED,
    ADAM_HOLDING,
    BAG,
    DECK,
    DISCARD,
    GONE,
    End,
    Event,
    EventKind,
    Recorded,
    Spot,
    adam_card,
    board,
    card_moved,
    coatl_place,
    hand,
    piece_moved,
    pile,
    row,
    supply_place,
    temples,
)
from coatl.moves import Move, Token
from coatl.rules import state as st
from coatl.rules.cards import Deck
from coatl.rules.decisions import DECISIONS, STEP, Decision, DecisionKind
from coatl.rules.pieces import N_COLOURS, kind_of_space
from coatl.rules.snapshot import AdamSnapshot, CoatlSnapshot, Snapshot
from coatl.rules.state import NONE
from coatl.rules.supply import slid_place

Found = Iterator[Recorded]
PROPHECY, TEMPLE = EventKind.PROPHECY, EventKind.TEMPLE
ADAM_STEP = DECISIONS[STEP]
CARDS_TAKEN = (DecisionKind.PICK, DecisionKind.FUTURE, DecisionKind.STEP)  # from the row


class Observer:
    """Turns decisions into events."""

    def __init__(self, deck: Deck) -> None:
        self.deck = deck
        self.prophecies = deck.prophecy_names
        self.temples = deck.temple_names
        self.needs = [list(card.needs) for card in deck.prophecies]

    def made(self, before: Snapshot, move: Move) -> Recorded:
        """That somebody decided; R13: which cards are discarded at setup is their secret."""
        seat = before.current
        decision = DECISIONS[move.decision]
        is_secret = decision.kind is DecisionKind.DISCARD and before.phase == st.SETUP
        return Recorded(Event(EventKind.MOVE, seat, move=move), seat if is_secret else None)

    def watch(
        self, before: Snapshot, decision: Decision, after: Snapshot, cards_drawn: int
    ) -> list[Recorded]:
        """What one decision (or one step of A.D.A.M.) did."""
        found = list(self.action(before, decision, after))
        if cards_drawn > before.n_deck:
            shuffle = Recorded(Event(EventKind.SHUFFLE, source=DISCARD, target=DECK))
            found.insert(0 if decision.kind is DecisionKind.DRAW else len(found), shuffle)
        found += self.slides(before, decision, after)
        found += self.refills(before, decision, after)
        found += self.milestones(before, after)
        return found

    def action(self, before: Snapshot, decision: Decision, after: Snapshot) -> Found:
        seat = before.current
        match decision.kind:
            case DecisionKind.STEP:
                yield from self.adam_step(before, after)
            case DecisionKind.TAKE:
                for kind in kinds_in(before, decision.at):
                    yield piece_moved(seat, kind, supply_place(decision.at), board(seat))
            case DecisionKind.PICK:
                name = self.prophecies[before.row[decision.at]]
                yield card_moved(PROPHECY, seat, name, row(decision.at), hand(seat))
            case DecisionKind.DRAW:
                new = Counter(after.players[seat].hand) - Counter(before.players[seat].hand)
                name = self.prophecies[next(iter(new))]
                yield card_moved(PROPHECY, seat, name, DECK, hand(seat), only=seat)
            case DecisionKind.BEGIN | DecisionKind.ADD:
                yield self.attaching(before, decision)
            case DecisionKind.FULFIL:
                target = coatl_place(seat, decision.coatl)
                yield card_moved(PROPHECY, seat, self.prophecies[decision.card], hand(seat), target)
            case DecisionKind.DISCARD:
                only = seat if before.phase == st.SETUP else None  # R13
                name = self.prophecies[decision.card]
                yield card_moved(PROPHECY, seat, name, hand(seat), DISCARD, only)
            case DecisionKind.PASS:
                yield Recorded(Event(EventKind.PASS, seat))
            case _:
                yield from self.temple_or_token(before, decision, after)

    def attaching(self, before: Snapshot, decision: Decision) -> Recorded:
        seat, at = before.current, None
        if decision.kind is DecisionKind.ADD:
            number = decision.coatl
            at = 0 if decision.is_left else before.coatl_length(seat, number)
        else:
            number = before.coatl_count(seat)
        return piece_moved(seat, decision.piece, board(seat), coatl_place(seat, number), at)

    def temple_or_token(self, before: Snapshot, decision: Decision, after: Snapshot) -> Found:
        seat = before.current
        match decision.kind:
            case DecisionKind.TEMPLE_FROM_HAND:
                target = coatl_place(seat, before.pending)
                name = self.temples[decision.card]
                yield card_moved(TEMPLE, seat, name, temples(seat), target)
            case DecisionKind.TEMPLE_FROM_PILE:
                target = coatl_place(seat, before.pending)
                yield self.top_taken(before, decision.at, target)
            case DecisionKind.PERFECT_END | DecisionKind.PERFECT_PAIR:
                yield Recorded(Event(EventKind.TOKEN, seat, token=Token.PICK))
                for kind in gained(before.players[seat].pieces, after.players[seat].pieces):
                    yield piece_moved(seat, kind, BAG, board(seat))
            case DecisionKind.FUTURE:
                yield Recorded(Event(EventKind.TOKEN, seat, token=Token.FUTURE))
                for number, card in enumerate(before.row):
                    if card != NONE:
                        name = self.prophecies[card]
                        yield card_moved(PROPHECY, seat, name, row(number), DISCARD)
            case DecisionKind.PRIEST:
                yield Recorded(Event(EventKind.TOKEN, seat, token=Token.PRIEST))
                yield self.top_taken(before, decision.at, temples(seat))

    def top_taken(self, before: Snapshot, number: int, target: Spot) -> Recorded:
        name = self.temples[before.pile_top[number]]
        return card_moved(TEMPLE, before.current, name, pile(number), target)

    # -------------------------------------------------------------- what follows by itself

    def slides(self, before: Snapshot, decision: Decision, after: Snapshot) -> Found:
        """D3: in solo the cards of the row slide to the right before new ones come."""
        if before.n_players > 1:
            return
        left = row_left(before, decision)
        places = [number for number, card in enumerate(left) if card != NONE]
        slid = [(number, slid_place(n)) for n, number in enumerate(reversed(places))]
        if any(after.row[to] != left[number] for number, to in slid):
            return  # the turn goes on
        for number, to in slid:
            if number != to:
                name = self.prophecies[left[number]]
                yield card_moved(PROPHECY, None, name, row(number), row(to))

    def refills(self, before: Snapshot, decision: Decision, after: Snapshot) -> Found:
        """Pieces from the bags, cards from the deck, the next card of a pile."""
        taken = taken_space(before, decision)
        # What was taken may have come again, so that nothing looks changed.
        is_same = taken == NONE and after.has_same("supply", before)
        for space, content in enumerate(() if is_same else after.supply):
            if content and (space == taken or not before.supply[space]):
                for kind in kinds_in(after, space):
                    yield piece_moved(None, kind, BAG, supply_place(space))
        is_same = decision.kind not in CARDS_TAKEN and after.has_same("row", before)
        for number in () if is_same else new_places(before, decision, after):
            name = self.prophecies[after.row[number]]
            yield card_moved(PROPHECY, None, name, DECK, row(number))
        for number in () if after.has_same("pile_size", before) else range(st.N_PILES):
            if after.pile_size[number] < before.pile_size[number] and after.pile_size[number]:
                name = self.temples[after.pile_top[number]]
                yield card_moved(TEMPLE, None, name, pile(number), pile(number))

    def milestones(self, before: Snapshot, after: Snapshot) -> Found:
        """A Cóatl completed (A9(iii)), the end triggered, a turn begun, the game over."""
        is_same = after.completed == before.completed
        for seat, player in enumerate(() if is_same else after.players):
            old = before.players[seat].coatls
            for i, coatl in enumerate(player.coatls):
                if coatl.complete and not (i < len(old) and old[i].complete):
                    target, points = coatl_place(seat, i), self.value(coatl)
                    yield Recorded(
                        Event(
                            EventKind.COATL,
                            seat,
                            target=target,
                            pieces=coatl.pieces,
                            points=points,
                        )
                    )
        if after.end != before.end:
            who = None if before.phase == st.ADAM else before.current
            yield Recorded(Event(EventKind.END, who, end=End(st.ENDS[after.end])))
        if after.phase == st.OVER:
            yield Recorded(Event(EventKind.OVER))
        elif after.turn != before.turn:
            next_one = None if after.phase == st.ADAM else after.current
            yield Recorded(Event(EventKind.TURN, next_one, turn=after.turn))

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
            target = supply_place(then.space) if found else None
            name, source = self.prophecies[adam.cards[adam.looking]], adam_card(adam.looking)
            yield Recorded(Event(EventKind.LOOK, card=name, source=source, target=target))
        elif adam.step == st.GRAB:
            for kind in kinds_in(before, adam.space):
                yield piece_moved(None, kind, supply_place(adam.space), ADAM_HOLDING)
        elif adam.step == st.PLACE:
            yield self.placing(adam, then)
        elif adam.step == st.COMPLETE:
            yield from self.fulfilling(before, after, adam, then)
        elif adam.step == st.REFILL:
            last = max(i for i, card in enumerate(before.row) if card != NONE)
            name = self.prophecies[before.row[last]]
            yield card_moved(PROPHECY, None, name, row(last), adam_card(len(adam.cards)))

    def is_filled(self, adam: AdamSnapshot, which: int) -> bool:
        held = [sum(adam.pieces[which][colour::N_COLOURS]) for colour in range(N_COLOURS)]
        return held == self.needs[adam.cards[which]]

    def placing(self, adam: AdamSnapshot, then: AdamSnapshot) -> Recorded:
        """D5: one piece from what he holds to a card, or out of the game."""
        kind = next(k for k, n in enumerate(adam.holding) if then.holding[k] < n)
        onto = [i for i, old in enumerate(adam.pieces) if then.pieces[i][kind] > old[kind]]
        return piece_moved(None, kind, ADAM_HOLDING, adam_card(onto[0]) if onto else GONE)

    def fulfilling(
        self, before: Snapshot, after: Snapshot, adam: AdamSnapshot, then: AdamSnapshot
    ) -> Found:
        """D6: a card to his pile; its pieces to the cards that are left, or out of the game."""
        which = next(i for i in range(len(adam.cards)) if self.is_filled(adam, i))
        name, source = self.prophecies[adam.cards[which]], adam_card(which)
        yield card_moved(PROPHECY, None, name, source, ADAM_FULFILLED)
        kept = [pieces for i, pieces in enumerate(adam.pieces) if i != which]
        for i in range(len(then.cards)):
            for kind in gained(kept[i], then.pieces[i]):
                # Places are as they were before the row of his cards closes up.
                yield piece_moved(None, kind, source, adam_card(i + (i >= which)))
        for kind in gained(before.gone, after.gone):
            yield piece_moved(None, kind, source, GONE)


def gained(before: Sequence[int], after: Sequence[int]) -> Iterable[int]:
    return [kind for kind, n in enumerate(after) for _ in range(n - before[kind])]


@lru_cache(maxsize=16)
def observer_of(deck: Deck) -> Observer:
    """An observer keeps nothing of a game, so one does for all games with a deck."""
    return Observer(deck)


def kinds_in(table: Snapshot, space: int) -> list[int]:
    """The kinds of the pieces in a supply space."""
    return [kind_of_space(space) + colour for colour in table.supply[space]]


def taken_space(before: Snapshot, decision: Decision) -> int:
    if decision.kind is DecisionKind.TAKE:
        return decision.at
    if decision is ADAM_STEP and before.adam is not None and before.adam.step == st.GRAB:
        return before.adam.space
    return NONE


def row_left(before: Snapshot, decision: Decision) -> list[int]:
    """The row once a decision has taken its cards out, before anything slides or is refilled."""
    left = list(before.row)
    if decision.kind is DecisionKind.PICK:
        left[decision.at] = NONE
    elif decision.kind is DecisionKind.FUTURE:
        left = [NONE] * len(left)
    elif decision is ADAM_STEP and before.adam is not None and before.adam.step == st.REFILL:
        left[max(number for number, card in enumerate(left) if card != NONE)] = NONE
    return left


def new_places(before: Snapshot, decision: Decision, after: Snapshot) -> list[int]:
    """The places of the row that were filled from the deck, in the order they were."""
    left = row_left(before, decision)
    if tuple(left) == after.row:
        return []
    if before.n_players > 1:
        return [i for i, card in enumerate(after.row) if card != NONE and left[i] == NONE]
    old, now = (sum(card != NONE for card in cards) for cards in (left, after.row))
    return [slid_place(n) for n in range(old, now)]
