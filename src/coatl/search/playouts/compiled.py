"""The entry for playing games out: how far ahead a seat ends after a decision of its own.

It trusts its arguments; `coatl.search.playouts.playouts.Playouts` checks them.
"""

from __future__ import annotations

from coatl.compiler.arrays import Int8Row
from coatl.compiler.functions import kernel
from coatl.compiler.jit import long_entry
from coatl.compiler.packages import describe
from coatl.compiler.records import Int64s
from coatl.encode.meanings import N_ACTIONS
from coatl.net.layers import LOGITS
from coatl.rules.apply import apply
from coatl.rules.chance import Chances, restart
from coatl.rules.knowledge import complete
from coatl.rules.scoring import POINTS, final_scores
from coatl.search.simulation import (
    NOW,
    ROOT,
    NetworkEvaluator,
    Workspace,
    evaluate_position,
    play_to_choice,
)
from coatl.search.tree import SearchTree

describe(__name__, "playouts", 30)


@kernel
def likeliest_decision(evaluator: NetworkEvaluator, workspace: Workspace, tree: SearchTree) -> int:
    """What the network likes best in the position that a game has come to."""
    evaluate_position(evaluator, workspace, tree, False)
    probabilities = evaluator.network.activations[LOGITS]
    best = -1
    for action in range(N_ACTIONS):
        if workspace.mask[action] and (best < 0 or probabilities[action] > probabilities[best]):
            best = action
    return int(workspace.decisions[best])


@kernel
def lead_in_points(players: int, seat: int, scores: Int64s) -> float:
    """How many points a seat has more than the mean of the others; in solo, than A.D.A.M. (D9)."""
    others, columns = 0.0, max(players, 2)
    for other in range(columns):
        if other != seat:
            others += float(scores[3 * other + POINTS])
    return float(scores[3 * seat + POINTS]) - others / (columns - 1)


@long_entry
def play_out(
    evaluator: NetworkEvaluator,
    workspace: Workspace,
    tree: SearchTree,
    chances: Chances,
    stop: Int8Row,
    seat: int,
    decision: int,
    games: int,
) -> float:
    """The seat's mean lead at the end of so many games that begin with a decision of its.

    Each is dealt and draws by a stream of its own of `chances`, the same for every decision.
    `stop[0]` ends it from another thread; what it returns then means nothing.
    """
    legal, scores = workspace.choices[0], workspace.scores
    cards, state, chance = evaluator.tables.cards[0], workspace.states[NOW], chances[0]
    total = 0.0
    for stream in range(games):
        if stop[0] != 0:
            break
        restart(chance, stream)
        workspace.states[NOW] = workspace.states[ROOT]
        complete(state, seat, chance)
        apply(cards, state, decision, chance, legal)
        while play_to_choice(cards, workspace, chance) > 0:
            apply(cards, state, likeliest_decision(evaluator, workspace, tree), chance, legal)
        final_scores(cards, state, scores)
        total += lead_in_points(int(state.n_players), seat, scores)
    return total / games
