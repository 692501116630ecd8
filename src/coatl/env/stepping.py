"""One step of many games, compiled and without the GIL: each thread does a slice of the games.

A step carries out one action a game and plays on to the next real choice: decisions with one
possible action and A.D.A.M.'s steps are made here, and a finished game is dealt anew.
"""

from __future__ import annotations

from typing import Annotated

from coatl.compiler.arrays import FloatRow, Int8Row, Int16Row
from coatl.compiler.functions import kernel
from coatl.compiler.records import (
    Float64,
    Int8,
    Int8s,
    Int16,
    Int16s,
    Int64,
    Int64s,
    RecordArray,
)
from coatl.encode.meanings import mark_legal
from coatl.encode.observe import Memories, complete_points
from coatl.rules.apply import apply
from coatl.rules.chance import Chance, restart
from coatl.rules.decisions import DONE, Choices
from coatl.rules.legal import assembles
from coatl.rules.scoring import POINTS, adam_points, coatl_value, final_scores, winners
from coatl.rules.setup import set_up
from coatl.rules.state import MAX_PLAYERS, PlayerRecord, StateRecord, States
from coatl.rules.tables import Cards

TYPICAL_COATL = 12.0  # points at which a convex reward equals a plain one
ILLEGAL = -1  # in place of the decision of an action that is not legal
ALL_LEGAL = -1


class Weights:
    """What is rewarded. All zero but `win`: the game as it is."""

    win: Float64  # the game: 1 for winning alone, on average 0
    points: Float64  # a point of a Cóatl when it is completed
    open: Float64  # a point on an open Cóatl; taken back if it breaks or stays open
    rivals: Float64  # the share of a seat's points that the others lose
    convex: Float64  # 1: points are worth more in a better Cóatl (v * v / 12)
    complete: Float64  # a Cóatl completed with points, however few


class Deal:
    """The game under way in one place of the batch."""

    mode: Int16  # which of the blank states it is dealt from
    bodies: Int16  # of each colour (C2)
    stream: Int64  # of chance, for the next deal
    decisions: Int64
    complete: Annotated[Int16s, MAX_PLAYERS]  # points rewarded so far
    open: Annotated[Int16s, MAX_PLAYERS]
    adam: Int16


class Result:
    """How the last game that ended in a place went; in solo seat 1 is A.D.A.M."""

    mode: Int16
    players: Int8
    winners: Int8  # bits
    end: Int8
    complete: Annotated[Int8s, MAX_PLAYERS]  # Cóatl
    points: Annotated[Int16s, MAX_PLAYERS]
    turns: Int16
    decisions: Int16


WeightsArray = RecordArray[Weights]
AT_THE_TABLE, IN_SOLO = 0, 1  # the rows of weights
Deals = RecordArray[Deal]
Results = RecordArray[Result]


@kernel
def deal_anew(
    cards: Cards,
    blanks: States,
    states: States,
    deals: Deals,
    i: int,
    memories: Memories,
    chance: Chance,
    stride: int,
) -> None:
    """A new game in place i; the streams of chance of the places never meet."""
    deal = deals[i]
    restart(chance, int(deal.stream))
    deal.stream += stride
    deal.decisions = 0
    deal.adam = 0
    for seat in range(MAX_PLAYERS):
        deal.complete[seat] = 0
        deal.open[seat] = 0
    for k in range(len(memories[i].readings)):
        memories[i].readings[k].length = 0
    states[i] = blanks[deal.mode]
    set_up(cards, states[i], int(deal.bodies), chance)


@kernel
def open_points(cards: Cards, player: PlayerRecord) -> int:
    points = 0
    for which in range(player.n_coatls):
        if not player.coatls[which].complete:
            points += coatl_value(cards, player.coatls[which])
    return points


@kernel
def reward_assembly(
    cards: Cards, state: StateRecord, seat: int, deal: Deal, weights: Weights, rewards: FloatRow
) -> None:
    """What changed on a seat's Cóatl, to it and, as far as rivals count, to the others."""
    players = int(state.n_players)
    complete = complete_points(cards, state.players[seat])
    still_open = open_points(cards, state.players[seat])
    gained = complete - int(deal.complete[seat])
    rewards[seat] += weights.open * (still_open - int(deal.open[seat]))
    if gained != 0:
        worth = weights.points * gained
        worth *= 1.0 - weights.convex + weights.convex * gained / TYPICAL_COATL
        worth += weights.complete
        rewards[seat] += worth
        for other in range(players):
            if other != seat:
                rewards[other] -= weights.rivals * worth / (players - 1)
    deal.complete[seat] = complete
    deal.open[seat] = still_open


@kernel
def reward_adam(
    cards: Cards, state: StateRecord, deal: Deal, weights: Weights, rewards: FloatRow
) -> None:
    """In solo A.D.A.M. is the rival."""
    points = adam_points(cards, state)
    rewards[0] -= weights.rivals * weights.points * (points - int(deal.adam))
    deal.adam = points


@kernel
def finish(
    cards: Cards,
    state: StateRecord,
    deal: Deal,
    weights: Weights,
    rewards: FloatRow,
    shares: FloatRow,
    result: Result,
    scores: Int64s,
) -> None:
    """Rewards and result of a game that is over; what is still open is worth nothing (F1)."""
    players = int(state.n_players)
    final_scores(cards, state, scores)
    best = winners(state, scores)
    tied = 0
    for seat in range(players):
        tied += (best >> seat) & 1
    for seat in range(players):
        share = 1.0 / tied if (best >> seat) & 1 else 0.0
        shares[seat] = share
        rewards[seat] -= weights.open * int(deal.open[seat])
        if players == 1:
            rewards[seat] += weights.win * (2.0 * share - 1.0)
        else:
            rewards[seat] += weights.win * (share * players - 1.0) / (players - 1)
        result.complete[seat] = state.players[seat].n_complete
    for seat in range(max(players, 2)):
        result.points[seat] = scores[3 * seat + POINTS]
    result.mode = deal.mode
    result.players = players
    result.winners = best
    result.end = state.end
    result.turns = state.turn
    result.decisions = deal.decisions


@kernel
def carry_out(
    cards: Cards,
    state: StateRecord,
    decision: int,
    deal: Deal,
    weights: Weights,
    rewards: FloatRow,
    chance: Chance,
    scratch: Choices,
) -> None:
    """Apply a decision and reward what it did to the mover's Cóatl."""
    seat = int(state.current)
    apply(cards, state, decision, chance, scratch)
    deal.decisions += 1
    if assembles(decision) or decision == DONE:
        reward_assembly(cards, state, seat, deal, weights, rewards)


@kernel
def offer(known: StateRecord, legal: Choices, mask: Int8Row, decisions: Int16Row) -> int:
    """Mark the legal actions and note their decisions, ILLEGAL for the others; how many there are.

    The mask is for whoever plays, who may write to it. What is legal is looked up in `decisions`.
    """
    for action in range(len(decisions)):
        decisions[action] = ILLEGAL
    return mark_legal(known, legal, mask, decisions)
