"""What closing a Cóatl with a head and a tail from the board would score: quick, not the most.

Body segments that could still be added are not looked at; `coatl.solver` does that.
"""

from __future__ import annotations

from coatl.compiler.functions import kernel
from coatl.rules.apply import attach
from coatl.rules.levels import choice_completes, fitting_cards
from coatl.rules.pieces import HEAD, N_COLOURS, TAIL
from coatl.rules.scoring import card_points, coatl_value, colours_laid, temple_points
from coatl.rules.state import N_PILES, NONE, TEMPLE, Coatl, PlayerRecord, StateRecord, States
from coatl.rules.tables import Cards


@kernel
def closing_with_ends(
    cards: Cards, states: States, i: int, seat: int, which: int, scratch: States
) -> int:
    """The most points that closing Cóatl `which` gives with just a head and a tail, or NONE.

    They are there already or on the board; it also needs a body segment (A7).
    """
    board = states[i].players[seat].pieces
    coatl = states[i].players[seat].coatls[which]
    if coatl.complete or coatl.length - coatl.has_head - coatl.has_tail < 1:
        return NONE
    best = NONE
    for head in range(N_COLOURS if not coatl.has_head else 1):
        if not coatl.has_head and board[HEAD + head] == 0:
            continue
        for tail in range(N_COLOURS if not coatl.has_tail else 1):
            if not coatl.has_tail and board[TAIL + tail] == 0:
                continue
            scratch[0] = states[i]
            state = scratch[0]
            player = state.players[seat]
            attach_missing_ends(player, player.coatls[which], head, tail)
            # A9: after step (i) no further cards are laid on it
            at_temple = state.phase == TEMPLE and state.current == seat
            only_laid = at_temple and state.pending == which
            value = best_completion(cards, state, player, player.coatls[which], only_laid)
            best = max(best, value)
    return best


@kernel
def attach_missing_ends(player: PlayerRecord, coatl: Coatl, head: int, tail: int) -> None:
    """Attach a head and a tail of these colours, which the board has, where there is none."""
    if not coatl.has_head:
        attach(player, coatl, HEAD + head, True)
    if not coatl.has_tail:
        attach(player, coatl, TAIL + tail, False)


@kernel
def best_completion(
    cards: Cards, state: StateRecord, player: PlayerRecord, coatl: Coatl, only_laid: bool
) -> int:
    """The most points over all choices of hand cards that complete the closed Cóatl (A6, A8, R9).

    NONE if no choice does.
    """
    best = NONE
    laid_points = coatl_value(cards, coatl)
    fitting = 0 if only_laid else fitting_cards(cards, player, coatl, NONE, NONE)
    for choice in range(fitting + 1):
        if choice & ~fitting:
            continue
        levels = int(state.levels)
        if not choice_completes(cards, state, player, coatl, NONE, NONE, choice, levels):
            continue
        points = laid_points
        laid = colours_laid(cards, coatl)
        for k in range(player.n_hand):
            if (choice >> k) & 1:
                card = int(player.hand[k])
                points += card_points(cards, card, coatl, NONE, NONE)
                laid |= 1 << int(cards.colour[card])
        best = max(best, points + best_temple_points(cards, state, player, coatl, laid))
    return best


@kernel
def best_temple_points(
    cards: Cards, state: StateRecord, player: PlayerRecord, coatl: Coatl, laid: int
) -> int:
    """A9(ii): the best Temple card in hand or on top of either pile; 0 if none fits."""
    best = 0
    for k in range(player.n_temples):
        temple = int(player.temples[k])
        best = max(best, temple_points(cards, temple, coatl, NONE, laid))
    for pile in range(N_PILES):
        top = int(state.pile_top[pile])
        if top != NONE:
            best = max(best, temple_points(cards, top, coatl, NONE, laid))
    return best
