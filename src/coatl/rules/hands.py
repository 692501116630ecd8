"""Cards in a hand and pieces on a board, and what the others know of them (H1)."""

from __future__ import annotations

from coatl.compiler.functions import kernel
from coatl.rules.state import (
    PlayerRecord,
    StateRecord,
)
from coatl.rules.supply import (
    note_reveal,
)
from coatl.rules.tables import Cards


@kernel
def insert_card(player: PlayerRecord, card: int, seen: int) -> None:
    """Into the sorted hand; of equal cards those that others have seen come first."""
    k = int(player.n_hand)
    while k > 0 and (
        player.hand[k - 1] > card or (player.hand[k - 1] == card and player.seen[k - 1] < seen)
    ):
        player.hand[k] = player.hand[k - 1]
        player.seen[k] = player.seen[k - 1]
        k -= 1
    player.hand[k] = card
    player.seen[k] = seen
    player.n_hand += 1


@kernel
def remove_card(cards: Cards, state: StateRecord, player: PlayerRecord, card: int) -> None:
    """Out of the hand; of equal cards one that others knew of goes first (H1).

    If all its copies went into the last reshuffle it was drawn since. Otherwise nobody can tell
    how old it was, and taking it for one of the oldest excludes nothing.
    """
    k = 0
    while player.hand[k] != card:
        k += 1
    if not player.seen[k]:
        surely_new = state.recycled[card] >= cards.copies[card]
        note_reveal(state, card)
        if player.n_old > 0 and not surely_new:
            player.n_old -= 1
    player.n_hand -= 1
    last = int(player.n_hand)
    while k < last:
        player.hand[k] = player.hand[k + 1]
        player.seen[k] = player.seen[k + 1]
        k += 1
    player.hand[last] = 0
    player.seen[last] = 0


@kernel
def insert_temple(player: PlayerRecord, temple: int, seen: int) -> None:
    """Sorted; of equal cards one that others have seen comes first."""
    k = int(player.n_temples)
    if k > 0 and (
        player.temples[0] > temple
        or (player.temples[0] == temple and player.temples_seen[0] < seen)
    ):
        player.temples[1] = player.temples[0]
        player.temples_seen[1] = player.temples_seen[0]
        k = 0
    player.temples[k] = temple
    player.temples_seen[k] = seen
    player.n_temples += 1


@kernel
def remove_temple(player: PlayerRecord, temple: int) -> None:
    if player.temples[0] == temple:
        player.temples[0] = player.temples[1]
        player.temples_seen[0] = player.temples_seen[1]
    player.temples[1] = 0
    player.temples_seen[1] = 0
    player.n_temples -= 1
    if player.n_temples == 0:
        player.temples[0] = 0
        player.temples_seen[0] = 0


@kernel
def gain_piece(player: PlayerRecord, kind: int) -> None:
    player.pieces[kind] += 1
    player.n_pieces += 1
