"""Looks one decision ahead, on one guess at what it cannot see, and takes the best."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from coatl.compiler.records import copy_records
from coatl.moves import Move
from coatl.rules import compiled
from coatl.rules.chance import Chances, check_chances
from coatl.rules.decisions import DecisionKind, decode, new_choices
from coatl.rules.pieces import BOARD_SPACES, BODY, COLOURS, HEAD, N_COLOURS, TAIL
from coatl.rules.snapshot import CoatlSnapshot, PlayerSnapshot, Snapshot
from coatl.rules.state import MAX_COATLS, MAX_INCOMPLETE, NONE, States, new_states
from coatl.view import CardProgress, View, progress
from coatl.view.checks import check_moves

ASSEMBLY = (DecisionKind.BEGIN, DecisionKind.ADD, DecisionKind.FULFIL)


@dataclass(frozen=True, slots=True)
class GreedyWeights:
    """Weights of the greedy evaluation, in points where a comment says nothing else."""

    complete: float = 3.0  # a complete Cóatl, besides its value: the race counts
    rush: float = 12.0  # the same, once somebody else has completed two
    laid: float = 0.95  # a point of a card laid on an open Cóatl: it may still be broken
    closing: float = 0.6  # a point that closing an open Cóatl now would score
    fitting: float = 0.75  # a point of a hand card that an open Cóatl satisfies
    on_board: float = 0.88  # factor for each missing piece that is on the board
    elsewhere: float = 0.5  # factor for each missing piece that is not
    card: float = 0.3  # a card in hand, whatever it says
    body: float = 0.06  # a body segment on the board
    ends: float = 0.8  # a head or tail on the board that a Cóatl can use
    placed_end: float = 0.9  # a head or tail in its place
    placed: float = 0.1  # a piece on an open Cóatl: it is out of the way
    room: float = 0.1  # a free space on the board, as long as they are few
    few: int = 4
    token: float = 1.2  # a Sacrifice token that is left
    tempo: float = 0.4  # what assembling has to gain to be worth an action


class GreedyPlayer:
    """Tries every legal move on one sample of the hidden cards."""

    def __init__(self, chances: Chances, weights: GreedyWeights | None = None) -> None:
        check_chances(chances)
        self._chances = chances
        self._weights = weights or GreedyWeights()
        self._after = new_states()
        self._scratch = new_states()
        self._choices = new_choices()
        self._values = np.zeros(6, np.int64)

    def choose(self, view: View, moves: Sequence[Move]) -> Move:
        if len(moves) == 1:
            return moves[0]
        check_moves(view, moves)
        sample = view.sample(self._chances).records
        return max(moves, key=lambda move: self._value_after(view, sample, move))

    def _value_after(self, view: View, sample: States, move: Move) -> float:
        copy_records(self._after, sample)
        compiled.apply(view.cards, self._after, 0, move.decision, self._chances, self._choices)
        starts_assembly = view.data.phase == "main" and decode(move.decision).kind in ASSEMBLY
        return self.evaluate(view, self._after) - self._weights.tempo * starts_assembly

    def evaluate(self, view: View, states: States) -> float:
        """How good a position is for the seat of the view."""
        weights, seat = self._weights, view.seat
        players = Snapshot.of(states).players
        player = players[seat]
        late = any(other.n_complete >= MAX_COATLS - 1 for other in players if other is not player)
        complete = weights.rush if late else weights.complete
        compiled.coatl_values(view.cards, states, 0, seat, self._scratch, self._values)
        total = weights.card * len(player.hand) + weights.body * sum(player.pieces[BODY:])
        total += weights.token * sum(player.tokens)
        total += weights.room * min(BOARD_SPACES - sum(player.pieces), weights.few)
        still_open = []
        for which, coatl in enumerate(player.coatls):
            value, closing = int(self._values[which]), int(self._values[3 + which])
            if coatl.has_head and coatl.has_tail:  # complete, or about to be
                total += max(value, closing) + complete
                continue
            still_open.append(coatl)
            total += max(
                weights.laid * value, weights.closing * (0 if closing == NONE else closing)
            )
            total += weights.placed_end * (coatl.has_head + coatl.has_tail)
            total += weights.placed * coatl.length
        total += weights.ends * usable_ends(player, still_open)
        return total + self._potential_of_cards(view, player, still_open)

    def _potential_of_cards(
        self, view: View, player: PlayerSnapshot, coatls: Sequence[CoatlSnapshot]
    ) -> float:
        """What cards may still score: those in hand where they fit best, laid ones in place."""
        cards = view.deck.prophecies
        board = [
            sum(player.pieces[kind] for kind in range(colour, len(player.pieces), N_COLOURS))
            for colour in range(N_COLOURS)
        ]
        places = [coatl.pieces for coatl in coatls]
        if len(coatls) < MAX_INCOMPLETE and len(player.coatls) < MAX_COATLS:
            places.append("")  # a Cóatl not begun yet
        total = 0.0
        for card in player.hand:
            found = [self._potential(progress(cards[card], pieces), board) for pieces in places]
            total += max(found, default=0.0)
        for coatl in coatls:
            for card in coatl.cards:
                seen = progress(cards[card], coatl.pieces)
                total += max(
                    self._potential(seen, board) - self._weights.fitting * seen.points, 0.0
                )
        return total

    def _potential(self, found: CardProgress, board: Sequence[int]) -> float:
        """Points now, or those of the next level, less for each piece that is still missing."""
        now = self._weights.fitting * found.points
        if found.lacks is None or found.next_points is None:
            return now
        left, later = list(board), float(found.next_points) * self._weights.fitting
        for letter in found.lacks[0] + found.lacks[1]:
            colour = COLOURS.index(letter)
            later *= self._weights.on_board if left[colour] > 0 else self._weights.elsewhere
            left[colour] -= 1
        return max(now, later)


def usable_ends(player: PlayerSnapshot, coatls: Sequence[CoatlSnapshot]) -> int:
    """Heads and tails on the board, as far as open Cóatl (or the next one) lack them."""
    new = 1 if not coatls and len(player.coatls) < MAX_COATLS else 0
    heads = sum(not coatl.has_head for coatl in coatls) + new
    tails = sum(not coatl.has_tail for coatl in coatls) + new
    return min(heads, sum(player.pieces[HEAD:TAIL])) + min(tails, sum(player.pieces[TAIL:BODY]))
