"""Counting what lies where, and the defaults of a position."""

from __future__ import annotations

from coatl.rules import state as st
from coatl.rules.pieces import (
    BODY,
    FEWER_BODIES_OF_A_COLOUR,
    HEAD,
    HEADS_OF_A_COLOUR,
    N_COLOURS,
    N_KINDS,
    N_SPACES,
    TAIL,
    TAILS_OF_A_COLOUR,
    bodies_of_a_colour,
    kind_of_space,
)
from coatl.rules.state import NONE, State


def default_picked(phase: int) -> int:
    return 1 if phase == st.PICK else 0


def default_actions(phase: int) -> int:
    return 0 if phase in (st.ADAM, st.OVER) else 1


def default_turn(phase: int) -> int:
    return 0 if phase == st.SETUP else 1


def expected_pieces(state: State) -> list[int]:
    """Pieces of each kind in the game (C2, D1, R22)."""
    players = int(state.n_players)
    fewer = bool(state.fewer_bodies) and players in FEWER_BODIES_OF_A_COLOUR
    bodies = bodies_of_a_colour(players, fewer)
    return [HEADS_OF_A_COLOUR] * N_COLOURS + [TAILS_OF_A_COLOUR] * N_COLOURS + [bodies] * N_COLOURS


def pieces_placed(state: State) -> list[int]:
    """Pieces of each kind anywhere but in the bags."""
    counts = [int(n) for n in state.gone]
    for space in range(N_SPACES):
        for colour in state.supply[space]:
            if colour != NONE:
                counts[kind_of_space(space) + int(colour)] += 1
    for seat in range(state.n_players):
        player = state.players[seat]
        for kind in range(N_KINDS):
            counts[kind] += int(player.pieces[kind])
        for i in range(player.n_coatls):
            coatl = player.coatls[i]
            last = int(coatl.length) - 1
            for j in range(last + 1):
                colour = int(coatl.colours[j])
                if j == 0 and coatl.has_head:
                    counts[HEAD + colour] += 1
                elif j == last and coatl.has_tail:
                    counts[TAIL + colour] += 1
                else:
                    counts[BODY + colour] += 1
    adam = state.adam
    for kind in range(N_KINDS):
        counts[kind] += int(adam.holding[kind]) + int(adam.pieces[:, kind].sum())
    return counts


def prophecies_placed(state: State) -> list[int]:
    """Copies of each Prophecy card anywhere but in the deck."""
    counts = [int(n) for n in state.discard]
    for card in state.row:
        if card != NONE:
            counts[card] += 1
    for seat in range(state.n_players):
        player = state.players[seat]
        for card in player.hand[: player.n_hand]:
            counts[card] += 1
        for i in range(player.n_coatls):
            coatl = player.coatls[i]
            for card in coatl.cards[: coatl.n_cards]:
                counts[card] += 1
    adam = state.adam
    for card in adam.cards[: adam.n_cards]:
        counts[card] += 1
    return [count + int(done) for count, done in zip(counts, adam.fulfilled, strict=True)]


def temples_placed(state: State) -> list[int]:
    """Copies of each Temple card in hands and on Cóatl."""
    counts = [0] * st.MAX_TEMPLES
    for seat in range(state.n_players):
        player = state.players[seat]
        for temple in player.temples[: player.n_temples]:
            counts[temple] += 1
        for i in range(player.n_coatls):
            if player.coatls[i].temple != NONE:
                counts[player.coatls[i].temple] += 1
    return counts
