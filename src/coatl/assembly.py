"""The best that a seat can assemble in one action, proven by looking at all of it, with its moves.

Only what the seat has and sees counts: its pieces, its cards, and the Temple cards on top of the
piles. Nothing is hoped for from chance: once a Temple card is taken from a pile, the one below it
is not planned with.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from coatl.moves import Move
from coatl.rules.cards import Deck
from coatl.rules.chance import new_chance
from coatl.rules.decisions import DONE, add, begin, fulfil, temple_from_hand, temple_from_pile
from coatl.rules.pieces import COLOURS, N_COLOURS
from coatl.rules.state import (
    ASSEMBLE,
    FULFIL,
    MAIN,
    N_PILES,
    NONE,
    STATE,
    TEMPLE,
    States,
)
from coatl.rules.tables import card_tables
from coatl.solver import compiled
from coatl.solver.workspace import TEMPLES_IN_HAND, Room, new_room
from coatl.state import State, Tools

HEAD_AND_TAIL = "<", ">"


class ClosedCoatl(NamedTuple):
    """A Cóatl that an assembly closes, as it is then."""

    coatl: int  # its place among the seat's Cóatl
    pieces: str  # from head to tail, such as ``<KRRB>``
    cards: tuple[str, ...]  # Prophecy cards beside it, those that lay there before included
    temple: str | None
    value: int


class Assembly(NamedTuple):
    """The best of all assemblies for some end, and the moves that lead there.

    Of those that are worth the same it uses the fewest pieces, and of these the fewest cards.
    """

    value: int  # points of all complete Cóatl after it, or of the one that was to be closed
    closed: tuple[ClosedCoatl, ...]  # in the order of the moves
    moves: tuple[Move, ...]  # without the `done` that ends the action

    @property
    def gain(self) -> int:
        """What the Cóatl that it closes are worth together."""
        return sum(closed.value for closed in self.closed)


def best_assembly(deck: Deck, states: States, seat: int) -> Assembly:
    """The assembly after which the complete Cóatl of a seat are worth most, from now on.

    If it is not the seat's turn, or it is doing something else, as if an action of its began.
    """
    solver = _SOLVER.of(deck)
    solver.prepare(states, seat)
    found = solver.plan(compiled.SUM)
    closed, moves = ((), ()) if found is None else found
    sure = _complete_points(states, seat, solver.trial)
    return Assembly(sure + sum(coatl.value for coatl in closed), closed, moves)


def best_closings(deck: Deck, states: States, seat: int) -> tuple[Assembly | None, ...]:
    """For each Cóatl of a seat, and for one to be begun, how it can be closed for most points.

    None where it is complete or cannot be closed in one action. Other Cóatl are closed only if they
    have to be (A1, A9).
    """
    solver = _SOLVER.of(deck)
    targets = solver.prepare(states, seat)
    n_coatls = int(states[0].players[seat].n_coatls)
    found: list[Assembly | None] = [None] * (n_coatls + 1)
    for target, which in enumerate(targets):
        if which <= n_coatls:
            plan = solver.plan(target)
            found[which] = None if plan is None else Assembly(plan[0][-1].value, *plan)
    return tuple(found)


Plan = tuple[tuple[ClosedCoatl, ...], tuple[Move, ...]]


class _Solver:
    """Room for one search at a time, and a state on which plans are played."""

    def __init__(self, deck: Deck) -> None:
        self.deck, self.cards = deck, card_tables(deck)
        self.rooms = new_room(deck)
        self.trial = State(bytes(STATE.itemsize), Tools(deck, new_chance("solver")))
        self.start = b""  # of the trial
        self.seat = 0

    def prepare(self, states: States, seat: int) -> list[int]:
        """Get ready for plans of a seat; the Cóatl that might be closed, by their places."""
        self.seat, self.start = seat, _in_action(states, seat)
        n = compiled.prepare(self.cards, states, seat, self.rooms)
        return [int(self.room.targets[target].which) for target in range(n)]

    @property
    def room(self) -> Room:
        return self.rooms[0]

    def plan(self, goal: int) -> Plan | None:
        """What the best plan for a goal closes, and its moves; None if there is none."""
        if not compiled.find_plan(self.cards, self.rooms, goal):
            return None
        self.trial.restore(self.start)
        line = _Line(self)
        closed = tuple([line.close(target) for target in self.order()])
        return closed, tuple(line.moves)

    def order(self) -> list[int]:
        """The targets that are closed, in an order that is legal.

        The one being completed comes first (A9), one that has to wait for another's end last (A1).
        Those with a Temple card from a pile come late: what that reveals may add a question.
        """
        room = self.room
        closed = [k for k in range(room.n_targets) if room.best[k].pieces != NONE]
        return sorted(
            closed,
            key=lambda k: (
                not room.targets[k].is_pending,
                k == room.needs_closed,
                room.best[k].temple >= TEMPLES_IN_HAND,
            ),
        )


class _Solvers(threading.local):
    """One for each thread, for the deck that it was last asked about."""

    latest: _Solver | None = None

    def of(self, deck: Deck) -> _Solver:
        if self.latest is None or self.latest.deck is not deck:
            self.latest = _Solver(deck)
        return self.latest


_SOLVER = _Solvers()


def _in_action(states: States, seat: int) -> bytes:
    """A state in which the seat goes on with its assembly, or begins an action.

    Each pile has only the card on top, so that none is revealed.
    """
    copy: States = states.copy()
    state = copy[0]
    if state.current != seat or state.phase not in (MAIN, ASSEMBLE, FULFIL, TEMPLE):
        state.current, state.phase, state.pending = seat, MAIN, NONE
        state.actions_left, state.second_action, state.picked = 1, 0, 0
    for pile in range(N_PILES):
        state.pile_size[pile] = 0 if state.pile_top[pile] == NONE else 1
    return copy.tobytes()


def _complete_points(states: States, seat: int, trial: State) -> int:
    trial.restore(states.tobytes())
    coatls = states[0].players[seat].coatls
    return sum(value for k, value in enumerate(trial.values(seat)) if coatls[k].complete)


# ---------------------------------------------------------------- the moves of a plan


class _Line:
    """Plays a plan by the rules, Cóatl by Cóatl."""

    def __init__(self, solver: _Solver) -> None:
        self.solver, self.state = solver, solver.trial
        self.player = solver.trial.records[0].players[solver.seat]
        self.moves: list[Move] = []

    def play(self, decision: int) -> None:
        self.moves.append(self.state.move(decision))
        self.state.apply(decision)

    @property
    def phase(self) -> int:
        return int(self.state.records[0].phase)

    def close(self, target: int) -> ClosedCoatl:
        """Close and complete one Cóatl as the plan says."""
        room = self.solver.room
        best = room.best[target]
        chosen = [k for k in range(room.means.n_cards) if best.cards >> k & 1]
        cards = [int(room.means.cards[k]) for k in chosen]
        n_steps = compiled.arrange(self.solver.cards, self.solver.rooms, target)
        which = int(room.targets[target].which)
        if room.targets[target].is_new:
            which = int(self.player.n_coatls)
        if not room.targets[target].is_pending:
            steps = [int(step) for step in room.walk.path[:n_steps]]
            for card in self.attach(target, which, steps, cards):
                cards.remove(card)
        for card in cards:
            self.play(fulfil(which, card))
        if self.phase == FULFIL:
            self.play(DONE)
        if self.phase == TEMPLE:
            self.play(self.temple(int(best.temple)))
        return self.closed_coatl(which, int(best.value))

    def temple(self, place: int) -> int:
        if place == NONE:
            return DONE
        if place < TEMPLES_IN_HAND:
            return temple_from_hand(int(self.solver.room.means.temples[place]))
        return temple_from_pile(place - TEMPLES_IN_HAND)

    def attach(self, target: int, which: int, steps: list[int], cards: list[int]) -> list[int]:
        """Attach the pieces of an arrangement; the cards that were laid on the way."""
        means = self.solver.room.means
        kinds = [NONE if step == NONE else int(means.kinds[step]) for step in steps]
        coatl = self.player.coatls[which]
        growth = Growth(self.solver.deck, kinds, coatl.colours[: coatl.length].tolist())
        early = [card for card in cards if not growth.is_met(card, 0, growth.length)]
        for step in growth.order(early):
            if step.card != NONE:
                self.play(fulfil(which, step.card))
            elif coatl.length == 0:
                self.play(begin(step.kind))
            else:
                self.play(add(which, step.kind, step.is_left))
        return early

    def closed_coatl(self, which: int, value: int) -> ClosedCoatl:
        coatl, deck = self.player.coatls[which], self.solver.deck
        head, tail = HEAD_AND_TAIL
        letters = "".join(COLOURS[colour] for colour in coatl.colours[: coatl.length])
        names = [deck.prophecy_names[card] for card in coatl.cards[: coatl.n_cards]]
        temple = None if coatl.temple == NONE else deck.temple_names[coatl.temple]
        return ClosedCoatl(which, f"{head}{letters}{tail}", tuple(names), temple, value)


class GrowthStep(NamedTuple):
    """A piece that is attached, or a card that is laid."""

    kind: int = NONE
    is_left: bool = False
    card: int = NONE


class Growth:
    """How a Cóatl becomes an arrangement: it grows at both ends, one piece at a time.

    `kinds` are the pieces of the arrangement, NONE where the Cóatl with these `colours` lies. A
    stage begins at piece `left` and ends before piece `right`.
    """

    def __init__(self, deck: Deck, kinds: Sequence[int], colours: Sequence[int]) -> None:
        self.deck = deck
        place = kinds.index(NONE) if NONE in kinds else 0
        before, after = kinds[:place], kinds[place + 1 if NONE in kinds else 0 :]
        self.kinds = [*before, *[NONE] * len(colours), *after]
        self.length = len(self.kinds)
        self.pieces = "".join(
            [COLOURS[kind % N_COLOURS] for kind in before]
            + [COLOURS[colour] for colour in colours]
            + [COLOURS[kind % N_COLOURS] for kind in after]
        )
        self.first = place if colours else NONE  # where the Cóatl lies; NONE: it is not begun
        self.end = place + len(colours)

    def is_met(self, card: int, left: int, right: int) -> bool:
        return self.deck.prophecies[card].points(self.pieces[left:right]) > 0

    def order(self, early: Sequence[int]) -> list[GrowthStep]:
        """An order of the pieces in which all `early` cards can be laid before it is closed."""
        for left, right, steps in self.beginnings():
            found = self.grow(left, right, frozenset(early))
            if found is not None:
                return steps + found
        raise AssertionError("the solver found cards that cannot be laid")

    def beginnings(self) -> Iterator[tuple[int, int, list[GrowthStep]]]:
        if self.first != NONE:
            yield self.first, self.end, []
        else:
            for at, kind in enumerate(self.kinds):
                yield at, at + 1, [GrowthStep(kind)]

    def grow(self, left: int, right: int, early: frozenset[int]) -> list[GrowthStep] | None:
        """From a stage to the whole arrangement: at the left end first, if nothing forbids it."""
        if (left, right) == (0, self.length):
            return None if early else []
        now = [card for card in sorted(early) if self.is_met(card, left, right)]
        steps = [GrowthStep(card=card) for card in now]
        rest = early.difference(now)
        if left > 0:
            found = self.grow(left - 1, right, rest)
            if found is not None:
                return [*steps, GrowthStep(self.kinds[left - 1], is_left=True), *found]
        if right < self.length:
            found = self.grow(left, right + 1, rest)
            if found is not None:
                return [*steps, GrowthStep(self.kinds[right]), *found]
        return None
