"""Players that follow the network: `artisan`, and weaker ones that make human mistakes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from coatl.compiler.records import record_array
from coatl.encode import layout as at
from coatl.encode.compiled import encode
from coatl.encode.meanings import N_ACTIONS
from coatl.encode.observe import ReadingCache
from coatl.encode.reach import encoding_tables
from coatl.encode.single import new_network_input
from coatl.moves import Move
from coatl.net import layers
from coatl.net.choice import NetworkChoice
from coatl.net.compiled import evaluate
from coatl.net.weights import Policy, WeightsError, load_policy
from coatl.players.greedy import GreedyPlayer
from coatl.rules.cards import standard_deck
from coatl.rules.chance import Chances, check_chances, numbers_below
from coatl.rules.decisions import new_choices
from coatl.view import View
from coatl.view.checks import check_moves, check_standard, check_turn

__all__ = ["APPRENTICE", "NOVICE", "NetworkPlayer", "Policy", "Strength", "WeightsError"]
__all__ += ["load_policy"]

_NUMBERS = (1 << 32) - 1  # as fine as draws are

# Fields of the observation, as (block, name), that a player may not look at.
CARD_COUNTING = (("table", "unseen"), ("table", "temples_unseen"), ("table", "bag"))
OTHERS_HANDS = (("other", "hand"), ("other", "temples"), ("other", "hand_size"))
OTHERS_PLANS = (("other", "pieces"), ("other", "laid"), ("table", "lead"))
DISTANT_LEVELS = (("open", "near_left"), ("open", "row_near"), ("open", "hand_left"))


@dataclass(frozen=True)
class Strength:
    """How well a player plays: at 0 and with nothing blanked, as well as the network can.

    `temperature` makes it waver between moves that look alike, and now and then misjudge one;
    it never takes a move that looks `blunder` times less likely than the best. `blanked` fields
    of the observation are zero to it.
    """

    temperature: float = 0.0
    blunder: float = float("inf")
    blanked: tuple[tuple[str, str], ...] = ()


NOVICE = Strength(2.8, 1e12, CARD_COUNTING + OTHERS_HANDS + OTHERS_PLANS + DISTANT_LEVELS)
APPRENTICE = Strength(1.8, 1e6, CARD_COUNTING + OTHERS_HANDS)


@lru_cache(maxsize=16)
def blanks(fields: tuple[tuple[str, str], ...]) -> npt.NDArray[np.int8]:
    """A factor for each byte of an observation: 0 where a field is blanked."""
    factors = np.ones(at.N_OBSERVED, np.int8)
    found, first = set(), 0
    for block in at.BLOCKS:
        for _ in range(block.times):
            for field in block.fields:
                if (block.name, field.name) in fields:
                    found.add((block.name, field.name))
                    factors[first + field.offset : first + field.offset + field.size] = 0
            first += block.size
    if found != set(fields):
        raise ValueError(f"the observation has no fields {sorted(set(fields) - found)}")
    return factors


class ViewEvaluator:
    """Evaluates views by a network, one at a time."""

    def __init__(self, policy: Policy) -> None:
        self._networks = NetworkChoice(policy)
        self._network = self._networks.usual
        self._input = new_network_input()
        self.observation, self.mask, self.decisions = self._input
        self._choices = new_choices()

    def observe(self, view: View) -> npt.NDArray[np.intp]:
        """Observe a view of the seat to move; the legal actions."""
        check_turn(view)
        check_standard(view)
        self._network = self._networks.of(view)
        caches = record_array(ReadingCache, 1)  # nothing but the view counts
        encode(encoding_tables(), view.known, 0, caches, self._choices, self._input)
        return np.flatnonzero(self.mask)

    def evaluate(self) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
        """Logits of all actions, and the values, of what was observed last."""
        evaluate(self._network, self._input.observation)
        activations = self._network.activations
        return activations[layers.LOGITS, :N_ACTIONS], activations[layers.VALUES, : layers.N_VALUES]


class NetworkPlayer:
    """Takes the action that the network likes best, or draws one if its strength says so.

    The network knows the standard cards only; with another deck `greedy` stands in.
    """

    strength = Strength()

    def __init__(
        self, chances: Chances, policy: Policy | None = None, strength: Strength | None = None
    ) -> None:
        check_chances(chances)
        self._chances = chances
        self._evaluator = ViewEvaluator(policy or load_policy())
        self.strength = strength or self.strength
        self._blanks = blanks(self.strength.blanked)
        self._number = np.zeros(1, np.int64)
        self._greedy = GreedyPlayer(chances)

    def choose(self, view: View, moves: Sequence[Move]) -> Move:
        if len(moves) == 1:
            return moves[0]
        check_moves(view, moves)
        if view.deck != standard_deck():
            return self._greedy.choose(view, moves)
        legal = self._evaluator.observe(view)
        action = int(legal[0])
        if len(legal) > 1:
            self._evaluator.observation *= self._blanks
            logits, _ = self._evaluator.evaluate()
            action = int(legal[self._pick(logits[legal])])
        return move_of(moves, int(self._evaluator.decisions[action]))

    def _pick(self, logits: npt.NDArray[np.float32]) -> int:
        if self.strength.temperature == 0:
            return int(logits.argmax())
        below_best = logits.astype(np.float64) - logits.max()
        odds = np.exp(below_best / self.strength.temperature)
        odds[below_best < -np.log(self.strength.blunder)] = 0
        numbers_below(self._chances, _NUMBERS, self._number)
        bounds = np.cumsum(odds) * (_NUMBERS / odds.sum())
        return min(int(np.searchsorted(bounds, self._number[0], side="right")), len(odds) - 1)


def move_of(moves: Sequence[Move], decision: int) -> Move:
    """The move that makes a decision."""
    return next(move for move in moves if move.decision == decision)
