"""What may be done: one function a kind of decision, in the order of the rules.

Each ``why_…`` function returns the cause that forbids the decision, or ``ALLOWED``. The list of
legal decisions (`listing`) is made by asking these same functions, so "what is legal?" and "why
not?" cannot disagree. Nothing here changes the state.
"""

from __future__ import annotations

from coatl.compiler.functions import inline_kernel, kernel
from coatl.rules import decisions, limits
from coatl.rules.causes import ALLOWED, Cause
from coatl.rules.decisions import AT, CARD, COATL, DECODED, IS_LEFT, KIND, PAIR, PIECE
from coatl.rules.decisions import DecisionKind as Kind
from coatl.rules.levels import choice_completes, is_laid, why_levels_unmet
from coatl.rules.pieces import (
    BOARD_SPACES,
    BODY,
    FIRST_HEAD_SPACE,
    HEAD,
    N_KINDS,
    N_SPACES,
    TAIL,
)
from coatl.rules.scoring import card_points, colours_laid, satisfies, temple_points
from coatl.rules.state import (
    ADAM,
    ASSEMBLE,
    FULFIL,
    FUTURE,
    KEPT_AT_SETUP,
    LEVEL_1,
    LEVEL_2,
    LEVEL_3,
    LEVEL_4,
    MAIN,
    MAX_CARDS_ON_COATL,
    MAX_COATLS,
    MAX_INCOMPLETE,
    NONE,
    OVER,
    PERFECT_PICK,
    PICK,
    PRIEST_COMMITMENT,
    ROW_SIZE,
    SEE_THE_FUTURE,
    SETUP,
    TEMPLE,
    Coatl,
    PlayerRecord,
    StateRecord,
)
from coatl.rules.tables import Cards

# ---------------------------------------------------------------- 3 the turn


@kernel
def why_no_action(state: StateRecord) -> int:
    """May an action begin now? T0: exactly one a turn; other phases have to be finished first."""
    if state.phase == MAIN:
        return ALLOWED
    if state.phase == SETUP:
        return Cause.S5_FIRST
    if state.phase == PICK:
        return Cause.T0_PICKING
    if state.phase == ASSEMBLE:
        return Cause.T0_ASSEMBLING
    if state.phase == FULFIL or state.phase == TEMPLE:
        return Cause.A9_FIRST  # "before anything else in your turn"
    if state.phase == FUTURE:
        return Cause.K2_UNFINISHED
    return Cause.D2_ADAM if state.phase == ADAM else Cause.E4_OVER


# ---------------------------------------------------------------- 3.1 take


@inline_kernel
def why_take(state: StateRecord, player: PlayerRecord, space: int) -> int:
    if state.supply[space, 0] == NONE:
        return Cause.T1_EMPTY
    pieces = 2 if space < FIRST_HEAD_SPACE else 1
    if player.n_pieces + pieces > BOARD_SPACES:
        return Cause.T2_ROOM
    return ALLOWED


# ---------------------------------------------------------------- 3.2 choose


hand_limit = inline_kernel(limits.hand_limit)


@inline_kernel
def why_hand_full(state: StateRecord, player: PlayerRecord) -> int:
    """P2; D10 level 2."""
    if player.n_hand < hand_limit(int(state.levels)):
        return ALLOWED
    return Cause.P2_LEVEL_2 if state.levels & LEVEL_2 else Cause.P2_FULL


@inline_kernel
def why_pick(state: StateRecord, player: PlayerRecord, place: int) -> int:
    if state.row[place] == NONE:
        return Cause.P1_EMPTY
    return why_hand_full(state, player)


@inline_kernel
def why_draw(state: StateRecord, player: PlayerRecord) -> int:
    if state.n_deck == 0 and state.n_discard == 0:
        return Cause.R3_NONE
    return why_hand_full(state, player)


