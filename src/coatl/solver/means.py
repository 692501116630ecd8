"""What a seat may use now: its pieces, its cards, the Temple cards, and the Cóatl it may close."""

from __future__ import annotations

from coatl.compiler.functions import inline_kernel, kernel
from coatl.rules.cards import Requirement
from coatl.rules.causes import ALLOWED, Cause
from coatl.rules.legal import why_no_new_coatl
from coatl.rules.levels import choice_completes, is_first_copy, is_laid
from coatl.rules.pieces import BODY, N_COLOURS, N_KINDS
from coatl.rules.scoring import colours_laid, is_hopeless, one_piece
from coatl.rules.state import (
    HAND_LIMIT,
    LEVEL_1,
    MAX_COATLS,
    N_PILES,
    NONE,
    OVER,
    SETUP,
    TEMPLE,
    Coatl,
    PlayerRecord,
    StateRecord,
)
from coatl.rules.tables import Cards
from coatl.solver.workspace import N_TEMPLES, TEMPLES_IN_HAND, Means, Room, Target

PIECE_BITS = 5  # of the count of a kind in a set of pieces, the highest of them left free
CARD_BITS = 4  # of the copies of a card, likewise
PIECE_GUARDS = sum(1 << (PIECE_BITS * k + PIECE_BITS - 1) for k in range(8))
CARD_GUARDS = sum(1 << (CARD_BITS * k + CARD_BITS - 1) for k in range(HAND_LIMIT))


@inline_kernel
def fits(wanted: int, available: int, guards: int) -> bool:
    """Is every count in `wanted` at most that in `available`?

    All are compared at once: the guard bit above each survives the subtraction only if so.
    """
    return ((available | guards) - wanted) & guards == guards


@kernel
def set_up(cards: Cards, state: StateRecord, seat: int, room: Room) -> None:
    """Note what a seat may use, and the Cóatl it may close, as if it were its turn if it is not."""
    player = state.players[seat]
    room.nodes = 0
    room.n_targets = 0
    room.needs_closed = NONE
    if state.phase == SETUP or state.phase == OVER:
        return
    means = room.means
    means.levels = state.levels
    count_pieces(player, means)
    count_cards(player, means, room)
    list_temples(cards, state, player, means)
    is_mine = state.current == seat
    pending = int(state.pending) if is_mine else NONE
    for which in range(player.n_coatls):
        if not player.coatls[which].complete:
            target = add_target(room, which, player.coatls[which])
            target.is_pending = 1 if which == pending else 0
            list_allowed(cards, state, player, means, target)
    add_new_targets(cards, state, player, room)


@kernel
def count_pieces(player: PlayerRecord, means: Means) -> None:
    means.n_kinds = 0
    sets = 1
    for kind in range(N_KINDS):
        if player.pieces[kind] > 0:
            k = int(means.n_kinds)
            means.kinds[k] = kind
            means.counts[k] = player.pieces[kind]
            means.steps[k] = sets
            sets *= int(player.pieces[kind]) + 1
            means.n_kinds += 1
    means.n_piece_sets = sets
    for number in range(sets):
        piece_set = means.piece_sets[number]
        piece_set.n_pieces, piece_set.bodies = 0, 0
        counts, colours, rest = 0, 0, number
        for k in range(means.n_kinds):
            kind = int(means.kinds[k])
            n = rest % (int(means.counts[k]) + 1)
            rest //= int(means.counts[k]) + 1
            piece_set.n_pieces += n
            piece_set.bodies += n if kind >= BODY else 0
            counts += n << (PIECE_BITS * k)
            colours += n * one_piece(kind % N_COLOURS)
        piece_set.counts = counts
        piece_set.colours = colours


@kernel
def count_cards(player: PlayerRecord, means: Means, room: Room) -> None:
    """The different cards that are known; A6 forbids two alike on a Cóatl, not on two of them."""
    means.n_cards, means.held, means.breakable = 0, 0, 0
    for k in range(player.n_hand):
        card = int(player.hand[k])
        if card == NONE:
            continue
        if is_first_copy(player, k):
            means.cards[means.n_cards] = card
            means.places[means.n_cards] = k
            if room.can_break[card]:
                means.breakable |= 1 << int(means.n_cards)
            means.n_cards += 1
        means.held += 1 << (CARD_BITS * (int(means.n_cards) - 1))
    for chosen in range(1 << int(means.n_cards)):
        copies = 0
        for k in range(means.n_cards):
            copies += ((chosen >> k) & 1) << (CARD_BITS * k)
        means.copies[chosen] = copies


