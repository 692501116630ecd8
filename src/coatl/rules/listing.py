"""The list of legal decisions, made by asking the functions of `legal` about each candidate."""

from __future__ import annotations

from coatl.compiler.functions import inline_kernel, kernel
from coatl.rules import decisions
from coatl.rules.causes import ALLOWED, Cause
from coatl.rules.decisions import Choices
from coatl.rules.legal import (
    why_attach,
    why_begin,
    why_discard,
    why_done,
    why_draw,
    why_lay,
    why_no_new_coatl,
    why_no_token,
    why_perfect_end,
    why_perfect_pair,
    why_pick,
    why_priest,
    why_take,
    why_temple,
    why_temple_from_pile,
)
from coatl.rules.levels import is_first_copy
from coatl.rules.pieces import (
    BODY,
    N_COLOURS,
    N_KINDS,
    N_SPACES,
    TAIL,
)
from coatl.rules.state import (
    ADAM,
    ASSEMBLE,
    FULFIL,
    FUTURE,
    MAIN,
    MAX_PROPHECIES,
    N_PILES,
    PERFECT_PICK,
    PICK,
    ROW_SIZE,
    SEE_THE_FUTURE,
    SETUP,
    TEMPLE,
    Coatl,
    PlayerRecord,
    StateRecord,
)
from coatl.rules.tables import Cards


@inline_kernel
def add_choice(into: Choices, decision: int) -> None:
    into.items[into.n] = decision
    into.n += 1


@kernel
def list_takes(state: StateRecord, player: PlayerRecord, into: Choices) -> None:
    for space in range(N_SPACES):
        if why_take(state, player, space) == ALLOWED:
            add_choice(into, decisions.TAKE + space)


@kernel
def list_cards(state: StateRecord, player: PlayerRecord, into: Choices) -> None:
    for place in range(ROW_SIZE):
        if why_pick(state, player, place) == ALLOWED:
            add_choice(into, decisions.PICK + place)
    if why_draw(state, player) == ALLOWED:
        add_choice(into, decisions.DRAW)


@kernel
def list_assembly(cards: Cards, state: StateRecord, player: PlayerRecord, into: Choices) -> None:
    if player.n_pieces > 0 and why_no_new_coatl(player) == ALLOWED:
        for kind in range(N_KINDS):
            if why_begin(player, kind) == ALLOWED:
                add_choice(into, decisions.BEGIN + kind)
    for which in range(player.n_coatls):
        if not player.coatls[which].complete:
            list_additions(cards, state, player, which, into)
            list_fulfilments(cards, state, player, which, into)


@inline_kernel
def list_additions(
    cards: Cards, state: StateRecord, player: PlayerRecord, which: int, into: Choices
) -> None:
    coatl = player.coatls[which]
    for kind in range(N_KINDS):
        if player.pieces[kind] > 0:
            is_left = kind < TAIL or kind >= BODY
            list_addition(cards, state, player, coatl, which, kind, is_left, into)
            if kind >= BODY:
                list_addition(cards, state, player, coatl, which, kind, False, into)


@inline_kernel
def list_addition(
    cards: Cards,
    state: StateRecord,
    player: PlayerRecord,
    coatl: Coatl,
    which: int,
    kind: int,
    is_left: bool,
    into: Choices,
) -> None:
    if why_attach(cards, state, player, coatl, kind, is_left) == ALLOWED:
        end = kind if kind < BODY or is_left else kind + N_COLOURS
        add_choice(into, decisions.ADD + decisions.N_ENDS * which + end)


@inline_kernel
def list_fulfilments(
    cards: Cards, state: StateRecord, player: PlayerRecord, which: int, into: Choices
) -> None:
    coatl = player.coatls[which]
    for k in range(player.n_hand):
        if is_first_copy(player, k) and why_lay(cards, state, player, coatl, k) == ALLOWED:
            add_choice(into, decisions.FULFIL + MAX_PROPHECIES * which + int(player.hand[k]))


@kernel
def list_temples(cards: Cards, state: StateRecord, player: PlayerRecord, into: Choices) -> None:
    for k in range(player.n_temples):
        temple = int(player.temples[k])
        if k > 0 and player.temples[k - 1] == temple:
            continue
        if why_temple(cards, state, player, temple) == ALLOWED:
            add_choice(into, decisions.TEMPLE_FROM_HAND + temple)
    for pile in range(N_PILES):
        if why_temple_from_pile(cards, state, player, pile) == ALLOWED:
            add_choice(into, decisions.TEMPLE_FROM_PILE + pile)


@kernel
def list_tokens(state: StateRecord, player: PlayerRecord, into: Choices) -> None:
    if not state.with_tokens:
        return
    if player.tokens[PERFECT_PICK]:
        for kind in range(BODY):
            if why_perfect_end(state, player, kind) == ALLOWED:
                add_choice(into, decisions.PERFECT_END + kind)
        for pair in range(decisions.N_PAIRS):
            if why_perfect_pair(state, player, pair) == ALLOWED:
                add_choice(into, decisions.PERFECT_PAIR + pair)
    if why_no_token(state, player, SEE_THE_FUTURE, Cause.K2_USED) == ALLOWED:
        add_choice(into, decisions.FUTURE_TOKEN)
    for pile in range(N_PILES):
        if why_priest(state, player, pile) == ALLOWED:
            add_choice(into, decisions.PRIEST + pile)


@kernel
def list_discards(state: StateRecord, player: PlayerRecord, into: Choices) -> None:
    for k in range(player.n_hand):
        card = int(player.hand[k])
        if is_first_copy(player, k) and why_discard(state, player, card) == ALLOWED:
            add_choice(into, decisions.DISCARD + card)


@kernel
def list_main(cards: Cards, state: StateRecord, player: PlayerRecord, into: Choices) -> None:
    list_takes(state, player, into)
    list_cards(state, player, into)
    list_assembly(cards, state, player, into)
    standard = into.n
    list_tokens(state, player, into)
    if state.second_action:
        add_choice(into, decisions.DONE)
    elif standard == 0:  # R5
        add_choice(into, decisions.PASS)


@kernel
def list_legal(cards: Cards, state: StateRecord, into: Choices) -> None:
    """Write the legal decisions to `into`: in MAIN takes, cards, assembly, tokens; `done` last."""
    player = state.players[state.current]
    phase = state.phase
    into.n = 0
    if phase == MAIN:
        list_main(cards, state, player, into)
        return
    if phase == ADAM:
        add_choice(into, decisions.STEP)
        return
    if phase == PICK:
        list_cards(state, player, into)
    elif phase == ASSEMBLE:
        list_assembly(cards, state, player, into)
    elif phase == FULFIL:
        list_fulfilments(cards, state, player, int(state.pending), into)
    elif phase == TEMPLE:
        list_temples(cards, state, player, into)
    elif phase == SETUP or phase == FUTURE:
        list_discards(state, player, into)
    if why_done(cards, state, player) == ALLOWED:
        add_choice(into, decisions.DONE)
