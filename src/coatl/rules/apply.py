"""What a decision does, in the order of the rules. The decision must be legal (see `legal`)."""

from __future__ import annotations

from coatl.compiler.functions import kernel
from coatl.rules import turns
from coatl.rules.chance import Chance
from coatl.rules.decisions import (
    AT,
    CARD,
    COATL,
    DECODED,
    IS_LEFT,
    KIND,
    PAIR,
    PAIR_FIRST,
    PAIR_SECOND,
    PIECE,
    Choices,
)
from coatl.rules.decisions import DecisionKind as Kind
from coatl.rules.hands import gain_piece, insert_card, insert_temple, remove_card, remove_temple
from coatl.rules.listing import list_temples
from coatl.rules.pieces import BODY, FIRST_HEAD_SPACE, FIRST_TAIL_SPACE, HEAD, N_COLOURS, TAIL
from coatl.rules.scoring import one_piece
from coatl.rules.solo import adam_step, begin_adam_turn
from coatl.rules.state import (
    ASSEMBLE,
    END_BODIES,
    END_NONE,
    END_PASSED,
    END_THIRD,
    FULFIL,
    FUTURE,
    MAIN,
    MAX_CARDS_ON_COATL,
    MAX_COATLS,
    NONE,
    OVER,
    PERFECT_PICK,
    PICK,
    PRIEST_COMMITMENT,
    SEE_THE_FUTURE,
    SETUP,
    TEMPLE,
    Coatl,
    PlayerRecord,
    StateRecord,
)
from coatl.rules.supply import (
    bodies_left,
    deal_card,
    discard_face_up,
    fill_supply,
    forget_buried,
    refill_after_take,
    refill_row,
    take_temple,
)
from coatl.rules.tables import Cards

# ---------------------------------------------------------------- 2 setup


@kernel
def apply_setup_discard(cards: Cards, state: StateRecord, player: PlayerRecord, card: int) -> None:
    """S5, H1: known to its owner only."""
    remove_card(cards, state, player, card)
    state.discard[card] += 1
    state.n_discard += 1
    k = int(player.n_buried)
    while k > 0 and player.buried[k - 1] > card:
        player.buried[k] = player.buried[k - 1]
        k -= 1
    player.buried[k] = card
    player.n_buried += 1


@kernel
def finish_setup(state: StateRecord) -> None:
    """R13: one by one in turn order; then the first player begins, in solo A.D.A.M. (D2)."""
    if state.n_players == 1:
        begin_adam_turn(state)
    elif state.current + 1 < state.n_players:
        state.current += 1
    else:
        state.current = 0
        state.phase = MAIN
        state.turn = 1


# ---------------------------------------------------------------- 3 turns and their end (5)


@kernel
def end_action(state: StateRecord, chance: Chance) -> None:
    state.actions_left -= 1
    state.picked = 0
    if state.actions_left > 0:
        state.phase = MAIN
        state.second_action = 1  # R14
    else:
        end_turn(state, chance)


next_seat = kernel(turns.next_seat)


@kernel
def end_turn(state: StateRecord, chance: Chance) -> None:
    refill_row(state, chance)  # P3
    state.second_action = 0
    if state.n_players == 1:
        begin_adam_turn(state)
        return
    if state.end != END_NONE:
        if state.turns_left == 0:
            game_over(state)
            return
        state.turns_left -= 1
    state.current = next_seat(int(state.current), int(state.n_players))
    state.turn += 1
    state.phase = MAIN
    later = state.end == END_THIRD and state.current > state.trigger
    state.actions_left = 2 if later else 1  # E2


@kernel
def game_over(state: StateRecord) -> None:
    state.phase = OVER
    state.actions_left = 0