@kernel
def list_temples(cards: Cards, state: StateRecord, player: PlayerRecord, means: Means) -> None:
    """In hand and on the piles; what lies below a top is not known (H2)."""
    for k in range(TEMPLES_IN_HAND):
        means.temples[k] = player.temples[k] if k < player.n_temples else NONE
    for pile in range(N_PILES):
        means.temples[TEMPLES_IN_HAND + pile] = state.pile_top[pile]
    for k in range(N_TEMPLES):
        means.ask_cards[k] = 0
        temple = int(means.temples[k])
        if temple != NONE:
            for at in range(cards.n_requirements[temple]):
                if cards.requirement[temple, at, 0] == Requirement.NO_PROPHECY:
                    means.ask_cards[k] = 1


@kernel
def add_target(room: Room, which: int, coatl: Coatl) -> Target:
    target = room.targets[room.n_targets]
    room.n_targets += 1
    target.which = which
    target.is_new = 1 if coatl.length == 0 else 0
    copy_coatl(coatl, target.coatl)
    return target


@kernel
def copy_coatl(coatl: Coatl, into: Coatl) -> None:
    into.length, into.counts = coatl.length, coatl.counts
    into.has_head, into.has_tail = coatl.has_head, coatl.has_tail
    into.n_cards, into.temple, into.complete = coatl.n_cards, coatl.temple, coatl.complete
    for k in range(coatl.n_cards):
        into.cards[k] = coatl.cards[k]
    for k in range(coatl.length):
        into.colours[k] = coatl.colours[k]


@kernel
def add_new_targets(cards: Cards, state: StateRecord, player: PlayerRecord, room: Room) -> None:
    """A1: a new Cóatl may be begun now, or when one of two open ones has been closed."""
    cause = why_no_new_coatl(player)
    if cause == Cause.A1_THREE:
        return
    if cause != ALLOWED:
        room.needs_closed = room.n_targets
    for which in range(player.n_coatls, MAX_COATLS):
        target = add_target(room, which, player.coatls[which])
        target.is_pending = 0
        list_allowed(cards, state, player, room.means, target)


@kernel
def list_allowed(
    cards: Cards, state: StateRecord, player: PlayerRecord, means: Means, target: Target
) -> None:
    """The sets of cards that may be laid on a Cóatl by the time it is complete (A6, A7, D10).

    Level 1 asks for a Temple card, which the search sees to.
    """
    coatl = target.coatl
    target.laid = colours_laid(cards, coatl)
    target.useful = useful_cards(cards, means, target)
    only_laid = target.is_pending and state.phase == TEMPLE  # A9(ii)
    levels = int(state.levels) & ~LEVEL_1
    for chosen in range(1 << int(means.n_cards)):
        target.allowed[chosen] = 0
        if only_laid:
            target.allowed[chosen] = 1 if chosen == 0 else 0
        elif chosen & ~int(target.useful) == 0:
            choice = 0
            for k in range(means.n_cards):
                choice |= ((chosen >> k) & 1) << int(means.places[k])
            if choice_completes(cards, state, player, coatl, NONE, NONE, choice, levels):
                target.allowed[chosen] = 1


@kernel
def useful_cards(cards: Cards, means: Means, target: Target) -> int:
    """The cards in hand that are not on a Cóatl, and that it meets with enough of the pieces."""
    coatl = target.coatl
    as_it_lies = int(coatl.counts)
    if not target.is_pending:
        coatl.counts += means.piece_sets[means.n_piece_sets - 1].colours
    useful = 0
    for k in range(means.n_cards):
        card = int(means.cards[k])
        if not is_laid(coatl, card) and not is_hopeless(cards, card, coatl, NONE, NONE):
            useful |= 1 << k
    coatl.counts = as_it_lies
    return useful
