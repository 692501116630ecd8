"""One step of the games of a batch, in compiled code.

A step carries out one action and plays on to the next real choice: decisions with one possible
action and A.D.A.M.'s steps are made here, and a finished game is replaced by a new one. Where only
one seat is asked, so are those of the other seats, at random.
"""

from __future__ import annotations

from typing import Annotated, NamedTuple

from coatl.compiler.arrays import FloatGrid, FloatRow, Int8Grid, Int8Row, Int16Grid, Int16Row
from coatl.compiler.functions import inline_kernel, kernel
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
from coatl.encode.observe import ReadingCaches, complete_points, forget_readings, observe
from coatl.encode.reach import EncodingTables
from coatl.rules.apply import apply
from coatl.rules.chance import Chance, Chances, below, restart
from coatl.rules.compiled import ChoiceLists
from coatl.rules.decisions import DONE, Choices
from coatl.rules.knowledge import redact
from coatl.rules.legal import assembles
from coatl.rules.listing import list_legal
from coatl.rules.scoring import POINTS, adam_points, coatl_value, final_scores, winners
from coatl.rules.setup import set_up
from coatl.rules.state import MAX_PLAYERS, OVER, PlayerRecord, StateRecord, States
from coatl.rules.tables import Cards

TYPICAL_COATL = 12.0  # points at which a convex reward equals a plain one
ILLEGAL = -1  # in place of the decision of an action that is not legal
ALL_LEGAL = -1
WAIT = -1  # in place of an action: nothing happens in this game
EVERY_SEAT = -1  # in place of a seat: all of them are asked


class RewardWeights:
    """What is rewarded; with all but `win` at zero, the game as it is."""

    win: Float64  # the game: 1 for winning alone, on average 0
    points: Float64  # a point of a Cóatl when it is completed
    open: Float64  # a point on an open Cóatl; taken back if it breaks or stays open
    rivals: Float64  # the share of a seat's points that the others lose
    convex: Float64  # 1: points are worth more in a better Cóatl (v * v / 12)
    complete: Float64  # a Cóatl completed with points, however few


class Deal:
    """What is known of a game under way besides its state."""

    mode: Int16  # which of the blank states it is dealt from
    bodies: Int16  # of each colour (C2)
    stream: Int64  # of chance, for the next deal
    streams: Int64  # how far it is from there to the stream of the deal after it
    asked: Int8  # the seat that is asked, the others play at random; or EVERY_SEAT
    decisions: Int64
    complete: Annotated[Int16s, MAX_PLAYERS]  # points rewarded so far
    open: Annotated[Int16s, MAX_PLAYERS]
    adam: Int16


class FinishedGame:
    """How the last game that ended in a place went; in solo seat 1 is A.D.A.M."""

    mode: Int16
    players: Int8
    winners: Int8  # bits
    end: Int8
    complete: Annotated[Int8s, MAX_PLAYERS]  # Cóatl
    points: Annotated[Int16s, MAX_PLAYERS]
    turns: Int16
    decisions: Int16


RewardWeightsArray = RecordArray[RewardWeights]
AT_THE_TABLE, IN_SOLO = 0, 1  # the rows of weights
Deals = RecordArray[Deal]
FinishedGames = RecordArray[FinishedGame]


class Games(NamedTuple):
    """The games of a batch; a row each, unless said otherwise."""

    states: States
    finals: States  # the latest finished game of each place; none where they are not kept
    deals: Deals
    chances: Chances
    choosers: Chances  # of the seats that play at random; none where every seat is asked
    caches: ReadingCaches
    decisions: Int16Grid  # of the rules by action, ILLEGAL for the others
    actions: Int16Row  # to be carried out in the next step
    blanks: States  # a row for each mode
    weights: RewardWeightsArray  # a row at the table, one in solo


class StepOutput(NamedTuple):
    """What a step writes for whoever plays, who may do anything to it; a row for each game."""

    observations: Int8Grid
    masks: Int8Grid
    movers: Int8Row
    dones: Int8Row
    rewards: FloatGrid
    shares: FloatGrid
    finished: FinishedGames


class StepWorkspace(NamedTuple):
    """What one thread needs to step games, one after another."""

    known: States  # one: what the seat to move knows
    choices: ChoiceLists  # one
    scores: Int64s  # of one game


@kernel
def deal_anew(cards: Cards, games: Games, i: int) -> None:
    """A new game in place i; no two places ever use the same stream of chance."""
    deal, chance = games.deals[i], games.chances[i]
    restart(chance, int(deal.stream))
    deal.stream += deal.streams
    deal.decisions = 0
    deal.adam = 0
    for seat in range(MAX_PLAYERS):
        deal.complete[seat] = 0
        deal.open[seat] = 0
    forget_readings(games.caches[i])
    games.states[i] = games.blanks[deal.mode]
    set_up(cards, games.states[i], int(deal.bodies), chance)


@kernel
def open_points(cards: Cards, player: PlayerRecord) -> int:
    points = 0
    for which in range(player.n_coatls):
        if not player.coatls[which].complete:
            points += coatl_value(cards, player.coatls[which])
    return points


