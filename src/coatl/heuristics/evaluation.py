"""The value of a position for a seat, in points: sure points, projected ones, and the race."""

from __future__ import annotations

from coatl.compiler.functions import kernel
from coatl.compiler.records import Float64, Int8, RecordArray
from coatl.heuristics.card_potential import RIGHT, DeckTables
from coatl.heuristics.projection import Projection, projected_points
from coatl.rules.closing import best_completion, best_temple_points, closing_with_ends
from coatl.rules.pieces import BODY, HEAD, N_COLOURS, TAIL
from coatl.rules.scoring import adam_points, coatl_value, colours_laid
from coatl.rules.state import (
    MAX_COATLS,
    MAX_INCOMPLETE,
    N_TOKENS,
    NONE,
    OVER,
    TEMPLE,
    Coatl,
    PlayerRecord,
    StateRecord,
    States,
)
from coatl.rules.tables import Cards


class EvaluationWeights:
    """What things count, in points; the last four are factors."""

    complete: Float64  # a complete Cóatl, besides its value: three of them end the game
    rush: Float64  # the same, once an opponent has only one left to complete
    win: Float64  # ending the game ahead
    win_margin: Float64  # points ahead at which that counts in full
    open_coatl: Float64  # a projected point of an open Cóatl
    next_coatl: Float64  # a projected point of a Cóatl not begun yet
    temple: Float64  # a point of the best Temple card for an open Cóatl
    card: Float64  # a card in hand, whichever it is
    body: Float64  # a body segment on the board
    usable_end: Float64  # a head or tail on the board that a Cóatl lacks
    placed_end: Float64  # a head or tail of an open Cóatl
    token: Float64  # a Sacrifice token that is left
    assemble: Float64  # assembling with this action instead of the next
    next_turn: Float64  # of a gain: what it counts if it takes another turn
    opponent_needs_one: Float64  # of unfinished Cóatl, once an opponent has one to complete
    opponent_can_end: Float64  # of the same, if that opponent can complete it now


class PositionEvaluator:
    """How one seat evaluates positions. `assess_opponents` fills in the situation."""

    weights: EvaluationWeights
    # the situation
    seat: Int8
    is_last_turn: Int8  # 1: what is not complete after this turn is lost
    opponent_points: Float64  # that the best opponent can count on
    unfinished_factor: Float64  # what the value of unfinished Cóatl is multiplied by
    completion_bonus: Float64  # weights.complete or weights.rush
    # working memory
    projection: Projection
    new_coatl: Coatl  # one without pieces


PositionEvaluators = RecordArray[PositionEvaluator]


@kernel
def assess_opponents(
    cards: Cards, states: States, i: int, scratch: States, evaluator: PositionEvaluator
) -> None:
    """Fill in the situation of `evaluator.seat` in a state with all cards dealt."""
    state, weights = states[i], evaluator.weights
    evaluator.opponent_points = 0.0 if state.n_players > 1 else adam_points(cards, state)
    evaluator.unfinished_factor, evaluator.completion_bonus = 1.0, weights.complete
    evaluator.is_last_turn = 1 if state.end and state.turns_left < state.n_players else 0
    for seat in range(state.n_players):
        if seat != evaluator.seat:
            points, closing = complete_and_closing_points(cards, states, i, seat, scratch)
            evaluator.opponent_points = max(evaluator.opponent_points, points + max(closing, 0.0))
            if state.players[seat].n_complete == MAX_COATLS - 1:
                factor = weights.opponent_needs_one if closing == NONE else weights.opponent_can_end
                evaluator.unfinished_factor = min(evaluator.unfinished_factor, factor)
                evaluator.completion_bonus = weights.rush


@kernel
def complete_and_closing_points(
    cards: Cards, states: States, i: int, seat: int, scratch: States
) -> tuple[float, float]:
    """Points of a seat's complete Cóatl, and of the best open one that it could close now."""
    player = states[i].players[seat]
    points, best = 0, NONE
    for which in range(player.n_coatls):
        if player.coatls[which].complete:
            points += coatl_value(cards, player.coatls[which])
        else:
            best = max(best, closing_with_ends(cards, states, i, seat, which, scratch))
    return float(points), float(best)


@kernel
def evaluate(deck: DeckTables, state: StateRecord, evaluator: PositionEvaluator) -> float:
    """How good a position is for `evaluator.seat`."""
    player, weights = state.players[evaluator.seat], evaluator.weights
    closed, points = 0, 0
    for which in range(player.n_coatls):
        coatl = player.coatls[which]
        if coatl.has_head and coatl.has_tail:
            closed += 1
            points += closed_coatl_value(deck.cards[RIGHT], state, player, coatl)
    if state.phase == OVER or closed == MAX_COATLS or evaluator.is_last_turn:
        ahead = (points - evaluator.opponent_points) / weights.win_margin
        worst = -1.0 if state.n_players > 1 else 0.0  # behind A.D.A.M. waiting only makes it worse
        bonus = evaluator.completion_bonus * closed
        return points + bonus + weights.win * min(max(ahead, worst), 1.0)
    unfinished = unfinished_value(deck, state, player, evaluator)
    return (
        points
        + evaluator.completion_bonus * closed
        + evaluator.unfinished_factor * unfinished
        + material_value(player, weights)
    )


@kernel
def closed_coatl_value(cards: Cards, state: StateRecord, player: PlayerRecord, coatl: Coatl) -> int:
    """The value of a complete Cóatl, or the best it can get while it is being completed (A9)."""
    if coatl.complete:
        return coatl_value(cards, coatl)
    return best_completion(cards, state, player, coatl, state.phase == TEMPLE)


@kernel
def material_value(player: PlayerRecord, weights: EvaluationWeights) -> float:
    """Pieces on the board, cards in hand and tokens, whatever they will be used for."""
    heads, tails, bodies, tokens = 0, 0, 0, 0
    for colour in range(N_COLOURS):
        heads += int(player.pieces[HEAD + colour])
        tails += int(player.pieces[TAIL + colour])
        bodies += int(player.pieces[BODY + colour])
    for token in range(N_TOKENS):
        tokens += int(player.tokens[token])
    new = 1 if player.n_coatls < MAX_COATLS else 0
    headless, tailless = new, new
    for which in range(player.n_coatls):
        coatl = player.coatls[which]
        if not coatl.complete:
            headless += 0 if coatl.has_head else 1
            tailless += 0 if coatl.has_tail else 1
    ends = min(heads, headless) + min(tails, tailless)
    cards = weights.card * player.n_hand + weights.token * tokens
    return cards + weights.body * bodies + weights.usable_end * ends


@kernel
def unfinished_value(
    deck: DeckTables, state: StateRecord, player: PlayerRecord, evaluator: PositionEvaluator
) -> float:
    """Open Cóatl, each with the hand cards that suit it and are not used before, and the next."""
    weights, projection = evaluator.weights, evaluator.projection
    total, taken, count = 0.0, 0, 0
    for which in range(player.n_coatls):
        coatl = player.coatls[which]
        if not (coatl.has_head and coatl.has_tail):
            count += 1
            total += weights.placed_end * (coatl.has_head + coatl.has_tail)
            total += weights.open_coatl * projected_points(deck, projection, coatl, player, taken)
            taken |= int(projection.used)
            cards = deck.cards[RIGHT]
            laid = colours_laid(cards, coatl)
            total += weights.temple * best_temple_points(cards, state, player, coatl, laid)
    if player.n_coatls < MAX_COATLS and count < MAX_INCOMPLETE:
        new = evaluator.new_coatl
        total += weights.next_coatl * projected_points(deck, projection, new, player, taken)
    return total
