"""Setting up a game (section 2, and D1, D2 for solo). The order of draws is part of the format."""

from __future__ import annotations

from coatl.compiler.functions import kernel
from coatl.rules import limits
from coatl.rules.chance import Chance
from coatl.rules.hands import insert_card, insert_temple
from coatl.rules.pieces import (
    BODY,
    HEAD,
    HEADS_OF_A_COLOUR,
    N_COLOURS,
    N_SPACES,
    TAIL,
    TAILS_OF_A_COLOUR,
)
from coatl.rules.solo import adam_cards
from coatl.rules.state import (
    LOOK,
    MAX_COATLS,
    MAX_PLAYERS,
    N_PILES,
    N_TOKENS,
    NONE,
    ROW_SIZE,
    SETUP,
    StateRecord,
)
from coatl.rules.supply import deal_card, fill_supply, refill_row, reveal_temple
from coatl.rules.tables import Cards

cards_dealt = kernel(limits.cards_dealt)
temples_dealt = kernel(limits.temples_dealt)


@kernel
def empty_table(state: StateRecord) -> None:
    """Nothing anywhere; a zeroed record is expected."""
    state.pending = NONE
    state.trigger = NONE
    state.adam.space = NONE
    state.adam.step = LOOK
    for space in range(N_SPACES):
        state.supply[space, 0] = NONE
        state.supply[space, 1] = NONE
    for place in range(ROW_SIZE):
        state.row[place] = NONE
    for pile in range(N_PILES):
        state.pile_top[pile] = NONE
    for seat in range(MAX_PLAYERS):
        for i in range(MAX_COATLS):
            state.players[seat].coatls[i].temple = NONE


@kernel
def fill_bags(state: StateRecord, bodies: int) -> None:
    """C2, D1, R22: `bodies` body segments of each colour."""
    for colour in range(N_COLOURS):
        state.bag[HEAD + colour] = HEADS_OF_A_COLOUR
        state.bag[TAIL + colour] = TAILS_OF_A_COLOUR
        state.bag[BODY + colour] = bodies


@kernel
def gather_cards(cards: Cards, state: StateRecord) -> None:
    """C3: the Prophecy deck and the Temple cards, with the promo pack if it is played."""
    for card in range(cards.n_prophecies):
        if state.with_promo or not cards.promo[card]:
            state.deck[card] = cards.copies[card]
            state.n_deck += cards.copies[card]
    for temple in range(cards.n_temples):
        if state.with_promo or not cards.temple_promo[temple]:
            state.pool[temple] = cards.temple_copies[temple]
            state.n_pool += cards.temple_copies[temple]


@kernel
def deal_temples(state: StateRecord, chance: Chance) -> None:
    """S3, R23: some to the players; the rest in two piles, an odd card to the left."""
    for seat in range(state.n_players):
        for _ in range(temples_dealt(int(state.n_players))):
            insert_temple(state.players[seat], reveal_temple(state, chance), 0)
    rest = int(state.n_pool)
    state.pile_size[0] = (rest + 1) // 2
    state.pile_size[1] = rest // 2
    for pile in range(N_PILES):
        if state.pile_size[pile] > 0:
            state.pile_top[pile] = reveal_temple(state, chance)


@kernel
def deal_adam(state: StateRecord, chance: Chance) -> None:
    """D2: A.D.A.M.'s face-up cards."""
    for i in range(adam_cards(int(state.levels))):
        state.adam.cards[i] = deal_card(state, chance)
        state.adam.n_cards += 1


@kernel
def deal_hands(state: StateRecord, chance: Chance) -> None:
    """S5, D2"""
    for seat in range(state.n_players):
        for _ in range(cards_dealt(int(state.n_players), seat)):
            insert_card(state.players[seat], deal_card(state, chance), 0)


@kernel
def set_up(cards: Cards, state: StateRecord, bodies: int, chance: Chance) -> None:
    """A zeroed state with its options set becomes a game in which seat 0 chooses what to keep."""
    empty_table(state)
    fill_bags(state, bodies)
    gather_cards(cards, state)
    fill_supply(state, chance)  # S1
    deal_temples(state, chance)  # S3
    refill_row(state, chance)  # S4
    if state.n_players == 1:
        deal_adam(state, chance)
    deal_hands(state, chance)
    if state.with_tokens and state.n_players > 1:  # S6, D1
        for seat in range(state.n_players):
            for token in range(N_TOKENS):
                state.players[seat].tokens[token] = 1
    state.phase = SETUP
    state.actions_left = 1  # of the first player's first turn