@kernel
def check_bodies(state: StateRecord) -> None:
    """T5: no body segment left. E3: finish the round, then a turn each; D8: solo ends at once."""
    if bodies_left(state) or state.end != END_NONE:  # R11: the first trigger decides
        return
    state.end = END_BODIES
    if state.n_players == 1:
        game_over(state)
    else:
        players = int(state.n_players)
        state.turns_left = players - 1 - int(state.current) + players


@kernel
def third_coatl(state: StateRecord) -> None:
    """The third Cóatl ends the game: every other player has one last turn (A11, E2).

    In solo the game is over at once (D8, R18).
    """
    if state.end != END_NONE:  # R11
        return
    state.end = END_THIRD
    state.trigger = state.current
    if state.n_players == 1:
        game_over(state)
    else:
        state.turns_left = int(state.n_players) - 1


# ---------------------------------------------------------------- 3.1 take


@kernel
def apply_take(state: StateRecord, player: PlayerRecord, space: int, chance: Chance) -> None:
    """T1: the whole content of the space."""
    first, second = int(state.supply[space, 0]), int(state.supply[space, 1])
    state.supply[space, 0] = NONE
    state.supply[space, 1] = NONE
    if space < FIRST_HEAD_SPACE:
        gain_piece(player, BODY + first)
        gain_piece(player, BODY + second)
    else:
        gain_piece(player, (HEAD if space < FIRST_TAIL_SPACE else TAIL) + first)
    refill_after_take(state, chance)
    after_take(state, chance)


@kernel
def after_take(state: StateRecord, chance: Chance) -> None:
    check_bodies(state)
    if state.phase != OVER:
        end_action(state, chance)


# ---------------------------------------------------------------- 3.2 choose


@kernel
def apply_pick(state: StateRecord, player: PlayerRecord, place: int) -> None:
    """P1: a face-up card; everyone sees it (H1)."""
    card = int(state.row[place])
    state.row[place] = NONE
    insert_card(player, card, 1)
    state.picked += 1
    state.phase = PICK


@kernel
def apply_draw(state: StateRecord, player: PlayerRecord, chance: Chance) -> None:
    """P1, R21: the top card of the deck, seen by its owner only."""
    card = deal_card(state, chance)
    insert_card(player, card, 0)
    if state.reshuffled:
        forget_buried(player, card)  # whoever discarded it at setup has it back
    state.picked += 1
    state.phase = PICK


# ---------------------------------------------------------------- 3.3 assemble


@kernel
def attach(player: PlayerRecord, coatl: Coatl, kind: int, left: bool) -> None:
    """A4, A5: at an end; what lies there is never moved relative to its neighbours."""
    player.pieces[kind] -= 1
    player.n_pieces -= 1
    length = int(coatl.length)
    if left:
        for i in range(length, 0, -1):
            coatl.colours[i] = coatl.colours[i - 1]
        coatl.colours[0] = kind % N_COLOURS
    else:
        coatl.colours[length] = kind % N_COLOURS
    coatl.length = length + 1
    coatl.counts += one_piece(kind % N_COLOURS)
    if kind < TAIL:
        coatl.has_head = 1
    elif kind < BODY:
        coatl.has_tail = 1


@kernel
def apply_begin(state: StateRecord, player: PlayerRecord, kind: int) -> None:
    """Begin a Cóatl with a piece (A1)."""
    attach(player, player.coatls[player.n_coatls], kind, False)
    player.n_coatls += 1
    state.phase = ASSEMBLE


@kernel
def apply_add(
    cards: Cards,
    state: StateRecord,
    player: PlayerRecord,
    which: int,
    kind: int,
    is_left: bool,
    scratch: Choices,
) -> None:
    """A2; A8: a piece that closes the Cóatl completes it at once."""
    coatl = player.coatls[which]
    attach(player, coatl, kind, is_left)
    state.phase = ASSEMBLE
    if coatl.has_head and coatl.has_tail:
        state.pending = which
        state.phase = FULFIL
        skip_empty_steps(cards, state, player, scratch)


