"""What a position is worth to a seat, in points: what is sure, what is promised, and the race."""

from __future__ import annotations

from coatl.compiler.functions import kernel
from coatl.compiler.records import Float64, Int8, RecordArray
from coatl.heuristics.card_potential import Promises
from coatl.heuristics.projection import Dream, dream_of
from coatl.rules.closing import best_closing, best_temple, best_value
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
from coatl.rules.tables import Cards, CardTables


class Outlook:
    """What a seat holds positions against: how it weighs things, and how the others stand."""

    # weights, in points
    complete: Float64  # a complete Cóatl, besides its value: there are three to complete
    rush: Float64  # the same, once somebody else has but one to complete
    win: Float64  # ending the game ahead
    margin: Float64  # points ahead at which that is certain
    laid: Float64  # a point that an open Cóatl promises
    fresh: Float64  # the same of a Cóatl not begun yet
    temple: Float64  # a point of the Temple card within reach that suits an open Cóatl best
    card: Float64  # a card in hand, whatever it says
    body: Float64  # a body segment on the board
    end: Float64  # a head or tail on the board that a Cóatl can use
    placed_end: Float64  # a head or tail in its place
    token: Float64  # a Sacrifice token that is left
    later: Float64  # what assembling next turn keeps of what assembling now would gain
    assemble: Float64  # how much assembling now is better than the same next turn
    near: Float64  # what promises keep when somebody else can end the game next turn
    nearing: Float64  # and when somebody else has but one Cóatl to complete
    # how it stands
    seat: Int8
    last: Int8  # 1: what is not complete after this turn is lost
    rival: Float64  # points that the best of the others can count on
    hope: Float64  # what promises keep
    haste: Float64  # `complete` or `rush`
    # room to think in
    dream: Dream
    blank: Coatl  # one not begun yet


Outlooks = RecordArray[Outlook]


@kernel
def look_round(cards: Cards, states: States, i: int, scratch: States, look: Outlook) -> None:
    """See how the others stand, in a state with all cards dealt."""
    state = states[i]
    look.rival = 0.0 if state.n_players > 1 else adam_points(cards, state)
    look.hope, look.haste = 1.0, look.complete
    look.last = 1 if state.end and state.turns_left < state.n_players else 0
    for seat in range(state.n_players):
        if seat != look.seat:
            points, closing = prospects(cards, states, i, seat, scratch)
            look.rival = max(look.rival, points + max(closing, 0.0))
            if state.players[seat].n_complete == MAX_COATLS - 1:
                look.hope = min(look.hope, look.nearing if closing == NONE else look.near)
                look.haste = look.rush


@kernel
def prospects(
    cards: Cards, states: States, i: int, seat: int, scratch: States
) -> tuple[float, float]:
    """Points of a seat's complete Cóatl, and of the best open one that it could close now."""
    player = states[i].players[seat]
    points, best = 0, NONE
    for which in range(player.n_coatls):
        if player.coatls[which].complete:
            points += coatl_value(cards, player.coatls[which])
        else:
            best = max(best, best_closing(cards, states, i, seat, which, scratch))
    return float(points), float(best)


@kernel
def worth(tables: CardTables, promised: Promises, state: StateRecord, look: Outlook) -> float:
    """How good a position is for the seat that looks."""
    player = state.players[look.seat]
    closed, points = 0, 0
    for which in range(player.n_coatls):
        coatl = player.coatls[which]
        if coatl.has_head and coatl.has_tail:
            closed += 1
            points += closed_value(tables[0], state, player, coatl)
    if state.phase == OVER or closed == MAX_COATLS or look.last:
        ahead = (points - look.rival) / look.margin
        worst = -1.0 if state.n_players > 1 else 0.0  # behind A.D.A.M. waiting only makes it worse
        return points + look.haste * closed + look.win * min(max(ahead, worst), 1.0)
    hopes = open_worth(tables, promised, state, player, look)
    return points + look.haste * closed + look.hope * hopes + belongings(player, look)


@kernel
def closed_value(cards: Cards, state: StateRecord, player: PlayerRecord, coatl: Coatl) -> int:
    """The value of a complete Cóatl, or the best it can get while it is being completed (A9)."""
    if coatl.complete:
        return coatl_value(cards, coatl)
    return best_value(cards, state, player, coatl, state.phase == TEMPLE)


@kernel
def belongings(player: PlayerRecord, look: Outlook) -> float:
    """What lies on the board and in the hand, whatever it will be used for."""
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
    cards = look.card * player.n_hand + look.token * tokens
    return cards + look.body * bodies + look.end * ends


@kernel
def open_worth(
    tables: CardTables,
    promised: Promises,
    state: StateRecord,
    player: PlayerRecord,
    look: Outlook,
) -> float:
    """What open Cóatl may become, with the cards in hand where they suit; and the next one."""
    total, taken, count = 0.0, 0, 0
    for which in range(player.n_coatls):
        coatl = player.coatls[which]
        if not (coatl.has_head and coatl.has_tail):
            count += 1
            total += look.placed_end * (coatl.has_head + coatl.has_tail)
            total += look.laid * dream_of(tables, promised, look.dream, coatl, player, taken)
            taken |= int(look.dream.used)
            laid = colours_laid(tables[0], coatl)
            total += look.temple * best_temple(tables[0], state, player, coatl, laid)
    if player.n_coatls < MAX_COATLS and count < MAX_INCOMPLETE:
        total += look.fresh * dream_of(tables, promised, look.dream, look.blank, player, taken)
    return total
