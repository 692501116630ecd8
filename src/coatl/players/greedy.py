"""Looks one decision ahead and takes what looks best, on a guess of what it cannot see."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from coatl.moves import Move
from coatl.rules import kernel
from coatl.rules.actions import new_choices
from coatl.rules.chance import Chances
from coatl.rules.pieces import BODY, HEAD, TAIL
from coatl.rules.state import MAX_COATLS, NONE, States, new_states
from coatl.snapshot import CoatlSnapshot, PlayerSnapshot, Snapshot
from coatl.view import View, progress


@dataclass(frozen=True, slots=True)
class Weights:
    """What a position is worth to a greedy player, in points."""

    complete: float = 1.5  # a complete Cóatl, besides its value: the race counts
    laid: float = 0.9  # a point of a card laid on an open Cóatl: it may still be broken
    closing: float = 0.75  # a point that closing an open Cóatl now would score
    fitting: float = 0.5  # a point of a hand card that an open Cóatl satisfies
    nearby: float = 0.8  # a hand card shared by the pieces it still lacks
    card: float = 0.35  # a card in hand
    body: float = 0.12  # a body segment on the board
    ends: float = 0.9  # a head or tail on the board that an open Cóatl can use
    placed: float = 0.14  # a piece on an open Cóatl, up to the usual length
    token: float = 0.6  # a Sacrifice token that is left
    usual_length: int = 9


class GreedyPlayer:
    """Tries every legal move on one sample of the hidden cards."""

    def __init__(self, chances: Chances, weights: Weights | None = None) -> None:
        self._chances = chances
        self._weights = weights or Weights()
        self._after = new_states()
        self._scratch = new_states()
        self._choices = new_choices()
        self._values = np.zeros(6, np.int64)

    def choose(self, view: View, moves: Sequence[Move]) -> Move:
        if len(moves) == 1:
            return moves[0]
        sample = view.sample(self._chances)
        return max(moves, key=lambda move: self._worth_after(view, sample, move))

    def _worth_after(self, view: View, sample: States, move: Move) -> float:
        self._after[:] = sample
        kernel.apply(view.cards, self._after, 0, move.decision, self._chances, self._choices)
        return self.worth(view, self._after)

    def worth(self, view: View, states: States) -> float:
        """How good a position looks for the seat of the view."""
        weights, seat = self._weights, view.seat
        player = Snapshot(states).players[seat]
        kernel.coatl_values(view.cards, states, 0, seat, self._scratch, self._values)
        worth = weights.card * len(player.hand) + weights.body * sum(player.pieces[BODY:])
        worth += weights.token * sum(player.tokens)
        still_open = []
        for which, coatl in enumerate(player.coatls):
            value, closing = int(self._values[which]), int(self._values[3 + which])
            if coatl.complete:
                worth += value + weights.complete
                continue
            still_open.append(coatl)
            worth += max(
                weights.laid * value, weights.closing * (closing if closing != NONE else 0)
            )
            worth += weights.placed * min(coatl.length, weights.usual_length)
        worth += weights.ends * self._usable_ends(player, still_open)
        return worth + sum(self._promise(view, card, still_open) for card in player.hand)

    @staticmethod
    def _usable_ends(player: PlayerSnapshot, coatls: Sequence[CoatlSnapshot]) -> int:
        """Heads and tails on the board, as far as open Cóatl (or the next one) lack them."""
        new = 1 if not coatls and len(player.coatls) < MAX_COATLS else 0
        heads = sum(not coatl.has_head for coatl in coatls) + new
        tails = sum(not coatl.has_tail for coatl in coatls) + new
        return min(heads, sum(player.pieces[HEAD:TAIL])) + min(tails, sum(player.pieces[TAIL:BODY]))

    def _promise(self, view: View, card: int, coatls: Sequence[CoatlSnapshot]) -> float:
        """What a hand card promises on the open Cóatl that suits it best."""
        prophecy = view.deck.prophecies[card]
        best = 0.0
        for coatl in coatls:
            found = progress(prophecy, coatl.pieces)
            if found.points:
                best = max(best, self._weights.fitting * found.points)
            elif found.lacks is not None:
                missing = len(found.lacks[0]) + len(found.lacks[1])
                best = max(best, self._weights.nearby / missing)
        return best