@kernel
def can_choose_cards(state: StateRecord, player: PlayerRecord) -> bool:
    if player.n_hand >= hand_limit(int(state.levels)):
        return False
    if state.n_deck > 0 or state.n_discard > 0:
        return True
    for place in range(ROW_SIZE):
        if state.row[place] != NONE:
            return True
    return False


# ---------------------------------------------------------------- 3.3 assemble


@inline_kernel
def why_begin(player: PlayerRecord, kind: int) -> int:
    """A1: a piece from the board, and room for one more Cóatl."""
    return Cause.A1_PIECE if player.pieces[kind] == 0 else why_no_new_coatl(player)


@inline_kernel
def why_no_new_coatl(player: PlayerRecord) -> int:
    """A1: at most 2 incomplete, never more than 3 in all (R12)."""
    if player.n_coatls >= MAX_COATLS:
        return Cause.A1_THREE
    if player.n_coatls - player.n_complete >= MAX_INCOMPLETE:
        return Cause.A1_INCOMPLETE
    return ALLOWED


@kernel
def why_add(
    cards: Cards, state: StateRecord, player: PlayerRecord, which: int, kind: int, is_left: bool
) -> int:
    """A2: is there such a piece and such a Cóatl, and may the piece go there?"""
    if which >= player.n_coatls:
        return Cause.A2_COATL
    if player.pieces[kind] == 0:
        return Cause.A2_PIECE
    return why_attach(cards, state, player, player.coatls[which], kind, is_left)


@inline_kernel
def why_attach(
    cards: Cards, state: StateRecord, player: PlayerRecord, coatl: Coatl, kind: int, is_left: bool
) -> int:
    """A4: nothing goes beyond a head or a tail; A7, A8: what a closing piece needs."""
    if coatl.complete:
        return Cause.A10_COMPLETE
    if is_left and coatl.has_head:
        return Cause.A4_HEAD_THERE
    if not is_left and coatl.has_tail:
        return Cause.A4_TAIL_THERE
    if kind < TAIL and coatl.has_tail:
        return why_close(cards, state, player, coatl, kind - HEAD, NONE)
    if TAIL <= kind < BODY and coatl.has_head:
        return why_close(cards, state, player, coatl, NONE, kind - TAIL)
    return ALLOWED


@inline_kernel
def why_close(
    cards: Cards, state: StateRecord, player: PlayerRecord, coatl: Coatl, before: int, after: int
) -> int:
    """A8: the closing piece needs a body segment, and a card laid or in hand that fits; R9."""
    if coatl.length < 2:  # only the head or tail it closes
        return Cause.A7_BODY
    if coatl.n_cards == 0 and not any_card_fits(cards, player, coatl, before, after):
        return Cause.A8_CARD
    if state.levels == 0:
        return ALLOWED
    return why_levels_unmet(cards, state, player, coatl, before, after, 0)


@kernel
def any_card_fits(
    cards: Cards, player: PlayerRecord, coatl: Coatl, before: int, after: int
) -> bool:
    for k in range(player.n_hand):
        if card_points(cards, int(player.hand[k]), coatl, before, after) > 0:
            return True
    return False


@kernel
def place_in_hand(player: PlayerRecord, card: int) -> int:
    """The first place of a card in the hand, or NONE."""
    for k in range(player.n_hand):
        if player.hand[k] == card:
            return k
    return NONE


@kernel
def why_fulfil(
    cards: Cards, state: StateRecord, player: PlayerRecord, which: int, card: int
) -> int:
    """A3, A6 on an incomplete Cóatl; A9(i), R9 on the one just closed."""
    if which >= player.n_coatls:
        return Cause.A3_COATL
    k = place_in_hand(player, card)
    if k == NONE:
        return Cause.A3_HAND
    coatl = player.coatls[which]
    if coatl.complete:
        return Cause.A10_COMPLETE
    if state.phase == FULFIL and which != state.pending:
        return Cause.A9_FIRST
    return why_lay(cards, state, player, coatl, k)


