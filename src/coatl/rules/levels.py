"""Can a Cóatl be completed as the solo levels ask (D10, R9)?"""

from __future__ import annotations

from typing import NamedTuple

from coatl.compiler.functions import inline_kernel, kernel
from coatl.rules.causes import ALLOWED, Cause
from coatl.rules.scoring import card_points, colours_laid, temple_points
from coatl.rules.state import (
    LEVEL_1,
    LEVEL_3,
    LEVEL_4,
    MAX_CARDS_ON_COATL,
    N_PILES,
    NONE,
    Coatl,
    PlayerRecord,
    StateRecord,
)
from coatl.rules.tables import Cards

# Sets of levels that a choice of cards may fail to meet, and the cause; small ones first.
UNMET = (
    (LEVEL_1, int(Cause.R9_LEVEL_1)),
    (LEVEL_4, int(Cause.R9_LEVEL_4)),
    (LEVEL_1 | LEVEL_4, int(Cause.R9_LEVELS_1_4)),
    (LEVEL_3 | LEVEL_4, int(Cause.R9_LEVELS_3_4)),
)


class CardOptions(NamedTuple):
    """The hand cards (bits) that may be laid to complete a Cóatl."""

    fitting: int  # those that it satisfies
    required: int  # those that must be among them


@kernel
def why_levels_unmet(
    cards: Cards,
    state: StateRecord,
    player: PlayerRecord,
    coatl: Coatl,
    before: int,
    after: int,
    required: int,
) -> int:
    """R9: at least one choice of cards, with the `required` ones (bits), must meet A6 and all
    levels together.

    If there is none, the cause names the fewest levels for which there is none. Level 3 is not the
    cause without level 4: one card, or none where one is laid, has no two card colours.
    """
    options = CardOptions(fitting_cards(cards, player, coatl, before, after), required)
    chosen = int(state.levels)
    if levels_met(cards, state, player, coatl, before, after, options, chosen):
        return ALLOWED
    for levels, cause in UNMET:
        if levels & ~chosen == 0 and not levels_met(
            cards, state, player, coatl, before, after, options, levels
        ):
            return cause
    return Cause.R9_LEVELS_1_3_4


@kernel
def levels_met(
    cards: Cards,
    state: StateRecord,
    player: PlayerRecord,
    coatl: Coatl,
    before: int,
    after: int,
    options: CardOptions,
    levels: int,
) -> bool:
    """R9: is there a choice of cards that meets A6 and some levels?"""
    fitting, required = options.fitting, options.required
    if levels & LEVEL_4 and int(coatl.n_cards) + n_bits(fitting) < MAX_CARDS_ON_COATL:
        return False
    for choice in range(fitting + 1):
        if choice & ~fitting != 0 or choice & required != required:
            continue
        if choice_completes(cards, state, player, coatl, before, after, choice, levels):
            return True
    return False


@inline_kernel
def n_bits(bits: int) -> int:
    count = 0
    while bits:
        bits &= bits - 1
        count += 1
    return count


@kernel
def fitting_cards(cards: Cards, player: PlayerRecord, coatl: Coatl, before: int, after: int) -> int:
    """Bits of the hand cards that the Cóatl satisfies and does not have (A3, A6)."""
    bits = 0
    for k in range(player.n_hand):
        card = int(player.hand[k])
        if (
            is_first_copy(player, k)
            and not is_laid(coatl, card)
            and card_points(cards, card, coatl, before, after) > 0
        ):
            bits |= 1 << k
    return bits


@kernel
def choice_completes(
    cards: Cards,
    state: StateRecord,
    player: PlayerRecord,
    coatl: Coatl,
    before: int,
    after: int,
    choice: int,
    levels: int,
) -> bool:
    """R9: does this choice of fitting cards (bits) meet A6 and some levels (D10) together?"""
    laid = colours_laid(cards, coatl)
    total = int(coatl.n_cards)
    for k in range(player.n_hand):
        if (choice >> k) & 1:
            colour = 1 << int(cards.colour[player.hand[k]])
            if levels & LEVEL_3 and laid & colour:
                return False
            laid |= colour
            total += 1
    if total == 0 or total > MAX_CARDS_ON_COATL:
        return False
    if levels & LEVEL_4 and total != MAX_CARDS_ON_COATL:
        return False
    if levels & LEVEL_1:
        extra = before if before != NONE else after
        return pile_fits(cards, state, coatl, extra, laid)
    return True


@kernel
def pile_fits(cards: Cards, state: StateRecord, coatl: Coatl, extra: int, laid: int) -> bool:
    """Does the top of either Temple pile have a requirement that the Cóatl meets?"""
    for pile in range(N_PILES):
        top = int(state.pile_top[pile])
        if top != NONE and temple_points(cards, top, coatl, extra, laid) > 0:
            return True
    return False


@inline_kernel
def is_laid(coatl: Coatl, card: int) -> bool:
    for i in range(coatl.n_cards):
        if coatl.cards[i] == card:
            return True
    return False


@inline_kernel
def is_first_copy(player: PlayerRecord, k: int) -> bool:
    """Equal cards stand side by side in the hand; the first stands for all of them."""
    return k == 0 or player.hand[k - 1] != player.hand[k]