@kernel
def apply_fulfil(
    cards: Cards, state: StateRecord, player: PlayerRecord, which: int, card: int, scratch: Choices
) -> None:
    """A3, A9(i)"""
    coatl = player.coatls[which]
    remove_card(cards, state, player, card)
    k = int(coatl.n_cards)
    while k > 0 and coatl.cards[k - 1] > card:
        coatl.cards[k] = coatl.cards[k - 1]
        k -= 1
    coatl.cards[k] = card
    coatl.n_cards += 1
    if state.phase == FULFIL:
        skip_empty_steps(cards, state, player, scratch)
    else:
        state.phase = ASSEMBLE


@kernel
def skip_empty_steps(
    cards: Cards, state: StateRecord, player: PlayerRecord, scratch: Choices
) -> None:
    """A9: pass over the completion steps in which everyone can see that there is no choice.

    Where only the hand says so the player is asked all the same, or the skipping would tell the
    others what is not in the hand (H1).
    """
    if state.phase == FULFIL:
        full = player.coatls[state.pending].n_cards >= MAX_CARDS_ON_COATL
        if player.n_hand > 0 and not full:
            return
        state.phase = TEMPLE
    scratch.n = 0
    list_temples(cards, state, player, scratch)
    if scratch.n == 0 and player.n_temples == 0:
        complete_coatl(state, player)


@kernel
def complete_coatl(state: StateRecord, player: PlayerRecord) -> None:
    """A7, A9(iii)-(iv), A10: done; the turn may go on."""
    player.coatls[state.pending].complete = 1
    player.n_complete += 1
    state.pending = NONE
    state.phase = ASSEMBLE
    if player.n_complete == MAX_COATLS:
        third_coatl(state)


@kernel
def apply_temple_from_hand(state: StateRecord, player: PlayerRecord, temple: int) -> None:
    """A9(ii)"""
    remove_temple(player, temple)
    player.coatls[state.pending].temple = temple
    complete_coatl(state, player)


@kernel
def apply_temple_from_pile(
    state: StateRecord, player: PlayerRecord, pile: int, chance: Chance
) -> None:
    """A9(ii): the pile's next card is revealed."""
    player.coatls[state.pending].temple = take_temple(state, pile, chance)
    complete_coatl(state, player)


# ---------------------------------------------------------------- 3.4 Sacrifice tokens


@kernel
def apply_perfect_end(state: StateRecord, player: PlayerRecord, kind: int, chance: Chance) -> None:
    """Perfect Pick of a head or tail (K1)."""
    player.tokens[PERFECT_PICK] = 0
    state.bag[kind] -= 1
    gain_piece(player, kind)
    fill_supply(state, chance)
    after_take(state, chance)


@kernel
def apply_perfect_pair(state: StateRecord, player: PlayerRecord, pair: int, chance: Chance) -> None:
    """K1, R7"""
    player.tokens[PERFECT_PICK] = 0
    for kind in (BODY + PAIR_FIRST[pair], BODY + PAIR_SECOND[pair]):
        state.bag[kind] -= 1
        gain_piece(player, kind)
    fill_supply(state, chance)
    after_take(state, chance)


@kernel
def apply_future(state: StateRecord, player: PlayerRecord, chance: Chance) -> None:
    """K2: discard the face-up supply and refill it; the hand and the choice come next."""
    player.tokens[SEE_THE_FUTURE] = 0
    discard_face_up(state)
    refill_row(state, chance)
    state.phase = FUTURE


@kernel
def apply_future_discard(cards: Cards, state: StateRecord, player: PlayerRecord, card: int) -> None:
    """K2: face up."""
    remove_card(cards, state, player, card)
    state.discard[card] += 1
    state.n_discard += 1


@kernel
def apply_priest(state: StateRecord, player: PlayerRecord, pile: int, chance: Chance) -> None:
    """K3: everyone saw the card (H1); the pile's next one is revealed."""
    player.tokens[PRIEST_COMMITMENT] = 0
    insert_temple(player, take_temple(state, pile, chance), 1)
    end_action(state, chance)


