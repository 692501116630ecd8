"""The common stock: Supply board and bags (S1, T3-T5), Prophecy row and deck, Temple piles."""

from __future__ import annotations

from coatl.compiler.functions import inline_kernel, kernel
from coatl.rules.chance import CARD_DRAWN, PIECE_DRAWN, TEMPLE_DRAWN, Chance, draw
from coatl.rules.pieces import (
    BODY,
    FIRST_HEAD_SPACE,
    FIRST_TAIL_SPACE,
    HEAD,
    N_COLOURS,
    N_SPACES,
    TAIL,
)
from coatl.rules.state import MAX_PROPHECIES, NONE, ROW_SIZE, PlayerRecord, StateRecord

# ---------------------------------------------------------------- pieces


@kernel
def in_bag(state: StateRecord, first_kind: int) -> int:
    total = 0
    for colour in range(N_COLOURS):
        total += int(state.bag[first_kind + colour])
    return total


@kernel
def draw_piece(state: StateRecord, first_kind: int, size: int, chance: Chance) -> int:
    """The colour of a piece drawn from the bag of heads, tails or bodies, which holds `size`."""
    return draw(chance, state.bag, first_kind, size, PIECE_DRAWN) - first_kind


@kernel
def fill_supply(state: StateRecord, chance: Chance) -> None:
    """S1, T3, T4: all empty spaces in the order of their numbers, as far as the bags go."""
    heads, tails, bodies = in_bag(state, HEAD), in_bag(state, TAIL), in_bag(state, BODY)
    for space in range(N_SPACES):
        if state.supply[space, 0] != NONE:
            continue
        if space < FIRST_HEAD_SPACE:
            if bodies >= 2:  # always 2 segments in a body space
                one = draw_piece(state, BODY, bodies, chance)
                other = draw_piece(state, BODY, bodies - 1, chance)
                state.supply[space, 0] = min(one, other)
                state.supply[space, 1] = max(one, other)
                bodies -= 2
        elif space < FIRST_TAIL_SPACE:
            if heads >= 1:
                state.supply[space, 0] = draw_piece(state, HEAD, heads, chance)
                heads -= 1
        elif tails >= 1:
            state.supply[space, 0] = draw_piece(state, TAIL, tails, chance)
            tails -= 1


@kernel
def any_on_board(state: StateRecord, first: int, last: int) -> bool:
    for space in range(first, last):
        if state.supply[space, 0] != NONE:
            return True
    return False


@kernel
def refill_after_take(state: StateRecord, chance: Chance) -> None:
    """T3: fill all empty spaces if no body segment, or no head and no tail, is left (R16)."""
    bodies = any_on_board(state, 0, FIRST_HEAD_SPACE)
    if not bodies or not any_on_board(state, FIRST_HEAD_SPACE, N_SPACES):
        fill_supply(state, chance)


@kernel
def bodies_left(state: StateRecord) -> bool:
    """T5: is a body segment on the board or in the bag?"""
    return any_on_board(state, 0, FIRST_HEAD_SPACE) or in_bag(state, BODY) > 0


# ---------------------------------------------------------------- Prophecy cards


@kernel
def deal_card(state: StateRecord, chance: Chance) -> int:
    """The top card of the deck, which is made anew from the discards when it is empty (R3)."""
    if state.n_deck == 0:
        reshuffle(state)
    card = draw(chance, state.deck, 0, int(state.n_deck), CARD_DRAWN)
    state.n_deck -= 1
    return card


@kernel
def reshuffle(state: StateRecord) -> None:
    """R3; H1: note what everyone knows of the new deck and of the hands.

    Everyone saw the discards but those made at setup, which their owners alone know; no card that
    was in a hand before can be one of them. A second reshuffle leaves the setup discards behind.
    """
    for card in range(MAX_PROPHECIES):
        count = int(state.discard[card])
        state.deck[card] = count
        state.recycled[card] = count
        state.discard[card] = 0
    for seat in range(state.n_players):
        player = state.players[seat]
        for k in range(player.n_buried):
            if state.reshuffled:
                player.buried[k] = 0
            else:
                state.recycled[player.buried[k]] -= 1
        if state.reshuffled:
            player.n_buried = 0
        unseen = 0
        for k in range(player.n_hand):
            unseen += 0 if player.seen[k] else 1
        player.n_old = unseen
    state.n_deck = state.n_discard
    state.n_discard = 0
    state.reshuffled = 1


@kernel
def note_reveal(state: StateRecord, card: int) -> None:
    """H1: a copy of `card` comes into everyone's sight; it may be one known to be in the deck.

    Which copy it was nobody can tell, so less is assumed of the other from now on.
    """
    if state.recycled[card] > 0:
        state.recycled[card] -= 1
    elif state.reshuffled:
        for seat in range(state.n_players):
            forget_buried(state.players[seat], card)


@kernel
def forget_buried(player: PlayerRecord, card: int) -> None:
    found = False
    for k in range(player.n_buried):
        found = found or player.buried[k] == card
        if found:
            player.buried[k] = player.buried[k + 1] if k + 1 < player.n_buried else 0
    if found:
        player.n_buried -= 1


@kernel
def reveal_card(state: StateRecord, place: int, chance: Chance) -> None:
    if state.n_deck > 0 or state.n_discard > 0:
        card = deal_card(state, chance)
        state.row[place] = card
        note_reveal(state, card)


@kernel
def refill_row(state: StateRecord, chance: Chance) -> None:
    """P3: up to 6 face-up cards; D3: in solo they slide right and new ones come on the left."""
    if state.n_players == 1:
        slide_right(state)
        for place in range(ROW_SIZE - 1, -1, -1):
            if state.row[place] == NONE:
                reveal_card(state, place, chance)
    else:
        for place in range(ROW_SIZE):
            if state.row[place] == NONE:
                reveal_card(state, place, chance)


def slid_place(n_right: int) -> int:
    """D3: where a card lies after the slide that has `n_right` cards on its right."""
    return ROW_SIZE - 1 - n_right


_slid_place = inline_kernel(slid_place)


@kernel
def slide_right(state: StateRecord) -> None:
    n_right = 0
    for place in range(ROW_SIZE - 1, -1, -1):
        card = int(state.row[place])
        if card != NONE:
            state.row[place] = NONE
            state.row[_slid_place(n_right)] = card
            n_right += 1


@kernel
def discard_face_up(state: StateRecord) -> None:
    """See the Future: the face-up cards go to the discards (K2)."""
    for place in range(ROW_SIZE):
        card = int(state.row[place])
        if card != NONE:
            state.discard[card] += 1
            state.n_discard += 1
            state.row[place] = NONE


# ---------------------------------------------------------------- Temple cards


@kernel
def reveal_temple(state: StateRecord, chance: Chance) -> int:
    temple = draw(chance, state.pool, 0, int(state.n_pool), TEMPLE_DRAWN)
    state.n_pool -= 1
    return temple


@kernel
def take_temple(state: StateRecord, pile: int, chance: Chance) -> int:
    """The top card of a pile; the next one is revealed (A9(ii), K3)."""
    temple = int(state.pile_top[pile])
    state.pile_size[pile] -= 1
    state.pile_top[pile] = reveal_temple(state, chance) if state.pile_size[pile] > 0 else NONE
    return temple