@inline_kernel
def why_lay(cards: Cards, state: StateRecord, player: PlayerRecord, coatl: Coatl, k: int) -> int:
    """May the hand card at place k be laid on this Cóatl?"""
    card = int(player.hand[k])
    if coatl.n_cards >= MAX_CARDS_ON_COATL:
        return Cause.A6_FOUR
    if is_laid(coatl, card):
        return Cause.A6_IDENTICAL
    if not satisfies(cards, card, coatl):
        return Cause.A3_UNSATISFIED
    if state.levels & LEVEL_3 and (colours_laid(cards, coatl) >> int(cards.colour[card])) & 1:
        return Cause.D10_LEVEL_3
    if state.phase == FULFIL and state.levels != 0:
        return why_levels_unmet(cards, state, player, coatl, NONE, NONE, 1 << k)
    return ALLOWED


@kernel
def why_leave_fulfil(cards: Cards, state: StateRecord, player: PlayerRecord) -> int:
    """A9(i): at least one card; R9: only when the levels are met as it stands."""
    coatl = player.coatls[state.pending]
    if coatl.n_cards == 0:
        return Cause.A9_ONE_CARD
    levels = int(state.levels)
    if choice_completes(cards, state, player, coatl, NONE, NONE, 0, levels):
        return ALLOWED
    is_short = levels & LEVEL_4 and coatl.n_cards < MAX_CARDS_ON_COATL
    return Cause.R9_NOT_FOUR if is_short else Cause.R9_LEVEL_1


@kernel
def why_temple(cards: Cards, state: StateRecord, player: PlayerRecord, temple: int) -> int:
    """A9(ii): one Temple card, at least one of whose requirements is met."""
    coatl = player.coatls[state.pending]
    if temple_points(cards, temple, coatl, NONE, colours_laid(cards, coatl)) == 0:
        return Cause.A9_UNMET
    return ALLOWED


@kernel
def why_no_temple_now(state: StateRecord) -> int:
    """A9(ii): only on completion; at setup, in A.D.A.M.'s turn and after the end others say so."""
    if state.phase == FULFIL:
        return Cause.A9_PROPHECIES
    if state.phase == MAIN or state.phase == PICK or state.phase == ASSEMBLE:
        return Cause.A9_NO_COMPLETION
    return why_no_action(state)


@kernel
def why_temple_from_hand(
    cards: Cards, state: StateRecord, player: PlayerRecord, temple: int
) -> int:
    if state.phase != TEMPLE:
        return why_no_temple_now(state)
    for k in range(player.n_temples):
        if player.temples[k] == temple:
            return why_temple(cards, state, player, temple)
    return Cause.A9_HAND


@kernel
def why_temple_from_pile(cards: Cards, state: StateRecord, player: PlayerRecord, pile: int) -> int:
    if state.phase != TEMPLE:
        return why_no_temple_now(state)
    if state.pile_top[pile] == NONE:
        return Cause.A9_PILE
    return why_temple(cards, state, player, int(state.pile_top[pile]))


# ---------------------------------------------------------------- 3.4 Sacrifice tokens


@kernel
def why_no_token(state: StateRecord, player: PlayerRecord, token: int, used: int) -> int:
    """Each token once a game (C5), if the table plays with them (S6), never in solo (D1).

    `used` is the cause once it has been spent.
    """
    if state.n_players == 1:
        return Cause.D1_TOKENS
    if not state.with_tokens:
        return Cause.S6_TOKENS
    return ALLOWED if player.tokens[token] else used


@kernel
def why_perfect_end(state: StateRecord, player: PlayerRecord, kind: int) -> int:
    """Perfect Pick (K1): a head or tail of a colour that is in the bag."""
    why = why_no_token(state, player, PERFECT_PICK, Cause.K1_USED)
    if why != ALLOWED:
        return why
    if state.bag[kind] == 0:
        return Cause.R7_END
    return Cause.T2_ROOM if player.n_pieces + 1 > BOARD_SPACES else ALLOWED