# ---------------------------------------------------------------- done, pass


@kernel
def apply_done(
    cards: Cards, state: StateRecord, player: PlayerRecord, chance: Chance, scratch: Choices
) -> None:
    phase = state.phase
    if phase == SETUP:
        finish_setup(state)
    elif phase == FULFIL:  # A9(i) is left
        state.phase = TEMPLE
        skip_empty_steps(cards, state, player, scratch)
    elif phase == TEMPLE:  # R8: no Temple card
        complete_coatl(state, player)
    elif phase == FUTURE:  # K2: now choose; R6: perhaps nothing
        state.phase = PICK
        state.picked = 0
    elif phase == MAIN:  # R14: the second action is declined
        end_turn(state, chance)
    else:
        end_action(state, chance)


@kernel
def apply_pass(state: StateRecord, chance: Chance) -> None:
    """R5: all one after another, before a trigger, end the game; R14: it ends the whole turn."""
    if state.end == END_NONE and state.n_players > 1:
        state.passes += 1
        if state.passes >= state.n_players:
            state.end = END_PASSED
            game_over(state)
            return
    end_turn(state, chance)


# ---------------------------------------------------------------- any decision


@kernel
def apply(
    cards: Cards, state: StateRecord, decision: int, chance: Chance, scratch: Choices
) -> None:
    """Carry out a legal decision. `scratch` is for lists of decisions."""
    player = state.players[state.current]
    kind, at = DECODED[decision, KIND], int(DECODED[decision, AT])
    coatl, piece = int(DECODED[decision, COATL]), int(DECODED[decision, PIECE])
    if state.phase == MAIN and kind != Kind.PASS:
        state.passes = 0
    if kind == Kind.TAKE:
        apply_take(state, player, at, chance)
    elif kind == Kind.PICK:
        apply_pick(state, player, at)
    elif kind == Kind.DRAW:
        apply_draw(state, player, chance)
    elif kind == Kind.BEGIN:
        apply_begin(state, player, piece)
    elif kind == Kind.ADD:
        is_left = bool(DECODED[decision, IS_LEFT])
        apply_add(cards, state, player, coatl, piece, is_left, scratch)
    elif kind == Kind.FULFIL:
        apply_fulfil(cards, state, player, coatl, int(DECODED[decision, CARD]), scratch)
    elif kind < Kind.DISCARD:
        apply_card_or_token(state, player, decision, chance)
    elif kind == Kind.DISCARD:
        if state.phase == SETUP:
            apply_setup_discard(cards, state, player, int(DECODED[decision, CARD]))
        else:
            apply_future_discard(cards, state, player, int(DECODED[decision, CARD]))
    elif kind == Kind.DONE:
        apply_done(cards, state, player, chance, scratch)
    elif kind == Kind.PASS:
        apply_pass(state, chance)
    else:
        adam_step(cards, state, chance)


@kernel
def apply_card_or_token(
    state: StateRecord, player: PlayerRecord, decision: int, chance: Chance
) -> None:
    kind, at = DECODED[decision, KIND], int(DECODED[decision, AT])
    if kind == Kind.TEMPLE_FROM_HAND:
        apply_temple_from_hand(state, player, int(DECODED[decision, CARD]))
    elif kind == Kind.TEMPLE_FROM_PILE:
        apply_temple_from_pile(state, player, at, chance)
    elif kind == Kind.PERFECT_END:
        apply_perfect_end(state, player, int(DECODED[decision, PIECE]), chance)
    elif kind == Kind.PERFECT_PAIR:
        apply_perfect_pair(state, player, int(DECODED[decision, PAIR]), chance)
    elif kind == Kind.FUTURE:
        apply_future(state, player, chance)
    else:
        apply_priest(state, player, at, chance)