@kernel
def reward_assembly(
    cards: Cards,
    state: StateRecord,
    seat: int,
    deal: Deal,
    weights: RewardWeights,
    rewards: FloatRow,
) -> None:
    """Reward a seat for what changed on its Cóatl, and take some of it from its rivals."""
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
    cards: Cards, state: StateRecord, deal: Deal, weights: RewardWeights, rewards: FloatRow
) -> None:
    """In solo A.D.A.M. is the rival."""
    points = adam_points(cards, state)
    rewards[0] -= weights.rivals * weights.points * (points - int(deal.adam))
    deal.adam = points


def win_reward(share: float, players: int) -> float:
    """What a share of the win is worth: 1 if it is all of it, on average 0; solo 1 or -1."""
    rivals = max(players, 2) - 1
    return (share * (rivals + 1) - 1.0) / rivals


_win_reward = inline_kernel(win_reward)


@kernel
def finish(
    cards: Cards,
    state: StateRecord,
    deal: Deal,
    weights: RewardWeights,
    rewards: FloatRow,
    shares: FloatRow,
    finished: FinishedGame,
    scores: Int64s,
) -> None:
    """Rewards and result of a game that is over; open Cóatl are worth nothing (F1)."""
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
        rewards[seat] += weights.win * _win_reward(share, players)
        finished.complete[seat] = state.players[seat].n_complete
    for seat in range(max(players, 2)):
        finished.points[seat] = scores[3 * seat + POINTS]
    finished.mode = deal.mode
    finished.players = players
    finished.winners = best
    finished.end = state.end
    finished.turns = state.turn
    finished.decisions = deal.decisions


@kernel
def carry_out(
    cards: Cards,
    state: StateRecord,
    decision: int,
    deal: Deal,
    weights: RewardWeights,
    rewards: FloatRow,
    chance: Chance,
    choices: Choices,
) -> None:
    """Apply a decision and reward what it did to the mover's Cóatl."""
    seat = int(state.current)
    apply(cards, state, decision, chance, choices)
    deal.decisions += 1
    if assembles(decision) or decision == DONE:
        reward_assembly(cards, state, seat, deal, weights, rewards)


@kernel
def chosen_by_chance(deal: Deal, seat: int) -> bool:
    """Is this a seat that plays at random?"""
    return deal.asked != EVERY_SEAT and deal.asked != seat


@kernel
def offer(known: StateRecord, legal: Choices, mask: Int8Row, decisions: Int16Row) -> int:
    """Mark the legal actions and note their decisions, ILLEGAL for the others.

    Returns the number of actions. The mask is for whoever plays, who may write to it; what is
    legal is looked up in `decisions`.
    """
    for action in range(len(decisions)):
        decisions[action] = ILLEGAL
    return mark_legal(known, legal, mask, decisions)


@inline_kernel
def step_slice(
    tables: EncodingTables,
    games: Games,
    output: StepOutput,
    workspace: StepWorkspace,
    first: int,
    last: int,
    fresh: bool,
) -> None:
    """Carry out the actions of games `first` to `last` - 1 (or deal), and play on to choices.

    What the loop needs is taken out of the tuples before it: each access would count references.
    """
    states, deals, chances, decisions = games.states, games.deals, games.chances, games.decisions
    caches, actions, blanks, weights = games.caches, games.actions, games.blanks, games.weights
    choosers = games.choosers
    cards, legal, known = tables.cards[0], workspace.choices[0], workspace.known
    observations, masks = output.observations, output.masks
    dones, all_rewards = output.dones, output.rewards
    for i in range(first, last):
        state, deal, chance, rewards = states[i], deals[i], chances[i], all_rewards[i]
        weight = weights[IN_SOLO if blanks[deal.mode].n_players == 1 else AT_THE_TABLE]
        dones[i] = 0
        for seat in range(MAX_PLAYERS):
            rewards[seat] = 0.0
        if fresh:
            deal_anew(cards, games, i)
        elif actions[i] == WAIT:
            continue
        else:
            decision = int(decisions[i, actions[i]])
            carry_out(cards, state, decision, deal, weight, rewards, chance, legal)
        different = 0
        while different < 2:
            if state.phase == OVER:
                end_game(cards, games, output, workspace, i, weight)
            list_legal(cards, state, legal)
            at = 0
            if legal.n > 1:
                if chosen_by_chance(deal, int(state.current)):
                    at = below(choosers[i], int(legal.n))
                else:
                    known[0] = states[i]
                    redact(known[0], int(state.current))
                    different = offer(known[0], legal, masks[i], decisions[i])
            if different < 2:
                decision = int(legal.items[at])
                carry_out(cards, state, decision, deal, weight, rewards, chance, legal)
        if state.n_players == 1 and dones[i] == 0:
            reward_adam(cards, state, deal, weight, rewards)
        output.movers[i] = state.current
        observe(tables, known[0], caches[i], observations[i])


@kernel
def end_game(
    cards: Cards,
    games: Games,
    output: StepOutput,
    workspace: StepWorkspace,
    i: int,
    weights: RewardWeights,
) -> None:
    """Rewards and result of a game that is over, and a new one in its place."""
    state, deal, rewards = games.states[i], games.deals[i], output.rewards[i]
    if state.n_players == 1:
        reward_adam(cards, state, deal, weights, rewards)
    shares, finished = output.shares[i], output.finished[i]
    finish(cards, state, deal, weights, rewards, shares, finished, workspace.scores)
    output.dones[i] = 1
    if len(games.finals) > 0:
        games.finals[i] = games.states[i]
    deal_anew(cards, games, i)