@kernel
def why_perfect_pair(state: StateRecord, player: PlayerRecord, pair: int) -> int:
    """Perfect Pick (K1, R7): two body segments of colours that are in the bag."""
    why = why_no_token(state, player, PERFECT_PICK, Cause.K1_USED)
    if why != ALLOWED:
        return why
    first, second = decisions.PAIR_FIRST[pair], decisions.PAIR_SECOND[pair]
    wanted = 2 if first == second else 1
    if state.bag[BODY + first] < wanted or state.bag[BODY + second] < wanted:
        return Cause.R7_PAIR
    return Cause.T2_ROOM if player.n_pieces + 2 > BOARD_SPACES else ALLOWED


@kernel
def why_priest(state: StateRecord, player: PlayerRecord, pile: int) -> int:
    why = why_no_token(state, player, PRIEST_COMMITMENT, Cause.K3_USED)
    if why != ALLOWED:
        return why
    return Cause.K3_PILE if state.pile_top[pile] == NONE else ALLOWED


# ---------------------------------------------------------------- discard, done, pass


@kernel
def why_discard(state: StateRecord, player: PlayerRecord, card: int) -> int:
    """S5, D2 at setup; K2; P4: never otherwise."""
    if state.phase == SETUP:
        if state.n_players == 1 and player.n_hand <= KEPT_AT_SETUP:
            return Cause.D2_TOO_FEW
        return Cause.S5_HAND if place_in_hand(player, card) == NONE else ALLOWED
    if state.phase == FUTURE:
        return Cause.K2_HAND if place_in_hand(player, card) == NONE else ALLOWED
    return Cause.E4_OVER if state.phase == OVER else Cause.P4_HAND


@kernel
def why_done(cards: Cards, state: StateRecord, player: PlayerRecord) -> int:
    phase = state.phase
    if phase == SETUP:
        if player.n_hand <= KEPT_AT_SETUP:
            return ALLOWED
        return Cause.D2_TOO_MANY if state.n_players == 1 else Cause.S5_TOO_MANY
    if phase == MAIN:
        return ALLOWED if state.second_action else Cause.T0_NOTHING  # R14
    if phase == PICK:  # R6: after See the Future there may be nothing to take
        may_end = state.picked > 0 or not can_choose_cards(state, player)
        return ALLOWED if may_end else Cause.P1_NONE_TAKEN
    if phase == FULFIL:
        return why_leave_fulfil(cards, state, player)
    if phase == TEMPLE:
        return Cause.D10_LEVEL_1 if state.levels & LEVEL_1 else ALLOWED  # R8
    if phase == ADAM:
        return Cause.D2_ADAM
    return Cause.E4_OVER if phase == OVER else ALLOWED


@kernel
def why_pass(cards: Cards, state: StateRecord, player: PlayerRecord) -> int:
    """R5: only who can do none of the three standard actions; R14: not at a second action."""
    why = why_no_action(state)
    if why != ALLOWED:
        return why
    if state.second_action:
        return Cause.R5_SECOND
    return Cause.R5_POSSIBLE if can_do_standard_action(cards, state, player) else ALLOWED


@kernel
def can_do_standard_action(cards: Cards, state: StateRecord, player: PlayerRecord) -> bool:
    if can_choose_cards(state, player):
        return True
    for space in range(N_SPACES):
        if why_take(state, player, space) == ALLOWED:
            return True
    return can_assemble(cards, state, player)


