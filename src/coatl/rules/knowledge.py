"""What a seat knows (section 8), as a state with everything else taken out, and its completions.

`redact` turns the truth into a *known* state: cards a seat cannot place are gathered in `deck` and
`pool`, and their places in hands and among the setup discards hold ``NONE``. It depends only on
what the seat may know, so nothing made from it can leak. `complete` deals the gathered cards to
those places again, uniformly among all ways that agree with what the seat has seen.

After a reshuffle (R3) a card that went into the new deck in sight of the seat cannot be one that a
hand has held since before: such cards are dealt only to the others.
"""

from __future__ import annotations

from coatl.compiler.functions import kernel
from coatl.rules.chance import CARD_DRAWN, TEMPLE_DRAWN, Chance, below, draw
from coatl.rules.hands import insert_card, insert_temple
from coatl.rules.state import MAX_PROPHECIES, NONE, PlayerRecord, StateRecord

NOBODY = -1  # the seat of a spectator

# Every field of a state, by who may know it: a test holds these lists against the records, so that
# a new field has to be put on one of them before any seat is told of it.
KNOWN_TO_ALL = {  # H1, H3: passed on as it is
    "StateRecord": (
        *("n_players", "with_tokens", "with_promo", "fewer_bodies", "levels"),
        *("current", "phase", "pending", "picked", "actions_left", "second_action", "passes"),
        *("end", "trigger", "turns_left", "turn", "supply", "bag", "gone", "row"),
        *("n_deck", "n_discard", "reshuffled", "recycled", "pile_top", "pile_size", "n_pool"),
        "adam",
    ),
    "PlayerRecord": (
        *("pieces", "n_pieces", "n_hand", "n_old", "n_temples", "tokens"),
        *("n_coatls", "n_complete", "coatls"),
    ),
    "Coatl": (
        *("length", "has_head", "has_tail", "complete", "n_cards", "cards", "temple", "counts"),
        "colours",
    ),
    "Adam": ("step", "looking", "space", "n_cards", "cards", "pieces", "holding", "fulfilled"),
}
KNOWN_IN_PART = {  # H1, H2: what `redact` changes
    "StateRecord": ("deck", "discard", "pool", "players"),
    "PlayerRecord": ("hand", "seen", "temples", "temples_seen", "buried", "n_buried"),
    "Coatl": (),
    "Adam": (),
}


@kernel
def redact(state: StateRecord, seat: int) -> None:
    """H1, H2: take out of the truth whatever `seat` (or NOBODY) may not know."""
    for other in range(state.n_players):
        if other != seat:
            player = state.players[other]
            hide_hand(state, player)
            hide_temples(state, player)
            hide_buried(state, player)


@kernel
def hide_hand(state: StateRecord, player: PlayerRecord) -> None:
    """Cards that everyone saw stay, in order; the others' places come after them."""
    kept = 0
    for k in range(player.n_hand):
        card = int(player.hand[k])
        if player.seen[k]:
            player.hand[kept] = card
            kept += 1
        else:
            state.deck[card] += 1
    for k in range(player.n_hand):
        player.seen[k] = 1 if k < kept else 0
        if k >= kept:
            player.hand[k] = NONE


@kernel
def hide_temples(state: StateRecord, player: PlayerRecord) -> None:
    kept = 0
    for k in range(player.n_temples):
        temple = int(player.temples[k])
        if player.temples_seen[k]:
            player.temples[kept] = temple
            kept += 1
        else:
            state.pool[temple] += 1
    for k in range(player.n_temples):
        player.temples_seen[k] = 1 if k < kept else 0
        if k >= kept:
            player.temples[k] = NONE


@kernel
def hide_buried(state: StateRecord, player: PlayerRecord) -> None:
    """Setup discards lie among the discards until a reshuffle; after it they are just memories."""
    for k in range(player.n_buried):
        if not state.reshuffled:
            card = int(player.buried[k])
            state.discard[card] -= 1
            state.deck[card] += 1
        player.buried[k] = 0 if state.reshuffled else NONE
    if state.reshuffled:
        player.n_buried = 0


@kernel
def complete(state: StateRecord, seat: int, chance: Chance) -> None:
    """A full state that agrees with a known one, each equally likely."""
    unseen = 0
    for card in range(MAX_PROPHECIES):
        unseen += int(state.deck[card])
    unseen = deal_old_cards(state, seat, unseen, chance)
    for other in range(state.n_players):
        if other != seat:
            player = state.players[other]
            unseen = deal_rest(state, player, unseen, chance)
            deal_temples(state, player, chance)


@kernel
def deal_old_cards(state: StateRecord, seat: int, unseen: int, chance: Chance) -> int:
    """First the cards held since before the last reshuffle: none that went into it in sight."""
    if not state.reshuffled:
        return unseen
    free = 0
    for card in range(MAX_PROPHECIES):
        free += int(state.deck[card]) - went_into_deck(state, seat, card)
    for other in range(state.n_players):
        if other != seat:
            player = state.players[other]
            for _ in range(player.n_old):
                hold(player, draw_free_card(state, seat, free, chance))
                free -= 1
                unseen -= 1
    return unseen


@kernel
def went_into_deck(state: StateRecord, seat: int, card: int) -> int:
    """Unseen copies of a card that, as the seat knows, were not in a hand at the last reshuffle.

    A copy that the seat has drawn itself since then may be one of those it saw going in.
    """
    copies = int(state.recycled[card])
    if seat != NOBODY:
        player = state.players[seat]
        for k in range(player.n_buried):
            copies += 1 if player.buried[k] == card else 0
        held, unseen = 0, 0
        for k in range(player.n_hand):
            unseen += 0 if player.seen[k] else 1
            held += 1 if player.hand[k] == card and not player.seen[k] else 0
        copies -= min(held, unseen - int(player.n_old))
    return min(max(copies, 0), int(state.deck[card]))


@kernel
def draw_free_card(state: StateRecord, seat: int, free: int, chance: Chance) -> int:
    left = below(chance, free)
    card = -1
    while left >= 0:
        card += 1
        left -= int(state.deck[card]) - went_into_deck(state, seat, card)
    state.deck[card] -= 1
    return card


@kernel
def hold(player: PlayerRecord, card: int) -> None:
    """Put a card into the first unknown place of a hand, whose known cards are sorted before it."""
    known = 0
    while player.hand[known] != NONE:
        known += 1
    total = int(player.n_hand)
    player.n_hand = known
    insert_card(player, card, 0)
    player.n_hand = total


@kernel
def deal_rest(state: StateRecord, player: PlayerRecord, unseen: int, chance: Chance) -> int:
    for _ in range(player.n_hand):
        if player.hand[player.n_hand - 1] == NONE:
            hold(player, draw(chance, state.deck, 0, unseen, CARD_DRAWN))
            unseen -= 1
    for k in range(player.n_buried):
        card = draw(chance, state.deck, 0, unseen, CARD_DRAWN)
        unseen -= 1
        state.discard[card] += 1
        j = k
        while j > 0 and player.buried[j - 1] > card:
            player.buried[j] = player.buried[j - 1]
            j -= 1
        player.buried[j] = card
    return unseen


@kernel
def deal_temples(state: StateRecord, player: PlayerRecord, chance: Chance) -> None:
    total = int(player.n_temples)
    for known in range(total):
        if player.temples[known] == NONE:
            left = 0
            for temple in range(len(state.pool)):
                left += int(state.pool[temple])
            player.temples[known] = 0
            player.n_temples = known
            insert_temple(player, draw(chance, state.pool, 0, left, TEMPLE_DRAWN), 0)
    player.n_temples = total
