"""Players that follow the network: `artisan`, and weaker ones that make human mistakes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from coatl.compiler.records import record_array
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
from coatl.players.last_action import best_last_move
from coatl.players.weaknesses import (
    ALWAYS,
    CLOSES_EARLY,
    FORGETS_TOKENS,
    HOARDS,
    NO_COUNTING,
    NO_HANDS,
    NO_RIVALS,
    ONE_END,
    OVERLOOKS,
    USES_UP,
    Actions,
    Attention,
    Weakness,
)
from coatl.rules.cards import standard_deck
from coatl.rules.chance import Chances, check_chances, numbers_below
from coatl.rules.decisions import new_choices
from coatl.rules.state import States
from coatl.view import View
from coatl.view.checks import check_moves, check_standard, check_turn

__all__ = ["APPRENTICE", "ARTISAN", "NOVICE", "NetworkPlayer", "Policy", "Strength", "WeightsError"]
__all__ += ["load_policy"]

_NUMBERS = (1 << 32) - 1  # as fine as draws are


@dataclass(frozen=True)
class Strength:
    """How well a player plays: at 0 and without weaknesses, as well as the network can.

    `temperature` makes it waver between moves that look alike, and now and then misjudge one;
    it never takes a move that looks `blunder` times less likely than the best. `odds` are how
    often its weaknesses show (`Attention`). `reckons` is whether it works out its last action.
    """

    temperature: float = 0.0
    blunder: float = float("inf")
    odds: tuple[tuple[Weakness, float], ...] = ()
    reckons: bool = False


NOVICE = Strength(
    odds=(
        (OVERLOOKS, 0.45),
        (CLOSES_EARLY, 0.15),
        (HOARDS, 0.3),
        (USES_UP, 0.3),
        (FORGETS_TOKENS, 0.5),
        (ONE_END, ALWAYS),
        (NO_COUNTING, ALWAYS),
        (NO_HANDS, ALWAYS),
        (NO_RIVALS, ALWAYS),
    )
)
ARTISAN = Strength(reckons=True)
APPRENTICE = Strength(3.0, 1e6, ((NO_COUNTING, ALWAYS), (NO_HANDS, ALWAYS)))


class ViewEvaluator:
    """Evaluates views by a network, one at a time."""

    def __init__(self, policy: Policy) -> None:
        self._networks = NetworkChoice(policy)
        self._network = self._networks.usual
        self._input = new_network_input()
        self.observation, self.mask, self.decisions = self._input
        self._choices = new_choices()

    def observe(self, view: View) -> Actions:
        """Observe a view of the seat to move; the legal actions."""
        check_turn(view)
        check_standard(view)
        self._network = self._networks.of(view)
        return self.observe_known(view.known)

    def observe_known(self, known: States) -> Actions:
        """The same from what a seat knows, or believes; it is trusted."""
        caches = record_array(ReadingCache, 1)  # nothing but the view counts
        encode(encoding_tables(), known, 0, caches, self._choices, self._input)
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
        self._attention = Attention(dict(self.strength.odds), chances)
        self._number = np.zeros(1, np.int64)
        self._greedy = GreedyPlayer(chances)

    def choose(self, view: View, moves: Sequence[Move]) -> Move:
        if len(moves) == 1:
            return moves[0]
        check_moves(view, moves)
        if view.deck != standard_deck():
            return self._greedy.choose(view, moves)
        if self.strength.reckons and (move := best_last_move(view, self._chances)) is not None:
            return move
        actions = self._look(view)
        action = int(actions[0])
        if len(actions) > 1:
            logits, _ = self._evaluator.evaluate()
            action = int(actions[self._pick(logits[actions])])
        return move_of(moves, int(self._evaluator.decisions[action]))

    def _look(self, view: View) -> Actions:
        """Observe what it sees of a view; the legal actions that come to mind."""
        self._attention.begin(view)
        legal = self._evaluator.observe(view)
        seen = self._attention.seen(view)
        if seen is not view.known:
            in_sight = np.intersect1d(legal, self._evaluator.observe_known(seen))
            # Where nothing is left to do it looks again.
            legal = in_sight if len(in_sight) else self._evaluator.observe(view)
        return self._attention.consider(self._evaluator.observation, legal)

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