@kernel
def can_assemble(cards: Cards, state: StateRecord, player: PlayerRecord) -> bool:
    for kind in range(N_KINDS):
        if why_begin(player, kind) == ALLOWED:
            return True
    for which in range(player.n_coatls):
        for end in range(decisions.ADD, decisions.ADD + decisions.N_ENDS):
            kind, is_left = int(DECODED[end, PIECE]), bool(DECODED[end, IS_LEFT])
            if why_add(cards, state, player, which, kind, is_left) == ALLOWED:
                return True
        for k in range(player.n_hand):
            card = int(player.hand[k])
            if why_fulfil(cards, state, player, which, card) == ALLOWED:
                return True
    return False


# ---------------------------------------------------------------- any decision


@kernel
def why(cards: Cards, state: StateRecord, decision: int) -> int:
    """The cause that forbids a decision, or ALLOWED."""
    if decision < 0 or decision >= decisions.N_DECISIONS:
        return Cause.T0_UNKNOWN
    player = state.players[state.current]
    kind = DECODED[decision, KIND]
    if kind >= Kind.DISCARD:
        return why_end(cards, state, player, decision)
    if kind == Kind.TEMPLE_FROM_HAND:
        return why_temple_from_hand(cards, state, player, int(DECODED[decision, CARD]))
    if kind == Kind.TEMPLE_FROM_PILE:
        return why_temple_from_pile(cards, state, player, int(DECODED[decision, AT]))
    if not goes_on(state, kind):
        refused = why_no_action(state)
        if refused != ALLOWED:
            return refused
    return why_action(cards, state, player, decision)


@kernel
def goes_on(state: StateRecord, kind: int) -> bool:
    """Does a decision of some kind go on with the action under way (P1, A1-A3, A9(i))?"""
    if state.phase == PICK:
        return kind == Kind.PICK or kind == Kind.DRAW
    if state.phase == ASSEMBLE:
        return kind == Kind.BEGIN or kind == Kind.ADD or kind == Kind.FULFIL
    return state.phase == FULFIL and kind == Kind.FULFIL


@kernel
def assembles(decision: int) -> bool:
    """Is a decision part of an assembly (A1-A3), or of a completion (A9)?"""
    return Kind.BEGIN <= int(DECODED[decision, KIND]) <= Kind.TEMPLE_FROM_PILE


@kernel
def why_end(cards: Cards, state: StateRecord, player: PlayerRecord, decision: int) -> int:
    kind = DECODED[decision, KIND]
    if kind == Kind.DISCARD:
        return why_discard(state, player, int(DECODED[decision, CARD]))
    if kind == Kind.DONE:
        return why_done(cards, state, player)
    if kind == Kind.PASS:
        return why_pass(cards, state, player)
    if state.phase == ADAM:
        return ALLOWED
    return Cause.E4_OVER if state.phase == OVER else Cause.T0_STEP


@kernel
def why_action(cards: Cards, state: StateRecord, player: PlayerRecord, decision: int) -> int:
    """A decision that begins an action or goes on with the one under way."""
    kind, at = DECODED[decision, KIND], int(DECODED[decision, AT])
    coatl, piece = int(DECODED[decision, COATL]), int(DECODED[decision, PIECE])
    if kind == Kind.TAKE:
        return why_take(state, player, at)
    if kind == Kind.PICK:
        return why_pick(state, player, at)
    if kind == Kind.DRAW:
        return why_draw(state, player)
    if kind == Kind.BEGIN:
        return why_begin(player, piece)
    if kind == Kind.ADD:
        return why_add(cards, state, player, coatl, piece, bool(DECODED[decision, IS_LEFT]))
    if kind == Kind.FULFIL:
        return why_fulfil(cards, state, player, coatl, int(DECODED[decision, CARD]))
    if kind == Kind.PERFECT_END:
        return why_perfect_end(state, player, piece)
    if kind == Kind.PERFECT_PAIR:
        return why_perfect_pair(state, player, int(DECODED[decision, PAIR]))
    if kind == Kind.FUTURE:
        return why_no_token(state, player, SEE_THE_FUTURE, Cause.K2_USED)
    return why_priest(state, player, at)
