"""Counting what lies where, and the defaults of a position.

Reading a NumPy record number by number is slow, so arrays are made lists first.
"""

from __future__ import annotations

from coatl.rules import state as st
from coatl.rules.pieces import (
    BODY,
    FEWER_BODIES_OF_A_COLOUR,
    HEAD,
    HEADS_OF_A_COLOUR,
    N_COLOURS,
    TAIL,
    TAILS_OF_A_COLOUR,
    bodies_of_a_colour,
    kind_of_space,
)
from coatl.rules.state import NONE, Coatl, StateRecord


def default_picked(phase: int) -> int:
    return 1 if phase == st.PICK else 0


def default_actions(phase: int) -> int:
    return 0 if phase in (st.ADAM, st.OVER) else 1


def default_turn(phase: int) -> int:
    return 0 if phase == st.SETUP else 1


def expected_pieces(state: StateRecord) -> list[int]:
    """Pieces of each kind in the game (C2, D1, R22)."""
    players = int(state.n_players)
    fewer = bool(state.fewer_bodies) and players in FEWER_BODIES_OF_A_COLOUR
    bodies = bodies_of_a_colour(players, fewer)
    return [HEADS_OF_A_COLOUR] * N_COLOURS + [TAILS_OF_A_COLOUR] * N_COLOURS + [bodies] * N_COLOURS


def pieces_placed(state: StateRecord) -> list[int]:
    """Pieces of each kind anywhere but in the bags."""
    counts = state.gone.astype(int)
    for space, colours in enumerate(state.supply.tolist()):
        for colour in colours:
            if colour != NONE:
                counts[kind_of_space(space) + colour] += 1
    for seat in range(state.n_players):
        player = state.players[seat]
        counts += player.pieces
        for i in range(player.n_coatls):
            for kind in _kinds_in(player.coatls[i]):
                counts[kind] += 1
    counts += state.adam.holding
    counts += state.adam.pieces.sum(axis=0)
    return [int(count) for count in counts]


def _kinds_in(coatl: Coatl) -> list[int]:
    colours = coatl.colours[: coatl.length].tolist()
    kinds = [BODY + colour for colour in colours]
    if coatl.has_tail:
        kinds[-1] = TAIL + colours[-1]
    if coatl.has_head:
        kinds[0] = HEAD + colours[0]
    return kinds


def prophecies_placed(state: StateRecord) -> list[int]:
    """Copies of each Prophecy card anywhere but in the deck."""
    counts = state.discard.tolist()
    for card in state.row.tolist():
        if card != NONE:
            counts[card] += 1
    for seat in range(state.n_players):
        player = state.players[seat]
        for card in player.hand[: player.n_hand].tolist():
            counts[card] += 1
        for i in range(player.n_coatls):
            coatl = player.coatls[i]
            for card in coatl.cards[: coatl.n_cards].tolist():
                counts[card] += 1
    adam = state.adam
    for card in adam.cards[: adam.n_cards].tolist():
        counts[card] += 1
    return [count + done for count, done in zip(counts, adam.fulfilled.tolist(), strict=True)]


def temples_placed(state: StateRecord) -> list[int]:
    """Copies of each Temple card in hands and on Cóatl."""
    counts = [0] * st.MAX_TEMPLES
    for seat in range(state.n_players):
        player = state.players[seat]
        for temple in player.temples[: player.n_temples].tolist():
            counts[temple] += 1
        for i in range(player.n_coatls):
            temple = player.coatls[i].temple
            if temple != NONE:
                counts[temple] += 1
    return counts
